"""The casino: who gets in, what is disabled or closed, how it starts and stops."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import argon2
import pytest

from croupier.banked import commands as banked
from croupier.house import passwords
from croupier.house.casino import Casino, NotAllowedIn
from croupier.house.config import apply, setting_changes, settings_of
from croupier.house.daily import DAY, Daily
from croupier.house.errors import LostConnection, UnknownPlace
from croupier.house.log_in import WRONG
from croupier.house.office import commands as orders
from croupier.house.office.duty import FAILURES_AT_MOST, LOCKED_FOR
from croupier.house.own_limits import SESSION
from croupier.house.passwords import LONGEST, SHORTEST, WeakPassword
from croupier.house.table_staff import check_pin
from croupier.live.config import Clocks, Config, ServerConfig
from croupier.live.errors import BadConfig
from croupier.live.opening import NO_SETTINGS, set_up_places
from croupier.poker import commands as poker
from croupier.table import ActorRank, Command, Refused
from tests.house.quick import as_it_is_at_work, make_quick
from tests.house.test_ledger import BANKED, POKER, V3

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
PLAYER = ActorRank.PLAYER


class Clock:
    """The time, as the test wants it."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    make_quick(monkeypatch)
    return f"sqlite:///{tmp_path}/house.db"


@pytest.fixture
def casino(url: str, clock: Clock) -> Iterator[Casino]:
    made = Casino.open(url, password="the first password", clock=clock)
    made.hire("Sam", "shift manager", "Sam's password", who="administrator", reason="opening")
    made.open_account("Ann", "Ann's password")
    made.cash_in("Ann", 100_000)
    made.open_account("Bob")
    made.cash_in("Bob", 100_000)
    yield made
    made.stop()


def test_a_live_table_says_how_its_players_act(casino: Casino):
    furnish(casino)
    by_hand = {**POKER, "dealing": "by-hand"}
    book = "no-limit-holdem-v8"
    casino.add_table(orders.AddTable(table="H", rulebook=book, settings=by_hand))
    both = {**by_hand, "acting": "device"}
    casino.add_table(orders.AddTable(table="D", rulebook=book, settings=both))
    found = {name: casino.table(name).state.settings.acting for name in "PMHD"}
    assert found == {"P": "device", "M": "device", "H": "seen", "D": "device"}


def furnish(casino: Casino) -> None:
    casino.add_table(orders.AddTable(table="P", rulebook="no-limit-holdem-v8", settings=POKER))
    link = {"reset_value": 100_000, "contribution": 150}
    casino.add_link(orders.AddLink(link="L", rulebook=V3, settings=link))
    casino.add_table(orders.AddTable(table="M", rulebook=V3, settings=BANKED, link="L"))


def give(casino: Casino, place: str, command: Command, who: str) -> Refused | None:
    rank = PLAYER if who != "house" else ActorRank.HOUSE
    return casino.house.give(place, command, who=who, rank=rank).result().refused


# -- logging in -----------------------------------------------------------------------------------


def test_a_session_lasts_until_its_end_and_no_longer(casino: Casino, clock: Clock):
    login = casino.log_in("Ann", "Ann's password")
    assert (login.name, login.until) == ("Ann", NOON + SESSION)
    for before, is_in in ((timedelta(seconds=1), True), (timedelta(), False)):
        clock.now = login.until - before
        if is_in:
            assert casino.who_is(login.token) == "Ann"
        else:
            with pytest.raises(NotAllowedIn, match="over"):
                casino.who_is(login.token)


@pytest.mark.parametrize("token", ["", "x", "A" * 43])
def test_a_forged_session_is_nobodys(casino: Casino, token: str):
    casino.log_in("Ann", "Ann's password")
    with pytest.raises(NotAllowedIn):
        casino.who_is(token)
    with pytest.raises(NotAllowedIn):
        casino.log_out(token)


def test_the_digest_of_a_token_is_no_token(casino: Casino):
    casino.log_in("Ann", "Ann's password")
    [kept] = casino.office.state.sessions
    with pytest.raises(NotAllowedIn):
        casino.who_is(kept)


