"""The integers that the evaluator adds up, and how one card's are laid out.

``RANK_KEYS`` gives each rank a key such that the keys of any 5, any 6 and any 7 cards (at most four
of a rank), added up modulo 2**23, give a sum that no other ranks of as many cards have. The sum is
spread evenly over the 23 bits, which is what lets ``generate`` pack the tables almost without a
hole.

They come from ``_SMALL_KEYS``, found by a randomised greedy search for keys with different sums and
a small greatest sum, and stretched by an odd factor, which keeps different sums different.
``generate`` refuses to build tables in which two sums meet, so the search need not be trusted.

A card's ``key`` is one integer of three fields, wide enough that seven cards never overflow from
one into the next, so that one addition per card does all the work::

    bit 0           26           38                        90
        │ rank key  │ suit count │ one bit for each of the │
        │           │ 4 x 3 bits │ 52 cards, by index      │

From the sum of n keys: the rank sum (its low 23 bits); how many cards are of each suit; and the set
of cards. The sum of n single bits has n bits set exactly if they all differ, so counting the bits
of the last field finds a card given twice and, since ``??`` adds nothing, an unknown card.
"""

from __future__ import annotations

RANK_SUM_BITS = 23
RANK_SUM_MASK = (1 << RANK_SUM_BITS) - 1
"""Takes the rank sum from a sum of card keys or of rank keys."""

_SMALL_KEYS = (0, 2, 5, 24, 106, 493, 2210, 9470, 31405, 104607, 253845, 629250, 1432226)
_FACTOR = 5_184_445  # 2**23 divided by the golden ratio, to the nearest odd number

RANK_KEYS = tuple(key * _FACTOR & RANK_SUM_MASK for key in _SMALL_KEYS)
"""By rank, Two first."""

SUIT_COUNT_SHIFT = RANK_SUM_BITS + 3
SUIT_COUNT_MASK = (1 << 12) - 1
CARD_SET_SHIFT = SUIT_COUNT_SHIFT + 12
LANE_MASK = (1 << 13) - 1
"""The ranks of one suit, a bit each, Two lowest."""


def card_key(place: int, suit: int) -> int:
    """The evaluator's integer for the card of that rank (Two is 0, Ace 12) and suit (Clubs 0)."""
    return (
        RANK_KEYS[place]
        | 1 << SUIT_COUNT_SHIFT + 3 * suit
        | 1 << CARD_SET_SHIFT + 13 * suit + place
    )


def card_mask(place: int, suit: int) -> int:
    """The bit of that card in a 64-bit set of cards with a lane of 16 bits for each suit."""
    return 1 << 16 * suit + place
