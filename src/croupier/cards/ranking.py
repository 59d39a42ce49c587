"""Ranking a hand: the value of 5, 6 or 7 cards, and the five of them that make it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NoReturn

from croupier.cards.card import Card, Rank
from croupier.cards.category import Category
from croupier.cards.errors import CardCountError, CardTwiceError, NotACardError, UnknownCardError
from croupier.cards.keys import (
    CARD_SET_SHIFT,
    LANE_MASK,
    RANK_SUM_MASK,
    SUIT_COUNT_MASK,
    SUIT_COUNT_SHIFT,
)
from croupier.cards.tables import sections
from croupier.cards.value import HandValue, all_values

# Filled by _load on the first hand. Until then they are empty, so that the first hand misses in
# them and the ordinary way needs no test for it.
_LANE: list[int] = []
"""By suit counts: where the lane of the flush begins in a sum of keys; 0 if there is no flush."""
_FLUSHES: list[HandValue] = []
"""By the lane of the flush."""
_ROWS_5: list[int] = []
_ROWS_6: list[int] = []
_ROWS_7: list[int] = []
"""By rank sum >> shift: what to add to the rank sum for its place among the values."""
_VALUES_5: list[HandValue] = []
_VALUES_6: list[HandValue] = []
_VALUES_7: list[HandValue] = []
_SHIFT_5, _SHIFT_6, _SHIFT_7 = 11, 11, 10


def rank_hand(cards: Collection[Card]) -> HandValue:
    """The value of the best five of 5, 6 or 7 cards.

    Raises ``CardCountError``, ``CardTwiceError``, ``UnknownCardError`` or ``NotACardError``.
    """
    try:
        count = len(cards)
        if count == 7:
            a, b, c, d, e, f, g = cards
            keys = a.key + b.key + c.key + d.key + e.key + f.key + g.key
            if (keys >> CARD_SET_SHIFT).bit_count() == 7:
                if lane := _LANE[keys >> SUIT_COUNT_SHIFT & SUIT_COUNT_MASK]:
                    return _FLUSHES[keys >> lane & LANE_MASK]
                rank_sum = keys & RANK_SUM_MASK
                return _VALUES_7[_ROWS_7[rank_sum >> _SHIFT_7] + rank_sum]
        elif count == 5:
            a, b, c, d, e = cards
            keys = a.key + b.key + c.key + d.key + e.key
            if (keys >> CARD_SET_SHIFT).bit_count() == 5:
                if lane := _LANE[keys >> SUIT_COUNT_SHIFT & SUIT_COUNT_MASK]:
                    return _FLUSHES[keys >> lane & LANE_MASK]
                rank_sum = keys & RANK_SUM_MASK
                return _VALUES_5[_ROWS_5[rank_sum >> _SHIFT_5] + rank_sum]
        elif count == 6:
            a, b, c, d, e, f = cards
            keys = a.key + b.key + c.key + d.key + e.key + f.key
            if (keys >> CARD_SET_SHIFT).bit_count() == 6:
                if lane := _LANE[keys >> SUIT_COUNT_SHIFT & SUIT_COUNT_MASK]:
                    return _FLUSHES[keys >> lane & LANE_MASK]
                rank_sum = keys & RANK_SUM_MASK
                return _VALUES_6[_ROWS_6[rank_sum >> _SHIFT_6] + rank_sum]
    except (IndexError, AttributeError, TypeError):
        pass
    return _first_or_wrong(cards)


def best_five(cards: Collection[Card]) -> tuple[Card, ...]:
    """The five cards that make the hand's value, in the order in which they are shown.

    The cards that make the category come first, then the others from high to low; a straight runs
    from its top, so 5-4-3-2-A ends with its Ace. Where suits leave a choice or an order open, it is
    Spades, Hearts, Diamonds, Clubs, in whatever order the cards were given.
    """
    cards = tuple(cards)
    value = rank_hand(cards)
    chosen = sorted(cards, key=_suit_order, reverse=True)
    if value.category in _SUITED:
        suits = [card.suit for card in cards]
        chosen = [card for card in chosen if suits.count(card.suit) >= 5]
    by_rank: dict[Rank, list[Card]] = {}
    for card in chosen:
        by_rank.setdefault(card.rank, []).append(card)
    return tuple([by_rank[rank].pop(0) for rank in value.ranks])


_SUITED = frozenset({Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})


def _suit_order(card: Card) -> int:
    return card.suit.order


def _first_or_wrong(cards: Iterable[Card]) -> HandValue:
    """The rare ways out of ``rank_hand``: the very first hand, an iterator, or something wrong."""
    cards = tuple(cards)
    _check_hand(cards)
    if not _LANE:
        _load()
    return rank_hand(cards)


def _check_hand(cards: tuple[Card, ...]) -> None:
    def wrong(kind: type[ValueError], what: str) -> NoReturn:
        raise kind(f"{what} in the hand {' '.join(str(card) for card in cards)}")

    for place, card in enumerate(cards, 1):
        if not isinstance(card, Card):
            raise NotACardError(
                f"{card!r} in place {place} of the hand is no Card: read text with read_cards"
            )
    if not 5 <= len(cards) <= 7:
        shown = " ".join(str(card) for card in cards) or "nothing"
        raise CardCountError(
            f"a hand is ranked from 5, 6 or 7 cards, not from {len(cards)}: {shown}"
        )
    if Card.UNKNOWN in cards:
        place = cards.index(Card.UNKNOWN) + 1
        wrong(UnknownCardError, f"only known cards can be ranked: there is ?? in place {place}")
    for place, card in enumerate(cards):
        if card in cards[:place]:
            first = cards.index(card) + 1
            wrong(CardTwiceError, f"{card} occurs twice, in places {first} and {place + 1},")


def _load() -> None:
    """Unfold the shipped tables into lists, with the values in place of their numbers."""
    tables = sections()
    values: list[HandValue] = [None, *all_values()]  # type: ignore[list-item]
    for cards, shift, rows, found in (
        (5, _SHIFT_5, _ROWS_5, _VALUES_5),
        (6, _SHIFT_6, _ROWS_6, _VALUES_6),
        (7, _SHIFT_7, _ROWS_7, _VALUES_7),
    ):
        table = tables[f"rows_{cards}"]
        assert table.shift == shift, "the tables were packed otherwise than they are read"
        starts = table.items()
        # The row's own number is taken off here, so that the whole rank sum can be added to it.
        rows[:] = [start - (row << shift) for row, start in enumerate(starts)]
        found[:] = [values[number] for number in tables[f"values_{cards}"].items()]
    _FLUSHES[:] = [values[number] for number in tables["flushes"].items()]
    lanes = [0] * (SUIT_COUNT_MASK + 1)
    for counts in range(len(lanes)):
        for suit in range(4):
            if counts >> 3 * suit & 0b111 >= 5:
                lanes[counts] = CARD_SET_SHIFT + 13 * suit
    _LANE[:] = lanes  # last: whoever sees it filled finds all the others filled
