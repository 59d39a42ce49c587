"""Where cards go at a table with a real shoe, of which nobody has seen the faces: the ruling that
is shown before it is confirmed counts them, and names what was named."""

from __future__ import annotations

from datetime import datetime

import pytest

from croupier.cards import Card
from croupier.pit.at_table import Standing, rule_without_hidden
from croupier.pit.case import read_case
from croupier.pit.inventory import CardMove, Inventory, cards_moved
from croupier.pit.pit import Pit
from croupier.pit.registry import GAMES
from croupier.pit.runner import stage_case
from croupier.table import ActorRank, Command, Order

DEALT = """
title = "Three players with cards of a real shoe"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.11"]
[table]
dealing = "by-hand"
shoe = "reported"
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500 }
3 = { player = "Cho", stake = 500 }
[[step]]
do = "start game"
[[step]]
do = "deal for button"
cards = "As 2c 3c"
[[step]]
do = "shuffle"
[[step]]
do = "cut"
[[step]]
do = "call for blinds"
[[step]]
do = "post blinds"
[[step]]
do = "deal hole cards"
expect.hole_cards = { 1 = "?? ??", 2 = "?? ??", 3 = "?? ??" }
"""
HIDDEN = Card.UNKNOWN
Ways = set[tuple[int, str, str, tuple[str, ...]]]


@pytest.fixture
def dealt() -> tuple[Pit, datetime]:
    return stage_case(read_case(DEALT, "a real shoe", GAMES), GAMES)


def ways(dealt: tuple[Pit, datetime], do: str, **said: object) -> Ways:
    """Where the cards go by the ruling on this report."""
    pit, now = dealt
    [place] = pit.tables
    table = pit.tables[place]
    kinds: dict[str, type[Command]] = {
        str(k.__struct_config__.tag): k for k in table.whole.commands
    }
    order = Order(command=kinds[do](**said), who="Max", rank=ActorRank.PIT_MANAGER, when=now)
    ruling = rule_without_hidden(Standing.of(pit, place), order)
    return {(way.count, way.leaves, way.goes, way.cards) for way in ruling.cards}


def test_an_exposed_card_goes_from_its_seat_and_another_one_comes_from_the_shoe(
    dealt: tuple[Pit, datetime],
):
    """v8 5.5."""
    assert ways(dealt, "report exposed", cards={2: (Card("Kh"),)}) == {
        (1, "seat 2", "the next burn", ("Kh",)),
        (1, "the shoe", "seat 2", ()),
    }


def test_of_a_misdeal_every_hand_goes_back_whole(dealt: tuple[Pit, datetime]):
    """v8 5.3.3, 5.3.6: what is named of a hand, and the rest of it."""
    exposed = {2: (Card("Kh"),), 3: (Card("Qd"),)}
    assert ways(dealt, "report exposed", cards=exposed) == {
        (2, "seat 1", "the shoe", ()),
        (2, "seat 2", "the shoe", ("Kh",)),
        (2, "seat 3", "the shoe", ("Qd",)),
    }


def test_a_card_that_its_player_shows_goes_nowhere(dealt: tuple[Pit, datetime]):
    assert ways(dealt, "report shown", seat=3, cards=(Card("Kh"),)) == set()


def moved(
    before: dict[str, tuple[Card, ...]], after: dict[str, tuple[Card, ...]]
) -> list[CardMove]:
    return list(cards_moved(Inventory(cards=before), Inventory(cards=after)))


def test_a_card_that_lay_face_down_and_is_turned_up_moved_nowhere():
    assert moved({"seat 1": (HIDDEN, HIDDEN)}, {"seat 1": (HIDDEN, Card("Kh"))}) == []


def test_unseen_cards_are_told_only_where_there_is_one_way_for_them():
    """Two places lost one and two gained one: nobody knows which went where."""
    one = (HIDDEN,)
    assert moved({"seat 1": one, "seat 2": one}, {"the board": one, "the burns": one}) == []
    assert moved({"seat 1": one, "seat 2": one}, {"the discards": one * 2}) == [
        CardMove(count=1, leaves="seat 1", goes="the discards"),
        CardMove(count=1, leaves="seat 2", goes="the discards"),
    ]
    assert moved({"seat 1": one * 3}, {"seat 1": one, "the burns": one}) == [
        CardMove(count=1, leaves="seat 1", goes="the burns"),
        CardMove(count=1, leaves="seat 1", goes="the shoe"),
    ]
