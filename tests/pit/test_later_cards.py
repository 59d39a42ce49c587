"""Cards of later deals come where they were put, whatever happened between shuffle and deal."""

from croupier.pit import GAMES, read_case, run_case

HEAD = """title = "Two Rounds of play"
rulebook = "no-limit-holdem-v8"
paragraphs = ["3.9"]
[table]
button = 6
[seats]
2 = { player = "Ann", stake = 500 }
3 = { player = "Ben", stake = 500 }
4 = { player = "Cho", stake = 500 }
6 = { player = "Dev", stake = 500 }
[[later]]
cards = { 2 = "As Ad", 4 = "Ks Kd", 6 = "Qs Qd" }
board.flop = "2c 3c 4c"
burns = "9h"
[[step]]
do = "fold to"
seat = 3
"""
DEALT = """expect.hole_cards.2 = "As Ad"
expect.hole_cards.4 = "Ks Kd"
expect.hole_cards.6 = "Qs Qd"
[[step]]
do = "deal to flop"
expect.flop = "2c 3c 4c"
expect.burns = "9h"
"""


def run(steps: str):
    return run_case(read_case(HEAD + steps, "a.toml", GAMES), GAMES)


def test_the_second_round_gets_its_cards():
    result = run('[[step]]\ndo = "next round"\n' + DEALT)
    assert result.passed, result.failures


def test_who_sits_out_after_the_shuffle_moves_nobodys_cards():
    away = '[[step]]\ndo = "sit out"\nseat = 3\n[[step]]\ndo = "next round"\n'
    result = run(away + DEALT)
    assert result.passed, result.failures


def test_who_leaves_after_the_shuffle_moves_nobodys_cards():
    gone = '[[step]]\ndo = "leave"\nseat = 3\n[[step]]\ndo = "next round"\n'
    result = run(gone + DEALT)
    assert result.passed, result.failures


def test_cards_put_where_nobody_is_dealt_in_are_told_at_their_line():
    away = '[[step]]\ndo = "sit out"\nseat = 4\n[[step]]\ndo = "next round"\nexpect.button = 2\n'
    [failure] = run(away).failures
    [found] = failure.differences
    assert (found.what, found.got) == ("later[1].cards.4", "nothing is dealt there")
    assert found.line == 12


def test_a_deck_that_is_shuffled_by_hand_counts_as_a_deal():
    """What is put into the third deal comes in the third, though nobody stacked the second."""
    from croupier.cards import DECK

    deck = " ".join(card.value for card in DECK)
    by_hand = f"""[[step]]
do = "give shuffle"
need = "for the round"
cards = "{deck}"
[[step]]
do = "next round"
[[step]]
do = "fold to"
seat = 4
[[step]]
do = "next round"
"""
    head = HEAD.replace("[[later]]\n", "[[later]]\nrest = []\n[[later]]\n")
    result = run_case(read_case(head + by_hand + DEALT, "a.toml", GAMES), GAMES)
    assert result.passed, result.failures


def test_the_restart_after_a_misdeal_is_the_next_deal():
    text = """title = "A Misdeal"
rulebook = "no-limit-holdem-v8"
paragraphs = ["5.3.3"]
[table]
button = 1
begin = "posted"
dealing = "by-hand"
[seats]
1 = { player = "Ann", stake = 500 }
2 = { player = "Ben", stake = 500, cards = "2c 3c" }
3 = { player = "Cho", stake = 500 }
[[later]]
cards = { 2 = "As Ad", 3 = "Ks Kd" }
board.flop = "9c 9d 9h"
[[step]]
do = "deal hole cards"
to = [2, 3, 1, 2, 3, 1, 1]
[[step]]
do = "report wrong count"
seat = 1
[[step]]
do = "decide"
decision = "deal reconstructible"
option = "no"
[[step]]
do = "decide"
decision = "confirm misdeal"
option = "confirm"
expect.restarts = 1
[[step]]
do = "deal to flop"
expect.hole_cards = { 2 = "As Ad", 3 = "Ks Kd" }
expect.flop = "9c 9d 9h"
"""
    result = run_case(read_case(text, "a.toml", GAMES), GAMES)
    assert result.passed, result.failures
