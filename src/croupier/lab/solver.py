"""Solving the base game: all 55,627,620,048,000 deals, under optimal play, in whole numbers.

The sweeps depend on two numbers of the game only, the odds of the Turn and of the River bet; their
outcome is kept, so that another Ante, another size of a bet or another fold costs nothing more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.cards.keys import RANK_KEYS
from croupier.cards.value import WORTHS, all_values
from croupier.lab import streets
from croupier.lab.classes import (
    FLOP_ENTRIES,
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


class Sweeps(NamedTuple):
    """What the sweeps find, row by row of the classes of boards (``classes.locate``)."""

    won: Values
    """Boards of five: dealer hands that lose."""
    lost: Values
    category: npt.NDArray[np.uint8]
    """Order of the category of the player's hand."""
    turn_won: Values
    """Boards of four: the same two, summed over the River Card."""
    turn_lost: Values
    turn_bets: npt.NDArray[np.uint32]
    """In how many ways the Turn bet was made before, odd hole cards and suited ones apart."""
    flop_worth: npt.NDArray[np.int32]
    """Flops: what a unit on the Turn bet wins in all deals that may follow."""
    river_odds: int
    tally: Sums
    """By tally (the constants of ``streets``) and by starting hand."""

    @property
    def bets_turn(self) -> npt.NDArray[np.bool_]:
        """By place in the rows of flops: whether the Turn bet is made."""
        return self.flop_worth > 0

    @property
    def bets_river(self) -> npt.NDArray[np.bool_]:
        """By place in the rows of boards of four: whether the River bet is made."""
        won = self.turn_won.astype(np.int64)
        return self.river_odds * won > self.turn_lost


def tally(
    turn_odds: int,
    river_odds: int,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Sums:
    """What the sweeps count, by tally and by starting hand. Solved once for each pair of odds."""
    with _solving:
        if (turn_odds, river_odds) not in _solved:
            counted = sweep(turn_odds, river_odds, threads=threads, progress=progress).tally
            counted.flags.writeable = False
            _solved[turn_odds, river_odds] = counted
        return _solved[turn_odds, river_odds]


def forget() -> None:
    """Drop what was solved: whoever measures wants it done again."""
    with _solving:
        _solved.clear()


def sweep(
    turn_odds: int,
    river_odds: int,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Sweeps:
    """Sweep all boards, with every row kept; ``progress`` is told of each sweep as it begins."""
    tell = progress or (lambda _: None)
    tell("classes of boards")
    numbering, pairs, maps, boards = shapes(), pair_kinds(), pair_maps(), turn_boards()
    lookup = tables(7)
    keys = np.array(RANK_KEYS, np.uint32)
    of_value = categories()

    tell("rivers")
    won: Values = np.zeros(RIVER_ENTRIES, np.uint16)
    lost: Values = np.zeros(RIVER_ENTRIES, np.uint16)
    category = np.zeros(RIVER_ENTRIES, np.uint8)
    present = np.zeros(RIVER_BOARDS, np.int64)

    def river(start: int, stop: int) -> None:
        streets.river_sweep(
            start, stop, won, lost, category, present, of_value, numbering, pairs, keys, lookup
        )

    spread(river, RIVER_BOARDS, threads=threads)

    tell("turns")
    turn_won: Values = np.empty(TURN_ENTRIES, np.uint16)
    turn_lost: Values = np.empty(TURN_ENTRIES, np.uint16)

    def turn(start: int, stop: int) -> None:
        streets.turn_sums(
            start, stop, turn_won, turn_lost, won, lost, boards, numbering, pairs, maps
        )

    spread(turn, TURN_BOARDS, threads=threads)

    tell("flops")
    # One thread: flops write to the turns that they share.
    total: Sums = np.zeros((streets.TALLIES, HANDS), np.int64)
    turn_bets = np.zeros(TURN_ENTRIES, np.uint32)
    flop_worth = np.zeros(FLOP_ENTRIES, np.int32)
    streets.flop_sweep(
        0,
        FLOPS,
        flop_worth,
        turn_bets,
        total,
        turn_odds,
        turn_won,
        turn_lost,
        numbering,
        pairs,
        maps,
    )

    tell("deals")
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
    return Sweeps(
        won=won,
        lost=lost,
        category=category,
        turn_won=turn_won,
        turn_lost=turn_lost,
        turn_bets=turn_bets,
        flop_worth=flop_worth,
        river_odds=river_odds,
        tally=total,
    )


@functools.cache
def categories() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """By value of a hand: the order of its category; nothing at 0, which no hand has."""
    orders = np.zeros(WORTHS + 1, np.uint8)
    orders[1:] = [value.category.order for value in all_values()]
    return orders
