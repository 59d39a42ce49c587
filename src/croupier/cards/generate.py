"""Building the evaluator's tables from the rules of ranking alone: deterministic, about a second.

Nothing here runs in play. ``tables`` calls it to write the file, and a test to compare the file
with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from croupier.cards.category import Category
from croupier.cards.keys import RANK_KEYS, RANK_SUM_BITS, RANK_SUM_MASK
from croupier.cards.value import hand_classes

FLUSH_FLAG = 1 << 31
"""In ``suit_sums``: five or more cards of this suit."""

ROW_SHIFTS = {5: 11, 6: 11, 7: 10}
"""By number of cards: how many low bits of a rank sum are the column in the displaced rows."""

Class = tuple[Category, tuple[int, ...]]


class Packed(NamedTuple):
    """A sparse table packed by row displacement: ``values[rows[sum >> shift] + (sum & low)]``."""

    shift: int
    rows: array[int]
    values: array[int]


def flush_values() -> array[int]:
    """By the ranks of one suit, a bit each: value of the best flush in it, 0 under five cards."""
    worth = _worths()
    table = array("H", bytes(2 << 13))
    for lane in range(1 << 13):
        if lane.bit_count() >= 5:
            table[lane] = worth[_best_flush(lane)]
    return table


def suit_sums() -> array[int]:
    """By the ranks of one suit, a bit each: sum of their keys, with ``FLUSH_FLAG`` from five on.

    Added over the four suits of 5 to 7 cards: their rank sum in the low 23 bits, and the flag if
    there is a flush.
    """
    table = array("I", bytes(4 << 13))
    for lane in range(1 << 13):
        keys = sum(key for place, key in enumerate(RANK_KEYS) if lane >> place & 1)
        table[lane] = keys & RANK_SUM_MASK | (FLUSH_FLAG if lane.bit_count() >= 5 else 0)
    return table


def packed_values(cards: int) -> Packed:
    """The value of that many cards by the sum of their rank keys, where there is no flush."""
    worth = _worths()
    by_sum: dict[int, int] = {}
    for counts in rank_counts(cards):
        keys = sum(key * count for key, count in zip(RANK_KEYS, counts, strict=True))
        rank_sum = keys & RANK_SUM_MASK
        assert rank_sum not in by_sum, f"two hands of {cards} cards have the rank sum {rank_sum}"
        by_sum[rank_sum] = worth[_best_unsuited(counts)]
    return _displace(by_sum, ROW_SHIFTS[cards])


def rank_counts(cards: int) -> Iterator[tuple[int, ...]]:
    """How often each rank, Two first, can occur in that many cards of one deck."""

    def deal(ranks: int, left: int) -> Iterator[tuple[int, ...]]:
        if ranks == 0:
            if left == 0:
                yield ()
            return
        for here in range(max(0, left - 4 * (ranks - 1)), min(4, left) + 1):
            for others in deal(ranks - 1, left - here):
                yield (here, *others)

    return deal(13, cards)


def _worths() -> dict[Class, int]:
    return {hand: number for number, hand in enumerate(hand_classes(), 1)}


def _best_flush(lane: int) -> Class:
    top = _straight_top(lane)
    if top is None:
        return Category.FLUSH, tuple(place for place in range(12, -1, -1) if lane >> place & 1)[:5]
    return (Category.ROYAL_FLUSH if top == 12 else Category.STRAIGHT_FLUSH), _straight(top)


def _best_unsuited(counts: tuple[int, ...]) -> Class:
    """The best hand in cards of these ranks, whatever their suits (3.1.2 without its flushes)."""
    downwards = range(12, -1, -1)

    def highest(how_many: int, *without: int) -> tuple[int, ...]:
        return tuple(r for r in downwards if counts[r] and r not in without)[:how_many]

    fours = [r for r in downwards if counts[r] == 4]
    threes = [r for r in downwards if counts[r] == 3]
    twos = [r for r in downwards if counts[r] >= 2]
    if fours:
        four = fours[0]
        return Category.FOUR_OF_A_KIND, (four,) * 4 + highest(1, four)
    if threes:
        three = threes[0]
        pairs = [r for r in twos if r != three]
        if pairs:
            return Category.FULL_HOUSE, (three,) * 3 + (pairs[0],) * 2
    top = _straight_top(sum(1 << r for r in downwards if counts[r]))
    if top is not None:
        return Category.STRAIGHT, _straight(top)
    if threes:
        return Category.THREE_OF_A_KIND, (threes[0],) * 3 + highest(2, threes[0])
    if len(twos) >= 2:
        high, low = twos[:2]
        return Category.TWO_PAIRS, (high, high, low, low, *highest(1, high, low))
    if twos:
        return Category.ONE_PAIR, (twos[0],) * 2 + highest(3, twos[0])
    return Category.FIVE_ODD_CARDS, highest(5)


def _straight_top(lane: int) -> int | None:
    """The highest rank of the best five in sequence, or None."""
    for top in range(12, 3, -1):
        if lane >> (top - 4) & 0b11111 == 0b11111:
            return top
    # 3.1.1: the Ace is low in 5-4-3-2-A and nowhere else, so Q-K-A-2-3 is no straight.
    wheel = 1 << 12 | 0b1111
    return 3 if lane & wheel == wheel else None


def _straight(top: int) -> tuple[int, ...]:
    return tuple(range(top, top - 5, -1)) if top > 3 else (3, 2, 1, 0, 12)


def _displace(by_sum: dict[int, int], shift: int) -> Packed:
    """Lay the rows of a sparse table over each other so that no two entries meet.

    The fullest rows are placed first, each at the first offset where all its columns are free. Bit
    ``i`` of ``taken`` says that place ``i`` is taken, so shifting it by a row's columns and joining
    the results shows every offset that will not do, at once.
    """
    rows: dict[int, list[int]] = {}
    for rank_sum in by_sum:
        rows.setdefault(rank_sum >> shift, []).append(rank_sum & (1 << shift) - 1)
    offsets = array("H", bytes(2 << RANK_SUM_BITS - shift))
    placed: dict[int, int] = {}
    taken = 0
    for row in sorted(rows, key=lambda row: (-len(rows[row]), row)):
        clash = pattern = 0
        for column in rows[row]:
            clash |= taken >> column
            pattern |= 1 << column
        offset = (~clash & clash + 1).bit_length() - 1
        offsets[row] = offset
        taken |= pattern << offset
        for column in rows[row]:
            placed[offset + column] = by_sum[row << shift | column]
    values = array("H", bytes(2 * (max(placed) + 1)))
    for place, value in placed.items():
        values[place] = value
    return Packed(shift, offsets, values)
