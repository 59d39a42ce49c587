"""Ranking hands by the million: 5, 6 or 7 cards, as 64-bit masks or as rows of card indices.

    >>> import numpy as np
    >>> from croupier.cards import read_cards
    >>> royal = read_cards("As Ks Qs Js Ts 2c 3d")
    >>> rank_masks(np.array([sum(card.mask for card in royal)], np.uint64))
    array([7462], dtype=uint16)
    >>> rank_rows(np.array([[card.index for card in royal]], np.uint8))
    array([7462], dtype=uint16)

The numbers are those of ``croupier.cards.rank_hand`` and come from the same tables. Nothing is
ranked that is no hand: a wrong count, a card twice or an index beyond 51 raises ``BadHand`` with
the number of the first such row.

How one hand is ranked: each of the four lanes of a mask looks up the sum of its rank keys, to which
this module has added how many cards they are. Four additions then give the ranks, the count and
whether five are of one suit.
"""

from __future__ import annotations

import functools
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.cards import DECK, write_cards
from croupier.cards.generate import FLUSH_FLAG
from croupier.cards.keys import LANE_MASK, RANK_SUM_MASK
from croupier.cards.tables import sections
from croupier.lab.compiled import inlined, kernel, spread
from croupier.lab.errors import BadHand, BatchError
from croupier.lab.rows import (
    BYTES_READ,
    eight_rows_of_five,
    eight_rows_of_seven,
    eight_rows_of_six,
)

Masks: TypeAlias = npt.NDArray[np.uint64]
Rows: TypeAlias = npt.NDArray[np.uint8]
Values: TypeAlias = npt.NDArray[np.uint16]
Lanes: TypeAlias = npt.NDArray[np.uint32]
Keys: TypeAlias = npt.NDArray[np.uint64]

# A lane's entry: the rank sum, whose four-fold sum still fits below bit 25; the number of cards, up
# to 52 in six bits; and the flag of a flush on top.
_COUNT_SHIFT = np.uint32(25)
_COUNTS = np.uint32(0x3F << 25)
_FLUSH = np.uint32(FLUSH_FLAG)
_SUM_MASK = np.uint32(RANK_SUM_MASK)
_LANE = np.uint64(LANE_MASK)
_STRAY = np.uint64(~sum(LANE_MASK << 16 * suit for suit in range(4)) & (1 << 64) - 1)
_16, _32, _48 = np.uint64(16), np.uint64(32), np.uint64(48)
_NO_CARD = 1 << 15
"""The bit that an index beyond 51 stands for: a stray one, so that its row is found out."""
_BLOCK = 64
"""Rows whose masks are made before they are looked up: a multiple of eight, and so few that the
processor reads the next ones while it still looks up the last."""


class Tables(NamedTuple):
    """What ranking a hand of so many cards looks up."""

    lanes: Lanes
    """By the ranks of one suit: sum of keys, number of cards, flag of a flush."""
    flushes: Values
    rows: Values
    values: Values
    shift: np.uint32


@functools.cache
def tables(cards: int) -> Tables:
    """The tables for hands of ``cards`` cards, from those that ``croupier.cards`` ships."""
    if cards not in (5, 6, 7):
        raise BatchError(f"a hand is ranked from 5, 6 or 7 cards, not from {cards}")
    shipped = sections()

    def table(name: str) -> npt.NDArray[np.generic]:
        section = shipped[name]
        array = np.frombuffer(section.data, dtype="<" + section.type)
        return array.astype(array.dtype.newbyteorder("="))  # copies: its own aligned memory

    sums = table("suit_sums").astype(np.uint32)
    shift = shipped[f"rows_{cards}"].shift
    # As long as any row and column could reach, so that what is no hand reads zeros, not beyond.
    values = np.zeros((1 << 16) + (1 << shift), np.uint16)
    packed = table(f"values_{cards}")
    values[: len(packed)] = packed
    counts = np.bitwise_count(np.arange(len(sums), dtype=np.uint32)).astype(np.uint32)
    return Tables(
        lanes=sums | counts << _COUNT_SHIFT,
        flushes=table("flushes").astype(np.uint16),
        rows=table(f"rows_{cards}").astype(np.uint16),
        values=values,
        shift=np.uint32(shift),
    )


