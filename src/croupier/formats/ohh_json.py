"""A JSON object of an Open Hand History file, which knows its place and says what it lacks.

It is lenient where others differ without harm (a number written as a text, null for nothing) and
strict where a guess would cost money: an amount is a whole number of cents or an error.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from croupier.cards import Card, CardError
from croupier.formats.errors import FormatError

MOST = 10**13
"""A limit on everything: no amount is larger than this."""


class Node:
    """A JSON object with its place, which says what it lacks."""

    def __init__(self, value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise FormatError(f"an object is expected, not {_brief(value)}", place=place or "root")
        self.value = value
        self.place = place

    def at(self, name: str) -> str:
        """The place of a field."""
        return f"{self.place}.{name}" if self.place else name

    def fail(self, name: str, says: str) -> NoReturn:
        raise FormatError(says, place=self.at(name))

    def child(self, name: str) -> Node:
        if name not in self.value:
            self.fail(name, "the field is missing")
        return Node(self.value[name], self.at(name))

    def children(self, name: str, most: int) -> list[Node]:
        """The objects of a list; nothing where it is missing or null."""
        value = self.value.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.fail(name, f"a list is expected, not {_brief(value)}")
        if len(value) > most:
            self.fail(name, f"{len(value)} entries; there are at most {most}")
        return [Node(item, f"{self.at(name)}[{i}]") for i, item in enumerate(value)]

    def text(self, name: str) -> str:
        value = self.value.get(name)
        if value is None:
            return ""
        if isinstance(value, bool | dict | list):
            self.fail(name, f"a text is expected, not {_brief(value)}")
        return str(value)

    def key(self, name: str) -> str:
        """An identifier: a number or a text."""
        value = self.value.get(name)
        if isinstance(value, bool) or not isinstance(value, int | str):
            self.fail(name, f"an identifier is expected, not {_brief(value)}")
        return str(value)

    def whole(self, name: str, least: int, most: int) -> int:
        """A whole number; some write it as a text."""
        value = self.value.get(name)
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(name, f"a whole number is expected, not {_brief(value)}")
        if not least <= value <= most:
            self.fail(name, f"{value} is not from {least} to {most}")
        return value

    def cents(self, name: str) -> int:
        """An amount in whole cents, 0 where it is missing or null. Smaller parts are an error."""
        value = self.value.get(name)
        if value is None:
            return 0
        if isinstance(value, str):
            try:
                value = Decimal(value.strip())
            except InvalidOperation:
                self.fail(name, f"{_brief(value)} is no amount")
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self.fail(name, f"an amount is expected, not {_brief(value)}")
        amount = Decimal(value)
        if not amount.is_finite() or abs(amount) > MOST:
            self.fail(name, f"{_brief(value)} is no amount")
        cents = amount * 100
        if cents != cents.to_integral_value():
            self.fail(name, f"{value} is no whole number of cents")
        return int(cents)

    def cards(self, name: str) -> tuple[Card, ...]:
        """Cards from a list or a text; nothing where there are none."""
        value = self.value.get(name)
        if not value:
            return ()
        if isinstance(value, str):  # `As Kd`, `As,Kd` or `AsKd`
            apart = value.replace(",", " ").split()
            joined = [value[i : i + 2] for i in range(0, len(value), 2)]
            value = apart if len(apart) > 1 else joined
        if not isinstance(value, list) or len(value) > 52:
            self.fail(name, f"a list of cards is expected, not {_brief(value)}")
        return tuple(self._card(name, item) for item in value)

    def _card(self, name: str, item: Any) -> Card:
        if item is None or (isinstance(item, str) and not item.strip("xX*?- ")):
            return Card.UNKNOWN
        try:
            return Card(item)
        except (CardError, ValueError, TypeError, KeyError) as error:
            raise FormatError(f"{_brief(item)} is no card", place=self.at(name)) from error


def _brief(value: Any) -> str:
    """A value in a message: short, whatever somebody wrote there."""
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MOST * 100:
        return "a very long number"
    text = repr(str(value) if isinstance(value, Decimal) else value)
    return text if len(text) <= 40 else f"{text[:37]}..."
