"""The solver's optimal strategy as tables that the simulation can look up, and strategies by name.

The whole of it is 1.5 million decisions on the Turn bet and 6.6 million on the River bet, one bit
each, and the hands to fold.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from croupier.lab.base import solve
from croupier.lab.game import Odds, base_game
from croupier.lab.simulate_strategy import (
    Flags,
    Strategy,
    StrategyError,
    Tabled,
    always,
    check,
    made_hands,
    tabled,
)
from croupier.lab.solver import sweep
from croupier.rulebooks import Rulebook


def optimal(book: Rulebook, *, fold: Iterable[str] | None = None) -> Tabled:
    """The optimal strategy for the main bets of a book, as the solver finds it.

    ``fold`` gives another set of hands to fold, with Turn and River played as before: what a v6
    player folds may depend on his jackpot stake.
    """
    game = base_game(book)
    turn, river = _decisions(game.turn_odds, game.river_odds)
    folded = solve(game).fold_hands if fold is None else tuple(fold)
    return tabled("optimal", fold=folded, turn=turn, river=river)


@functools.cache
def _decisions(turn_odds: Odds, river_odds: Odds) -> tuple[Flags, Flags]:
    sweeps = sweep(turn_odds, river_odds)
    return sweeps.bets_turn, sweeps.bets_river


def _optimal(book: Rulebook, fold: tuple[str, ...] | None) -> Strategy:
    return optimal(book, fold=fold)


def _always(book: Rulebook, fold: tuple[str, ...] | None) -> Strategy:
    return always(fold=fold or ())


def _check(book: Rulebook, fold: tuple[str, ...] | None) -> Strategy:
    return check(fold=fold or ())


def _made_hands(book: Rulebook, fold: tuple[str, ...] | None) -> Strategy:
    return made_hands() if fold is None else made_hands(fold=fold)


STRATEGIES: dict[str, Callable[[Rulebook, tuple[str, ...] | None], Strategy]] = {
    "optimal": _optimal,
    "always": _always,
    "check": _check,
    "made-hands": _made_hands,
}


def strategy_named(name: str, book: Rulebook, *, fold: tuple[str, ...] | None = None) -> Strategy:
    """The strategy of that name, with another set of hands to fold if one is given."""
    if name not in STRATEGIES:
        close = get_close_matches(name, STRATEGIES, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(STRATEGIES)}"
        raise StrategyError(f"strategy: there is no {name!r}; {hint}")
    return STRATEGIES[name](book, fold)
