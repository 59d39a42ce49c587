"""Commands are orders: what somebody wants a table to do, and the envelope that says who wants it.

A command is a small frozen record with one text form: `{"do": "raise", "seat": 3, "to": 6000}`.
The games add their own by subclassing `Command`; those here are what every table understands.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from msgspec import Meta, Struct

from croupier.cards import Card
from croupier.table.actor import ActorRank
from croupier.table.seat import Seat
from croupier.table.words import words


class Command(Struct, frozen=True, kw_only=True, gc=False, tag_field="do", tag=words):
    """What somebody wants. Subclasses are named by orders: `Fold`, `PlaceAnte`, `DealFlop`.

    `usually_by` says in which rank it is given where nobody says otherwise (case files, demos);
    `players_may`, whether a player may give it for himself. Every command states that, for it
    guards access: a class that does not is an error at import.
    """

    usually_by: ClassVar[ActorRank] = ActorRank.DEALER
    players_may: ClassVar[bool]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "players_may" not in cls.__dict__:
            raise TypeError(f"{cls.__name__} must state players_may: may a player give it?")

    def lacks(self) -> str:
        """What a player must say who gives it, though staff may leave it out; else nothing."""
        return ""

    def tell(self) -> str:
        """The command in words, for stories and messages; games may say it better."""
        return words(type(self).__name__)


C_co = TypeVar("C_co", bound=Command, covariant=True)


class Order(Struct, Generic[C_co], frozen=True, kw_only=True, gc=False):
    """A command with who gave it, in which rank and when. The House vouches for all three."""

    command: C_co
    who: str
    rank: ActorRank
    when: Annotated[datetime, Meta(tz=True)]


class OpenTable(Command, frozen=True, kw_only=True):
    """Open the table under its rulebook with the settings that its sign shows.

    The settings are read by the game; `table` is the name by which the table is known;
    `policies` are the policy switches that the operator sets otherwise than the book's default.
    """

    players_may: ClassVar[bool] = False

    table: str
    settings: dict[str, Any]
    policies: dict[str, str] = {}


class Look(Command, frozen=True, kw_only=True):
    """The player at a seat or box looks at his cards. A dozen paragraphs turn on it."""

    usually_by: ClassVar[ActorRank] = ActorRank.PLAYER
    players_may: ClassVar[bool] = True

    seat: Seat


class Decide(Command, frozen=True, kw_only=True):
    """Answer a decision that the table has asked for.

    `details` fills in what the chosen option asks for, such as a seat or an amount.
    """

    players_may: ClassVar[bool] = True

    decision: int
    option: str
    details: dict[str, Any] = {}
    reason: str = ""


class GiveShuffle(Command, frozen=True, kw_only=True):
    """The House's answer to `ShuffleNeeded`: the same cards in their new order, top first."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    need: int
    cards: tuple[Card, ...]


class GiveDraw(Command, frozen=True, kw_only=True):
    """The answer to `DrawNeeded`: which of the scrambled cards were picked, counted from 0."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    need: int
    picks: tuple[int, ...]
