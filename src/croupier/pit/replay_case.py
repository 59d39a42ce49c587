"""A case to be played again in the replayer: the same record as of a round of the House.

It is read as a story. What an order came to is told by its events; the order itself stands above
them only where they do not say it: where the case has words of its own for the step, where somebody
reports something, and where the answer is no.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import structs

from croupier.pit import report_words
from croupier.pit.game import Registry
from croupier.pit.pit import Said
from croupier.pit.replay import EVERYTHING, Recorder, Replay, ReplayStep
from croupier.pit.runner import CaseResult, Spoken
from croupier.pit.situation import usual_time
from croupier.pit.story import named_once, said_by
from croupier.table import Conversation, Event, Refused, Table


def replay_case(
    result: CaseResult, registry: Registry, seen_as: str = EVERYTHING, table: str | None = None
) -> Replay:
    """What was played in a case, at one of its tables, from the end of its set-up on."""
    places = dict(_places(result, registry))
    place = table or _busiest(result)
    link_name = result.case.tables[place].link or ""
    for spoken in result.played[0].spoken:
        _apply(places, spoken)
    here = places[place]
    assert isinstance(here, Table)
    recorder = Recorder(here, seen_as, places.get(link_name), link_name)
    spoken_first = next((s for played in result.played for s in played.spoken), None)
    when = spoken_first.order.when if spoken_first is not None else usual_time(result.case.book)
    for played in result.played[1:]:
        for i, spoken in enumerate(played.spoken):
            _apply(places, spoken)
            own = played.step.note if played.step is not None and i == 0 else ""
            _record(recorder, spoken, place, own or _heading(spoken, result))
    replay = recorder.replay(
        "case",
        result.case.title,
        when,
        place=place,
        round=recorder.start.get("round", 0),
        about=_about(result),
        paragraphs=_titles(result),
    )
    return structs.replace(replay, steps=tuple(_with_ranks_once(step) for step in replay.steps))


def case_log(result: CaseResult, place: str) -> list[tuple[int, Event]]:
    """Everything that happened at a table of a case, from its opening, as formats read a log."""
    said = (
        one.event
        for played in result.played
        for spoken in played.spoken
        for one in _said(spoken)
        if one.place == place
    )
    return list(enumerate(said, start=1))


def _places(result: CaseResult, registry: Registry) -> Iterator[tuple[str, Conversation[Any]]]:
    """The tables and links of a case, as they stand before anything is said."""
    case = result.case
    for link in case.links.values():
        assert registry.link is not None
        yield link.name, registry.link.link_type(case.book)
    for table in case.tables.values():
        yield table.name, table.game.table_type(table.book)


def _busiest(result: CaseResult) -> str:
    """The table at which most is done; of several, the first."""
    said = Counter(spoken.place for played in result.played[1:] for spoken in played.spoken)
    return max(result.case.tables, key=lambda name: said[name])


def _apply(places: dict[str, Conversation[Any]], spoken: Spoken) -> None:
    for said in _said(spoken):
        places[said.place].apply(said.event)


def _said(spoken: Spoken) -> list[Said]:
    return spoken.answer if isinstance(spoken.answer, list) else []


def _record(recorder: Recorder, spoken: Spoken, place: str, note: str) -> None:
    events: list[tuple[Event, str]] = [
        (said.event, "" if said.place == place else said.place) for said in _said(spoken)
    ]
    refused = spoken.answer if isinstance(spoken.answer, Refused) else None
    if isinstance(spoken.answer, str):
        refused = Refused((), spoken.answer)
    order = spoken.order
    recorder.step(events, at=order.when.isoformat(), who=f"{order.who}", note=note, refused=refused)


def _heading(spoken: Spoken, result: CaseResult) -> str:
    """An order in words, where what came of it does not tell it."""
    command, order = spoken.order.command, spoken.order
    do = str(command.__struct_config__.tag)
    if do not in report_words.TITLES:
        return "" if isinstance(spoken.answer, list) else said_by(spoken, result)
    if any(said.event.__struct_config__.tag == _TELLS_WHO for said in _said(spoken)):
        return ""
    title = report_words.title(do, [f for f in command.__struct_fields__ if getattr(command, f)])
    who, says = f"{order.who[:1].upper()}{order.who[1:]}", getattr(command, "says", "")
    return f"{who} reports: {title}" + (f" (“{says}”)" if says else "")


_TELLS_WHO = "irregularity reported"
"""The event that tells of itself who reported what; not every game has it."""


def _with_ranks_once(step: ReplayStep) -> ReplayStep:
    """A step whose sentences name nobody by a rank and then again by that rank."""
    events = (
        structs.replace(one, told=named_once(one.told, one.event.get("who"), one.event["rank"]))
        if isinstance(one.event.get("rank"), str)
        else one
        for one in step.events
    )
    return structs.replace(step, events=tuple(events))


def _titles(result: CaseResult) -> dict[str, str]:
    """The paragraphs that the case names, with their titles: what it is about first."""
    book = result.case.book.paragraphs
    return {id: book[id].title for id in result.case.paragraphs if id in book}


def _about(result: CaseResult) -> str:
    """What the case says of itself, and where it came out otherwise than it expects."""
    about = " ".join(result.case.about.split())
    for failure in result.failures:
        told = "; ".join(f"{d.what}: {d.got}, not {d.expected}" for d in failure.differences)
        about += f" It fails at step {failure.step} of the file, {failure.did}: {told}."
    return about.strip()
