"""A link alone: where what a stake gave lies, by way of reserve and overflow, when it goes back.

Reset value 50,000.00; amounts in cents.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from croupier.jackpot.commands import PayClaims
from croupier.table import (
    AwardMade,
    PayAwardsAgain,
    RegisterAmount,
    ReturnStakes,
    TakeAwardsBack,
    TakeClaims,
    TakeStakes,
)
from tests.jackpot.test_link import ROYAL, STRAIGHT, Controller, held


def void(c: Controller, table: str, number: int = 1) -> None:
    boxes = tuple(c.link.state.rounds[table].boxes)
    c.tell(ReturnStakes(table=table, round=number, boxes=boxes))


def win(c: Controller, table: str, line: str, box: int = 1) -> int:
    c.claim(table, 1, held(box, line, 10.0))
    c.do(PayClaims())
    return c.link.state.awards[-1].paid


def accounts(c: Controller) -> dict[str, int]:
    state = c.link.state
    names = ("meter", "reserve", "overflow", "awarded", "hits", "borne", "put_in")
    return {name: getattr(state, name) for name in names}


# -- overflow -------------------------------------------------------------------------------------


def test_what_flowed_in_from_the_overflow_comes_off_the_meter():
    """B-12: no reset in between, so the House bears nothing."""
    c = Controller(ceiling=5_000_100)
    c.stakes("A", 1, 1)
    c.stakes("B", 1, 1)
    assert (c.meter, c.link.state.overflow) == (5_000_100, 100)
    void(c, "A")
    assert (c.meter, c.link.state.overflow) == (5_000_100, 0)
    void(c, "B")
    assert (c.meter, c.link.state.overflow) == (5_000_000, 0)
    assert c.link.state.borne == 0


def test_also_after_a_partial_award_had_made_room():
    c = Controller(ceiling=5_000_000)
    c.stakes("A", 1, 1)
    c.stakes("B", 1, 3)
    assert (c.meter, c.link.state.overflow) == (5_000_000, 400)
    assert win(c, "A", STRAIGHT) == 500_000
    assert (c.meter, c.link.state.overflow) == (4_500_400, 0)
    void(c, "B")
    assert (c.meter, c.link.state.borne) == (4_500_100, 0)


def test_what_had_been_in_the_pool_for_longer_flows_first():
    """A's stake of an earlier round fills the room, so B's is still in the pool."""
    c = Controller(ceiling=5_000_100)
    c.stakes("C", 1, 1)
    c.stakes("A", 1, 1)
    c.claim("A", 1)
    c.stakes("A", 2, 1)
    c.stakes("B", 1, 1)
    void(c, "C")
    assert (c.meter, c.link.state.overflow) == (5_000_100, 200)
    c.claim("A", 2, held(1, ROYAL, 10.0))
    c.do(PayClaims())
    # 200 flow into the new meter, which has room for 100.
    assert (c.meter, c.link.state.overflow) == (5_000_100, 100)
    void(c, "B")
    assert (c.meter, c.link.state.overflow, c.link.state.borne) == (5_000_100, 0, 0)


def test_what_flowed_in_and_was_won_is_borne_until_that_award_comes_back():
    c = Controller(ceiling=5_000_100)
    c.stakes("A", 1, 1)
    c.stakes("B", 1, 1)
    c.stakes("C", 1, 1)
    void(c, "A")  # B's flows into the meter, C's stays in the pool
    assert win(c, "C", ROYAL) == 5_000_100
    assert (c.meter, c.link.state.overflow) == (5_000_100, 0)  # C's has flowed in
    void(c, "B")
    assert (c.meter, c.link.state.borne) == (5_000_100, 100)
    awards = {1: {ROYAL: 5_000_100}}
    c.tell(TakeAwardsBack(table="C", round=1, awards=awards))
    void(c, "C")
    assert (c.meter, c.link.state.overflow, c.link.state.borne) == (5_000_000, 0, 0)


def test_a_stake_in_two_parts_gives_only_what_came_off_for_it():
    """Its first 60 were won, its other 40 came from the pool into the next meter."""
    c = Controller(ceiling=5_000_060)
    c.stakes("B", 1, 1)
    c.stakes("A", 1, 1)
    assert (c.meter, c.link.state.overflow) == (5_000_060, 140)
    win(c, "A", ROYAL)
    assert (c.meter, c.link.state.overflow) == (5_000_060, 80)
    c.claim("A", 1)
    before = accounts(c)
    void(c, "B")
    assert (c.meter, c.link.state.overflow, c.link.state.borne) == (5_000_060, 40, 60)
    c.tell(TakeStakes(table="B", round=1, stakes={1: 500}))
    assert accounts(c) == before


def test_an_award_that_stands_again_leaves_the_meter_at_its_ceiling():
    """Two shares come back and stand again: what the meter has no room for is in the pool."""
    c = Controller(ceiling=5_000_000)
    c.stakes("A", 1, 3)
    c.claim("A", 1, held(1, STRAIGHT, 10.0), held(2, STRAIGHT, 10.1), held(3, ROYAL, 10.2))
    c.do(PayClaims())
    before = accounts(c)
    assert (before["meter"], before["overflow"]) == (5_000_000, 300)
    paid = {1: 500_000, 3: 4_050_000}
    awards = {1: {STRAIGHT: paid[1]}, 3: {ROYAL: paid[3]}}
    c.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    c.tell(ReturnStakes(table="A", round=1, boxes=(1, 3)))
    c.tell(TakeStakes(table="A", round=1, stakes={1: 500, 3: 500}))
    c.tell(PayAwardsAgain(table="A", round=1, awards=awards))
    assert accounts(c) == before


@pytest.mark.parametrize(("ceiling", "beyond"), [(5_000_600, 0), (5_000_599, 1), (5_000_100, 500)])
def test_what_came_in_since_a_fault_does_not_lift_the_next_jackpot_beyond_its_ceiling(
    ceiling: int, beyond: int
):
    """5.17.1: A is paid the 40,001 registered then; the 6 that came since stay, as 1.20 has it."""
    c = Controller(start=4_000_000, ceiling=ceiling)
    c.stakes("A", 1, 1)
    c.tell(RegisterAmount(table="A", round=1))
    c.stakes("B", 1, 3)
    c.stakes("C", 1, 3)
    before = accounts(c)
    paid = win(c, "A", ROYAL)
    assert (paid, c.meter, c.link.state.overflow) == (4_000_100, 5_000_600 - beyond, beyond)
    assert c.link.facts().display == c.meter
    after = accounts(c)
    awards = {1: {ROYAL: paid}}
    c.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    assert accounts(c) == before
    c.tell(PayAwardsAgain(table="A", round=1, awards=awards))
    assert accounts(c) == after
    void(c, "B")
    assert (c.meter, c.link.state.overflow) == (min(5_000_300, ceiling), max(beyond - 300, 0))
    assert c.link.state.borne == 0


# -- reserve --------------------------------------------------------------------------------------


def test_what_the_house_bore_of_the_reserve_comes_off_it_after_all():
    """Half of each contribution goes to the reserve. B's 50 were spent on the new meter and borne
    by the House when B was void; the award comes back, and with it the reserve, but not B's."""
    c = Controller(reserve_rate="50")
    c.stakes("B", 1, 1)
    c.stakes("A", 1, 1)
    assert (c.meter, c.link.state.reserve) == (5_000_100, 100)
    paid = win(c, "A", ROYAL)
    assert (c.meter, c.link.state.reserve) == (5_000_000, 0)
    void(c, "B")
    assert c.link.state.borne == 100
    c.tell(TakeAwardsBack(table="A", round=1, awards={1: {ROYAL: paid}}))
    void(c, "A")
    assert (c.meter, c.link.state.reserve, c.link.state.borne) == (5_000_000, 0, 0)
    assert c.link.state.put_in == 5_000_000


