"""Classes of boards and of hole cards: what may be told apart, and nothing else.

A suit matters only while it can still make a flush with two hole cards: from one card of it on the
flop, two on the turn, three on the river. Such a suit is *alive*. All other suits are alike, so a
board is known by the ranks that each alive suit holds (a mask of 13 bits) and by the ranks of the
other cards (a multiset). There are 1,755 flops, 16,432 boards of four and 42,783 of five.

On a board the cards of the deck fall into *kinds*: 13 of the suits that are not alive, rank by
rank, and 13 for each alive suit. Two cards of one kind can be exchanged without anything changing,
so hole cards matter only by their two kinds: 91 pairs of kinds without an alive suit, 351 with one,
780 with two, 1,378 with three. Pair ``(k, l)`` with ``k <= l`` has the number ``l(l+1)/2 + k``, and
the kinds that are not alive come first; the pairs of a board with fewer alive suits are thus the
first of those with more.

A board and one more card make a board of the next street. An alive suit may die on the way, never
come alive, so each kind of the smaller board is one kind of the larger: ``pair_maps`` gives the
number of a pair there. This is why sums over the next card are exact additions of whole rows.
"""

from __future__ import annotations

import functools
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.cards import Card
from croupier.lab.compiled import inlined, kernel
from croupier.lab.errors import StateError

Ints: TypeAlias = npt.NDArray[np.int64]

PAIRS_13, PAIRS_26, PAIRS_39, PAIRS_52 = 91, 351, 780, 1378
"""How many pairs of kinds there are with 0, 1, 2 and 3 alive suits."""

# Boards of five: no alive suit by their five ranks (6,188 multisets, of which 13 have a rank five
# times and stay empty); then three, four and five cards of the alive suit.
_PLAIN = comb(17, 5)
_FLUSH_4 = _PLAIN + comb(13, 3) * PAIRS_13
_FLUSH_5 = _FLUSH_4 + comb(13, 4) * 13
RIVER_BOARDS = _FLUSH_5 + comb(13, 5)
RIVER_ENTRIES = _PLAIN * PAIRS_13 + (RIVER_BOARDS - _PLAIN) * PAIRS_26

# Boards of four: suits all different; two, three, four of one suit; two of each of two suits.
_TWO = comb(16, 4)
_THREE = _TWO + comb(13, 2) * PAIRS_13
_FOUR = _THREE + comb(13, 3) * 13
_TWO_TWO = _FOUR + comb(13, 4)
TURN_BOARDS = _TWO_TWO + comb(79, 2)
TURN_ENTRIES = _TWO * PAIRS_13 + (_TWO_TWO - _TWO) * PAIRS_26 + (TURN_BOARDS - _TWO_TWO) * PAIRS_39

# Flops: one suit; two of one and one of another; three suits.
_MIXED = comb(13, 3)
_RAINBOW = _MIXED + comb(13, 2) * 13
FLOPS = _RAINBOW + comb(15, 3)
FLOP_ENTRIES = _MIXED * PAIRS_26 + (_RAINBOW - _MIXED) * PAIRS_39 + comb(15, 3) * PAIRS_52


class Shapes(NamedTuple):
    """Numbering of masks and multisets, both ways."""

    mask_index: Ints
    """By mask: its place among the masks with as many bits, from low to high."""
    masks: Ints
    """By number of bits and place: the mask."""
    pairs: Ints
    """The 91 multisets of two ranks, by number; then those of 3, 4 and 5 ranks."""
    threes: Ints
    fours: Ints
    fives: Ints
    steps: Ints
    """By place and rank: what the rank in that place adds to the number of a multiset."""


@functools.cache
def shapes() -> Shapes:
    """The numberings. Built once, in a few milliseconds."""
    bits = np.bitwise_count(np.arange(1 << 13)).astype(np.int64)
    mask_index = np.zeros(1 << 13, np.int64)
    masks = np.zeros((6, comb(13, 5)), np.int64)
    for count in range(6):
        those = np.flatnonzero(bits == count)
        mask_index[those] = np.arange(len(those))
        masks[count, : len(those)] = those

    def multisets(size: int) -> Ints:
        found = combinations_with_replacement(range(13), size)
        return np.array(sorted(found, key=lambda ranks: ranks[::-1]), np.int64)

    steps = [[comb(rank + place, place + 1) for rank in range(13)] for place in range(5)]
    return Shapes(
        mask_index=mask_index,
        masks=masks,
        pairs=multisets(2),
        threes=multisets(3),
        fours=multisets(4),
        fives=multisets(5),
        steps=np.array(steps, np.int64),
    )


