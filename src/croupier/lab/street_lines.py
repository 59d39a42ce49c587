"""Jackpot lines that are judged street by street, together with what becomes of the main bets.

The lines of v6 ask for Four of a Kind or better among seven cards, which is so rare that every such
deal can be looked at: by starting hand and board of five, in each of the 20 orders in which five
board cards can be flop, Turn Card and River Card, against each of the dealer's 990 hands. Nothing
here is taken from the solver but the decisions.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.lab.compiled import inlined, kernel, spread
from croupier.lab.hands import NAMES
from croupier.lab.kernel import card_masks, tables
from croupier.lab.simulate_kernel import can_hold_hole_card, value_of
from croupier.lab.simulate_pay import RESULTS, Lookup
from croupier.lab.simulate_strategy import (
    SUIT_AND_RANK,
    Flags,
    bit,
    board_position,
    flop_position,
    hole_place,
    positions,
)

Ints: TypeAlias = npt.NDArray[np.int64]
_CATEGORIES, _STREETS = 10, 3


def street_lines(
    lookup: Lookup, sets: int, turn: Flags, river: Flags, *, threads: int | None = None
) -> tuple[Ints, Ints]:
    """Deals in which a jackpot stake holds a line, by starting hand, of one pair of its cards.

    The first by hand, set of lines, bets made (Turn, and River twice that) and result as
    ``simulate_pay`` numbers it, if the hand is played; the second by hand and set, if it is folded.
    """
    played = np.zeros((len(NAMES), sets, 4, RESULTS), np.int64)
    folded = np.zeros((len(NAMES), sets), np.int64)
    holes = np.array([_cards_of(number) for number in range(len(NAMES))], np.int64)
    packed = [np.packbits(flags, bitorder="little") for flags in (turn, river)]
    where = positions()

    def work(start: int, stop: int) -> None:
        _street_lines(
            start,
            stop,
            holes,
            played,
            folded,
            *packed,
            lookup,
            card_masks(),
            tables(5),
            tables(6),
            tables(7),
            where,
            *SUIT_AND_RANK,
        )

    spread(work, len(NAMES), threads=threads)
    return played, folded


def _cards_of(number: int) -> tuple[int, int]:
    """Two card indices that are this starting hand."""
    row, column = divmod(number, 13)
    return (row, column) if row > column else (row, 13 + column)


@inlined
def _lines_held(  # type: ignore[no-untyped-def]
    folded, hole_card, street, on_flop, best, alone, lookup
):
    place = (folded * 2 + hole_card) * _STREETS + street
    place = (place * _CATEGORIES + on_flop) * _CATEGORIES + best
    return np.int64(lookup.jackpot[place * _CATEGORIES + alone])


@kernel
def _street_lines(  # type: ignore[no-untyped-def]
    start,
    stop,
    holes,
    played,
    folded,
    turn,
    river,
    lookup,
    bits,
    five,
    six,
    seven,
    positions,
    suit_of,
    rank_of,
):
    rest = np.zeros(50, np.int64)
    others = np.zeros(45, np.int64)
    five_cards = np.zeros(5, np.int64)
    row = np.zeros(5, np.uint8)
    for hand in range(start, stop):
        first, second = holes[hand, 0], holes[hand, 1]
        hole = bits[first] | bits[second]
        size = 0
        for card in range(52):
            if card not in (first, second):
                rest[size] = card
                size += 1
        for a in range(50):
            of_one = hole | bits[rest[a]]
            for b in range(a):
                of_two = of_one | bits[rest[b]]
                for c in range(b):
                    of_three = of_two | bits[rest[c]]
                    for d in range(c):
                        of_four = of_three | bits[rest[d]]
                        for e in range(d):
                            own = value_of(of_four | bits[rest[e]], seven)
                            best = np.int64(lookup.category_of[own])
                            if best < lookup.lowest:
                                continue
                            five_cards[0], five_cards[1] = rest[a], rest[b]
                            five_cards[2], five_cards[3] = rest[c], rest[d]
                            five_cards[4] = rest[e]
                            board = (of_four | bits[rest[e]]) ^ hole
                            # Against every hand of the dealer.
                            left = 0
                            for i in range(50):
                                if not bits[rest[i]] & board:
                                    others[left] = rest[i]
                                    left += 1
                            won, lost = 0, 0
                            for i in range(45):
                                with_one = board | bits[others[i]]
                                for j in range(i):
                                    theirs = value_of(with_one | bits[others[j]], seven)
                                    won += theirs < own
                                    lost += theirs > own
                            alone = value_of(board, five)
                            alone_category = np.int64(lookup.category_of[alone])
                            for i in range(5):
                                row[i] = five_cards[i]
                            hole_card = 0
                            if lookup.asks_hole_card[best] and (
                                own > alone
                                or can_hold_hole_card(row, first, second, bits, own, five)
                            ):
                                hole_card = 1
                            for last in range(5):
                                for fourth in range(5):
                                    if fourth == last:
                                        continue
                                    n = 0
                                    for i in range(5):
                                        if i not in (last, fourth):
                                            row[n] = five_cards[i]
                                            n += 1
                                    row[3], row[4] = five_cards[fourth], five_cards[last]
                                    flop = hole | bits[row[0]] | bits[row[1]] | bits[row[2]]
                                    on_flop = np.int64(lookup.category_of[value_of(flop, five)])
                                    street = 2
                                    if lookup.asks_street[best]:
                                        on_turn = value_of(flop | bits[row[3]], six)
                                        if on_flop == best:
                                            street = 0
                                        elif lookup.category_of[on_turn] == best:
                                            street = 1
                                    gone = _lines_held(
                                        1, hole_card, street, on_flop, best, alone_category, lookup
                                    )
                                    folded[hand, gone] += 990
                                    held = _lines_held(
                                        0, hole_card, street, on_flop, best, alone_category, lookup
                                    )
                                    if held == 0:
                                        continue
                                    at = flop_position(row, positions)
                                    bets = np.int64(
                                        bit(turn, hole_place(at, first, second, suit_of, rank_of))
                                    )
                                    at = board_position(row, positions)
                                    bets += 2 * np.int64(
                                        bit(river, hole_place(at, first, second, suit_of, rank_of))
                                    )
                                    into = played[hand, held, bets]
                                    into[0] += lost
                                    into[1] += 990 - won - lost
                                    into[2 + best] += won
