"""What a hand is worth: one of 7462 values, each with its category, its ranks and its sentence."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from croupier.cards.card import Rank
from croupier.cards.category import Category
from croupier.cards.errors import CardError

WORTHS = 7462
"""How many values there are. Equal hands share one, and no others do."""

_RANKS = tuple(Rank)


class HandValue(int):
    """The worth of a hand: an integer from 1, the worst five odd cards, to 7462, the Royal Flush.

    Values compare as integers do, and two hands that split a pot have the very same one. There is
    one object for each value; ``HandValue(7462)`` finds it. A record stores ``int(value)``.
    """

    category: Category
    """The category, which compares as well: ``value.category >= Category.STRAIGHT``."""
    ranks: tuple[Rank, ...]
    """The ranks of the five cards in the order in which they count: K-K-K-J-J, or 5-4-3-2-A."""

    _all: ClassVar[tuple[HandValue, ...]] = ()

    def __new__(cls, number: int) -> HandValue:
        if not 1 <= number <= WORTHS:
            raise CardError(f"there is no hand value {number}: they run from 1 to {WORTHS}")
        return all_values()[number - 1]

    @property
    def sentence(self) -> str:
        """The hand as a dealer says it: ``Full House, Kings over Jacks``."""
        return _sentence(self.category, self.ranks)

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<HandValue {int(self)}: {self.sentence}>"

    def __format__(self, spec: str) -> str:
        numeric = spec.endswith(tuple("bcdeEfFgGnoxX%"))
        return format(int(self) if numeric else str(self), spec)

    def __reduce__(self) -> tuple[type[HandValue], tuple[int]]:
        return HandValue, (int(self),)

    def __copy__(self) -> HandValue:
        return self

    def __deepcopy__(self, memo: object) -> HandValue:
        return self


def category_told(sentence: str) -> str:
    """The name of the category of a hand that is told as `HandValue.sentence` tells it."""
    return sentence.partition(",")[0]


def all_values() -> tuple[HandValue, ...]:
    """Every value, the worst first: ``all_values()[n - 1] == n``. Built on first use."""
    if not HandValue._all:
        made = []
        for number, (category, places) in enumerate(hand_classes(), 1):
            value = int.__new__(HandValue, number)
            value.category = category
            value.ranks = tuple([_RANKS[place] for place in places])
            made.append(value)
        assert len(made) == WORTHS
        HandValue._all = tuple(made)
    return HandValue._all


def hand_classes() -> Iterator[tuple[Category, tuple[int, ...]]]:
    """Every class of equal hands, the worst first: category and five ranks, Two as 0, Ace as 12.

    3.1.3: inside a category first the cards that make it are compared, then the others, from high
    to low; that is the order of the tuples.
    """
    distinct = sorted(tuple(sorted(five, reverse=True)) for five in combinations(range(13), 5))
    runs = [(3, 2, 1, 0, 12), *(tuple(range(top, top - 5, -1)) for top in range(4, 13))]
    in_sequence = {tuple(sorted(run, reverse=True)) for run in runs}
    odd = [five for five in distinct if five not in in_sequence]

    def grouped(size: int, groups: int) -> list[tuple[int, ...]]:
        """``groups`` groups of ``size`` equal cards, and single cards up to five."""
        singles = 5 - size * groups
        hands = []
        for tops in combinations(range(12, -1, -1), groups):
            others = [place for place in range(12, -1, -1) if place not in tops]
            head = tuple(place for place in tops for _ in range(size))
            hands += [head + rest for rest in combinations(others, singles)]
        return sorted(hands)

    houses: list[tuple[int, ...]] = [
        (three, three, three, pair, pair)
        for three in range(13)
        for pair in range(13)
        if three != pair
    ]
    tables: list[tuple[Category, list[tuple[int, ...]]]] = [
        (Category.FIVE_ODD_CARDS, odd),
        (Category.ONE_PAIR, grouped(2, 1)),
        (Category.TWO_PAIRS, grouped(2, 2)),
        (Category.THREE_OF_A_KIND, grouped(3, 1)),
        (Category.STRAIGHT, runs),
        (Category.FLUSH, odd),
        (Category.FULL_HOUSE, houses),
        (Category.FOUR_OF_A_KIND, grouped(4, 1)),
        (Category.STRAIGHT_FLUSH, runs[:-1]),
        (Category.ROYAL_FLUSH, runs[-1:]),
    ]
    for category, hands in tables:
        for places in hands:
            yield category, places


@functools.cache
def _sentence(category: Category, ranks: tuple[Rank, ...]) -> str:
    """No two values share a sentence: whoever hears two of them knows which hand is better."""
    first, second, third, fourth, fifth = ranks
    title = category.title
    match category:
        case Category.ROYAL_FLUSH:
            return title
        case Category.STRAIGHT_FLUSH | Category.STRAIGHT:
            return f"{title}, {first.title} high"
        case Category.FOUR_OF_A_KIND:
            return f"{title}, {first.plural}, {fifth.title} kicker"
        case Category.FULL_HOUSE:
            return f"{title}, {first.plural} over {fourth.plural}"
        case Category.THREE_OF_A_KIND:
            return f"{title}, {first.plural}, {_listed(fourth, fifth)} kickers"
        case Category.TWO_PAIRS:
            return f"{title}, {first.plural} and {third.plural}, {fifth.title} kicker"
        case Category.ONE_PAIR:
            return f"{title}, {first.plural}, {_listed(third, fourth, fifth)} kickers"
        case Category.FLUSH | Category.FIVE_ODD_CARDS:
            return f"{title}, {first.title} high, then {_listed(second, third, fourth, fifth)}"


def _listed(*ranks: Rank) -> str:
    *others, last = [rank.title for rank in ranks]
    return f"{', '.join(others)} and {last}"
