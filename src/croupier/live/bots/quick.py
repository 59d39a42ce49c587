"""Ranking many hands quickly without compiled code, from the evaluator's own tables.

A hand is the sum of its cards' keys (`croupier.cards.keys`), so that a board is added up once and
every pair of hole cards costs one addition and one look into a list. The values are those of
`croupier.cards.rank_hand`. Whoever asks here adds up different, known cards: nothing is checked.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from croupier.cards import DECK, Card
from croupier.cards.keys import (
    CARD_SET_SHIFT,
    LANE_MASK,
    RANK_SUM_MASK,
    SUIT_COUNT_MASK,
    SUIT_COUNT_SHIFT,
)
from croupier.cards.tables import sections
from croupier.cards.value import all_values

PAIRS: tuple[tuple[Card, Card], ...] = tuple(combinations(DECK, 2))
"""Every two hole cards; a pair is known by its place here."""
PAIR_KEYS: tuple[int, ...] = tuple(one.key + other.key for one, other in PAIRS)
PAIR_MASKS: tuple[int, ...] = tuple(one.mask | other.mask for one, other in PAIRS)
PAIR_SUITS: tuple[int, ...] = tuple(
    one.suit.order if one.suit is other.suit else -1 for one, other in PAIRS
)
"""By pair: the suit that both cards have, or -1."""
PAIR_RANKS: tuple[int, ...] = tuple(
    1 << one.rank.order | 1 << other.rank.order for one, other in PAIRS
)
"""By pair: its ranks, a bit each."""
_NUMBERS = {mask: number for number, mask in enumerate(PAIR_MASKS)}


class Ranks(NamedTuple):
    """What ranking hands of so many cards looks up."""

    lanes: list[int]
    """By suit counts: where the lane of the flush begins in a sum of keys; 0 without a flush."""
    flushes: list[int]
    rows: list[int]
    values: list[int]
    shift: int


@functools.cache
def ranks(count: int) -> Ranks:
    """The tables for hands of 5, 6 or 7 cards; unfolded on first use."""
    found = sections()
    starts, values = found[f"rows_{count}"], found[f"values_{count}"]
    shift = starts.shift
    rows = [start - (row << shift) for row, start in enumerate(starts.items())]
    lanes = [0] * (SUIT_COUNT_MASK + 1)
    for counts in range(len(lanes)):
        for suit in range(4):
            if counts >> 3 * suit & 0b111 >= 5:
                lanes[counts] = CARD_SET_SHIFT + 13 * suit
    flushes = list(found["flushes"].items())
    return Ranks(lanes, flushes, rows, list(values.items()), shift)


@functools.cache
def category_orders() -> list[int]:
    """By value of a hand: the order of its category; 0 at 0, which no hand has."""
    return [0, *(value.category.order for value in all_values())]


def key_of(cards: Iterable[Card]) -> int:
    """The sum of the keys of some cards."""
    return sum(card.key for card in cards)


def mask_of(cards: Iterable[Card]) -> int:
    """The set of some cards."""
    return sum(card.mask for card in cards)


def pair_number(cards: Sequence[Card]) -> int:
    """The place of two hole cards among all pairs."""
    return _NUMBERS[cards[0].mask | cards[1].mask]


def live_pairs(seen: int) -> list[int]:
    """The pairs that hold none of the cards of this set."""
    return [number for number, mask in enumerate(PAIR_MASKS) if not mask & seen]


def worth(keys: int, count: int) -> int:
    """The value of one hand of so many cards."""
    lanes, flushes, rows, values, shift = ranks(count)
    if lane := lanes[keys >> SUIT_COUNT_SHIFT & SUIT_COUNT_MASK]:
        return flushes[keys >> lane & LANE_MASK]
    total = keys & RANK_SUM_MASK
    return values[rows[total >> shift] + total]


def worths(board: int, pairs: Iterable[int], count: int) -> list[int]:
    """The value of each pair of hole cards with a board, by the pair's place."""
    lanes, flushes, rows, values, shift = ranks(count)
    found = []
    for pair in pairs:
        keys = board + PAIR_KEYS[pair]
        if lane := lanes[keys >> SUIT_COUNT_SHIFT & SUIT_COUNT_MASK]:
            found.append(flushes[keys >> lane & LANE_MASK])
        else:
            total = keys & RANK_SUM_MASK
            found.append(values[rows[total >> shift] + total])
    return found