def test_the_house_bears_it_again_once_the_award_stands_again():
    c = Controller(reserve_rate="50")
    c.stakes("B", 1, 1)
    c.stakes("A", 1, 1)
    paid = win(c, "A", ROYAL)
    void(c, "B")
    before = accounts(c)
    awards = {1: {ROYAL: paid}}
    c.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    void(c, "A")
    c.stakes("C", 1, 2)
    c.tell(TakeStakes(table="A", round=1, stakes={1: 500}))
    c.tell(PayAwardsAgain(table="A", round=1, awards=awards))
    # C's 200 alone have come in: the reserve pays with none of them for B.
    came = {"meter": 100, "reserve": 100, "put_in": 200}
    assert accounts(c) == {name: n + came.get(name, 0) for name, n in before.items()}
    c.tell(TakeStakes(table="B", round=1, stakes={1: 500}))
    assert c.link.state.borne == 0


def test_also_where_the_stake_goes_back_while_the_award_does_not_stand():
    c = Controller(reserve_rate="50")
    c.stakes("B", 1, 1)
    c.stakes("A", 1, 1)
    paid = win(c, "A", ROYAL)
    awards = {1: {ROYAL: paid}}
    c.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    void(c, "A")
    void(c, "B")
    c.stakes("C", 1, 2)
    assert (c.meter, c.link.state.reserve) == (5_000_100, 100)
    c.tell(TakeStakes(table="A", round=1, stakes={1: 500}))
    c.tell(PayAwardsAgain(table="A", round=1, awards=awards))
    assert (c.meter, c.link.state.reserve, c.link.state.borne) == (5_000_100, 100, 100)


