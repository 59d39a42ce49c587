"""With a jackpot stake down folding changes: by Ante, stake and meter together."""

from fractions import Fraction
from itertools import combinations

import pytest

from croupier.lab.base import FOLD, solve
from croupier.lab.best_play import ante_lines, best_folds, best_play, joint_break_even
from croupier.lab.errors import BadAmount
from croupier.lab.hands import hand_number
from croupier.lab.jackpot_bet import progressive
from croupier.rulebooks import load

V6 = load("progressive-texas-holdem-v6")
BASE = ("32o", "42o", "52o", "62o", "72o")


@pytest.fixture(scope="module")
def bet():
    return progressive(V6)


@pytest.fixture(scope="module")
def solution():
    return solve(V6)


def by_every_set(bet, solution, *, ante, stake, meter):
    """The best of all 32 sets of the base game's folds, tried one by one."""
    found = []
    for size in range(6):
        for folded in combinations(BASE, size):
            numbers = [hand_number(name) for name in folded]
            value = sum(
                hand.combinations * (FOLD if hand.name in folded else hand.play)
                for hand in solution.hands
            )
            jackpot = bet.expected_with_folds(numbers, stake=stake, meter=meter) - stake
            found.append((ante * value / 1326 + jackpot, folded))
    return max(found)


@pytest.mark.parametrize("ante", [100, 298, 299, 500, 1000, 2647, 2648, 10_000])
@pytest.mark.parametrize("meter", [0, 100_000_00, 900_000_00])
def test_the_best_folds_are_the_best_of_all_sets(bet, solution, ante, meter):
    value, folded = by_every_set(bet, solution, ante=ante, stake=500, meter=meter)
    found = best_play(bet, solution, ante=ante, stake=500, meter=meter)
    assert found.value == value
    assert found.fold_hands == folded
    assert found.value >= found.value_with_base_folds


def test_the_line_of_a_hand_is_where_it_changes(bet, solution):
    """At 100,000 and a stake of 5: 32o from 2.98 on, 52o from 26.47 on."""
    lines = ante_lines(bet, solution, stake=500, meters=[100_000_00, 400_000_00])
    assert [f"{float(lines[hand][0]) / 100:.2f}" for hand in BASE] == [
        "2.98", "5.43", "26.47", "11.31", "16.88",
    ]  # fmt: skip
    for hand, (low, high) in lines.items():
        assert high == low, "no Seven or lower is in a Royal Flush: their lines are fixed sums"
        below, above = int(low), int(low) + 1
        at = {"stake": 500, "meter": 100_000_00}
        assert hand not in best_folds(bet, solution, ante=below, **at)
        assert hand in best_folds(bet, solution, ante=above, **at)


def test_break_even_is_named_by_what_is_folded(bet, solution):
    base = [hand_number(name) for name in BASE]
    assert f"{float(bet.break_even(stake=500)) / 100:.2f}" == "894801.30"
    with_folds = bet.break_even(stake=500, folded=base)
    assert f"{float(with_folds) / 100:.2f}" == "899881.34"
    assert bet.expected_with_folds(base, stake=500, meter=with_folds) == 500


@pytest.mark.parametrize("ante", [100, 1000, 5000, 100_000])
def test_at_the_joint_break_even_the_stake_adds_nothing(bet, solution, ante):
    meter = joint_break_even(bet, solution, ante=ante, stake=500)
    at = best_play(bet, solution, ante=ante, stake=500, meter=meter)
    assert at.stake_is_worth == 0
    less = best_play(bet, solution, ante=ante, stake=500, meter=meter - Fraction(1, 10**6))
    assert less.stake_is_worth < 0
    base = [hand_number(name) for name in BASE]
    assert meter <= bet.break_even(stake=500, folded=base)
    if ante == 100_000:
        assert meter == bet.break_even(stake=500, folded=base), "a large Ante folds as ever"


@pytest.mark.parametrize("book", ["multi-link-progressive-v2", "multi-link-progressive-v3"])
def test_where_a_fold_keeps_every_line_nothing_changes(book):
    """v2 and v3: the flop decides, and a folded box is paid as any other."""
    bet, solution = progressive(load(book)), solve(load(book))
    found = best_play(bet, solution, ante=100, stake=500, meter=10**9)
    assert found.fold_hands == BASE
    assert joint_break_even(bet, solution, ante=100, stake=500) == bet.break_even(stake=500)


def test_no_ante_is_no_round(bet, solution):
    with pytest.raises(BadAmount, match=r"ante: 0\.00"):
        best_play(bet, solution, ante=0, stake=500, meter=0)
