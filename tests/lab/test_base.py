"""The base game's figures, its parameters, and what was published about it."""

from fractions import Fraction
from math import isclose
from random import Random

import msgspec
import pytest

from croupier.cards import Category
from croupier.lab import base, solver, streets
from croupier.lab.base import FOLD, ante_thresholds, solve
from croupier.lab.errors import UnknownHand, UnsolvableGame
from croupier.lab.game import base_game
from croupier.lab.hands import COMBINATIONS, LISTED, NAMES, hand_number
from croupier.lab.solver import DEALS, DEALS_OF_A_HAND
from croupier.lab.whatif import what_if
from croupier.rulebooks import load

BANKED = ("progressive-texas-holdem-v6", "multi-link-progressive-v2", "multi-link-progressive-v3")

# Michael Shackleford, Wizard of Odds, "Texas Hold'em Bonus", whose Las Vegas rules are this base
# game and whose Atlantic City rules pay the Ante from a Flush: value of playing a hand.
PUBLISHED = {
    "32o": (-1.155927, -1.195592),
    "42o": (-1.091604, -1.13521),
    "52o": (-1.019987, -1.067022),
    "62o": (-1.046723, -1.077817),
    "72o": (-1.031301, -1.050057),
    "82o": (-0.896002, -0.917393),
    "92o": (-0.763132, -0.784523),
    "T2o": (-0.613979, -0.636507),
    "J2o": (-0.459414, -0.478676),
    "Q2o": (-0.28969, -0.305687),
    "K2o": (-0.102668, -0.1154),
}


@pytest.fixture(scope="module")
def book():
    return load("multi-link-progressive-v3")


@pytest.fixture(scope="module")
def solution(book):
    return solve(book)


# ---- published -------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", PUBLISHED)
def test_published_values_of_starting_hands(book, solution, hand):
    straight, flush = PUBLISHED[hand]
    assert isclose(solution.hand(hand).play, straight, abs_tol=5.1e-7)
    other, _ = what_if(book, ["ante-pays-from=flush"])
    assert isclose(solve(other).hand(hand).play, flush, abs_tol=5.1e-7)


def test_published_edge_risk_and_average_bet(book, solution):
    assert round(100 * solution.house_edge, 3) == Fraction("2.037")
    assert round(solution.average_bet, 4) == Fraction("3.8181")
    assert round(100 * solution.element_of_risk, 4) == Fraction("0.5335")
    assert solution.fold_hands == ("32o", "42o", "52o", "62o", "72o")
    other, _ = what_if(book, ["ante-pays-from=flush"])
    assert round(100 * solve(other).house_edge, 4) == Fraction("5.5935")


def test_the_published_standard_deviation_leaves_the_folds_out(solution):
    """Published: 3.500839. With the squares of folds, which are rounds as well: 3.507271."""
    assert round(solution.standard_deviation, 6) == base.Decimal("3.507271")
    without_folds = float(solution.variance - solution.fold_frequency) ** 0.5
    assert isclose(without_folds, 3.500839, abs_tol=3e-5)
    assert not isclose(solution.standard_deviation, 3.500839, abs_tol=6e-3)


# ---- the figures -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", BANKED)
def test_the_three_books_have_the_same_base_game(name, solution):
    mine = solve(load(name))
    assert mine.ev == solution.ev == Fraction(-578107733, 28381438800)
    assert mine.variance == solution.variance
    assert mine.hands == solution.hands


def test_the_value_is_a_whole_number_of_antes_over_all_deals(solution):
    assert solution.deals == DEALS == 55_627_620_048_000
    assert (solution.ev * DEALS).denominator == 1
    assert solution.ev * DEALS == -1_133_091_156_680


def test_the_value_is_that_of_its_hands(solution):
    mean = sum(hand.value * hand.combinations for hand in solution.hands) / 1326
    assert mean == solution.ev == -solution.house_edge
    assert sum(hand.combinations for hand in solution.hands) == 1326
    for hand in solution.hands:
        assert hand.wins + hand.ties + hand.loses == 1
        assert hand.folded == (hand.play <= FOLD)


def test_frequencies_are_of_rounds_dealt(solution):
    played = [hand for hand in solution.hands if not hand.folded]
    turn = sum(hand.turn_bet_frequency * hand.combinations for hand in played) / 1326
    river = sum(hand.river_bet_frequency * hand.combinations for hand in played) / 1326
    assert (turn, river) == (solution.turn_bet_frequency, solution.river_bet_frequency)
    assert solution.average_bet == 1 + 2 * (1 - solution.fold_frequency) + turn + river
    assert solution.fold_frequency == Fraction(60, 1326)


