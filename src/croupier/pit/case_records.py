"""Case files: executable examples that a floor manager can read.

A case is a TOML file: the rulebook and the paragraphs that it shows, the table as it is set up,
steps in the command vocabulary, and what must come out. `docs/case-files.md` is the manual. Here is
a case in memory; `croupier.pit.case` reads one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from msgspec import Struct

from croupier.cards import CardError, read_cards
from croupier.pit.expect import Expectation
from croupier.pit.game import Game
from croupier.pit.lines import Lines
from croupier.rulebooks import Rulebook
from croupier.table import ActorRank, Command, Decide, GiveDraw, GiveShuffle

PARAGRAPHS_AT_MOST = 5
"""A case that shows everything shows nothing."""

ONE_TABLE = "table"
"""The name of the table in a case that has only one."""

CASE_KEYS = frozenset(
    ("title", "about", "rulebook", "paragraphs", "starts", "policies", "tables", "links", "step")
) | {"expect"}
NOT_SET_UP = CASE_KEYS - {"tables"}
"""The keys at the top of a file that do not set a table up."""
STEP_KEYS = frozenset(("do", "table", "link", "who", "rank", "at", "note", "with", "expect", "in"))
"""The keys of a step itself. A command's own field of such a name is given under `with`."""

ASKED: dict[type[Command], str] = {Decide: "decision", GiveShuffle: "need", GiveDraw: "need"}
"""Which field of an answer names what was asked: by its number, or by its question."""


class CaseError(Exception):
    """A case file that cannot be read: says the file, the line or step, and what was expected."""

    def __init__(self, source: str, says: str, line: int | None = None, step: int | None = None):
        where = source if line is None else f"{source}:{line}"
        if step is not None:
            where += f" (step {step})"
        super().__init__(f"{where}: {says}")
        self.source = source
        self.says = says
        self.line = line
        self.step = step


class Asked(Struct, kw_only=True, forbid_unknown_fields=True):
    """What an answer is to, named by its question; `of` tells which, where it is asked of several.

    A shuffle or a draw is named by its purpose.
    """

    question: str
    of: int | str | None = None


class CaseStep(Struct, kw_only=True):
    """One step: a command or a phrase at a table or link, and what must hold after it."""

    number: int
    line: int
    do: str
    place: str
    values: dict[str, Any]
    who: str | None = None
    rank: ActorRank | None = None
    at: datetime | time | None = None
    note: str = ""
    expect: Expectation | None = None
    asked: Asked | None = None
    """What it answers, where the file names that by its question; its number is found in play."""
    command: Command | None = None
    """What is given, where that is known before the case is played."""


class CaseTable(Struct, kw_only=True):
    """One table of a case: its game, its book and its set-up as the game reads it."""

    name: str
    game: Game
    book: Rulebook
    setup: Any
    link: str | None


class CaseLink(Struct, kw_only=True):
    """One jackpot link of a case and its set-up."""

    name: str
    setup: Any


class Case(Struct, kw_only=True):
    """A case that has been read and fits its game."""

    source: str
    title: str
    book: Rulebook
    paragraphs: tuple[str, ...]
    tables: dict[str, CaseTable]
    links: dict[str, CaseLink]
    steps: list[CaseStep]
    about: str = ""
    starts: datetime | None = None
    policies: dict[str, str] = {}
    expect: Expectation | None = None
    text: str = ""
    """The file as it was written, for whoever looks for the place of a mistake."""
    others: tuple[Case, ...] = ()
    """The same case in the other books that it names."""
    several: bool = False
    """Whether it names several books, so that messages must say which one they speak of."""

    def in_each_book(self) -> Iterator[Case]:
        """This case, and the same one in each other book that it names."""
        yield self
        yield from self.others

    def expectations(self) -> Iterator[Expectation]:
        """What it expects, step by step and at its end."""
        yield from (step.expect for step in self.steps if step.expect is not None)
        if self.expect is not None:
            yield self.expect

    @property
    def name(self) -> str:
        """The file, and the book where it names several."""
        return f"{self.source} ({self.book.id})" if self.several else self.source

    def line_of(self, path: str) -> int:
        """The line on which something stands, such as `step[2].expect.turn`; 0 if nowhere."""
        lines = Lines(self.text)
        return lines.in_book(path, self.book.id) if self.several else lines.of(path)

    def error(self, says: str, line: int | None = None, step: int | None = None) -> CaseError:
        """Something wrong with this file."""
        told = f"in {self.book.id}: {says}" if self.several else says
        return CaseError(self.source, told, line=line or None, step=step)

    def lines_with(self, told: str) -> list[int]:
        """The lines of the set-up that place a card of which an error tells."""
        lines = Lines(self.text)
        raw = tomllib.loads(self.text)
        setup = {key: value for key, value in raw.items() if key not in NOT_SET_UP}
        found: list[int] = []
        for path, text in _texts(setup, ""):
            try:
                cards = read_cards(text)
            except CardError:
                continue  # a name, a phase: no cards
            if any(card.pretty in told for card in cards):
                found.append(lines.of(path))
        return found


def _texts(raw: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every text in a part of the file, with its path."""
    if isinstance(raw, str):
        yield path, raw
    elif isinstance(raw, dict):
        for key, value in raw.items():
            yield from _texts(value, f"{path}.{key}" if path else key)
    elif isinstance(raw, list):
        for i, value in enumerate(raw, 1):
            yield from _texts(value, f"{path}[{i}]")
