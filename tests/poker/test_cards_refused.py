"""Looking at cards that are given up, and drawing more than there are."""

from __future__ import annotations

import pytest

from croupier.cards import Card
from croupier.poker.commands import Call, Check, DealFlop, Fold
from croupier.poker.irregularities.commands import ReportExposed
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


@pytest.mark.parametrize("book", ["no-limit-holdem-v8", "poker-v5"])
def test_a_card_that_lies_elsewhere_was_not_exposed_in_the_deal_and_nothing_changes(
    book: str,
) -> None:
    """With a real shoe any unseen card of the seat may turn out to be it, but for one that is out:
    the hand had got it, and the table was broken."""
    table = _real_flop(book)
    says = table.wrong(ReportExposed(cards={1: (Card("2c"),)}))
    assert "2♣ is out already" in says
    says = table.wrong(ReportExposed(cards={1: (Card("9h"),), 2: (Card("9h"),)}))
    assert "each card is named once" in says


def _real_flop(book: str) -> Seated:
    """Two players and a real shoe; the flop is 2♣ 7♦ J♥, and no hand is known."""
    table = Seated(2, book, shoe="reported")
    table.dealt()
    for act in (Call, Check):
        seat = table.table.turn()
        assert seat is not None
        table.must(act(seat=seat))
    table.must(DealFlop(faces=(Card("2c"), Card("7d"), Card("Jh"))))
    return table
