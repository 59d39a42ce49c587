"""Judgement is data: what a table asks of a person, and what was answered.

`of` says who may answer: one seat or box, whose player alone may (at a real table the dealer
enters his answer, and the record says so), or a rank, for which that rank or above may.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, structs

from croupier.cards import Card
from croupier.table.actor import ActorRank
from croupier.table.event import Event, Namer
from croupier.table.seat import Seat

Ask = Literal["seat", "box", "seats", "money", "card", "cards", "number", "text"]
"""The kind of detail that an option asks for."""


def by_whom(who: str, rank: ActorRank) -> str:
    """Somebody with the rank, once: whoever is known by the rank alone is named by it."""
    if who.lower() == f"the {rank.value}":
        return who[:1].upper() + who[1:]
    return f"{who} ({rank.value})"


class Choice(Struct, frozen=True, kw_only=True):
    """One thing that may be decided, with the details that it needs."""

    name: str
    says: str = ""
    asks: dict[str, Ask] = {}


class DecisionNeeded(Event, frozen=True, kw_only=True):
    """The table asks and, unless `holds` is false, waits for the answer."""

    decision: int
    question: str
    says: str
    options: tuple[Choice, ...]
    of: Seat | ActorRank
    holds: bool = True
    about: dict[str, Any] = {}
    not_by: str = ""
    """Who may not answer, whatever his rank: whoever made the report that is to be confirmed."""

    def tell(self, name: Namer) -> str:
        whom = self.of.title + " or above" if isinstance(self.of, ActorRank) else name(self.of)
        whom += f", but not {self.not_by}," if self.not_by else ""
        offered = ", ".join(option.name for option in self.options)
        return f"{whom} must decide: {self.says} ({offered})"


class DecisionTaken(Event, frozen=True, kw_only=True):
    """The answer: by whom, in which rank, and why."""

    decision: int
    question: str
    option: str
    details: dict[str, Any] = {}
    reason: str = ""
    who: str
    rank: ActorRank
    entered_for: Seat | None = None
    cards: tuple[str, ...] = ()
    """Which details name cards: they may lie face down."""

    def tell(self, name: Namer) -> str:
        by = self.who if self.rank is ActorRank.PLAYER else by_whom(self.who, self.rank)
        if self.entered_for is not None:
            by += f" for {name(self.entered_for)}"
        why = f", because {self.reason}" if self.reason else ""
        return f"{by} decides: {self.option}{why}."

    def public(self) -> Event:
        """Without the cards that are named; what follows shows those that everybody may see."""
        unseen = dict.fromkeys(self.cards, str(Card.UNKNOWN))
        return structs.replace(self, details={**self.details, **unseen})
