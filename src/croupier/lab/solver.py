"""Solving the base game: all 55,627,620,048,000 deals, under optimal play, in whole numbers.

The sweeps depend on two numbers of the game only, the odds of the Turn and of the River bet; their
outcome is kept, so that another Ante, another size of a bet or another fold costs nothing more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from threading import Lock
from typing import NamedTuple, TypeAlias

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
from croupier.lab.game import Odds
from croupier.lab.kept import forget_kept, kept
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
Flags: TypeAlias = npt.NDArray[np.bool_]
_solved: dict[tuple[Odds, Odds], Sums] = {}
_solving = Lock()


class Sweeps(NamedTuple):
    """What the sweeps find, row by row of the classes of boards (``classes.locate``)."""

    won: Values
    """Boards of five: dealer hands that lose."""
    lost: Values
    category: npt.NDArray[np.uint8]
    """Order of the category of the player's hand."""
    present: npt.NDArray[np.int64]
    """By board of five: a bit for each category that occurs on it."""
    turn_won: Values
    """Boards of four: the same two, summed over the River Card."""
    turn_lost: Values
    turn_bets: npt.NDArray[np.uint32]
    """In how many ways the Turn bet was made before, odd hole cards and suited ones apart."""
    flop_worth: npt.NDArray[np.int64]
    """Flops: what a unit on the Turn bet wins in all deals that may follow; at odds of A to B, what
    B units win."""
    turn_odds: Odds
    river_odds: Odds
    tally: Sums
    """By tally (the constants of ``streets``) and by starting hand."""

    @property
    def bets_turn(self) -> Flags:
        """By place in the rows of flops: whether the Turn bet is made."""
        return self.flop_worth > 0

    @property
    def bets_river(self) -> Flags:
        """By place in the rows of boards of four: whether the River bet is made."""
        return river_bets(self.turn_won, self.turn_lost, self.river_odds)


def river_bets(turn_won: Values, turn_lost: Values, odds: Odds) -> Flags:
    """By place in the rows of boards of four: where a River bet is worth more than nothing."""
    won, lost = parts_of(odds)
    if won == lost:
        return turn_won > turn_lost
    return won * turn_won.astype(np.int64) > lost * turn_lost.astype(np.int64)


def parts_of(odds: Odds) -> tuple[int, int]:
    """Odds of A to B as these two whole numbers."""
    exact = Fraction(odds)
    return exact.numerator, exact.denominator


def tally(
    turn_odds: Odds,
    river_odds: Odds,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Sums:
    """What the sweeps count, by tally and by starting hand. Solved once for each pair of odds.

    It is kept beside the machine code that counted it, so that the next process need not.
    """

    def make() -> Sums:
        return sweep(turn_odds, river_odds, threads=threads, progress=progress).tally

    with _solving:
        if (turn_odds, river_odds) not in _solved:
            name = "tally " + " ".join(map(str, (*parts_of(turn_odds), *parts_of(river_odds))))
            counted = kept(name, (streets.TALLIES, HANDS), make)
            counted.flags.writeable = False
            _solved[turn_odds, river_odds] = counted
        return _solved[turn_odds, river_odds]


def forget() -> None:
    """Drop what was solved, on disk too: whoever measures wants it done again."""
    with _solving:
        _solved.clear()
        forget_kept()


def sweep(
    turn_odds: Odds,
    river_odds: Odds,
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
    flop_worth = np.zeros(FLOP_ENTRIES, np.int64)
    odds = parts_of(turn_odds)

    def flop(start: int, stop: int) -> None:
        streets.flop_sums(
            start, stop, flop_worth, *odds, turn_won, turn_lost, numbering, pairs, maps
        )

    spread(flop, FLOPS, threads=threads)

    swept = Sweeps(
        won=won,
        lost=lost,
        category=category,
        present=present,
        turn_won=turn_won,
        turn_lost=turn_lost,
        turn_bets=np.zeros(0, np.uint32),
        flop_worth=flop_worth,
        turn_odds=turn_odds,
        river_odds=river_odds,
        tally=np.zeros((0, HANDS), np.int64),
    )
    tell("deals")
    counted, turn_bets = count(swept, swept.bets_turn, swept.bets_river, threads=threads)
    return swept._replace(turn_bets=turn_bets, tally=counted)


def count(
    swept: Sweeps, bets_turn: Flags, bets_river: Flags, *, threads: int | None = None
) -> tuple[Sums, npt.NDArray[np.uint32]]:
    """Count all deals under any decisions on Turn and River, and where Turn bets lead to.

    The decisions are given by place in the rows of flops and of boards of four. The rounds that a
    starting hand is not folded in are meant: who folds what is left to whoever reads the tally.
    """
    numbering, pairs, maps, boards = shapes(), pair_kinds(), pair_maps(), turn_boards()
    total: Sums = np.zeros((streets.TALLIES, HANDS), np.int64)
    turn_bets = np.zeros(TURN_ENTRIES, np.uint32)
    # One thread: flops write to the turns that they share.
    streets.flop_sweep(
        0, FLOPS, bets_turn, swept.flop_worth, turn_bets, total, numbering, pairs, maps
    )
    parts: list[Sums] = []
    odds = parts_of(swept.river_odds)

    def turn(start: int, stop: int) -> None:
        part: Sums = np.zeros((streets.TALLIES, HANDS), np.int64)
        streets.turn_sweep(
            start,
            stop,
            part,
            bets_river,
            *odds,
            swept.turn_won,
            swept.turn_lost,
            turn_bets,
            swept.won,
            swept.category,
            swept.present,
            boards,
            numbering,
            pairs,
            maps,
        )
        parts.append(part)

    spread(turn, TURN_BOARDS, threads=threads)
    for part in parts:
        total += part
    return total, turn_bets


@functools.cache
def categories() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """By value of a hand: the order of its category; nothing at 0, which no hand has."""
    orders = np.zeros(WORTHS + 1, np.uint8)
    orders[1:] = [value.category.order for value in all_values()]
    return orders
