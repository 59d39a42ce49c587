"""The words of the table: ranks, seats, offers, and the public surface."""

from fractions import Fraction

import pytest

import croupier.table
from croupier.table import ActorRank, HeldLine, Offer
from croupier.table.seat import clockwise
from croupier.table.words import words
from tests.pit.high_card import SOME_EVENING


@pytest.mark.parametrize(
    ("rank", "may"),
    [
        (ActorRank.PLAYER, []),
        (ActorRank.DEALER, ["dealer"]),
        (ActorRank.HOUSE, ["dealer"]),
        (ActorRank.PIT_SUPERVISOR, ["dealer", "pit supervisor"]),
        (ActorRank.PIT_MANAGER, ["dealer", "pit supervisor", "pit manager"]),
        (ActorRank.SHIFT_MANAGER, ["dealer", "pit supervisor", "pit manager", "shift manager"]),
    ],
)
def test_a_rank_may_do_what_the_ranks_below_it_may(rank, may):
    staff = [ActorRank.DEALER, ActorRank.PIT_SUPERVISOR]
    staff += [ActorRank.PIT_MANAGER, ActorRank.SHIFT_MANAGER]
    assert [needed.value for needed in staff if rank.is_at_least(needed)] == may


def test_clockwise_begins_after_a_place_and_comes_round_to_it():
    assert clockwise([1, 3, 6], after=3) == [6, 1, 3]
    assert clockwise([1, 3, 6], after=0) == [1, 3, 6]
    assert clockwise([1, 3, 6], after=6) == [1, 3, 6]
    assert clockwise([2, 4], after=3) == [4, 2]


@pytest.mark.parametrize(
    ("offer", "text"),
    [
        (Offer(do="fold"), "fold"),
        (Offer(do="call", least=15_000, most=15_000, word="to"), "call to 150"),
        (Offer(do="raise", least=20_000, most=51_050, word="to"), "raise to 200..510.50"),
        (Offer(do="flop", least=10_000, most=10_000), "flop 100"),
    ],
)
def test_an_offer_reads_as_a_dealer_would_say_it(offer, text):
    assert str(offer) == text


def test_a_records_name_is_written_in_words():
    assert [words(n) for n in ("Fold", "AllIn", "DealFlop")] == ["fold", "all in", "deal flop"]


@pytest.mark.parametrize(
    ("percent", "share"), [("100", Fraction(1)), ("10", Fraction(1, 10)), ("2.5", Fraction(1, 40))]
)
def test_a_held_line_knows_its_exact_share(percent, share):
    assert HeldLine(box=1, line="x", percent=percent, dealt=SOME_EVENING).share == share


def test_what_is_exported_is_there():
    for name in croupier.table.__all__:
        assert getattr(croupier.table, name) is not None
