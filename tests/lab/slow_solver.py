"""The base game solved plainly: real cards, one by one, and nothing shared but ``rank_hand``.

No classes, no masks, no tables: every card that can come comes. It is there to be believed, so it
is written for reading; only the comparison of all hands on one board is left to numpy.
"""

import functools
from collections import defaultdict
from fractions import Fraction
from itertools import combinations

import numpy as np

from croupier.cards import DECK, rank_hand


def rest(*gone):
    """The cards that are still to come."""
    out = {card for cards in gone for card in cards}
    return [card for card in DECK if card not in out]


def river(hole, board):
    """Of the dealer's 990 hands: how many lose, how many win; and our category."""
    return _river(tuple(hole), frozenset(board))


@functools.cache
def _river(hole, board):
    """Once for each set of five: the same board comes in several orders, and in several tests."""
    mine = rank_hand((*hole, *board))
    won = lost = 0
    for dealer in combinations(rest(hole, board), 2):
        theirs = rank_hand((*dealer, *board))
        won += theirs < mine
        lost += theirs > mine
    return won, lost, mine.category


def turn(hole, board):
    """The same summed over the River Card: dealer hands that lose, and that win."""
    results = [river(hole, (*board, card)) for card in rest(hole, board)]
    return sum(won for won, _, _ in results), sum(lost for _, lost, _ in results)


def flop_worth(hole, flop, odds=1):
    """What a unit on the Turn bet wins in all deals that may follow the flop."""
    total = 0
    for pair in combinations(rest(hole, flop), 2):
        won, lost, _ = river(hole, (*flop, *pair))
        total += 2 * (odds * won - lost)  # either of the two may be the Turn Card
    return total


def values_on_flop(hole, flop, *, flop_bet, turn_bet, river_bet, ante_from):
    """The values of check and bet on the Turn, with the best River decisions: exact fractions."""
    main = turn_unit = river_units = deals = 0
    for card in rest(hole, flop):
        board = (*flop, card)
        unit = 0
        for last in rest(hole, board):
            won, lost, category = river(hole, (*board, last))
            unit += won - lost
            main += flop_bet * (won - lost) - lost + (won if category >= ante_from else 0)
            deals += 990
        turn_unit += unit
        river_units += max(0, unit)
    checked = Fraction(main + river_bet * river_units, deals)
    return checked, checked + Fraction(turn_bet * turn_unit, deals)


def all_hands_on(board):
    """Every pair of the 47 cards left on a board of five: won, lost and category by pair."""
    pairs = list(combinations(rest(board), 2))
    hands = [rank_hand((*pair, *board)) for pair in pairs]
    values = np.array([int(hand) for hand in hands], np.int16)
    beats = (values[:, None] > values[None, :]) & _apart()
    won, lost = beats.sum(axis=1), beats.sum(axis=0)
    return {
        pair: (int(w), int(x), hand.category)
        for pair, w, x, hand in zip(pairs, won, lost, hands, strict=True)
    }


_APART = []


def _apart():
    """Which of the 1,081 pairs of 47 cards have no card in common."""
    if not _APART:
        places = np.array(list(combinations(range(47), 2)))
        one, other = places[:, None, :, None], places[None, :, None, :]
        _APART.append(~(one == other).any(axis=(2, 3)))
    return _APART[0]


def turn_hands(board):
    """Every pair of hole cards on a board of four: wins by category, and losses, over the river."""
    won = defaultdict(lambda: defaultdict(int))
    lost = defaultdict(int)
    for card in rest(board):
        for pair, (w, x, category) in all_hands_on((*board, card)).items():
            won[pair][category] += w
            lost[pair] += x
    return won, lost
