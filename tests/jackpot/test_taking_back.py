"""A link alone: awards that come back and stand again, amounts registered before a fault.

Reset value 50,000.00, contribution 1.00; amounts in cents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.jackpot.commands import PayClaims, RemoveTable, RepairLink, ReportLinkFault
from croupier.rulebooks import Topic
from croupier.table import (
    BadCommand,
    ForgetAmount,
    PayAwardsAgain,
    RegisterAmount,
    ReturnStakes,
    TakeAwardsBack,
    TakeClaims,
    TakeStakes,
)
from tests.jackpot.test_link import ROYAL, STRAIGHT, Controller, held


def win(c: Controller, table: str, number: int, line: str, boxes: int = 1) -> int:
    """A round of a table in which box 1 wins a share; what it is paid."""
    c.stakes(table, number, boxes)
    return pay(c, table, number, line)


def pay(c: Controller, table: str, number: int, line: str) -> int:
    c.claim(table, number, held(1, line, 10.0))
    c.do(PayClaims())
    return c.link.state.awards[-1].paid


def take_back(c: Controller, table: str, number: int, line: str, paid: int, boxes: int = 1) -> None:
    awards = {1: {line: paid}}
    c.tell(TakeAwardsBack(table=table, round=number, awards=awards, why=("5.15",)))
    gone = tuple(range(1, boxes + 1))
    c.tell(ReturnStakes(table=table, round=number, boxes=gone, why=("5.15",)))


def money(c: Controller) -> tuple[int, int, int]:
    """Meter, what was awarded, and what the House and the stakes have put in."""
    state = c.link.state
    return state.meter, state.awarded, state.put_in


def test_the_whole_jackpot_comes_back_and_the_seed_goes_back_to_the_house():
    c = Controller(start=8_000_000)
    before = money(c)
    paid = win(c, "A", 1, ROYAL)
    assert paid == 8_000_100
    assert money(c) == (5_000_000, 8_000_100, 13_000_100)
    take_back(c, "A", 1, ROYAL, paid)
    assert money(c) == before
    assert c.link.state.hits == 0


def test_below_the_ceiling_all_of_it_is_on_the_meter_again():
    c = Controller(start=8_000_000, ceiling=9_000_000)
    paid = win(c, "A", 1, ROYAL)
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: paid}}))
    assert (c.meter, c.link.state.overflow) == (8_000_100, 0)


def test_what_the_reserve_had_given_for_the_reset_goes_back_to_it():
    c = Controller(start=8_000_000, reserve_rate="50")
    paid = win(c, "A", 1, ROYAL)  # 50 to the meter, 50 to the reserve, which then pays for the seed
    assert (paid, c.link.state.reserve) == (8_000_050, 0)
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: paid}}))
    assert (c.meter, c.link.state.reserve) == (8_000_050, 50)
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert money(c) == (8_000_000, 0, 8_000_000)


def test_a_top_up_goes_back_with_the_share_that_it_was_for():
    c = Controller({"top-up-to-reset": "yes"}, start=5_000_000)
    paid = win(c, "A", 1, STRAIGHT)
    assert (paid, c.meter) == (500_010, 5_000_000)
    take_back(c, "A", 1, STRAIGHT, paid)
    assert money(c) == (5_000_000, 0, 5_000_000)


def test_a_share_that_had_reset_the_meter_by_policy():
    c = Controller({"partial-award": "reset"}, start=8_000_000)
    paid = win(c, "A", 1, STRAIGHT)
    assert (paid, c.meter) == (800_010, 5_000_000)
    take_back(c, "A", 1, STRAIGHT, paid)
    assert money(c) == (8_000_000, 0, 8_000_000)


def test_what_is_beyond_the_ceiling_goes_into_the_overflow_pool():
    c = Controller(start=8_000_000, ceiling=8_000_150)
    paid = win(c, "A", 1, ROYAL)
    c.stakes("B", 1, 3)
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: paid}}))
    assert (c.meter, c.link.state.overflow) == (8_000_150, 250)  # 80,001.00 and 3.00 in all
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert (c.meter, c.link.state.overflow) == (8_000_150, 150)


def test_what_the_meter_cannot_bear_the_house_does():
    c = Controller(start=10_000)
    small = win(c, "A", 1, ROYAL)  # 101.00; then a new meter of 50,000.00
    assert small == 10_100
    other = win(c, "B", 1, STRAIGHT)  # 10% of 50,001.00
    assert other == 500_010
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: small}}))
    # 101.00 before, plus Ben's 1.00, less the 5,000.10 that stand: nothing is left to come off
    assert c.meter == 0
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert (c.meter, c.link.state.borne) == (0, 100)


def test_a_stake_that_the_house_bore_comes_off_after_all_once_the_reset_is_undone():
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 1)
    paid = win(c, "A", 1, ROYAL)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    assert (c.meter, c.link.state.borne) == (5_000_000, 100)
    take_back(c, "A", 1, ROYAL, paid)
    assert (c.meter, c.link.state.borne) == (8_000_000, 0)
    c.stakes("B", 1, 1)  # the void of B is taken back: it gives what it had given
    assert c.meter == 8_000_100


def test_a_stake_that_lies_there_again_comes_back_with_the_award_that_had_it_in_it():
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 1)
    paid = win(c, "A", 1, ROYAL)  # with B's 1.00 in it
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    c.stakes("B", 1, 1)  # the void of B is taken back
    take_back(c, "A", 1, ROYAL, paid)
    assert (c.meter, c.link.state.borne) == (8_000_100, 0)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    assert (c.meter, c.link.state.borne) == (8_000_000, 0)


def test_a_round_void_while_another_tables_award_was_taken_back():
    """As if the award had never come back: it had B's 1.00 in it, and the House bears it."""
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 1)
    paid = win(c, "A", 1, ROYAL)
    take_back(c, "A", 1, ROYAL, paid)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    assert (c.meter, c.link.state.borne) == (8_000_000, 0)
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {ROYAL: paid}}))
    c.stakes("A", 1, 1)
    assert (c.meter, c.link.state.borne) == (5_000_000, 100)
    c.stakes("B", 1, 1)  # the void of B is taken back as well
    assert money(c) == (5_000_000, 8_000_200, 13_000_200)
    assert c.link.state.borne == 0