def test_who_has_logged_out_is_out(casino: Casino):
    first, second = (casino.log_in("Ann", "Ann's password") for _ in range(2))
    casino.log_out(first.token)
    with pytest.raises(NotAllowedIn):
        casino.who_is(first.token)
    assert casino.who_is(second.token) == "Ann"


def test_a_wrong_name_and_a_wrong_password_are_told_the_same(casino: Casino):
    said = set()
    for name in ("Ann", "Nobody", "Bob"):  # Bob has no password at all
        with pytest.raises(NotAllowedIn) as error:
            casino.log_in(name, "not the password")
        said.add(str(error.value))
    assert said == {WRONG}


def test_the_fifth_failure_locks_for_a_while_and_the_fourth_does_not(casino: Casino, clock: Clock):
    for _ in range(FAILURES_AT_MOST - 1):
        with pytest.raises(NotAllowedIn):
            casino.log_in("Ann", "not the password")
    casino.log_in("Ann", "Ann's password")  # and the count begins anew
    for _ in range(FAILURES_AT_MOST):
        with pytest.raises(NotAllowedIn, match="wrong name"):
            casino.log_in("Ann", "not the password")
    for _ in range(2):
        with pytest.raises(NotAllowedIn, match="too many"):
            casino.log_in("Ann", "Ann's password")
    clock.now += LOCKED_FOR - timedelta(seconds=1)
    with pytest.raises(NotAllowedIn, match="too many"):
        casino.log_in("Ann", "Ann's password")
    clock.now += timedelta(seconds=1)
    assert casino.log_in("Ann", "Ann's password").name == "Ann"


def meanwhile(monkeypatch: pytest.MonkeyPatch, others: Callable[[], None]) -> None:
    """While the next password or PIN is compared, others are tried and found wrong."""
    compare = passwords.is_right
    first = iter([others])

    def is_right(given: str, kept: str | None) -> bool:
        next(first, lambda: None)()
        return compare(given, kept)

    monkeypatch.setattr(passwords, "is_right", is_right)


@pytest.mark.parametrize("password", ["Ann's password", "not the password"])
def test_passwords_that_are_tried_at_once_tell_nothing_once_it_is_locked(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, password: str
):
    def others() -> None:
        for _ in range(FAILURES_AT_MOST):
            with pytest.raises(NotAllowedIn, match="wrong name"):
                casino.log_in("Ann", "not the password")

    meanwhile(monkeypatch, others)
    with pytest.raises(NotAllowedIn, match="too many wrong passwords"):
        casino.log_in("Ann", password)
    assert casino.office.state.people["Ann"].failures == FAILURES_AT_MOST


@pytest.mark.parametrize("pin", ["2580", "1379"])
def test_pins_that_are_tried_at_once_tell_nothing_once_it_is_locked(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, pin: str
):
    casino.set_pin("Ann", "2580", who="Ann")

    def tried(pin: str) -> None:
        check_pin(casino, "Ann", pin, table="P1", asked_by="Dan")

    def others() -> None:
        for _ in range(FAILURES_AT_MOST):
            with pytest.raises(NotAllowedIn, match="not the PIN"):
                tried("1379")

    meanwhile(monkeypatch, others)
    with pytest.raises(NotAllowedIn, match="too many wrong PINs"):
        tried(pin)


def test_a_hash_that_was_changed_in_the_database_opens_nothing(casino: Casino):
    """The office has filed the digest of each hash: one that somebody slipped in is nobody's."""
    casino.house.writer.flush()
    casino.house.store.database.execute(
        "UPDATE secrets SET secret = ? WHERE name = ?", (passwords.hashed("mine now!"), "Ann")
    )
    for password in ("mine now!", "Ann's password"):
        with pytest.raises(NotAllowedIn, match="wrong name or password"):
            casino.log_in("Ann", password)


def test_to_check_the_password_of_nobody_takes_as_much_as_of_somebody(
    monkeypatch: pytest.MonkeyPatch,
):
    """The same costs, salt and length, though it was made without them."""
    as_it_is_at_work(monkeypatch)
    real, nobodys = (
        argon2.extract_parameters(kept)
        for kept in (passwords.hashed("a real password"), passwords._nobodys())
    )
    assert real == nobodys
    assert not passwords.is_right("", None)


