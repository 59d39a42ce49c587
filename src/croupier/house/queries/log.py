"""What was ordered and what came of it: by table, player, staff, time, paragraph, kind of ruling.

One line for each order at each place where something came of it, and on request one for each order
that was refused.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from croupier.house.errors import UnknownPlace
from croupier.house.queries.walk import Given, Progress, places_of, quiet, walk
from croupier.house.queries.wording import (
    as_everybody_may,
    events_in_words,
    order_in_words,
    people_in,
    read_order,
)
from croupier.house.records import Authority
from croupier.house.store import Store
from croupier.table import AwardMade, DecisionTaken

RulingKind = Literal["irregularity", "decision", "ruling", "void", "misdeal", "undone", "award"]
"""`irregularity`: something was reported as gone wrong. `decision`: a question was answered.
`ruling`: one that the book leaves to a person. `void`, `misdeal`: of a round. `undone`: a ruling
was taken back. `award`: a jackpot paid."""
KINDS: tuple[RulingKind, ...] = get_args(RulingKind)


class Wanted(Struct, frozen=True, kw_only=True):
    """What is asked for; what is not said is no condition."""

    place: str | None = None
    """A table, a link, or the office."""
    player: str | None = None
    """Whom it concerned: he ordered it, or it names him or his seat."""
    staff: str | None = None
    """Who ordered it."""
    person: str | None = None
    """Who ordered it or was named in it, of the staff or not."""
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is too late."""
    paragraph: str | None = None
    """A paragraph or standard that was cited, or one that it is above: `5.10` finds `5.10.2`."""
    kinds: frozenset[RulingKind] = frozenset()
    """Any of these."""
    question: str | None = None
    """What was decided, by the name of the question."""
    round: int | None = None
    refused: bool = False
    """With what was refused."""
    people_only: bool = False
    """Without what the software did by itself."""
    data: bool = False
    """With the events as data."""


class LogLine(Struct, frozen=True, kw_only=True):
    """One order at one place."""

    at: str
    place: str
    round: int | None
    position: int
    """Of its first event in the log of the place; 0 where it was refused."""
    number: int | None
    """Of the order, over all logs."""
    who: str
    rank: str
    duty: str
    """At which post he was on duty, and where."""
    order: str
    says: str
    """What came of it, or why it was refused."""
    cites: tuple[str, ...]
    kinds: tuple[RulingKind, ...]
    people: tuple[str, ...]
    """Whom else it concerned."""
    refused: bool = False
    command_id: str = ""
    events: tuple[Any, ...] = ()
    """As data, with face-down cards hidden; only where they are wanted."""


def log_lines(store: Store, wanted: Wanted, progress: Progress = quiet) -> Iterator[LogLine]:
    """The lines that are asked for, by time."""
    if wanted.place is not None:
        check_place(store, wanted.place)
    places = places_of(store, wanted.place)
    walked = walk(store, places, until=wanted.until, refused=wanted.refused, progress=progress)
    for given in walked:
        line = _line(given, wanted)
        if line is not None:
            yield line


def check_place(store: Store, place: str) -> None:
    """An error where there is no such log, with the one that was probably meant."""
    known = store.streams()
    if place not in known:
        near = difflib.get_close_matches(place, known, n=1)
        meant = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(known[:20])}"
        raise UnknownPlace(f"there is no log of {place!r}; {meant}")


SOFTWARE_RANK = "house"


def _line(given: Given, wanted: Wanted) -> LogLine | None:
    """The line of a command, unless something is asked for that it is not; the dear comes last."""
    if wanted.since is not None and given.at < wanted.since:
        return None
    if wanted.staff is not None and given.who != wanted.staff:
        return None
    if wanted.round is not None and given.round != wanted.round:
        return None
    if wanted.people_only and given.rank == SOFTWARE_RANK:
        return None
    cites = cites_of(given)
    if wanted.paragraph is not None and not _is_cited(wanted.paragraph, cites):
        return None
    kinds = kinds_of(given)
    if wanted.kinds and not wanted.kinds & set(kinds):
        return None
    if wanted.question is not None and wanted.question not in _questions(given):
        return None
    command = read_order(given.ordered_at, given.command)
    people = people_in(given, command)
    for name in (wanted.player, wanted.person):
        if name is not None and name not in (given.who, *people):
            return None
    return line_of(given, command, people, kinds, cites, data=wanted.data)


def line_of(
    given: Given,
    command: Any,
    people: tuple[str, ...],
    kinds: tuple[RulingKind, ...],
    cites: tuple[str, ...],
    *,
    data: bool = False,
) -> LogLine:
    """A command as a line; with its events as data, if they are wanted."""
    refused = given.refused
    shown = (as_everybody_may(event) for event in given.events if data)
    return LogLine(
        at=refused.at if refused is not None else given.rows[0].at,
        place=given.place,
        round=given.round,
        position=given.rows[0].position if given.rows else 0,
        number=given.number if given.order is not None else None,
        who=given.who,
        rank=given.rank,
        duty=duty_in_words(given.authority),
        order=_order(given, command),
        says=refused.says if refused is not None else events_in_words(given),
        cites=cites,
        kinds=kinds,
        people=people,
        refused=refused is not None,
        command_id=refused.command_id if refused is not None else given.rows[0].command_id,
        events=tuple(event for event in shown if event is not None),
    )


def _order(given: Given, command: Any) -> str:
    """What was ordered, and where, if that was elsewhere: a link hears what a table was told."""
    order = given.order
    if order is None or order.place == given.place:
        return order_in_words(command, given.roster)
    return f"{order_in_words(command, {})} at {order.place}"


def duty_in_words(authority: str) -> str:
    """At which post somebody was on duty, from a stored authority."""
    if not authority:
        return ""
    told = msgspec.json.decode(authority, type=Authority)
    post = f"acting {told.duty}" if told.acting else told.duty
    return f"{post}, {told.area}" if post and told.area else post


def cites_of(given: Given) -> tuple[str, ...]:
    """The paragraphs that a command's events, or its refusal, cite."""
    if given.refused is not None:
        return tuple(msgspec.json.decode(given.refused.cites, type=list[str]))
    return tuple(dict.fromkeys(cite for event in given.events for cite in event.cites))


def _is_cited(paragraph: str, cites: tuple[str, ...]) -> bool:
    return any(cite == paragraph or cite.startswith(f"{paragraph}.") for cite in cites)


def kinds_of(given: Given) -> tuple[RulingKind, ...]:
    """What kind of ruling a command was, if any."""
    found: list[RulingKind] = []
    port, events = given.port, given.events
    if port is not None:
        if port.is_irregularity(events):
            found.append("irregularity")
        by_kind: dict[RulingKind, Any] = {
            "ruling": port.rulings,
            "void": port.voids,
            "misdeal": port.misdeals,
            "undone": port.undone,
        }
        found += [kind for kind, types in by_kind.items() if _any(events, types)]
    if _any(events, DecisionTaken):
        found.append("decision")
    if _any(events, AwardMade):
        found.append("award")
    return tuple(found)


def _any(events: tuple[Any, ...], types: Any) -> bool:
    return any(isinstance(event, types) for event in events)


def _questions(given: Given) -> set[str]:
    return {event.question for event in given.events if isinstance(event, DecisionTaken)}
