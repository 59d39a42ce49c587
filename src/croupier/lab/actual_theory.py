"""What the bets that were really placed come to in theory: exact means, variances, skewness.

They stand on the same count of all deals as the PAR sheet: by what became of the main bets, which
Bonus line, which jackpot lines, under the best play. So for any Ante, Bonus and jackpot stake the
mean of each bet and how the bets of a box hang together are exact. Shares of a meter are the
jackpot's own money and not the House's: only fixed lines count.

The boxes of one round share board and dealer. How much that ties them together is the one thing
that is estimated: from two million simulated rounds with two boxes each, by rounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.lab.base import solve
from croupier.lab.floor import Floor
from croupier.lab.game import base_game
from croupier.lab.joint import Decisions, joint_counts
from croupier.lab.kept import kept
from croupier.lab.par_answer import rulebook_digest
from croupier.lab.simulate import Plan, simulate
from croupier.lab.simulate_optimal import optimal
from croupier.lab.simulate_pay import FOLDED, MAINS, Schedule, Stakes, read_main, schedule
from croupier.lab.simulate_result import Mean
from croupier.lab.solver import DEALS, sweep
from croupier.rulebooks import Rulebook

Ints = npt.NDArray[np.int64]
BETS = ("main", "bonus", "progressive")
"""The bets of a box; `main` is Ante, Flop, Turn and River together."""
SIMULATED = 2_000_000
"""Rounds from which it is estimated how boxes of one round hang together."""


class Moments(Struct, frozen=True, kw_only=True):
    """One box with certain stakes, from the House's side, in cents."""

    mean: tuple[Fraction, Fraction, Fraction]
    """By bet."""
    variance: tuple[Fraction, Fraction, Fraction]
    whole: Fraction
    """The variance of all three together, with how they hang together."""
    third: Fraction
    """The third central moment of all three together."""


class Figures(Struct, frozen=True):
    """The same as numbers to be added up."""

    mean: tuple[float, float, float]
    spread: tuple[float, float, float]
    """By bet: the standard deviation."""
    whole: float
    third: float


class Decided(Struct, frozen=True, kw_only=True):
    """How often the best play folds, and bets Turn and River, of all boxes."""

    fold: Fraction
    turn: Fraction
    river: Fraction


class BookTheory:
    """The theory of one banked book.

    `counts` are deals by main, bonus and jackpot part (`simulate_pay`); `ties` by bet how much two
    boxes of a round hang together, as a correlation.
    """

    def __init__(
        self, book: Rulebook, counts: Ints, ties: tuple[float, float, float], *, estimated: int = 0
    ) -> None:
        self.book = book
        self.counts = counts
        self.ties = ties
        self.estimated = estimated
        """From how many simulated rounds `ties` come; 0 where they are given."""
        self._known: dict[tuple[int, int, int, str], Moments] = {}
        self._figures: dict[tuple[int, int, int, str], Figures] = {}

    def figures(self, ante: int, bonus: int, stake: int, policies: dict[str, str]) -> Figures:
        """A box with these stakes, as numbers to be added up."""
        key = ante, bonus, stake, policies.get("v6-lines", "")
        found = self._figures.get(key)
        if found is None:
            exact = self.box(ante, bonus, stake, policies)
            mean, spread = exact.mean, [deviation(each) for each in exact.variance]
            found = self._figures[key] = Figures(
                (float(mean[0]), float(mean[1]), float(mean[2])),
                (spread[0], spread[1], spread[2]),
                float(exact.whole),
                float(exact.third),
            )
        return found

    def box(self, ante: int, bonus: int, stake: int, policies: dict[str, str]) -> Moments:
        """A box with these stakes."""
        key = ante, bonus, stake, policies.get("v6-lines", "")
        found = self._known.get(key)
        if found is None:
            stakes = Stakes(ante=ante, bonus=bonus, progressive=stake)
            named = {key: value for key, value in policies.items() if key in self.book.policies}
            found = self._known[key] = _moments(schedule(self.book, stakes, named), self._of(stake))
        return found

    def _of(self, stake: int) -> Ints:
        """Without a jackpot stake no line is held."""
        return self.counts if stake else self.counts.sum(axis=2, keepdims=True)

    @cached_property
    def decided(self) -> Decided:
        """What the best play does."""
        mains = self.counts.sum(axis=(1, 2))
        bets = [(False, False) if part == FOLDED else read_main(part)[:2] for part in range(MAINS)]
        turn = sum(int(n) for n, made in zip(mains, bets, strict=True) if made[0])
        river = sum(int(n) for n, made in zip(mains, bets, strict=True) if made[1])
        whole = int(mains.sum())
        return Decided(
            fold=Fraction(int(mains[FOLDED]), whole),
            turn=Fraction(turn, whole),
            river=Fraction(river, whole),
        )


