"""Everything that one member of staff did and for whom: duties, orders, refusals, people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from croupier.house.office import OFFICE, Office
from croupier.house.office import events as office
from croupier.house.queries.log import LogLine, Wanted, log_lines
from croupier.house.queries.people import office_of, person_named
from croupier.house.queries.walk import Progress, quiet
from croupier.house.replaying import held_rows, read_event
from croupier.house.store import Store


class DutyLine(Struct, kw_only=True):
    """One spell on duty."""

    since: str
    until: str = ""
    """Nothing while it goes on."""
    post: str
    area: str
    acting: bool
    by: str
    """Who put him there."""


class ForWhom(Struct, kw_only=True):
    """One person whom his orders concerned."""

    name: str
    orders: int = 0
    refused: int = 0
    rulings: int = 0
    """Decisions, rulings, voids and reports of irregularities among them."""


class Acts(Struct, frozen=True, kw_only=True):
    """What somebody did. The lines are read as they are asked for, once; `for_whom` and `totals`
    are complete when they have been."""

    name: str
    role: str
    since: datetime | None
    until: datetime | None
    duty: list[DutyLine]
    lines: Iterator[LogLine]
    for_whom: dict[str, ForWhom]
    totals: dict[str, int]
    """How many orders, refusals, and rulings of each kind."""
    data: bool = False
    """Whether the lines have their events as data."""


def acts_of(
    store: Store,
    name: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    data: bool = False,
    progress: Progress = quiet,
) -> Acts:
    """What a member of staff did, and what was ordered of him by others."""
    person = person_named(office_of(store), name, "staff")
    for_whom: dict[str, ForWhom] = {}
    totals: dict[str, int] = {"orders": 0, "refused": 0}
    wanted = Wanted(person=name, since=since, until=until, refused=True, data=data)
    return Acts(
        name=name,
        role=person.role or "",
        since=since,
        until=until,
        duty=_duty(store, name, since, until),
        lines=_counted(log_lines(store, wanted, progress), name, for_whom, totals),
        for_whom=for_whom,
        totals=totals,
        data=data,
    )


def _counted(
    lines: Iterator[LogLine], name: str, for_whom: dict[str, ForWhom], totals: dict[str, int]
) -> Iterator[LogLine]:
    for line in lines:
        if line.who == name:
            totals["refused" if line.refused else "orders"] += 1
            for kind in line.kinds:
                totals[kind] = totals.get(kind, 0) + 1
            for person in line.people:
                counted = for_whom.setdefault(person, ForWhom(name=person))
                counted.orders += not line.refused
                counted.refused += line.refused
                counted.rulings += bool(line.kinds)
        yield line


def duties(store: Store, until: datetime | None = None) -> dict[str, list[DutyLine]]:
    """When everybody was on duty, by name, as the office's log has it."""
    found: dict[str, list[DutyLine]] = {}
    conversation = Office()
    for row in held_rows(store, OFFICE):
        if until is not None and datetime.fromisoformat(row.at) >= until:
            break
        event = read_event(conversation, row)
        match event:
            case office.WentOnDuty():
                spells = found.setdefault(event.name, [])
                _end(spells, row.at)
                spells.append(
                    DutyLine(
                        since=row.at,
                        post=event.post,
                        area=event.area,
                        acting=event.acting,
                        by=event.by,
                    )
                )
            case office.WentOffDuty() | office.RoleChanged() | office.PersonDisabled():
                _end(found.get(event.name, []), row.at)
            case _:
                continue
    return found


def _duty(
    store: Store, name: str, since: datetime | None, until: datetime | None
) -> list[DutyLine]:
    """When somebody was on duty, as far as it lies in a time."""
    found = duties(store, until).get(name, [])
    if since is None:
        return found
    return [d for d in found if not d.until or datetime.fromisoformat(d.until) > since]


def _end(found: list[DutyLine], at: str) -> None:
    if found and not found[-1].until:
        found[-1].until = at
