"""The lab: hands ranked by the million, the base game solved, and `croupier lab edge`.

Ranking: everybody gets the same random seven cards in the same run on one thread, croupier as one
array, the peers one hand a call as they offer it, phevaluator through the integer interface of its
C extension. They take turns, and the best round by processor time counts, for all run on one thread
and the machine may have other work. Before anything is timed, the peers must order the hands as
croupier does.

Solving: the whole base game, swept anew each time, in this process (warm), and in a fresh one that
has to compile everything first (cold), whose peak memory is told as well. The command is timed as
a whole, from the start of Python to its end, after one call that is not counted.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from benchmarks import Row, Target

SEED = 52
HANDS = 4_000_000
PEER_HANDS = 100_000
COMPARED = 400
RANKING_ROUNDS = 15
ROUNDS = 5
AT_LEAST = {
    ("rows", "phevaluator"): Target(at="least", limit=25),
    ("masks", "phevaluator"): Target(at="least", limit=40),
    ("rows", "eval7"): Target(at="least", limit=100),
    ("masks", "eval7"): Target(at="least", limit=100),
}
COLD = """
import resource, sys, time
begin = time.perf_counter()
from croupier.lab import solve
from croupier.rulebooks import load
solve(load("multi-link-progressive-v3"))
taken = time.perf_counter() - begin
print(taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def measure() -> list[Row]:
    """Measure all of it; without the extra `lab` every row is missing."""
    lacking = [name for name in ("numpy", "numba") if importlib.util.find_spec(name) is None]
    if lacking:
        note = f"{' and '.join(lacking)} not installed: the extra `lab` has it"
        return [Row(benchmark="lab", what="the lab", target=Target(at="least", limit=1), note=note)]
    return [*ranking(), *solving(), *command()]


# ---- ranking ---------------------------------------------------------------------------------


def ranking() -> list[Row]:
    """Rank the same hands as rows, as masks, and by each peer."""
    import numpy as np

    from croupier.lab.kernel import card_masks, rank_masks, rank_rows

    rng = np.random.default_rng(SEED)
    few = np.argsort(rng.random((PEER_HANDS, 52), np.float32), axis=1)[:, :7].astype(np.uint8)
    rows = few[rng.integers(0, PEER_HANDS, HANDS)]
    masks = card_masks()[rows].sum(axis=1, dtype=np.uint64)
    values = rank_rows(few)
    if not (rank_masks(card_masks()[few].sum(axis=1, dtype=np.uint64)) == values).all():
        raise AssertionError("rows and masks do not agree")

    def ours(ranker: Callable[[Any], Any], hands: Any) -> Callable[[], float]:
        return lambda: HANDS / timed(lambda: ranker(hands), time.process_time)

    contestants = {"rows": ours(rank_rows, rows), "masks": ours(rank_masks, masks)}
    for name, prepare in PEERS.items():
        try:
            ranker, hands, better = prepare(few)
        except ImportError:
            continue
        check_agreement(name, values, [ranker(*hand) for hand in hands[:COMPARED]], better)
        contestants[name] = peer(ranker, hands)
    rates = dict.fromkeys(contestants, 0.0)
    for _ in range(RANKING_ROUNDS):
        for name, run in contestants.items():
            rates[name] = max(rates[name], run())

    table = []
    for form, what in (("rows", "as rows of card indices"), ("masks", "as 64-bit masks")):
        what = f"rank 7-card hands {what}, one thread"
        mine = rates[form]
        table.append(Row(benchmark="lab", what=what, value=mine, unit="hands/s"))
        for name in PEERS:
            theirs = rates.get(name)
            table.append(
                Row(
                    benchmark="lab",
                    what=what,
                    who=name,
                    value=theirs,
                    unit="hands/s",
                    ratio=None if theirs is None else mine / theirs,
                    target=AT_LEAST.get((form, name)),
                    note="" if theirs is not None else "not installed: the extra `bench` has it",
                )
            )
    return table


def timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds that the work takes, by this clock."""
    begin = clock()
    work()
    return clock() - begin


def peer(ranker: Callable[[Any], Any], hands: list[Any]) -> Callable[[], float]:
    """Return what measures a peer: hands a second, one call a hand."""

    def every() -> None:
        for hand in hands:
            ranker(*hand)

    return lambda: len(hands) / timed(every, time.process_time)


def check_agreement(name: str, values: Any, theirs: list[int], better: int) -> None:
    """Refuse to time a peer that orders hands otherwise; better is 1 if more is better there."""
    pairs = sorted((int(mine), better * their) for mine, their in zip(values, theirs, strict=False))
    for (one, first), (other, second) in pairwise(pairs):
        if (one == other) != (first == second) or first > second:
            raise AssertionError(f"{name} orders hands otherwise: {one}, {other}")


def phevaluator(rows: Any) -> tuple[Callable[[Any], int], list[Any], int]:
    """Integers 4 * rank + suit; a smaller value is better."""
    from phevaluator import _pheval

    hands = [tuple(int(card % 13 * 4 + card // 13) for card in row) for row in rows]
    return _pheval.evaluate_7cards, hands, -1


def eval7(rows: Any) -> tuple[Callable[[Any], int], list[Any], int]:
    """Its own cards; a larger value is better."""
    import eval7 as library

    cards = [library.Card("23456789TJQKA"[i % 13] + "cdhs"[i // 13]) for i in range(52)]
    return library.evaluate, [([cards[card] for card in row],) for row in rows], 1


PEERS = {"phevaluator": phevaluator, "eval7": eval7}


# ---- solving ---------------------------------------------------------------------------------


def solving() -> list[Row]:
    """Solve the base game: warm on one thread and on all, and cold."""
    from croupier.lab import solve
    from croupier.lab.solver import forget
    from croupier.rulebooks import load

    book = load("multi-link-progressive-v3")

    def solved(threads: int | None) -> float:
        forget()
        return timed(lambda: solve(book, threads=threads))

    solved(1)
    deals = f"{solve(book).deals:,} deals"
    warm = min(solved(1) for _ in range(ROUNDS))
    threads = min(solved(None) for _ in range(ROUNDS))
    cold, memory = in_fresh_process()
    what = "solve the base game"
    return [
        Row(
            benchmark="lab",
            what=f"{what}, warm, one thread",
            value=warm,
            unit="s",
            target=Target(at="most", limit=1),
            note=deals,
        ),
        Row(benchmark="lab", what=f"{what}, warm, a thread for each core", value=threads, unit="s"),
        Row(
            benchmark="lab",
            what=f"{what}, imports and compilation included",
            value=cold,
            unit="s",
            target=Target(at="most", limit=25),
        ),
        Row(
            benchmark="lab",
            what="peak memory of that process",
            value=memory,
            unit="MB",
            target=Target(at="most", limit=400),
        ),
    ]


def in_fresh_process() -> tuple[float, float]:
    """Compile and solve where nothing is compiled yet: seconds, and megabytes at most."""
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            [sys.executable, "-c", COLD],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": empty},
        )
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)


# ---- the command -----------------------------------------------------------------------------


def command() -> list[Row]:
    """Call `croupier lab edge` as from the shell."""
    words = [sys.executable, "-m", "croupier", "lab", "edge", "multi-link-progressive-v3", "--json"]

    def call() -> float:
        return timed(lambda: subprocess.run(words, check=True, capture_output=True))

    call()
    return [
        Row(
            benchmark="lab",
            what="croupier lab edge, from the shell, warm",
            value=min(call() for _ in range(3)),
            unit="s",
            target=Target(at="most", limit=2),
        )
    ]
