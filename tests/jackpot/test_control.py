"""Working the controller: who may, when, and what is an error; the sentences of its log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from croupier.jackpot import JackpotLink, jackpot_rules, shown_at
from croupier.jackpot.commands import (
    Approve,
    CloseLink,
    JoinTable,
    OpenLink,
    PayClaims,
    ProposeCorrection,
    ProposeParameters,
    ProposeRulebook,
    ProposeTermination,
    Reconcile,
    RemoveTable,
    ReopenLink,
    RepairLink,
    ReportLinkFault,
    ShowDisplay,
)
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Decide,
    Event,
    Order,
    Refused,
    ReturnStakes,
    TakeAwardsBack,
    TakeClaims,
    TakeStakes,
)
from tests.jackpot.test_link import EIGHT, ROYAL, STRAIGHT, Controller, held, paid

V2, V3 = "multi-link-progressive-v2", "multi-link-progressive-v3"
FAULT = ReportLinkFault(reason="no signal")
REPAIR = RepairLink(reason="looked at it")


def told(events: tuple[Event, ...]) -> list[str]:
    return [event.tell(str) for event in events]


def wrong(c: Controller, command: Command, says: str, who: str = "Omar") -> None:
    """The order is an error that says so, and nothing has changed by it."""
    before = c.link.snapshot()
    with pytest.raises(BadCommand, match=says):
        c.do(command, who)
    assert c.link.snapshot() == before


def refusal(c: Controller, command: Command, rank: ActorRank = ActorRank.PIT_MANAGER) -> Refused:
    before = c.link.snapshot()
    answer = c.link.handle(Order(command=command, who="Eve", rank=rank, when=c.now))
    assert isinstance(answer, Refused), answer
    assert c.link.snapshot() == before
    return answer


# -- who ------------------------------------------------------------------------------------------

_MANAGERS: tuple[Command, ...] = (
    JoinTable(table="D", rulebook=V3),
    RemoveTable(table="C"),
    CloseLink(),
    ReopenLink(),
    PayClaims(),
    FAULT,
    REPAIR,
    ProposeParameters(reason="x", contribution=200),
    ProposeCorrection(by=1, reason="x"),
    ProposeRulebook(rulebook=V2, reason="x"),
    ProposeTermination(destination="x", reason="x"),
    Approve(proposal=1),
    Reconcile(counts={"A": 0}),
)


@pytest.mark.parametrize("command", _MANAGERS, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize("rank", [ActorRank.PIT_SUPERVISOR, ActorRank.HOUSE])
def test_the_controller_is_for_managers_and_never_for_the_software(
    command: Command, rank: ActorRank
) -> None:
    answer = refusal(Controller(), command, rank)
    assert answer.says.startswith("Only a Pit Manager or above ")


def test_before_it_is_open_a_link_only_opens_and_it_opens_once() -> None:
    c = Controller()
    again = OpenLink(link="main", settings={"reset_value": 1, "contribution": 1})
    wrong(c, again, "open already")
    with pytest.raises(BadCommand, match="begins with 'open link'"):
        type(c.link)(c.link.book).handle(
            Order(command=CloseLink(), who="Omar", rank=ActorRank.PIT_MANAGER, when=EIGHT)
        )


def test_a_link_may_start_at_nothing() -> None:
    """Only its reset value must be more."""
    assert Controller(start=0).meter == 0


# -- tables ---------------------------------------------------------------------------------------


def test_a_table_joins_once_and_while_the_link_works() -> None:
    c = Controller()
    wrong(c, JoinTable(table="A", rulebook=V3), "hangs on the link already")
    [joined] = c.do(JoinTable(table="D", rulebook=V3))
    assert joined.takes_stakes  # type: ignore[attr-defined]
    c.do(CloseLink())
    joined, closed = c.do(JoinTable(table="E", rulebook=V3))
    assert not joined.takes_stakes  # type: ignore[attr-defined]
    assert list(closed.to_tables()) == ["E"]  # type: ignore[attr-defined]
    c.do(FAULT)
    wrong(c, JoinTable(table="F", rulebook=V3), "repair it before")
    assert c.link.facts().tables == ["A", "B", "C", "D", "E"]


def test_a_table_joins_while_the_order_of_payment_is_open() -> None:
    c = Controller()
    for table in "AB":
        c.stakes(table, 1, 1)
    for seconds, table in enumerate("AB"):
        c.claim(table, 1, held(1, STRAIGHT, seconds))
    c.do(PayClaims())
    assert c.link.state.waiting
    c.do(JoinTable(table="D", rulebook=V3))
    c.stakes("D", 1, 2)
    [need] = c.link.state.waiting
    c.do(Decide(decision=need.decision, option="as dealt"))  # type: ignore[union-attr]
    # 10 percent of 50,002, then of what is left; the stakes of the new table come after them.
    assert c.meter == 5_000_200 - 500_020 - 450_018 + 200


def test_a_table_of_another_book_cannot_share_the_jackpot() -> None:
    answer = refusal(Controller(), JoinTable(table="D", rulebook=V2))
    assert answer.cites == ("1.20",)
    assert V2 in answer.says
    assert V3 in answer.says


def test_a_table_is_taken_off_when_its_round_is_over_and_its_claims_are_paid() -> None:
    c = Controller()
    wrong(c, RemoveTable(table="D"), "does not hang")
    c.stakes("A", 1, 2)
    wrong(c, RemoveTable(table="A"), "under way")
    c.do(RemoveTable(table="B"))  # another table's round is no matter
    c.claim("A", 1, held(1, STRAIGHT, 1))
    wrong(c, RemoveTable(table="A"), "under way")
    wrong(c, CloseLink(), "pay them first")
    c.do(PayClaims())
    [gone] = c.do(RemoveTable(table="A"))
    assert gone.tell(str) == "Table A no longer hangs on the jackpot."
    assert c.link.facts().tables == ["C"]


def test_a_round_whose_stakes_all_went_back_keeps_no_table_on_the_link() -> None:
    c = Controller()
    c.stakes("A", 1, 2)
    c.tell(ReturnStakes(table="A", round=1, boxes=(1, 2)))
    c.do(RemoveTable(table="A"))
    c.do(CloseLink())


def test_a_table_that_was_taken_off_gives_no_stakes() -> None:
    c = Controller()
    c.stakes("A", 1, 1)
    c.claim("A", 1)
    c.do(RemoveTable(table="A"))
    with pytest.raises(BadCommand, match="takes no stakes"):
        c.stakes("A", 2, 1)
    with pytest.raises(BadCommand, match="there is B, C"):
        c.stakes("D", 1, 1)


# -- closing and faults ---------------------------------------------------------------------------


def test_a_link_is_closed_once_and_opened_again_once() -> None:
    c = Controller()
    wrong(c, ReopenLink(), "not closed")
    c.do(CloseLink())
    assert c.link.status() == "closed"
    wrong(c, CloseLink(), "closed already")
    c.do(ReopenLink())
    assert c.link.status() == "open"


def test_a_link_fails_once_and_is_repaired_once() -> None:
    c = Controller()
    wrong(c, REPAIR, "has not failed")
    c.do(FAULT)
    wrong(c, FAULT, "failed already")
    c.do(REPAIR)
    assert (c.link.status(), c.link.facts().registered) == ("open", None)


def test_the_accounts_are_checked_before_the_link_goes_live() -> None:
    c = Controller()
    c.do(FAULT)
    c.link.state.meter += 1
    with pytest.raises(AssertionError, match="accounts"):
        c.do(REPAIR)


def test_a_count_that_differs_makes_a_failed_link_fail_no_second_time() -> None:
    c = Controller()
    c.stakes("A", 1, 3)
    wrong(c, Reconcile(counts={"A": 3, "X": 1, "Y": 1}), "'X'")
    assert told(c.do(Reconcile(counts={"A": 3, "C": 0})))[0].endswith("the controller's.")
    events = c.do(Reconcile(counts={"A": 4, "C": 1, "B": 0}))
    assert told(events)[0] == "Other counts than the controller's at A, C."
    assert len(events) == 2
    assert len(c.do(Reconcile(counts={"A": 4}))) == 1


def test_a_table_that_was_taken_off_can_still_be_reconciled() -> None:
    c = Controller()
    c.stakes("A", 1, 3)
    c.claim("A", 1)
    c.do(RemoveTable(table="A"))
    c.do(Reconcile(counts={"A": 3}))
    assert c.link.status() == "open"


# -- changes by two people ------------------------------------------------------------------------


def closed(**settings: Any) -> Controller:
    c = Controller(**settings)
    c.do(CloseLink())
    return c


def propose(**change: Any) -> ProposeParameters:
    return ProposeParameters(reason="as settled", **change)


def approve(c: Controller, number: int = 1) -> tuple[Event, ...]:
    return c.do(Approve(proposal=number), "Pia")


def test_a_rate_takes_the_place_of_a_fixed_contribution_and_the_other_way_round() -> None:
    c = closed()
    c.do(propose(contribution_rate="20"))
    approve(c)
    settings = c.link.state.settings
    assert (settings.contribution, settings.contribution_rate) == (None, "20")
    c.do(propose(ceiling=9_000_000))
    approve(c, 2)
    assert c.link.state.settings.contribution_rate == "20"
    c.do(propose(contribution=50))
    approve(c, 3)
    settings = c.link.state.settings
    assert (settings.contribution, settings.contribution_rate) == (50, None)


def test_a_parameter_that_is_not_named_stays() -> None:
    c = closed(ceiling=6_000_000, reserve_rate="10")
    c.do(propose(reset_value=4_000_000))
    approve(c)
    settings = c.link.state.settings
    assert (settings.reset_value, settings.ceiling, settings.reserve_rate) == (
        4_000_000,
        6_000_000,
        "10",
    )
    assert settings.contribution == 100


def test_what_is_cleared_is_without_a_value() -> None:
    c = closed(ceiling=6_000_000, reserve_rate="10", unreasonable=900, display_pace=5)
    c.do(propose(clear=("ceiling", "reserve_rate", "unreasonable", "display_pace")))
    approve(c)
    settings = c.link.state.settings
    assert (settings.ceiling, settings.unreasonable, settings.display_pace) == (None, None, None)
    assert settings.reserve_rate == "0"
    c.do(propose(contribution_rate="1", clear=("contribution",)))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, "changes nothing"),
        ({"clear": ("payment",)}, "'payment' is no parameter"),
        ({"clear": ("reset_value",)}, "'reset_value' is no parameter"),
        ({"clear": ("ceiling",), "ceiling": 7_000_000}, "'ceiling' is no parameter"),
        ({"ceiling": 5_000_299}, "below the meter"),
    ],
)
def test_a_change_that_makes_no_sense_is_not_proposed(change: dict[str, Any], says: str) -> None:
    c = Controller()
    c.stakes("A", 1, 3)
    c.claim("A", 1)
    c.do(CloseLink())
    wrong(c, propose(**change), says)


def test_the_ceiling_may_be_where_the_meter_is() -> None:
    c = Controller()
    c.stakes("A", 1, 3)
    c.claim("A", 1)
    c.do(CloseLink())
    c.do(propose(ceiling=5_000_300))
    approve(c)
    assert c.link.facts().ceiling == 5_000_300


def test_a_correction_leaves_the_meter_at_its_ceiling_or_below() -> None:
    c = closed(ceiling=5_000_100)
    wrong(c, ProposeCorrection(by=101, reason="counted"), "above its ceiling")
    c.do(ProposeCorrection(by=100, reason="counted"))
    c.do(ProposeCorrection(by=100, reason="counted twice"))
    approve(c)
    wrong(c, Approve(proposal=2), "above its ceiling", "Pia")
    assert c.meter == 5_000_100
    c.do(ProposeCorrection(by=-1, reason="counted again"))


def test_where_the_meter_once_started_is_no_bound_of_its_ceiling() -> None:
    """It was won since and stands at 50,000."""
    c = Controller(start=9_999_000)
    c.stakes("A", 1, 1)
    c.claim("A", 1, held(1, ROYAL, 10.0))
    c.do(PayClaims())
    c.do(CloseLink())
    c.do(propose(ceiling=8_000_000))
    approve(c)
    settings = c.link.state.settings
    assert (settings.ceiling, settings.start) == (8_000_000, 9_999_000)


@pytest.mark.parametrize(
    "proposal",
    [propose(contribution=200), ProposeTermination(destination="charity", reason="the end")],
)
def test_what_was_proposed_is_not_carried_out_once_the_link_is_open_again(
    proposal: Command,
) -> None:
    c = closed()
    c.do(proposal)
    c.do(ReopenLink())
    wrong(c, Approve(proposal=1), "only while the link is closed", "Pia")


def test_another_book_is_not_approved_once_the_link_is_open_again() -> None:
    c = Controller()
    for table in "ABC":
        c.do(RemoveTable(table=table))
    c.do(CloseLink())
    c.do(ProposeRulebook(rulebook=V2, reason="back"))
    c.do(ReopenLink())
    wrong(c, Approve(proposal=1), "only while the link is closed", "Pia")


def test_parameters_that_no_longer_fit_are_not_approved() -> None:
    c = closed()
    c.do(propose(ceiling=5_000_000))
    c.do(ProposeCorrection(by=1, reason="counted"))
    approve(c, 2)
    wrong(c, Approve(proposal=1), "below the meter", "Pia")


def test_a_proposal_is_approved_once_and_by_somebody_else() -> None:
    c = closed()
    c.do(propose(contribution=200))
    assert c.link.facts().proposals == [1]
    wrong(c, Approve(proposal=2), "no open proposal 2", "Pia")
    wrong(c, Approve(proposal=1), "a second person")
    assert told(approve(c)) == ["Pia approves the parameters proposed by Omar."]
    assert c.link.facts().proposals == []
    wrong(c, Approve(proposal=1), "no open proposal 1", "Pia")


def test_a_correction_needs_a_link_that_stands_still() -> None:
    c = Controller()
    correction = ProposeCorrection(by=-10, reason="counted again")
    wrong(c, correction, "closed or has failed")
    c.do(FAULT)
    c.do(correction)
    c.do(REPAIR)
    wrong(c, Approve(proposal=1), "cannot be corrected now", "Pia")
    c.do(CloseLink())
    assert told(approve(c)) == ["The meter is corrected by -0.10, approved by Pia."]
    facts = c.link.facts()
    assert (facts.meter, facts.corrections, facts.display) == (4_999_990, -10, 4_999_990)


def test_a_correction_leaves_the_meter_at_nothing_or_above() -> None:
    c = closed(start=500)
    wrong(c, ProposeCorrection(by=0, reason="x"), "leaves it at nothing")
    wrong(c, ProposeCorrection(by=-501, reason="x"), "leaves it at nothing")
    for _ in range(2):
        c.do(ProposeCorrection(by=-500, reason="x"))
    approve(c, 1)
    assert c.meter == 0
    wrong(c, Approve(proposal=2), "cannot be corrected now", "Pia")


def test_a_correction_leaves_what_was_registered_at_nothing_or_above() -> None:
    c = Controller(start=0)
    c.stakes("A", 1, 1)
    c.stakes("B", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    c.stakes("C", 1, 3)  # parked, so no part of what is registered
    c.do(FAULT)
    c.do(PayClaims())
    assert (c.meter, c.link.facts().registered) == (480, 180)
    wrong(c, ProposeCorrection(by=-181, reason="x"), "at nothing or above")
    c.do(ProposeCorrection(by=-180, reason="x"))
    approve(c)
    c.claim("B", 1, held(1, ROYAL, 2))
    assert paid(c.do(PayClaims())) == [("B", 1, 0)]


def test_a_correction_during_a_fault_corrects_what_was_registered() -> None:
    c = Controller()
    c.stakes("A", 1, 2)
    c.do(FAULT)
    c.do(ProposeCorrection(by=-200, reason="counted again"))
    approve(c)
    assert (c.meter, c.link.facts().registered) == (5_000_000, 5_000_000)
    assert c.link.facts().registered_for == {"A": 5_000_000}


@pytest.mark.parametrize("book", [V3, "no-limit-holdem-v8", "no-such-book"])
def test_a_link_goes_on_under_another_banked_book_only(book: str) -> None:
    wrong(closed(), ProposeRulebook(rulebook=book, reason="x"), book)


def test_tables_are_taken_off_before_the_book_changes() -> None:
    c = closed()
    wrong(c, ProposeRulebook(rulebook=V2, reason="x"), "take the tables")
    for table in "ABC":
        c.do(RemoveTable(table=table))
    c.do(ProposeRulebook(rulebook=V2, reason="x"))
    c.do(JoinTable(table="D", rulebook=V3))  # before the second person approves
    wrong(c, Approve(proposal=1), "take the tables", "Pia")


def test_policies_that_the_other_book_has_are_carried_over() -> None:
    c = Controller({"partial-award": "reset"})
    for table in "ABC":
        c.do(RemoveTable(table=table))
    c.do(CloseLink())
    c.do(ProposeRulebook(rulebook=V2, reason="back"))
    assert told(approve(c)) == [f"The jackpot goes on under {V2} with 50,000 on the meter."]
    assert c.link.facts().policies["partial-award"] == "reset"
    assert c.link.facts().rulebook == V2


def test_after_a_change_of_book_every_rule_asks_the_new_one() -> None:
    c = closed()
    for table in "ABC":
        c.do(RemoveTable(table=table))
    under_v3, under_v2 = JackpotLink(load(V3)).by_book, JackpotLink(load(V2)).by_book
    assert c.link.by_book is under_v3
    c.do(ProposeRulebook(rulebook=V2, reason="back"))
    approve(c)
    again = JackpotLink.restore(load(V3), c.link.snapshot())
    assert c.link.by_book is again.by_book is under_v2


def test_a_link_that_has_failed_is_repaired_before_it_ends() -> None:
    c = closed()
    c.do(FAULT)
    wrong(c, ProposeTermination(destination="charity", reason="x"), "repair it first")
    c.do(REPAIR)
    c.do(ProposeTermination(destination="charity", reason="x"))
    c.do(FAULT)
    wrong(c, Approve(proposal=1), "repair it first", "Pia")


def test_when_a_link_has_ended_nothing_is_left_in_any_account() -> None:
    c = Controller(ceiling=5_000_100, reserve_rate="10", contribution=1_000)
    c.stakes("A", 1, 3)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    c.do(PayClaims())
    c.do(CloseLink())
    c.do(ProposeCorrection(by=5, reason="x"))
    approve(c)
    c.do(propose(contribution=200))
    c.do(ProposeTermination(destination="a charity", reason="the licence ends"))
    amount = c.link.state.held()
    [ended] = approve(c, 3)
    assert ended.amount == amount  # type: ignore[attr-defined]
    facts = c.link.facts()
    assert (facts.meter, facts.reserve, facts.overflow, facts.parked, facts.doubtful) == (0,) * 5
    assert (facts.at_last_reset, facts.contributions, facts.partial_awards) == (0, 0, 0)
    assert (facts.reversals, facts.corrections, facts.topped_up, facts.display) == (0,) * 4
    assert facts.proposals == []


@pytest.mark.parametrize("before", ["a fault", "an award came back"])
def test_stakes_of_before_that_lie_there_again_add_nothing_to_a_link_that_has_ended(
    before: str,
) -> None:
    c = Controller()
    c.stakes("B", 1, 2)
    if before == "a fault":
        c.claim("B", 1)
        c.do(FAULT)
        c.do(REPAIR)
    else:
        c.stakes("A", 1, 1)
        c.claim("B", 1)
        c.claim("A", 1, held(1, ROYAL, 1))
        c.do(PayClaims())
        c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: 5_000_300}}))
        c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    c.do(CloseLink())
    c.do(ProposeTermination(destination="charity", reason="x"))
    approve(c)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1, 2)))
    assert c.link.facts().borne == 200
    c.stakes("B", 1, 2)
    assert (c.meter, c.link.facts().borne) == (0, 0)


# -- taking stakes and claims ---------------------------------------------------------------------


def test_a_stake_is_taken_once_in_its_round() -> None:
    c = Controller()
    c.stakes("A", 2, 2)
    with pytest.raises(BadCommand, match="taken already"):
        c.tell(TakeStakes(table="A", round=2, stakes={2: 500, 3: 500}))
    with pytest.raises(BadCommand, match="is over"):
        c.stakes("A", 1, 1)
    c.tell(TakeStakes(table="A", round=2, stakes={3: 500}))
    assert (c.meter, c.link.facts().counts) == (5_000_300, {"A": 3})


def test_a_claim_is_of_a_stake_of_this_round_and_queued_once() -> None:
    c = Controller()
    c.stakes("A", 2, 2)
    c.stakes("B", 1, 1)

    def claim(number: int, box: int, percent: str = "10") -> TakeClaims:
        line = held(box, STRAIGHT, 1)
        line = type(line)(box=box, line=STRAIGHT, percent=percent, dealt=line.dealt)
        return TakeClaims(table="A", round=number, lines=(line,))

    for bad, says in (
        (claim(1, 1), "was taken"),
        (claim(2, 3), "was taken"),
        (claim(2, 1, "0"), "no share"),
        (claim(2, 1, "101"), "no share"),
        (TakeClaims(table="C", round=1, lines=claim(1, 1).lines), "was taken"),
    ):
        with pytest.raises(BadCommand, match=says):
            c.tell(bad)
    c.tell(claim(2, 1, "100"))
    with pytest.raises(BadCommand, match="queued already"):
        c.tell(claim(2, 1))
    c.tell(claim(2, 2))
    c.claim("B", 1, held(1, STRAIGHT, 1))
    assert [(x.table, x.box) for x in c.link.facts().claims] == [("A", 1), ("A", 2), ("B", 1)]


def test_without_a_claim_nothing_is_paid() -> None:
    wrong(Controller(), PayClaims(), "no claim is open")


@pytest.mark.parametrize("order", ["B/1", "B/1 A/1 A/1", "B/1, C/1", ""])
def test_an_order_of_payment_names_every_claim_once(order: str) -> None:
    c = Controller()
    for table, at in (("A", 1), ("B", 2)):
        c.stakes(table, 1, 1)
        c.claim(table, 1, held(1, STRAIGHT, at))
    c.do(PayClaims())
    answer = Decide(decision=1, option="other order", details={"order": order})
    wrong(c, answer, "name every open claim once")


def test_a_claim_that_joins_with_an_equal_time_makes_the_house_name_the_order() -> None:
    c = Controller()
    for table, at in (("A", 1), ("B", 2)):
        c.stakes(table, 1, 1)
        c.claim(table, 1, held(1, STRAIGHT, at))
    c.stakes("C", 1, 1)
    c.do(PayClaims())
    [asked] = c.link.facts().decisions
    assert asked.options == ["as dealt", "other order"]
    c.claim("C", 1, held(1, STRAIGHT, 2))
    wrong(c, Decide(decision=1, option="as dealt"), "name the order")
    c.do(Decide(decision=1, option="other order", details={"order": "C/1 A/1 B/1"}))
    assert [award.table for award in c.link.facts().awards] == ["C", "A", "B"]


def test_a_withdrawn_claim_takes_the_question_of_the_order_with_it() -> None:
    c = Controller()
    for table in "AB":
        c.stakes(table, 1, 1)
    for table, at in (("A", 1), ("B", 2)):
        c.claim(table, 1, held(1, STRAIGHT, at))
    c.do(PayClaims())
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert len(c.link.facts().decisions) == 1
    c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    assert c.link.facts().decisions == []
    assert (c.meter, c.link.facts().reversals) == (5_000_000, 200)


def test_the_order_of_payment_rests_on_the_paragraph_for_those_who_wait() -> None:
    """4.5 with one winner is not spoken of; 4.5.1 is for one table, 4.5.2 for several."""

    def cites(*claims: tuple[str, int]) -> tuple[str, ...]:
        c = Controller()
        by_table: dict[str, list[int]] = {}
        for table, box in claims:
            by_table.setdefault(table, []).append(box)
        events: tuple[Event, ...] = ()
        for at, (table, boxes) in enumerate(by_table.items()):
            c.stakes(table, 1, 3)
            events = c.claim(table, 1, *(held(box, STRAIGHT, at) for box in boxes))
        return events[0].cites

    same, across = cites(("A", 1), ("A", 2)), cites(("A", 1), ("B", 1))
    assert cites(("A", 1)) == ()
    assert (same, across) == (("4.5.1", "4.5"), ("4.5.2", "4.5"))
    assert cites(("A", 1), ("A", 2), ("B", 1)) == (*same, across[0])


# -- the display ----------------------------------------------------------------------------------


def test_a_paced_display_shows_no_more_than_the_meter_after_a_reversal() -> None:
    c = Controller(display_pace=50)
    c.stakes("A", 1, 3)
    c.now = EIGHT + timedelta(seconds=4)
    [shown] = c.tell(ShowDisplay())
    assert (shown.value, c.link.facts().display) == (5_000_200, 5_000_200)  # type: ignore[attr-defined]
    c.tell(ReturnStakes(table="A", round=1, boxes=(1, 2)))
    assert (c.meter, c.link.facts().display) == (5_000_100, 5_000_100)


def test_a_paced_display_that_is_below_the_meter_stays_where_it_is() -> None:
    c = Controller(display_pace=50)
    c.stakes("A", 1, 3)
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert (c.meter, c.link.facts().display) == (5_000_200, 5_000_000)


def test_a_display_goes_on_from_where_it_stands_and_never_backwards_in_time() -> None:
    c = Controller(display_pace=50)
    c.stakes("A", 1, 3)
    c.now = EIGHT + timedelta(seconds=1)
    c.stakes("B", 1, 3)
    assert shown_at(c.link.state, EIGHT + timedelta(seconds=2)) == 5_000_100
    assert shown_at(c.link.state, EIGHT - timedelta(seconds=9)) == 5_000_000
    assert shown_at(c.link.state, EIGHT + timedelta(milliseconds=15)) == 5_000_000
    assert shown_at(c.link.state, EIGHT + timedelta(milliseconds=20)) == 5_000_001


def test_after_an_award_a_paced_display_climbs_from_the_new_value() -> None:
    c = Controller(display_pace=50, payment="at once")
    c.stakes("A", 1, 3)
    c.claim("A", 1, held(1, ROYAL, 1))
    assert c.link.facts().display == 5_000_000
    c.now = EIGHT + timedelta(seconds=60)
    c.stakes("A", 2, 3)
    assert shown_at(c.link.state, c.now) == 5_000_000
    assert shown_at(c.link.state, c.now + timedelta(seconds=1)) == 5_000_050


@pytest.mark.parametrize("change", [{"display_pace": 10}, {"display_pace": 200}])
def test_another_pace_holds_from_then_on(change: dict[str, Any]) -> None:
    c = Controller(display_pace=50)
    c.stakes("A", 1, 30)
    c.claim("A", 1)
    c.do(CloseLink())
    c.now = EIGHT + timedelta(seconds=4)
    assert shown_at(c.link.state, c.now) == 5_000_200
    c.do(ProposeParameters(reason="too quiet", **change))
    c.do(Approve(proposal=1), who="Pia")
    assert shown_at(c.link.state, c.now) == c.link.facts().display == 5_000_200
    later = c.now + timedelta(seconds=2)
    assert shown_at(c.link.state, later) == 5_000_200 + 2 * change["display_pace"]


def test_a_paced_display_climbs_to_a_correction_too() -> None:
    """It stood on the meter for an hour, and makes up for nothing of that."""
    c = Controller(display_pace=50)
    c.now = EIGHT + timedelta(hours=1)
    c.do(CloseLink())
    c.do(ProposeCorrection(by=1_000, reason="counted again"))
    c.do(Approve(proposal=1), who="Pia")
    assert (c.meter, shown_at(c.link.state, c.now)) == (5_001_000, 5_000_000)
    assert shown_at(c.link.state, c.now + timedelta(seconds=3)) == 5_000_150


def test_a_display_without_a_pace_is_the_meter_at_any_time() -> None:
    c = Controller()
    c.stakes("A", 1, 3)
    assert c.link.facts().display == shown_at(c.link.state, EIGHT) == 5_000_300


# -- what players may read ------------------------------------------------------------------------


def test_players_read_only_what_holds_of_their_jackpot() -> None:
    plain = jackpot_rules(Controller({"partial-award": "reset"}, contribution=250).link)
    assert plain[:2] == [
        "The jackpot starts at 50,000 and goes back to it when won.",
        "Each accepted Progressive Jackpot bet adds 2.50.",
    ]
    assert plain[2].startswith("Shares of the jackpot: royal flush 100%")
    assert plain[3:] == [
        "Several winners at one table are paid clockwise, each from what is left.",
        "Winners at several tables are paid in the order in which their hands were dealt.",
        "A void round or an invalidated hand wins nothing: its award is given back.",
    ]
    rich = jackpot_rules(
        Controller(
            contribution=None, contribution_rate="20", reserve_rate="10", ceiling=9_000_000
        ).link
    )
    assert rich[1] == "20% of each accepted Progressive Jackpot bet is added."
    assert rich[3:6] == [
        "A share that is paid lowers the jackpot by that amount.",
        "10% of what is added is kept for the next jackpot.",
        "The jackpot shows at most 90,000; more is kept for later.",
    ]
