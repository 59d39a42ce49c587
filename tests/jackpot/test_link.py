"""A jackpot link alone: the worked example of the meter, pools, rates, display, two people."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest

from croupier.jackpot import JackpotLink, jackpot_rules, shown_at, would_pay
from croupier.jackpot.claims import half_up
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
    AwardMade,
    BadCommand,
    Command,
    Decide,
    Event,
    HeldLine,
    Order,
    Refused,
    ReturnStakes,
    TakeClaims,
    TakeStakes,
)

EIGHT = datetime(2021, 3, 1, 20, tzinfo=timezone(timedelta(hours=8)))
ROYAL, STRAIGHT = "4.2.major.royal-flush", "4.2.major.straight-flush"


class Controller:
    """A link with tables A, B and C; every event is applied to a shadow as well."""

    def __init__(self, policies: dict[str, str] | None = None, **settings: Any) -> None:
        book = load("multi-link-progressive-v3")
        self.link, self.shadow = JackpotLink(book), JackpotLink(book)
        self.now = EIGHT
        terms = {"reset_value": 5_000_000, "contribution": 100, **settings}
        self.do(
            OpenLink(
                link="main",
                settings={k: v for k, v in terms.items() if v is not None},
                tables=("A", "B", "C"),
                policies=policies or {},
            )
        )

    def do(
        self, command: Command, who: str = "Omar", rank: ActorRank = ActorRank.PIT_MANAGER
    ) -> tuple[Event, ...]:
        order = Order(command=command, who=who, rank=rank, when=self.now)
        answer = self.link.handle(order)
        assert not isinstance(answer, Refused), answer
        for event in answer:
            self.shadow.apply(event)
        assert self.shadow.state == self.link.state
        return answer

    def tell(self, command: Command) -> tuple[Event, ...]:
        return self.do(command, "house", ActorRank.HOUSE)

    def stakes(self, table: str, number: int, boxes: int, stake: int = 500) -> None:
        stakes = dict.fromkeys(range(1, boxes + 1), stake)
        self.tell(TakeStakes(table=table, round=number, stakes=stakes))

    def claim(self, table: str, number: int, *lines: HeldLine) -> tuple[Event, ...]:
        return self.tell(TakeClaims(table=table, round=number, lines=lines))

    @property
    def meter(self) -> int:
        return self.link.state.meter


def held(box: int, line: str, seconds: float) -> HeldLine:
    percent = "100" if line == ROYAL else "10"
    return HeldLine(box=box, line=line, percent=percent, dealt=EIGHT + timedelta(seconds=seconds))


def paid(events: tuple[Event, ...]) -> list[tuple[str, int, int]]:
    return [(e.table, e.box, e.paid) for e in events if isinstance(e, AwardMade)]


@pytest.fixture
def three_claims() -> Controller:
    """Readings 3.5: A2 and A4 claim, then B1, all before any payment; C's stakes are parked."""
    c = Controller(start=9_999_000)
    c.stakes("A", 1, 5)
    c.stakes("B", 1, 4)
    assert c.meter == 9_999_900
    c.claim("A", 1, held(2, STRAIGHT, 10.1), held(4, ROYAL, 10.3))
    c.claim("B", 1, held(1, STRAIGHT, 14.0))
    c.stakes("C", 1, 3)
    return c


def test_the_worked_example_by_dealt_time(three_claims: Controller) -> None:
    c = three_claims
    assert c.meter == 9_999_900
    assert c.link.state.parked == 300
    c.do(PayClaims())
    events = c.do(Decide(decision=1, option="as dealt"))
    assert paid(events) == [("A", 2, 999_990), ("A", 4, 8_999_910), ("B", 1, 500_000)]
    assert c.meter == 4_500_300  # 45,000 and the three parked stakes
    c.stakes("B", 2, 2)
    assert c.meter == 4_500_500
    c.tell(ReturnStakes(table="B", round=2, boxes=(1, 2)))
    assert c.meter == 4_500_300


def test_the_worked_example_had_b_been_dealt_first(three_claims: Controller) -> None:
    c = three_claims
    c.do(PayClaims())
    order = Decide(decision=1, option="other order", details={"order": "B/1 A/2 A/4"})
    assert paid(c.do(order)) == [("B", 1, 999_990), ("A", 2, 899_991), ("A", 4, 8_099_919)]
    assert c.meter == 5_000_300


