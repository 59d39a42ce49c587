"""Strategies as tables over the solver's classes, so that all their deals can be counted.

A strategy that treats suits alike decides the same for every board of a class and every pair of
hole cards of the same kinds; so one board and one pair of cards speak for their place in the table.
There are 1,755 classes of flops and 16,432 of boards of four that occur.
"""

from __future__ import annotations

import functools
from itertools import combinations

import numpy as np
import numpy.typing as npt

from croupier.lab.classes import FLOP_ENTRIES, TURN_ENTRIES
from croupier.lab.kernel import rank_rows
from croupier.lab.simulate_deal import Cards
from croupier.lab.simulate_kernel import BETS_RIVER, BETS_TURN
from croupier.lab.simulate_pay import Bytes, category_of
from croupier.lab.simulate_strategy import (
    SUIT_AND_RANK,
    Flags,
    Positions,
    Strategy,
    places,
    positions,
)

_BOARDS_AT_ONCE = 400


def tabulate(strategy: Strategy) -> tuple[Flags, Flags]:
    """Whether a strategy bets the Turn, by place in the rows of flops, and the River, by board.

    It is asked about played hands only: give it one that folds nothing. The strategy must treat
    suits alike.
    """
    turn: Flags = np.zeros(FLOP_ENTRIES, np.bool_)
    for cards in rows_of(flops(), 3):
        at, _ = places_of(cards)
        turn[at] = strategy.decide(cards, 1)[:, 0] & BETS_TURN != 0
    river: Flags = np.zeros(TURN_ENTRIES, np.bool_)
    for cards in rows_of(boards_of_four(), 4):
        _, at = places_of(cards)
        river[at] = strategy.decide(cards, 1)[:, 0] & BETS_RIVER != 0
    return turn, river


@functools.cache
def flop_categories() -> Bytes:
    """By place in the rows of flops: the order of the category of Hole Cards and flop."""
    found: Bytes = np.zeros(FLOP_ENTRIES, np.uint8)
    for cards in rows_of(flops(), 3):
        at, _ = places_of(cards)
        found[at] = category_of()[rank_rows(np.ascontiguousarray(cards[:, [0, 1, 2, 7, 8]]))]
    return found


def places_of(cards: Cards) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """By row: where its decisions on Turn and River stand."""
    turns, rivers = np.zeros(len(cards), np.int64), np.zeros(len(cards), np.int64)
    places(cards, 0, turns, rivers, positions(), *SUIT_AND_RANK)
    return turns, rivers


@functools.cache
def flops() -> Cards:
    """One flop of each class."""
    cards = np.array(list(combinations(range(52), 3)), np.int64)
    _, first = np.unique(_class_of(cards, positions()) >> 8, return_index=True)
    return cards[first].astype(np.uint8)


@functools.cache
def boards_of_four() -> Cards:
    """One board of four of each class."""
    cards = np.array(list(combinations(range(52), 4)), np.int64)
    _, first = np.unique(_class_of(cards, positions()) >> 8, return_index=True)
    return cards[first].astype(np.uint8)


def times_of(boards: Cards, size: int) -> npt.NDArray[np.int64]:
    """How many boards the class of each has."""
    where = positions()
    every = np.array(list(combinations(range(52), size)), np.int64)
    _, counts = np.unique(_class_of(every, where) >> 8, return_counts=True)
    rows, of_row = np.unique(_class_of(boards.astype(np.int64), where) >> 8, return_inverse=True)
    assert len(rows) == len(counts)
    return np.asarray(counts[of_row], np.int64)


def _class_of(cards: npt.NDArray[np.int64], where: Positions) -> npt.NDArray[np.int32]:
    """The position of each board of three or four cards, lowest card first."""
    if cards.shape[1] == 3:
        return np.asarray(where.flops[(cards[:, 0] * 52 + cards[:, 1]) * 52 + cards[:, 2]])
    number = sum(where.choose[place][cards[:, place]] for place in range(4))
    return np.asarray(where.boards[number])


def rows_of(boards: Cards, size: int) -> list[Cards]:
    """Every pair of hole cards on each board, as rows of the simulation, some boards at a time.

    What a row needs beside board and hole cards is filled with cards that are nowhere else in it.
    """
    return [
        _block(boards[start : start + _BOARDS_AT_ONCE], size)
        for start in range(0, len(boards), _BOARDS_AT_ONCE)
    ]


def _block(boards: Cards, size: int) -> Cards:
    left = 52 - size
    free = np.ones((len(boards), 52), np.bool_)
    np.put_along_axis(free, boards.astype(np.int64), False, axis=1)
    rest = np.nonzero(free)[1].reshape(len(boards), left).astype(np.uint8)
    pairs = np.array(list(combinations(range(left), 2)))
    # Four more cards of the rest: the first that are not the two hole cards.
    spare = np.array([[i for i in range(6) if i not in pair][:4] for pair in pairs.tolist()])
    cards = np.empty((len(boards), len(pairs), 9), np.uint8)
    cards[:, :, :size] = boards[:, None, :size]
    cards[:, :, size:7] = rest[:, spare][:, :, : 7 - size]
    cards[:, :, 7:9] = rest[:, pairs]
    return cards.reshape(-1, 9)