def test_few_decisions_are_indifferent(solution):
    assert (solution.turn_even, solution.river_even) == (0, 41_520)


def test_a_blind_hand_pays_with_its_ante_alone(solution):
    """Unseen cards win as often as the dealer's, so only the Ante's missing wins cost."""
    assert solution.blind.value == solution.blind.play == Fraction(-30306830009, 77260583400)
    assert not solution.blind.turn_bet
    assert not solution.blind.river_bet
    assert not solution.blind.folded


def test_hands_are_named_numbered_and_listed_once():
    assert len(set(NAMES)) == 169 == len(set(LISTED))
    assert sum(COMBINATIONS) == 1326
    assert [NAMES[number] for number in LISTED[:4]] == ["AA", "AKs", "AKo", "AQs"]
    assert all(hand_number(name) == number for number, name in enumerate(NAMES))


@pytest.mark.parametrize("name", ["KAs", "AK", "AAs", "1", "", "akS"])
def test_a_hand_that_is_none_is_refused(solution, name):
    with pytest.raises(UnknownHand, match="is no starting hand"):
        solution.hand(name)


# ---- spread ----------------------------------------------------------------------------------


def test_squares_are_those_of_every_outcome(book):
    """Made-up counts of every outcome: the tallies give the mean and the mean square of all."""
    game = msgspec.structs.replace(
        base_game(book),
        flop=3,
        turn=2,
        river=5,
        flop_odds=2,
        turn_odds=3,
        river_odds=4,
        ante_odds=(0, 0, 0, 0, 1, 1, 2, 2, 3, 7),
    )
    random = Random(3)
    counts = [0] * streets.TALLIES
    total = squares = 0
    for turn_bet in (0, 1):
        for river_bet in (0, 1):
            first = streets.section(turn=bool(turn_bet), river=bool(river_bet))
            for category in range(11):  # the last one: lost
                deals = random.randrange(10**9)
                counts[first + category] += deals
                if category == streets.LOST:
                    result = -(1 + 3 + 2 * turn_bet + 5 * river_bet)
                else:
                    result = 3 * 2 + 2 * 3 * turn_bet + 5 * 4 * river_bet
                    result += game.ante_odds[category]
                total += deals * result
                squares += deals * result**2
    hand = base._starting_hand(game, hand_number("AA"), counts)
    deals = COMBINATIONS[hand_number("AA")] * DEALS_OF_A_HAND
    assert (hand.play, hand.square) == (Fraction(total, deals), Fraction(squares, deals))


# ---- the game's parameters -------------------------------------------------------------------


def test_everything_comes_from_the_book(book):
    game = base_game(book)
    assert (game.flop, game.turn, game.river) == (2, 1, 1)
    assert (game.flop_odds, game.turn_odds, game.river_odds) == (1, 1, 1)
    assert game.ante_pays_from is Category.STRAIGHT
    changed, _ = what_if(book, ["flop-bet=3", "turn-bet=2", "4.1.river=2 to 1", "4.1.ante=3 to 1"])
    game = base_game(changed)
    assert (game.flop, game.turn, game.river_odds) == (3, 2, 2)
    assert game.ante_odds == (0, 0, 0, 0, 3, 3, 3, 3, 3, 3)


def test_other_antes_and_sizes_are_not_swept_again(book, solution, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("swept again")

    monkeypatch.setattr(solver, "sweep", refuse)
    edges = [solve(game).house_edge for game in ante_thresholds(base_game(book)).values()]
    assert edges == sorted(edges)
    assert len(edges) == 9
    assert solution.house_edge in edges
    larger, _ = what_if(book, ["flop-bet=3", "4.1.flop=2 to 1"])
    assert solve(larger).ev > solution.ev


def test_turn_and_river_odds_are_swept_anew(book):
    changed, _ = what_if(book, ["4.1.turn=3 to 2"])
    better = solve(changed)
    assert better.turn_bet_frequency > solve(book).turn_bet_frequency
    assert better.blind.turn_bet
    assert better.ev * DEALS == int(better.ev * DEALS)


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ("deck-cards=51", "deck-cards"),
        ("hole-cards=3", "hole-cards"),
        ("community-cards=4", "community-cards"),
        ("dealer-cards=3", "dealer-cards"),
        ("betting-windows=4", "betting-windows"),
        ("turn-bet=0", "turn-bet"),
        ("4.1.flop=10%", "4.1.flop"),
        ("4.1.river=2 for 1", "4.1.river"),
        ("4.1.turn=nothing", "pay table main"),
        ("4.1.ante=nothing", "ante-pays-from"),
    ],
)
def test_what_the_solver_cannot_represent_is_refused_by_name(book, setting, part):
    changed, _ = what_if(book, [setting])
    with pytest.raises(UnsolvableGame) as error:
        solve(changed)
    assert error.value.part == part
    assert part in str(error.value)


