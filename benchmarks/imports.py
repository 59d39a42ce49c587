"""How long `import croupier` takes, and what it drags in.

Fresh interpreters, because a second import in the same one costs nothing: one in two imports
croupier, the other does nothing, turn by turn, so that a busy moment of the machine falls on both.
The value is the difference of the medians. The same for the floors that every program uses.
"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

from benchmarks import Row, Target

ROUNDS = 15
MODULES = ("croupier", "croupier.cards", "croupier.rulebooks", "croupier.table")
HEAVY = ("numpy", "numba")
AT_MOST = 100.0  # milliseconds


def measure() -> list[Row]:
    """Measure each module; only `import croupier` itself has a target in time."""
    rows = []
    for module in MODULES:
        taken = import_time(module)
        target = Target(at="most", limit=AT_MOST) if module == "croupier" else None
        rows.append(
            Row(benchmark="imports", what=f"import {module}", value=taken, unit="ms", target=target)
        )
    dragged = [name for module in MODULES for name in heavy_after(module)]
    rows.append(
        Row(
            benchmark="imports",
            what="numpy, numba imported",
            value=len(dragged),
            unit="packages",
            target=Target(at="most", limit=0),
            note=", ".join(sorted(set(dragged))),
        )
    )
    return rows


def import_time(module: str, rounds: int = ROUNDS) -> float:
    """Return the milliseconds that importing adds to the start of an interpreter."""
    with_it: list[float] = []
    without: list[float] = []
    for code, times in ((f"import {module}", with_it), ("pass", without)):
        start(code)  # once unmeasured: the files are then in memory, and compiled
        times.clear()
    for _ in range(rounds):
        with_it.append(start(f"import {module}"))
        without.append(start("pass"))
    return (median(with_it) - median(without)) * 1000


def start(code: str) -> float:
    """Return the seconds that a fresh interpreter takes for this code."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begin


def heavy_after(module: str) -> list[str]:
    """Name the heavy packages that are loaded once the module is."""
    code = f"import sys, {module}; print(*[n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.split()
