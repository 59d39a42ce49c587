"""The one text form of a record's name: `DealFlop` is `deal flop` in cases, logs and sockets."""

from __future__ import annotations

import re

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def words(name: str) -> str:
    """Write a class name as the words that a dealer would read.

    >>> words("DealFlop"), words("AllIn"), words("Fold")
    ('deal flop', 'all in', 'fold')
    """
    return _WORD.sub(" ", name).lower()