def test_two_voids_taken_back_in_the_order_in_which_they_were_ruled():
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 1)
    paid = win(c, "A", 1, ROYAL)
    before = money(c)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    take_back(c, "A", 1, ROYAL, paid)
    c.stakes("B", 1, 1)
    assert (c.meter, c.link.state.borne) == (8_000_100, 0)
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {ROYAL: paid}}))
    c.stakes("A", 1, 1)
    assert money(c) == before
    assert c.link.state.borne == 0


def test_an_award_that_stands_again_leaves_everything_as_it_was():
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 1)
    paid = win(c, "A", 1, ROYAL)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    before, borne = money(c), c.link.state.borne
    take_back(c, "A", 1, ROYAL, paid)
    again = c.tell(PayAwardsAgain(table="A", round=1, awards={1: {ROYAL: paid}}))
    assert again[-1].cites == c.link.cite(Topic.JACKPOT_RESET)
    c.stakes("A", 1, 1)
    assert money(c) == before
    assert c.link.state.borne == borne
    assert [award.taken_back for award in c.link.state.awards] == [False]


def test_an_award_that_stands_again_after_the_meter_was_won_elsewhere_is_the_houses():
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, ROYAL)
    take_back(c, "A", 1, ROYAL, paid)
    assert win(c, "B", 1, ROYAL) == 8_000_100
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {ROYAL: paid}}))
    assert money(c) == (5_000_000, 16_000_200, 21_000_200)


def one_won_what_the_other_put_back() -> tuple[Controller, Callable[..., None]]:
    """A's share of 8,000.10 came back to the meter, and B has won that with all the rest."""
    c = Controller(start=8_000_000)
    share = win(c, "A", 1, STRAIGHT)
    take_back(c, "A", 1, STRAIGHT, share)
    whole = win(c, "B", 1, ROYAL)
    assert (share, whole, c.meter) == (800_010, 8_000_100, 5_000_000)
    awards = {"A": (STRAIGHT, share), "B": (ROYAL, whole)}

    def rule(table: str, *, stands: bool) -> None:
        line, paid = awards[table]
        if not stands:
            take_back(c, table, 1, line, paid)
            return
        c.tell(TakeStakes(table=table, round=1, stakes={1: 500}))
        c.tell(PayAwardsAgain(table=table, round=1, awards={1: {line: paid}}))

    return c, rule


