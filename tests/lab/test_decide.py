"""What to do with given cards: against the plain solver, and against the starting hands."""

from fractions import Fraction
from random import Random

import pytest

from croupier.cards import DECK, Category, read_cards
from croupier.lab.base import solve
from croupier.lab.classes import locate
from croupier.lab.decisions import decide
from croupier.lab.errors import StateError
from croupier.lab.hands import hand_of
from croupier.lab.whatif import what_if
from croupier.rulebooks import load
from tests.lab import slow_solver

DEALS_AFTER_FLOP = 47 * 46 * 990


@pytest.fixture(scope="module")
def book():
    return load("progressive-texas-holdem-v6")


def test_the_first_decision_is_that_of_the_starting_hand(book):
    for text, best in (("As Ad", "bet"), ("7h 2c", "fold"), ("7h 2h", "bet")):
        cards = read_cards(text)
        [decision] = decide(book, cards)
        hand = solve(book).hands[hand_of(*cards)]
        assert (decision.best, decision.value_with) == (best, hand.play)
        assert decision.without == "fold"
        assert decision.value_without == -1
        assert decision.cost == abs(hand.play + 1)


@pytest.mark.parametrize("cards", ["9c 8c 7c 2d Kh"])
def test_a_flop_decision_is_that_of_the_plain_solver(book, cards):
    dealt = read_cards(cards)
    _, decision = decide(book, dealt)
    checked, bet = slow_solver.values_on_flop(
        dealt[:2], dealt[2:], flop_bet=2, turn_bet=1, river_bet=1, ante_from=Category.STRAIGHT
    )
    assert (decision.value_without, decision.value_with) == (checked, bet)
    assert decision.best == ("bet" if bet > checked else "check")


def test_sampled_decisions_are_those_of_the_sweeps(book, swept):
    """Two ways that share nothing but the ranking: classes of boards, and card by card."""
    random = Random(5)
    for _ in range(12):
        dealt = tuple(random.sample(DECK, 6))
        _, turn, river = decide(book, dealt)
        entry = locate(dealt[:2], dealt[2:5]).entry
        worth = Fraction(int(swept.flop_worth[entry]), DEALS_AFTER_FLOP)
        assert turn.value_with - turn.value_without == worth
        entry = locate(dealt[:2], dealt[2:]).entry
        worth = int(swept.turn_won[entry]) - int(swept.turn_lost[entry])
        assert river.value_with - river.value_without == Fraction(worth, 46 * 990)
        assert river.wins == Fraction(int(swept.turn_won[entry]), 46 * 990)


def test_a_river_decision_takes_the_turn_as_it_was_best(book):
    cards = read_cards("Ah Kd 2c 7s 9h 9c")
    _, turn, river = decide(book, cards)
    won, lost = slow_solver.turn(cards[:2], cards[2:])
    deals = 46 * 990
    assert turn.best == "bet"
    main = 0
    for card in slow_solver.rest(cards):
        w, x, category = slow_solver.river(cards[:2], (*cards[2:], card))
        main += 2 * (w - x) - x + (w if category >= Category.STRAIGHT else 0)
    assert river.value_without == Fraction(main + (won - lost), deals)
    assert river.value_with == Fraction(main + 2 * (won - lost), deals)
    assert river.wins + river.ties + river.loses == 1


@pytest.mark.slow
def test_the_mean_over_the_next_card_is_the_value_before(book):
    """The Turn decision is worth the mean of the River decisions that may follow."""
    cards = read_cards("Qc Jc Tc 4d 4h")
    _, turn = decide(book, cards)
    values = [decide(book, (*cards, card))[2].value for card in slow_solver.rest(cards)]
    assert sum(values) / 47 == turn.value


def test_the_book_decides(book):
    cards = read_cards("Kc Qd Ah 9d 5h")
    assert decide(book, cards)[1].best == "check"
    generous, _ = what_if(book, ["4.1.turn=3 to 2"])
    assert decide(generous, cards)[1].best == "bet"


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        ("", "0 cards"),
        ("As", "1 cards"),
        ("As Ks Qs", "3 cards .As Ks Qs.: give the two Hole Cards"),
        ("As Ks Qs Js", "4 cards"),
        ("As Ks Qs Js Ts 9s 8s", "with the River Card on the board nothing is left to decide"),
        ("As Ks Qs Js Ts 9s 8s 7s", "8 cards"),
        ("As As", "As twice, as cards 1 and 2 of As As"),
        ("As Ks 2d 3d As", "As twice, as cards 1 and 5"),
        ("As ??", "card 2 of As .. is unknown"),
    ],
)
def test_cards_that_are_no_decision_are_refused(book, cards, problem):
    with pytest.raises(StateError, match=problem):
        decide(book, read_cards(cards))
