"""A link while claims wait and after them: parked contributions, reversals, awards that came back.

Reset value 50,000.00, contribution 1.00 unless said; amounts in cents.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.jackpot import shown_at, would_pay
from croupier.jackpot.commands import JoinTable, PayClaims, ReportLinkFault, ShowDisplay
from croupier.jackpot.events import (
    AwardPutBack,
    ContributionsPosted,
    ContributionsReversed,
    LaterReversed,
    ParkedPosted,
    ToppedUp,
)
from croupier.table import (
    AwardMade,
    BadCommand,
    Decide,
    Event,
    HeldLine,
    PayAwardsAgain,
    ReturnStakes,
    TakeAwardsBack,
    TakeStakes,
)
from tests.jackpot.test_link import EIGHT, ROYAL, STRAIGHT, Controller, held
from tests.jackpot.test_taking_back import money, win


def little(box: int) -> HeldLine:
    """A line of a thousandth of a percent, which leaves the meter nearly where it was."""
    return HeldLine(box=box, line=STRAIGHT, percent="0.001", dealt=EIGHT)


def of(events: tuple[Event, ...], kind: type[Event]) -> Event:
    [event] = [each for each in events if isinstance(each, kind)]
    return event


def gone(c: Controller, table: str, *boxes: int, number: int = 1) -> tuple[Event, ...]:
    return c.tell(ReturnStakes(table=table, round=number, boxes=boxes))


# -- parked ---------------------------------------------------------------------------------------


def test_what_was_parked_fills_the_meter_to_the_ceiling_and_then_the_overflow_pool() -> None:
    c = Controller(start=8_000_000, ceiling=8_000_150)
    c.stakes("A", 1, 1)
    c.claim("A", 1, little(1))
    c.stakes("B", 1, 3)
    state = c.link.state
    assert (c.meter, state.parked, state.overflow) == (8_000_100, 300, 0)
    posted = of(c.do(PayClaims()), ParkedPosted)  # 0.80 is paid
    assert posted.tell(str) == (
        "1.30 that was parked is added to the meter, and 1.70 to the overflow pool."
    )
    assert (c.meter, state.parked, state.overflow) == (8_000_150, 0, 170)
    assert c.link.facts().display == 8_000_150
    # Box 1 is in the meter, box 2 with 0.30, box 3 not at all. There is room for 0.30 then.
    reversed_ = of(gone(c, "B", 2), ContributionsReversed)
    assert reversed_.tell(str) == (
        "The contribution of box 2 of table B is reversed: 0.30 off the meter and 0.70 out of "
        "the overflow pool."
    )
    assert (c.meter, state.overflow) == (8_000_150, 70)


def test_what_is_parked_goes_back_at_once() -> None:
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    c.stakes("B", 1, 2)
    assert gone(c, "B", 1)[0].tell(str) == (
        "The contribution of box 1 of table B is reversed: 1 off what is parked."
    )
    assert (c.link.state.parked, c.link.state.later) == (100, [])
    posted = of(c.do(PayClaims()), ParkedPosted)
    assert posted.tell(str) == "1 that was parked is added to the meter."


def test_parked_stakes_belong_to_the_meter_after_the_claim_and_come_off_it() -> None:
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, ROYAL, 1))
    c.stakes("B", 1, 2)
    c.do(PayClaims())
    assert (c.meter, c.link.facts().display) == (5_000_200, 5_000_200)
    gone(c, "B", 1)
    assert (c.meter, c.link.state.borne) == (5_000_100, 0)


# -- reversals that wait --------------------------------------------------------------------------


def test_a_reversal_that_waited_takes_back_from_every_account() -> None:
    c = Controller(start=8_000_000, contribution=1_000, reserve_rate="10", ceiling=8_001_900)
    state = c.link.state
    c.stakes("A", 1, 1)
    c.stakes("B", 1, 2)
    assert (c.meter, state.reserve, state.overflow) == (8_001_900, 300, 800)
    c.claim("A", 1, little(1))
    told = gone(c, "B", 1, 2)[0].tell(str)
    assert told.endswith("boxes 1 and 2 of table B are reversed once the claims are paid.")
    assert (c.meter, state.reserve, state.overflow) == (8_001_900, 300, 800)
    later = of(c.do(PayClaims()), LaterReversed)  # 0.80 is paid
    assert later.tell(str) == (
        "The contributions of boxes 1 and 2 of table B are reversed: 10 off the meter, "
        "2 out of the reserve and 8 out of the overflow pool."
    )
    assert (c.meter, state.reserve, state.overflow) == (8_000_820, 100, 0)
    assert c.link.facts().display == 8_000_820
    c.stakes("B", 1, 2)  # the ruling is taken back: there is room for 10.80 now
    assert (c.meter, state.reserve, state.overflow) == (8_001_900, 300, 720)


def test_one_box_is_told_in_the_singular() -> None:
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 1)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    assert gone(c, "B", 1)[0].tell(str) == (
        "The contribution of box 1 of table B is reversed once the claims are paid."
    )
    assert of(c.do(PayClaims()), LaterReversed).tell(str) == (
        "The contribution of box 1 of table B is reversed: 1 off the meter."
    )


def test_a_reversal_that_waited_until_the_jackpot_was_won_is_borne_by_the_house() -> None:
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 3)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, ROYAL, 1))
    gone(c, "B", 1, 2)
    later = of(c.do(PayClaims()), LaterReversed)
    assert later.tell(str).endswith("are reversed: 2 borne by the House.")
    assert (c.meter, c.link.state.borne) == (5_000_000, 200)
    # The award comes back: what the House bore comes off the meter after all.
    back = of(
        c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: 8_000_400}})), AwardPutBack
    )
    assert back.tell(str) == (
        "The 80,004 of box 1 of table A is put back; the meter goes from 50,000 to 80,002. "
        "50,002 that the House had put in goes back to it. "
        "2 that the House had borne of other stakes comes off the meter after all."
    )
    assert (c.meter, c.link.state.borne) == (8_000_200, 0)
    # And stands again: the House bears it as before, also once B's void is undone box by box.
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {ROYAL: 8_000_400}}))
    assert (c.meter, c.link.state.borne) == (5_000_000, 200)
    c.tell(TakeStakes(table="B", round=1, stakes={1: 500}))
    assert (c.meter, c.link.state.borne) == (5_000_000, 100)
    gone(c, "B", 1)
    assert (c.meter, c.link.state.borne) == (5_000_000, 200)


def test_reversals_of_two_tables_that_waited_come_off_apart() -> None:
    c = Controller(start=8_000_000)
    for table in "BCA":
        c.stakes(table, 1, 2)
    c.claim("A", 1, little(1))
    gone(c, "B", 1)
    gone(c, "C", 1, 2)
    events = c.do(PayClaims())
    later = [each for each in events if isinstance(each, LaterReversed)]
    assert [(each.table, each.boxes, each.meter) for each in later] == [
        ("B", (1,), 100),
        ("C", (1, 2), 200),
    ]
    assert c.meter == 8_000_600 - 80 - 300
    c.stakes("C", 1, 2)
    assert c.meter == 8_000_600 - 80 - 100


def test_a_stake_of_the_round_before_does_not_lie_in_the_next() -> None:
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 1)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    gone(c, "B", 1)
    c.tell(TakeStakes(table="B", round=2, stakes={2: 500}))
    c.do(PayClaims())
    c.do(ReportLinkFault(reason="no signal"))
    with pytest.raises(BadCommand, match="takes no stakes"):
        c.tell(TakeStakes(table="B", round=2, stakes={1: 500}))


def test_a_stake_that_lies_there_again_before_the_claim_is_paid_moves_nothing() -> None:
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 2)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    gone(c, "B", 1, 2)
    assert c.link.facts().counts == {"B": 0, "A": 1}
    events = c.tell(TakeStakes(table="B", round=1, stakes={1: 500, 2: 500}))
    assert [each.tell(str) for each in events] == [
        "Contributions of table B are not reversed after all."
    ]
    assert c.link.facts().counts == {"B": 2, "A": 1}
    c.do(PayClaims())
    assert c.meter == 8_000_300 - 800_030


def test_of_two_stakes_one_lies_there_again_and_one_is_new() -> None:
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 2)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    gone(c, "B", 1, 2)
    c.tell(TakeStakes(table="B", round=1, stakes={1: 500, 3: 500}))
    assert (c.link.state.parked, c.link.facts().counts["B"]) == (100, 2)
    c.do(PayClaims())
    assert c.meter == 8_000_300 - 800_030 + 100 - 100


def test_what_goes_back_at_once_and_what_waits_is_told_apart() -> None:
    """Box 2 was told to the link while the claim waited: what it gave is parked."""
    for unregistered, told in (
        (
            False,
            "The contribution of box 2 of table B is reversed: 1 off what is parked. "
            "The contributions of boxes 1 and 3 of table B are reversed once the claims are paid.",
        ),
        (
            True,
            "The jackpot bets of boxes 1, 2 and 3 of table B were never registered: the 1 entered "
            "for box 2 does not count and what was entered for boxes 1 and 3 comes off the meter "
            "once the claims are paid.",
        ),
    ):
        c = Controller(start=8_000_000)
        c.tell(TakeStakes(table="B", round=1, stakes={1: 500, 3: 500}))
        c.stakes("A", 1, 1)
        c.claim("A", 1, held(1, STRAIGHT, 1))
        c.tell(TakeStakes(table="B", round=1, stakes={2: 500}))
        back = ReturnStakes(table="B", round=1, boxes=(1, 2, 3), unregistered=unregistered)
        [went] = c.tell(back)
        assert went.tell(str) == told


def test_what_was_entered_for_a_stake_that_was_never_registered_is_told_although_it_was_won() -> (
    None
):
    c = Controller(start=8_000_000)
    c.stakes("B", 1, 2)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, ROYAL, 1))
    c.do(PayClaims())
    c.tell(TakeStakes(table="B", round=1, stakes={3: 500}))
    boxes = (1, 2, 3)
    [went] = c.tell(ReturnStakes(table="B", round=1, boxes=boxes, unregistered=True))
    assert went.tell(str) == (
        "The jackpot bets of boxes 1, 2 and 3 of table B were never registered: the 3 entered for "
        "them does not count and the House bears 2 of it, which has been paid out."
    )


# -- awards that come back while claims wait ------------------------------------------------------


def test_an_award_comes_back_although_its_table_plays_the_next_round() -> None:
    c = Controller(start=8_000_000)
    paid = win(c, "A", 1, STRAIGHT)
    c.stakes("B", 1, 1)
    c.claim("B", 1, held(1, STRAIGHT, 1))
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    assert c.link.facts().returning == paid == 800_010
    assert c.link.holdings()["parked"] == paid
    c.stakes("A", 2, 1)
    c.do(PayClaims())  # 10 % of 72,001.90; then A's next stake and the award
    assert c.link.state.awards[-1].paid == 720_019
    assert c.meter == 7_200_190 - 720_019 + 100 + 800_010
    assert (c.link.facts().returning, c.link.facts().display) == (0, c.meter)


def test_an_award_with_reserve_and_overflow_stands_again_as_it_was() -> None:
    c = Controller(start=8_000_000, contribution=1_000, reserve_rate="10", ceiling=8_001_000)
    c.stakes("B", 1, 2)  # 10.00 to the meter, 2.00 to the reserve, 8.00 over the ceiling
    paid = win(c, "A", 1, ROYAL)
    before = (*money(c), c.link.state.reserve, c.link.state.overflow)
    assert before[3:] == (0, 0)  # the reserve paid for the seed, the pool flowed into the meter
    assert c.meter == 5_000_000 + 800 + 900
    back = of(c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: paid}})), AwardPutBack)
    assert (c.meter, c.link.state.reserve, c.link.state.overflow) == (8_001_000, 300, 1_700)
    assert "49,997 that the House had put in goes back to it." in back.tell(str)
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {ROYAL: paid}}))
    assert (*money(c), c.link.state.reserve, c.link.state.overflow) == before


def test_a_display_at_a_pace_follows_an_award_that_comes_back_and_stands_again() -> None:
    c = Controller(start=8_000_000, display_pace=100)
    paid = win(c, "A", 1, STRAIGHT)
    assert c.link.facts().display == 7_200_090
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    assert shown_at(c.link.state, EIGHT) == 7_200_090
    assert shown_at(c.link.state, EIGHT + timedelta(seconds=2)) == 7_200_290
    c.now = EIGHT + timedelta(hours=3)
    c.tell(ShowDisplay())
    assert c.link.facts().display == c.meter == 8_000_100
    c.tell(PayAwardsAgain(table="A", round=1, awards={1: {STRAIGHT: paid}}))
    assert c.link.facts().display == c.meter == 7_200_090


def test_a_display_at_a_pace_climbs_after_parked_stakes_and_falls_with_reversals() -> None:
    c = Controller(start=8_000_000, display_pace=100)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    c.stakes("B", 1, 3)
    c.do(PayClaims())
    assert shown_at(c.link.state, EIGHT) == 7_200_090
    assert shown_at(c.link.state, EIGHT + timedelta(seconds=2)) == 7_200_290


# -- earlier logs, and small things ---------------------------------------------------------------


def test_a_top_up_of_an_earlier_version_names_no_award() -> None:
    c = Controller()
    c.link.apply(ToppedUp(amount=100))
    assert (c.meter, c.link.facts().topped_up) == (5_000_100, 100)
    assert c.link.facts().display == 5_000_100


def test_a_table_that_joins_hears_that_the_link_is_open_where_it_is() -> None:
    c = Controller()
    [joined] = c.do(JoinTable(table="D", rulebook="multi-link-progressive-v3"))
    assert list(joined.to_tables()) == ["D"]  # type: ignore[attr-defined]
    assert type(joined)(link="main", table="D", takes_stakes=False).to_tables() == {}  # type: ignore[attr-defined, call-arg]


def test_sentences_where_nothing_moves() -> None:
    posted = ContributionsPosted(table="A", round=1, boxes={1: 0}, at=EIGHT)
    assert posted.tell(str) == "1 stake of table A: nothing yet."
    reversed_ = ContributionsReversed(table="A", round=1, boxes=(1, 2), at=EIGHT)
    assert reversed_.tell(str) == (
        "The contributions of boxes 1 and 2 of table A are reversed: nothing."
    )
    c = Controller({"void-contribution": "keep"})
    c.stakes("A", 1, 2)
    assert gone(c, "A", 1)[0].tell(str) == (
        "The contribution of box 1 of table A stays on the meter."
    )
    back = AwardPutBack(
        table="A",
        round=1,
        box=1,
        line=STRAIGHT,
        paid=100,
        meter_before=0,
        meter_after=100,
        seed=0,
        at=EIGHT,
    )
    assert back.tell(str) == ("The 1 of box 1 of table A is put back; the meter goes from 0 to 1.")


def test_a_contribution_that_stays_by_policy_waits_for_no_claim() -> None:
    """Kept is kept: nothing comes off the meter when the claim has been paid either."""
    c = Controller({"void-contribution": "keep"})
    c.stakes("A", 1, 1)
    c.stakes("B", 1, 2)
    c.claim("A", 1, little(1))
    went = of(gone(c, "B", 1, 2), ContributionsReversed)
    assert (went.kept, went.later, went.meter) == (True, (), 0)  # type: ignore[attr-defined]
    assert c.link.state.later == []


# -- which amount, and what is cited for it -------------------------------------------------------


def awards(events: tuple[Event, ...]) -> list[AwardMade]:
    return [each for each in events if isinstance(each, AwardMade)]


def test_after_the_whole_registered_jackpot_the_next_is_paid_on_the_reset_value() -> None:
    c = Controller(start=8_000_000)
    for table in "AB":
        c.stakes(table, 1, 1)
    c.do(ReportLinkFault(reason="no signal"))
    c.claim("A", 1, held(1, ROYAL, 1))
    c.claim("B", 1, held(1, STRAIGHT, 2))
    c.do(PayClaims())
    first, second = awards(c.do(Decide(decision=1, option="as dealt")))
    assert (first.paid, first.registered, first.meter_after) == (8_000_200, 8_000_200, 5_000_000)
    assert (second.paid, second.registered, second.meter_after) == (500_000, 5_000_000, 4_500_000)
    assert "5.17.1" in first.cites
    assert "5.17.1" in second.cites


def test_a_single_winner_needs_no_order_and_without_a_fault_none_is_cited() -> None:
    c = Controller(start=8_000_000)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    [award] = awards(c.do(PayClaims()))
    assert not {"4.5", "4.5.1", "4.5.2", "5.17.1"} & set(award.cites)


@pytest.mark.parametrize(("instead", "share"), [(500_009, True), (500_010, True), (500_011, False)])
def test_a_fixed_amount_is_paid_instead_only_if_it_is_more_than_the_share(
    instead: int, share: bool
) -> None:
    c = Controller()
    c.stakes("A", 1, 1)
    both = HeldLine(
        box=1, line=STRAIGHT, percent="10", dealt=EIGHT, instead="x", instead_pays=instead
    )
    c.claim("A", 1, both)
    assert [amount for _, amount in would_pay(c.link, c.now)] == [500_010 if share else instead]
    assert bool(awards(c.do(PayClaims()))) is share
    assert c.meter == 5_000_100 - (500_010 if share else 0)
    assert c.link.facts().claims == []


@pytest.mark.parametrize(("start", "lifted"), [(5_555_454, 1), (5_555_456, 0), (5_555_466, 0)])
def test_the_meter_is_topped_up_by_what_it_lacks_and_not_at_all_by_nothing(
    start: int, lifted: int
) -> None:
    """10 % of 55,555.54 leaves 49,999.99; of 55,555.56 it leaves 50,000.00."""
    c = Controller({"top-up-to-reset": "yes"}, start=start)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    events = c.do(PayClaims())
    assert sum(each.amount for each in events if isinstance(each, ToppedUp)) == lifted
    assert any(isinstance(each, ToppedUp) for each in events) == bool(lifted)
    assert c.meter >= 5_000_000