def test_at_one_table_nobody_is_paid_against_the_clock(three_claims: Controller) -> None:
    three_claims.do(PayClaims())
    wrong = Decide(decision=1, option="other order", details={"order": "A/4 A/2 B/1"})
    with pytest.raises(BadCommand, match="clockwise"):
        three_claims.do(wrong)
    assert three_claims.link.state.hits == 0


@pytest.mark.parametrize(
    ("amount", "percent", "due"),
    [(9_999_995, "10", 1_000_000), (9_999_994, "10", 999_999), (10, "5", 1), (9, "5", 0)],
)
def test_shares_are_rounded_half_up_to_the_cent(amount: int, percent: str, due: int) -> None:
    assert half_up(amount, Fraction(percent) / 100) == due


def test_a_rate_carries_what_is_left_of_a_cent() -> None:
    c = Controller(contribution=None, contribution_rate="0.1")  # half a cent of each stake of 5
    for number in range(1, 5):
        c.stakes("A", number, 1)
    assert c.meter == 5_000_002
    assert c.link.state.carry == 0


def test_reserve_pays_for_the_next_reset() -> None:
    c = Controller(reserve_rate="50", payment="at once")
    c.stakes("A", 1, 4)
    assert (c.meter, c.link.state.reserve) == (5_000_200, 200)
    c.claim("A", 1, held(1, ROYAL, 1))
    assert (c.meter, c.link.state.reserve, c.link.state.awarded) == (5_000_000, 0, 5_000_200)


def test_the_overflow_flows_back_when_there_is_room() -> None:
    c = Controller(ceiling=5_000_250, payment="at once")
    c.stakes("A", 1, 4)
    assert (c.meter, c.link.state.overflow) == (5_000_250, 150)
    c.claim("A", 1, held(1, STRAIGHT, 1))  # 500,025 paid
    assert (c.meter, c.link.state.overflow) == (4_500_375, 0)


def test_a_contribution_beyond_reason_is_set_aside_and_the_link_fails() -> None:
    c = Controller(unreasonable=300)
    c.stakes("A", 1, 3)
    c.stakes("B", 1, 4)
    assert c.link.status() == "failed"
    assert (c.meter, c.link.state.doubtful) == (5_000_300, 400)
    with pytest.raises(BadCommand, match="set aside"):
        c.do(RepairLink(reason="looked at it"))
    c.tell(ReturnStakes(table="B", round=1, boxes=(1, 2, 3, 4)))
    c.do(RepairLink(reason="the stakes went back"))
    assert (c.link.status(), c.meter, c.link.state.doubtful) == ("open", 5_000_300, 0)


def test_a_reversal_after_a_reset_is_borne_by_the_house() -> None:
    c = Controller(payment="at once")
    c.stakes("A", 1, 2)
    c.stakes("B", 1, 1)
    c.claim("B", 1, held(1, ROYAL, 1))
    c.tell(ReturnStakes(table="A", round=1, boxes=(1, 2)))
    assert (c.meter, c.link.state.borne) == (5_000_000, 200)


def test_a_stake_that_was_paid_out_and_lies_there_again_gives_nothing_twice() -> None:
    c = Controller(payment="at once")
    c.stakes("A", 1, 2)
    c.stakes("B", 1, 1)
    c.claim("B", 1, held(1, ROYAL, 1))
    for _ in range(2):
        c.tell(ReturnStakes(table="A", round=1, boxes=(1, 2)))
        assert (c.meter, c.link.state.borne) == (5_000_000, 200)
        c.stakes("A", 1, 2)
        assert (c.meter, c.link.state.borne) == (5_000_000, 0)
    c.stakes("A", 2, 2)
    assert (c.meter, c.link.state.borne) == (5_000_200, 0)


def test_a_paced_display_climbs_and_ends_on_the_meter() -> None:
    c = Controller(display_pace=50)
    c.stakes("A", 1, 3)
    assert c.link.facts().display == 5_000_000
    for seconds, value in ((1, 5_000_050), (5, 5_000_250), (6, 5_000_300), (60, 5_000_300)):
        assert shown_at(c.link.state, EIGHT + timedelta(seconds=seconds)) == value
    c.now = EIGHT + timedelta(seconds=6)
    c.do(ShowDisplay(), "house", ActorRank.HOUSE)
    assert c.link.facts().display == c.meter


