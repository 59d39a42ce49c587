"""How many 7-card hands a second are ranked, one call a hand, from each library's own cards.

Everybody gets the same hands in the same run, already as the cards of their library, and returns
what they return: croupier a value with category, ranks and sentence, and after checking that there
are seven known cards and none twice; the peers a number or a hand, mostly unchecked. They take
turns, round by round, so that a busy moment of the machine falls on all; the best round counts.

Before anything is timed, every peer must order the hands as croupier does.
"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

from benchmarks import Row, Target
from croupier.cards import DECK, Card, rank_hand

Hands = Sequence[tuple[Card, ...]]
Ranker = Callable[[Any], Any]

WHAT = "rank one 7-card hand"
SEED = 52
HANDS = 20_000
COMPARED = 400  # hands on which a peer must agree
ROUNDS = 5
SECONDS = 0.25  # at most, a round of one library: the slow ones rank fewer of the hands
TARGETS = {
    "pokerkit": Target(at="least", limit=150),
    "treys": Target(at="least", limit=8),
}


def measure() -> list[Row]:
    """Measure croupier and each peer; a peer that is not installed is a row without a value."""
    hands = make_hands()
    entries: dict[str, tuple[Ranker, Sequence[Any]]] = {"croupier": (rank_hand, hands)}
    for name, prepare in PEERS.items():
        try:
            entries[name] = prepare(hands)
        except ImportError:
            continue
        check_agreement(name, hands, *entries[name])
    rates = dict.fromkeys(entries, 0.0)
    for _ in range(ROUNDS):
        for name, (ranker, prepared) in entries.items():
            rates[name] = max(rates[name], rate(ranker, prepared))

    ours = rates["croupier"]
    rows = [Row(benchmark="ranking", what=WHAT, value=ours, unit="hands/s")]
    for name in PEERS:
        theirs = rates.get(name)
        rows.append(
            Row(
                benchmark="ranking",
                what=WHAT,
                who=name,
                value=theirs,
                unit="hands/s",
                ratio=None if theirs is None else ours / theirs,
                target=TARGETS.get(name),
                note="" if theirs is not None else "not installed: the extra `bench` has it",
            )
        )
    return rows


def make_hands(count: int = HANDS, seed: int = SEED) -> list[tuple[Card, ...]]:
    """Deal hands, the same on every run."""
    chance = random.Random(seed)
    return [tuple(chance.sample(DECK, 7)) for _ in range(count)]


def rate(ranker: Ranker, hands: Sequence[Any], seconds: float = SECONDS) -> float:
    """Return how many of these hands are ranked in a second, the loop included."""
    done, batch = 0, max(1, len(hands) // 100)
    begin = time.perf_counter()
    while True:
        for hand in hands[done % len(hands) : done % len(hands) + batch]:
            ranker(hand)
        done += batch
        taken = time.perf_counter() - begin
        if taken >= seconds:
            return done / taken


def check_agreement(name: str, hands: Hands, ranker: Ranker, prepared: Sequence[Any]) -> None:
    """Make sure that a peer is asked the same question: its order of the hands must be ours."""
    both = [
        (rank_hand(hand), ranker(theirs))
        for hand, theirs in zip(hands[:COMPARED], prepared[:COMPARED], strict=True)
    ]
    both.sort(key=itemgetter(0))
    low_is_good = both[0][1] > both[-1][1]
    for (ours, theirs), (ours_next, theirs_next) in pairwise(both):
        equal = theirs == theirs_next
        rising = theirs_next < theirs if low_is_good else theirs_next > theirs
        if equal != (ours == ours_next) or not (equal or rising):
            raise RuntimeError(f"{name} ranks otherwise than croupier: {ours}; {ours_next}")


def with_pokerkit(hands: Hands) -> tuple[Ranker, list[Any]]:
    """PokerKit: the best hand of two hole cards and a board."""
    pokerkit = importlib.import_module("pokerkit")
    best = pokerkit.StandardHighHand.from_game
    prepared = []
    for hand in hands:
        cards = [next(iter(pokerkit.Card.parse(str(card)))) for card in hand]
        prepared.append((cards[:2], cards[2:]))
    return (lambda hand: best(*hand)), prepared


def with_treys(hands: Hands) -> tuple[Ranker, list[Any]]:
    """treys: integers for cards, a board and a hand."""
    treys = importlib.import_module("treys")
    evaluate = treys.Evaluator().evaluate
    prepared = []
    for hand in hands:
        cards = [treys.Card.new(str(card)) for card in hand]
        prepared.append((cards[:2], cards[2:]))
    return (lambda hand: evaluate(*hand)), prepared


def with_eval7(hands: Hands) -> tuple[Ranker, list[Any]]:
    """eval7, which is compiled: its card objects in a list."""
    eval7 = importlib.import_module("eval7")
    return eval7.evaluate, [[eval7.Card(str(card)) for card in hand] for hand in hands]


def with_phevaluator(hands: Hands) -> tuple[Ranker, list[Any]]:
    """phevaluator: integers for cards, and its public function for seven of them."""
    phevaluator = importlib.import_module("phevaluator")
    evaluate = phevaluator.evaluate_7cards
    prepared = [tuple(phevaluator.Card(str(card)).id_ for card in hand) for hand in hands]
    return (lambda hand: evaluate(*hand)), prepared


PEERS: dict[str, Callable[[Hands], tuple[Ranker, list[Any]]]] = {
    "pokerkit": with_pokerkit,
    "treys": with_treys,
    "eval7": with_eval7,
    "phevaluator": with_phevaluator,
}
