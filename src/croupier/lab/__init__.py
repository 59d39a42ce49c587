"""Odds, exact solving, simulation, reports and charts.

What is named here is imported when it is first used, because numpy and numba take their time and
come with the extra `lab`; importing the package alone costs nothing. A function that has the name
of its module is found there: `croupier.lab.simulate.simulate`, `equity.equity`, `par.par`,
`strategy_card.strategy_card`, `known_gain.known_gain`, `best_play.best_play`.
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
    from croupier.lab.actual import Actual, Box, RakedRound, Rounds, compare
    from croupier.lab.actual_theory import BookTheory, theory_of
    from croupier.lab.base import Blind, Solution, StartingHand, ante_thresholds, solve
    from croupier.lab.batch import PokerBatch
    from croupier.lab.batch_banked import BankedBatch
    from croupier.lab.batch_columns import ACTIONS
    from croupier.lab.batch_rules import Amounts, UnknownWay
    from croupier.lab.best_play import BestPlay, best_folds, joint_break_even
    from croupier.lab.bonus_bet import Bonus, BonusLine, bonus
    from croupier.lab.classes import locate
    from croupier.lab.decisions import Decision, decide
    from croupier.lab.distribution import Distribution
    from croupier.lab.equity import Equity
    from croupier.lab.floor import Floor, Link
    from croupier.lab.game import BaseGame, base_game
    from croupier.lab.jackpot_bet import CountedLine, FoldFrom, Progressive, fold_from, progressive
    from croupier.lab.kernel import rank_masks, rank_rows
    from croupier.lab.known import decide_known
    from croupier.lab.known_gain import Gain
    from croupier.lab.meter import LongRun, long_run, others_ahead
    from croupier.lab.par import Par, Terms
    from croupier.lab.ranges import Range, read_range
    from croupier.lab.ruin import Session, bankroll_for, session
    from croupier.lab.sensitivity import Effect, effects
    from croupier.lab.simulate import Plan
    from croupier.lab.simulate_optimal import optimal
    from croupier.lab.simulate_pay import Stakes
    from croupier.lab.simulate_result import Result
    from croupier.lab.simulate_strategy import batches
    from croupier.lab.solver import Sweeps, forget, sweep
    from croupier.lab.strategy_card import Card, decisions_of
    from croupier.lab.versions import Versions, compare_versions
    from croupier.lab.whatif import Change, what_if

_HOMES = {
    "actual": (
        "Actual",
        "Box",
        "RakedRound",
        "Rounds",
        "compare",
    ),
    "actual_theory": (
        "BookTheory",
        "theory_of",
    ),
    "base": (
        "Blind",
        "Solution",
        "StartingHand",
        "ante_thresholds",
        "solve",
    ),
    "batch": ("PokerBatch",),
    "batch_banked": ("BankedBatch",),
    "batch_columns": ("ACTIONS",),
    "batch_rules": (
        "Amounts",
        "UnknownWay",
    ),
    "best_play": (
        "BestPlay",
        "best_folds",
        "joint_break_even",
    ),
    "bonus_bet": (
        "Bonus",
        "BonusLine",
        "bonus",
    ),
    "classes": ("locate",),
    "decisions": (
        "Decision",
        "decide",
    ),
    "distribution": ("Distribution",),
    "equity": ("Equity",),
    "floor": (
        "Floor",
        "Link",
    ),
    "game": (
        "BaseGame",
        "base_game",
    ),
    "jackpot_bet": (
        "CountedLine",
        "FoldFrom",
        "Progressive",
        "fold_from",
        "progressive",
    ),
    "kernel": (
        "rank_masks",
        "rank_rows",
    ),
    "known": ("decide_known",),
    "known_gain": ("Gain",),
    "meter": (
        "LongRun",
        "long_run",
        "others_ahead",
    ),
    "par": (
        "Par",
        "Terms",
    ),
    "ranges": (
        "Range",
        "read_range",
    ),
    "ruin": (
        "Session",
        "bankroll_for",
        "session",
    ),
    "sensitivity": (
        "Effect",
        "effects",
    ),
    "simulate": ("Plan",),
    "simulate_optimal": ("optimal",),
    "simulate_pay": ("Stakes",),
    "simulate_result": ("Result",),
    "simulate_strategy": ("batches",),
    "solver": (
        "Sweeps",
        "forget",
        "sweep",
    ),
    "strategy_card": (
        "Card",
        "decisions_of",
    ),
    "versions": (
        "Versions",
        "compare_versions",
    ),
    "whatif": (
        "Change",
        "what_if",
    ),
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
    "ACTIONS",
    "Actual",
    "Amounts",
    "BadAmount",
    "BadHand",
    "BankedBatch",
    "BaseGame",
    "BatchError",
    "BestPlay",
    "Blind",
    "Bonus",
    "BonusLine",
    "BookTheory",
    "Box",
    "Card",
    "Change",
    "CountedLine",
    "Decision",
    "Distribution",
    "Effect",
    "Equity",
    "Floor",
    "FoldFrom",
    "Gain",
    "LabError",
    "LabMissing",
    "Link",
    "LongRun",
    "Par",
    "Plan",
    "PokerBatch",
    "Progressive",
    "RakedRound",
    "Range",
    "Result",
    "Rounds",
    "Session",
    "Solution",
    "Stakes",
    "StartingHand",
    "StateError",
    "Sweeps",
    "Terms",
    "UnknownHand",
    "UnknownWay",
    "UnsolvableGame",
    "Versions",
    "WhatIfError",
    "ante_thresholds",
    "bankroll_for",
    "base_game",
    "batches",
    "best_folds",
    "bonus",
    "compare",
    "compare_versions",
    "decide",
    "decide_known",
    "decisions_of",
    "effects",
    "fold_from",
    "forget",
    "joint_break_even",
    "locate",
    "long_run",
    "optimal",
    "others_ahead",
    "progressive",
    "rank_masks",
    "rank_rows",
    "read_range",
    "session",
    "solve",
    "sweep",
    "theory_of",
    "what_if",
]