def test_a_paced_display_makes_up_for_no_time_in_which_it_stood() -> None:
    """It climbs by so much a second, however long nothing has come in."""
    c = Controller(display_pace=50)
    hour = timedelta(hours=1)
    c.now = EIGHT + hour
    c.stakes("A", 1, 3)
    for seconds, value in ((0, 5_000_000), (1, 5_000_050), (5, 5_000_250), (9, 5_000_300)):
        assert shown_at(c.link.state, EIGHT + hour + timedelta(seconds=seconds)) == value
    # More comes in while it climbs, and it goes on from where it is.
    c.now = EIGHT + hour + timedelta(seconds=4)
    c.stakes("B", 1, 3)
    for seconds, value in ((4, 5_000_200), (5, 5_000_250), (12, 5_000_600), (99, 5_000_600)):
        assert shown_at(c.link.state, EIGHT + hour + timedelta(seconds=seconds)) == value
    # It has stood at the meter for an hour; what is parked meanwhile is not shown.
    c.now = EIGHT + 2 * hour
    c.claim("A", 1, held(1, STRAIGHT, 1))
    c.stakes("C", 1, 3)
    assert shown_at(c.link.state, c.now) == 5_000_600
    c.do(PayClaims())  # 500,060 are paid
    assert (c.meter, shown_at(c.link.state, c.now)) == (4_500_840, 4_500_540)
    assert shown_at(c.link.state, c.now + timedelta(seconds=1)) == 4_500_590


def test_a_winning_value_shows_at_once() -> None:
    c = Controller(display_pace=1, payment="at once")
    c.stakes("A", 1, 3)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    assert c.link.facts().display == c.meter == 4_500_270


def test_the_last_25_awards_are_kept() -> None:
    c = Controller(payment="at once")
    for number in range(1, 31):
        c.stakes("A", number, 1)
        c.claim("A", number, held(1, STRAIGHT, number))
    awards = c.link.facts().awards
    assert [a.round for a in awards] == list(range(6, 31))
    assert c.link.facts().hits == 30


def test_a_failed_link_takes_back_only_what_it_had_before() -> None:
    c = Controller()
    c.stakes("A", 1, 2)
    c.do(ReportLinkFault(reason="no signal"))
    c.tell(ReturnStakes(table="A", round=1, boxes=(1, 2)))
    assert (c.meter, c.link.facts().registered) == (5_000_000, 5_000_200)
    with pytest.raises(BadCommand, match="takes no stakes"):
        c.stakes("A", 1, 3)
    with pytest.raises(BadCommand, match="takes no stakes"):
        c.stakes("A", 2, 2)
    c.stakes("A", 1, 2)
    assert (c.meter, c.link.facts().registered) == (5_000_200, 5_000_200)


def test_what_was_beyond_reason_is_so_again_and_the_link_fails_once() -> None:
    c = Controller(unreasonable=300)
    c.stakes("B", 1, 4)
    c.tell(ReturnStakes(table="B", round=1, boxes=(1, 2, 3, 4)))
    events = c.tell(TakeStakes(table="B", round=1, stakes=dict.fromkeys((1, 2, 3, 4), 500)))
    assert [type(event).__name__ for event in events] == ["ContributionDoubted"]
    assert (c.link.status(), c.meter, c.link.state.doubtful) == ("failed", 5_000_000, 400)


# -- two people and closing -----------------------------------------------------------------------


def test_parameters_change_only_while_closed_and_by_two_people() -> None:
    c = Controller()
    with pytest.raises(BadCommand, match="closed"):
        c.do(ProposeParameters(reason="more", contribution=150))
    c.do(CloseLink())
    c.do(ProposeParameters(reason="more", contribution=150))
    with pytest.raises(BadCommand, match="second person"):
        c.do(Approve(proposal=1))
    c.do(Approve(proposal=1), who="Pia")
    c.do(ReopenLink())
    c.stakes("A", 1, 2)
    assert c.meter == 5_000_300


def test_a_link_with_an_open_round_is_not_closed() -> None:
    c = Controller()
    c.stakes("A", 1, 1)
    with pytest.raises(BadCommand, match="under way"):
        c.do(CloseLink())
    c.claim("A", 1)
    c.do(CloseLink())
    with pytest.raises(BadCommand, match="takes no stakes"):
        c.stakes("A", 2, 1)


