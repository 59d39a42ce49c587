"""The 169 starting hands in their order: which share of all hands is as good as these two cards.

The order is data that the lab has computed (`generate`).
"""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

from croupier.live.bots.quick import PAIRS
from croupier.rulebooks import hole_class

NAMES = 169
_COMBINATIONS = {2: 6, "s": 4, "o": 12}


@functools.cache
def orders() -> dict[str, tuple[str, ...]]:
    """Both orders, best first: `heads_up`, and `in_company` of several others."""
    told = tomllib.loads((files(__package__) / "starting.toml").read_text("utf-8"))
    return {name: tuple(text.split()) for name, text in told.items()}


@functools.cache
def tops(players: int) -> tuple[float, ...]:
    """By pair (`quick.PAIRS`): the share of all hands that are as good or better, up to 1."""
    if players <= 2:
        share = _shares(orders()["heads_up"])
    else:
        one, many = _shares(orders()["heads_up"]), _shares(orders()["in_company"])
        weight = min(1.0, (players - 2) / 4)
        mixed = {name: (1 - weight) * one[name] + weight * many[name] for name in one}
        share = _shares(tuple(sorted(mixed, key=lambda name: (mixed[name], name))))
    return tuple(share[hole_class(first, second)] for first, second in PAIRS)


def _shares(order: tuple[str, ...]) -> dict[str, float]:
    dealt, found = 0, {}
    for name in order:
        dealt += _COMBINATIONS[2 if len(name) == 2 else name[2]]
        found[name] = dealt / len(PAIRS)
    return found
