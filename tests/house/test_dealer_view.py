"""The dealer's page between two rounds: nothing of the last one stands there any more."""

from __future__ import annotations

from croupier.pit.registry import GAMES
from tests.house.test_table_staff import Floor
from tests.house.test_who_deals import deals_a_round, floor

__all__ = ["floor"]


def test_between_rounds_nobody_is_small_blind_or_folded(floor: Floor):
    deals_a_round(floor, "Dan")
    table = floor.casino.table("H")
    assert not table.playing()
    view = GAMES.port_of(table).dealer_view(table)
    assert {mark for seat in view.seats for mark in seat.marks} == {"D"}
    assert [seat.says for seat in view.seats if seat.says] == []
    assert [seat.cards for seat in view.seats if seat.cards] == []
    assert (view.board, view.pot) == ((), None)
