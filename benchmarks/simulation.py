"""Simulated rounds a second: dealt, decided, settled and counted, with every bet on.

One box with Ante, Bonus and jackpot stake. `optimal` looks its decisions up in the solver's tables;
`made-hands` ranks the cards. By one thread, and by two, as on two cores. Compilation and solving
are over before the clock starts; each figure is the best of some repeats, since others may be using
the machine.
"""

from __future__ import annotations

import importlib.util
import time

import msgspec

from benchmarks import Row, Target
from croupier.rulebooks import load

ROUNDS = 4_000_000
REPEATS = 3
BOOKS = ("multi-link-progressive-v3", "progressive-texas-holdem-v6")


def measure() -> list[Row]:
    """Measure the optimal strategy under two books, and a rule of thumb, by one and two threads."""
    lacking = [name for name in ("numpy", "numba") if importlib.util.find_spec(name) is None]
    if lacking:
        note = f"{' and '.join(lacking)} not installed: the extra `lab` has it"
        target = Target(at="least", limit=5)
        return [Row(benchmark="simulation", what="simulated rounds", target=target, note=note)]
    rows = []
    for book in BOOKS:
        for strategy in ("optimal", "made-hands"):
            for threads in (1, 2):
                promised = strategy == "optimal" and threads == 2
                rows.append(
                    Row(
                        benchmark="simulation",
                        what=f"{book}, {strategy}, {threads} thread{'s' if threads > 1 else ''}",
                        value=rounds_a_second(book, strategy, threads) / 1e6,
                        unit="M rounds/s",
                        target=Target(at="least", limit=5) if promised else None,
                    )
                )
    return rows


def rounds_a_second(book: str, strategy: str, threads: int, rounds: int = ROUNDS) -> float:
    """The best of some repeats."""
    from croupier.lab.floor import Link
    from croupier.lab.simulate import Plan, simulate
    from croupier.lab.simulate_optimal import strategy_named
    from croupier.lab.simulate_pay import Stakes

    loaded = load(book)
    plan = Plan.make(
        loaded,
        strategy_named(strategy, loaded),
        Stakes(ante=1000, bonus=500, progressive=500),
        rounds=rounds,
        link=Link(reset=5_000_000, contribution=100),
    )
    simulate(msgspec.structs.replace(plan, rounds=1000), threads=1)
    best = 0.0
    for _ in range(REPEATS):
        begin = time.perf_counter()
        result = simulate(plan, threads=threads)
        best = max(best, rounds / (time.perf_counter() - begin))
        assert result.box_rounds == rounds
    return best
