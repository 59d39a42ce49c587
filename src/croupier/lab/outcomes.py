"""How often each jackpot outcome comes, by starting hand: whole numbers over the exact universe.

Where the jackpot hand is the Hole Cards and the flop (v2, v3), an outcome is the category of five
cards: 2,598,960 of them. Where it is judged street by street (v6), an outcome says what the seven
cards come to, what the board alone comes to, and for a Royal Flush when it was complete and whether
a Hole Card is in it: 56,189,515,200 ways to deal Hole Cards, flop, Turn Card and River Card.

No hand is enumerated twice: a Straight Flush lies in one suit, so boards are counted by the ranks
that they hold of it; Four of a Kind is counted by hand, in whole ranks.
"""

from __future__ import annotations

import functools
from collections import Counter
from itertools import permutations
from math import comb

import numpy as np

from croupier.cards import Category
from croupier.cards.value import all_values
from croupier.lab.hands import COMBINATIONS, NAMES
from croupier.lab.kernel import tables
from croupier.lab.solver import categories
from croupier.rulebooks import Made

FIVE_CARDS = comb(52, 5)
BY_STREET = comb(52, 2) * comb(50, 3) * 47 * 46
_DEALT_OF_A_HAND = comb(50, 3) * 47 * 46
_ORDERS = 20
"""Ways in which five board cards can be flop, Turn Card and River Card."""

_ROYAL = 0b1111100000000
_SUITED = (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
SEEN = frozenset({Category.FOUR_OF_A_KIND, *_SUITED})
"""The categories that are told apart street by street; every other is no outcome here."""

# Suits in which a hand of each category of five cards can be dealt.
_SUITINGS = {
    Category.FIVE_ODD_CARDS: 4**5 - 4,
    Category.ONE_PAIR: comb(4, 2) * 4**3,
    Category.TWO_PAIRS: comb(4, 2) ** 2 * 4,
    Category.THREE_OF_A_KIND: comb(4, 3) * 4**2,
    Category.STRAIGHT: 4**5 - 4,
    Category.FLUSH: 4,
    Category.FULL_HOUSE: comb(4, 3) * comb(4, 2),
    Category.FOUR_OF_A_KIND: 4,
    Category.STRAIGHT_FLUSH: 4,
    Category.ROYAL_FLUSH: 4,
}


@functools.cache
def five_card_outcomes() -> dict[Made, int]:
    """By category of Hole Cards and flop: of 2,598,960."""
    ranks = Counter(value.category for value in all_values())
    counts = {Made(hole_and_flop=c): ranks[c] * _SUITINGS[c] for c in Category}
    assert sum(counts.values()) == FIVE_CARDS
    return counts


@functools.cache
def street_outcomes() -> tuple[dict[Made, int], ...]:
    """By starting hand and outcome: of the 42,375,200 ways to deal a board to two given cards.

    Outcomes below Four of a Kind are one, with no category.
    """
    return tuple(_of_hand(number) for number in range(len(NAMES)))


def every_street_outcome() -> dict[Made, int]:
    """By outcome, over all starting hands: of 56,189,515,200."""
    total: Counter[Made] = Counter()
    for number, outcomes in enumerate(street_outcomes()):
        for made, count in outcomes.items():
            total[made] += COMBINATIONS[number] * count
    assert sum(total.values()) == BY_STREET
    return dict(total)


def _of_hand(number: int) -> dict[Made, int]:
    row, column = divmod(number, 13)
    outcomes: Counter[Made] = Counter()
    # The suits of the hand: which of its ranks each holds, and how many suits are so.
    if row > column:
        suits = [(1 << row | 1 << column, 1), (0, 3)]
    else:
        suits = [(1 << row, 1), (1 << column, 1), (0, 2)]
    for held, how_many in suits:
        for made, count in _straight_flushes(held).items():
            outcomes[made] += how_many * count
    for made, count in _fours(row, column).items():
        outcomes[made] += count
    outcomes[Made()] = _DEALT_OF_A_HAND - sum(outcomes.values())
    return dict(outcomes)


@functools.cache
def _straight_flushes(held: int) -> dict[Made, int]:
    """Straight and Royal Flushes in one suit of which the player holds these ranks."""
    outcomes: Counter[Made] = Counter()
    flushes, of_value = tables(7).flushes, categories()
    masks = np.arange(1 << 13)
    bits = np.bitwise_count(masks)
    # Cards that are neither of this suit nor the player's.
    others = 50 - (13 - held.bit_count())
    for on_board in (3, 4, 5):
        boards = masks[(bits == on_board) & (masks & held == 0)]
        best = of_value[flushes[boards | held]]
        alone = of_value[flushes[boards]]  # 0 under five cards
        ways = comb(others, 5 - on_board)
        for category in _SUITED:
            for board, own in zip(
                boards[best == category.order], alone[best == category.order], strict=True
            ):
                board_category = _seen(int(own)) if on_board == 5 else None
                if category is Category.STRAIGHT_FLUSH:
                    made = Made(best_of_seven=category, board=board_category)
                    outcomes[made] += _ORDERS * ways
                else:
                    needed = (int(board) & _ROYAL).bit_count()
                    for street, orders in _complete(needed).items():
                        made = Made(
                            best_of_seven=category,
                            board=board_category,
                            first_complete=street,  # type: ignore[arg-type]
                            hole_card=needed < 5,
                        )
                        outcomes[made] += orders * ways
    return dict(outcomes)


def _seen(order: int) -> Category | None:
    category = tuple(Category)[order]
    return category if category in SEEN else None


@functools.cache
def _complete(needed: int) -> dict[str, int]:
    """In how many of the 20 orders so many of five board cards are all there by each street."""
    streets: Counter[str] = Counter()
    for turn, river in permutations(range(5), 2):
        if river < needed:
            streets["river"] += 1
        elif turn < needed:
            streets["turn"] += 1
        else:
            streets["flop"] += 1
    return dict(streets)


def _fours(row: int, column: int) -> dict[Made, int]:
    """Four of a Kind: no Straight Flush can lie beside one in seven cards."""
    four = Category.FOUR_OF_A_KIND
    if row == column:
        with_hole = comb(48, 3)  # the other two of the pair, and any three
        ranks = 12
    else:
        with_hole = 2 * comb(47, 2)  # the other three of either, and any two
        ranks = 11
    on_board = ranks * 46  # all four of another rank, and any card
    return {
        Made(best_of_seven=four): _ORDERS * with_hole,
        Made(best_of_seven=four, board=four): _ORDERS * on_board,
    }
