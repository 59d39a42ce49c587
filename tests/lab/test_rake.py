"""The Rake of one hand as the lab works it out: the same figures as the cases of the books."""

from fractions import Fraction

import pytest

from croupier.lab.rake import ASSUMED, Terms, rake_cost
from croupier.rulebooks import load

V8, V5 = "no-limit-holdem-v8", "poker-v5"
FIVE_PERCENT = Terms(share=Fraction(5, 100), chip=100)


def charged(book: str, what: str, policies: dict[str, str]) -> int:
    """What one hand of the built-in mix is charged, in whole chips: Blinds 100 and 200."""
    cost = rake_cost(load(book), FIVE_PERCENT, big_blind=200_00, policies=policies)
    return dict(cost.largest)[what] // 100


@pytest.mark.parametrize(
    ("book", "policies", "rake"),
    [
        (V5, {}, 15),  # 5% of 300
        (V5, {"rake-uncalled-raise": "left-out"}, 10),  # of 200
        (V5, {"rake-uncalled-raise": "small-blind"}, 5),  # of 100
        (V8, {}, 10),
        (V8, {"rake-base-of-a-walk": "small-blind"}, 5),
    ],
)
def test_a_walk_is_charged_as_at_the_table(book, policies, rake):
    assert charged(book, "all fold to the Big Blind", policies) == rake


@pytest.mark.parametrize(
    ("book", "policies", "rake"),
    [
        (V5, {}, 45),  # a pot of 500 and an uncalled 400: 5% of 900
        (V5, {"rake-uncalled-raise": "left-out"}, 25),
        (V5, {"rake-uncalled-raise": "small-blind"}, 25),
        (V8, {}, 25),
        (V8, {"rake-base-of-a-walk": "small-blind"}, 25),
    ],
)
def test_an_uncalled_raise_is_charged_as_at_the_table(book, policies, rake):
    assert charged(book, "a raise before the flop, all fold", policies) == rake


def test_one_kind_of_hand_in_the_mix_is_a_walk():
    assert [shape.what for shape in ASSUMED if shape.walk] == ["all fold to the Big Blind"]
