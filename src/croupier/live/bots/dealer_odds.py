"""How a hand ends against the dealer's, counted exactly: every run-out and every dealer's hand.

Up to a million deals follow a flop. They are not dealt one by one: while no suit lies on the board
three times, nobody can make a flush, and boards of the same ranks end alike; where one does, so do
boards of the same ranks with the same cards of that suit, and the dealer's pairs are still counted
by rank, only those of that suit one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

from msgspec import Struct

from croupier.cards import Card, Category, rest_of_deck
from croupier.cards.keys import RANK_KEYS, RANK_SUM_MASK
from croupier.live.bots.quick import category_orders, ranks

_FLUSH = Category.FLUSH.order
_RANKS = range(13)
_RANK_PAIRS = tuple(combinations_with_replacement(_RANKS, 2))
_PAIR_SUMS = tuple(RANK_KEYS[one] + RANK_KEYS[other] for one, other in _RANK_PAIRS)


class Ending(Struct, frozen=True):
    """Of all deals that may follow: how many the hand wins, by category of hand, and loses."""

    deals: int
    won: tuple[int, ...]
    lost: int

    def unit(self, odds: int | Fraction) -> int | Fraction:
        """What a unit staked at these odds wins in all of them together."""
        return odds * sum(self.won) - self.lost


def endings(hole: Sequence[Card], board: Sequence[Card]) -> Ending:
    """Count every way in which the board may be filled up and the dealer's two cards may fall."""
    return _Count(tuple(hole), tuple(board)).ending()


class _Count:
    """One count: the two hole cards, and three, four or five Community Cards."""

    def __init__(self, hole: tuple[Card, ...], board: tuple[Card, ...]) -> None:
        self.table = ranks(7)
        self.live = [(c.rank.order - 2, c.suit.order) for c in rest_of_deck((*hole, *board))]
        self.missing = 5 - len(board)
        self.hole_sum = _sum(card.rank.order - 2 for card in hole)
        self.board_sum = _sum(card.rank.order - 2 for card in board)
        self.hole_lanes = _lanes((c.rank.order - 2, c.suit.order) for c in hole)
        self.board_lanes = _lanes((c.rank.order - 2, c.suit.order) for c in board)
        self.by_rank = [0] * 13
        self.live_lanes = _lanes(self.live)
        for place, _ in self.live:
            self.by_rank[place] += 1
        self.won = [0] * len(Category)
        self.lost = 0
        self.deals = 0
        self._values: dict[int, list[int]] = {}

    def ending(self) -> Ending:
        alike: Counter[tuple[int, ...]] = Counter()
        in_a_suit: Counter[tuple[int, int, tuple[int, ...]]] = Counter()
        for run_out in combinations(self.live, self.missing):
            lanes = list(self.board_lanes)
            for place, suit in run_out:
                lanes[suit] |= 1 << place
            suited = next((s for s in range(4) if lanes[s].bit_count() >= 3), None)
            places = tuple(sorted([place for place, _ in run_out]))
            if suited is None:
                alike[places] += 1
            else:
                in_a_suit[suited, lanes[suited], places] += 1
        for places, times in alike.items():
            self._without_a_suit(places, times)
        for (suit, lane, places), times in in_a_suit.items():
            self._with_a_suit(places, suit, lane, times)
        return Ending(self.deals, tuple(self.won), self.lost)

    def _add(self, mine: int, below: int, above: int, deals: int, times: int) -> None:
        self.won[category_orders()[mine]] += below * times
        self.lost += above * times
        self.deals += deals * times

    def _ranked(self, total: int) -> list[int]:
        """The dealer's value by his two ranks, with a board of this rank sum and no flush."""
        found = self._values.get(total)
        if found is None:
            rows, values, shift = self.table.rows, self.table.values, self.table.shift
            sums = [total + pair & RANK_SUM_MASK for pair in _PAIR_SUMS]
            found = self._values[total] = [values[rows[s >> shift] + s] for s in sums]
        return found

    def _worth(self, total: int) -> int:
        total &= RANK_SUM_MASK
        return self.table.values[self.table.rows[total >> self.table.shift] + total]

    def _without_a_suit(self, places: tuple[int, ...], times: int) -> None:
        left = list(self.by_rank)
        for place in places:
            left[place] -= 1
        board = self.board_sum + _sum(places)
        mine = self._worth(board + self.hole_sum)
        below = above = 0
        for (one, other), theirs in zip(_RANK_PAIRS, self._ranked(board), strict=True):
            ways = left[one] * (left[other] - 1) // 2 if one == other else left[one] * left[other]
            if theirs < mine:
                below += ways
            elif theirs > mine:
                above += ways
        cards = len(self.live) - len(places)
        self._add(mine, below, above, cards * (cards - 1) // 2, times)

    def _with_a_suit(self, places: tuple[int, ...], suit: int, lane: int, times: int) -> None:
        """A board with three or more cards of one suit, which are in this lane; of which suits the
        others of the run-out are makes no difference."""
        left = list(self.by_rank)
        for place in places:
            left[place] -= 1
        suited = self.live_lanes[suit] & ~lane
        board = self.board_sum + _sum(places)
        flushes, own = self.table.flushes, lane | self.hole_lanes[suit]
        mine = flushes[own] if own.bit_count() >= 5 else self._worth(board + self.hole_sum)
        in_suit = [place for place in _RANKS if suited >> place & 1]
        cards = len(self.live) - len(places)
        others = cards - len(in_suit)
        on_board = lane.bit_count()
        # By value: two of the suit make a flush; one does with four on the board, none with five.
        below = above = 0
        if category_orders()[mine] < _FLUSH:
            above = len(in_suit) * (len(in_suit) - 1) // 2
        else:
            flush = [flushes[lane | 1 << a | 1 << b] for a, b in combinations(in_suit, 2)]
            below = sum(theirs < mine for theirs in flush)
            above = sum(theirs > mine for theirs in flush)
        if on_board >= 4:
            for place in in_suit:
                theirs = flushes[lane | 1 << place]
                below += others * (theirs < mine)
                above += others * (theirs > mine)
                left[place] -= 1
        if on_board == 5:
            theirs, ways = flushes[lane], others * (others - 1) // 2
            below += ways * (theirs < mine)
            above += ways * (theirs > mine)
        else:
            both = suited if on_board == 3 else 0
            for (one, other), theirs in zip(_RANK_PAIRS, self._ranked(board), strict=True):
                if theirs == mine:
                    continue
                if one == other:
                    ways = left[one] * (left[one] - 1) // 2
                else:
                    ways = left[one] * left[other] - (both >> one & both >> other & 1)
                if theirs < mine:
                    below += ways
                else:
                    above += ways
        self._add(mine, below, above, cards * (cards - 1) // 2, times)


def _sum(places: Iterable[int]) -> int:
    return sum(RANK_KEYS[place] for place in places)


def _lanes(cards: Iterable[tuple[int, int]]) -> list[int]:
    """By suit: the ranks of these cards, a bit each."""
    lanes = [0, 0, 0, 0]
    for place, suit in cards:
        lanes[suit] |= 1 << place
    return lanes