NEITHER = (8_000_000, 0, 8_000_000)
ONLY_A = (7_200_090, 800_010, 8_000_100)
ONLY_B = (5_000_000, 8_000_100, 13_000_100)
BOTH = (5_000_100, 8_800_110, 13_800_210)
"""A's stake lies there again after the win, in the new jackpot; the House gives A's share."""


@pytest.mark.parametrize(
    ("rulings", "stands"),
    [
        ("", ONLY_B),
        ("+A", BOTH),
        ("-B", NEITHER),
        ("-B +A", ONLY_A),
        ("-B +A +B", BOTH),
        ("-B +B +A", BOTH),
        ("+A -B", ONLY_A),
        ("+A -A", ONLY_B),
        ("+A -A +A", BOTH),
        ("+A -B +B", BOTH),
        ("+A -B -A", NEITHER),
        ("+A -A -B", NEITHER),
        ("+A -B -A +B", ONLY_B),
        ("-B +A -A +B", ONLY_B),
        ("-B +A +B -A -B +A", ONLY_A),
        ("+A -B -A +A +B -A +A -B", ONLY_A),
    ],
)
def test_what_stands_says_what_is_on_the_meter_whatever_came_back_and_stood_again_before(
    rulings: str, stands: tuple[int, int, int]
):
    """B-63: a win that was taken back was none, and what it had paid out is on the meter; what a
    win that stands has paid out of an award that came back, the House has."""
    c, rule = one_won_what_the_other_put_back()
    for ruling in rulings.split():
        rule(ruling[1], stands=ruling[0] == "+")
    assert money(c) == stands


def test_an_award_that_stood_again_before_another_won_comes_back_whole():
    """The meter had given it: the other has nothing of it in it, so the meter gets it back."""
    c = Controller(start=8_000_000)
    share = win(c, "A", 1, STRAIGHT)
    take_back(c, "A", 1, STRAIGHT, share)
    c.tell(TakeStakes(table="A", round=1, stakes={1: 500}))
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {STRAIGHT: share}}))
    assert win(c, "B", 1, ROYAL) == 7_200_190
    take_back(c, "A", 1, STRAIGHT, share)
    assert money(c) == (5_800_010 - 100, 7_200_190, 13_000_100)


def test_an_award_that_stands_again_while_a_claim_waits_is_advanced_by_the_house():
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, STRAIGHT)  # 80,001.00: 8,000.10
    take_back(c, "A", 1, STRAIGHT, paid)
    c.stakes("B", 1, 1)
    c.claim("B", 1, held(1, STRAIGHT, 20.0))
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    assert c.meter == 8_000_100
    c.do(PayClaims())
    assert c.link.state.awards[-1].paid == 800_010
    assert money(c) == (8_000_100 - 800_010 - 800_010, 1_600_020, 8_000_100)


def test_an_advanced_award_that_is_taken_back_again_goes_back_to_the_house():
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, STRAIGHT)
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    c.stakes("B", 1, 1)
    c.claim("B", 1, held(1, STRAIGHT, 20.0))
    before = money(c)
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    assert money(c) == before


def test_a_stake_comes_off_the_meter_with_its_share_although_the_rest_was_won_since():
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, STRAIGHT)  # 10% of 80,001.00
    c.stakes("B", 1, 1)
    c.claim("B", 1, held(1, ROYAL, 20.0))
    take_back(c, "A", 1, STRAIGHT, paid)
    c.do(PayClaims())
    assert c.link.state.awards[-1].paid == 7_200_190
    # 50,000.00, the 8,000.10 that came back, less the 1.00 of which they were a share too
    assert (c.meter, c.link.state.borne) == (5_799_910, 0)


def test_stakes_that_lay_there_are_not_doubted_because_they_come_together():
    c = Controller(unreasonable=250)
    c.stakes("A", 1, 2)
    c.tell(TakeStakes(table="A", round=1, stakes={3: 500}))
    c.tell(ReturnStakes(table="A", round=1, boxes=(1, 2, 3)))
    c.stakes("A", 1, 3)
    assert (c.meter, c.link.state.doubtful) == (5_000_300, 0)


