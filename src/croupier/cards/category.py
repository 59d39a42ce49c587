"""The ten categories of hands, by the rulebooks' own names (3.1.2; poker-v5 3.5.2)."""

from __future__ import annotations

import enum


class Category(enum.Enum):
    """A category of hands. The value is the slug that the ledgers use in paragraph ids.

    Categories compare: ``value.category >= Category.STRAIGHT`` reads "a Straight or better".
    """

    FIVE_ODD_CARDS = "five-odd-cards"
    ONE_PAIR = "one-pair"
    TWO_PAIRS = "two-pairs"
    THREE_OF_A_KIND = "three-of-a-kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full-house"
    FOUR_OF_A_KIND = "four-of-a-kind"
    STRAIGHT_FLUSH = "straight-flush"
    ROYAL_FLUSH = "royal-flush"

    order: int
    """0 for Five Odd Cards to 9 for the Royal Flush."""
    title: str
    """The rulebooks' name: ``Royal Flush``, ``Four of a Kind``, ``Five Odd Cards``."""

    def __init__(self, slug: str) -> None:
        self.order = len(type(self).__members__)
        self.title = slug.replace("-", " ").title().replace(" Of A ", " of a ")

    __hash__ = object.__hash__

    def __lt__(self, other: object) -> bool:
        return self.order < other.order if isinstance(other, Category) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.order <= other.order if isinstance(other, Category) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.order > other.order if isinstance(other, Category) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.order >= other.order if isinstance(other, Category) else NotImplemented

    def __str__(self) -> str:
        return self.title

    def __repr__(self) -> str:
        return f"Category.{self.name}"
