"""An exact distribution of results: every result with how many deals come to it.

    >>> coin = Distribution.of({(Fraction(1), Fraction(1)): 1, (Fraction(-1), Fraction(1)): 1})
    >>> coin.mean, coin.variance, coin.hit_frequency
    (Fraction(0, 1), Fraction(1, 1), Fraction(1, 2))

A result is told together with what was staked to get it, because a bet such as the Turn is not made
in every round: what is returned of all that is staked is a ratio of two means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from msgspec import Struct

from croupier.lab.tabular import Tabular

LEVELS = {"90%": 1.6448536269514722, "95%": 1.959963984540054, "99%": 2.5758293035489004}
"""Two-sided levels of confidence, and how many standard deviations each spans."""
ROUNDS = tuple(10**power for power in range(3, 9))
SKEWED = 25
"""Cochran's rule: a sum of N is near enough to normal from N = 25 times the squared skewness on."""


class Band(Struct, frozen=True, kw_only=True):
    """Within which bounds the return of so many rounds lies, with so much confidence."""

    rounds: int
    level: str
    low: float
    high: float
    normal: bool
    """Whether so many rounds are enough for the normal distribution that the band stands on."""


class Distribution(Tabular, Struct, frozen=True, kw_only=True):
    """Results of a bet or of several, in any one unit, with how many deals come to each."""

    entries: tuple[tuple[Fraction, Fraction, int], ...]
    """Result, what was staked for it, and in how many deals; from low to high."""
    universe: int
    """How many deals there are, all equally likely."""

    @classmethod
    def of(cls, counts: Mapping[tuple[Fraction, Fraction], int]) -> Distribution:
        """By result and stake: the deals. What never comes is left out."""
        entries = sorted((result, staked, n) for (result, staked), n in counts.items() if n)
        return cls(entries=tuple(entries), universe=sum(n for _, _, n in entries))

    @classmethod
    def of_results(
        cls, results: Iterable[tuple[int | Fraction, int | Fraction, int]]
    ) -> Distribution:
        """From any number of results, each with its stake and its deals; equal ones are joined."""
        counts: dict[tuple[Fraction, Fraction], int] = {}
        for result, staked, deals in results:
            key = Fraction(result), Fraction(staked)
            counts[key] = counts.get(key, 0) + deals
        return cls.of(counts)

    def times(self, factor: int | Fraction) -> Distribution:
        """The same in another unit."""
        return Distribution.of({(r * factor, s * factor): n for r, s, n in self.entries})

    def rows(self) -> list[dict[str, Any]]:
        """Each result, with its deals."""
        return [
            {"result": result, "deals": count, "probability": Fraction(count, self.universe)}
            for result, count in self.results.items()
        ]

    def heading(self) -> str:
        """Mean, spread and return."""
        spread = float(self.standard_deviation)
        return (
            f"{len(self.results)} results, mean {float(self.mean):.6g}, standard deviation "
            f"{spread:.6g}, return {float(self.returned):.4%}"
        )

    # -- results ----------------------------------------------------------------------------

    @property
    def results(self) -> dict[Fraction, int]:
        """By result, from low to high: in how many deals, whatever was staked."""
        found: dict[Fraction, int] = {}
        for result, _, n in self.entries:
            found[result] = found.get(result, 0) + n
        return found

    @property
    def mean(self) -> Fraction:
        """What the player wins on average."""
        return self._mean(lambda result, _: result)

    @property
    def staked(self) -> Fraction:
        """What is staked on average."""
        return self._mean(lambda _, staked: staked)

    @property
    def variance(self) -> Fraction:
        """Of the result."""
        mean = self.mean
        return self._mean(lambda result, _: (result - mean) ** 2)

    @property
    def standard_deviation(self) -> Decimal:
        """Of the result, to 30 digits."""
        return root(self.variance)

    @property
    def skewness(self) -> float:
        """How lopsided the results are: above 0, large wins are rare."""
        mean, variance = self.mean, self.variance
        if not variance:
            return 0.0
        third = self._mean(lambda result, _: (result - mean) ** 3)
        return float(third) / math.sqrt(variance) ** 3

    @property
    def hit_frequency(self) -> Fraction:
        """How often more comes back than was staked."""
        return self._share(lambda result, _: result > 0)

    @property
    def push_frequency(self) -> Fraction:
        """How often exactly what was staked comes back; rounds without the bet are none."""
        return self._share(lambda result, staked: result == 0 and staked > 0)

    @property
    def placed(self) -> Fraction:
        """How often anything is staked at all."""
        return self._share(lambda _, staked: staked > 0)

    # -- the return -------------------------------------------------------------------------

    @property
    def returned(self) -> Fraction:
        """What comes back of all that is staked, stakes included."""
        return 1 + self.mean / self.staked

    @property
    def hold(self) -> Fraction:
        """What the House keeps of all that is staked."""
        return -self.mean / self.staked

    @property
    def return_variance(self) -> Fraction:
        """Of the return of one round: what many rounds return is spread by its root over √N.

        Where the stake differs from round to round, the return is a ratio; to first order its
        spread is that of the result less what this stake would return on average.
        """
        hold, staked = self.hold, self.staked
        return self._mean(lambda result, stake: (result + hold * stake) ** 2) / staked**2

    @property
    def return_deviation(self) -> Decimal:
        """The root of that, to 30 digits."""
        return root(self.return_variance)

    @property
    def volatility_index(self) -> float:
        """Half the width of the 90% band of one round's return, as testing laboratories give it."""
        return LEVELS["90%"] * float(self.return_deviation)

    def enough_rounds(self) -> int:
        """From how many rounds on the normal distribution is near enough."""
        return math.ceil(SKEWED * self.skewness**2)

    def bands(self, rounds: Iterable[int] = ROUNDS) -> tuple[Band, ...]:
        """Where the return of so many rounds lies, for each level of confidence."""
        middle, spread = float(self.returned), float(self.return_deviation)
        enough = self.enough_rounds()
        return tuple(
            Band(
                rounds=n,
                level=level,
                low=max(0.0, middle - width * spread / math.sqrt(n)),  # no return is less
                high=middle + width * spread / math.sqrt(n),
                normal=n >= enough,
            )
            for n in rounds
            for level, width in LEVELS.items()
        )

    def _mean(self, of: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
        total = sum((of(result, staked) * n for result, staked, n in self.entries), Fraction(0))
        return total / self.universe

    def _share(self, which: Callable[[Fraction, Fraction], bool]) -> Fraction:
        return Fraction(sum(n for r, s, n in self.entries if which(r, s)), self.universe)


def root(value: Fraction) -> Decimal:
    """The square root, to 30 digits."""
    with localcontext() as context:
        context.prec = 30
        return (Decimal(value.numerator) / Decimal(value.denominator)).sqrt()
