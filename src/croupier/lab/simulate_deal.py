"""Dealing by number: the cards of round ``i`` at table ``t`` are a function of the seed alone.

The generator is Philox4x32-10, which turns a counter and a key into 128 random bits without any
state. The key is the seed; the counter says which table, which round and which word of it. So no
round depends on how many were dealt before it, by whom, or in which order: threads, chunks,
workers and resumed runs all deal the same cards.

One 64-bit word deals nine cards, exactly evenly: it is one of 52 x 51 x ... x 44 orders, and a
word beyond the last whole multiple of that number is thrown away for another. The nine are the
five Community Cards, the dealer's two and the first box's two. Each further box takes one more
word and two of the cards that are left. Burnt cards change nothing and are not drawn.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.lab.compiled import inlined, kernel

Cards: TypeAlias = npt.NDArray[np.uint8]

BOARD = 5
FIRST = 9
"""How many cards the first word deals: board, dealer, first box."""
MAX_BOXES = (52 - 7) // 2
"""More boxes than this cannot be dealt from one deck."""

_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_NINE = 52 * 51 * 50 * 49 * 48 * 47 * 46 * 45 * 44
_NINE_ORDERS = np.uint64(_NINE)
_NINE_LIMIT = np.uint64((1 << 64) // _NINE * _NINE)
_ALL = np.uint64((1 << 64) - 1)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_AGAIN = np.uint64(1 << 16)
"""Added to the number of a block for each further try, so that no two boxes share a word."""


@inlined
def philox(c0, c1, c2, c3, k0, k1):  # type: ignore[no-untyped-def]
    """Ten rounds of Philox4x32: four words of 32 bits, each in a uint64."""
    for _ in range(10):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0, c1, c2, c3 = (
            (p1 >> _32) ^ c1 ^ k0,
            p1 & _LOW,
            (p0 >> _32) ^ c3 ^ k1,
            p0 & _LOW,
        )
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@inlined
def words(seed, table, number, block):  # type: ignore[no-untyped-def]
    """Two random words of 64 bits: the block-th pair of this round at this table."""
    a, b, c, d = philox(
        number & _LOW, number >> _32, table & _LOW, block & _LOW, seed & _LOW, seed >> _32
    )
    return (a << _32) | b, (c << _32) | d


@inlined
def take(deck, place, pick):  # type: ignore[no-untyped-def]
    """Swap the picked one of the cards that are left, from ``place`` on, to ``place``; give it."""
    other = place + np.int64(pick)
    card = deck[other]
    deck[other] = deck[place]
    deck[place] = card
    return card


@kernel
def deal(seed, table, first, count, boxes, out):  # type: ignore[no-untyped-def]
    """Deal ``count`` rounds from number ``first`` on to the rows of ``out``.

    A row holds five Community Cards, the dealer's two, then two for each box.
    """
    deck = np.empty(52, np.uint8)
    for row in range(count):
        number = np.uint64(first) + np.uint64(row)
        for card in range(52):
            deck[card] = np.uint8(card)
        word, spare = words(seed, table, number, _ZERO)
        tries = _ZERO
        while word >= _NINE_LIMIT:
            tries += _AGAIN
            word, _ = words(seed, table, number, tries)
        word %= _NINE_ORDERS
        for place in range(FIRST):
            left = np.uint64(52 - place)
            rest = word // left
            out[row, place] = take(deck, place, word - rest * left)
            word = rest
        for box in range(1, boxes):
            if box & 1:
                word = spare
            else:
                word, spare = words(seed, table, number, np.uint64(box >> 1))
            place = 7 + 2 * box
            left = np.uint64(52 - place)
            orders = left * (left - _ONE)
            tries = np.uint64(box)
            while word >= _ALL // orders * orders:
                tries += _AGAIN
                word, _ = words(seed, table, number, tries)
            word %= orders
            rest = word // left
            out[row, place] = take(deck, place, word - rest * left)
            out[row, place + 1] = take(deck, place + 1, rest)
