"""What one viewer may see of a poker table, as a pure function of the table."""

from __future__ import annotations

from msgspec import Struct

from croupier.cards import Card
from croupier.poker.facts import PotFacts
from croupier.table import Money, Offer


class SeatView(Struct, frozen=True, kw_only=True):
    """One seat as the viewer may see it."""

    player: str
    stake: Money
    here: bool = True
    bet: Money = 0
    dead_post: Money = 0
    active: bool = False
    all_in: bool = False
    cards: tuple[Card, ...] = ()
    """His Hole Cards; `??` for those that the viewer may not see."""
    face_up: Card | None = None
    """His card in the draw for the button."""
    hand: str = ""
    """The hand that he has shown, in words."""


class PokerView(Struct, frozen=True, kw_only=True):
    """A poker table as a viewer may see it."""

    table: str
    rulebook: str
    status: str
    round: int
    seats: dict[int, SeatView]
    button: int | None
    small_blind: int | None = None
    big_blind: int | None = None
    straddle: int | None = None
    board: tuple[Card, ...] = ()
    pots: tuple[PotFacts, ...] = ()
    betting_round: int | None = None
    price: Money = 0
    turn: int | None = None
    game_marker: str | None = None
    offers: dict[int, list[Offer]] = {}
    """What the viewer himself may do now, at his own seat."""