@functools.cache
def card_masks() -> Masks:
    """By card index: its bit. Beyond 51: a bit that no card has."""
    masks = np.full(256, _NO_CARD, np.uint64)
    masks[: len(DECK)] = [card.mask for card in sorted(DECK, key=lambda card: card.index)]
    return masks


@inlined
def mask_value(  # type: ignore[no-untyped-def]
    mask, lanes, flushes, rows, values, shift
):
    """Inside kernels: the value of a mask that is known to hold the right number of cards."""
    a = mask & _LANE
    b = (mask >> _16) & _LANE
    c = (mask >> _32) & _LANE
    d = (mask >> _48) & _LANE
    keys = np.uint32(lanes[a] + lanes[b] + lanes[c] + lanes[d])
    if keys & _FLUSH:
        return np.uint16(flushes[a] | flushes[b] | flushes[c] | flushes[d])
    ranks = np.uint32(keys & _SUM_MASK)
    low = np.uint32((np.uint32(1) << shift) - np.uint32(1))
    return values[np.uint32(rows[ranks >> shift]) + np.uint32(ranks & low)]


@inlined
def look_up(  # type: ignore[no-untyped-def]
    masks, count, out, at, seen, lanes, flushes, rows, values, shift
):
    """Inside kernels: rank so many masks into ``out`` from ``at`` on, and note what was seen.

    ``seen`` is the union of the masks, and the union and the intersection of their lanes' sums.
    """
    union, some, every = seen
    low = np.uint32((np.uint32(1) << shift) - np.uint32(1))
    for i in range(count):
        mask = masks[i]
        a = mask & _LANE
        b = (mask >> _16) & _LANE
        c = (mask >> _32) & _LANE
        d = (mask >> _48) & _LANE
        keys = np.uint32(lanes[a] + lanes[b] + lanes[c] + lanes[d])
        union |= mask
        some |= keys
        every &= keys
        if keys & _FLUSH:
            out[at + i] = flushes[a] | flushes[b] | flushes[c] | flushes[d]
        else:
            ranks = np.uint32(keys & _SUM_MASK)
            place = np.uint32(np.uint32(rows[ranks >> shift]) + np.uint32(ranks & low))
            out[at + i] = values[place]
    return union, some, every


@inlined
def all_were_hands(seen, cards):  # type: ignore[no-untyped-def]
    """Inside kernels: whether what was seen were hands of so many cards, or nothing.

    All hold the right number of cards exactly if both the union and the intersection of the counts
    are that number; and no bit is stray if none of their union is.
    """
    union, some, every = seen
    wanted = np.uint32(np.uint32(cards) << _COUNT_SHIFT)
    counted = some & _COUNTS == wanted and every & _COUNTS == wanted
    return union & _STRAY == 0 and (counted or (union == 0 and every == _COUNTS))


@kernel
def _rank_masks(  # type: ignore[no-untyped-def]
    masks, out, cards, lanes, flushes, rows, values, shift
):
    """Rank them; give False if any was no hand, whose value then means nothing."""
    seen = (np.uint64(0), np.uint32(0), _COUNTS)
    start, count = np.uint64(0), np.uint64(len(masks))
    seen = look_up(masks, count, out, start, seen, lanes, flushes, rows, values, shift)
    return all_were_hands(seen, cards)


@kernel
def _rank_rows(  # type: ignore[no-untyped-def]
    hands, out, block, cards, bits, lanes, flushes, rows, values, shift
):
    """Rank rows that lie flat one after another; give False if any was no hand.

    By blocks: first the masks, eight at a time, then their values. The last rows, which fill no
    block or after which the array ends too early, are joined card by card.
    """
    seen = (np.uint64(0), np.uint32(0), _COUNTS)
    size = np.uint64(len(block))
    readable = max(0, len(hands) - (BYTES_READ - 8 * cards)) // cards
    by_blocks = np.uint64(min(readable, len(out))) // size * size
    p = np.uint64(0)
    for start in range(np.uint64(0), by_blocks, size):
        if cards == 7:
            for j in range(np.uint64(0), size, np.uint64(8)):
                eight_rows_of_seven(hands, p, block, j)
                p += np.uint64(56)
        elif cards == 6:
            for j in range(np.uint64(0), size, np.uint64(8)):
                eight_rows_of_six(hands, p, block, j)
                p += np.uint64(48)
        else:
            for j in range(np.uint64(0), size, np.uint64(8)):
                eight_rows_of_five(hands, p, block, j)
                p += np.uint64(40)
        seen = look_up(block, size, out, start, seen, lanes, flushes, rows, values, shift)
    for at in range(by_blocks, np.uint64(len(out))):
        mask = np.uint64(0)
        for _ in range(cards):
            mask |= bits[hands[p]]
            p += np.uint64(1)
        block[0] = mask
        seen = look_up(block, np.uint64(1), out, at, seen, lanes, flushes, rows, values, shift)
    return all_were_hands(seen, cards)


