"""Remedies: what a ruling can order, as records that both families share.

A remedy has a name, says what it asks for, whether it can be carried out as the table stands,
which details it cannot be carried out with, what it does, and whether it can be undone. A table
offers what is possible; an answer is checked before it is taken, and carried out after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from croupier.cards import Card, CardError, read_cards
from croupier.rulebooks import RulebookError
from croupier.table.decision import Ask, Choice
from croupier.table.errors import BadCommand
from croupier.table.question import Question
from croupier.table.table import Table

T = TypeVar("T", bound=Table[Any])

Details = Mapping[str, Any]
"""The details of a ruling, each read by its kind."""


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """A remedy that is ordered: with which details, about what, and under which paragraphs."""

    details: Details
    what: str
    cites: tuple[str, ...]


def _always(table: Any) -> bool:
    return True


def _nothing(table: Any) -> dict[str, Ask]:
    return {}


def _unchecked(table: Any, details: Details) -> None:
    """Nothing that it asks for could be wrong."""


@dataclass(frozen=True, kw_only=True)
class Remedy(Generic[T]):
    """One thing that a ruling can order."""

    name: str
    do: Callable[[T, Ruling], None]
    says: str = ""
    asks: Callable[[T], dict[str, Ask]] = _nothing
    asks_always: bool = True
    """Whether what it asks for is asked at every table."""
    possible: Callable[[T], bool] = _always
    check: Callable[[T, Details], None] = _unchecked
    """Refuses details with which it cannot be carried out, before the answer is taken."""
    undone: bool = True
    """Whether the table can go back to where it stood before it."""


class Remedies(Generic[T]):
    """What the rulings at the tables of one family can order, in the order of offering."""

    def __init__(self, *remedies: Remedy[T]) -> None:
        self._by_name = {remedy.name: remedy for remedy in remedies}
        if len(self._by_name) != len(remedies):
            raise TypeError("two remedies have the same name")

    def __getitem__(self, name: str) -> Remedy[T]:
        return self._by_name[name]

    def question(self, name: str, *, cases: tuple[str, ...] = ()) -> Question:
        """The question by which they are offered, with everything that may ever be answered."""
        known = self._by_name.values()
        plain = [r.name for r in known if r.asks is _nothing or not r.asks_always]
        detailed = [r.name for r in known if r.asks is not _nothing]
        return Question(name=name, options=tuple(plain), detailed=tuple(detailed), cases=cases)

    def offered(self, table: T, *, first: str = "") -> list[Choice]:
        """What can be carried out as the table stands; `first` names what is offered first."""
        found = [
            Choice(name=remedy.name, says=remedy.says, asks=remedy.asks(table))
            for remedy in self._by_name.values()
            if remedy.possible(table)
        ]
        return sorted(found, key=lambda choice: choice.name != first)

    def check(self, table: T, name: str, raw: Mapping[str, Any]) -> None:
        """Refuse an answer that cannot be carried out. What was offered may be possible no more:
        while a ruling is awaited players may go, and a call with which nothing began is withdrawn.
        """
        remedy = self._by_name[name]
        if not remedy.possible(table):
            raise BadCommand(f"{name!r} cannot be carried out as the table stands now")
        remedy.check(table, self._read(table, name, raw))

    def carry_out(
        self, table: T, name: str, raw: Mapping[str, Any], *, what: str, cites: tuple[str, ...]
    ) -> None:
        """Do what was ruled."""
        details = self._read(table, name, raw)
        self._by_name[name].do(table, Ruling(details=details, what=what, cites=cites))

    def _read(self, table: T, name: str, raw: Mapping[str, Any]) -> dict[str, Any]:
        asks = self._by_name[name].asks(table)
        return {key: _READ[asks[key]](value) for key, value in raw.items()}


def go_on(table: Any, ruling: Ruling) -> None:
    """To continue, or only to note something, changes nothing."""


def asks(**kinds: Ask) -> Callable[[Any], dict[str, Ask]]:
    """The details of a remedy that asks for the same at every moment."""
    return lambda table: dict(kinds)


def known_policy(table: Table[Any], details: Details) -> None:
    """Refuse a policy, or a value of it, that the book does not have."""
    try:
        table.book.policies_with({details["policy"]: details["value"]})
    except RulebookError as error:
        raise BadCommand(str(error)) from error


# -- reading details ------------------------------------------------------------------------------


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadCommand(f"{value!r} is no whole number")
    return value


def _amount(value: Any) -> int:
    """Details carry money as every command does, in whole cents."""
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise BadCommand("an amount is a whole number of cents above nothing")
    return value


def _card(value: Any) -> Card:
    try:
        [card] = read_cards(str(value))
    except (CardError, ValueError) as error:
        raise BadCommand(f"{value!r} is not one card") from error
    return card


def _cards(value: Any) -> tuple[Card, ...]:
    try:
        return tuple(read_cards(str(value)))
    except CardError as error:
        raise BadCommand(str(error)) from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadCommand(f"{value!r} is no text")
    return value


def _seats(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise BadCommand("seats are a list")
    return tuple(_whole(seat) for seat in value)


_READ: dict[Ask, Callable[[Any], Any]] = {
    "seat": _whole,
    "box": _whole,
    "seats": _seats,
    "money": _amount,
    "card": _card,
    "cards": _cards,
    "number": _whole,
    "text": _text,
}
"""How each kind of detail is read."""