def test_a_poker_book_has_no_edge_to_solve():
    with pytest.raises(UnsolvableGame, match="poker game"):
        solve(load("no-limit-holdem-v8"))


def test_a_line_that_only_some_hands_win_is_refused(book):
    table = book.pay("main")
    lines = tuple(
        msgspec.structs.replace(
            line, when=msgspec.structs.replace(line.when, at_least=Category.ONE_PAIR)
        )
        if line.id == "4.1.turn"
        else line
        for line in table.lines
    )
    changed = msgspec.structs.replace(
        book, pays={**book.pays, "main": msgspec.structs.replace(table, lines=lines)}
    )
    with pytest.raises(UnsolvableGame, match=r"4\.1\.turn: a Turn bet that only some hands"):
        base_game(changed)


def test_the_published_deviation_leaves_folds_out_and_makes_bets_worth_nothing(book, swept):
    """3.500839: without the squares of folds, and with every River bet that is worth nothing."""
    won, lost = swept.turn_won.astype(int), swept.turn_lost.astype(int)
    counted, _ = solver.count(swept, swept.bets_turn, won >= lost)
    game = base_game(book)
    hands = [base._starting_hand(game, n, [int(c) for c in counted[:, n]]) for n in range(169)]
    played = [hand for hand in hands if not hand.folded]
    solution = solve(book)
    ev = sum(hand.combinations * hand.play for hand in played) / 1326 - solution.fold_frequency
    assert ev == solution.ev, "those bets are worth nothing"
    squares = sum(hand.combinations * hand.square for hand in played) / 1326
    assert f"{float(squares - ev**2) ** 0.5:.6f}" == "3.500839"
    whole = squares + solution.fold_frequency - ev**2
    assert float(whole) ** 0.5 > float(solution.standard_deviation), "they add to the spread"


def test_odds_that_are_no_whole_number_to_one(book):
    """3 to 2 on the River, however it is written: more than at 1 to 1, and exact."""
    even, three, half = (at_odds(book, odds) for odds in ("1 to 1", "3 to 2", "1.5 to 1"))
    assert even.house_edge > three.house_edge == half.house_edge
    # At most half a unit more for each bet that is made.
    assert even.house_edge - three.house_edge < three.river_bet_frequency / 2
    flop = solve(what_if(book, ["4.1.flop=3 to 2"])[0])
    for new, old in zip(flop.hands, solve(book).hands, strict=True):
        assert new.play == old.play + 2 * Fraction(1, 2) * old.wins, "two Antes, half as much more"
    with pytest.raises(UnsolvableGame, match="over 1,000"):
        solve(what_if(book, ["4.1.river=3001 to 2000"])[0])


@pytest.mark.slow
def test_three_to_two_lies_between_its_neighbours(book):
    edges = [at_odds(book, odds).house_edge for odds in ("1 to 1", "3 to 2", "2 to 1")]
    assert edges == sorted(edges, reverse=True)


def at_odds(book, odds):
    """The game solved with these odds on the River bet."""
    return solve(what_if(book, [f"4.1.river={odds}"])[0])


@pytest.mark.slow
def test_twenty_million_rounds_spread_as_solved(book, solution):
    """The simulation deals real cards and settles each round: its spread is not the published."""
    from croupier.lab.simulate import Plan, simulate
    from croupier.lab.simulate_optimal import optimal
    from croupier.lab.simulate_pay import Stakes

    rounds = 20_000_000
    plan = Plan.make(book, optimal(book), Stakes(ante=100), rounds=rounds, seed=10)
    main = simulate(plan).main
    deviation = float(solution.standard_deviation)
    # The error of a sampled deviation, were the result normal; ours is bounded and flatter.
    error = deviation / (2 * rounds) ** 0.5
    assert abs(main.deviation / 100 - deviation) < 4 * error
    assert abs(main.deviation / 100 - 3.500839) > 8 * error
    assert abs(main.mean / 100 - float(solution.ev)) < 4 * deviation / rounds**0.5
