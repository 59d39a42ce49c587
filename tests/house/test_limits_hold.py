"""Limits, disablements and licences hold, whatever somebody does to get round them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from croupier.house.casino import Casino
from croupier.house.errors import Conflict
from croupier.house.moved import Moved, Movement
from croupier.house.office import commands as orders
from croupier.house.office.own_limits import SetOwnLimit
from croupier.house.office.roster_commands import SetLicence
from croupier.house.office.waiting import JoinWaitingList
from croupier.house.own_limits import over_session
from croupier.house.records import written_time
from croupier.live.config import Config, ServerConfig
from croupier.live.doctor import examine
from tests.house.archiving import Clock, opened
from tests.house.evening import furnish

EVENING = datetime(2026, 11, 16, 20, tzinfo=UTC)
WHY = "x"


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    made = opened(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "copy", EVENING)
    furnish(made)
    yield made
    made.stop()


def at(casino: Casino, minutes: float) -> datetime:
    assert isinstance(casino.house.clock, Clock)
    casino.house.clock.now = EVENING + timedelta(minutes=minutes)
    return casino.house.clock.now


def test_to_log_in_again_begins_no_new_session(casino: Casino):
    casino.tell(SetOwnLimit(player="Ann", limit="session", to=60), who="Ann")
    state = casino.office.state
    for minutes in (0, 20, 45):
        at(casino, minutes)
        casino.log_out(casino.log_in("Ann", "Ann's password").token)
    at(casino, 61)
    login = casino.log_in("Ann", "Ann's password")
    assert "session limit" in over_session(state, "Ann", at(casino, 62))
    casino.log_out(login.token)
    at(casino, 62 + 31)
    casino.log_in("Ann", "Ann's password")
    assert over_session(state, "Ann", at(casino, 95)) == "", "after a rest it is a new one"


def test_a_second_device_is_no_rest(casino: Casino):
    casino.tell(SetOwnLimit(player="Ann", limit="session", to=60), who="Ann")
    first = casino.log_in("Ann", "Ann's password")
    casino.log_out(casino.log_in("Ann", "Ann's password").token)
    at(casino, 40)
    casino.log_in("Ann", "Ann's password")
    casino.log_out(first.token)
    assert "session limit" in over_session(casino.office.state, "Ann", at(casino, 61))


def moved(*what: tuple[float, int], place: str = "P1") -> list[Movement]:
    return [
        Movement(place=place, at=written_time(EVENING + timedelta(hours=hours)), amount=amount)
        for hours, amount in what
    ]


DAY = EVENING


@pytest.mark.parametrize(
    ("movements", "lost"),
    [
        (moved((-1, -100), (1, 100)), 0),  # brought before, comes back: neither lost nor won
        (moved((-1, -100), (1, 100), (2, -100)), 100),
        (moved((-1, -100), (1, 100), (2, -100), (3, -100)), 200),
        (moved((-1, -100), (1, 180), (2, -100)), 20),  # 80 of it were won
        (moved((-1, -100), (1, 30), (2, -50)), 50),
        (moved((-9, -100), (-8, 50), (-1, -40), (1, 100), (2, -70)), 10),
        (moved((1, -100), (2, 150), (3, -50)), 0),
        (moved((-1, -100), (1, 100)) + moved((2, -100), place="P2"), 100),
        (moved((0, -100)), 100),  # at the very moment: within
        (moved((-0.001, -100)), 0),
    ],
)
def test_chips_of_the_day_before_are_no_win_of_today(movements: list[Movement], lost: int):
    account = Moved(movements)
    account.begin(DAY)
    assert account.lost == lost


@pytest.mark.parametrize("disabled", ["Ann", "Bob"])
def test_no_money_is_passed_to_or_from_who_is_disabled(casino: Casino, disabled: str):
    casino.open_account("Bob")
    order = orders.Transfer(payer="Ann", payee="Bob", amount=100, reason=WHY)
    staff = {person.role: name for name, person in casino.office.state.people.items()}
    cashier, administrator = staff["cashier"], staff["administrator"]
    assert casino.tell(order, who=cashier).refused is None
    casino.tell(orders.DisablePerson(name=disabled, reason=WHY), who=administrator)
    refused = casino.tell(order, who=cashier).refused
    assert refused is not None
    assert refused.cites == ("S-29",)


def test_without_a_licence_nobody_keeps_a_waiting_list_or_relocates(casino: Casino):
    people = casino.office.state.people
    staff = {person.role: name for name, person in people.items()}
    administrator = staff["administrator"]
    casino.hire("Deb", "dealer", None, who=administrator, reason=WHY)
    today = casino.house.clock().date()
    licence = SetLicence(name="Deb", licence="L1", until=today, reason=WHY)
    assert casino.tell(licence, who=administrator).refused is None
    assert casino.tell(orders.GoOnDuty(name="Deb", post="dealer"), who="Deb").refused is None
    table = next(n for n, r in casino.office.state.places.items() if r.kind == "table")
    at(casino, 26 * 60)
    for order in (
        JoinWaitingList(list_of=table, player="Ann"),
        orders.RelocatePlayer(player="Ann", table=table, to=table, seat=1, reason=WHY),
    ):
        refused = casino.tell(order, who="Deb").refused
        assert refused is not None
        assert refused.cites == ("S-41",), refused


def test_two_processes_pay_in_no_more_than_the_limit_together(postgres_url: str):
    """Both look at what was paid in, at the same moment, before either has written."""
    first, second = Casino.open(postgres_url), Casino.open(postgres_url)
    try:
        first.open_account("Ann")
        limit = SetOwnLimit(player="Ann", limit="deposit", to=1_000)
        assert first.tell(limit, who="Ann").refused is None
        began = threading.Barrier(2)

        def pays(casino: Casino) -> None:
            began.wait()
            for _ in range(12):
                with suppress(Conflict):  # it was too busy: nothing was paid
                    casino.cash_in("Ann", 100)

        both = [threading.Thread(target=pays, args=(casino,)) for casino in (first, second)]
        for each in both:
            each.start()
        for each in both:
            each.join()
        assert first.house.reader.balances()["player/Ann"] == 1_000
    finally:
        first.close()
        second.close()


def test_the_doctor_looks_at_the_settings_of_a_server(postgres_url: str, tmp_path: Path):
    Casino.open(postgres_url, copy=tmp_path / "copy").close()
    server = ServerConfig(database=postgres_url, copy=str(tmp_path / "copy"))
    found = {each.about: each for each in examine(Config(server=server)) if each.level == "fault"}
    assert "can be lost in a power cut" in found["database"].says
