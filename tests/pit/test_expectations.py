"""What a case expects: every failure at its own line, in words; decisions by their questions."""

from croupier.pit import GAMES, read_case, run_case
from croupier.pit.values import shown
from tests.pit.high_card import REGISTRY

HEAD = """title = "A round"
rulebook = "high-card"
paragraphs = ["3.1"]
[boxes]
1 = { player = "Ann", stake = 10, card = "Kd" }
2 = { player = "Ben", stake = 20, card = "2c" }
[dealer]
card = "Qh"
[[step]]
do = "close betting"
"""


def failed(text: str, registry=REGISTRY):
    [failure] = run_case(read_case(text, "a.toml", registry), registry).failures
    return [(d.line, d.what, d.expected, d.got) for d in failure.differences]


def test_everything_that_differs_at_a_step_is_shown_at_its_own_line():
    found = failed(
        HEAD
        + """[[step]]
do = "stay"
box = 2
expect.turn = 2
expect.stakes = { 1 = 10, 2 = 25 }
expect.events = [
    "voided",
    "round ended",
]
expect.cites = ["4.1"]
"""
    )
    assert found == [
        (11, "the answer", "accepted", "refused: It is box 1's turn. (2.3, 2.2)"),
        (14, "turn", "2", "1"),
        (15, "stakes.2", "25", "20"),
        (17, "events", "voided", "no events"),
        (18, "events", "round ended", "no events"),
        (20, "cites", "4.1", "none"),
    ]


def test_an_answer_that_comes_otherwise_is_shown_at_the_line_that_expects_it():
    text = HEAD + '[[step]]\ndo = "stay"\nbox = 1\nexpect.turn = 2\nexpect.refused = "1.2"\n'
    assert failed(text) == [(15, "the answer", "refused (1.2)", "accepted")]


def test_what_is_expected_at_the_end_is_shown_at_its_own_line():
    text = HEAD + '[expect]\nstatus = "settled"\nturn = 7\n'
    assert failed(text) == [(12, "status", "settled", "deciding"), (13, "turn", "7", "1")]


def test_a_refusal_is_expected_by_what_it_says_alone():
    step = HEAD + '[[step]]\ndo = "stay"\nbox = 2\nexpect.turn = 1\n'
    right = step + 'expect.says = "box 1\'s turn"\n'
    assert run_case(read_case(right, "a.toml", REGISTRY), REGISTRY).passed
    [found] = failed(step + 'expect.says = "too late"\n')
    assert found == (15, "says", "too late", "It is box 1's turn.")
    accepted = step.replace("box = 2", "box = 1").replace("turn = 1", "turn = 2")
    [found] = failed(accepted + 'expect.says = "too late"\n')
    assert found == (15, "the answer", "refused", "accepted")


def test_an_error_is_expected_by_what_it_says_alone():
    step = '[[step]]\ndo = "report exposed card"\nbox = 7\nexpect.says = "no stake on box 7"\n'
    assert run_case(read_case(HEAD + step, "a.toml", REGISTRY), REGISTRY).passed


def test_values_in_messages_are_written_as_in_a_case_file():
    assert shown(True) == "true"
    assert shown(None) == "nothing"
    assert shown((1, "x", {"a": False})) == "[1, 'x', { a = false }]"


# -- decisions by their questions ---------------------------------------------------------------

RULING = """title = "Chips go back by ruling"
rulebook = "multi-link-progressive-v3"
paragraphs = ["5.23.a"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
[boxes]
1 = { player = "Ann", ante = 50 }
[[step]]
do = "deal to decisions"
[[step]]
do = "call for ruling"
about = "uncovered"
says = "a chip of another player"
[[step]]
do = "decide"
decision = "ruling"
option = "return chips"
details = { box = 1, bet = "ante", amount = 2.50 }
expect.net.Ann = -47.50
"""


def test_a_decision_is_named_by_its_question():
    result = run_case(read_case(RULING, "a.toml", GAMES), GAMES)
    assert result.passed, result.failures


def test_a_question_that_is_not_asked_is_told_at_its_line_with_those_that_are():
    wrong = RULING.replace('"ruling"', '"a misdeal"')
    [found] = failed(wrong, GAMES)
    assert found == (21, "decision", "a misdeal", "asked now: ruling")
    both = RULING.replace('"ruling"', '{ question = "ruling", of = 3 }')
    [(line, _, wanted, _)] = failed(both, GAMES)
    assert (line, wanted) == (21, "ruling of 3")


# -- the category of a hand ---------------------------------------------------------------------

SHOWN = """title = "A Full House"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.1.2"]
[table]
button = 3
[seats]
2 = { player = "Ann", stake = 100, cards = "Ks Kd" }
3 = { player = "Ben", stake = 100, cards = "As 3d" }
[board]
flop = "Kc 2c 2d"
turn = "8s"
river = "9h"
[[step]]
do = "play round"
expect.categories = { 2 = "Full House" }
"""

BANKED = """title = "A Full House"
rulebook = "multi-link-progressive-v3"
paragraphs = ["3.1.2"]
[table]
layout = "A"
ante_minimum = 25
ante_maximum = 500
bonus_minimum = 5
bonus_maximum = 500
progressive = 5
[boxes]
1 = { player = "Ann", ante = 50, cards = "Ks Kd" }
[board]
flop = "Kc 2c 2d"
turn = "8s"
river = "9h"
[dealer]
cards = "As 3d"
[[step]]
do = "play to settlement"
expect.categories = { 1 = "Full House" }
expect.dealer_category = "One Pair"
"""


def test_the_category_of_a_hand_is_a_fact_of_both_games():
    for text in (SHOWN, BANKED):
        result = run_case(read_case(text, "a.toml", GAMES), GAMES)
        assert result.passed, result.failures
    [found] = failed(SHOWN.replace("Full House", "Flush"), GAMES)
    assert found == (15, "categories.2", "Flush", "Full House")
