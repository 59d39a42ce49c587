"""Relocation and unclaimed awards: one act of the office and its tables, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.banked import commands as banked
from croupier.banked import reports as banked_reports
from croupier.house.answers import Answer
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.errors import LostConnection, StorageError
from croupier.house.office import OFFICE
from croupier.house.office import commands as orders
from croupier.house.office.own_limits import SetOwnLimit
from croupier.house.office.roster_commands import AssignStaff
from croupier.poker import commands as poker
from croupier.table import ActorRank, BadCommand, Command, Refused
from tests.house.quick import make_quick
from tests.house.seeded import Seeded
from tests.house.test_ledger import BANKED, POKER, V3
from tests.live.conftest import until

BIG_CHIPS = {**POKER, "chips": [2500, 10_000], "blinds": [2500, 5000], "minimum_stake": 50_000}
BIG_CHIPS["rake"] = {"percent": 5, "cap": 2_500, "chip": 2500}
V5 = {**POKER, "opened_knowingly": True, "maximum_stake": None}


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    make_quick(monkeypatch)
    return f"sqlite:///{tmp_path}/house.db"


@pytest.fixture
def casino(url: str) -> Iterator[Casino]:
    """Two poker tables and one with other chips, one of the old book, one banked; Dan on duty."""
    made = Casino.open(url, source=Seeded("moves"))
    for name, role in (("Dan", "dealer"), ("Eve", "dealer"), ("Cal", "cashier"), ("Sam", None)):
        made.hire(name, role or "shift manager", None, who="administrator", reason="opening")
    made.tell(orders.GoOnDuty(name="Dan", post="dealer"), who="Dan")
    made.tell(AssignStaff(name="Dan", reason="x"), who="administrator")
    for name, book, settings in (
        ("P", "no-limit-holdem-v8", POKER),
        ("Q", "no-limit-holdem-v8", POKER),
        ("Big", "no-limit-holdem-v8", BIG_CHIPS),
        ("Old", "poker-v5", V5),
    ):
        added = made.add_table(orders.AddTable(table=name, rulebook=book, settings=settings))
        assert added.refused is None, added.refused
    link = {"reset_value": 100_000, "contribution": 150, "payment": "at once"}
    made.add_link(orders.AddLink(link="L", rulebook=V3, settings=link))
    made.add_table(orders.AddTable(table="M", rulebook=V3, settings=BANKED, link="L"))
    for name in ("Ann", "Bob", "Cho"):
        made.open_account(name)
        made.cash_in(name, 100_000)
    accepted(made, "P", poker.Sit(seat=1, player="Ann", stake=20_100), "Ann")
    accepted(made, "P", poker.Sit(seat=2, player="Bob", stake=30_000), "Bob")
    yield made
    made.stop()


def give(casino: Casino, place: str, command: Command, who: str) -> Answer:
    rank = ActorRank.PLAYER if who != "house" else ActorRank.HOUSE
    return casino.house.give(place, command, who=who, rank=rank).result()


def accepted(casino: Casino, place: str, command: Command, who: str) -> None:
    refused = give(casino, place, command, who).refused
    assert refused is None, refused


def moving(**changed: Any) -> orders.RelocatePlayer:
    told = {"player": "Ann", "table": "P", "to": "Q", "seat": 4, "reason": "table broken"}
    return orders.RelocatePlayer(**{**told, **changed})


def everything(casino: Casino) -> tuple[Any, ...]:
    """All that a refusal must leave as it was: logs, accounts, tables in memory."""
    casino.house.writer.flush()
    reader = casino.house.reader
    places = sorted(casino.house.positions)
    states = {place: casino.conversation(place).snapshot() for place in places}
    return reader.heads(), reader.balances(), dict(casino.house.positions), states


def refused(casino: Casino, command: Command, who: str = "Dan") -> Refused:
    """Give an order that must be refused, and see that it left no trace."""
    before = everything(casino)
    answer = casino.tell(command, who=who)
    assert answer.refused is not None, command
    assert everything(casino) == before
    return answer.refused


def _place(said: tuple[Any, int]) -> str:
    return str(said[0].place)


def verified(casino: Casino, tmp_path: Path) -> None:
    casino.house.writer.flush()
    found = verify(casino.house.reader, tmp_path / "house.db.copy")
    assert found.difference is None, found.difference


# -- relocation -----------------------------------------------------------------------------------


def test_who_has_reached_a_limit_of_his_own_is_relocated_all_the_same(casino: Casino):
    """All his chips go along, and no other money."""
    limit = SetOwnLimit(player="Ann", limit="loss", to=20_100)
    assert casino.tell(limit, who="Ann").refused is None
    assert give(casino, "P", poker.TopUp(seat=1, amount=5_000), "Ann").refused is not None
    assert casino.tell(moving(), who="Dan").refused is None
    assert give(casino, "Q", poker.TopUp(seat=4, amount=5_000), "Ann").refused is not None


def test_a_player_and_all_his_chips_are_at_the_other_table_by_one_command(
    casino: Casino, tmp_path: Path
):
    before = casino.house.reader.balances()
    answer = casino.tell(moving(), who="Dan", command_id="move-1")
    assert answer.refused is None
    assert [said.place for said in answer.said] == ["office", "P", "Q"]
    after = casino.house.reader.balances()
    moved = {a: after.get(a, 0) - before.get(a, 0) for a in after.keys() | before.keys()}
    assert {account: amount for account, amount in moved.items() if amount} == {
        "table/P/chips/Ann": -20_100,
        "table/Q/chips/Ann": 20_100,
    }
    assert sum(after.values()) == 0
    assert casino.table("P").taken_seats() == [2]
    seat = casino.table("Q").state.seats[4]
    assert (seat.player, seat.stake, seat.entry) == ("Ann", 20_100, "relocated")
    rows = casino.house.reader.answer_of("move-1")
    assert {(row.who, row.rank) for row in rows} == {("Dan", "dealer")}
    assert "table broken" in answer.said[0].event.tell(str)
    verified(casino, tmp_path)


def test_sent_twice_it_has_one_effect_and_the_same_answer(casino: Casino, url: str, tmp_path: Path):
    first = casino.tell(moving(), who="Dan", command_id="move-1")
    stands = everything(casino)
    again = casino.tell(moving(), who="Dan", command_id="move-1")
    assert (again.said, again.positions) == (first.said, first.positions)
    assert everything(casino) == stands
    casino.stop()
    later = Casino.open(url)
    after = later.tell(moving(), who="Dan", command_id="move-1")
    assert after.again
    # Out of the log it comes place by place.
    first_by_place = sorted(zip(first.said, first.positions, strict=True), key=_place)
    assert sorted(zip(after.said, after.positions, strict=True), key=_place) == first_by_place
    assert later.house.balance("table/Q/chips/Ann") == 20_100
    verified(later, tmp_path)
    later.stop()
    casino.stop = lambda: None  # type: ignore[method-assign]  # the fixture's is done


def test_a_taken_seat_refuses_the_whole_act(casino: Casino):
    accepted(casino, "Q", poker.Sit(seat=4, player="Cho", stake=20_000), "Cho")
    said = refused(casino, moving())
    assert said.says == "Table Q: Seat 4 is taken by Cho."
    assert not said.cites[0].startswith("S-"), "the rulebook says no, not the office"


def test_who_is_in_a_round_stays_until_it_is_settled(casino: Casino, tmp_path: Path):
    accepted(casino, "P", poker.StartGame(), "house")
    for _ in range(20):
        if casino.table("P").playing() and casino.table("P").state.phase == "betting":
            break
        casino.dealer.deal("P")
        call = casino.dealer.call("P")
        if call is not None:
            call.result()
        for seat, who in ((1, "Ann"), (2, "Bob")):
            give(casino, "P", poker.PostBlind(seat=seat), who)
    assert "in this round" in refused(casino, moving()).says
    verified(casino, tmp_path)


def test_a_disabled_table_takes_nobody_and_may_be_left(casino: Casino):
    casino.tell(orders.Disable(place="Q", reason="a torn layout"), who="Sam")
    assert refused(casino, moving()).cites == ("S-29",)
    casino.tell(orders.Enable(place="Q", reason="a new one"), who="Sam")
    casino.tell(orders.Disable(place="P", reason="a torn layout"), who="Sam")
    assert casino.tell(moving(), who="Dan").refused is None, "that is what relocation is for"


def test_a_disabled_player_is_brought_nowhere(casino: Casino):
    casino.tell(orders.DisablePerson(name="Ann", reason="at her wish"), who="Sam")
    assert refused(casino, moving()).cites == ("S-29",)


def test_who_sits_elsewhere_is_not_taken_from_here(casino: Casino):
    said = refused(casino, moving(player="Cho"))
    assert (said.cites, said.says) == (("S-26",), "Cho does not sit at table P.")


@pytest.mark.parametrize(
    ("who", "says"),
    [
        ("Ann", "no member of staff"),
        ("Cal", "takes a dealer"),
        ("Eve", "not on duty"),
        ("administrator", "takes a dealer"),
    ],
)
def test_only_a_pit_employee_on_duty_relocates(casino: Casino, who: str, says: str):
    said = refused(casino, moving(), who)
    assert says in said.says
    assert said.cites == ("S-34",)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"to": "Nowhere"}, "no table 'Nowhere'"),
        ({"to": "L"}, "no table 'L'"),
        ({"to": "P"}, "name two"),
        ({"to": "M"}, "knows no relocation"),
        ({"seat": 9}, "no seat 9"),
        ({"to": "Big"}, "smallest chip, 25"),
    ],
)
def test_what_cannot_be_is_an_error_and_leaves_no_trace(
    casino: Casino, changed: dict[str, Any], says: str
):
    before = everything(casino)
    with pytest.raises(BadCommand, match=says):
        casino.tell(moving(**changed), who="Dan")
    assert everything(casino) == before


def test_a_closed_table_takes_nobody(casino: Casino, url: str):
    casino.tell(orders.CloseTable(table="Q", reason="moved"), who="Sam")
    assert refused(casino, moving()).cites == ("S-29",)
    casino.stop()
    again = Casino.open(url)
    with pytest.raises(BadCommand, match="closed, or run by another process"):
        again.tell(moving(), who="Dan")
    assert again.house.balance("table/P/chips/Ann") == 20_100
    again.stop()
    casino.stop = lambda: None  # type: ignore[method-assign]


def test_the_old_book_knows_no_relocation_and_seats_him_like_anybody(casino: Casino):
    """P-28: he sits down, and the House decides what he pays; nobody asks for the minimum."""
    accepted(casino, "P", poker.TopUp(seat=2, amount=10_000), "Bob")
    assert casino.tell(moving(player="Bob", to="Old", seat=2), who="Dan").refused is None
    assert casino.table("Old").state.seats[2].stake == 40_000


def test_an_order_past_the_casino_is_not_noted_without_its_parts(casino: Casino):
    before = everything(casino)
    with pytest.raises(BadCommand, match=r"Casino\.tell"):
        casino.house.give(OFFICE, moving(), who="Dan", rank=ActorRank.DEALER)
    assert everything(casino) == before


def test_what_cannot_be_stored_happened_at_neither_table(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    before = everything(casino)

    def gone(*_: Any, **__: Any) -> Any:
        raise LostConnection("the server went away")

    with monkeypatch.context() as broken:
        broken.setattr(casino.house.store, "append", gone)
        with pytest.raises(StorageError):
            casino.tell(moving(), who="Dan", command_id="move-1")
    assert everything(casino) == before
    assert casino.tell(moving(), who="Dan", command_id="move-1").refused is None
    verified(casino, tmp_path)


@pytest.fixture
def shared(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Casino, Casino]]:
    """One process that runs two tables on a server, and the office of another beside it."""
    make_quick(monkeypatch)
    made = Casino.open(postgres_url)
    made.hire("Dan", "dealer", None, who="administrator", reason="opening")
    made.hire("Cal", "cashier", None, who="administrator", reason="opening")
    made.tell(orders.GoOnDuty(name="Dan", post="dealer"), who="Dan")
    made.tell(AssignStaff(name="Dan", reason="x"), who="administrator")
    for name in ("P", "Q"):
        made.add_table(orders.AddTable(table=name, rulebook="no-limit-holdem-v8", settings=POKER))
    made.open_account("Ann")
    made.cash_in("Ann", 100_000)
    accepted(made, "P", poker.Sit(seat=1, player="Ann", stake=20_100), "Ann")
    beside = Casino.open(postgres_url, tables=())
    yield made, beside
    beside.stop()
    made.stop()


def test_on_a_server_another_process_may_be_first_in_the_office(shared: tuple[Casino, Casino]):
    """Its news is read, and the whole act is tried again: once, and at both tables."""
    here, beside = shared
    assert here.follower is not None
    here.follower.close()  # it hears of nothing by itself
    beside.cash_in("Ann", 500)
    assert here.tell(moving(), who="Dan").refused is None
    balances = here.house.reader.balances()
    assert (balances.get("table/P/chips/Ann", 0), balances["table/Q/chips/Ann"]) == (0, 20_100)
    assert balances["player/Ann"] == 100_000 - 20_100 + 500
    assert sum(balances.values()) == 0
    found = verify(here.house.reader)
    assert found.difference is None, found.difference


def test_a_process_that_runs_neither_table_relocates_and_who_runs_them_goes_on(
    shared: tuple[Casino, Casino],
):
    here, beside = shared
    assert beside.tell(moving(), who="Dan").refused is None
    assert beside.house.pit.guests == {}
    assert beside.house.tables() == {}
    until(lambda: here.table("Q").taken_seats())  # it reads what was done there
    assert not here.table("P").taken_seats()
    seat = here.table("Q").taken_seats()[0]
    accepted(here, "Q", poker.Leave(seat=seat), "Ann")
    balances = here.house.reader.balances()
    assert balances["player/Ann"] == 100_000
    assert not any(held for account, held in balances.items() if "/chips/" in account)
    refused = beside.tell(moving(), who="Dan").refused
    assert refused is not None
    assert "does not sit at table P" in refused.says
    assert beside.house.pit.guests == {}
    with pytest.raises(BadCommand, match="there is no table 'Z'"):
        beside.tell(orders.PayUnclaimed(player="Ann", table="Z", amount=1, reason="x"), who="Cal")
    assert verify(here.house.reader).difference is None


# -- unclaimed awards -----------------------------------------------------------------------------


@pytest.fixture
def kept(casino: Casino) -> int:
    """What table M keeps safe for Cho, who walked away from a winning box."""
    accepted(casino, "M", banked.Sit(box=1, player="Cho", chips=100_000), "Cho")
    for _ in range(30):
        call = casino.dealer.call("M")
        assert call is not None
        call.result()
        accepted(casino, "M", banked.PlaceAnte(box=1, amount=1_000), "Cho")
        call = casino.dealer.call("M")
        assert call is not None
        call.result()
        casino.dealer.deal("M")
        accepted(casino, "M", banked.FlopBet(box=1), "Cho")
        for _ in ("turn", "river"):
            casino.dealer.deal("M")
            accepted(casino, "M", banked.Check(box=1), "Cho")
        away = banked_reports.ReportWalkAway(player="Cho")
        answer = casino.house.give("M", away, who="Dan", rank=ActorRank.DEALER).result()
        assert answer.refused is None, answer.refused
        casino.dealer.deal("M")
        held = casino.table("M").state.safekeeping.get("Cho", 0)
        if held:
            return int(held)
    raise AssertionError("thirty rounds without a win")


def paying(kept: int, **changed: Any) -> orders.PayUnclaimed:
    told = {"player": "Cho", "table": "M", "amount": kept, "reason": "came back with his pass"}
    return orders.PayUnclaimed(**{**told, **changed})


def test_what_was_kept_safe_is_paid_once_and_by_one_command(
    casino: Casino, kept: int, tmp_path: Path
):
    before = casino.house.balance("table/M/chips/Cho") + casino.house.balance("player/Cho")
    answer = casino.tell(paying(kept), who="Cal", command_id="pay-1")
    assert [said.place for said in answer.said] == ["office", "M"]
    after = casino.house.balance("table/M/chips/Cho") + casino.house.balance("player/Cho")
    assert after - before == kept
    assert casino.house.balance("table/M/safekeeping/Cho") == 0
    stands = everything(casino)
    assert casino.tell(paying(kept), who="Cal", command_id="pay-1").said == answer.said
    assert everything(casino) == stands
    assert refused(casino, paying(kept), "Cal").cites == ("S-26",), "there is nothing left"
    verified(casino, tmp_path)


@pytest.mark.parametrize("more", [-1, 1])
def test_neither_more_nor_less_than_is_kept_is_paid(casino: Casino, kept: int, more: int):
    said = refused(casino, paying(kept + more), "Cal")
    assert said.cites == ("S-26",)
    assert "keeps" in said.says


def test_who_may_pay_and_whom(casino: Casino, kept: int):
    assert refused(casino, paying(kept), "Dan").cites == ("S-34",)
    assert refused(casino, paying(kept, player="Ann"), "Cal").cites == ("S-26",)
    assert refused(casino, paying(kept, player="Nobody"), "Cal").cites == ("S-34",)
    with pytest.raises(BadCommand, match="more than nothing"):
        casino.tell(paying(0, player="Ann"), who="Cal")
    assert casino.tell(paying(kept), who="Sam").refused is None
