"""Rooms that play otherwise: no rule of poker is broken, so it is a policy and not a refusal."""

from __future__ import annotations

import pytest

from croupier.formats.phh import read_phh
from croupier.formats.replay import Replayer
from croupier.formats.room import read_room

HEADS_UP = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [{posts}]
min_bet = 6
starting_stacks = [300, 300]
actions = [{actions}]
finishing_stacks = [{ends}]
"""
LEFT_OF_THE_BUTTON = "'p1 cc', 'p2 cc', 'd db 9s6c2d', 'p1 cbr 6', 'p2 f'"
BY_THE_BOOK = "'p2 cc', 'p1 cc', 'd db 9s6c2d', 'p1 cbr 6', 'p2 f'"
THREE = """variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [{posts}]
min_bet = 4
starting_stacks = [400, 400, 400, 400]
actions = ['p3 cbr 14', 'p4 f', 'p1 f', 'p2 f']
finishing_stacks = [{ends}]
"""


def verdict(text: str, **policies: str) -> tuple[str, tuple[str, ...]]:
    room = read_room({name.replace("_", "-"): value for name, value in policies.items()})
    outcome = Replayer(room=room).check(read_phh(text.encode()))
    return outcome.verdict, outcome.cites[:1]


def test_heads_up_whoever_is_left_of_the_button_may_act_first_on_every_street():
    # The first player has the Small Blind of 3, and still acts first on the flop: 12 in the pot.
    text = HEADS_UP.format(posts="6, 3", actions=LEFT_OF_THE_BUTTON, ends="306, 294")
    assert verdict(text) == ("refused", ("5.13",))
    assert verdict(text, heads_up_order="as-recorded") == ("agrees", ())


def test_a_heads_up_hand_by_the_book_stays_one():
    text = HEADS_UP.format(posts="3, 6", actions=BY_THE_BOOK, ends="306, 294")
    assert verdict(text) == ("agrees", ())
    assert verdict(text, heads_up_order="as-recorded") == ("agrees", ())


def test_a_rule_of_poker_that_is_broken_is_refused_all_the_same():
    actions = LEFT_OF_THE_BUTTON.replace("'p1 cbr 6', 'p2 f'", "'p1 cbr 3', 'p2 f'")
    text = HEADS_UP.format(posts="6, 3", actions=actions, ends="306, 294")
    assert verdict(text, heads_up_order="as-recorded")[0] == "refused"


def test_somebody_may_play_without_posting_the_small_blind():
    text = THREE.format(posts="0, 4, 0, 0", ends="400, 396, 404, 400")
    assert verdict(text) == ("refused", ("3.9",))
    assert verdict(text, missing_small_blind="allowed") == ("agrees", ())


@pytest.mark.parametrize(
    ("posts", "ends"),
    [
        ("2, 4, 0, -4", "398, 396, 410, 396"),  # a Big Blind, live
        ("2, 4, 0, -6", "398, 396, 412, 394"),  # both, one of them dead
        ("2, 4, 0, -2", "398, 396, 408, 398"),  # a Small Blind, dead
    ],
)
def test_a_post_with_a_minus_is_a_blind_that_was_missed(posts: str, ends: str):
    text = THREE.format(posts=posts, ends=ends)
    assert verdict(text) == ("skipped", ())
    assert verdict(text, late_posts="blinds") == ("agrees", ())
