"""What a rule asks of its book, written once beside the rule: a way, a figure, its citation.

    MINIMUM_BET = Ways("minimum-bet", {"big-blind": big_blind, "by-policy": by_policy})
    HOLE_CARDS = number_of("hole-cards")
    CUT = Cites(Topic.DECK_CUT)

    least = table.by_book[MINIMUM_BET](table)

`Ways` carries out a procedure: one small table from each value that a book may choose to the
function (or the plain value) that this value comes to. It is named so because `Procedure` is what a
book holds (`croupier.rulebooks.model`): which value it has chosen, and in which paragraphs. In the
same manner a `Figure` reads a `Parameter`, and `Cites` are the paragraphs of some topics.

A table of ways that lacks one, or has one that no book knows, is an error when its module is
loaded. What nothing reads at all is an error when the games are put together (`unread`), unless it
is marked as information.

A book from outside may do a procedure in a way that none of the shipped books has. Whoever brings
the book adds that way to the table, before the book is read (docs/extending.md):

    ODD_CHIPS.add("best-position", from_the_button_back, "The winner who acts last has the first.")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from croupier.cards import Category
from croupier.rulebooks.errors import NotCarriedOut
from croupier.rulebooks.model import Rulebook
from croupier.rulebooks.topics import Topic
from croupier.rulebooks.vocabulary import (
    PARAMETERS,
    PROCEDURES,
    Group,
    ParameterWords,
    ProcedureWords,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_read: set[str] = set()
"""The names of all procedures and parameters that something reads."""
_tables: list[Ways[Any]] = []
"""Every table of ways, so that a book can be checked against all of them."""
_from_outside: set[tuple[str, str]] = set()
"""Procedures and their values that came from outside: a shipped table need not know them."""


class Ways(Generic[T]):
    """One procedure: what carries out each way of doing it."""

    def __init__(self, name: str, ways: Mapping[str, T]) -> None:
        if name not in PROCEDURES:
            raise TypeError(f"{name} is no procedure; see croupier.rulebooks.vocabulary")
        known = set(PROCEDURES[name].values)
        shipped = {value for value in known if (name, value) not in _from_outside}
        if missing := shipped - set(ways):
            raise TypeError(f"nothing carries out {name} as {', '.join(sorted(missing))}")
        if unknown := set(ways) - known:
            raise TypeError(f"{name} is in no book {', '.join(sorted(unknown))}")
        self.name = name
        self._ways = dict(ways)
        _read.add(name)
        _tables.append(self)

    def add(self, value: str, way: T, meaning: str) -> None:
        """One more way of doing it, for a book from outside; `meaning` is its sentence.

        A procedure that two tables carry out needs the way in both, with the same sentence.
        """
        if value in self._ways:
            raise ValueError(f"{self.name} is carried out as {value} already")
        told = PROCEDURES[self.name].values.setdefault(value, meaning)
        if told != meaning:
            raise ValueError(f"{self.name} as {value} means something else already: {told}")
        self._ways[value] = way
        _from_outside.add((self.name, value))

    def forget(self, value: str) -> None:
        """Take out a way that was added, and its word."""
        if (self.name, value) not in _from_outside:
            raise ValueError(f"{self.name} as {value} was not added from outside")
        self._ways.pop(value, None)
        if not any(value in table._ways for table in _tables if table.name == self.name):
            del PROCEDURES[self.name].values[value]
            _from_outside.remove((self.name, value))

    def of(self, book: Rulebook) -> T:
        """What carries it out under this book."""
        value = book.procedure(self.name)
        try:
            return self._ways[value]
        except KeyError:
            raise NotCarriedOut(book.id, self.name, value) from None


class Figure(Generic[T]):
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


def number_of(name: str) -> Figure[int]:
    """A count, a multiple, or money in cents."""
    return Figure(name, Rulebook.number)


def share_of(name: str) -> Figure[Fraction]:
    """A percentage as an exact fraction."""
    return Figure(name, Rulebook.share)


def category_of(name: str) -> Figure[Category]:
    """A hand category."""
    return Figure(name, Rulebook.category)


def names_of(name: str) -> Figure[tuple[str, ...]]:
    """Several names."""
    return Figure(name, Rulebook.names)


class Cites:
    """The topics that a rule cites, the operative one first.

    A topic that a book lacks is left out, so that one line serves several books.
    """

    def __init__(self, *topics: Topic) -> None:
        self.topics = topics

    def of(self, book: Rulebook) -> tuple[str, ...]:
        """The paragraphs of those topics that this book has, each once, in this order."""
        found = (p for topic in self.topics if book.has(topic) for p in book.cite(topic))
        return tuple(dict.fromkeys(found))


class _Asked(Protocol[T_co]):
    def of(self, book: Rulebook) -> T_co: ...


class ByBook(dict[Any, Any]):
    """What one book answers: each thing is asked once, then it is a look into a dictionary."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self._cited: dict[tuple[str, ...], tuple[str, ...]] = {}

    def cite(self, topics: tuple[str, ...]) -> tuple[str, ...]:
        """The paragraphs that state these topics, each once, in this order."""
        cited = self._cited.get(topics)
        if cited is None:
            found = (paragraph for topic in topics for paragraph in self.book.cite(topic))
            cited = self._cited[topics] = tuple(dict.fromkeys(found))
        return cited

    def __missing__(self, asked: _Asked[T]) -> T:
        answer = self[asked] = asked.of(self.book)
        return answer

    if TYPE_CHECKING:

        def __getitem__(self, asked: _Asked[T]) -> T: ...


_kept: dict[int, ByBook] = {}


def by_book(book: Rulebook) -> ByBook:
    """The answers of a book, shared by all its tables."""
    kept = _kept.get(id(book))
    if kept is None or kept.book is not book:
        kept = _kept[id(book)] = ByBook(book)
    return kept


def check_carried_out(book: Rulebook) -> None:
    """Each way that a book has chosen is in every table of its procedure; else it is an error."""
    for table in _tables:
        if table.name in book.procedures:
            table.of(book)


def unread(*groups: Group) -> list[str]:
    """What books of these groups state and nothing reads, though it is more than information."""
    words: dict[str, ProcedureWords | ParameterWords] = {**PROCEDURES, **PARAMETERS}
    return [
        name
        for name, word in words.items()
        if word.group in groups and not word.information and name not in _read
    ]
