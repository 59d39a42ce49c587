"""Which shipped cases name which paragraph of which book, and which of them prove it."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from croupier.pit import GAMES, CaseResult, read_case, run_case, shipped_cases
from croupier.pit.replay import EVERYTHING, Replay
from croupier.pit.replay_case import replay_case
from croupier.rulebooks.several import books_named, in_book


class CaseLine(Struct, frozen=True, kw_only=True):
    """A shipped case by its name."""

    source: str
    """As `croupier case explain` takes it: `BOOK/FILE.toml`."""
    title: str
    about: str
    paragraphs: tuple[str, ...]


@cache
def _texts() -> dict[str, str]:
    return dict(shipped_cases())


@cache
def cases_of(book: str) -> dict[str, CaseLine]:
    """The cases that hold in a book, by their names."""
    found = {}
    for source, written in _texts().items():
        if book in books_named(written):
            raw = _head(written, book)
            found[source] = CaseLine(
                source=source,
                title=raw["title"],
                about=" ".join(raw.get("about", "").split()),
                paragraphs=tuple(raw["paragraphs"]),
            )
    return found


_TABLE = re.compile(r"^\[", re.MULTILINE)
_IN_BOOK = re.compile(r"^\[?in\b", re.MULTILINE)


def _head(written: str, book: str) -> dict[str, Any]:
    """What a case says of itself in a book. Only its head is read where no book has its own: to
    read a thousand cases whole takes seconds."""
    first = _TABLE.search(written)
    if first is None or _IN_BOOK.search(written):
        return in_book(tomllib.loads(written), book)
    return tomllib.loads(written[: first.start()])


def count_cases(book: str) -> int:
    """How many cases hold in a book."""
    return sum(book in books_named(written) for written in _texts().values())


@cache
def _by_paragraph(book: str) -> dict[str, list[CaseLine]]:
    found: dict[str, list[CaseLine]] = {}
    for line in cases_of(book).values():
        for paragraph in line.paragraphs:
            found.setdefault(paragraph, []).append(line)
    return found


def cases_naming(book: str, paragraph: str) -> list[CaseLine]:
    """The cases that name a paragraph, in order of their names."""
    return _by_paragraph(book).get(paragraph, [])


def case_text(source: str) -> str | None:
    """A shipped case by its name."""
    return _texts().get(source)


@lru_cache(maxsize=8)
def _played(source: str) -> CaseResult:
    return run_case(read_case(_texts()[source], source, GAMES), GAMES)


def replayed(source: str, book: str, seen_as: str = EVERYTHING) -> Replay:
    """A shipped case to be played again, in one of its books."""
    for one in _played(source).in_each_book():
        if one.case.book.id == book:
            return replay_case(one, GAMES, seen_as)
    raise KeyError(f"{source} does not hold in {book}")


@lru_cache(maxsize=4096)
def proved_by(source: str) -> dict[str, tuple[str, ...]]:
    """What a shipped case proves in each book in which it passes. It is played to find out."""
    return {
        one.case.book.id: one.covered for one in _played(source).in_each_book() if not one.failures
    }
