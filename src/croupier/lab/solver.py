"""Solving the base game: all 55,627,620,048,000 deals, under optimal play, in whole numbers.

The sweeps depend on two numbers of the game only, the odds of the Turn and of the River bet; their
outcome is kept, so that another Ante, another size of a bet or another fold costs nothing more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import Lock

import numpy as np

from croupier.cards.keys import RANK_KEYS
from croupier.cards.value import WORTHS, all_values
from croupier.lab import streets
from croupier.lab.classes import (
    FLOPS,
    RIVER_BOARDS,
    RIVER_ENTRIES,
    TURN_BOARDS,
    TURN_ENTRIES,
    pair_kinds,
    pair_maps,
    shapes,
    turn_boards,
)
from croupier.lab.compiled import spread
from croupier.lab.kernel import Values, tables
from croupier.lab.streets import Sums

HANDS = 169
FLOPS_DEALT = 19_600
TURN_CARDS = 47
RIVER_CARDS = 46
DEALS_OF_A_HAND = FLOPS_DEALT * TURN_CARDS * RIVER_CARDS * streets.DEALER_HANDS
DEALS = 1326 * DEALS_OF_A_HAND
"""Hole cards, flop, Turn Card, River Card, dealer's cards: 55,627,620,048,000."""

Progress = Callable[[str], None]
_solved: dict[tuple[int, int], Sums] = {}
_solving = Lock()


def tally(
    turn_odds: int,
    river_odds: int,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Sums:
    """What the sweeps count, by tally (the constants of ``streets``) and by starting hand.

    Solved once for each pair of odds; ``progress`` is told of each sweep as it begins.
    """
    with _solving:
        if (turn_odds, river_odds) not in _solved:
            counted = _sweep(turn_odds, river_odds, threads, progress or (lambda _: None))
            counted.flags.writeable = False
            _solved[turn_odds, river_odds] = counted
        return _solved[turn_odds, river_odds]


def forget() -> None:
    """Drop what was solved: whoever measures wants it done again."""
    with _solving:
        _solved.clear()


def _sweep(turn_odds: int, river_odds: int, threads: int | None, progress: Progress) -> Sums:
    progress("classes of boards")
    numbering, pairs, maps, boards = shapes(), pair_kinds(), pair_maps(), turn_boards()
    lookup = tables(7)
    keys = np.array(RANK_KEYS, np.uint32)

    progress("rivers")
    won: Values = np.zeros(RIVER_ENTRIES, np.uint16)
    lost: Values = np.zeros(RIVER_ENTRIES, np.uint16)
    category = np.zeros(RIVER_ENTRIES, np.uint8)
    present = np.zeros(RIVER_BOARDS, np.int64)

    def river(start: int, stop: int) -> None:
        of_value = categories()
        streets.river_sweep(
            start, stop, won, lost, category, present, of_value, numbering, pairs, keys, lookup
        )

    spread(river, RIVER_BOARDS, threads=threads)

    progress("turns")
    turn_won: Values = np.empty(TURN_ENTRIES, np.uint16)
    turn_lost: Values = np.empty(TURN_ENTRIES, np.uint16)

    def turn(start: int, stop: int) -> None:
        streets.turn_sums(
            start, stop, turn_won, turn_lost, won, lost, boards, numbering, pairs, maps
        )

    spread(turn, TURN_BOARDS, threads=threads)

    progress("flops")
    # One thread: flops write to the turns that they share.
    total: Sums = np.zeros((streets.TALLIES, HANDS), np.int64)
    turn_bets = np.zeros(TURN_ENTRIES, np.uint32)
    streets.flop_sweep(
        0, FLOPS, turn_bets, total, turn_odds, turn_won, turn_lost, numbering, pairs, maps
    )

    progress("deals")
    parts: list[Sums] = []

    def count(start: int, stop: int) -> None:
        part: Sums = np.zeros((streets.TALLIES, HANDS), np.int64)
        streets.turn_sweep(
            start,
            stop,
            part,
            river_odds,
            turn_won,
            turn_lost,
            turn_bets,
            won,
            category,
            present,
            boards,
            numbering,
            pairs,
            maps,
        )
        parts.append(part)

    spread(count, TURN_BOARDS, threads=threads)
    for part in parts:
        total += part
    return total


@functools.cache
def categories() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """By value of a hand: the order of its category; nothing at 0, which no hand has."""
    orders = np.zeros(WORTHS + 1, np.uint8)
    orders[1:] = [value.category.order for value in all_values()]
    return orders
