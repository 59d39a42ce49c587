"""The trays of tables: counts, slips by two people, the drop, the day closed by name."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.office.inventory import (
    CancelSlip,
    CloseDay,
    CountDrop,
    CountInventory,
    OrderCredit,
    OrderFill,
    SignSlip,
)
from croupier.house.office.roster_commands import AssignStaff
from croupier.house.office_lists import LISTS
from croupier.house.reports import GamingDay, report_day, report_inventory
from croupier.poker.commands import Leave, Sit
from croupier.table import BadCommand, Command
from tests.house.evening import furnish, open_casino, play
from tests.house.quick import make_quick
from tests.house.staff import employ
from tests.house.test_ledger import POKER
from tests.house.test_office import HOUSE, NOON, Desk

TRAY = {500: 40, 2500: 20}
"""200 and 500 in chips: 700."""


@pytest.fixture
def desk() -> Desk:
    """P1 with Dan, Sue and Max on duty there; Cal is at the cage."""
    made = Desk().staffed()
    for table in ("P1", "P2"):
        adding = orders.AddTable(table=table, rulebook="no-limit-holdem-v8", settings=POKER)
        made.accepted(adding, "house", HOUSE)
    for name, post in (
        ("Dan", "dealer"),
        ("Sue", "pit supervisor"),
        ("Max", "pit manager"),
        ("Sam", "shift manager"),
    ):
        made.accepted(orders.GoOnDuty(name=name, post=post), name)  # type: ignore[arg-type]
    for name in ("Dan", "Sue"):
        made.accepted(AssignStaff(name=name, table="P1", reason="x"), "Max")
    return made


def wrong(desk: Desk, command: Command, who: str) -> str:
    before = desk.office.snapshot()
    with pytest.raises(BadCommand) as error:
        desk.give(command, who)
    assert desk.office.snapshot() == before
    return str(error.value)


def opened(desk: Desk) -> None:
    desk.accepted(CountInventory(table="P1", which="opening", chips=TRAY), "Dan")


def test_a_tray_is_counted_by_who_works_there(desk: Desk):
    count = CountInventory(table="P1", which="opening", chips=TRAY)
    for who in ("Cal", "Ari", "Ann", "Ada"):
        assert "count the tray" in desk.refused(count, who)
    elsewhere = CountInventory(table="P2", which="opening", chips=TRAY)
    assert "not assigned to table P2" in desk.refused(elsewhere, "Dan")
    [event] = desk.accepted(count, "Dan")
    assert event.tell(str) == "Dan counts 700 in the tray of table P1 (opening)."
    assert desk.office.state.inventory["P1"].opening == 70_000
    assert "counted already" in desk.refused(count, "Sue")


def test_chips_that_the_table_does_not_have_were_mistyped(desk: Desk):
    for value in (0, -500, 700):
        count = CountInventory(table="P1", which="opening", chips={value: 3})
        assert "table P1 has no chip of" in wrong(desk, count, "Dan")
    assert "no table 'P9'; there is P1, P2" in wrong(
        desk, CountInventory(table="P9", which="opening", chips={}), "Dan"
    )
    empty = CountInventory(table="P1", which="opening", chips={})
    assert desk.accepted(empty, "Dan")[0].amount == 0, "a tray may be empty"


def test_fills_and_credits_take_two_signatures(desk: Desk):
    fill = OrderFill(table="P1", chips={500: 20}, reason="low on fives")
    assert "it is not open" in desk.refused(fill, "Sue")
    opened(desk)
    assert "takes a pit supervisor" in desk.refused(fill, "Dan")
    assert "which chips" in wrong(desk, OrderFill(table="P1", chips={500: 0}, reason="x"), "Sue")
    [ordered] = desk.accepted(fill, "Sue")
    assert desk.office.state.inventory["P1"].fills == 0, "one signature moves nothing"
    assert "a second person signs" in desk.refused(SignSlip(slip=ordered.slip), "Sue")
    assert "no member of staff" in desk.refused(SignSlip(slip=ordered.slip), "Ann")
    assert "takes a" in desk.refused(SignSlip(slip=ordered.slip), "Ari")
    assert "waits for a second signature" in desk.refused(
        CountInventory(table="P1", which="closing", chips=TRAY), "Dan"
    )
    [signed] = desk.accepted(SignSlip(slip=ordered.slip), "Dan")
    assert signed.tell(str).endswith("slip 1, signed by Sue and Dan.")
    assert "no slip 1 waits" in wrong(desk, SignSlip(slip=1), "Max")
    desk.accepted(OrderCredit(table="P1", chips={2500: 2}, reason="too many"), "Max")
    desk.accepted(SignSlip(slip=2), "Cal")
    now = desk.office.state.inventory["P1"]
    assert (now.fills, now.credits) == (10_000, 5_000)
    desk.accepted(OrderCredit(table="P1", chips={2500: 2}, reason="again"), "Max")
    assert "takes a" in desk.refused(CancelSlip(slip=3, reason="x"), "Dan")
    desk.accepted(CancelSlip(slip=3, reason="a mistake"), "Sue")
    assert not desk.office.state.slips
    assert (now.fills, now.credits) == (10_000, 5_000)


def test_somebody_from_another_table_does_not_sign(desk: Desk):
    opened(desk)
    desk.accepted(orders.HireStaff(name="Deb", role="dealer", reason="x"), "Ada")
    desk.accepted(orders.GoOnDuty(name="Deb", post="dealer"), "Deb")
    desk.accepted(OrderFill(table="P1", chips={500: 20}, reason="x"), "Sue")
    assert "not assigned to table P1" in desk.refused(SignSlip(slip=1), "Deb")


def test_the_day_is_closed_by_name_once_every_tray_is_counted(desk: Desk):
    day = NOON.date()
    close = CountInventory(table="P1", which="closing", chips=TRAY)
    drop = CountDrop(table="P1", amount=30_000)
    assert "not counted at its opening" in desk.refused(close, "Dan")
    opened(desk)
    assert "Close the tray" in desk.refused(drop, "Cal")
    assert "Still open: P1" in desk.refused(CloseDay(day=day), "Sam")
    desk.accepted(close, "Dan")
    assert "takes a cashier" in desk.refused(drop, "Dan")
    assert "nothing or more" in wrong(desk, CountDrop(table="P1", amount=-1), "Cal")
    desk.accepted(drop, "Cal")
    assert "is counted: 300" in desk.refused(drop, "Cal")
    for who in ("Max", "Cal", "Ada"):
        assert "takes a shift manager" in desk.refused(CloseDay(day=day), who)
    tomorrow = day + timedelta(days=1)
    assert "has not come yet" in wrong(desk, CloseDay(day=tomorrow), "Sam")
    [closed] = desk.accepted(CloseDay(day=day), "Sam")
    assert closed.tell(str) == f"Sam closes the gaming day {day}: P1."
    assert "closed already" in desk.refused(CloseDay(day=day), "Sam")
    opened(desk)  # the next day begins


def test_a_drop_that_was_not_counted_is_told_and_counted_later(desk: Desk):
    """Its day may be closed, and the next tray opened, before the count room has opened the box."""
    day = NOON.date()
    close = CountInventory(table="P1", which="closing", chips=TRAY)
    opened(desk)
    desk.accepted(close, "Dan")
    [closed] = desk.accepted(CloseDay(day=day), "Sam")
    assert closed.tell(str).endswith("P1. Drops still to be counted: P1.")
    assert list(desk.office.state.drop_boxes) == [1]
    opened(desk)
    drop = CountDrop(table="P1", amount=30_000)
    [counted] = desk.accepted(drop, "Cal")
    assert counted.tell(str) == "Cal counts a drop of 300 of P1, box 1."
    assert desk.office.state.drop_boxes == {}
    assert "Close the tray" in desk.refused(drop, "Cal")
    desk.accepted(close, "Dan")
    opened(desk)  # a second tray on the same day: the box of the first is still there
    desk.accepted(close, "Dan")
    assert list(desk.office.state.drop_boxes) == [2]
    [counted] = desk.accepted(drop, "Cal")
    assert counted.tell(str) == "Cal counts a drop of 300 of P1.", "of the tray closed last"
    assert "no box 7 of table P1" in wrong(desk, CountDrop(table="P1", amount=1, box=7), "Cal")
    desk.accepted(CountDrop(table="P1", amount=1, box=2), "Cal")
    assert "is counted: 300" in desk.refused(drop, "Cal")


def test_which_of_several_boxes_was_counted_must_be_said(desk: Desk):
    for _ in range(3):
        opened(desk)
        desk.accepted(CountInventory(table="P1", which="closing", chips=TRAY), "Dan")
    opened(desk)
    says = desk.refused(CountDrop(table="P1", amount=1), "Cal")
    assert says.startswith("Say which box of table P1 was counted: 1 (")
    desk.accepted(CountDrop(table="P1", amount=1, box=3), "Cal")
    assert list(desk.office.state.drop_boxes) == [1, 2]


def test_the_report_compares_the_count_with_the_book(tmp_path: Path):
    """Ann buys 500 and leaves with 500; Bob buys 300 and stays. So 300 is missing by the book, and
    2.50 more is missing by the count."""
    casino = Casino.open(f"sqlite:///{tmp_path / 'house.db'}", administrator="Ada")
    try:
        employ(casino, "Sue", "pit supervisor", by="Ada")
        employ(casino, "Dan", "dealer", by="Ada")
        employ(casino, "Sam", "shift manager", by="Ada")
        casino.add_table(orders.AddTable(table="P1", rulebook="no-limit-holdem-v8", settings=POKER))
        for name in ("Ann", "Bob"):
            casino.open_account(name)
            casino.cash_in(name, 100_000)

        def tells(command: Command, who: str) -> None:
            answer = casino.tell(command, who=who)
            assert answer.refused is None, answer.refused

        def plays(who: str, command: Command) -> None:
            rank = casino.rank_of(who)
            assert casino.house.carry_out("P1", command, who=who, rank=rank).refused is None

        tells(CountInventory(table="P1", which="opening", chips=TRAY), "Dan")
        tells(OrderFill(table="P1", chips={500: 20}, reason="x"), "Sue")
        tells(SignSlip(slip=1), "Dan")
        plays("Ann", Sit(seat=1, player="Ann", stake=50_000))
        plays("Bob", Sit(seat=2, player="Bob", stake=30_000))
        plays("Ann", Leave(seat=1))
        day = GamingDay.of(casino.house.clock())
        [tray] = report_day(casino.house.reader, day).inventory
        assert (tray.expected, tray.closing, tray.difference) == (50_000, None, None)
        tells(CountInventory(table="P1", which="closing", chips={500: 49, 2500: 10}), "Dan")
        tells(CountDrop(table="P1", amount=500), "Sam")
        tells(CloseDay(day=day.day), "Sam")
        casino.house.writer.flush()
        made = report_day(casino.house.reader, day)
        [tray] = made.inventory
        assert (tray.opening, tray.fills, tray.credits) == (70_000, 10_000, 0)
        assert (tray.expected, tray.closing, tray.difference) == (50_000, 49_500, -500)
        assert (tray.cash_booked, tray.drop, tray.drop_difference) == (0, 500, 500)
        assert (tray.opened_by, tray.closed_by, made.closed_by) == ("Dan", "Dan", "Sam")
        before = GamingDay(day=day.day - timedelta(days=1))
        assert report_day(casino.house.reader, before).inventory == []
        assert verify(casino.house.reader).difference is None, "the ledger knows no trays"
    finally:
        casino.stop()


def test_the_drop_of_a_later_tray_is_not_that_of_the_one_before(tmp_path: Path):
    casino = Casino.open(f"sqlite:///{tmp_path / 'house.db'}", administrator="Ada")
    try:
        employ(casino, "Dan", "dealer", by="Ada")
        employ(casino, "Sam", "shift manager", by="Ada")
        casino.add_table(orders.AddTable(table="P1", rulebook="no-limit-holdem-v8", settings=POKER))
        ends = []
        for amount in (500, 900):
            for which in ("opening", "closing"):
                count = CountInventory(table="P1", which=which, chips=TRAY)  # type: ignore[arg-type]
                assert casino.tell(count, who="Dan").refused is None
            ends.append(casino.house.clock())
            assert casino.tell(CountDrop(table="P1", amount=amount), who="Sam").refused is None
        casino.house.writer.flush()
        [tray] = report_inventory(casino.house.reader, ends[0] - timedelta(hours=1), ends[0])
        assert tray.drop == 500, "the box was opened afterwards, and another one later"
        both = report_inventory(casino.house.reader, ends[0] - timedelta(hours=1), ends[1])
        assert [tray.drop for tray in both] == [500, 900]
        for which in ("opening", "closing"):
            count = CountInventory(table="P1", which=which, chips=TRAY)  # type: ignore[arg-type]
            assert casino.tell(count, who="Dan").refused is None
        day = casino.house.clock().date()
        assert casino.tell(CloseDay(day=day), who="Sam").refused is None
        assert casino.tell(CountDrop(table="P1", amount=700), who="Sam").refused is None
        casino.house.writer.flush()
        now = casino.house.clock()
        later = report_inventory(casino.house.reader, ends[0] - timedelta(hours=1), now)
        assert [tray.drop for tray in later] == [500, 900, 700], "counted after its day was closed"
    finally:
        casino.stop()


IN_HANDS = ("chips", "pot", "layout", "safekeeping")


def in_hands(casino: Casino, table: str) -> int:
    """What lies at a table and is not in its tray, and what players brought in their pockets."""
    casino.house.writer.flush()
    return sum(
        held
        for account, held in casino.house.reader.balances().items()
        if account == f"outside/{table}"
        or account.startswith(tuple(f"table/{table}/{what}" for what in IN_HANDS))
    )


def test_a_tray_loses_what_players_get_at_every_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Rounds of all five games, Rake and jackpot stakes included: no chip is made or lost between
    the tray and the players."""
    make_quick(monkeypatch)
    casino = open_casino(f"sqlite:///{tmp_path}/house.db")
    try:
        furnish(casino)
        tables = list(casino.house.pit.tables)
        for table in tables:
            count = CountInventory(table=table, which="opening", chips={})
            assert casino.tell(count, who="Max").refused is None
        before = {table: in_hands(casino, table) for table in tables}
        play(casino, 4)
        trays = LISTS["inventory"].made(casino).trays
        assert [tray.table for tray in trays] == sorted(tables)
        for tray in trays:
            moved = in_hands(casino, tray.table) - before[tray.table]
            assert tray.expected == -moved, tray.table
        assert any(tray.expected for tray in trays)
    finally:
        casino.stop()


def test_chips_of_a_relocated_player_never_pass_a_tray(tmp_path: Path):
    casino = Casino.open(f"sqlite:///{tmp_path / 'house.db'}", administrator="Ada")
    try:
        employ(casino, "Dan", "dealer", by="Ada")
        for table in ("P1", "P2"):
            casino.add_table(
                orders.AddTable(table=table, rulebook="no-limit-holdem-v8", settings=POKER)
            )
            count = CountInventory(table=table, which="opening", chips={2500: 40})
            assert casino.tell(count, who="Dan").refused is None
        casino.open_account("Ann")
        casino.cash_in("Ann", 50_000)
        sit = Sit(seat=1, player="Ann", stake=50_000)
        casino.house.carry_out("P1", sit, who="Ann", rank=casino.rank_of("Ann"))
        move = orders.RelocatePlayer(player="Ann", table="P1", to="P2", seat=3, reason="x")
        assert casino.tell(move, who="Dan").refused is None
        trays = LISTS["inventory"].made(casino).trays
        assert [(tray.table, tray.expected) for tray in trays] == [("P1", 50_000), ("P2", 100_000)]
    finally:
        casino.stop()
