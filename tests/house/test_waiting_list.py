"""Waiting lists: names in order, called, seated, taken off; and who could be moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.casino import Casino
from croupier.house.office import commands as orders
from croupier.house.office.waiting import (
    CallPlayer,
    JoinWaitingList,
    LeaveWaitingList,
    NoteSeated,
    places_of,
)
from croupier.house.waiting_rooms import waiting_rooms
from croupier.poker.commands import Sit
from croupier.table import BadCommand, Command
from tests.house.staff import employ
from tests.house.test_ledger import POKER
from tests.house.test_office import HOUSE, Desk

ROOM = "poker room"


@pytest.fixture
def desk() -> Desk:
    """P1 and P2 in the poker room; Dan and Sam on duty; Ann and Bob have accounts."""
    made = Desk().staffed()
    for table in ("P1", "P2"):
        adding = orders.AddTable(
            table=table, rulebook="no-limit-holdem-v8", settings=POKER, area=ROOM
        )
        made.accepted(adding, "house", HOUSE)
    made.accepted(orders.GoOnDuty(name="Dan", post="dealer"), "Dan")
    return made


def join(player: str, list_of: str = ROOM) -> Command:
    return JoinWaitingList(list_of=list_of, player=player)


def order_of(desk: Desk, list_of: str = ROOM) -> list[str]:
    return [one.player for one in desk.office.state.waiting_lists.get(list_of, ())]


def numbers_of(desk: Desk, player: str) -> dict[str, int]:
    return {list_of: number for list_of, number, _ in places_of(desk.office.state, player)}


def wrong(desk: Desk, command: Command, who: str) -> str:
    before = desk.office.snapshot()
    with pytest.raises(BadCommand) as error:
        desk.give(command, who)
    assert desk.office.snapshot() == before
    return str(error.value)


def test_names_stand_in_the_order_in_which_they_came(desk: Desk):
    for who, player in (("Dan", "Walter"), ("Ann", "Ann"), ("Dan", "Bob")):
        desk.accepted(join(player), who)
    assert order_of(desk) == ["Walter", "Ann", "Bob"]
    assert numbers_of(desk, "Bob") == {ROOM: 3}
    assert "already" in desk.refused(join("Ann"), "Dan")
    desk.accepted(join("Ann", "P2"), "Dan")
    assert numbers_of(desk, "Ann") == {ROOM: 2, "P2": 1}


def test_who_may_put_a_name_on_a_list(desk: Desk):
    assert "take up the post" in desk.refused(join("Bob"), "Sue"), "not on duty"
    for who in ("Ann", "Cal", "Ari"):
        desk.refused(join("Bob"), who)
    assert "is staff" in desk.refused(join("Cal"), "Dan")
    desk.accepted(orders.GoOnDuty(name="Sue", post="pit supervisor"), "Sue")
    desk.accepted(orders.DisablePerson(name="Bob", reason="his own wish"), "Sue")
    assert "disabled" in desk.refused(join("Bob"), "Dan")
    assert "disabled" in desk.refused(join("Bob"), "Bob")
    says = wrong(desk, join("Ann", "upstairs"), "Dan")
    assert says == "there is no table or area 'upstairs'; there is P1, P2, poker room"


def test_whoever_has_waited_longest_is_called_first(desk: Desk):
    for player in ("Ann", "Bob", "Eve"):
        desk.accepted(join(player), "Dan")
    call = CallPlayer(list_of=ROOM, player="Bob", table="P1")
    assert "Ann has waited longer" in desk.refused(call, "Dan")
    assert "not on the list" in wrong(
        desk, CallPlayer(list_of=ROOM, player="Zoe", table="P1"), "Dan"
    )
    assert "P1, P2" in wrong(desk, CallPlayer(list_of=ROOM, player="Ann", table="M1"), "Dan")
    desk.accepted(CallPlayer(list_of=ROOM, player="Ann", table="P1"), "Dan")
    [called] = desk.accepted(call, "Dan")
    assert called.reason == "", "Ann is called already: it is his turn"
    out_of_turn = CallPlayer(list_of=ROOM, player="Eve", table="P2", reason="only wants P2")
    desk.accepted(LeaveWaitingList(list_of=ROOM, player="Bob", reason="did not come"), "Dan")
    desk.accepted(join("Bob"), "Dan")
    desk.accepted(out_of_turn, "Dan")
    assert order_of(desk) == ["Ann", "Eve", "Bob"]
    desk.accepted(NoteSeated(list_of=ROOM, player="Ann", table="P1"), "Dan")
    desk.accepted(LeaveWaitingList(list_of=ROOM, player="Bob"), "Bob")
    desk.refused(LeaveWaitingList(list_of=ROOM, player="Eve"), "Bob")
    desk.accepted(LeaveWaitingList(list_of=ROOM, player="Eve", reason="gone"), "Dan")
    assert desk.office.state.waiting_lists == {}


def test_a_seat_that_nobody_has_taken_ends_no_waiting_and_games_are_kept_full(tmp_path: Path):
    casino = Casino.open(f"sqlite:///{tmp_path / 'house.db'}", administrator="Ada")
    try:
        employ(casino, "Dan", "dealer", by="Ada")
        for table in ("P1", "P2"):
            adding = orders.AddTable(
                table=table, rulebook="no-limit-holdem-v8", settings=POKER, area=ROOM
            )
            assert casino.add_table(adding).refused is None
        casino.tell(join("Eve"), who="Dan")
        seated = NoteSeated(list_of=ROOM, player="Eve", table="P1")
        answer = casino.tell(seated, who="Dan")
        assert answer.refused is not None
        assert answer.refused.says == "Eve does not sit at table P1 yet."
        for number, name in enumerate(("Ann", "Bob", "Cyd", "Dot", "Eve", "Fay", "Gus")):
            casino.open_account(name)
            casino.cash_in(name, 50_000)
            table, seat = ("P1", number + 1) if number < 5 else ("P2", number)
            sit = Sit(seat=seat, player=name, stake=20_000)
            given = casino.house.carry_out(table, sit, who=name, rank=casino.rank_of(name))
            assert given.refused is None, given.refused
        rooms = waiting_rooms(casino)
        [waits] = rooms.lists
        assert [(one.number, one.player, one.seated) for one in waits.names] == [(1, "Eve", True)]
        assert [(t.table, t.seated, t.free) for t in rooms.tables] == [
            ("P1", 5, (6,)),
            ("P2", 2, (1, 2, 3, 4)),
        ]
        [suggested] = rooms.suggestions
        assert (suggested.table, suggested.to) == ("P1", "P2")
        assert casino.tell(seated, who="Dan").refused is None
        assert waiting_rooms(casino).lists[0].names == ()
    finally:
        casino.stop()
