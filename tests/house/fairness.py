"""Statistical tests of whole permutations, each with a known distribution under a fair shuffle.

Each takes a sample of permutations of 52 cards (numbers from 0 to 51) and returns a p-value. Every
statistic takes at most one observation from each permutation where observations must be
independent, at a place that moves on from one permutation to the next, so that all are looked at.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

N = 52
Sample = Sequence[Sequence[int]]


def positions(sample: Sample) -> float:
    """Every card is in every place equally often (25 CFR 547.14: chi-square)."""
    seen = [[0] * N for _ in range(N)]
    for order in sample:
        for counts, card in zip(seen, order, strict=True):
            counts[card] += 1
    expected = len(sample) / N
    total = sum((count - expected) ** 2 / expected for counts in seen for count in counts)
    # Rows and columns of a permutation matrix both sum to one: (n - 1)^2 degrees of freedom.
    return chi_square(total * (N - 1) / N, (N - 1) ** 2)


def pairs(sample: Sample) -> float:
    """Of two neighbouring cards every ordered pair is equally likely (serial)."""
    seen = [0] * (N * N)
    for i, order in enumerate(sample):
        at = i % (N - 1)
        seen[order[at] * N + order[at + 1]] += 1
    kinds = N * (N - 1)
    expected = len(sample) / kinds
    total = sum(
        (seen[a * N + b] - expected) ** 2 / expected for a in range(N) for b in range(N) if a != b
    )
    return chi_square(total, kinds - 1)


def runs(sample: Sample) -> float:
    """The number of rising runs in a permutation has Euler's distribution."""
    seen = Counter(sum(order[i] > order[i + 1] for i in range(N - 1)) for order in sample)
    return goodness(seen, _eulerian(N), len(sample))


def gaps(sample: Sample) -> float:
    """How long one waits for the next ace at a place is geometric, with one in 13."""
    seen: Counter[int] = Counter()
    waited = total = 0
    for i, order in enumerate(sample):
        if order[i % N] % 13 == 12:
            seen[waited] += 1
            total += 1
            waited = 0
        else:
            waited += 1
    longest = max(seen, default=0) + 200
    chances = [(1 / 13) * (12 / 13) ** length for length in range(longest)]
    return goodness(seen, chances, total)


def orders_of_four(sample: Sample) -> float:
    """Four neighbouring cards lie in each of their 24 orders equally often (permutation)."""
    seen: Counter[int] = Counter()
    number: dict[tuple[int, ...], int] = {}
    for i, order in enumerate(sample):
        at = i % (N - 3)
        four = order[at : at + 4]
        ranked = tuple(sorted(range(4), key=four.__getitem__))
        seen[number.setdefault(ranked, len(number))] += 1
    return goodness(seen, [1 / 24] * 24, len(sample))


def one_after_another(sample: Sample) -> float:
    """A permutation tells nothing of the next (serial correlation)."""
    pulls = [order[i % N] for i, order in enumerate(sample)]
    here, there = pulls[:-1], [sample[i + 1][i % N] for i in range(len(pulls) - 1)]
    mean, variance = (N - 1) / 2, (N * N - 1) / 12
    total = sum((a - mean) * (b - mean) for a, b in zip(here, there, strict=True))
    z = total / variance / math.sqrt(len(here))
    return 0.5 * math.erfc(z / math.sqrt(2))


TESTS: dict[str, Callable[[Sample], float]] = {
    "positions": positions,
    "pairs": pairs,
    "runs": runs,
    "gaps": gaps,
    "orders of four": orders_of_four,
    "one after another": one_after_another,
}


def is_suspicious(p: float) -> bool:
    """Outside of the middle 99%: too uneven, or too even to be chance."""
    return not 0.005 <= p <= 0.995


def failures(make: Callable[[int], Sample], size: int) -> dict[str, tuple[float, float]]:
    """The tests that fail at 99% and again on a fresh sample ten times as large."""
    sample = make(size)
    suspicious = {name: p for name, test in TESTS.items() if is_suspicious(p := test(sample))}
    if not suspicious:
        return {}
    again = make(10 * size)
    second = {name: TESTS[name](again) for name in suspicious}
    return {name: (suspicious[name], p) for name, p in second.items() if is_suspicious(p)}


# -- distributions ------------------------------------------------------------------------------


def goodness(seen: Counter[int], chances: Sequence[float], total: int) -> float:
    """Chi-square of counts against chances; rare ones are gathered until 5 are expected."""
    cells: list[tuple[float, float]] = []
    count = expected = 0.0
    for kind, chance in enumerate(chances):
        count += seen[kind]
        expected += total * chance
        if expected >= 5:
            cells.append((count, expected))
            count = expected = 0.0
    last, of_last = cells.pop()
    cells.append((last + count, of_last + expected))
    return chi_square(sum((c - e) ** 2 / e for c, e in cells), len(cells) - 1)


def _eulerian(n: int) -> list[float]:
    """The chance of k falls in a random permutation of n."""
    row = [1]
    for size in range(2, n + 1):
        wider = [0, *row, 0]
        row = [(k + 1) * wider[k + 1] + (size - k) * wider[k] for k in range(size)]
    return [count / math.factorial(n) for count in row]


def chi_square(statistic: float, freedom: int) -> float:
    """The chance of a chi-square at least this large: the regularised upper gamma function."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        k = a
        while abs(term) > total * 1e-12:
            k += 1
            term *= x / k
            total += term
        return 1 - scale * total
    b = x + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 100_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return scale * fraction
