"""Odds, exact solving, simulation, reports and charts.

What is named here is imported when it is first used, because numpy and numba take their time and
come with the extra `lab`; importing the package alone costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from croupier.lab.base import Blind, Solution, StartingHand, ante_thresholds, solve
    from croupier.lab.bonus_bet import Bonus, BonusLine, bonus
    from croupier.lab.decisions import Decision, decide
    from croupier.lab.game import BaseGame, base_game
    from croupier.lab.jackpot_bet import (
        CountedLine,
        FoldFrom,
        Progressive,
        fold_from,
        progressive,
    )
    from croupier.lab.kernel import rank_masks, rank_rows
    from croupier.lab.meter import LongRun, long_run, others_ahead
    from croupier.lab.solver import Sweeps, sweep
    from croupier.lab.whatif import Change, what_if

_HOMES = {
    "base": ("Blind", "Solution", "StartingHand", "ante_thresholds", "solve"),
    "bonus_bet": ("Bonus", "BonusLine", "bonus"),
    "decisions": ("Decision", "decide"),
    "game": ("BaseGame", "base_game"),
    "jackpot_bet": ("CountedLine", "FoldFrom", "Progressive", "fold_from", "progressive"),
    "kernel": ("rank_masks", "rank_rows"),
    "meter": ("LongRun", "long_run", "others_ahead"),
    "solver": ("Sweeps", "sweep"),
    "whatif": ("Change", "what_if"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_EXTRA = ("numpy", "numba", "llvmlite")


def __getattr__(name: str) -> Any:
    """Import the module that a public name lives in."""
    try:
        home = _HOME_OF[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    try:
        module = importlib.import_module(f"croupier.lab.{home}")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in _EXTRA:
            raise LabMissing(error.name or "its extra") from error
        raise
    return getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})


__all__ = [
    "BadAmount",
    "BadHand",
    "BaseGame",
    "BatchError",
    "Blind",
    "Bonus",
    "BonusLine",
    "Change",
    "CountedLine",
    "Decision",
    "FoldFrom",
    "LabError",
    "LabMissing",
    "LongRun",
    "Progressive",
    "Solution",
    "StartingHand",
    "StateError",
    "Sweeps",
    "UnknownHand",
    "UnsolvableGame",
    "WhatIfError",
    "ante_thresholds",
    "base_game",
    "bonus",
    "decide",
    "fold_from",
    "long_run",
    "others_ahead",
    "progressive",
    "rank_masks",
    "rank_rows",
    "solve",
    "sweep",
    "what_if",
]
