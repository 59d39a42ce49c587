"""Whatever is played, what is exported adds up, replays to the same stacks, and comes back.

Random evenings at both books and under every policy, and tables at which everything goes wrong.
"""

from __future__ import annotations

import itertools
import random

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.formats.export_poker import poker_hands
from croupier.formats.hand import Hand
from croupier.formats.replay import Replayer
from croupier.table import PUBLIC
from tests.formats.export_logs import evening
from tests.formats.test_export import assert_money
from tests.poker.errant_table import ErrantTable, NobodyLeft

HOW = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def plain(hand: Hand) -> bool:
    """Whether nobody came in with a post of his own: what he owed depends on earlier rounds, which
    a single hand does not tell."""
    return not hand.rulings and all(post.kind != "post" for post in hand.posts)


@HOW
@given(seed=st.integers(0, 2**32))
def test_an_evening_is_exported_and_replays_to_the_same_stacks(seed: int):
    felt = evening(random.Random(seed))
    hands = list(poker_hands(enumerate(felt.log, 1), felt.book))
    assert [hand.number for hand in hands] == list(range(1, felt.state.rounds + 1))
    replayer = Replayer(felt.book.id, felt.state.policies, chip=100)
    for hand in hands:
        assert_money(hand, (seed, hand.number))
        outcome = replayer.check(hand)
        if plain(hand):
            assert outcome.verdict == "agrees", (seed, hand.number, outcome)
        else:
            assert outcome.verdict in ("agrees", "refused"), (seed, hand.number, outcome)
            assert outcome.verdict == "agrees" or outcome.place == "before the deal"
    for before, after in itertools.pairwise(hands):
        assert before.extra["_log"][1] < after.extra["_log"][0]


@HOW
@given(seed=st.integers(0, 2**32))
def test_at_a_table_where_everything_goes_wrong_the_money_still_adds_up(seed: int):
    rng = random.Random(seed)
    by_hand = rng.random() < 0.7
    errant = ErrantTable(
        rng.choice,
        rng.choice(["no-limit-holdem-v8", "poker-v5"]),
        by_hand=by_hand,
        real=by_hand and rng.random() < 0.3,
    )
    try:
        for _ in range(rng.randint(20, 150)):
            if rng.random() < 0.9:
                errant.play()
            else:
                errant.go_wrong()
    except NobodyLeft:
        pass
    log = list(enumerate(errant.log, 1))
    for hand in poker_hands(log, errant.table.book):
        assert_money(hand, (seed, hand.number))
    for hand in poker_hands(log, errant.table.book, PUBLIC):
        shown = {
            card
            for street in hand.streets
            for act in street.acts
            if act.do == "show"
            for card in act.cards
        }
        told = msgspec.json.encode([act.note for street in hand.streets for act in street.acts])
        for player in hand.players:
            for card in player.cards:
                if card.is_known and card not in shown:
                    # Exposed or shown early: then everybody saw it, and it was said so.
                    assert card.pretty.encode() in told or exposed(errant, card), (seed, card)


def exposed(errant: ErrantTable, card: object) -> bool:
    """Whether a masked event of the log tells of a card."""
    return any(
        str(card).encode() in msgspec.json.encode(seen)
        for event in errant.log
        if (seen := event.public()) is not None
    )
