"""Odds, exact solving, simulation, reports and charts.

What is named here is imported when it is first used, because numpy and numba take their time and
come with the extra `lab`; importing the package alone costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.lab.base import Blind, Solution, StartingHand, ante_thresholds, solve
    from croupier.lab.errors import (
        BadAmount,
        BadHand,
        BatchError,
        LabError,
        LabMissing,
        StateError,
        UnknownHand,
        UnsolvableGame,
        WhatIfError,
    )
    from croupier.lab.game import BaseGame, base_game
    from croupier.lab.kernel import rank_masks, rank_rows

_HOMES = {
    "base": ("Blind", "Solution", "StartingHand", "ante_thresholds", "solve"),
    "errors": (
        "BadAmount",
        "BadHand",
        "BatchError",
        "LabError",
        "LabMissing",
        "StateError",
        "UnknownHand",
        "UnsolvableGame",
        "WhatIfError",
    ),
    "game": ("BaseGame", "base_game"),
    "kernel": ("rank_masks", "rank_rows"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import the module that a public name lives in."""
    try:
        home = _HOME_OF[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    return getattr(importlib.import_module(f"croupier.lab.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})


__all__ = [
    "BadAmount",
    "BadHand",
    "BaseGame",
    "BatchError",
    "Blind",
    "LabError",
    "LabMissing",
    "Solution",
    "StartingHand",
    "StateError",
    "UnknownHand",
    "UnsolvableGame",
    "WhatIfError",
    "ante_thresholds",
    "base_game",
    "rank_masks",
    "rank_rows",
    "solve",
]