def rank_masks(masks: Masks, *, cards: int = 7, threads: int | None = 1) -> Values:
    """The value of each 64-bit mask (the sum of ``Card.mask``) of exactly ``cards`` cards.

    ``threads`` of None means as many as there are cores. Raises ``BadHand`` or ``BatchError``.
    """
    _check(masks, np.dtype(np.uint64), 1, "masks are a one-dimensional array of uint64")
    lookup = tables(cards)
    out: Values = np.empty(len(masks), np.uint16)

    def work(start: int, stop: int) -> None:
        part = masks[start:stop]
        if not _rank_masks(part, out[start:stop], cards, *lookup):
            row, problem = _wrong_mask(part, cards)
            raise BadHand(start + row, problem)

    spread(work, len(masks), threads=threads)
    return out


def rank_rows(hands: Rows, *, threads: int | None = 1) -> Values:
    """The value of each row of 5, 6 or 7 card indices (``Card.index``).

    ``threads`` of None means as many as there are cores. Raises ``BadHand`` or ``BatchError``.
    """
    _check(hands, np.dtype(np.uint8), 2, "rows are a two-dimensional array of uint8")
    lookup = tables(hands.shape[1])
    bits = card_masks()
    cards = hands.shape[1]
    hands = np.ascontiguousarray(hands)
    out: Values = np.empty(len(hands), np.uint16)

    def work(start: int, stop: int) -> None:
        part = hands[start:stop]
        block: Masks = np.empty(_BLOCK, np.uint64)
        if not _rank_rows(part.reshape(-1), out[start:stop], block, cards, bits, *lookup):
            row, problem = _wrong_row(part)
            raise BadHand(start + row, problem)

    spread(work, len(hands), threads=threads)
    return out


def _check(given: object, dtype: np.dtype[np.generic], dimensions: int, wanted: str) -> None:
    if not isinstance(given, np.ndarray):
        raise BatchError(f"{wanted}, not {type(given).__name__}")
    if given.dtype != dtype or given.ndim != dimensions:
        raise BatchError(f"{wanted}, not {given.ndim} dimensions of {given.dtype}")


def _wrong_mask(masks: Masks, cards: int) -> tuple[int, str]:
    stray = (masks & _STRAY) != 0
    counts = np.bitwise_count(masks & ~_STRAY)
    row = int(np.flatnonzero(stray | (counts != cards))[0])
    mask = int(masks[row])
    if stray[row]:
        bit = (mask & int(_STRAY)).bit_length() - 1
        return row, f"bit {bit} of the mask {mask:#x} is no card's"
    held = [card for card in DECK if card.mask & mask]
    shown = write_cards(held) or "nothing"
    return row, f"{cards} cards are asked for, and the mask {mask:#x} holds {len(held)}: {shown}"


def _wrong_row(hands: Rows) -> tuple[int, str]:
    beyond = hands >= len(DECK)
    ordered = np.sort(hands, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    row = int(np.flatnonzero(beyond.any(axis=1) | twice)[0])
    indices = [int(index) for index in hands[row]]
    for place, index in enumerate(indices, 1):
        if index >= len(DECK):
            return row, f"{index} in place {place} is no card index: they run from 0 to 51"
    by_index = {card.index: card for card in DECK}
    for place, index in enumerate(indices):
        if index in indices[:place]:
            first = indices.index(index) + 1
            return row, f"{by_index[index]} ({index}) twice, in places {first} and {place + 1}"
    raise AssertionError("a row was refused in which nothing is wrong")