def test_a_new_password_logs_everybody_of_that_name_out(casino: Casino):
    login = casino.log_in("Ann", "Ann's password")
    casino.set_password("Ann", "another password", who="Ann")
    with pytest.raises(NotAllowedIn):
        casino.who_is(login.token)
    with pytest.raises(NotAllowedIn):
        casino.log_in("Ann", "Ann's password")
    casino.log_in("Ann", "another password")


def test_disabled_staff_cannot_log_in_and_a_disabled_player_can(casino: Casino):
    casino.tell(orders.DisablePerson(name="Ann", reason="at her wish"), who="Sam")
    assert casino.log_in("Ann", "Ann's password").name == "Ann", "she may take her money out"
    casino.tell(orders.DisablePerson(name="Sam", reason="left"), who="administrator")
    with pytest.raises(NotAllowedIn, match="disabled"):
        casino.log_in("Sam", "Sam's password")


@pytest.mark.parametrize(
    ("length", "good"),
    [(SHORTEST - 1, False), (SHORTEST, True), (LONGEST, True), (LONGEST + 1, False)],
)
def test_how_long_a_password_may_be(casino: Casino, length: int, good: bool):
    if good:
        casino.set_password("Ann", "x" * length, who="Ann")
        casino.log_in("Ann", "x" * length)
    else:
        with pytest.raises(WeakPassword):
            casino.set_password("Ann", "x" * length, who="Ann")


# -- disabled and closed --------------------------------------------------------------------------


def test_a_disabled_table_begins_nothing_and_lets_people_go(casino: Casino):
    furnish(casino)
    assert give(casino, "P", poker.Sit(seat=1, player="Ann", stake=20_000), "Ann") is None
    assert give(casino, "P", poker.Sit(seat=2, player="Bob", stake=20_000), "Bob") is None
    casino.tell(orders.Disable(place="P", reason="a torn layout"), who="Sam")
    for command, who in (
        (poker.StartGame(), "house"),
        (poker.TopUp(seat=1, amount=1_000), "Ann"),
    ):
        refused = give(casino, "P", command, who)
        assert refused is not None
        assert refused.cites == ("S-29",)
        assert "a torn layout" in refused.says
    assert give(casino, "P", poker.Leave(seat=1), "Ann") is None
    casino.tell(orders.Enable(place="P", reason="a new one"), who="Sam")
    assert give(casino, "P", poker.TopUp(seat=2, amount=1_000), "Bob") is None


@pytest.mark.parametrize("place", ["L", ""])
def test_a_disabled_link_or_everything_stops_new_rounds_at_its_tables(casino: Casino, place: str):
    furnish(casino)
    give(casino, "M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann")
    casino.tell(orders.Disable(place=place, reason="an alarm"), who="Sam")
    refused = give(casino, "M", banked.CallForBets(), "house")
    assert refused is not None
    assert refused.cites == ("S-29",)
    casino.tell(orders.Enable(place=place, reason="over"), who="Sam")
    assert give(casino, "M", banked.CallForBets(), "house") is None


def test_a_round_under_way_is_finished_at_a_disabled_table(casino: Casino):
    furnish(casino)
    give(casino, "M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann")
    give(casino, "M", banked.CallForBets(), "house")
    give(casino, "M", banked.PlaceAnte(box=1, amount=1_000), "Ann")
    casino.tell(orders.Disable(reason="an alarm"), who="Sam")
    call = casino.dealer.call("M")
    assert call is not None
    assert call.result().refused is None
    casino.dealer.deal("M")
    assert give(casino, "M", banked.Fold(box=1), "Ann") is None
    casino.dealer.deal("M")
    assert not casino.table("M").playing()


def test_a_disabled_player_begins_nothing_and_may_leave(casino: Casino):
    furnish(casino)
    give(casino, "M", banked.Sit(box=1, player="Ann", chips=20_000), "Ann")
    give(casino, "M", banked.CallForBets(), "house")
    casino.tell(orders.DisablePerson(name="Ann", reason="at her wish"), who="Sam")
    refused = give(casino, "M", banked.PlaceAnte(box=1, amount=1_000), "Ann")
    assert refused is not None
    assert refused.cites == ("S-29",)
    refused = give(casino, "P", poker.Sit(seat=1, player="Ann", stake=20_000), "Ann")
    assert refused is not None
    assert give(casino, "M", banked.Leave(player="Ann"), "Ann") is None
    assert casino.cash_out("Ann", 100_000).refused is None


