"""Name the hand: two Hole Cards and the board, and what they make.

The right name is that of the best five of the seven. A wrong one is the name of five that are
worse: seen by whoever forgets the board, thinks that both Hole Cards must be used, or misses a
card.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from croupier.cards import DECK, Card, Category, HandValue, rank_hand
from croupier.rulebooks import Rulebook, Topic
from croupier.school.choices import part_of
from croupier.school.errors import NotMade
from croupier.school.exercise import AnswerChoice, CardsShown, Exercise

ASK = "Which hand is it?"
DRAWS = 4_000
"""Deals that are tried for a hand of the category that is wanted."""
CATEGORIES = tuple(one for one in Category if one < Category.STRAIGHT_FLUSH)
"""Those that come soon enough."""


def hand_exercise(book: Rulebook, category: str, level: int, rng: Random) -> Exercise:
    """Seven cards to be named; on the first level only their category."""
    hole, board = _dealt(Category(category), rng)
    seven = (*hole, *board)
    right = rank_hand(seven)
    name = _category if level == 1 else _sentence
    cites = _paragraph_of(book, right.category)
    best = AnswerChoice(says=name(right), cites=cites, would=(f"It is {right.sentence}.",))
    wrong = _wrong(book, seven, hole, board, right, level)
    return Exercise(
        kind="hand",
        rulebook=book.id,
        item=f"hand/{category}",
        level=level,
        title="Name the hand",
        told=("Two Hole Cards and the board, face up.",),
        parts=(part_of(ASK, best, wrong, rng, most=3 if level == 1 else 4),),
        cards=(
            CardsShown(label="Hole Cards", cards=tuple(map(str, hole))),
            CardsShown(label="Board", cards=tuple(map(str, board))),
        ),
        cites=cites,
    )


def _category(value: HandValue) -> str:
    return value.category.title


def _sentence(value: HandValue) -> str:
    return value.sentence


def _dealt(wanted: Category, rng: Random) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Seven cards that make the category that is wanted."""
    for _ in range(DRAWS):
        cards = tuple(rng.sample(DECK, 7))
        if rank_hand(cards).category is wanted:
            return cards[:2], cards[2:]
    raise NotMade(wanted.title)


def _wrong(
    book: Rulebook,
    seven: tuple[Card, ...],
    hole: tuple[Card, ...],
    board: tuple[Card, ...],
    right: HandValue,
    level: int,
) -> Iterator[AnswerChoice]:
    name = _category if level == 1 else _sentence
    for value, because in _seen_wrongly(seven, hole, board, right):
        cites = _paragraph_of(book, value.category)
        yield AnswerChoice(says=name(value), because=because, cites=cites)
    if level == 1:  # a category that these cards do not make, next to the right one
        nearest = sorted(Category, key=lambda one: abs(one.order - right.category.order))
        for category in nearest:
            because = "None of these cards make it."
            yield AnswerChoice(
                says=category.title, because=because, cites=_paragraph_of(book, category)
            )


def _seen_wrongly(
    seven: tuple[Card, ...], hole: tuple[Card, ...], board: tuple[Card, ...], right: HandValue
) -> Iterator[tuple[HandValue, str]]:
    """Worse hands among the seven, with how one comes to see them."""
    both = max(rank_hand((*hole, *three)) for three in combinations(board, 3))
    alone = rank_hand(board)
    if both < right:
        yield both, "So it would be if both Hole Cards had to be used; they need not be."
    if alone < right:
        yield alone, "So it would be if the board alone counted."
    lesser = {rank_hand(five) for five in combinations(seven, 5)} - {right, both, alone}
    for value in sorted(lesser, reverse=True):
        yield value, "Five of these cards make it, but five others are better."


def _paragraph_of(book: Rulebook, category: Category) -> tuple[str, ...]:
    """Where a book names a category."""
    for id in book.paragraphs:
        if id.endswith(f".{category.value}") and book.has(Topic.HAND_CATEGORIES):
            return (id,)
    return book.cite(Topic.HAND_CATEGORIES)