def test_an_amount_is_forgotten_also_while_the_order_of_payment_is_open():
    c = Controller(start=8_000_000)
    for table in "ABC":
        c.stakes(table, 1, 1)
    c.tell(RegisterAmount(table="C", round=1))
    c.claim("A", 1, held(1, STRAIGHT, 10.0))
    c.claim("B", 1, held(1, STRAIGHT, 11.0))
    c.do(PayClaims())
    assert c.link.state.waiting
    c.tell(ForgetAmount(table="C", round=1))
    assert c.link.facts().registered_for == {}


def test_an_award_that_comes_back_and_stands_again_before_the_claim_is_paid_moves_nothing():
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, STRAIGHT)
    c.stakes("B", 1, 1)
    c.claim("B", 1, held(1, STRAIGHT, 20.0))
    before = money(c)
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    assert c.link.state.returning_awards() == paid
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    assert money(c) == before
    assert (c.link.state.returning, c.link.state.covering) == ([], [])


@pytest.mark.parametrize(
    "awards",
    [{1: {ROYAL: 8_000_101}}, {2: {ROYAL: 8_000_100}}, {1: {STRAIGHT: 8_000_100}}],
)
def test_only_awards_that_the_link_has_made_come_back(awards: dict[int, dict[str, int]]):
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, ROYAL)
    with pytest.raises(BadCommand, match="no such award"):
        c.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    right: Any = {1: {ROYAL: paid}}
    with pytest.raises(BadCommand, match="no such award"):
        c.tell(PayAwardsAgain(table="A", round=1, awards=right))
    with pytest.raises(BadCommand, match="knows no round 2"):
        c.tell(TakeAwardsBack(table="A", round=2, awards=right))
    c.tell(TakeAwardsBack(table="A", round=1, awards=right))
    with pytest.raises(BadCommand, match="no such award"):
        c.tell(TakeAwardsBack(table="A", round=1, awards=right))


def test_the_last_round_of_a_table_that_was_taken_off_can_still_be_found_void():
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, ROYAL)
    c.do(RemoveTable(table="A"))
    take_back(c, "A", 1, ROYAL, paid)
    assert c.meter == 8_000_000
    with pytest.raises(BadCommand, match="takes no stakes"):
        c.stakes("A", 2, 1)


# -- registered amounts ---------------------------------------------------------------------------


def test_the_first_fault_of_a_round_counts():
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.tell(RegisterAmount(table="A", round=1))
    c.stakes("B", 1, 1)
    assert c.tell(RegisterAmount(table="A", round=1)) == ()
    c.do(ReportLinkFault(reason="dark"))
    facts = c.link.facts()
    assert facts.registered_for == {"A": 8_000_100, "B": 8_000_200}
    assert facts.registered == 8_000_200


def test_a_round_that_the_link_does_not_know_has_nothing_registered():
    c = Controller(start=8_000_000)
    assert c.tell(RegisterAmount(table="A", round=1)) == ()
    assert c.tell(ForgetAmount(table="A", round=1)) == ()
    c.stakes("A", 1, 1)
    assert c.tell(RegisterAmount(table="A", round=2)) == ()
    assert c.tell(ForgetAmount(table="A", round=1)) == ()


def test_what_the_link_itself_registered_is_not_forgotten_with_a_device():
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.do(ReportLinkFault(reason="dark"))
    assert c.tell(ForgetAmount(table="A", round=1)) == ()
    c.do(RepairLink(reason="light"))
    assert c.link.facts().registered_for == {"A": 8_000_100}


def test_the_registered_amount_ends_with_the_round():
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.tell(RegisterAmount(table="A", round=1))
    c.tell(TakeClaims(table="A", round=1, lines=()))
    assert c.link.facts().registered_for == {}
    c.stakes("B", 1, 1)
    assert win(c, "A", 2, ROYAL) == 8_000_300


