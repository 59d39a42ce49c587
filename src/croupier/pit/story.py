"""A case told as a story: step by step, what was said, what happened, and under which paragraph.

It is told as a floor manager would sign it: by name, with amounts and cards as on the table, and
without what goes without saying. Of the set-up only that is told which the steps rest on; that
decks were shuffled and a draw for the button was played is left out, unless the case is about it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, structs

from croupier.pit.case_records import ONE_TABLE
from croupier.pit.pit import Said
from croupier.pit.runner import CaseResult, Played, Spoken
from croupier.pit.values import node_of, plain, write
from croupier.rulebooks import Rulebook
from croupier.table import (
    ActorRank,
    Command,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    Event,
    GiveDraw,
    GiveShuffle,
    Refused,
    ShuffleNeeded,
    TableOpened,
    write_money,
)
from croupier.table.event import Namer

ROUTINE = frozenset(
    (
        "announced",
        "button card dealt",
        "button cards collected",
        "deck cut",
        "draw given",
        "game started",
        "shuffle given",
    )
)
"""Events that are not told of a set-up."""


class StoryLine(Struct, frozen=True, kw_only=True):
    """One sentence of a story and the paragraphs behind it."""

    text: str
    cites: tuple[str, ...] = ()


class Chapter(Struct, kw_only=True):
    """One step: what was done, and what came of it."""

    number: int
    heading: str
    lines: list[StoryLine]


class Story(Struct, kw_only=True):
    """A whole case for people, with the paragraphs that it cited."""

    title: str
    about: str
    book: Rulebook
    chapters: list[Chapter]
    cited: list[str]


def tell_case(result: CaseResult) -> Story:
    """Tell what was played in a case, from the set-up to the last step."""
    chapters = [_chapter(played, result) for played in result.played]
    book = result.case.book
    found = {p for chapter in chapters for line in chapter.lines for p in line.cites}
    return Story(
        title=result.case.title,
        about=result.case.about,
        book=book,
        chapters=chapters,
        cited=[paragraph for paragraph in book.paragraphs if paragraph in found],
    )


def _chapter(played: Played, result: CaseResult) -> Chapter:
    if played.step is None:
        return Chapter(number=0, heading="Set-up", lines=_set_up(played, result))
    lines: list[StoryLine] = []
    for i, spoken in enumerate(played.spoken):
        own = i == 0 and _is_own(played, spoken)
        # What follows a step, or is part of a phrase, is told by what came of it.
        if not own and not isinstance(spoken.answer, list):
            lines.append(StoryLine(text=f"{said_by(spoken, result)}:"))
        lines += _answer(spoken, result, _chance_was_given(played))
    return Chapter(number=played.number, heading=_heading(played, result), lines=lines)


def _heading(played: Played, result: CaseResult) -> str:
    """The note that the case gives, else the order, else the phrase that stands for several."""
    step = played.step
    assert step is not None
    if step.note:
        return step.note
    if played.spoken and _is_own(played, played.spoken[0]):
        return said_by(played.spoken[0], result)
    return f"{step.do[:1].upper()}{step.do[1:]}"


def _is_own(played: Played, spoken: Spoken) -> bool:
    """True if this order is the step itself, not the first of those that its phrase stands for."""
    tag = spoken.order.command.__struct_config__.tag
    return played.step is not None and tag == played.step.do


def _chance_was_given(played: Played) -> bool:
    return any(isinstance(s.order.command, GiveShuffle | GiveDraw) for s in played.spoken)


def _set_up(played: Played, result: CaseResult) -> list[StoryLine]:
    """How the table stands when the steps begin; in full if it never came to that."""
    lines: list[StoryLine] = []
    failed = any(failure.step == 0 for failure in result.failures)
    last: tuple[str, object] | None = None
    for spoken in played.spoken:
        if not isinstance(spoken.answer, list):
            lines.append(StoryLine(text=f"{said_by(spoken, result)}:"))
            lines += _answer(spoken, result, True)
            continue
        for said in spoken.answer:
            if not failed and _goes_without_saying(said.event, result):
                continue
            kind = (said.place, said.event.__struct_config__.tag)
            text = _tell(said, result)
            if kind == last:  # several of a kind are one line: who sits where, who posts what
                cites = dict.fromkeys((*lines[-1].cites, *said.event.cites))
                lines[-1] = StoryLine(text=f"{lines[-1].text} {text}", cites=tuple(cites))
            else:
                lines.append(StoryLine(text=_at(said.place, text, result), cites=said.event.cites))
            last = kind
    return lines


def _goes_without_saying(event: Event, result: CaseResult) -> bool:
    if set(event.cites) & set(result.case.paragraphs):
        return False
    return event.__struct_config__.tag in ROUTINE or isinstance(event, ShuffleNeeded | DrawNeeded)


def _answer(spoken: Spoken, result: CaseResult, chance_given: bool) -> list[StoryLine]:
    match spoken.answer:
        case Refused(cites=cites, says=says):
            return [StoryLine(text=f"Refused. {says}", cites=cites)]
        case str() as error:
            return [StoryLine(text=f"Not possible: {error}")]
        case list() as said:
            return [
                StoryLine(text=_at(s.place, _tell(s, result), result), cites=s.event.cites)
                for s in said
                if not (chance_given and isinstance(s.event, ShuffleNeeded | DrawNeeded))
            ]


def _at(place: str, text: str, result: CaseResult) -> str:
    several = len(result.case.tables) + len(result.case.links) > 1
    return f"[{place}] {text}" if several else text


def _tell(said: Said, result: CaseResult) -> str:
    event: Event = said.event
    text = event.tell(_namer(said.place, result))
    if isinstance(event, TableOpened):
        table = "The table" if said.place == ONE_TABLE else f"Table {said.place}"
        text = f"{table} opens under {result.case.tables[said.place].book.short}."
    rank = getattr(event, "rank", None)
    if isinstance(rank, ActorRank):
        text = named_once(text, getattr(event, "who", None), rank.value)
    if text.endswith("..") and not text.endswith("..."):
        text = text[:-1]  # a reason that was given as a sentence
    return f"{text[:1].upper()}{text[1:]}"


def named_once(text: str, who: object, rank: str) -> str:
    """Whoever is named by a rank needs it once: not `the dealer (dealer)`.

    >>> named_once("The dealer (dealer) decides.", "the dealer", "dealer")
    'The dealer decides.'
    """
    if isinstance(who, str) and who.endswith(rank):
        for name in (who, f"{who[:1].upper()}{who[1:]}"):
            text = text.replace(f"{name} ({rank})", name)
    return text


def _namer(place: str, result: CaseResult) -> Namer:
    names = _names(place, result)
    word = result.case.tables[place].game.seat_word if place in result.case.tables else "box"

    def name(seat: int) -> str:
        return f"{names[seat]} ({word} {seat})" if seat in names else f"{word.capitalize()} {seat}"

    return name


def _names(place: str, result: CaseResult) -> dict[int, str]:
    """Who sat where, by what players did themselves or had done for them."""
    names: dict[int, str] = {}
    for played in result.played:
        for spoken in played.spoken:
            command: Any = spoken.order.command
            seat = getattr(command, "seat", None) or getattr(command, "box", None)
            if spoken.place == place and isinstance(seat, int):
                if isinstance(getattr(command, "player", None), str):
                    names[seat] = command.player
                elif spoken.order.rank is ActorRank.PLAYER:
                    names.setdefault(seat, spoken.order.who)
    return names


# -- orders in words ----------------------------------------------------------------------------

_NOT_TOLD = ("do", "settings", "policies", "need", "decision")
_BARE = ("option", "to")
"""Values that follow the command itself: `raise to 60`, `decide void round`."""


def said_by(spoken: Spoken, result: CaseResult) -> str:
    """An order in words: who gives it, and what."""
    who, command = spoken.order.who, spoken.order.command
    values = dict(_values(spoken, result))
    if spoken.order.rank is ActorRank.PLAYER:
        # A player speaks for the place that he is named with, and need not be named again.
        place = next((values.pop(key) for key in ("seat", "box") if key in values), None)
        if place is not None and place.startswith(who):
            who = place
        elif place is not None:
            who = f"{who}, for {place}"
        if values.get("player") == spoken.order.who:
            del values["player"]
    elif spoken.order.rank is ActorRank.HOUSE:
        who = "the House"
    told = str(command.__struct_config__.tag)
    for key in _BARE:
        if key in values:
            told += f" {values.pop(key)}" if key == "option" else f" {key} {values.pop(key)}"
    reason = values.pop("reason", "")
    more = ", ".join(_labelled(key, value) for key, value in values.items())
    told += f" ({more})" if more else ""
    told += f", because {reason}" if reason else ""
    return f"{who[:1].upper()}{who[1:]}: {told}"


def _values(spoken: Spoken, result: CaseResult) -> Iterator[tuple[str, str]]:
    """What an order says beyond its name, in words; what it would be anyhow is left out."""
    command: Command = spoken.order.command
    written = write(plain(command), node_of(type(command)))
    name = _namer(spoken.place, result)
    for field in structs.fields(command):
        key, value = field.encode_name, getattr(command, field.name)
        if key in _NOT_TOLD or (not field.required and value == _default(field)):
            continue
        if key in ("seat", "box") and isinstance(value, int):
            yield key, name(value)
        elif key == "details" and isinstance(command, Decide):
            yield key, _in_words(_details(command, spoken.place, result))
        elif key == "cards" and isinstance(value, tuple) and len(value) > _LONG:
            yield key, str(len(value))
        else:
            yield key, _in_words(written[key])


def _default(field: structs.FieldInfo) -> Any:
    return field.default_factory() if callable(field.default_factory) else field.default


def _details(command: Decide, place: str, result: CaseResult) -> dict[str, Any]:
    """The details of a decision, with amounts as on the table where the question asks for them."""
    asks = next(
        (
            option.asks
            for played in result.played
            for spoken in played.spoken
            if isinstance(spoken.answer, list)
            for said in spoken.answer
            if said.place == place and isinstance(said.event, DecisionNeeded)
            if said.event.decision == command.decision
            for option in said.event.options
            if option.name == command.option
        ),
        {},
    )
    return {
        key: write_money(value) if asks.get(key) == "money" and isinstance(value, int) else value
        for key, value in command.details.items()
    }


def _labelled(key: str, value: str) -> str:
    """A value with its name: a mark that is set needs only the name."""
    label = key.replace("_", " ")
    if value == _YES:
        return label
    if value == _NO:
        return f"no {label}"
    if key in ("seat", "box", "details"):
        return value
    return f'"{value}"' if key == "says" else f"{label} {value}"


_YES, _NO = "yes", "no"


def _in_words(written: Any) -> str:
    """A value as one would say it."""
    match written:
        case bool():
            return _YES if written else _NO
        case dict():
            parts = (f"{str(k).replace('_', ' ')} {_in_words(v)}" for k, v in written.items())
            return ", ".join(parts)
        case list() | tuple():
            *first, last = [_in_words(value) for value in written] or ["nothing"]
            return f"{', '.join(first)} and {last}" if first else last
        case None:
            return "nothing"
        case _:
            return str(written)


_LONG = 5
"""A shuffled deck is not for reading; a street is."""
