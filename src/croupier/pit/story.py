"""A case told as a story: step by step, what was said, what happened, and under which paragraph."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.pit.expect import say
from croupier.pit.pit import Said
from croupier.pit.runner import CaseResult, Played, Spoken
from croupier.pit.values import node_of, plain, write
from croupier.rulebooks import Rulebook
from croupier.table import Command, Event, Refused, StaffRank
from croupier.table.event import Namer


class Line(Struct, kw_only=True):
    """One sentence of a story and the paragraphs behind it."""

    text: str
    cites: tuple[str, ...] = ()


class Chapter(Struct, kw_only=True):
    """One step: what was done, and what came of it."""

    number: int
    heading: str
    lines: list[Line]


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
    several = len(result.case.tables) + len(result.case.links) > 1
    lines: list[Line] = []
    for i, spoken in enumerate(played.spoken):
        if played.number == 0 or i > 0:
            lines.append(Line(text=f"{_said_by(spoken)}:"))
        lines += _answer(spoken, result, several)
    if played.step is None:
        heading = "Set-up"
    elif played.spoken:
        heading = played.step.note or _said_by(played.spoken[0])
        if played.step.do not in _words(played.spoken[0].order.command):
            heading = f"{played.step.do.capitalize()}: {heading}"
    else:
        heading = played.step.do
    return Chapter(number=played.number, heading=heading, lines=lines)


def _answer(spoken: Spoken, result: CaseResult, several: bool) -> list[Line]:
    match spoken.answer:
        case Refused(cites=cites, says=says):
            return [Line(text=f"Refused. {says}", cites=cites)]
        case str() as error:
            return [Line(text=f"Not possible: {error}")]
        case list() as said:
            return [Line(text=_tell(s, result, several), cites=s.event.cites) for s in said]


def _tell(said: Said, result: CaseResult, several: bool) -> str:
    event: Event = said.event
    text = event.tell(_namer(said.place, result))
    return f"[{said.place}] {text}" if several else text


def _namer(place: str, result: CaseResult) -> Namer:
    names = _names(place, result)
    word = result.case.tables[place].game.place_word if place in result.case.tables else "box"

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
                elif spoken.order.rank is StaffRank.PLAYER:
                    names.setdefault(seat, spoken.order.who)
    return names


def _said_by(spoken: Spoken) -> str:
    who = spoken.order.who
    return f"{who[:1].upper()}{who[1:]}: {_words(spoken.order.command)}"


def _words(command: Command) -> str:
    """A command in words with its values, as a case file would have them."""
    written = write(plain(command), node_of(type(command)))
    values = {k: v for k, v in written.items() if k not in ("do", "settings", "policies")}
    values = {k: v for k, v in values.items() if v not in (None, "", {}, [])}
    if isinstance(values.get("cards"), str) and len(values["cards"]) > _LONG:
        values["cards"] = f"{len(values['cards'].split())} cards"
    told = ", ".join(f"{key} {say(value)}" for key, value in values.items())
    return f"{written['do']} ({told})" if told else str(written["do"])


_LONG = 30
"""A shuffled deck is not for reading; a street is."""