def test_nobody_sits_down_at_a_closed_table(casino: Casino):
    furnish(casino)
    casino.tell(orders.CloseTable(table="P", reason="moved"), who="Sam")
    refused = give(casino, "P", poker.Sit(seat=1, player="Ann", stake=20_000), "Ann")
    assert refused is not None
    assert "closed" in refused.says


# -- tables, starts and stops ---------------------------------------------------------------------


def test_what_the_book_would_not_open_is_not_set_up(casino: Casino):
    wrong = {**POKER, "blinds": [500, 900]}
    adding = orders.AddTable(table="P", rulebook="no-limit-holdem-v8", settings=wrong)
    answer = casino.add_table(adding)
    assert answer.refused is not None
    assert not answer.refused.cites[0].startswith("S-"), "the rulebook says no, not the office"
    assert not casino.office.state.places
    with pytest.raises(UnknownPlace, match="'P'"):
        casino.table("P")


def test_after_a_planned_stop_everything_stands_where_it_stood(casino: Casino, url: str):
    furnish(casino)
    give(casino, "P", poker.Sit(seat=1, player="Ann", stake=20_000), "Ann")
    login = casino.log_in("Ann", "Ann's password")
    states = {p: casino.conversation(p).snapshot() for p in ("P", "M", "L")}
    casino.stop()
    again = Casino.open(url, clock=Clock())
    assert {p: again.conversation(p).snapshot() for p in states} == states
    assert again.who_is(login.token) == "Ann"
    assert again.recovered == []
    assert again.house.balance("table/P/chips/Ann") == 20_000
    again.stop()
    casino.stop = lambda: None  # type: ignore[method-assign]  # the fixture's is done


def test_a_closed_table_is_not_put_on_the_floor_again(casino: Casino, url: str):
    furnish(casino)
    casino.tell(orders.CloseTable(table="P", reason="moved"), who="Sam")
    casino.stop()
    again = Casino.open(url)
    assert set(again.house.pit.tables) == {"M"}
    again.stop()
    casino.stop = lambda: None  # type: ignore[method-assign]


def test_a_changed_file_is_named_and_noted(casino: Casino, monkeypatch: pytest.MonkeyPatch):
    from croupier.house import critical_files

    assert casino.check_files() == []
    real = critical_files.digests()
    monkeypatch.setattr(critical_files, "digests", lambda: {**real, "poker": "0" * 64})
    assert casino.check_files() == ["poker"]
    noted = [r.event for r in casino.house.reader.rows("office") if b"files checked" in r.event]
    assert len(noted) == 2
    assert b"poker" in noted[-1]


