"""The 169 starting hands: their names, their numbers, and how many pairs of cards each is.

A hand is numbered by rank (Two 0 to Ace 12): ``13 * high + low`` if suited, ``13 * low + high`` if
not, which is also its place in the 13 by 13 square of charts; pairs lie on the diagonal.
"""

from __future__ import annotations

from croupier.cards import Card, Rank
from croupier.lab.errors import UnknownHand
from croupier.rulebooks import hole_class

_LETTERS = "".join(rank.value for rank in Rank)


def _name(number: int) -> str:
    row, column = divmod(number, 13)
    high, low = max(row, column), min(row, column)
    ending = "" if row == column else "s" if row > column else "o"
    return _LETTERS[high] + _LETTERS[low] + ending


NAMES: tuple[str, ...] = tuple(_name(number) for number in range(169))
"""By number: ``AA``, ``AKs``, ``72o``."""

COMBINATIONS: tuple[int, ...] = tuple(
    6 if number // 13 == number % 13 else 4 if number // 13 > number % 13 else 12
    for number in range(169)
)
"""By number: pairs of cards that are this hand."""

_NUMBERS = {name: number for number, name in enumerate(NAMES)}

# Best rank first, suited before mixed: the order in which people list them.
LISTED: tuple[int, ...] = tuple(
    sorted(
        range(169),
        key=lambda n: (-max(divmod(n, 13)), -min(divmod(n, 13)), n // 13 < n % 13),
    )
)


def hand_number(hand: str) -> int:
    """The number of a hand such as ``AKs``; raises ``UnknownHand``."""
    try:
        return _NUMBERS[hand]
    except KeyError:
        raise UnknownHand(
            f"{hand!r} is no starting hand: write two ranks, the higher first, and s or o, "
            "as in AKs, 72o or QQ"
        ) from None


def hand_of(first: Card, second: Card) -> int:
    """The number of the hand that these two cards are."""
    return _NUMBERS[hole_class(first, second)]