def test_a_stake_that_paid_for_the_new_meter_takes_nothing_of_the_next_ones_reserve():
    """B-12: the meter was reset meanwhile, so the House bears what B gave, its part in the reserve
    as well; what others have added to that since stays there, also if a round of theirs is void."""
    c = Controller(reserve_rate="50")
    c.stakes("B", 1, 1)
    c.stakes("A", 1, 1)
    win(c, "A", ROYAL)
    c.stakes("C", 1, 3)
    assert (c.meter, c.link.state.reserve) == (5_000_150, 150)
    void(c, "B")
    assert (c.meter, c.link.state.reserve, c.link.state.borne) == (5_000_150, 150, 100)
    void(c, "C")
    assert (c.meter, c.link.state.reserve, c.link.state.borne) == (5_000_000, 0, 100)
    c.stakes("B", 1, 1)  # the void of B is taken back
    assert (c.meter, c.link.state.reserve, c.link.state.borne) == (5_000_000, 0, 0)


def test_of_a_reserve_that_is_more_than_the_new_meter_the_oldest_money_is_spent():
    """50.00 each from A, B and C; the new meter takes 70.00: A's and 20.00 of B's."""
    c = Controller(reserve_rate="50", contribution=10_000, reset_value=7_000)
    for table in "ABC":
        c.stakes(table, 1, 1)
    win(c, "A", ROYAL)
    assert c.link.state.reserve == 8_000
    void(c, "C")
    assert (c.link.state.reserve, c.link.state.borne) == (3_000, 5_000)
    void(c, "B")
    assert (c.link.state.reserve, c.link.state.borne) == (0, 12_000)


# -- as if it had never been ----------------------------------------------------------------------

Act = tuple[str, str, int, int]


