"""How often a hand wins against what the others may hold: counted on the river, else drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from random import Random

from msgspec import Struct

from croupier.cards import Card, rest_of_deck
from croupier.cards.keys import LANE_MASK, RANK_SUM_MASK, SUIT_COUNT_MASK, SUIT_COUNT_SHIFT
from croupier.live.bots.quick import PAIR_KEYS, PAIR_MASKS, key_of, ranks, worth, worths


class Sample(Struct, frozen=True):
    """One way in which the hand may end."""

    weight: float
    strength: int
    """Of the strongest of the others as it stands now."""
    share: float
    """Of the pot: 1 wins, 0 loses."""


def draw(
    hole: Sequence[Card],
    board: Sequence[Card],
    pairs: Sequence[int],
    others: Sequence[Sequence[float]],
    strength: Sequence[int],
    draws: int,
    chance: Random,
) -> list[Sample]:
    """Deal the rest of the board and the others' hands, each by its weights over these pairs.

    `strength` is by pair. With a whole board and one other, every pair counts once.
    """
    if len(board) == 5 and len(others) == 1:
        return _counted(hole, board, pairs, others[0], strength)
    hands = [
        chance.choices(pairs, cum_weights=list(accumulate(weights)), k=draws) for weights in others
    ]
    missing = 5 - len(board)
    run_outs = chance.choices(rest_of_deck((*hole, *board)), k=missing * draws)
    board_key, hole_key = key_of(board), key_of(hole)
    lanes, flushes, rows, values, shift = ranks(7)

    def worth_of(keys: int) -> int:  # as `quick.worth`, which looks its tables up each time
        if lane := lanes[keys >> SUIT_COUNT_SHIFT & SUIT_COUNT_MASK]:
            return flushes[keys >> lane & LANE_MASK]
        total = keys & RANK_SUM_MASK
        return values[rows[total >> shift] + total]

    found = []
    for number in range(draws):
        keys, seen, dealt = board_key, 0, missing
        for card in run_outs[missing * number : missing * (number + 1)]:
            keys += card.key
            seen |= card.mask
        for hand in hands:
            seen |= PAIR_MASKS[hand[number]]
            dealt += 2
        if seen.bit_count() != dealt:
            continue  # a card twice: that deal cannot be
        mine = worth_of(keys + hole_key)
        strongest = best = tied = 0
        for hand in hands:
            pair = hand[number]
            theirs = worth_of(keys + PAIR_KEYS[pair])
            strongest = max(strongest, strength[pair])
            best = max(best, theirs)
            tied += theirs == mine
        found.append(Sample(1.0, strongest, 0.0 if best > mine else 1.0 / (1 + tied)))
    return found


def _counted(
    hole: Sequence[Card],
    board: Sequence[Card],
    pairs: Sequence[int],
    weights: Sequence[float],
    strength: Sequence[int],
) -> list[Sample]:
    base = key_of(board)
    mine = worth(base + key_of(hole), 7)
    found = []
    for pair, weight, theirs in zip(pairs, weights, worths(base, pairs, 7), strict=True):
        share = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        found.append(Sample(weight, strength[pair], share))
    return found


def mean_share(samples: Sequence[Sample]) -> float:
    """The share of the pot that is won on average; an even one if nothing could be dealt."""
    total = sum(sample.weight for sample in samples)
    return sum(s.weight * s.share for s in samples) / total if total else 0.5