def test_a_correction_is_recorded_apart() -> None:
    c = Controller()
    c.do(ReportLinkFault(reason="no signal"))
    c.do(ProposeCorrection(by=-1234, reason="counted again"))
    c.do(Approve(proposal=1), who="Pia")
    assert (c.meter, c.link.facts().corrections) == (4_998_766, -1234)


def test_another_rulebook_keeps_the_meter() -> None:
    c = Controller(start=7_654_321)
    with pytest.raises(BadCommand, match="closed"):
        c.do(ProposeRulebook(rulebook="multi-link-progressive-v2", reason="back"))
    for table in ("A", "B", "C"):
        c.do(RemoveTable(table=table))
    c.do(CloseLink())
    c.do(ProposeRulebook(rulebook="multi-link-progressive-v2", reason="back"))
    c.do(Approve(proposal=1), who="Pia")
    c.do(ReopenLink())
    order = Order(
        command=JoinTable(table="D", rulebook="multi-link-progressive-v3"),
        who="Omar",
        rank=ActorRank.PIT_MANAGER,
        when=c.now,
    )
    refused = c.link.handle(order)
    assert isinstance(refused, Refused)
    assert refused.cites == ("1.20",)
    c.do(JoinTable(table="D", rulebook="multi-link-progressive-v2"))
    assert (c.meter, c.link.book.id) == (7_654_321, "multi-link-progressive-v2")
    again = JackpotLink.restore(load("multi-link-progressive-v3"), c.link.snapshot())
    assert again.state == c.link.state
    assert again.book.id == "multi-link-progressive-v2"


def test_a_count_that_differs_is_a_fault() -> None:
    c = Controller()
    c.stakes("A", 1, 3)
    c.do(Reconcile(counts={"A": 3, "B": 0}))
    assert c.link.status() == "open"
    c.do(Reconcile(counts={"A": 2}))
    assert c.link.status() == "failed"
    assert c.link.facts().registered == 5_000_300


# -- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"reset_value": 0, "contribution": 1},
        {"reset_value": 100},
        {"reset_value": 100, "contribution": 1, "contribution_rate": "1"},
        {"reset_value": 100, "contribution": 0},
    ],
)
def test_a_link_without_its_amounts_is_refused_opening(settings: dict[str, Any]) -> None:
    link = JackpotLink(load("multi-link-progressive-v3"))
    command = OpenLink(link="main", settings=settings)
    order = Order(command=command, who="Omar", rank=ActorRank.PIT_MANAGER, when=EIGHT)
    refused = link.handle(order)
    assert isinstance(refused, Refused)
    assert refused.cites == ("1.20",)
    assert link.status() == "not open"


@pytest.mark.parametrize(
    "settings",
    [
        {"contribution": 1},
        {"reset_value": 100, "contribution_rate": "1.23456"},
        {"reset_value": 100, "contribution_rate": "101"},
        {"reset_value": 100, "contribution": 1, "ceiling": 99},
        {"reset_value": 100, "contribution": 1, "unreasonable": 0},
        {"reset_value": 100, "contribution": 1, "colour": "red"},
    ],
)
def test_unreadable_parameters_are_an_error(settings: dict[str, Any]) -> None:
    link = JackpotLink(load("multi-link-progressive-v3"))
    command = OpenLink(link="main", settings=settings)
    order = Order(command=command, who="Omar", rank=ActorRank.PIT_MANAGER, when=EIGHT)
    with pytest.raises(BadCommand):
        link.handle(order)
    assert link.status() == "not open"


def test_what_tables_tell_comes_from_the_house_and_from_tables_of_the_link() -> None:
    c = Controller()
    before = c.link.snapshot()
    with pytest.raises(BadCommand, match="by hand"):
        c.do(TakeStakes(table="A", round=1, stakes={1: 500}))
    with pytest.raises(BadCommand, match="does not hang"):
        c.tell(TakeStakes(table="Z", round=1, stakes={1: 500}))
    with pytest.raises(BadCommand, match="no stake of box"):
        c.claim("A", 1, held(1, ROYAL, 1))
    c.stakes("A", 1, 1)
    with pytest.raises(BadCommand, match="already"):
        c.stakes("A", 1, 1)
    with pytest.raises(BadCommand, match="knows no round"):
        c.tell(ReturnStakes(table="B", round=1, boxes=(1,)))
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert c.link.state.meter == 5_000_000
    assert before != c.link.snapshot()


