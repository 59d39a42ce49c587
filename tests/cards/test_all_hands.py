"""All hands there are, against the known counts.

The normal set ranks every five-card hand one by one, and every *class* of hands of six and seven:
those of the same ranks without a flush, or with the same flush, are worth the same whatever their
suits, so one of each class is ranked and counted as often as there are such hands. The slow set
takes nothing for granted and ranks all 20,358,520 and 133,784,560 of them.
"""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from math import comb, prod
from multiprocessing import get_context

import pytest

from croupier.cards import DECK, Card, Category, HandValue, rank_hand
from tests.cards.naive import naive_five

ROYAL_FLUSH_DOWN_TO_FIVE_ODD_CARDS = sorted(Category, reverse=True)
KNOWN = {
    5: (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540),
    6: (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900),
    7: (
        4_324,
        37_260,
        224_848,
        3_473_184,
        4_047_644,
        6_180_020,
        6_461_620,
        31_433_400,
        58_627_800,
        23_294_460,
    ),
}
DISTINCT = {5: 7_462, 6: 6_075, 7: 4_824}


def check(cards: int, counts: dict[int, int]) -> None:
    """The counts of hands by value are the known ones."""
    assert sum(counts.values()) == comb(52, cards)
    by_category: Counter[Category] = Counter()
    for number, count in counts.items():
        by_category[HandValue(number).category] += count
    found = tuple(by_category[category] for category in ROYAL_FLUSH_DOWN_TO_FIVE_ODD_CARDS)
    assert found == KNOWN[cards]
    assert len(counts) == DISTINCT[cards]


def test_the_known_counts_themselves_add_up():
    for cards, counts in KNOWN.items():
        assert sum(counts) == comb(52, cards)


def test_every_five_card_hand():
    check(5, Counter(map(rank_hand, combinations(DECK, 5))))


def test_every_value_is_the_naive_rankers():
    """One hand of each of the 7462 values: the naive ranker puts them in the same order."""
    one_of_each: dict[int, tuple[Card, ...]] = {}
    for hand in combinations(DECK, 5):
        value = rank_hand(hand)
        if value not in one_of_each:
            one_of_each[value] = hand
            if len(one_of_each) == 7462:
                break
    naive = [naive_five(one_of_each[value]) for value in range(1, 7463)]
    assert naive == sorted(set(naive))


def rank_multisets(cards: int, ranks: int = 13) -> Iterator[tuple[int, ...]]:
    """How often each rank can occur in that many cards."""
    if ranks == 0:
        if cards == 0:
            yield ()
        return
    for here in range(min(4, cards) + 1):
        for others in rank_multisets(cards - here, ranks - 1):
            yield (here, *others)


def with_flush(counts: tuple[int, ...]) -> int:
    """Of the hands with these ranks, how many have five or more cards of one suit."""
    by_suited = [1]  # so many ways to have 0, 1, ... cards of a given suit
    for count in counts:
        without, having = comb(3, count), comb(3, count - 1) if count else 0
        longer = [ways * without for ways in by_suited] + [0]
        for suited, ways in enumerate(by_suited):
            longer[suited + 1] += ways * having
        by_suited = longer
    return 4 * sum(by_suited[5:])


def without_flush(counts: tuple[int, ...]) -> list[Card]:
    """A hand of these ranks without a flush: its suits go round, whatever the ranks."""
    hand: list[Card] = []
    for rank, count in zip("23456789TJQKA", counts, strict=True):
        hand += [Card(rank + "cdhs"[(len(hand) + more) % 4]) for more in range(count)]
    return hand


def classes(cards: int) -> Iterator[tuple[list[Card], int]]:
    """One hand of each class, and how many hands are like it."""
    for counts in rank_multisets(cards):
        all_suits = prod(comb(4, count) for count in counts)
        if plain := all_suits - with_flush(counts):
            yield without_flush(counts), plain
    clubs, others = DECK[:13], DECK[13:]
    for suited in range(5, cards + 1):
        rest = list(others[: cards - suited])
        for flush in combinations(clubs, suited):
            yield [*flush, *rest], 4 * comb(39, cards - suited)


@pytest.mark.parametrize("cards", [5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_every_class_of_hands_counted_as_often_as_it_occurs(cards):
    counts: Counter[int] = Counter()
    for hand, like_it in classes(cards):
        counts[rank_hand(hand)] += like_it
    check(cards, counts)


def count_hands(task: tuple[int, int, int]) -> Counter[int]:
    """Rank every hand whose two lowest cards by index are these; plain integers travel back."""
    cards, first, second = task
    head = DECK[first], DECK[second]
    tails = combinations(DECK[second + 1 :], cards - 2)
    counts = Counter(map(rank_hand, (head + tail for tail in tails)))
    return Counter({int(value): count for value, count in counts.items()})


@pytest.mark.slow
@pytest.mark.parametrize("cards", [6, 7])
def test_every_single_hand(cards):
    tasks = [(cards, first, second) for first, second in combinations(range(52), 2)]
    total: Counter[int] = Counter()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for counts in pool.map(count_hands, tasks, chunksize=8):
            total.update(counts)
    check(cards, total)
