"""What carries out a procedure, and what reads a parameter: one table for each, in one place.

    MINIMUM_BET = Procedure("minimum-bet", {"big-blind": big_blind, "by-policy": by_policy})
    HOLE_CARDS = number("hole-cards")

    least = MINIMUM_BET.of(table.book)(table)

A table that lacks a way of doing it, or has one that no book knows, is an error when its module is
loaded. What nothing reads at all is an error when the games are put together (`unread`), unless it
is marked as information.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Generic, TypeVar

from croupier.cards import Category
from croupier.rulebooks.model import Rulebook
from croupier.rulebooks.vocabulary import (
    PARAMETERS,
    PROCEDURES,
    Group,
    ParameterWords,
    ProcedureWords,
)

T = TypeVar("T")

_read: set[str] = set()
"""The names of all procedures and parameters that something reads."""


class Procedure(Generic[T]):
    """One procedure: what carries out each way of doing it."""

    def __init__(self, name: str, ways: Mapping[str, T]) -> None:
        known = set(PROCEDURES[name].values)
        if missing := known - set(ways):
            raise TypeError(f"nothing carries out {name} as {', '.join(sorted(missing))}")
        if unknown := set(ways) - known:
            raise TypeError(f"{name} is in no book {', '.join(sorted(unknown))}")
        self.name = name
        self._ways = dict(ways)
        _read.add(name)

    def of(self, book: Rulebook) -> T:
        """What carries it out under this book."""
        return self._ways[book.procedure(self.name)]


class Parameter(Generic[T]):
    """One figure that the books state."""

    def __init__(self, name: str, read: Callable[[Rulebook, str], T]) -> None:
        if name not in PARAMETERS:
            raise TypeError(f"{name} is no parameter; see croupier.rulebooks.vocabulary")
        self.name = name
        self._read = read
        _read.add(name)

    def of(self, book: Rulebook) -> T:
        """Its value in this book."""
        return self._read(book, self.name)


def number(name: str) -> Parameter[int]:
    """A count, a multiple, or money in cents."""
    return Parameter(name, Rulebook.number)


def share(name: str) -> Parameter[Fraction]:
    """A percentage as an exact fraction."""
    return Parameter(name, Rulebook.share)


def category(name: str) -> Parameter[Category]:
    """A hand category."""
    return Parameter(name, Rulebook.category)


def unread(*groups: Group) -> list[str]:
    """What books of these groups state and nothing reads, though it is more than information."""
    words: dict[str, ProcedureWords | ParameterWords] = {**PROCEDURES, **PARAMETERS}
    return [
        name
        for name, word in words.items()
        if word.group in groups and not word.information and name not in _read
    ]
