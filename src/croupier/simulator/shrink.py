"""The shortest story of a failure: whatever it fails without as well is left out.

The same seed is run again with fewer things going wrong, as long as something still fails.
"""

from __future__ import annotations

from msgspec import structs

from croupier.simulator.plan import Happening
from croupier.simulator.simulation import Outcome, Simulation

TRIES = 60
"""Simulations at most."""


def shrunk(outcome: Outcome, tries: int = TRIES) -> Outcome:
    """The same kind of failure with as few happenings as can be found."""
    best = outcome
    size = max(1, len(best.plan.happenings) // 2)
    while best.failure and tries > 0:
        shorter = None
        for start in range(0, len(best.plan.happenings), size):
            kept = _without(best.plan.happenings, start, size)
            tries -= 1
            tried = Simulation(best.seed, structs.replace(best.plan, happenings=kept)).run()
            if _kind(tried.failure) == _kind(outcome.failure):
                shorter = tried
                break
            if tries <= 0:
                break
        if shorter is not None:
            best = shorter
            size = max(1, min(size, len(best.plan.happenings) // 2))
        elif size > 1:
            size //= 2
        else:
            break
    return best


def _without(happenings: tuple[Happening, ...], start: int, count: int) -> tuple[Happening, ...]:
    return happenings[:start] + happenings[start + count :]


def _kind(failure: str) -> str:
    """A failure without what differs from one time to the next: numbers, names, cards."""
    return "".join(char for char in failure[:60] if char.islower() or char == " ")
