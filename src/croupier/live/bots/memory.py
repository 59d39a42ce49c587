"""What a poker bot remembers: who did what in this round, and how each player has played so far.

It hears only what everybody at the table hears.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from croupier.poker.events import (
    BetPlaced,
    BlindsCalled,
    Called,
    Checked,
    FlopDealt,
    Folded,
    Raised,
    RiverDealt,
    TurnDealt,
    WentAllIn,
)
from croupier.table import Event

Act = Literal["raise", "call", "check"]
_STREETS: dict[type[Event], int] = {FlopDealt: 2, TurnDealt: 3, RiverDealt: 4}
_RAISING = ("raise", "bet", "over the call", "under the bet")


class Done(Struct, frozen=True):
    """One Action of a player in this round."""

    street: int
    """1 before the flop to 4 on the river: the number of the Betting Round."""
    act: Act
    raises: int
    """Bets and raises in that Betting Round before it, the Blinds not counted."""


class Notes(Struct, kw_only=True):
    """How often a player has done what he could do."""

    hands: int = 0
    entered: int = 0
    """Hands in which he put in more than his Blind by himself."""
    raised: int = 0
    """Hands in which he raised before the flop."""
    acts: int = 0
    """Chances to bet or raise after the flop."""
    bets: int = 0
    faced: int = 0
    """Bets and raises that he had to answer."""
    folds: int = 0


class Memory:
    """The memory of one bot at one table."""

    def __init__(self) -> None:
        self.lines: dict[int, list[Done]] = {}
        self.street = 1
        self.raises = 0
        self.notes: dict[str, Notes] = {}
        self._names: dict[int, str] = {}
        self._counted: set[tuple[int, str]] = set()

    def see(self, names: dict[int, str]) -> None:
        """Who sits where."""
        self._names = dict(names)

    def of(self, player: str) -> Notes:
        """The notes on a player."""
        return self.notes.setdefault(player, Notes())

    def line(self, seat: int) -> list[Done]:
        """What a seat has done in this round."""
        return self.lines.get(seat, [])

    def hear(self, event: Event) -> None:
        """Take note of one event."""
        match event:
            case BlindsCalled(players=players):
                self.lines, self.street, self.raises = {}, 1, 0
                self._counted.clear()
                for seat in players:
                    if seat in self._names:
                        self.of(self._names[seat]).hands += 1
            case FlopDealt() | TurnDealt() | RiverDealt():
                self.street, self.raises = _STREETS[type(event)], 0
            case Checked(seat=seat):
                self._did(seat, "check")
            case Called(seat=seat):
                self._did(seat, "call")
            case BetPlaced(seat=seat) | Raised(seat=seat):
                self._did(seat, "raise")
            case WentAllIn(seat=seat, kind=kind):
                self._did(seat, "raise" if kind in _RAISING else "call")
            case Folded(seat=seat):
                self._faced(seat, folds=True)
            case _:
                pass

    def _did(self, seat: int, act: Act) -> None:
        self.lines.setdefault(seat, []).append(Done(self.street, act, self.raises))
        self._faced(seat, folds=False)
        name = self._names.get(seat)
        if name is not None:
            notes = self.of(name)
            if self.street == 1:
                if act != "check":
                    notes.entered += self._first(seat, "entered")
                if act == "raise":
                    notes.raised += self._first(seat, "raised")
            elif act != "call":
                notes.acts += 1
                notes.bets += act == "raise"
        if act == "raise":
            self.raises += 1

    def _faced(self, seat: int, *, folds: bool) -> None:
        name = self._names.get(seat)
        if name is not None and self.raises:
            notes = self.of(name)
            notes.faced += 1
            notes.folds += folds

    def _first(self, seat: int, what: str) -> int:
        """1 the first time in this round, then 0."""
        if (seat, what) in self._counted:
            return 0
        self._counted.add((seat, what))
        return 1
