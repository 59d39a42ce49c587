"""How many cases a second are read, played and judged in one process.

Each round runs every shipped case from its TOML text on, with the replay by its shadow and the
evidence for coverage, as `croupier case run` does. A case that holds in several books is played,
and counted, in each of them. The best round counts.
"""

from __future__ import annotations

import time

from benchmarks import Row, Target
from croupier.pit import GAMES, read_case, run_case, shipped_cases
from croupier.pit.batch import many_cases

ROUNDS = 5
AT_LEAST = 200  # cases a round, so that a round is long enough to measure


def measure() -> list[Row]:
    """Run all shipped cases, several times over where they are few."""
    cases = list(shipped_cases())
    cases *= -(-AT_LEAST // len(cases))
    best = 0.0
    with many_cases():
        for _ in range(ROUNDS):
            start, played = time.perf_counter(), 0
            for source, text in cases:
                result = run_case(read_case(text, source, GAMES), GAMES)
                if not result.passed:
                    raise AssertionError(f"{source} fails: only passing cases are measured")
                played += len(list(result.in_each_book()))
            best = max(best, played / (time.perf_counter() - start))
    return [
        Row(
            benchmark="cases",
            what="run case files in one process",
            value=best,
            unit="cases/s",
            target=Target(at="least", limit=500),
        )
    ]