class Histories:
    """What tables B and C do around a round of A: the same acts, with that round and without it."""

    def __init__(self, seed: int, *, reserve: bool) -> None:
        self.chance = chance = random.Random(seed)
        start = chance.choice((5_000_000, 5_000_100, 7_000_700))
        self.terms: dict[str, Any] = {"start": start, "contribution": chance.choice((100, 400))}
        if reserve and chance.random() < 0.5:
            self.terms["reserve_rate"] = chance.choice(("10", "50", "100"))
        if chance.random() < 0.7:
            self.terms["ceiling"] = start + chance.choice((0, 50, 300))
        names = ("top-up-to-reset", "yes"), ("partial-award", "reset")
        self.policies = {name: value for name, value in names if chance.random() < 0.2}
        self.rounds = {"B": 0, "C": 0}
        self.under_way = {"B": 0, "C": 0}
        self.went_back = {"B": False, "C": False}
        self.acts = [[self.act() for _ in range(chance.randint(0, 5))] for _ in range(5)]
        self.boxes = chance.randint(1, 5)
        winners = [box for box in range(1, self.boxes + 1) if chance.random() < 0.6][:3]
        self.lines = [held(box, chance.choice((ROYAL, STRAIGHT)), 10.0) for box in winners]

    def act(self) -> Act:
        table = self.chance.choice("BC")
        if not self.under_way[table]:
            self.rounds[table] += 1
            self.under_way[table] = self.chance.randint(1, 4)
            self.went_back[table] = False
        elif self.went_back[table] and self.chance.random() < 0.5:
            self.went_back[table] = False
        elif not self.went_back[table] and self.chance.random() < 0.5:
            self.went_back[table] = True
            return "void", table, self.rounds[table], 0
        else:
            self.under_way[table] = 0
            return "end", table, self.rounds[table], 0
        return "stakes", table, self.rounds[table], self.under_way[table]

    def link(self) -> Controller:
        return Controller(self.policies, **self.terms)

    def others(self, c: Controller, part: int) -> None:
        for what, table, number, boxes in self.acts[part]:
            if what == "stakes":
                c.stakes(table, number, boxes)
            elif what == "void":
                void(c, table, number)
            else:
                c.claim(table, number)

    def won(self, c: Controller) -> dict[int, dict[str, int]]:
        """A's round up to its payment; what each box is paid."""
        self.others(c, 0)
        c.stakes("A", 1, self.boxes)
        self.others(c, 1)
        c.tell(TakeClaims(table="A", round=1, lines=tuple(self.lines)))
        self.others(c, 2)
        if not self.lines:
            return {}
        paid = [event for event in c.do(PayClaims()) if isinstance(event, AwardMade)]
        return {event.box: {event.line: event.paid} for event in paid}


@pytest.mark.parametrize("seed", range(300))
def test_a_round_that_is_taken_back_leaves_nothing(seed: int):
    """B-12, B-63: stakes, awards, resets and seeds of it are gone, whatever came in between."""
    histories = Histories(seed, reserve=True)
    c = histories.link()
    awards = histories.won(c)
    histories.others(c, 3)
    if awards:
        c.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    void(c, "A")
    never = histories.link()
    for part in range(4):
        histories.others(never, part)
    assert accounts(c) == accounts(never)


@pytest.mark.parametrize("seed", range(300))
def test_a_ruling_that_is_taken_back_leaves_nothing(seed: int):
    """Some stakes and awards go back and lie and stand again: as if nobody had ruled."""
    histories = Histories(seed, reserve=True)
    ruled, never = histories.link(), histories.link()
    paid = histories.won(ruled)
    assert histories.won(never) == paid
    boxes = tuple(range(1, histories.boxes + 1))
    back = tuple(box for box in boxes if histories.chance.random() < 0.7) or boxes
    awards = {box: lines for box, lines in paid.items() if box in back}
    if awards:
        ruled.tell(TakeAwardsBack(table="A", round=1, awards=awards))
    ruled.tell(ReturnStakes(table="A", round=1, boxes=back))
    for c in (ruled, never):
        histories.others(c, 3)
    ruled.tell(TakeStakes(table="A", round=1, stakes=dict.fromkeys(back, 500)))
    if awards:
        ruled.tell(PayAwardsAgain(table="A", round=1, awards=awards))
    for c in (ruled, never):
        histories.others(c, 4)
    assert accounts(ruled) == accounts(never)
