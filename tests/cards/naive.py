"""A slow ranker written from the rulebook's list alone (3.1.1 to 3.1.3), sharing nothing with the
evaluator: every five of the cards, each put into its category by looking at it."""

from collections import Counter
from itertools import combinations

from croupier.cards import Card

ORDER = [
    "five-odd-cards",
    "one-pair",
    "two-pairs",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
]
RANKS = "23456789TJQKA"


def naive_five(cards) -> tuple[int, tuple[int, ...]]:
    texts = [card.value for card in cards]
    ranks = sorted((RANKS.index(text[0]) + 2 for text in texts), reverse=True)
    suits = {text[1] for text in texts}
    how_often = Counter(ranks)
    grouped = sorted(ranks, key=lambda rank: (how_often[rank], rank), reverse=True)
    shape = sorted(how_often.values(), reverse=True)
    if ranks == [14, 5, 4, 3, 2]:
        grouped, in_sequence = [5, 4, 3, 2, 1], True
    else:
        in_sequence = len(how_often) == 5 and ranks[0] - ranks[4] == 4
    if in_sequence and len(suits) == 1:
        name = "royal-flush" if grouped[0] == 14 else "straight-flush"
    elif shape == [4, 1]:
        name = "four-of-a-kind"
    elif shape == [3, 2]:
        name = "full-house"
    elif len(suits) == 1:
        name = "flush"
    elif in_sequence:
        name = "straight"
    elif shape == [3, 1, 1]:
        name = "three-of-a-kind"
    elif shape == [2, 2, 1]:
        name = "two-pairs"
    elif shape == [2, 1, 1, 1]:
        name = "one-pair"
    else:
        name = "five-odd-cards"
    return ORDER.index(name), tuple(grouped)


def naive_rank(cards: tuple[Card, ...]) -> tuple[int, tuple[int, ...]]:
    """Category, 0 to 9, and the ranks that count (a low Ace as 1) of the best five."""
    return max(naive_five(five) for five in combinations(cards, 5))