class Pairs(NamedTuple):
    """What each pair of kinds is, by its number, with up to three alive suits."""

    high: Ints
    """The higher of its two kinds, and the lower."""
    low: Ints
    rank_pair: Ints
    """The number of the pair of its ranks."""
    suited: Ints
    """How many of the two are of the first alive suit, and the mask of those."""
    suited_ranks: Ints
    suited_hand: Ints
    """The starting hand (of 169) if the two are of one suit, and if they are not."""
    odd_hand: Ints


@functools.cache
def pair_kinds() -> Pairs:
    """The 1,378 pairs of kinds."""
    high, low = np.tril_indices(52)
    ranks = np.stack([high % 13, low % 13])
    top, bottom = ranks.max(axis=0), ranks.min(axis=0)
    in_suit = np.stack([high // 13 == 1, low // 13 == 1])
    return Pairs(
        high=high,
        low=low,
        rank_pair=top * (top + 1) // 2 + bottom,
        suited=in_suit.sum(axis=0),
        suited_ranks=((1 << ranks) * in_suit).sum(axis=0),
        suited_hand=top * 13 + bottom,
        odd_hand=bottom * 13 + top,
    )


# Which alive suits stay alive when a card is added, as rows of ``pair_maps``.
SAME, SWAPPED, ONLY_FIRST, ONLY_SECOND, ONLY_THIRD, NONE = range(6)


@functools.cache
def pair_maps() -> Ints:
    """From the pairs of kinds of a board to those of a board with one card more.

    A row for each way in which suits stay alive or die, a column for each of the 1,378 pairs.
    """

    def mapped(*places: int) -> list[int]:
        """By alive suit of the smaller board: its place in the larger, 0 if it dies."""
        pairs = []
        for high in range(52):
            for low in range(high + 1):
                kinds = [places[kind // 13] * 13 + kind % 13 for kind in (low, high)]
                low_kind, high_kind = sorted(kinds)
                pairs.append(high_kind * (high_kind + 1) // 2 + low_kind)
        return pairs

    maps = {
        SAME: mapped(0, 1, 2, 3),
        SWAPPED: mapped(0, 2, 1, 3),
        ONLY_FIRST: mapped(0, 1, 0, 0),
        ONLY_SECOND: mapped(0, 0, 1, 0),
        ONLY_THIRD: mapped(0, 0, 0, 1),
        NONE: mapped(0, 0, 0, 0),
    }
    return np.array([maps[way] for way in range(6)], np.int64)


@inlined
def multiset_number(ranks, size, steps):  # type: ignore[no-untyped-def]
    """The number of the multiset in ``ranks[:size]``, which it sorts."""
    for i in range(1, size):
        rank = ranks[i]
        j = i
        while j > 0 and ranks[j - 1] > rank:
            ranks[j] = ranks[j - 1]
            j -= 1
        ranks[j] = rank
    number = 0
    for i in range(size):
        number += steps[i, ranks[i]]
    return number


@inlined
def pair_number(one, other):  # type: ignore[no-untyped-def]
    """The number of the pair of these two kinds or ranks, in either order."""
    high = max(one, other)
    return high * (high + 1) // 2 + min(one, other)


@inlined
def add_bits(mask, ranks, size):  # type: ignore[no-untyped-def]
    """Append the ranks of a mask to ``ranks[:size]``; give the new size."""
    for rank in range(13):
        if mask >> rank & 1:
            ranks[size] = rank
            size += 1
    return size


# ---- boards of five --------------------------------------------------------------------------


@inlined
def river_row(board):  # type: ignore[no-untyped-def]
    """Where the row of a board of five begins."""
    if board < _PLAIN:
        return board * PAIRS_13
    return _PLAIN * PAIRS_13 + (board - _PLAIN) * PAIRS_26


@inlined
def river_width(board):  # type: ignore[no-untyped-def]
    """How many pairs of kinds a board of five has."""
    return PAIRS_13 if board < _PLAIN else PAIRS_26


@inlined
def read_river(board, ranks, shapes):  # type: ignore[no-untyped-def]
    """The mask of the alive suit (0 for none); the other cards go to ``ranks``."""
    if board < _PLAIN:
        for i in range(5):
            ranks[i] = shapes.fives[board, i]
        return 0
    if board < _FLUSH_4:
        rest = board - _PLAIN
        ranks[0] = shapes.pairs[rest % PAIRS_13, 0]
        ranks[1] = shapes.pairs[rest % PAIRS_13, 1]
        return shapes.masks[3, rest // PAIRS_13]
    if board < _FLUSH_5:
        rest = board - _FLUSH_4
        ranks[0] = rest % 13
        return shapes.masks[4, rest // 13]
    return shapes.masks[5, board - _FLUSH_5]


@inlined
def plain_river(ranks, shapes):  # type: ignore[no-untyped-def]
    """The board of five with these ranks and no alive suit."""
    return multiset_number(ranks, 5, shapes.steps)


@inlined
def flush_river(mask, bits, ranks, shapes):  # type: ignore[no-untyped-def]
    """The board of five with this mask (of so many bits) alive and these other ranks."""
    place = shapes.mask_index[mask]
    if bits == 3:
        return _PLAIN + place * PAIRS_13 + pair_number(ranks[0], ranks[1])
    if bits == 4:
        return _FLUSH_4 + place * 13 + ranks[0]
    return _FLUSH_5 + place


# ---- boards of four --------------------------------------------------------------------------


class TurnBoards(NamedTuple):
    """Every class of boards of four, by number."""

    alive: Ints
    """How many suits are alive: 0, 1 or 2."""
    first: Ints
    """Mask of the first alive suit."""
    second: Ints
    others: Ints
    """Ranks of the other cards; -1 where there is none."""
    times: Ints
    """How many boards the class holds."""


@kernel
def _turn_boards(alive, first, second, others, times, shapes):  # type: ignore[no-untyped-def]
    others[:] = -1
    for board in range(_TWO):
        orders = 24  # suits all different, in any order; equal ranks cannot be told apart
        run = 1
        for i in range(4):
            others[board, i] = shapes.fours[board, i]
            run = run + 1 if i and shapes.fours[board, i] == shapes.fours[board, i - 1] else 1
            orders //= run
        times[board] = orders
    for board in range(_TWO, _THREE):
        rest = board - _TWO
        alive[board] = 1
        first[board] = shapes.masks[2, rest // PAIRS_13]
        low, high = shapes.pairs[rest % PAIRS_13, 0], shapes.pairs[rest % PAIRS_13, 1]
        others[board, 0], others[board, 1] = low, high
        times[board] = 4 * (3 if low == high else 6)
    for board in range(_THREE, _FOUR):
        rest = board - _THREE
        alive[board] = 1
        first[board] = shapes.masks[3, rest // 13]
        others[board, 0] = rest % 13
        times[board] = 4 * 3
    for board in range(_FOUR, _TWO_TWO):
        alive[board] = 1
        first[board] = shapes.masks[4, board - _FOUR]
        times[board] = 4
    board = _TWO_TWO
    for high in range(78):
        for low in range(high + 1):
            alive[board] = 2
            first[board], second[board] = shapes.masks[2, low], shapes.masks[2, high]
            times[board] = 6 if low == high else 12
            board += 1


@functools.cache
def turn_boards() -> TurnBoards:
    """The 16,432 classes of boards of four."""
    boards = TurnBoards(
        alive=np.zeros(TURN_BOARDS, np.int64),
        first=np.zeros(TURN_BOARDS, np.int64),
        second=np.zeros(TURN_BOARDS, np.int64),
        others=np.zeros((TURN_BOARDS, 4), np.int64),
        times=np.zeros(TURN_BOARDS, np.int64),
    )
    _turn_boards(*boards, shapes())
    return boards


@inlined
def turn_row(board):  # type: ignore[no-untyped-def]
    """Where the row of a board of four begins."""
    if board < _TWO:
        return board * PAIRS_13
    if board < _TWO_TWO:
        return _TWO * PAIRS_13 + (board - _TWO) * PAIRS_26
    return _TWO * PAIRS_13 + (_TWO_TWO - _TWO) * PAIRS_26 + (board - _TWO_TWO) * PAIRS_39


@inlined
def turn_width(board):  # type: ignore[no-untyped-def]
    """How many pairs of kinds a board of four has."""
    if board < _TWO:
        return PAIRS_13
    return PAIRS_26 if board < _TWO_TWO else PAIRS_39


@inlined
def rainbow_turn(ranks, shapes):  # type: ignore[no-untyped-def]
    """The board of four with these ranks, all of different suits."""
    return multiset_number(ranks, 4, shapes.steps)


@inlined
def suited_turn(mask, bits, ranks, shapes):  # type: ignore[no-untyped-def]
    """The board of four with this mask (of so many bits) alive and these other ranks."""
    place = shapes.mask_index[mask]
    if bits == 2:
        return _TWO + place * PAIRS_13 + pair_number(ranks[0], ranks[1])
    if bits == 3:
        return _THREE + place * 13 + ranks[0]
    return _FOUR + place


@inlined
def two_suited_turn(one, other, shapes):  # type: ignore[no-untyped-def]
    """The board of four with two alive suits of two cards each, in either order."""
    return _TWO_TWO + pair_number(shapes.mask_index[one], shapes.mask_index[other])


# ---- flops -----------------------------------------------------------------------------------


@inlined
def flop_begin(flop):  # type: ignore[no-untyped-def]
    """Where the row of a flop begins."""
    if flop < _MIXED:
        return flop * PAIRS_26
    if flop < _RAINBOW:
        return _MIXED * PAIRS_26 + (flop - _MIXED) * PAIRS_39
    return _MIXED * PAIRS_26 + (_RAINBOW - _MIXED) * PAIRS_39 + (flop - _RAINBOW) * PAIRS_52


@inlined
def read_flop(flop, masks, shapes):  # type: ignore[no-untyped-def]
    """How many suits are alive, and how many flops the class holds; the masks go to ``masks``."""
    masks[1] = 0
    masks[2] = 0
    if flop < _MIXED:
        masks[0] = shapes.masks[3, flop]
        return 1, 4
    if flop < _RAINBOW:
        masks[0] = shapes.masks[2, (flop - _MIXED) // 13]
        masks[1] = 1 << (flop - _MIXED) % 13
        return 2, 12
    ranks = shapes.threes[flop - _RAINBOW]
    low, middle, high = ranks[0], ranks[1], ranks[2]
    masks[0], masks[1], masks[2] = 1 << low, 1 << middle, 1 << high
    if low == high:
        return 3, 4
    return 3, (12 if low == middle or middle == high else 24)


# ---- real cards ------------------------------------------------------------------------------


class Place(NamedTuple):
    """Where hole cards on a board lie in the rows of its street."""

    board: int
    """The number of the board's class."""
    entry: int
    """The place of the pair of kinds, counted over all rows of the street."""
    kinds: tuple[int, ...]
    """By suit (Clubs first): 0 if it is not alive, else its place among the alive ones, from 1."""


def locate(hole: tuple[Card, Card], board: tuple[Card, ...]) -> Place:
    """The class of a flop, or of a board of four or five cards, and of the hole cards on it."""
    numbers = shapes()
    masks = [0, 0, 0, 0]
    for card in board:
        masks[card.suit.order] |= 1 << card.rank.order - 2
    needed = len(board) - 2
    alive = [suit for suit in range(4) if masks[suit].bit_count() >= needed]
    # The order in which the classes hold them: more cards first, then the lower mask.
    alive.sort(key=lambda suit: (-masks[suit].bit_count(), masks[suit]))
    kinds = tuple(alive.index(suit) + 1 if suit in alive else 0 for suit in range(4))
    dead = [card.rank.order - 2 for card in board if kinds[card.suit.order] == 0]
    held = [13 * kinds[card.suit.order] + card.rank.order - 2 for card in hole]
    pair = max(held) * (max(held) + 1) // 2 + min(held)
    first = masks[alive[0]] if alive else 0
    place = int(numbers.mask_index[first])
    number, begin = _number(len(board), first, place, masks, alive, dead, numbers)
    return Place(number, begin + pair, kinds)


def _number(
    size: int,
    first: int,
    place: int,
    masks: list[int],
    alive: list[int],
    dead: list[int],
    numbers: Shapes,
) -> tuple[int, int]:
    """The number of the board of these masks, and where its row begins."""

    def multiset(ranks: list[int]) -> int:
        return sum(comb(rank + i, i + 1) for i, rank in enumerate(sorted(ranks)))

    bits = first.bit_count()
    if size == 5:
        if not alive:
            number = multiset(dead)
            return number, number * PAIRS_13
        start = {3: _PLAIN, 4: _FLUSH_4, 5: _FLUSH_5}[bits]
        number = start + place * {3: PAIRS_13, 4: 13, 5: 1}[bits] + multiset(dead)
        return number, _PLAIN * PAIRS_13 + (number - _PLAIN) * PAIRS_26
    if size == 4:
        suited = _TWO * PAIRS_13
        if not alive:
            number = multiset(dead)
            return number, number * PAIRS_13
        if len(alive) == 1:
            start = {2: _TWO, 3: _THREE, 4: _FOUR}[bits]
            number = start + place * {2: PAIRS_13, 3: 13, 4: 1}[bits] + multiset(dead)
            return number, suited + (number - _TWO) * PAIRS_26
        other = int(numbers.mask_index[masks[alive[1]]])
        pair = other * (other + 1) // 2 + place
        return _TWO_TWO + pair, suited + (_TWO_TWO - _TWO) * PAIRS_26 + pair * PAIRS_39
    if size == 3:
        if len(alive) == 1:
            return place, place * PAIRS_26
        mixed = _MIXED * PAIRS_26
        if len(alive) == 2:
            number = place * 13 + masks[alive[1]].bit_length() - 1
            return _MIXED + number, mixed + number * PAIRS_39
        number = multiset([masks[suit].bit_length() - 1 for suit in alive])
        return _RAINBOW + number, mixed + (_RAINBOW - _MIXED) * PAIRS_39 + number * PAIRS_52
    raise StateError(f"a board has three, four or five cards, not {size}")
