"""Every moment of a book with what can be reported there; listing it is what takes the time."""

from __future__ import annotations

from functools import cache

import pytest

from croupier.pit.moments import Staged, staged
from croupier.pit.registry import GAMES
from croupier.rulebooks import BOOKS as ALL
from croupier.table.reports import Reportable

LIKE_ANOTHER = ("multi-link-progressive-v2", "progressive-texas-holdem-v6")
"""They rule nearly everywhere as Multi-Link v3 does."""
BOOKS = [pytest.param(b, marks=pytest.mark.slow) if b in LIKE_ANOTHER else b for b in ALL]
"""All five; two of them only in the slow set."""


@cache
def in_moments(book: str) -> list[tuple[Staged, list[Reportable]]]:
    """The tables in every moment. Whoever gives them an order gives it to a copy."""
    found = []
    for stands in staged(GAMES.load(book), GAMES):
        before = stands.table.snapshot()
        found.append((stands, stands.table.reports(when=stands.now)))
        assert stands.table.snapshot() == before, "listing changes nothing"
    return found
