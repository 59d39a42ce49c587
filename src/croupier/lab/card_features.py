"""What a person sees in his hand and the board: the words that rules of thumb are made of.

Each feature is one bit of a signature; hands with the same signature look alike to a rule. Features
treat suits alike, so that one board of each class of the solver speaks for all.
"""

from __future__ import annotations

import functools
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.lab.kernel import rank_rows
from croupier.lab.simulate_deal import Cards
from croupier.lab.simulate_pay import category_of

Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

FEATURES: dict[str, str] = {
    "made": "a pair or better with a Hole Card",
    "pocket": "a pair in the hand",
    "strong": "two pairs or better with a Hole Card",
    "flush-draw": "four to a flush with a Hole Card",
    "open-ended": "a straight with any of two ranks to come",
    "gutshot": "a straight with one rank to come",
    "ace": "an Ace in the hand",
    "king": "a King or better in the hand",
    "queen": "a Queen or better in the hand",
    "jack": "a Jack or better in the hand",
    "two-over": "both Hole Cards above the board",
    "one-over": "a Hole Card above the board",
    "paired": "a pair on the board",
    "suited-board": "three of a suit on the board",
}
"""By name, in the order of their bits: what each means."""


def signatures(cards: Cards, board: int) -> Ints:
    """By row of the simulation: its features on the first ``board`` cards of the board."""
    on_board = cards[:, :board].astype(np.int64)
    hole = cards[:, 7:9].astype(np.int64)
    every = np.concatenate([on_board, hole], axis=1)
    ranks, suits = on_board % 13, on_board // 13
    high, low = np.maximum(hole[:, 0] % 13, hole[:, 1] % 13), np.minimum(*(hole % 13).T)
    best = category_of()[rank_rows(np.ascontiguousarray(every.astype(np.uint8)))].astype(np.int64)
    alone = _board_category(ranks)
    of_suit = np.stack([(every // 13 == suit).sum(axis=1) for suit in range(4)], axis=1)
    on_suit = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)
    mask, board_mask = _ranks_mask(every % 13), _ranks_mask(ranks)
    outs = _straight_outs()[mask] - _straight_outs()[board_mask]
    straight = _has_straight()[mask]
    found: dict[str, Flags] = {
        "made": best > alone,
        "pocket": high == low,
        "strong": (best > alone) & (best >= 2),
        "flush-draw": np.asarray(((of_suit == 4) & (of_suit > on_suit)).any(axis=1)) & (best < 5),
        "open-ended": (outs >= 2) & ~straight,
        "gutshot": (outs == 1) & ~straight,
        "ace": high == 12,
        "king": high >= 11,
        "queen": high >= 10,
        "jack": high >= 9,
        "two-over": low > ranks.max(axis=1),
        "one-over": high > ranks.max(axis=1),
        "paired": alone > 0,
        "suited-board": np.asarray((on_suit >= 3).any(axis=1)),
    }
    total: Ints = np.zeros(len(cards), np.int64)
    for bit, name in enumerate(FEATURES):
        total |= found[name].astype(np.int64) << bit
    return total


def has(name: str) -> Flags:
    """By signature: whether it has this feature."""
    numbers = np.arange(1 << len(FEATURES))
    return np.asarray(numbers >> list(FEATURES).index(name) & 1 != 0)


def _board_category(ranks: Ints) -> Ints:
    """The category of three or four cards by their equal ranks, as the order of a category."""
    equal = sum(
        (ranks[:, i] == ranks[:, j]).astype(np.int64)
        for i in range(ranks.shape[1])
        for j in range(i)
    )
    by_pairs = np.array([0, 1, 2, 3, 0, 0, 7])  # pairs of equal cards: none, one, two, three, six
    return np.asarray(by_pairs[equal], np.int64)


def _ranks_mask(ranks: Ints) -> Ints:
    return np.asarray(np.bitwise_or.reduce(1 << ranks, axis=1), np.int64)


@functools.cache
def _has_straight() -> Flags:
    """By ranks that are there: whether five are in sequence, an Ace high or low."""
    runs = [0b11111 << low for low in range(9)] + [1 << 12 | 0b1111]
    masks = np.arange(1 << 13)
    return np.asarray(np.logical_or.reduce([masks & run == run for run in runs]))


@functools.cache
def _straight_outs() -> Ints:
    """By ranks that are there: how many further ranks would make a straight."""
    masks = np.arange(1 << 13)
    straight = _has_straight()
    outs = sum((~straight & straight[masks | 1 << rank]).astype(np.int64) for rank in range(13))
    return np.asarray(outs, np.int64)
