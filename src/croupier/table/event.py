"""Events are facts: what happened at a table, and the paragraphs that made it so.

A released event never changes its meaning. The games add their own by subclassing `Event`;
those here happen at every table.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from msgspec import Struct, structs

from croupier.cards import Card
from croupier.table.actor import ActorRank
from croupier.table.seat import Seat
from croupier.table.words import words

Namer = Callable[[int], str]
"""Names a seat or box for a story: `3` becomes `Cho (seat 3)`."""


# Commands and events hold plain values, never in a circle: the collector need not walk them.
class Event(Struct, frozen=True, kw_only=True, gc=False, tag_field="event", tag=words):
    """What happened. Subclasses are named by facts: `Folded`, `AntePlaced`, `FlopDealt`."""

    cites: tuple[str, ...] = ()

    def tell(self, name: Namer) -> str:
        """The event as a sentence for people; games say it better than this default."""
        told = words(type(self).__name__).capitalize()
        facts = [f"{f} {getattr(self, f)}" for f in self.__struct_fields__ if f != "cites"]
        return f"{told}: {', '.join(facts)}." if facts else f"{told}."

    def headline(self, name: Namer) -> str:
        """The event as the one sentence of a ruling; nothing if it only says what was found."""
        return self.tell(name)

    def public(self) -> Event | None:
        """The event as everybody may see it: cards that lie face down become `??`.

        None hides the event altogether. Events without secrets are shown whole.
        """
        return self

    def private_to(self) -> int | None:
        """The seat or box whose player sees the event whole, if there is one."""
        return None

    def crossings(self) -> tuple[tuple[str, int], ...]:
        """What came from a player's account to the table by this event, or went back (negative)."""
        return ()


def hidden(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """The same number of cards, all unknown."""
    return (Card.UNKNOWN,) * len(cards)


class TableOpened(Event, frozen=True, kw_only=True):
    """The first event of every log: from it alone the empty table can be made again."""

    table: str
    rulebook: str
    settings: dict[str, Any]
    policies: dict[str, str]

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} opens under {self.rulebook}."


class Looked(Event, frozen=True, kw_only=True):
    """A player has looked at his cards; from now on his view holds them."""

    seat: Seat
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"{name(self.seat)} looks at their cards."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))

    def private_to(self) -> int:
        return self.seat


class Call(Enum):
    """The kinds of announcement."""

    OPENING = "opening call"
    CLOSING = "closing call"
    WARNING = "warning"
    NOTICE = "notice"


class Announced(Event, frozen=True, kw_only=True):
    """Something said aloud: to one seat or box, or to the whole table."""

    call: Call
    says: str
    seat: Seat | None = None

    def tell(self, name: Namer) -> str:
        to = f" (to {name(self.seat)})" if self.seat is not None else ""
        return f"{self.call.value.capitalize()}{to}: {self.says}"


class ShuffleNeeded(Event, frozen=True, kw_only=True):
    """The table asks the House to shuffle these cards, and waits.

    The cards are named in deck order, so asking says nothing about where any of them lay.
    """

    need: int
    purpose: str
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"{len(self.cards)} cards are to be shuffled ({self.purpose})."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))


class ShuffleGiven(Event, frozen=True, kw_only=True):
    """The House has shuffled; only the auditor ever sees the order."""

    need: int
    purpose: str
    cards: tuple[Card, ...]

    def tell(self, name: Namer) -> str:
        return f"{len(self.cards)} cards are shuffled ({self.purpose})."

    def public(self) -> Event:
        return structs.replace(self, cards=hidden(self.cards))


class DrawNeeded(Event, frozen=True, kw_only=True):
    """The table asks for a random pick of some among scrambled face-down cards, and waits.

    The House's source of chance answers, or somebody of rank `of` or above picks by hand.
    """

    need: int
    purpose: str
    pick: int
    among: int
    of: ActorRank

    def tell(self, name: Namer) -> str:
        return f"{self.pick} of {self.among} cards are to be picked at random ({self.purpose})."


class DrawGiven(Event, frozen=True, kw_only=True):
    """The pick was made: by the House's source of chance, or by hand and entered by staff."""

    need: int
    purpose: str
    picks: tuple[int, ...]
    who: str

    def tell(self, name: Namer) -> str:
        picked = ", ".join(str(p + 1) for p in self.picks)
        many = "card" if len(self.picks) == 1 else "cards"
        return f"{self.who} picks {many} {picked} ({self.purpose})."
