"""A banked table in the middle of a round: reached by orders, checked for contradictions."""

import msgspec
import pytest

from croupier.pit import GAMES, CaseError, read_case, run_case
from croupier.pit.banked import BANKED, BankedSetup
from croupier.pit.situation import reach
from croupier.rulebooks import load

HEAD = """title = "In the middle of a round"
rulebook = "multi-link-progressive-v3"
paragraphs = ["3.14"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
[boxes]
1 = { player = "Ann", ante = 50, cards = "As Ad", chips = 1000 }
2 = { player = "Ben", ante = 25, bonus = 5, progressive = true }
3 = { player = "Ann", ante = 50 }
[board]
flop = "2c 7d Jh"
turn = "8s"
"""


def run(now: str, step: str, head: str = HEAD):
    return run_case(read_case(head + now + step, "a.toml", GAMES), GAMES)


def passes(now: str, step: str, head: str = HEAD) -> None:
    result = run(now, step, head)
    assert result.passed, result.failures


def contradiction(now: str, head: str = HEAD) -> str:
    with pytest.raises(CaseError) as caught:
        run(now, '[[step]]\ndo = "check"\nbox = 1\nexpect.void = false\n', head)
    return str(caught.value)


def test_a_round_begins_at_the_river_decision_with_stakes_and_racks_as_told():
    passes(
        """[now]
stage = "river decision"
chosen = { 1 = ["flop bet", "turn bet"], 2 = ["fold"], 3 = ["flop bet", "check"] }
looked = [3]
""",
        """[[step]]
do = "river bet"
box = 1
expect.board = "2c 7d Jh 8s"
expect.cards = { 1 = "As Ad" }
expect.examined = [3]
expect.standing = { 1 = "in for the finish", 2 = "folded", 3 = "in for the finish" }
expect.chosen = { 1 = ["flop bet", "turn bet", "river bet"], 3 = ["flop bet", "check"] }
expect.chips = { Ann = 950 }
expect.stakes.1 = { ante = 50, flop = 100, turn = 50, river = 50 }
""",
    )


def test_what_nobody_tells_of_a_window_that_is_over_goes_the_plain_way():
    passes(
        '[now]\nstage = "dealer"\nchosen = { 2 = ["fold"] }\n',
        """[[step]]
do = "deal dealer"
expect.status = "dealer"
expect.chosen.1 = ["flop bet", "check", "check"]
""",
        HEAD.replace('layout = "A"', 'layout = "A"\ndealing = "by-hand"'),
    )


def test_a_round_begins_while_bets_are_open():
    passes(
        '[now]\nstage = "bets open"\n',
        """[[step]]
do = "withdraw bet"
box = 2
bet = "bonus"
expect.stakes.2 = { ante = 25, progressive = 5 }
expect.bets_open = true
expect.chips.Ann = 1000
""",
    )


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (
            'stage = "first decision"\nchosen = { 1 = ["flop bet", "check"] }',
            "a.toml:20: now.chosen.1: box 1 cannot check yet: it is first decision",
        ),
        (
            'stage = "turn decision"\nchosen = { 1 = ["turn bet"] }',
            "box 1 cannot turn bet at the first decision; it may fold or flop bet",
        ),
        (
            'stage = "river decision"\nchosen = { 1 = ["fold", "check"] }',
            "box 1 has folded and cannot check after that",
        ),
        (
            'stage = "first decision"\nchosen = { 1 = ["fold"], 2 = ["fold"], 3 = ["flop bet"] }',
            "a.toml:19: now.stage: every box has decided, so the first decision is over",
        ),
        (
            'stage = "turn decision"\nchosen = { 1 = ["fold"], 2 = ["fold"], 3 = ["fold"] }',
            "the round never comes to the turn decision",
        ),
        ('stage = "turn decision"\nchosen = { 5 = ["fold"] }', "box 5 has no Ante"),
        ('stage = "turn decision"\nlooked = [5]', "a.toml:20: now.looked[1]: box 5 has no cards"),
        (
            'stage = "turn decision"\nlooked = [1, 3]',
            "now.looked[2]: Ann has looked at box 1, and may look at one hand alone",
        ),
        ('stage = "bets open"\nchosen = { 1 = ["fold"] }', "box 1 cannot fold yet: it is bets op"),
    ],
)
def test_what_contradicts_what_is_told_at_its_line(now, told):
    assert told in contradiction(f"[now]\n{now}\n")


def test_cards_twice_are_told_at_their_lines():
    told = contradiction('[now]\nstage = "turn decision"\n', HEAD.replace("8s", "As"))
    assert "A♠ twice" in told


@pytest.mark.parametrize(
    "book",
    ["multi-link-progressive-v2", "multi-link-progressive-v3", "progressive-texas-holdem-v6"],
)
@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_a_situation_is_reached_without_a_case_file_in_every_book(book, device):
    setup = msgspec.convert(
        {
            "table": {
                "layout": "A",
                "ante_minimum": 2500,
                "ante_maximum": 50000,
                "bonus_minimum": 500,
                "bonus_maximum": 50000,
                "progressive": 500,
                "device": device,
                "effective": "2020-01-01T08:00:00+08:00",
            },
            "boxes": {1: {"player": "Ann", "ante": 5000}, 2: {"player": "Ben", "ante": 2500}},
            "now": {"stage": "turn decision", "chosen": {2: ["flop bet", "check"]}},
        },
        BankedSetup,
    )
    reached = reach(BANKED, load(book), setup)
    facts = reached.table.facts()
    assert (facts.status, facts.chosen[1], len(facts.board)) == ("turn decision", ["flop bet"], 3)
    again = type(reached.table)(reached.table.book)
    for _, events in reached.log:
        for event in events:
            again.apply(event)
    assert again.state == reached.table.state