def test_a_running_house_checks_its_files_every_day(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    from croupier.house import critical_files

    assert casino.daily is not None
    checked = threading.Event()

    def check() -> list[str]:
        found = casino.check_files()
        checked.set()
        return found

    real = critical_files.digests()
    monkeypatch.setattr(critical_files, "digests", lambda: {**real, "poker": "0" * 64})
    daily = Daily(check, every=timedelta(milliseconds=1))
    assert checked.wait(10)
    daily.close()
    assert "critical files were changed: poker" in caplog.text
    noted = [r for r in casino.house.reader.rows("office") if b"files checked" in r.event]
    assert noted[0].who == "house"
    assert timedelta(hours=24) == DAY


def test_a_check_that_fails_today_is_tried_again_tomorrow(caplog: pytest.LogCaptureFixture):
    tried: list[int] = []
    twice = threading.Event()

    def out_of_reach() -> list[str]:
        tried.append(1)
        if len(tried) == 2:
            twice.set()
        raise LostConnection("the server went away")

    daily = Daily(out_of_reach, every=timedelta(milliseconds=1))
    assert twice.wait(10)
    daily.close()
    assert "could not be checked: the server went away" in caplog.text


def test_the_office_alone_needs_no_daily_check(casino: Casino, url: str):
    casino.stop()
    desk = Casino.open(url, tables=())
    assert desk.daily is None
    desk.stop()
    casino.stop = lambda: None  # type: ignore[method-assign]


def test_settings_that_changed_since_the_last_start_are_on_record(casino: Casino):
    """Each once, with what it was; what is the default again, too; and no word if nothing did."""
    slow = Config(clocks=Clocks(to_act=20), standing_orders={"not shown": "treat as folded"})
    quick = Config(clocks=Clocks(to_act=5))
    for config in (Config(), slow, slow, quick, Config()):
        state, reason = casino.office.state, "as the file has it"
        casino.note_settings(setting_changes(state, settings_of(config), reason))
    told = [
        casino.office.read_event(row.event)
        for row in casino.house.reader.rows("office")
        if b"setting changed" in row.event
    ]
    assert [(e.setting, e.before, e.after) for e in told] == [  # type: ignore[attr-defined]
        ("clocks.to_act", "", "20"),
        ("standing_orders.not shown", "", '"treat as folded"'),
        ("clocks.to_act", "20", "5"),
        ("standing_orders.not shown", '"treat as folded"', ""),
        ("clocks.to_act", "5", ""),
    ]
    assert all(e.reason == "as the file has it" for e in told)  # type: ignore[attr-defined]
    assert casino.office.state.settings == {}


def test_the_demonstration_puts_its_settings_on_record_itself(casino: Casino):
    changed = Config(mode="demonstration", clocks=Clocks(to_act=20), server=ServerConfig(port=1))
    set_up_places(changed, casino)
    assert casino.office.state.settings == {"mode": '"demonstration"', "clocks.to_act": "20"}
    assert changed_by(casino) == {"house"}


def changed_by(casino: Casino) -> set[str]:
    rows = casino.house.reader.rows("office")
    return {row.who for row in rows if b"setting changed" in row.event}


def test_where_it_is_money_a_person_puts_settings_on_record(casino: Casino):
    """Until somebody has, the server does not open, and says who does it how."""
    changed = Config(clocks=Clocks(to_act=20))
    says = r"clocks.to_act is its default on record, the file says 20\. .*office apply .*--as NAME"
    with pytest.raises(BadConfig, match=says):
        set_up_places(changed, casino)
    applied = apply(casino, {}, {}, who="administrator", settings=settings_of(changed, NO_SETTINGS))
    assert [(each.change.place, each.done) for each in applied] == [("clocks.to_act", True)]
    set_up_places(changed, casino)
    assert casino.office.state.settings == {"clocks.to_act": "20"}
    assert changed_by(casino) == {"administrator"}
    with pytest.raises(BadConfig, match=r"to_act is 20 on record, the file says its default"):
        set_up_places(Config(), casino)


def test_a_house_of_real_money_takes_a_setting_from_a_person_alone(tmp_path: Path):
    casino = Casino.open(f"sqlite:///{tmp_path}/money.db", real_money=True)
    change = orders.ChangeSetting(setting="clocks.to_act", before="", after="20", reason="slower")
    assert "no member of staff" in str(casino.note_settings([change]))
    assert casino.note_settings([change], who="administrator") is None
    casino.stop()


def test_what_has_its_own_record_is_no_setting():
    config = Config(server=ServerConfig(port=1, origins=("https://a.example",)))
    assert settings_of(config, NO_SETTINGS) == {"server.origins": '["https://a.example"]'}


def test_tables_that_could_not_be_let_go_of_are_run_on(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
):
    furnish(casino)

    def lost(*_: object, **__: object) -> None:
        raise LostConnection("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(Casino, "tell", lost)
        with pytest.raises(LostConnection):
            casino.release({"P"})
    sits = poker.Sit(seat=1, player="Ann", stake=30_000)
    assert give(casino, "P", sits, "Ann") is None


def test_what_is_known_of_a_balance_is_forgotten_when_other_servers_come_and_go(casino: Casino):
    house, account = casino.house, "player/Ann"
    assert house.balance(account) == 100_000
    set_to = "UPDATE balances SET balance = ? WHERE account = ?"
    house.write_beside_others(True)
    house.store.database.execute(set_to, (90_000, account))  # as another server would
    assert house.balance(account) == 90_000
    house.store.database.execute(set_to, (100_000, account))
    house.write_beside_others(False)
    assert house.balance(account) == 100_000
