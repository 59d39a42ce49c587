"""The matrix of a rulebook: every report at every moment, with what the book makes of it.

Nothing of it is written by hand. A table is brought into each moment (`moments`), says what
can be reported there, and each report is given to a copy of it: what comes out is the ruling, the
question, or the refusal, with the paragraph. Where the book is silent the question is one of
discretion, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, product
from typing import Any, Literal

from msgspec import Struct

from croupier.pit.game import Registry
from croupier.pit.moments import ACTED, DEALT, How, Staged, staged
from croupier.rulebooks import Rulebook
from croupier.table import (
    ActorRank,
    Announced,
    Command,
    DecisionNeeded,
    Event,
    Order,
    Refused,
)
from croupier.table.event import Namer
from croupier.table.reports import OneOf, Reportable, Values

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
    said: tuple[str, ...] = ()
    """What the report said, where reports that say something else fare otherwise."""


class Cell(Struct, frozen=True, kw_only=True):
    """One report in one moment, and what can come of it."""

    moment: str
    how: How
    report: str
    outcomes: tuple[Outcome, ...]


def matrix_of(
    book: Rulebook,
    registry: Registry,
    progress: Callable[[str], None] = lambda name: None,
    *,
    moment: str = "",
) -> Iterator[Cell]:
    """Every report at every moment of a book, or at those that are named by these words;
    `progress` hears of each moment."""
    for stands in staged(book, registry, moment):
        progress(stands.moment.name)
        yield from cells_of(stands, stands.table.reports(when=stands.now))


def cells_of(stands: Staged, listed: list[Reportable]) -> Iterator[Cell]:
    """Every report in one moment; `listed` are those that the table would accept."""
    table = stands.table
    for kind, report in table.whole.reports.items():
        do = str(kind.__struct_config__.tag)
        possible = [reportable.fields for reportable in listed if reportable.do == do]
        # What cannot be true is shown by how its plainest form is refused.
        plainest = [dict(_first(fields)) for fields in report.candidates(table)][:1]
        tried = [said for fields in possible for said in _tried(fields)] or plainest
        found: dict[tuple[Any, ...], tuple[Answer, dict[str, Any]]] = {}
        for said in tried:
            answer = _answer(stands, kind, said)
            found.setdefault(_likeness(answer), (answer, said))
        outcomes = tuple(
            _outcome(answer, said if len(found) > 1 else {}, stands.seat_word)
            for answer, said in found.values()
        )
        name, how = stands.moment.name, stands.how
        yield Cell(moment=name, how=how, report=do, outcomes=outcomes)


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
    """The paragraphs of what is ruled; where the book leaves it open, first those that say whose
    ruling it is."""
    first = next((event.cites for event in events if event.cites), ())
    left_open = (e.cites for e in events if isinstance(e, DecisionNeeded) and e.question == RULING)
    return tuple(dict.fromkeys((*next(left_open, ()), *first)))


def _outcome(answer: Answer, said: dict[str, Any], seat_word: str) -> Outcome:
    told = tuple(_say_field(name, value) for name, value in said.items())
    if isinstance(answer, Refused):
        return Outcome(kind="refused", says=answer.says, cites=answer.cites, said=told)
    asked = [event for event in answer if isinstance(event, DecisionNeeded)]
    kind: Kind = "ruling"
    if asked:
        kind = "discretion" if asked[0].question == RULING else "question"

    def name(seat: int) -> str:
        return f"{seat_word} {seat}"

    says = " ".join(_told(event, name) for event in answer if not isinstance(event, Announced))
    return Outcome(kind=kind, says=says, cites=_operative(answer), said=told)


def _say_field(name: str, value: Any) -> str:
    """One field of a report in words."""
    match value:
        case None:
            return f"{name} not said"
        case bool():
            return f"{name}: {'yes' if value else 'no'}"
        case tuple():
            return f"{name}: {' '.join(str(v) for v in value) or 'none'}"
        case dict():
            places = (f"{place} {' '.join(map(str, cards))}" for place, cards in value.items())
            return f"{name}: {', '.join(places) or 'none'}"
        case _:
            return f"{name}: {value}"


def _told(event: Event, name: Namer) -> str:
    """An event as everybody may hear it; a question with who answers it and how."""
    if isinstance(event, DecisionNeeded):
        of = event.of.title if isinstance(event.of, ActorRank) else name(event.of)
        options = ", ".join(option.name for option in event.options)
        return f"{event.says} ({of}: {options})"
    public = event.public()
    told = public.tell(name) if public is not None else ""
    return told[:1].upper() + told[1:]


# -- drawn together for reading ---------------------------------------------------------------


class Entry(Struct, frozen=True, kw_only=True):
    """One report in one moment, for those ways of dealing and acting in which it is the same."""

    report: str
    ways: tuple[How, ...]
    outcomes: tuple[Outcome, ...]


class Page(Struct, frozen=True, kw_only=True):
    """One moment: in which ways it comes about, and every report there."""

    moment: str
    ways: tuple[How, ...]
    entries: tuple[Entry, ...]


def pages_of(cells: Iterable[Cell]) -> Iterator[Page]:
    """The matrix moment by moment; ways in which the same comes out stand together."""
    for moment, group in groupby(cells, key=lambda cell: cell.moment):
        alike: dict[tuple[str, tuple[Outcome, ...]], list[How]] = {}
        ways: dict[How, None] = {}
        for cell in group:
            ways[cell.how] = None
            alike.setdefault((cell.report, cell.outcomes), []).append(cell.how)
        entries = [
            Entry(report=report, ways=tuple(hows), outcomes=outcomes)
            for (report, outcomes), hows in alike.items()
        ]
        order = list(dict.fromkeys(entry.report for entry in entries))
        entries.sort(key=lambda entry: order.index(entry.report))
        yield Page(moment=moment, ways=tuple(ways), entries=tuple(entries))


def tell_ways(ways: tuple[How, ...], among: tuple[How, ...]) -> str:
    """In which of the ways it is so, in the fewest words; nothing where it is so in all."""
    if set(ways) == set(among):
        return ""
    for dealing in DEALT:
        if set(ways) == {how for how in among if how.dealing == dealing}:
            return DEALT[dealing]
    for acting in ACTED:
        if set(ways) == {how for how in among if how.acting == acting}:
            return ACTED[acting]
    return "; ".join(str(how) for how in ways)
