"""Exact distributions: what follows from them, against plain sums."""

from fractions import Fraction
from statistics import fmean, pstdev

import pytest

from croupier.lab.distribution import LEVELS, Distribution

DIE = Distribution.of_results([(face - 4, 1, 1) for face in range(1, 7)])


def test_mean_spread_and_frequencies_are_those_of_the_results():
    faces = [-3, -2, -1, 0, 1, 2]
    assert float(DIE.mean) == fmean(faces)
    assert float(DIE.standard_deviation) == pytest.approx(pstdev(faces), rel=1e-15)
    assert (DIE.hit_frequency, DIE.push_frequency) == (Fraction(1, 3), Fraction(1, 6))
    assert DIE.hold == Fraction(1, 2)
    assert DIE.returned == Fraction(1, 2)
    assert DIE.skewness == pytest.approx(0)


def test_a_bet_that_is_not_always_made_returns_a_ratio():
    """Staked 1 in half of the rounds: the spread is about what that stake would return."""
    bet = Distribution.of_results([(1, 1, 3), (-1, 1, 1), (0, 0, 4)])
    assert (bet.placed, bet.staked, bet.mean) == (Fraction(1, 2), Fraction(1, 2), Fraction(1, 4))
    assert bet.returned == Fraction(3, 2)
    # (1 - 1/2)² in 3 of 8, (-1 - 1/2)² in 1 of 8, over (1/2)²
    assert bet.return_variance == (3 * Fraction(1, 4) + Fraction(9, 4)) / 8 * 4
    assert bet.push_frequency == 0


def test_equal_results_are_joined_and_others_kept_in_order():
    found = Distribution.of_results([(2, 1, 5), (-1, 1, 3), (2, 2, 4), (7, 1, 0)])
    assert found.results == {Fraction(-1): 3, Fraction(2): 9}
    assert found.universe == 12
    assert found.times(Fraction(1, 2)).results == {Fraction(-1, 2): 3, Fraction(1): 9}


def test_bands_shrink_with_the_root_of_the_rounds():
    bands = {(band.rounds, band.level): band for band in DIE.bands([100, 10_000])}
    wide, narrow = bands[100, "95%"], bands[10_000, "95%"]
    assert wide.high - 0.5 == pytest.approx(10 * (narrow.high - 0.5))
    assert wide.high - 0.5 == pytest.approx(LEVELS["95%"] * pstdev([-3, -2, -1, 0, 1, 2]) / 10)
    assert bands[100, "90%"].high < wide.high < bands[100, "99%"].high


def test_rare_large_wins_need_many_rounds_before_a_band_means_anything():
    lottery = Distribution.of_results([(999, 1, 1), (-1, 1, 1999)])
    assert lottery.enough_rounds() > 25 * 1900
    assert [band.normal for band in lottery.bands([1000, 10**8])] == 3 * [False] + 3 * [True]
    assert lottery.bands([10])[0].low == 0, "no return is below nothing"
