"""Commands are orders: what somebody wants a table to do, and the envelope that says who wants it.

A command is a small frozen record with one text form: `{"do": "raise", "seat": 3, "to": 6000}`.
The games add their own by subclassing `Command`; those here are what every table understands.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from msgspec import Meta, Struct

from croupier.cards import Card
from croupier.table.seat import Seat
from croupier.table.staff import StaffRank
from croupier.table.words import words


class Command(Struct, frozen=True, kw_only=True, gc=False, tag_field="do", tag=words):
    """What somebody wants. Subclasses are named by orders: `Fold`, `PlaceAnte`, `DealFlop`.

    `usually_by` says in which rank it is given where nobody says otherwise (case files, demos).
    """

    usually_by: ClassVar[StaffRank] = StaffRank.DEALER

    def tell(self) -> str:
        """The command in words, for stories and messages; games may say it better."""
        return words(type(self).__name__)


C_co = TypeVar("C_co", bound=Command, covariant=True)


class Order(Struct, Generic[C_co], frozen=True, kw_only=True, gc=False):
    """A command with who gave it, in which rank and when. The House vouches for all three."""

    command: C_co
    who: str
    rank: StaffRank
    when: Annotated[datetime, Meta(tz=True)]


class OpenTable(Command, frozen=True, kw_only=True):
    """Open the table under its rulebook with the settings that its sign shows.

    The settings are read by the game; `table` is the name by which the table is known;
    `policies` are the policy switches that the operator sets otherwise than the book's default.
    """

    table: str
    settings: dict[str, Any]
    policies: dict[str, str] = {}


class Look(Command, frozen=True, kw_only=True):
    """The player at a seat or box looks at his cards. A dozen paragraphs turn on it."""

    usually_by: ClassVar[StaffRank] = StaffRank.PLAYER

    seat: Seat


class Decide(Command, frozen=True, kw_only=True):
    """Answer a decision that the table has asked for.

    `details` fills in what the chosen option asks for, such as a seat or an amount.
    """

    decision: int
    option: str
    details: dict[str, Any] = {}
    reason: str = ""


class GiveShuffle(Command, frozen=True, kw_only=True):
    """The House's answer to `ShuffleNeeded`: the same cards in their new order, top first."""

    usually_by: ClassVar[StaffRank] = StaffRank.HOUSE

    need: int
    cards: tuple[Card, ...]


class GiveDraw(Command, frozen=True, kw_only=True):
    """The answer to `DrawNeeded`: which of the scrambled cards were picked, counted from 0."""

    usually_by: ClassVar[StaffRank] = StaffRank.HOUSE

    need: int
    picks: tuple[int, ...]
