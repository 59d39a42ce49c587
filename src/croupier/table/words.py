"""The one text form of a record's name: `DealFlop` is `deal flop` in cases, logs and sockets."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def listed(things: Iterable[object]) -> str:
    """Several things in one sentence.

    >>> listed([1]), listed([1, 2]), listed([1, 2, 3])
    ('1', '1 and 2', '1, 2 and 3')
    """
    *first, last = [str(thing) for thing in things]
    return f"{', '.join(first)} and {last}" if first else last


def counted(count: int, one: str, more: str) -> str:
    """So many of a thing, with what goes with it.

    >>> counted(1, "card lies", "cards lie"), counted(0, "card", "cards")
    ('1 card lies', '0 cards')
    """
    return f"{count} {one if count == 1 else more}"


def words(name: str) -> str:
    """Write a class name as the words that a dealer would read.

    >>> words("DealFlop"), words("AllIn"), words("Fold")
    ('deal flop', 'all in', 'fold')
    """
    return _WORD.sub(" ", name).lower()


def line_words(line: str) -> str:
    """A jackpot line as one says it: `4.2.minor.full-house` is a Full House."""
    _, by_number, name = line.rpartition(".")
    if not by_number:
        return line  # it is a name already
    where = " on the board" if ".community." in line else ""
    for street in ("flop", "turn", "river"):
        if name.endswith(f"-{street}"):
            name, where = name.removesuffix(f"-{street}"), f" on the {street}"
    words = (word if word in ("of", "a") else word.capitalize() for word in name.split("-"))
    return " ".join(words) + where
