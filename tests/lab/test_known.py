"""Known cards: exact against what is dealt from real cards, and what they are worth."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from croupier.cards import DECK, rank_hand, read_cards
from croupier.lab.decisions import decide
from croupier.lab.errors import BadAmount, StateError
from croupier.lab.game import base_game
from croupier.lab.known import _first, decide_known, run_out
from croupier.lab.known_gain import _worths, known_gain
from croupier.lab.simulate_deal import deal
from croupier.lab.whatif import what_if
from croupier.rulebooks import load

V3 = load("multi-link-progressive-v3")


def plainly(hole, board, dead, dealer):
    """Won and lost of all deals that may follow a board of four, card by card."""
    gone = {*hole, *board, *dead, *dealer}
    rest = [card for card in DECK if card not in gone]
    won = lost = deals = 0
    for river in rest:
        mine = rank_hand((*hole, *board, river))
        others = [card for card in rest if card is not river]
        for more in combinations(others, 2 - len(dealer)):
            theirs = rank_hand((*dealer, *more, *board, river))
            won, lost, deals = won + (theirs < mine), lost + (theirs > mine), deals + 1
    return won, lost, deals


@pytest.mark.parametrize(
    ("dead", "dealer"),
    [("", "Ks"), ("2c 3c 4c 5c 6h 6d", ""), ("Tc Jd 4h 5h 8s 8d", "3d"), ("Tc", "3d 3h")],
)
def test_the_river_with_known_cards_is_that_of_real_cards(dead, dealer):
    cards = read_cards("Ah Kd 2d 7s 9h 9c")
    dead, dealer = read_cards(dead), read_cards(dealer)
    river = run_out(base_game(V3), cards[:2], cards[2:], dead=dead, dealer=dealer)
    assert (sum(river.won), river.lost, river.deals) == plainly(cards[:2], cards[2:], dead, dealer)


@pytest.mark.slow
def test_with_nothing_known_it_is_the_solver_s():
    """All three decisions of two hands: flop by 2.1 million boards, not by classes."""
    for text in ("Ah Kd 2c 7s 9h 9c", "7c 2d 7d 8s 9s Ts"):
        cards = read_cards(text)
        assert decide_known(V3, cards) == decide(V3, cards)


def test_other_odds_are_followed():
    cards = read_cards("7c 2d 7d 8s 9s Ts")
    for settings in (["4.1.turn=3 to 2", "ante-pays-from=flush"], ["4.1.river=3 to 2"]):
        follows_odds(what_if(V3, settings)[0], cards)


@pytest.mark.slow
def test_other_odds_of_both_bets_are_followed():
    settings = ["4.1.turn=3 to 2", "4.1.river=2 to 1", "ante-pays-from=flush"]
    follows_odds(what_if(V3, settings)[0], read_cards("7c 2d 7d 8s 9s Ts"))


def follows_odds(changed, cards):
    """Turn and River decision card by card are the solver's."""
    game = base_game(changed)
    _, turn, river = decide(changed, cards)
    assert _first(game, cards[:2], cards[2:5], (), (), 1) == turn
    assert _first(game, cards[:2], cards[2:], (), (), 1, turn.best == "bet") == river


def test_a_dealer_who_shows_aces_is_folded_to():
    [first] = decide_known(V3, read_cards("7c 2d"), dealer=read_cards("As Ah"))
    assert first.best == "fold"
    assert first.value_with < Fraction(-2)
    [good] = decide_known(V3, read_cards("7c 2d"), dealer=read_cards("3s 2h"))
    assert good.best == "bet"


def test_the_sums_of_the_first_decision_are_those_of_each_flop():
    """Few cards left, so that every flop can be asked: the value is the mean over flops."""
    hole, dealer = read_cards("Qc Jd"), read_cards("Kh 4s")
    dead = [card for card in DECK if card not in (*hole, *dealer)][:34]
    game = base_game(V3)
    whole = run_out(game, hole, dead=dead, dealer=dealer)
    rest = [card for card in DECK if card not in {*hole, *dealer, *dead}]
    turn = river = deals = 0
    for flop in combinations(rest, 3):
        one = run_out(game, hole, flop, dead=dead, dealer=dealer)
        turn += max(0, one.unit(1))
        river += one.river_units
        deals += one.deals
    assert (whole.turn_units, whole.river_units, whole.deals) == (turn, river, deals)


def test_drawn_deals_are_worth_what_they_are_by_real_cards():
    rows = np.empty((4, 7 + 2 * 9), np.uint8)
    deal(np.uint64(5), np.uint64(0), 0, len(rows), 9, rows)
    by_index = sorted(DECK, key=lambda card: card.index)
    for dead, dealer in ((16, 0), (10, 1), (3, 2)):
        won, lost, deals = _worths(rows, 4, dead, dealer, 1)
        for i, row in enumerate(rows):
            cards = [by_index[k] for k in row]
            known = cards[7:9], cards[:4], cards[9 : 9 + dead], cards[5 : 5 + dealer]
            assert (won[i], lost[i], deals) == plainly(*known)
        flop = run_out(base_game(V3), cards[7:9], cards[:3], dead=known[2], dealer=known[3])
        won, lost, deals = _worths(rows, 3, dead, dealer, 1)
        assert (2 * won[-1], 2 * lost[-1], 2 * deals) == (sum(flop.won), flop.lost, flop.deals)


@pytest.mark.slow
def test_knowing_nothing_gains_nothing_and_knowing_the_dealer_gains_much():
    nothing = known_gain(V3, samples=300, hands=2)
    assert nothing.gain == 0
    both = known_gain(V3, dealer=2, samples=1000, hands=4)
    assert both.turn.mean > 0.1
    assert both.interval[0] > 0.2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"dead": "Ah"}, "dead: Ah is in the hand and board"),
        ({"dealer": "2c 3c 4c"}, "the dealer has two"),
        ({"dead": "2c", "dealer": "2c"}, "dealer: 2c is in dead cards"),
        ({"dead": "??"}, "no known card"),
    ],
)
def test_cards_that_cannot_be_known_are_named(words, says):
    given = {name: read_cards(text) for name, text in words.items()}
    with pytest.raises(StateError, match=says):
        decide_known(V3, read_cards("Ah Kd"), **given)
    with pytest.raises(BadAmount, match="at most 30"):
        known_gain(V3, dead=31)
