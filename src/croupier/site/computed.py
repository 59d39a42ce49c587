"""What takes seconds to compute of a book, computed once: coverage, matrix, outcomes.

Each is exactly what the command line prints (`croupier rules coverage`, `matrix`, `diff --cases`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from croupier.pit import GAMES, coverage, shipped_cases
from croupier.pit.carried import Outcome, outcomes
from croupier.pit.coverage import Coverage
from croupier.pit.matrix import Page, matrix_of, pages_of
from croupier.rulebooks import load

Progress = Callable[[str], None]


class Computed:
    """Keeps what was computed; `progress` hears of every case and moment while it works."""

    def __init__(self, progress: Progress = lambda told: None) -> None:
        self._progress = progress
        self.coverage = cache(self._coverage)
        self.matrix = cache(self._matrix)
        self.outcomes = cache(self._outcomes)

    def _coverage(self) -> Coverage:
        return coverage(shipped_cases(), GAMES, self._progress)

    def _matrix(self, book: str) -> Sequence[Page]:
        return list(pages_of(matrix_of(load(book), GAMES, self._progress)))

    def _outcomes(self, old: str, new: str) -> Sequence[Outcome]:
        return list(outcomes(load(old), load(new), shipped_cases(), GAMES, self._progress))