def test_players_may_read_how_the_jackpot_works() -> None:
    c = Controller(ceiling=9_000_000, reserve_rate="10")
    told = " ".join(jackpot_rules(c.link))
    for word in ("starts at 50,000", "adds 1.", "90,000", "10% of what is added", "clockwise"):
        assert word in told


def test_where_one_table_has_one_winner_nothing_is_said_of_several() -> None:
    """v6 4.5: the majors of one table cannot be won by two."""
    link = JackpotLink(load("progressive-texas-holdem-v6"))
    terms = {"reset_value": 5_000_000, "contribution": 100}
    opening = OpenLink(link="main", settings=terms, tables=("A",))
    link.handle(Order(command=opening, who="Omar", rank=ActorRank.PIT_MANAGER, when=EIGHT))
    told = " ".join(jackpot_rules(link))
    assert "starts at 50,000" in told
    assert "at one table" not in told


def test_what_each_claim_would_be_paid_is_what_it_is_paid(three_claims: Controller) -> None:
    """Asked before anybody pays, and again while the order is asked for: nothing changes by it."""
    c = three_claims
    before = c.link.snapshot()
    expected = [(claim.name, amount) for claim, amount in would_pay(c.link, c.now)]
    assert expected == [("A/2", 999_990), ("A/4", 8_999_910), ("B/1", 500_000)]
    assert c.link.snapshot() == before
    c.do(PayClaims())
    assert [(claim.name, amount) for claim, amount in would_pay(c.link, c.now)] == expected
    events = c.do(Decide(decision=1, option="as dealt"))
    assert [(f"{table}/{box}", amount) for table, box, amount in paid(events)] == expected
    assert would_pay(c.link, c.now) == []


def test_the_order_of_payment_names_tables_of_two_words() -> None:
    c = Controller()
    c.do(JoinTable(table="Marina one", rulebook="multi-link-progressive-v3"))
    c.stakes("A", 1, 1)
    c.stakes("Marina one", 1, 1)
    c.claim("A", 1, held(1, STRAIGHT, 1))
    c.claim("Marina one", 1, held(1, STRAIGHT, 2))
    c.do(PayClaims())
    order = {"order": "Marina one/1, A/1"}
    events = c.do(Decide(decision=1, option="other order", details=order))
    assert [table for table, _, _ in paid(events)] == ["Marina one", "A"]


@pytest.mark.parametrize("rank", [ActorRank.PLAYER, ActorRank.PIT_SUPERVISOR, ActorRank.HOUSE])
def test_only_a_manager_reconciles(rank: ActorRank) -> None:
    """A wrong count makes the link fail: nobody below may do so, nor the software."""
    order = Order(command=Reconcile(counts={"A": 7}), who="Eve", rank=rank, when=EIGHT)
    c = Controller()
    assert isinstance(c.link.handle(order), Refused)
    assert not c.link.state.failed


def test_a_link_ends_by_two_people_and_its_money_goes_back_to_the_house() -> None:
    c = Controller(reserve_rate="10", contribution=1_000)
    c.stakes("A", 1, 3)
    c.claim("A", 1)
    ending = ProposeTermination(destination="a charity", reason="the licence ends")
    with pytest.raises(BadCommand, match="closed"):
        c.do(ending)
    c.do(CloseLink())
    c.do(ending)
    with pytest.raises(BadCommand, match="second person"):
        c.do(Approve(proposal=1))
    [ended] = c.do(Approve(proposal=1), who="Mia")
    assert (ended.amount, ended.destination) == (5_003_000, "a charity")  # type: ignore[attr-defined]
    assert c.link.status() == "terminated"
    assert not any(c.link.holdings().values()), "nothing is left, and the House put nothing in"
    for command in (ReopenLink(), ProposeCorrection(by=1, reason="x"), PayClaims()):
        with pytest.raises(BadCommand, match="ended for good"):
            c.do(command)
    c.tell(ReturnStakes(table="A", round=1, boxes=(1,)))
    assert c.link.state.borne == 1_000, "a late report costs the House, and breaks no table"
