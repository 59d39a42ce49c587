"""Odds against a plain enumeration of real cards, and against figures that everybody knows."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from croupier.cards import DECK, rank_hand, read_cards
from croupier.lab import equity as module
from croupier.lab.equity import EquityError, equity, wilson
from croupier.lab.errors import BadAmount, StateError
from croupier.lab.ranges import RangeError, read_range


def plainly(ranges, board="", dead=""):
    """Equity, wins and ties of each player: every way to hold the hands, on every board."""
    on_board, gone = read_cards(board), read_cards(dead)
    shares = [[Fraction(0)] * 3 for _ in ranges]
    whole = 0
    for held in product(*(read_range(text).combos.items() for text in ranges)):
        weight = 1
        used = [*on_board, *gone]
        for combo, times in held:
            used += combo
            weight *= times
        if len(set(used)) < len(used):
            continue
        left = [card for card in DECK if card not in used]
        for more in combinations(left, 5 - len(on_board)):
            values = [rank_hand((*on_board, *more, *combo)) for combo, _ in held]
            best = max(values)
            sharing = values.count(best)
            whole += weight
            for player, value in enumerate(values):
                if value == best:
                    shares[player][0] += Fraction(weight, sharing)
                    shares[player][1 if sharing == 1 else 2] += weight
    return [tuple(share / whole for share in player) for player in shares]


@pytest.mark.parametrize(
    ("ranges", "board", "dead"),
    [
        (("AhKh", "QsQd"), "2h 7h Jc", "Qh"),
        (("AKs,QQ:0.5", "JJ+,AhKd:0.25"), "2h 7h Jc 9s", ""),
        (("AhKh", "AsKs"), "Ad Kd 2c", ""),
        (("T9s+", "77-88,A5s"), "6c 7d 8h Ts", "Ac"),
        (("AA", "KK:0.3,QQ", "JTs"), "2h 7h Jc 9s", ""),
        (("AhAd", "KsKc", "7c6c", "5h5d"), "8c 9c 2d Th", ""),
        (("22", "33"), "4h 5h 6h 7h 8h", ""),
    ],
)
def test_every_deal_counted_as_a_plain_enumeration_counts_it(ranges, board, dead):
    found = equity(*ranges, board=board, dead=dead)
    assert found.exact
    plain = plainly(ranges, board, dead)
    assert [(p.equity, p.win, p.tie) for p in found.players] == plain


def test_suits_that_may_be_exchanged_change_nothing(monkeypatch):
    asked = (("AKs", "7c6c"), ("AhKh", "QsQc"))
    quick = [equity(*ranges).players[0].equity for ranges in asked]
    monkeypatch.setattr(module._Case, "_unchanged", lambda self, suits: suits == (0, 1, 2, 3))
    assert [equity(*ranges).players[0].equity for ranges in asked] == quick


def test_sorting_by_counting_and_by_insertion_agree():
    wide, narrow = equity("22+", "AKs", board="2c 7d Jh"), equity("AKs", "22+", board="2c 7d Jh")
    assert wide.players[0].equity == narrow.players[1].equity
    many = equity("random", "AKs", board="2c 7d Jh")
    total = sum(held * share for share, held in many.players[0].by_hand.values())
    assert total == many.players[0].equity
    assert many.players[0].equity + many.players[1].equity == 1


@pytest.mark.parametrize(
    ("ranges", "known"),
    [
        (("AA", "KK"), 0.8195),
        (("AKs", "QQ"), 0.4605),
        (("AKo", "22"), 0.4735),
        (("AhAd", "KsKc"), 0.8126),
        (("AA", "72o"), 0.8820),
    ],
)
def test_figures_that_everybody_knows(ranges, known):
    found = equity(*ranges)
    assert found.exact
    assert float(found.players[0].equity) == pytest.approx(known, abs=5e-4)


@pytest.mark.slow
def test_aces_against_anything_before_the_flop():
    aces = equity("AA", "random", exact=True).players[0]
    # The published 85.2037%: won 84.9319%, split 0.5436%.
    assert round(float(aces.win), 6) == 0.849319
    assert round(float(aces.tie), 6) == 0.005436
    even = equity("random", "random", exact=True)
    assert even.players[0].equity == Fraction(1, 2)
    assert even.deals == 2_781_381_002_400


def test_sampled_odds_are_the_same_for_the_same_seed_whatever_the_threads():
    one = equity("AA", "KK,QQ", "random", samples=200_000, seed=7, threads=1, exact=False)
    two = equity("AA", "KK,QQ", "random", samples=200_000, seed=7, threads=3, exact=False)
    other = equity("AA", "KK,QQ", "random", samples=200_000, seed=8, exact=False)
    assert [p.equity for p in one.players] == [p.equity for p in two.players]
    assert [p.equity for p in one.players] != [p.equity for p in other.players]
    assert one.seed == 7
    assert not one.exact


@pytest.mark.parametrize(
    ("ranges", "board"),
    [
        (("AA,AKs:0.2", "KK,AQo:0.7"), ""),
        (("AKs", "AKs,AQs", "TT+:0.5"), "2c 7d Jh"),
        (("random", "AA"), "Ac 7d Jh"),
    ],
)
def test_sampled_odds_lie_around_the_exact_ones(ranges, board):
    exact = equity(*ranges, board=board, exact=True)
    drawn = equity(*ranges, board=board, exact=False, samples=400_000, seed=3)
    for true, seen in zip(exact.players, drawn.players, strict=True):
        low, high = wilson(float(seen.equity), 400_000)
        assert seen.interval == (low, high)
        half = (high - low) / 2
        assert abs(float(true.equity) - float(seen.equity)) < 2.5 * half
        assert float(true.tie) == pytest.approx(float(seen.tie), abs=0.005)
    assert sum(float(p.equity) for p in drawn.players) == pytest.approx(1)


def test_an_interval_is_never_of_no_width():
    found = equity("AhKh", "QsQd", board="Qh Qc 2d 3c 4s", exact=False, samples=1000)
    assert found.players[0].equity == 0
    low, high = found.players[0].interval
    assert low == 0
    assert 0 < high < 0.01


def test_too_many_deals_are_sampled_and_said_so_or_refused_if_exact_is_asked_for():
    many = ("random", "random", "random")
    assert not equity(*many, samples=1000).exact
    with pytest.raises(EquityError, match="exact"):
        equity(*many, exact=True)


@pytest.mark.parametrize(
    ("ranges", "options", "error", "says"),
    [
        (("AA", "T9z"), {}, RangeError, "T9z"),
        (("AA",), {}, EquityError, "1 ranges"),
        (("AA", "KK"), {"board": "2c 7d"}, StateError, "board: 2 cards"),
        (("AA", "KK"), {"board": "2c 7d 9h Ts Jc Qc"}, StateError, "board: 6 cards"),
        (("AA", "KK"), {"board": "2c 7d 2c"}, StateError, "board: 2c twice"),
        (("AA", "KK"), {"board": "2c 7d ??"}, StateError, r"board: \?\?"),
        (("AA", "KK"), {"board": "2c 7d 9h", "dead": "9h"}, StateError, "dead: 9h lies"),
        (("AA", "KK"), {"dead": "Kc Kd Kh"}, EquityError, "player 2, 'KK'"),
        (("AhAd", "AhAc"), {}, EquityError, "cannot be dealt together"),
        (("AhAd", "AhAc", "22"), {}, EquityError, "cannot be dealt together"),
        (("AhAd", "AhAc"), {"exact": False}, EquityError, "hardly fit"),
        (("AA", "KK"), {"samples": 0}, BadAmount, "samples: 0"),
        (("AA", "KK"), {"seed": -1}, BadAmount, "seed: -1"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(ranges, options, error, says):
    with pytest.raises(error, match=says):
        equity(*ranges, **options)
