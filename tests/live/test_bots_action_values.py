"""How bots reckon: hands are ranked as everywhere, deals are counted exactly, ranges narrow."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from croupier.cards import DECK, Card, rank_hand, read_cards, rest_of_deck, write_cards
from croupier.live.bots import equity
from croupier.live.bots.banked_strategy import Strategy, flop_bets
from croupier.live.bots.dealer_odds import Ending, endings
from croupier.live.bots.memory import Done, Notes
from croupier.live.bots.quick import PAIRS, key_of, live_pairs, mask_of, pair_number, worth, worths
from croupier.live.bots.ranges import Habits, Street, weights
from croupier.live.bots.starting import orders, tops
from croupier.rulebooks import hole_class, load

BOOKS = ("progressive-texas-holdem-v6", "multi-link-progressive-v2", "multi-link-progressive-v3")


def hands(count: int, cards: int, deck: tuple[Card, ...] = DECK) -> list[tuple[Card, ...]]:
    chance = Random(count * cards)
    return [tuple(chance.sample(deck, cards)) for _ in range(count)]


# ---- ranking ------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [5, 6, 7])
def test_a_sum_of_keys_is_worth_what_its_cards_are(count: int):
    one_suit = tuple(card for card in DECK if card.suit is DECK[0].suit)
    for cards in [*hands(400, count), *hands(60, count, one_suit)]:
        assert worth(key_of(cards), count) == rank_hand(cards), write_cards(cards)


def test_all_pairs_on_a_board_are_ranked_at_once():
    board = read_cards("2c 7c Jc Qd 7s")
    pairs = live_pairs(mask_of(board))
    assert len(pairs) == 47 * 46 // 2
    expected = [rank_hand((*PAIRS[pair], *board)) for pair in pairs]
    assert worths(key_of(board), pairs, 7) == expected


# ---- against the dealer -------------------------------------------------------------------------


def dealt_one_by_one(hole: tuple[Card, ...], board: tuple[Card, ...]) -> Ending:
    won, lost, deals = [0] * 10, 0, 0
    for run_out in combinations(rest_of_deck((*hole, *board)), 5 - len(board)):
        full = (*board, *run_out)
        mine = rank_hand((*hole, *full))
        for dealer in combinations(rest_of_deck((*hole, *full)), 2):
            theirs = rank_hand((*dealer, *full))
            deals += 1
            lost += theirs > mine
            won[mine.category.order] += theirs < mine
    return Ending(deals, tuple(won), lost)


@pytest.mark.parametrize(
    "cards",
    [
        "Ah Kd 2c 7s 9h Td",  # no flush possible, or one with two more
        "Ah Kh 2h 7h 9s 9d",  # a flush draw
        "2c 3d 4h 5h 6h 7h",  # four of a suit on the board
        "Qh Qd Qs Qc 2h 3h",
        "5d 6d 7d 8d 9d Ts",
    ],
)
def test_every_deal_after_the_turn_card_is_counted(cards: str):
    hole, board = read_cards(cards)[:2], read_cards(cards)[2:]
    assert endings(hole, board) == dealt_one_by_one(hole, board)


@pytest.mark.parametrize("board", ["2h 7h 9h Jh Kh", "2c 7d 9h Js Kc", "2h 7h 9h Js Kc"])
def test_a_whole_board_is_counted_too(board: str):
    for hole in ("Ah Qh", "3h 4c", "9s 9d"):
        known = read_cards(board)
        assert endings(read_cards(hole), known) == dealt_one_by_one(read_cards(hole), known)


def test_turn_and_river_bets_are_those_of_the_lab():
    lab = pytest.importorskip("croupier.lab.decisions", reason="the extra lab is not installed")
    strategy = Strategy(load("multi-link-progressive-v3"))
    two_suits = tuple(card for card in DECK if card.suit.order < 2)
    for cards in [*hands(5, 6), *hands(2, 6, two_suits)]:
        turn, river = lab.decide(strategy.game, cards)[1:]
        for decision, board in ((turn, cards[2:5]), (river, cards[2:6])):
            verdict = strategy.judge(cards[:2], board)
            assert verdict.bet == (decision.best == "bet"), write_cards(cards)
            assert verdict.gain == decision.cost


@pytest.mark.parametrize("book", BOOKS)
def test_the_flop_bet_is_worth_what_the_solver_says_with_every_starting_hand(book: str):
    base = pytest.importorskip("croupier.lab.base", reason="the extra lab is not installed")
    solution = base.solve(load(book))
    assert flop_bets() == {hand.name: hand.play for hand in solution.hands}
    strategy = Strategy(load(book))
    folded = set()
    for one, other in PAIRS:
        verdict, name = strategy.judge((one, other), ()), hole_class(one, other)
        assert verdict.gain == abs(flop_bets()[name] + 1)
        if not verdict.bet:
            folded.add(name)
    assert folded == set(solution.fold_hands) == {"32o", "42o", "52o", "62o", "72o"}


@pytest.mark.slow
def test_what_a_decision_before_the_flop_costs_is_what_the_lab_decides():
    """By dealing every board and every hand of the dealer, which asks no solver."""
    lab = pytest.importorskip("croupier.lab.known", reason="the extra lab is not installed")
    strategy = Strategy(load("multi-link-progressive-v3"))
    for cards in map(read_cards, ("7c 2d", "Ah Kd")):
        [decision] = lab.decide_known(strategy.game, cards)
        verdict = strategy.judge(cards, ())
        assert verdict.bet == (decision.best == "bet")
        assert verdict.gain == decision.cost


def test_where_both_are_worth_the_same_the_player_puts_down_less():
    royal_on_the_board = read_cards("As Ks Qs Js")
    verdict = Strategy(load(BOOKS[0])).judge(read_cards("Ts 2c"), royal_on_the_board)
    assert verdict.bet  # the royal flush is his own
    even = endings(read_cards("2c 3d"), read_cards("As Ks Qs Js Ts"))
    assert even.unit(1) == 0
    assert (even.lost, sum(even.won)) == (0, 0)


# ---- starting hands -----------------------------------------------------------------------------


def test_the_orders_hold_every_starting_hand_once():
    every = {hole_class(one, other) for one, other in PAIRS}
    for order in orders().values():
        assert len(order) == 169
        assert set(order) == every


@pytest.mark.parametrize("players", [2, 3, 6, 9])
def test_the_share_of_hands_that_are_as_good_grows_from_aces_to_the_worst(players: int):
    shares = tops(players)
    assert min(shares) == shares[pair_number(read_cards("Ac Ad"))] == pytest.approx(6 / 1326)
    assert max(shares) == pytest.approx(1.0)
    assert shares[pair_number(read_cards("Ac Kc"))] < shares[pair_number(read_cards("9c 4d"))]


def test_the_order_against_one_hand_is_the_exact_one():
    pytest.importorskip("croupier.lab.base", reason="the extra lab is not installed")
    from croupier.live.bots.generate import heads_up

    assert list(orders()["heads_up"]) == heads_up()


# ---- what others may hold -----------------------------------------------------------------------


def mean_top(line: list[Done], players: int = 6) -> float:
    habits = Habits(Notes(), players, 1.0)
    order, pairs = tops(players), range(len(PAIRS))
    found = weights(line, habits, order, {}, pairs)
    return sum(w * order[p] for w, p in zip(found, pairs, strict=True)) / sum(found)


def test_a_raise_tells_of_a_better_hand_than_a_call_and_a_second_raise_of_a_better_one_still():
    calls, opens = mean_top([Done(1, "call", 0)]), mean_top([Done(1, "raise", 0)])
    raises_again = mean_top([Done(1, "raise", 1)])
    assert raises_again < opens < calls < mean_top([])


def test_notes_widen_what_a_player_is_believed_to_raise_with():
    wild = Notes(hands=100, entered=95, raised=90)
    assert Habits(wild, 6, 1.0).raises > 0.7
    assert Habits(wild, 6, 0.0).raises == Habits(Notes(), 6, 1.0).raises < 0.2


def test_a_bet_on_the_flop_speaks_for_strong_pairs_and_draws():
    hole, board = read_cards("2c 3d"), read_cards("Kh 9h 4s")
    street = Street(hole, board)
    habits = Habits(Notes(), 2, 1.0)
    line = [Done(1, "call", 0), Done(2, "raise", 0)]
    shape = weights(line, habits, [0.5] * len(PAIRS), {2: street}, street.pairs)
    found = dict(zip(street.pairs, shape, strict=True))
    strong, draw, nothing = (
        found[pair_number(read_cards(cards))] for cards in ("Ks Kd", "Ah 2h", "7c 2d")
    )
    assert strong > draw > nothing > 0


def test_equity_on_the_river_is_counted_and_before_it_drawn():
    hole, board = read_cards("Ah As"), read_cards("Ad 7c 7s 2h 3d")
    pairs = live_pairs(mask_of((*hole, *board)))
    evenly = [[1.0] * len(pairs)]
    strength = [0] * len(PAIRS)
    counted = equity.draw(hole, board, pairs, evenly, strength, 10, Random(1))
    assert len(counted) == len(pairs)
    beaten_by = sum(sample.share == 0 for sample in counted)
    assert beaten_by == 1  # the two sevens alone
    pairs = live_pairs(mask_of(hole))
    drawn = equity.draw(hole, (), pairs, [[1.0] * len(pairs)], strength, 4000, Random(1))
    assert equity.mean_share(drawn) == pytest.approx(0.852, abs=0.02)