def test_two_devices_that_failed_apart_have_each_its_own_amount():
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.tell(RegisterAmount(table="A", round=1))
    c.stakes("B", 1, 1)
    c.tell(RegisterAmount(table="B", round=1))
    assert pay(c, "A", 1, ROYAL) == 8_000_100
    assert c.meter == 5_000_100  # what B gave came after A's fault
    assert pay(c, "B", 1, STRAIGHT) == 800_020
    assert c.meter == 5_000_100 - 800_020


def test_an_award_that_comes_back_lifts_the_registered_amount_for_the_next():
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.stakes("B", 1, 1)
    c.do(ReportLinkFault(reason="dark"))
    first = pay(c, "A", 1, STRAIGHT)
    assert first == 800_020
    take_back(c, "A", 1, STRAIGHT, first)
    assert c.link.facts().registered == 8_000_200
    assert pay(c, "B", 1, STRAIGHT) == 800_020


def test_only_what_the_meter_lacks_is_completed():
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.tell(RegisterAmount(table="A", round=1))
    assert win(c, "B", 1, ROYAL) == 8_000_200
    before = c.link.state.put_in
    assert pay(c, "A", 1, ROYAL) == 8_000_100
    # The meter has 50,000.00; the House completes 30,001.00 and puts in the next seed.
    assert money(c) == (5_000_000, 16_000_300, before + 3_000_100 + 5_000_000)
    take_back(c, "A", 1, ROYAL, 8_000_100)
    # All of that goes back. Her own 1.00 was in what B won and comes off the meter that is left.
    assert money(c) == (4_999_900, 8_000_200, before - 100)


def test_awards_come_back_and_stand_again_on_the_word_of_a_table_of_the_link_alone():
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, ROYAL)
    for table, tell, says in (
        ("A", c.do, "carried by the House"),
        ("D", c.tell, "'D' does not hang on link 'main'; there is A, B, C"),
    ):
        for kind in (TakeAwardsBack, PayAwardsAgain):
            with pytest.raises(BadCommand, match=says):
                tell(kind(table=table, round=1, awards={1: {ROYAL: paid}}))
    assert money(c) == (5_000_000, 8_000_100, 13_000_100)


def beyond_the_ceiling(box: int, *, comes_back: bool) -> Controller:
    """A wins; B and a box of C are void, while the award is taken back or while it stands. What
    box 1 of C gave had gone beyond the ceiling, what box 2 gave was in the meter that was won."""
    c = Controller(start=8_000_000, ceiling=8_000_200)
    c.stakes("B", 1, 1)
    c.stakes("C", 1, 2)
    paid = win(c, "A", 1, ROYAL)
    assert (paid, c.meter) == (8_000_200, 5_000_200)
    if comes_back:
        c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: paid}}))
        assert (c.meter, c.link.state.overflow) == (8_000_200, 200)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    c.tell(ReturnStakes(table="C", round=1, boxes=(box,)))
    if comes_back:
        c.tell(PayAwardsAgain(table="A", round=1, awards={1: {ROYAL: paid}}))
    return c


@pytest.mark.parametrize("comes_back", [False, True])
def test_stakes_that_came_off_the_overflow_meanwhile_are_borne_once(comes_back: bool):
    """As if the award had never come back: the House bears what was paid out, no more."""
    c = beyond_the_ceiling(2, comes_back=comes_back)
    assert money(c) == (5_000_200, 8_000_200, 13_000_400)
    assert c.link.state.borne == 200


def test_a_stake_that_gave_the_won_meter_nothing_comes_off_the_one_that_it_lies_in_now():
    c = beyond_the_ceiling(1, comes_back=True)
    assert (c.meter, c.link.state.borne) == (5_000_100, 100)
    c.tell(TakeStakes(table="C", round=1, stakes={1: 500}))  # this void is taken back
    assert (c.meter, c.link.state.borne) == (5_000_200, 100)
    c.tell(ReturnStakes(table="C", round=1, boxes=(1,)))
    assert (c.meter, c.link.state.borne) == (5_000_100, 100)