def _moments(paid: Schedule, counts: Ints) -> Moments:
    whole = int(counts.sum())
    stakes = paid.stakes
    won = (
        [-cents for cents in paid.main_money],
        [-cents for cents in paid.bonus_money] if stakes.bonus else [0] * counts.shape[1],
        [stakes.progressive - cents for cents in paid.set_money],
    )
    sides = [[int(n) for n in counts.sum(axis=axes)] for axes in ((1, 2), (0, 2), (0, 1))]
    means, variances = [], []
    for cents, deals in zip(won, sides, strict=True):
        mean = Fraction(sum(n * c for n, c in zip(deals, cents, strict=False)), whole)
        square = Fraction(sum(n * c * c for n, c in zip(deals, cents, strict=False)), whole)
        means.append(mean)
        variances.append(square - mean**2)
    first = second = third = 0
    for main, line, held in zip(*np.nonzero(counts), strict=True):
        times = int(counts[main, line, held])
        result = won[0][main] + won[1][line] + won[2][held]
        first += times * result
        second += times * result**2
        third += times * result**3
    mean, square, cube = (Fraction(power, whole) for power in (first, second, third))
    return Moments(
        mean=(means[0], means[1], means[2]),
        variance=(variances[0], variances[1], variances[2]),
        whole=square - mean**2,
        third=cube - 3 * mean * square + 2 * mean**3,
    )


# -- counted for a book ------------------------------------------------------------------------


def theory_of(book: Rulebook, progress: Callable[[str], None] | None = None) -> BookTheory:
    """The theory of a book; counted once and kept on disk."""
    tell = progress or (lambda _: None)
    paid = schedule(book, Stakes(ante=1000, bonus=500, progressive=500))

    def count() -> Ints:
        tell(f"{book.short}: all deals, once; that takes a minute or two, and is kept")
        game = base_game(book)
        swept = sweep(game.turn_odds, game.river_odds, progress=progress)
        solution = solve(game, progress=progress)
        best = Decisions("optimal", solution.fold_hands, swept.bets_turn, swept.bets_river)
        return joint_counts(book, paid, swept, best, progress=progress)

    name = f"actual-{book.id}-{rulebook_digest(book)[:12]}"
    counts = kept(name, paid.outcomes, count)
    assert int(counts.sum()) == DEALS

    def tie() -> Ints:
        tell(f"{book.short}: how boxes of a round hang together")
        found = ties(book, SIMULATED)
        return np.array([round(each * 10**9) for each in found], np.int64)

    tied = kept(f"{name}-ties-{SIMULATED}", (3,), tie)
    main, bonus, stake = (int(each) / 10**9 for each in tied)
    return BookTheory(book, counts, (main, bonus, stake), estimated=SIMULATED)


def ties(book: Rulebook, rounds: int, seed: int = 22) -> tuple[float, float, float]:
    """By bet: the correlation of two boxes of one round, from simulated rounds with two boxes.

    The variance of what both come to together is twice that of one, and twice their covariance.
    """
    plan = Plan.make(
        book,
        optimal(book),
        Stakes(ante=1000, bonus=500, progressive=500),
        rounds=rounds,
        seed=seed,
        floor=Floor(boxes=2),
    )
    found = simulate(plan)

    def tied(mean: Mean) -> float:
        one = mean.deviation**2
        both = mean.error**2 * 4 * rounds
        return both / (2 * one) - 1 if one else 0.0

    return tied(found.main), tied(found.bonus), tied(found.progressive)


def deviation(variance: Fraction | float) -> float:
    """The root."""
    return math.sqrt(variance) if variance > 0 else 0.0
