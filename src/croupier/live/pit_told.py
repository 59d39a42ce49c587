"""What happened at a table, in sentences; what was ruled there, by whose authority.

Whoever deals or rules reads who decided what: a person in his rank, or a standing order of the
House by its name, each with the paragraph. What was asked and answered in one is told once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from msgspec import Struct

from croupier.house.standing import order_named
from croupier.pit.decided import decided_words, told_decision
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Conversation, DecisionNeeded, DecisionTaken, Event, Table

CARRIED_OUT = "ruling carried out"
"""It says nothing beside what was ruled and what became of it."""
RULING_MADE = "ruling made"
"""The event that says again, beside `decision taken`, what was ruled by discretion."""


class PitTold(Struct, frozen=True, kw_only=True):
    """Something that happened, as everybody at the table may hear it."""

    says: str
    ruling: bool = False
    """Whether it was ruled, or follows from a ruling or a report."""
    cites: tuple[str, ...] = ()
    at: datetime | None = None


class Happened(Struct, frozen=True, kw_only=True):
    """One event with the order that it came of."""

    command_id: str
    event: Event
    at: datetime | None = None


def told(asker: Conversation[Any], happened: Iterable[Happened]) -> list[PitTold]:
    """What happened, in sentences, the oldest first."""
    found = list(happened)
    answered = {h.event.decision for h in found if isinstance(h.event, DecisionTaken)}
    said: list[PitTold] = []
    for _, of_one_order in groupby(found, key=lambda each: each.command_id):
        batch = list(of_one_order)
        ruling = _is_ruled([each.event for each in batch], asker)
        for each in batch:
            says = _sentence(asker, each.event, answered)
            if says:
                cites = each.event.cites if ruling else ()
                said.append(PitTold(says=says, ruling=ruling, cites=cites, at=each.at))
    return said


def ruled(asker: Conversation[Any], happened: Iterable[Happened]) -> list[PitTold]:
    """What staff, or standing orders in their place, have decided."""
    taken = [h for h in happened if _is_staffs(h.event)]
    return told(asker, taken)


def of_rows(asker: Conversation[Any], rows: Iterable[Any]) -> Iterator[Happened]:
    """The same from the log."""
    for row in rows:
        at = datetime.fromisoformat(row.at)
        yield Happened(command_id=row.command_id, event=asker.read_event(row.event), at=at)


def _is_ruled(events: Sequence[Event], asker: Conversation[Any]) -> bool:
    if any(map(_is_staffs, events)):
        return True
    if not isinstance(asker, Table):
        return False
    port = GAMES.port_of(asker)
    return port.is_irregularity(events) or any(isinstance(event, port.undone) for event in events)


def _is_staffs(event: Event) -> bool:
    """A decision of the House's, taken by its staff or by an order that stands."""
    return isinstance(event, DecisionTaken) and event.rank is not ActorRank.PLAYER


def _sentence(asker: Conversation[Any], event: Event, answered: set[int]) -> str:
    public = event.public()
    match public:
        case None:
            return ""
        case DecisionNeeded(decision=number) if number in answered:
            return ""  # its answer says what was asked
        case DecisionTaken(rank=rank) if rank is not ActorRank.PLAYER:
            return _decided(public)
        case _ if public.__struct_config__.tag == CARRIED_OUT:
            return ""
        case _ if public.__struct_config__.tag == RULING_MADE and answered:
            return ""
        case _:
            return public.tell(lambda seat: asker.player_at(seat) or f"place {seat}")


def _decided(taken: DecisionTaken) -> str:
    order = order_named(taken)
    if order:
        return (
            f"The House's standing order “{order}”, in the place of a {taken.rank.title}, "
            f"{decided_words(taken.question, taken.option)}."
        )
    return told_decision(taken)
