"""Where the dealer enters what players do, a player's view offers nothing to press."""

from __future__ import annotations

import pytest

from croupier.poker.view import view_of
from croupier.table import Viewer
from tests.poker.seated import Seated


@pytest.mark.parametrize(("acting", "offered"), [("seen", False), ("device", True)])
def test_only_who_acts_by_device_is_offered_anything(acting: str, offered: bool) -> None:
    table = Seated(3, acting=acting).dealt().table
    seat = table.turn()
    assert seat is not None
    assert table.offers(seat)
    view = view_of(table, Viewer(who=table.player_at(seat)))
    assert bool(view.offers) is offered
