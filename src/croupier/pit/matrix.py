"""The matrix of a rulebook: every report in every situation, with what the book makes of it.

Nothing of it is written by hand. A table is brought into each situation (`situations`), says what
can be reported there, and each report is given to a copy of it: what comes out is the ruling, the
question, or the refusal, with the paragraph. Where the book is silent the question is one of
discretion, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, Literal

from msgspec import Struct

from croupier.pit.game import Registry
from croupier.pit.situations import How, Staged, staged
from croupier.rulebooks import Rulebook
from croupier.table import (
    Announced,
    Command,
    DecisionNeeded,
    Event,
    Order,
    Refused,
    StaffRank,
)
from croupier.table.reports import OneOf, Values

Kind = Literal["ruling", "question", "discretion", "refused"]

RULING = "ruling"
"""The question of the discretion clauses, in both families."""

TRIED_AT_MOST = 6
"""Of so many values of a field all are tried; of more, the first, the middle one and the last."""


class Outcome(Struct, frozen=True, kw_only=True):
    """What comes of a report: the book's ruling, a question, or a refusal."""

    kind: Kind
    says: str
    cites: tuple[str, ...]
    fields: dict[str, Any] = {}
    """What the report said for this to come out."""


class Cell(Struct, frozen=True, kw_only=True):
    """One report in one situation, and what can come of it."""

    situation: str
    how: How
    report: str
    outcomes: tuple[Outcome, ...]


def matrix_of(
    book: Rulebook, registry: Registry, progress: Callable[[str], None] = lambda name: None
) -> Iterator[Cell]:
    """Every report in every situation of a book; `progress` hears of each situation."""
    for stands in staged(book, registry):
        progress(stands.situation.name)
        yield from cells_of(stands)


def cells_of(stands: Staged) -> Iterator[Cell]:
    """Every report in one situation."""
    table = stands.table
    listed = table.reports(when=stands.now)
    for kind, report in table.whole.reports.items():
        do = str(kind.__struct_config__.tag)
        possible = [reportable.fields for reportable in listed if reportable.do == do]
        # What cannot be true is shown by how its plainest form is refused.
        plainest = [dict(_first(fields)) for fields in report.candidates(table)][:1]
        tried = [said for fields in possible for said in _tried(fields)] or plainest
        found: dict[tuple[Any, ...], Outcome] = {}
        for said in tried:
            answer = _answer(stands, kind, said)
            found.setdefault(_likeness(answer), _outcome(stands, said, answer))
        yield Cell(
            situation=stands.situation.name,
            how=stands.how,
            report=do,
            outcomes=tuple(found.values()),
        )


def _tried(fields: Mapping[str, Values]) -> Iterator[dict[str, Any]]:
    """Reports that say different things: each single value, with the shortest of the others."""
    single = {name: _some(v.values) for name, v in fields.items() if isinstance(v, OneOf)}
    others = {name: v.trial() for name, v in fields.items() if not isinstance(v, OneOf)}
    for combination in product(*single.values()):
        yield {**dict(zip(single, combination, strict=True)), **others}


def _first(fields: Mapping[str, Values]) -> Iterator[tuple[str, Any]]:
    for name, values in fields.items():
        if not isinstance(values, OneOf):
            yield name, values.trial()
        elif values.values:
            yield name, values.values[0]


def _some(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(values) <= TRIED_AT_MOST:
        return values
    return values[0], values[len(values) // 2], values[-1]


Answer = tuple[Event, ...] | Refused


def _answer(stands: Staged, kind: type[Command], said: dict[str, Any]) -> Answer:
    """What a copy of the table answers to a report."""
    table = stands.table
    copy = type(table).restore(table.book, table.snapshot())
    by = kind.usually_by
    return copy.handle(Order(command=kind(**said), who=by.value, rank=by, when=stands.now))


def _likeness(answer: Answer) -> tuple[Any, ...]:
    """What two answers have in common that differ only in figures and names."""
    if isinstance(answer, Refused):
        return answer.cites
    asked = [event.question for event in answer if isinstance(event, DecisionNeeded)]
    return (*(type(event) for event in answer), *asked, _operative(answer))


def _operative(events: tuple[Event, ...]) -> tuple[str, ...]:
    return next((event.cites for event in events if event.cites), ())


def _outcome(stands: Staged, said: dict[str, Any], answer: Answer) -> Outcome:
    if isinstance(answer, Refused):
        return Outcome(kind="refused", says=answer.says, cites=answer.cites, fields=said)
    asked = [event for event in answer if isinstance(event, DecisionNeeded)]
    kind: Kind = "ruling"
    if asked:
        kind = "discretion" if asked[0].question == RULING else "question"
    told = " ".join(_told(stands, event) for event in answer if not isinstance(event, Announced))
    return Outcome(kind=kind, says=told, cites=_operative(answer), fields=said)


def _told(stands: Staged, event: Event) -> str:
    """An event as everybody may hear it; a question with who answers it and how."""
    if isinstance(event, DecisionNeeded):
        of = event.of.title if isinstance(event.of, StaffRank) else _name(event.of)
        options = ", ".join(option.name for option in event.options)
        return f"{event.says} ({of}: {options})"
    public = event.public()
    return public.tell(_name) if public is not None else ""


def _name(place: int) -> str:
    return f"seat {place}"