def test_what_the_house_lifted_the_meter_by_is_not_left_on_the_next_jackpot():
    """1.20: it is reset to its value. Nothing came in since the fault; the House had topped up."""
    c = Controller({"top-up-to-reset": "yes"})
    c.stakes("A", 1, 3)
    c.tell(RegisterAmount(table="A", round=1))
    c.claim("A", 1, held(1, STRAIGHT, 10.0), held(2, STRAIGHT, 10.1), held(3, ROYAL, 10.2))
    c.do(PayClaims())
    first, second, third = c.link.state.awards
    assert (first.paid, first.meter_after) == (500_030, 4_500_270)
    assert (second.paid, second.meter_before, second.meter_after) == (450_027, 5_000_000, 4_549_973)
    assert (third.paid, third.meter_before, third.meter_after) == (4_050_243, 5_000_000, 5_000_000)
    assert c.meter == 5_000_000


def test_nor_if_one_of_those_awards_comes_back_and_stands_again():
    c = Controller({"top-up-to-reset": "yes"})
    c.stakes("A", 1, 3)
    c.tell(RegisterAmount(table="A", round=1))
    c.claim("A", 1, held(1, STRAIGHT, 10.0))
    c.do(PayClaims())
    awards = {1: {STRAIGHT: 500_030}}
    c.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert c.meter == 5_000_200
    c.tell(TakeStakes(table="A", round=1, stakes={1: 500}))
    c.tell(PayAwardsAgain(table="A", round=1, awards=awards))
    assert c.meter == 5_000_000
    c.claim("A", 1, held(3, ROYAL, 10.2))
    c.do(PayClaims())
    assert c.link.state.awards[-1].paid == 4_500_270
    assert c.meter == 5_000_000


def test_a_stake_that_lies_there_again_after_the_jackpot_was_won_is_in_the_new_one():
    """It had come off before the jackpot was won: when it goes back again the House bears nothing,
    though an amount had been registered meanwhile."""
    c = Controller()
    c.stakes("C", 1, 1)
    c.stakes("A", 1, 1)
    c.tell(RegisterAmount(table="A", round=1))
    c.tell(ReturnStakes(table="C", round=1, boxes=(1,)))
    assert c.meter == 5_000_100
    assert pay(c, "A", 1, ROYAL) == 5_000_200
    c.tell(TakeStakes(table="C", round=1, stakes={1: 500}))
    assert c.meter == 5_000_100
    c.tell(ReturnStakes(table="C", round=1, boxes=(1,)))
    assert (c.meter, c.link.state.borne) == (5_000_000, 0)


def test_the_seed_of_another_jackpot_is_not_left_on_the_next_one():
    """B's device fails at 46,002 and C wins that; only the 1 that A gave since has come in."""
    c = Controller(start=4_600_000)
    c.stakes("B", 1, 1)
    c.stakes("C", 1, 1)
    c.tell(RegisterAmount(table="B", round=1))
    assert pay(c, "C", 1, ROYAL) == 4_600_200
    assert c.meter == 5_000_000
    c.stakes("A", 1, 1)
    assert pay(c, "B", 1, ROYAL) == 4_600_200
    assert c.meter == 5_000_100
    assert c.link.state.put_in == 4_600_200 + 4_600_200 + 5_000_100


def test_what_the_house_bears_again_is_borne_of_the_jackpot_that_had_it():
    """A fault parts what came in before it from what came in since; A wins both, and B's two gave
    since. Void while the award is taken back, they are borne once it stands again, and no more
    when their void is undone: the next time it comes back, nothing comes off the meter for them."""
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.do(ReportLinkFault(reason="dark"))
    c.do(RepairLink(reason="light"))
    c.stakes("B", 1, 2)
    c.tell(TakeClaims(table="A", round=1, lines=()))
    paid = win(c, "A", 2, ROYAL)
    before = money(c)
    awards = {1: {ROYAL: paid}}
    c.tell(TakeAwardsBack(table="A", round=2, awards=awards))
    c.tell(ReturnStakes(table="B", round=1, boxes=(1, 2)))
    assert (c.meter, c.link.state.borne) == (8_000_200, 0)
    c.tell(PayAwardsAgain(table="A", round=2, awards=awards))
    assert (c.meter, c.link.state.borne) == (5_000_000, 200)
    c.stakes("B", 1, 2)
    assert money(c) == before
    assert c.link.state.borne == 0
    c.tell(TakeAwardsBack(table="A", round=2, awards=awards))
    assert (c.meter, c.link.state.borne) == (8_000_400, 0)
