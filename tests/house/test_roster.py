"""The roster: who may assign whom where, licences, PINs, clocks. Every branch has its sentence."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from croupier.house.office import commands as orders
from croupier.house.office.roster import assignment_at, whose_licence_ended
from croupier.house.office.roster_commands import (
    AssignStaff,
    EndAssignment,
    NoteDealer,
    NotePin,
    SetClocks,
    SetLicence,
    SetPin,
    TakeCash,
)
from croupier.table import BadCommand, Command
from tests.house.test_ledger import POKER
from tests.house.test_office import DIGEST, HOUSE, NOON, Desk

HOUR = timedelta(hours=1)


@pytest.fixture
def desk() -> Desk:
    """P1 and P2 in the poker room, P3 upstairs; Dan and Sue on duty, and Max."""
    made = Desk().staffed()
    for table, area in (("P1", "poker room"), ("P2", "poker room"), ("P3", "upstairs")):
        adding = orders.AddTable(
            table=table, rulebook="no-limit-holdem-v8", settings=POKER, area=area
        )
        made.accepted(adding, "house", HOUSE)
    for name, post in (("Dan", "dealer"), ("Sue", "pit supervisor"), ("Max", "pit manager")):
        made.accepted(orders.GoOnDuty(name=name, post=post), name)  # type: ignore[arg-type]
    return made


def at(desk: Desk, name: str, table: str, when: datetime | None = None) -> str:
    return assignment_at(desk.office.state, name, table, when or desk.now)


def wrong(desk: Desk, command: Command, who: str) -> str:
    before = desk.office.snapshot()
    with pytest.raises(BadCommand) as error:
        desk.give(command, who)
    assert desk.office.snapshot() == before
    return str(error.value)


# -- where somebody may act -----------------------------------------------------------------------


def test_nobody_acts_anywhere_before_he_is_assigned_but_a_manager(desk: Desk):
    assert [at(desk, name, "P1") for name in ("Dan", "Sue", "Ada", "Ann")] == ["", "", "", ""]
    assert at(desk, "Max", "P1") == "the floor"


@pytest.mark.parametrize(
    ("where", "says", "tables"),
    [
        ({"table": "P1"}, "table P1", ["P1"]),
        ({"area": "poker room"}, "area poker room", ["P1", "P2"]),
        ({}, "the floor", ["P1", "P2", "P3"]),
    ],
)
def test_a_table_an_area_the_floor(desk: Desk, where: dict[str, str], says: str, tables: list[str]):
    desk.accepted(AssignStaff(name="Dan", **where, reason="x"), "Max")
    found = {table: at(desk, "Dan", table) for table in ("P1", "P2", "P3")}
    assert found == {t: says if t in tables else "" for t in ("P1", "P2", "P3")}


def test_an_assignment_has_its_time(desk: Desk):
    """Below, at and above its beginning and its end."""
    told = AssignStaff(name="Dan", table="P1", since=NOON + HOUR, until=NOON + 2 * HOUR, reason="x")
    desk.accepted(told, "Max")
    second = timedelta(seconds=1)
    begins, ends = NOON + HOUR, NOON + 2 * HOUR
    times = (begins - second, begins, ends - second, ends)
    assert [bool(at(desk, "Dan", "P1", when)) for when in times] == [False, True, True, False]


def test_off_duty_he_acts_nowhere(desk: Desk):
    desk.accepted(AssignStaff(name="Dan", reason="x"), "Max")
    desk.accepted(orders.GoOffDuty(name="Dan"), "Dan")
    assert at(desk, "Dan", "P1") == ""


def test_an_assignment_is_ended_by_its_number(desk: Desk):
    desk.accepted(AssignStaff(name="Dan", table="P1", reason="x"), "Max")
    ending = EndAssignment(assignment=1, reason="P1 closes")
    assert "no one of" not in desk.refused(ending, "Cal")
    desk.accepted(ending, "Dan")  # he may always go
    assert at(desk, "Dan", "P1") == ""
    assert "no assignment 1" in wrong(desk, ending, "Max")


# -- who may assign -------------------------------------------------------------------------------


def test_who_may_assign(desk: Desk):
    told = AssignStaff(name="Dan", table="P1", reason="x")
    for who in ("Dan", "Cal", "Ari", "Ann", "nobody"):
        desk.refused(told, who)
    assert "You cannot assign yourself" in desk.refused(AssignStaff(name="Sue", reason="x"), "Sue")
    for who in ("Max", "Sam", "Ada"):
        desk.accepted(told, who)


def test_a_supervisor_assigns_dealers_where_he_is_assigned(desk: Desk):
    told = AssignStaff(name="Dan", table="P1", reason="x")
    assert "Sue is not assigned to table P1" in desk.refused(told, "Sue")
    desk.accepted(AssignStaff(name="Sue", area="poker room", reason="x"), "Max")
    desk.accepted(told, "Sue")
    desk.accepted(AssignStaff(name="Dan", area="poker room", reason="x"), "Sue")
    for beyond in ({"table": "P3"}, {"area": "upstairs"}, {}):
        assert "not assigned" in desk.refused(AssignStaff(name="Dan", **beyond, reason="x"), "Sue")
    desk.accepted(orders.HireStaff(name="Sid", role="pit supervisor", reason="x"), "Ada")
    peer = AssignStaff(name="Sid", table="P1", reason="x")
    assert "takes a pit manager" in desk.refused(peer, "Sue")
    desk.accepted(orders.GoOffDuty(name="Sue"), "Sue")
    assert "not on duty" in desk.refused(told, "Sue")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"table": "P9"}, "there is P1, P2, P3"),
        ({"area": "cellar"}, "there is poker room, upstairs"),
        ({"table": "P1", "area": "upstairs"}, "not to both"),
        ({"table": "P1", "until": NOON}, "ends after it begins"),
        ({"table": "P1", "since": NOON + HOUR, "until": NOON + HOUR}, "ends after it begins"),
        ({"table": "P1", "since": NOON - 2 * HOUR, "until": NOON - HOUR}, "not before now"),
    ],
)
def test_what_makes_no_sense_is_said(desk: Desk, told: dict, says: str):
    assert says in wrong(desk, AssignStaff(name="Dan", **told, reason="x"), "Max")


def test_only_people_of_the_pit_are_assigned(desk: Desk):
    for name in ("Cal", "Ann"):
        assert "no one of the pit" in desk.refused(
            AssignStaff(name=name, table="P1", reason="x"), "Max"
        )


# -- licences -------------------------------------------------------------------------------------


def licensed(desk: Desk, until: date, name: str = "Dan") -> None:
    desk.accepted(SetLicence(name=name, licence="SE-1", until=until, reason="renewed"), "Ada")


def test_an_expired_licence_is_refused_at_the_start_of_a_duty(desk: Desk):
    """The last day is good, the day after is not."""
    desk.accepted(orders.GoOffDuty(name="Dan"), "Dan")
    on = orders.GoOnDuty(name="Dan", post="dealer")
    licensed(desk, NOON.date() - timedelta(days=1))
    assert "licence SE-1 of Dan ended on 2026-11-15" in desk.refused(on, "Dan")
    licensed(desk, NOON.date())
    desk.accepted(on, "Dan")


def test_where_it_is_for_money_nobody_works_in_the_pit_without_one(desk: Desk):
    real = Desk(real_money=True).staffed()
    on = orders.GoOnDuty(name="Dan", post="dealer")
    assert "no licence of Dan on record" in real.refused(on, "Dan")
    real.accepted(orders.GoOnDuty(name="Cal", post="cashier"), "Cal")
    licensed(real, NOON.date())
    real.accepted(on, "Dan")


def test_whose_licence_has_ended_is_known_and_the_house_takes_him_off(desk: Desk):
    licensed(desk, NOON.date())
    tomorrow = NOON + timedelta(days=1)
    assert whose_licence_ended(desk.office.state, NOON) == {}
    [(name, says)] = whose_licence_ended(desk.office.state, tomorrow).items()
    assert (name, "ended on" in says) == ("Dan", True)
    desk.accepted(orders.GoOffDuty(name="Dan", reason=says), "house", HOUSE)
    assert "Dan" not in desk.office.state.duty


def test_who_puts_a_licence_on_record(desk: Desk):
    told = SetLicence(name="Dan", licence="SE-1", until=NOON.date(), reason="x")
    for who in ("Dan", "Sue", "Max", "Cal", "Ann"):
        desk.refused(told, who)
    own = SetLicence(name="Sam", licence="SE-2", until=NOON.date(), reason="x")
    assert "your own" in desk.refused(own, "Sam")
    of_a_player = SetLicence(name="Ann", licence="SE-3", until=NOON.date(), reason="x")
    assert "player" in desk.refused(of_a_player, "Ada")
    desk.accepted(told, "Sam")


# -- PINs -----------------------------------------------------------------------------------------


def test_who_sets_a_pin(desk: Desk):
    told = SetPin(player="Ann", digest=DIGEST)
    for who in ("Bob", "Dan", "Max"):
        desk.refused(SetPin(player="Ann", digest=DIGEST, reason="x"), who)
    assert "say why" in desk.refused(told, "Cal")
    desk.accepted(SetPin(player="Ann", digest=DIGEST, reason="at the counter"), "Cal")
    desk.accepted(told, "Ann")
    assert "staff" in desk.refused(SetPin(player="Dan", digest=DIGEST), "Dan")


def test_five_wrong_pins_lock_and_a_right_one_forgets(desk: Desk):
    desk.accepted(SetPin(player="Ann", digest=DIGEST), "Ann")

    def typed(right: bool) -> None:
        told = NotePin(player="Ann", table="P1", asked_by="Dan", right=right)
        desk.accepted(told, "house", HOUSE)

    ann = desk.office.state.people["Ann"]
    for _ in range(4):
        typed(False)
    assert ann.pin_locked_until is None
    typed(True)
    assert ann.pin_failures == 0
    for _ in range(5):
        typed(False)
    assert ann.pin_locked_until == NOON + timedelta(minutes=15)


def test_what_the_software_notes_nobody_enters(desk: Desk):
    for told in (
        NotePin(player="Ann", table="P1", asked_by="Dan", right=True),
        TakeCash(player="Ann", table="P1", amount=100, taken_by="Dan"),
        NoteDealer(table="P1", dealer="Dan"),
        orders.OpenAccount(player="Zoe", cash=True),
    ):
        for who in ("Sam", "Ada"):
            assert "software itself" in desk.refused(told, who)


# -- who could act --------------------------------------------------------------------------------


def test_no_table_is_set_up_at_which_nobody_could_act(desk: Desk):
    settings = {**POKER, "dealing": "automatic", "acting": "seen"}
    adding = orders.AddTable(table="P9", rulebook="no-limit-holdem-v8", settings=settings)
    with pytest.raises(BadCommand, match="nobody could act at table 'P9'"):
        desk.give(adding, "house", HOUSE)


# -- clocks ---------------------------------------------------------------------------------------


def test_a_table_has_clocks_of_its_own(desk: Desk):
    told = SetClocks(table="P1", clocks={"to_act": 30, "time_bank": 60}, reason="slow")
    for who in ("Dan", "Sue", "Cal", "Ann"):
        desk.refused(told, who)
    desk.accepted(told, "Max")
    assert desk.office.state.places["P1"].clocks == {"to_act": 30, "time_bank": 60}
    assert "so already" in desk.refused(told, "Max")
    for clocks in ({"to_act": -1}, {"to_act": 86_401}, {"patience": 5}):
        assert "there is to_act" in wrong(
            desk, SetClocks(table="P1", clocks=clocks, reason="x"), "Max"
        )
    assert "no table" in wrong(desk, SetClocks(table="P9", clocks={}, reason="x"), "Max")
