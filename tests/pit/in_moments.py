"""The moments of a book with what can be reported there; listing it is what takes the time.

A moment comes about in up to four ways, as the table is dealt and acted at. The normal set takes
every moment of every book in one of them, another from moment to moment and from book to book; the
slow set takes all.
"""

from __future__ import annotations

from functools import cache

import pytest

from croupier.pit.moments import WAYS as ALL_WAYS
from croupier.pit.moments import How, Moment, Staged, moments_of, play_moment
from croupier.pit.registry import GAMES
from croupier.rulebooks import BOOKS
from croupier.table.reports import Reportable

WAYS = ["one", pytest.param("every", marks=pytest.mark.slow)]
"""In which ways a moment is looked at."""


@cache
def in_moment(book: str, name: str, how: How) -> tuple[Staged, list[Reportable]]:
    """The table in one moment. Whoever gives it an order gives it to a copy."""
    family = moments_of(GAMES.games[book].name)
    [moment] = [each for each in family.moment if each.name == name]
    stands = play_moment(moment, how, family.setup, GAMES.load(book), GAMES)
    before = stands.table.snapshot()
    listed = stands.table.reports(when=stands.now)
    assert stands.table.snapshot() == before, "listing changes nothing"
    return stands, listed


def in_moments(book: str, ways: str) -> list[tuple[Staged, list[Reportable]]]:
    """The tables in every moment, in `one` of its ways or in `every` one."""
    found, first = [], list(BOOKS).index(book)
    for number, moment in enumerate(moments_of(GAMES.games[book].name).moment, first):
        fitting = ways_of(book, moment)
        chosen = fitting[number % len(fitting) :][:1] if ways == "one" and fitting else fitting
        found += [in_moment(book, moment.name, how) for how in chosen]
    return found


def ways_of(book: str, moment: Moment) -> list[How]:
    """The ways in which a moment comes about under a book; none if it cannot."""
    return [how for how in ALL_WAYS if moment.fits(how, GAMES.load(book))]
