"""Looking at cards that are given up, and drawing more than there are."""

from __future__ import annotations

import pytest

from croupier.poker.commands import Fold
from croupier.table import ActorRank, Look
from croupier.table.refusal import Refusal
from tests.poker.seated import Seated


@pytest.mark.parametrize("book", ["no-limit-holdem-v8", "poker-v5"])
def test_whoever_has_folded_is_told_that_the_cards_are_given_up(book: str) -> None:
    table = Seated(4, book).dealt()
    seat = table.table.turn()
    assert seat is not None
    table.must(Fold(seat=seat))
    says = table.refused(Look(seat=seat), rank=ActorRank.PLAYER, who=table.table.player_at(seat))
    assert "You have given up your cards." in says


def test_before_the_deal_there_are_no_cards_to_look_at() -> None:
    table = Seated(4).to_the_call()
    seat = next(iter(table.table.state.seats))
    assert f"Seat {seat} has no cards." in table.refused(Look(seat=seat))


def test_no_more_cards_are_drawn_than_are_left() -> None:
    table = Seated(4).dealt().table
    with pytest.raises(Refusal, match="44 cards are left in the shoe, 45 are needed"):
        table.next_cards(45, ())
    with pytest.raises(Refusal, match="44 cards are left in the shoe, 45 are needed"):
        table.next_cards(1, (), after=44)
    assert len(table.next_cards(44, ())) == 44
