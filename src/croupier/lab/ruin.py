"""Risk of ruin: how likely a session of so many rounds ends because nothing is left to play with.

A round may take five Antes (Ante, Flop, Turn and River). Who has less left when a round begins is
ruined: he can no longer play it as he should. From the exact distribution of a round the odds of
every amount are followed round by round; nothing is drawn. Probabilities are numbers of double
precision, and add up to one within a billionth.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from croupier.lab.distribution import Distribution
from croupier.lab.errors import BadAmount
from croupier.lab.game import BaseGame

Floats: TypeAlias = npt.NDArray[np.float64]
MOST_ROUNDS = 20_000
MOST_ANTES = 200_000


class Session(Struct, frozen=True, kw_only=True):
    """How a session ends. Amounts are in Antes."""

    bankroll: int
    rounds: int
    needed: int
    """What a round may take."""
    ruin: float
    ends: Floats
    """By what is left at the end: how likely; who was ruined keeps what he had then."""

    @property
    def ahead(self) -> float:
        """How likely more is left than there was."""
        return float(self.ends[self.bankroll + 1 :].sum())

    @property
    def mean(self) -> float:
        """What is left on average."""
        return float((np.arange(len(self.ends)) * self.ends).sum())

    def quantile(self, share: float) -> int:
        """The least that is left with at least this probability not to be exceeded."""
        return int(np.searchsorted(np.cumsum(self.ends), share - 1e-12))


def session(game: BaseGame, result: Distribution, *, bankroll: int, rounds: int) -> Session:
    """Follow a session from a bankroll in Antes; ``result`` is that of a round, in Antes."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadAmount(f"rounds: {rounds}; a session has 1 to {MOST_ROUNDS:,}")
    if not 1 <= bankroll <= MOST_ANTES:
        raise BadAmount(f"bankroll: {bankroll} Antes; it is 1 to {MOST_ANTES:,}")
    needed = 1 + game.flop + game.turn + game.river
    steps = {}
    for value, count in result.results.items():
        if value.denominator != 1:
            raise BadAmount("bankroll: results of parts of an Ante cannot be followed")
        steps[int(value)] = count / result.universe
    top = bankroll + rounds * max(0, *steps)
    left: Floats = np.zeros(top + 1)
    left[bankroll] = 1.0
    for _ in range(rounds):
        playing = left.copy()
        playing[:needed] = 0.0  # ruined: these stay where they are
        after = left - playing
        for step, chance in steps.items():
            if step >= 0:
                after[step:] += chance * playing[: len(playing) - step]
            else:
                after[:step] += chance * playing[-step:]
        left = after
    return Session(
        bankroll=bankroll,
        rounds=rounds,
        needed=needed,
        ruin=float(left[:needed].sum()),
        ends=left,
    )


def bankroll_for(game: BaseGame, result: Distribution, *, risk: float, rounds: int) -> int:
    """The least bankroll, in Antes, with which ruin is at most so likely."""
    if not 0 < risk < 1:
        raise BadAmount(f"risk: {risk}; it is a share between 0 and 1")
    needed = 1 + game.flop + game.turn + game.river
    low, high = needed - 1, needed
    while session(game, result, bankroll=high, rounds=rounds).ruin > risk:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if session(game, result, bankroll=middle, rounds=rounds).ruin > risk:
            low = middle
        else:
            high = middle
    return high
