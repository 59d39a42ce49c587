"""What another player may hold: every pair of cards with a weight, given all that he has done.

Before the flop his Actions speak by the order of starting hands, after it by how strong a pair is
on that board among all pairs that are left, draws included. How many hands he plays, how often he
bets and how often he folds is taken from the notes on him as far as there are any.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from croupier.cards import Card
from croupier.live.bots.memory import Done, Notes
from croupier.live.bots.quick import (
    PAIR_RANKS,
    PAIR_SUITS,
    PAIRS,
    key_of,
    live_pairs,
    mask_of,
    worths,
)

STEPS = 100
"""Strength is counted from 0, the weakest, to 99."""
_DRAW = 62
"""A draw to a flush or an open straight counts as at least so strong, for one who bets it."""
_PATIENCE = 14.0
"""So many observations weigh as much as what is expected of anybody."""

_ENTERS = {2: 0.72, 3: 0.48, 4: 0.38, 5: 0.32, 6: 0.28, 7: 0.25, 8: 0.23, 9: 0.22, 10: 0.21}
"""The share of hands that anybody plays, by players at the table."""
_RAISES_OF_ENTERED = 0.6
_BETS = 0.38
_FOLDS = 0.45


class Habits:
    """How a player plays, as far as it is known."""

    def __init__(self, notes: Notes, players: int, learns: float) -> None:
        def known(count: int, of: int, expected: float) -> float:
            seen = of * learns
            return (count * learns + expected * _PATIENCE) / (seen + _PATIENCE)

        enters = _ENTERS[max(2, min(10, players))]
        self.enters = known(notes.entered, notes.hands, enters)
        self.raises = min(
            self.enters, known(notes.raised, notes.hands, enters * _RAISES_OF_ENTERED)
        )
        self.bets = known(notes.bets, notes.acts, _BETS)
        self.folds = known(notes.folds, notes.faced, _FOLDS)


class Street:
    """The pairs that are left on one board, with the strength of each."""

    def __init__(self, hole: Sequence[Card], board: Sequence[Card]) -> None:
        self.pairs = live_pairs(mask_of((*hole, *board)))
        self.worths = worths(key_of(board), self.pairs, 2 + len(board))
        order = sorted(range(len(self.pairs)), key=self.worths.__getitem__)
        self.strength = [0] * len(PAIRS)
        """By pair: how many of a hundred pairs it beats now."""
        scale, pairs = STEPS / len(order), self.pairs
        before, place = -1, 0
        for number, index in enumerate(order):
            if self.worths[index] != before:
                before, place = self.worths[index], number
            self.strength[pairs[index]] = int(place * scale)
        if len(board) < 5:
            self._count_draws(board)

    def _count_draws(self, board: Sequence[Card]) -> None:
        suits = [card.suit.order for card in board]
        flushes = {suit for suit in suits if suits.count(suit) == 2}
        ranks = 0
        for card in board:
            ranks |= 1 << card.rank.order
        strength = self.strength
        for pair in self.pairs:
            if strength[pair] < _DRAW and (
                PAIR_SUITS[pair] in flushes or _open_ended(ranks | PAIR_RANKS[pair])
            ):
                strength[pair] = _DRAW


@functools.cache
def _open_ended(ranks: int) -> bool:
    """Four ranks in a row that two ranks would make a straight of."""
    return any(ranks >> low & 0b1111 == 0b1111 for low in range(3, 11))


def weights(
    line: Sequence[Done],
    habits: Habits,
    tops: Sequence[float],
    streets: dict[int, Street],
    pairs: Sequence[int],
) -> list[float]:
    """The weight of each of these pairs in the hands of one who has done this."""
    before = _before_the_flop([done for done in line if done.street == 1], habits)
    found = [before[int(tops[pair] * STEPS) if tops[pair] < 1 else STEPS - 1] for pair in pairs]
    for done in line:
        street = streets.get(done.street)
        if street is None:
            continue
        by_strength, strength = _after_it(done, habits), street.strength
        found = [
            weight * by_strength[strength[pair]] for weight, pair in zip(found, pairs, strict=True)
        ]
    return found


def _before_the_flop(line: Sequence[Done], habits: Habits) -> list[float]:
    """By hundredths of all hands, the best first."""
    found = [1.0] * STEPS
    for done in line:
        if done.act == "raise":
            # Each raise over a raise is made with fewer hands.
            share = habits.raises * 0.35 ** min(done.raises, 3)
            share = max(share, habits.raises**2 * 0.6)
            shape = _window(share)
        elif done.act == "call":
            share = habits.enters * (0.75 if done.raises else 1.0) ** min(done.raises, 3)
            best = habits.raises * (0.3 if done.raises else 0.9)
            shape = [
                w * (0.35 if (n + 0.5) / STEPS < best else 1.0)
                for n, w in enumerate(_window(share))
            ]
        else:  # a Check in the Big Blind: with the best he would have raised
            shape = [0.4 if (n + 0.5) / STEPS < habits.raises * 0.6 else 1.0 for n in range(STEPS)]
        found = [old * new for old, new in zip(found, shape, strict=True)]
    return found


def _window(share: float) -> list[float]:
    """All hands up to a share of them, and fewer and fewer beyond it."""
    soft = 0.01 + 0.4 * share
    least = min(0.05, 0.06 * share)  # whatever he does, now and then it is something else
    return [
        1.0 if (top := (n + 0.5) / STEPS) <= share else max(least, 1.0 - (top - share) / soft)
        for n in range(STEPS)
    ]


def _after_it(done: Done, habits: Habits) -> list[float]:
    """By strength, the weakest first."""
    match done.act:
        case "raise":
            share = habits.bets * (0.45 if done.raises else 1.0)
            bluffs = 0.06 + 0.8 * habits.bets**2
            return [max(bluffs, _rise(n, 1.0 - share)) for n in range(STEPS)]
        case "call":
            stays = 1.0 - habits.folds
            floor = 0.04 + 0.9 * max(0.0, stays - 0.6)
            return [max(floor, _rise(n, 1.0 - stays)) for n in range(STEPS)]
        case "check":
            most = min(0.95, habits.bets)
            return [1.0 - 0.6 * _rise(n, 1.0 - most) for n in range(STEPS)]


def _rise(strength: int, at: float) -> float:
    """0 well below a share of all pairs, 1 well above it."""
    return min(1.0, max(0.0, (strength / STEPS - at) / 0.2 + 0.5))
