"""The fast solver against the plain one: every row and every tally on sampled states."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from croupier.cards import DECK, Category, read_cards
from croupier.lab import streets
from croupier.lab.classes import (
    FLOP_ENTRIES,
    FLOPS,
    RIVER_BOARDS,
    TURN_BOARDS,
    TURN_ENTRIES,
    locate,
    pair_kinds,
    pair_maps,
    read_flop,
    shapes,
    turn_boards,
)
from croupier.lab.errors import StateError
from croupier.lab.hands import COMBINATIONS, hand_of
from croupier.lab.solver import DEALS, DEALS_OF_A_HAND, count, river_bets, sweep, tally
from tests.lab import slow_solver

TURNS = {
    "four suits, a pair": "7c 7d Jh Ks",
    "two of one suit": "2c 7c Jh Ks",
    "three of one suit": "5c 6c 7c 7s",
    "two and two": "2c 7c Jh Kh",
}
MORE_TURNS = {
    "four suits": "2c 7d Jh Ks",
    "four suits, two pairs": "7c 7d Jh Js",
    "four of a kind": "7c 7d 7h 7s",
    "two of one suit, paired": "2c 7c Jh Js",
    "two of one suit, three of a kind": "2c 7c 7h 7s",
    "four of one suit": "Tc Jc Qc Kc",
    "two and two, same ranks": "7c Jc 7h Jh",
}
RIVERS = [
    "Ah Kd 2c 7d Jh Ks 9s",
    "Ac Kc 2c 7c Jc Ks 9s",
    "9c 8c 7c 6c 5c Kd 2h",
    "2h 3d Tc Jc Qc Kc Ac",
    "2h 2d 9c 9d 9h 9s 2c",
    "As Ad Ac Ah Kd Kh Ks",
    "2d 7h 7c 7d 7s Ac Kd",
    "4c 5d Ac 2c 3c Kd Kh",
]


def some(text):
    cards = read_cards(text)
    return cards[:2], cards[2:]


def sampled(seed, cards, states):
    random = Random(seed)
    for _ in range(states):
        dealt = tuple(random.sample(DECK, cards))
        yield dealt[:2], dealt[2:]


# ---- classes ---------------------------------------------------------------------------------


def test_the_classes_hold_every_board_once():
    assert (FLOPS, TURN_BOARDS) == (1755, 16432)
    masks = np.zeros(3, np.int64)
    assert sum(read_flop.py_func(flop, masks, shapes())[1] for flop in range(FLOPS)) == 22_100
    assert turn_boards().times.sum() == 270_725


def test_there_are_as_many_classes_of_five_as_boards_differ(swept):
    """All but 13 of the numbers, which stand for a rank five times, as no board has it.

    15 classes are boards that nobody can improve, where all hands tie: the Royal Flush, the
    highest Straight without a flush to come, and Four of a Kind of each rank with the best kicker.
    """
    assert RIVER_BOARDS - 13 == 42_783
    decided = sum(somebody_wins(number, swept) for number in range(RIVER_BOARDS))
    assert decided == 42_783 - 15


def somebody_wins(number, swept):
    begin = number * 91 if number < 6188 else 6188 * 91 + (number - 6188) * 351
    row = slice(begin, begin + (91 if number < 6188 else 351))
    return bool(swept.won[row].any() or swept.lost[row].any())


def test_suits_may_be_exchanged(swept):
    """Where two suits of a board hold the same ranks the entry may differ, but not what it says."""
    suits = "cdhs"
    random = Random(7)

    def rows(hole, board):
        place = locate(hole, board)
        if len(board) == 3:
            return place.board, swept.flop_worth[place.entry]
        if len(board) == 4:
            return place.board, swept.turn_won[place.entry], swept.turn_lost[place.entry]
        return place.board, swept.won[place.entry], swept.lost[place.entry]

    for cards in (5, 6, 7):
        for hole, board in sampled(cards, cards, 200):
            order = dict(zip(suits, random.sample(suits, 4), strict=True))
            text = " ".join(c.value[0] + order[c.value[1]] for c in (*hole, *board))
            moved = read_cards(text)
            assert rows(hole, board) == rows(moved[:2], moved[2:])
            assert rows(hole[::-1], board[::-1]) == rows(hole, board)


@pytest.mark.parametrize("cards", [2, 4, 8])
def test_only_boards_of_three_to_five_cards_have_a_place(cards):
    hole, board = next(sampled(4, cards, 1))
    with pytest.raises(StateError, match="three, four or five"):
        locate(hole, board)


# ---- rows ------------------------------------------------------------------------------------


def check_river(swept, hole, board):
    won, lost, category = slow_solver.river(hole, board)
    entry = locate(hole, board).entry
    found = swept.won[entry], swept.lost[entry], swept.category[entry]
    assert found == (won, lost, category.order), (hole, board)


@pytest.mark.parametrize("cards", RIVERS)
def test_special_rivers(swept, cards):
    check_river(swept, *some(cards))


def test_sampled_rivers(swept):
    for hole, board in sampled(11, 7, 300):
        check_river(swept, hole, board)


def check_turn(swept, hole, board):
    entry = locate(hole, board).entry
    assert (swept.turn_won[entry], swept.turn_lost[entry]) == slow_solver.turn(hole, board)


@pytest.mark.parametrize("cards", ["Ac Qd ", "8c 9c ", "8h 8d "])
@pytest.mark.parametrize("board", ["2c 7c Jh Kh", "5c 6c 7c 4s"])
def test_special_turns(swept, cards, board):
    check_turn(swept, *some(cards + board))


def test_sampled_turns(swept):
    for hole, board in sampled(12, 6, 12):
        check_turn(swept, hole, board)


@pytest.mark.parametrize("cards", ["Ac Kd 2c 7d Jh", "Ac Kc 2c 7c Jh"])
def test_sampled_flops(swept, cards):
    hole, flop = some(cards)
    entry = locate(hole, flop).entry
    assert swept.flop_worth[entry] == slow_solver.flop_worth(hole, flop)
    assert swept.bets_turn[entry] == (swept.flop_worth[entry] > 0)


@pytest.mark.slow
def test_many_sampled_states(swept):
    for hole, board in sampled(21, 7, 6_000):
        check_river(swept, hole, board)
    for hole, board in sampled(22, 6, 300):
        check_turn(swept, hole, board)
    for hole, flop in sampled(23, 5, 40):
        entry = locate(hole, flop).entry
        assert swept.flop_worth[entry] == slow_solver.flop_worth(hole, flop)


@pytest.mark.slow
def test_every_hand_on_sampled_boards(swept):
    random = Random(24)
    for _ in range(150):
        board = tuple(random.sample(DECK, 5))
        for hole, (won, lost, category) in slow_solver.all_hands_on(board).items():
            entry = locate(hole, board).entry
            assert (swept.won[entry], swept.lost[entry]) == (won, lost)
            assert swept.category[entry] == category.order


@pytest.mark.slow
def test_other_odds_decide_otherwise():
    """At 2 to 1 a bet is made that at even money is not, and the rows it rests on are the same."""
    two = sweep(2, 3)
    for hole, board in sampled(13, 6, 4):
        entry = locate(hole, board).entry
        won, lost = slow_solver.turn(hole, board)
        assert two.bets_river[entry] == (3 * won > lost)
    hole, flop = some("Ac Kd 2c 7d Jh")
    assert two.flop_worth[locate(hole, flop).entry] == slow_solver.flop_worth(hole, flop, odds=2)


# ---- tallies ---------------------------------------------------------------------------------


def tally_of(swept, board):
    """What the solver counts on the class of one board of four."""
    number = locate(tuple(slow_solver.rest(board)[:2]), board).board
    present = np.full(RIVER_BOARDS, (1 << 10) - 1, np.int64)
    counted = np.zeros((streets.TALLIES, 169), np.int64)
    streets.turn_sweep(
        number,
        number + 1,
        counted,
        swept.bets_river,
        1,
        1,
        swept.turn_won,
        swept.turn_lost,
        swept.turn_bets,
        swept.won,
        swept.category,
        present,
        turn_boards(),
        shapes(),
        pair_kinds(),
        pair_maps(),
    )
    return counted, int(turn_boards().times[number])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if number else [])
        for number, name in enumerate(TURNS)
    ],
)
def test_the_tally_of_a_board_counts_every_hand_on_it(swept, name):
    check_tally(swept, TURNS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", MORE_TURNS)
def test_the_tally_of_more_boards(swept, name):
    check_tally(swept, MORE_TURNS[name])


def check_tally(swept, text):
    """By starting hand, by category and by bets made, all 1,128 hole cards and their deals."""
    board = read_cards(text)
    counted, times = tally_of(swept, board)
    won, lost = slow_solver.turn_hands(board)
    expected = defaultdict(int)
    for hole in combinations(slow_solver.rest(board), 2):
        hand = hand_of(*hole)
        wins = sum(won[hole].values())
        worth = wins - lost[hole]
        flops = [tuple(c for c in board if c is not card) for card in board]
        after_bet = sum(bool(swept.bets_turn[locate(hole, flop).entry]) for flop in flops)
        for turn, times_turn in ((False, 4 - after_bet), (True, after_bet)):
            first = streets.section(turn=turn, river=worth > 0)
            for category, times_won in won[hole].items():
                expected[first + category.order, hand] += times_turn * times_won
            expected[first + streets.LOST, hand] += times_turn * lost[hole]
        if worth > 0:
            expected[streets.RIVER_BETS, hand] += 4
            expected[streets.BOTH_BETS, hand] += after_bet
        elif worth == 0:
            expected[streets.RIVER_EVEN, hand] += 4
    found = {
        (int(kind), int(hand)): int(counted[kind, hand])
        for kind, hand in zip(*np.nonzero(counted), strict=True)
    }
    assert found == {key: times * count for key, count in expected.items() if count}


def test_every_deal_is_counted(swept):
    tally = swept.tally
    sections = tally[: streets.SECTIONS * streets.SECTION]
    every = sections.reshape(streets.SECTIONS, streets.SECTION, 169).sum(axis=0)
    won, lost = every[: streets.LOST].sum(axis=0), every[streets.LOST]
    deals = np.array(COMBINATIONS) * DEALS_OF_A_HAND
    assert ((won + lost <= deals) & (won > 0) & (lost > 0)).all()
    # The player's cards and the dealer's are alike.
    assert won.sum() == lost.sum()
    assert DEALS == 55_627_620_048_000 == deals.sum()
    turn_states = np.array(COMBINATIONS) * 19_600
    assert (tally[streets.TURN_BETS] <= turn_states).all()
    assert (tally[streets.RIVER_BETS] <= turn_states * 47).all()


def test_wins_by_category_are_those_of_seven_cards(swept):
    """Against every dealer hand, a Royal Flush with a hole card in it never loses."""
    royal = Category.ROYAL_FLUSH.order
    won = sum(swept.tally[k * streets.SECTION + royal].sum() for k in range(streets.SECTIONS))
    with_hole_card = 86_480 + 432_400 + 1_210_720  # of the ways to deal two cards and a board
    assert won == with_hole_card * 990


@pytest.mark.slow
def test_any_other_decisions_are_counted_in_the_same_way(swept):
    """Always and never: every deal moves into one section, and nothing is lost on the way."""
    every = swept.tally[: streets.SECTIONS * streets.SECTION]
    every = every.reshape(streets.SECTIONS, streets.SECTION, 169).sum(axis=0)
    for turn, river in ((False, False), (True, False), (False, True), (True, True)):
        bets_turn = np.full(FLOP_ENTRIES, turn)
        bets_river = np.full(TURN_ENTRIES, river)
        counted, _ = count(swept, bets_turn, bets_river)
        first = streets.section(turn=turn, river=river)
        assert (counted[first : first + streets.SECTION] == every).all()
        assert counted[: streets.SECTIONS * streets.SECTION].sum() == every.sum()
        holes = np.array(COMBINATIONS) * 19_600
        assert (counted[streets.TURN_BETS] == turn * holes).all()
        assert (counted[streets.RIVER_BETS] == river * holes * 47).all()
        assert (counted[streets.BOTH_BETS] == (turn and river) * holes * 47).all()


def test_odds_of_three_to_two_are_counted_in_whole_numbers(swept):
    hole, flop = some("Ac Kd 2c 7d Jh")
    won_lost = slow_solver.flop_worth(hole, flop, odds=3), slow_solver.flop_worth(hole, flop)
    won = (won_lost[0] - won_lost[1]) // 2
    lost = won - won_lost[1]
    place = locate(hole, flop)
    worth = np.zeros(FLOP_ENTRIES, np.int64)
    rows = swept.turn_won, swept.turn_lost, shapes(), pair_kinds(), pair_maps()
    streets.flop_sums(place.board, place.board + 1, worth, 3, 2, *rows)
    assert worth[place.entry] == 3 * won - 2 * lost
    wins, losses = swept.turn_won.astype(int), swept.turn_lost.astype(int)
    bets = river_bets(swept.turn_won, swept.turn_lost, Fraction(3, 2))
    assert (bets == (3 * wins > 2 * losses)).all()
    counted = tally(1, Fraction(3, 2))
    assert counted[streets.RIVER_BETS].sum() > swept.tally[streets.RIVER_BETS].sum()


@pytest.mark.slow
def test_all_of_it_at_three_to_two(swept):
    """The whole sweep at odds that are no whole number: its rows, its flags, its tally."""
    three = sweep(Fraction(3, 2), Fraction(3, 2))
    assert (three.turn_won == swept.turn_won).all()
    assert (three.bets_turn >= swept.bets_turn).all()
    assert (three.bets_river >= swept.bets_river).all()
    assert three.tally[streets.TURN_BETS].sum() > swept.tally[streets.TURN_BETS].sum()


@pytest.mark.parametrize("threads", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_the_same_with_any_number_of_threads(swept, threads):
    """Otherwise it is as many threads as the machine has cores."""
    assert (sweep(1, 1, threads=threads).tally == swept.tally).all()
