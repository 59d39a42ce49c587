"""What a poker table remembers."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.cards import Card, Shoe
from croupier.poker.settings import PokerSettings
from croupier.table import Money
from croupier.table.table import TableState

Phase = Literal[
    "open",
    "shuffling for the button",
    "drawing for the button",
    "shuffling",
    "cutting",
    "blinds",
]
"""Where the game is. A new game begins with the draw for the button and ends at the Blinds."""


class SeatState(Struct, kw_only=True):
    """One occupied seat."""

    player: str
    stake: Money
    button_card: Card | None = None


class PokerState(TableState, kw_only=True):
    """The table: its seats, its shoe, the button and where the game is."""

    settings: PokerSettings = PokerSettings()
    phase: Phase = "open"
    seats: dict[int, SeatState] = {}
    button: int | None = None
    shoe: Shoe | None = None
