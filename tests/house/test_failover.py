"""The primary is killed and its standby promoted: nothing that was acknowledged is lost, no table
stands still, and no old primary is taken for the new one."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import pytest

from croupier.house import postgres, postgres_hosts
from croupier.house.answers import Answer
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.errors import BadUrl, HouseError, LostConnection
from croupier.house.office import OFFICE
from croupier.house.office import commands as orders
from croupier.house.postgres import PostgresDatabase
from croupier.house.postgres_hosts import read_address
from croupier.house.standby import standbys
from croupier.house.store import Store
from croupier.table import ActorRank
from tests.house.casino import TABLES, Guests, stands_as_its_log
from tests.house.evening import furnish, open_casino
from tests.house.failover import Pair, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells a server's processes")


@pytest.fixture
def pair() -> Iterator[Pair]:
    made = Pair()
    yield made
    made.close()


@contextmanager
def opened(url: str) -> Iterator[Casino]:
    casino = Casino.open(url, password="the first password")
    try:
        yield casino
    finally:
        casino.close()


def account(casino: Casino, name: str) -> Future[Answer]:
    """Ask for an account under an id of its own."""
    command = orders.OpenAccount(player=name)
    return casino.house.give(
        OFFICE, command, who="house", rank=ActorRank.HOUSE, command_id=f"open {name}"
    )


class Load(threading.Thread):
    """Opens one account after the other; each that fails is sent again under its id."""

    def __init__(self, casino: Casino, name: str) -> None:
        super().__init__()
        self.casino, self.named = casino, name
        self.acknowledged: list[str] = []
        self.failures = 0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.is_set():
            name = f"{self.named} {len(self.acknowledged)}"
            try:
                answer = account(self.casino, name).result(60)
            except HouseError:
                self.failures += 1
                time.sleep(0.02)
                continue
            assert answer.refused is None
            self.acknowledged.append(name)


def accounts(url: str) -> list[str]:
    """Everybody whose account is in the log, as often as it is there."""
    database = PostgresDatabase(url)
    try:
        found = database.execute(
            "SELECT convert_from(event, 'UTF8')::json ->> 'player' FROM log WHERE place = ? "
            "AND convert_from(event, 'UTF8')::json ->> 'event' = 'account opened'",
            (OFFICE,),
        )
    finally:
        database.close()
    return [name for (name,) in found]


def test_killed_under_load_nothing_acknowledged_is_lost_and_nothing_is_there_twice(pair: Pair):
    probes_are_set(pair)
    with opened(pair.url) as casino:
        loads = [Load(casino, name) for name in ("Ann", "Ben", "Cho")]
        for load in loads:
            load.start()
        wait_until(lambda: all(len(load.acknowledged) > 5 for load in loads))
        pair.a.kill()
        wait_until(lambda: all(load.failures for load in loads))
        before = [len(load.acknowledged) for load in loads]
        pair.b.promote()
        wait_until(
            lambda: all(
                len(load.acknowledged) > was + 5 for load, was in zip(loads, before, strict=True)
            )
        )
        for load in loads:
            load.over.set()
        for load in loads:
            load.join(60)
            assert not load.is_alive()
        acknowledged = [name for load in loads for name in load.acknowledged]
        found = accounts(pair.b.url())
        assert len(found) == len(set(found)), "nothing is there twice"
        assert set(acknowledged) <= set(found)
        assert verify(casino.house.reader).difference is None


def probes_are_set(pair: Pair) -> None:
    """Both machines notice that the other has vanished."""
    database = PostgresDatabase(pair.url)
    made = database._connection._transport.get_extra_info("socket")
    assert made.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 5
    assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
    assert database.execute("SELECT current_setting('tcp_keepalives_idle')") == [("5",)]
    assert standbys(database).kind == "confirmed"
    database.close()


# -- a standby that does not answer --------------------------------------------------------------


@pytest.mark.slow
def test_what_no_standby_has_is_neither_acknowledged_nor_told_when_asked_again(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
):
    """The primary has it on its disk and shows it to everybody: its commit was cut off from its
    standby. Were it told as carried out, it would be lost with the primary."""
    with opened(pair.url) as casino:
        account(casino, "Ann").result(10)
        monkeypatch.setattr(postgres, "CONFIRM_SECONDS", 1.0)
        pair.b.stop()
        looking = PostgresDatabase(pair.url)
        assert standbys(looking).kind == "stands still"
        looking.close()
        with pytest.raises(LostConnection):
            account(casino, "Ben").result(20)
        ended = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        )
        wait_until(lambda: (pair.a.ask(ended), "Ben" in accounts(pair.a.url()))[1])
        for _ in range(3):
            with pytest.raises(LostConnection):
                account(casino, "Ben").result(20)
        pair.a.kill()
        pair.b.start()
        pair.b.promote()
        assert "Ben" not in accounts(pair.b.url()), "the standby never had it"
        again = wait_until(lambda: account(casino, "Ben").result(20))
        assert not again.again, "it is carried out now, not told as if it had been"
        assert accounts(pair.b.url()).count("Ben") == 1
        assert verify(casino.house.reader).difference is None


@pytest.mark.slow
def test_a_commit_whose_standby_somebody_no_longer_waits_for_is_not_acknowledged(pair: Pair):
    with opened(pair.url) as casino:
        account(casino, "Ann").result(10)
        pair.b.kill(signal.SIGSTOP)
        given = account(casino, "Ben")
        cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        wait_until(lambda: "t" in pair.a.ask(cancel))
        with pytest.raises(TimeoutError):
            given.result(1.0)
        pair.b.kill(signal.SIGCONT)
        assert given.result(20).refused is None, "now the standby has it"


@pytest.mark.slow
def test_a_frozen_primary_is_left_for_the_standby_that_was_promoted(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
):
    """Its machine answers, so no probe fails; it just says nothing any more."""
    monkeypatch.setattr(postgres, "SILENT_SECONDS", 1.0)
    with opened(f"{pair.url}?connect_timeout=1") as casino:
        account(casino, "Ann").result(10)
        pair.a.kill(signal.SIGSTOP)
        with pytest.raises(LostConnection):
            account(casino, "Ben").result(20)
        pair.b.promote()
        again = wait_until(lambda: account(casino, "Ben").result(20))
        assert again.refused is None
        pair.a.kill(signal.SIGCONT)
        assert "Ben" in accounts(pair.b.url())
        assert "Ben" not in accounts_at_old(pair)
        assert verify(casino.house.reader).difference is None


# -- an old primary ------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_old_primary_that_comes_back_is_not_written_to(
    pair: Pair, caplog: pytest.LogCaptureFixture
):
    with opened(pair.url) as casino:
        account(casino, "Ann").result(10)
        pair.a.kill()
        pair.b.promote()
        wait_until(lambda: account(casino, "Ben").result(10))
        pair.a.settings("synchronous_standby_names = ''")  # as if nobody knew of the other
        pair.a.start()
        for _ in range(5):
            pair.b.ask(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'house'"
            )
            wait_until(lambda: account(casino, "Cho").result(10))
        assert "Cho" not in accounts_at_old(pair)
        assert "Cho" in accounts(pair.b.url())
        with pytest.raises(LostConnection, match=r"is an old primary, on timeline 1 where 2"):
            PostgresDatabase(pair.a.url())
    # A process that starts now has seen neither: it asks both, and takes the newer one.
    postgres_hosts._newest.clear()
    with caplog.at_level(logging.ERROR), opened(pair.url) as casino:
        assert "Cho" in casino.office.state.people
    assert "accept writes, on timelines 2 and 1" in caplog.text


def accounts_at_old(pair: Pair) -> str:
    return str(pair.a.ask("SELECT string_agg(convert_from(event, 'UTF8'), '') FROM log", "house"))


@pytest.mark.slow
def test_a_server_that_was_made_a_standby_is_left_for_the_new_primary(pair: Pair):
    """A planned change of places, as Patroni makes it."""
    with opened(pair.url) as casino:
        account(casino, "Ann").result(10)
        pair.a.run("pg_ctl", "-D", str(pair.a.data), "-w", "-m", "fast", "stop")
        pair.b.promote()
        pair.follow(pair.a, pair.b)
        assert wait_until(lambda: account(casino, "Ben").result(10)).refused is None
        assert {"Ann", "Ben"} <= set(accounts(pair.b.url()))


# -- tables --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_all_five_games_play_on_through_two_failovers(pair: Pair):
    casino = open_casino(pair.url)
    furnish(casino)
    house = casino.house
    over = threading.Event()
    rounds = dict.fromkeys(TABLES, 0)
    strange: list[BaseException] = []

    def play(place: str, seed: int) -> None:
        guests = Guests(house, casino.dealer, place, seed)
        while not over.is_set():
            try:
                was = guests.table.playing()
                guests.step()
                rounds[place] += was and not guests.table.playing()
            except HouseError:
                time.sleep(0.02)  # not stored, or nobody knows; the table tells
            except BaseException as error:
                strange.append(error)
                return

    threads = [
        threading.Thread(target=play, args=(place, seed)) for seed, place in enumerate(TABLES)
    ]
    load = Load(casino, "Ann")
    for thread in (*threads, load):
        thread.start()

    def played(times: int) -> bool:
        return bool(strange) or all(rounds[p] >= before[p] + times for p in TABLES)

    try:
        for primary, standby in ((pair.a, pair.b), (pair.b, pair.a)):
            before = dict(rounds)
            wait_until(lambda: played(1), 60)
            primary.kill()
            time.sleep(0.5)  # somebody has to notice
            standby.promote()
            before = dict(rounds)
            wait_until(lambda: played(1), 60)
            pair.follow(primary, standby)
    finally:
        over.set()
        load.over.set()
        for thread in (*threads, load):
            thread.join(60)
    if strange:
        raise strange[0]
    assert not any(thread.is_alive() for thread in (*threads, load))
    wait_until(lambda: house.check_ownership() is None)
    taken = pair.a.ask("SELECT count(DISTINCT objid) FROM pg_locks WHERE locktype = 'advisory'")
    assert int(taken) >= len(TABLES), "each place is owned on the new primary"
    house.writer.flush()
    house.reread_stale()
    stands_as_its_log(house)
    found = accounts(pair.url)
    assert len(found) == len(set(found))
    assert set(load.acknowledged) <= set(found)
    assert verify(house.reader).difference is None
    casino.close()


# -- the address ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "hosts", "session"),
    [
        ("postgresql://h@a/x", ["postgresql://h@a/x"], "any"),
        ("postgresql://h:p@a,b/x", ["postgresql://h:p@a/x", "postgresql://h:p@b/x"], "read-write"),
        (
            "postgres://h@a:1,[::1]:2/x?sslmode=require&connect_timeout=3",
            ["postgres://h@a:1/x?sslmode=require", "postgres://h@[::1]:2/x?sslmode=require"],
            "read-write",
        ),
        ("postgresql://h@a,b/x?target_session_attrs=any", None, "any"),
        (
            "postgresql://h@/x?host=/run/a,/run/b&port=5,6",
            [
                "postgresql://h@/x?host=%2Frun%2Fa&port=5",
                "postgresql://h@/x?host=%2Frun%2Fb&port=6",
            ],
            "read-write",
        ),
    ],
)
def test_an_address_may_name_several_hosts(url: str, hosts: list[str] | None, session: str):
    read = read_address(url)
    assert read.session == session
    if hosts is not None:
        assert [host.url for host in read.hosts] == hosts


def test_the_time_to_connect_and_the_probes_are_read_by_libpqs_words():
    url = "postgresql://a/x?connect_timeout=3&keepalives_idle=7&tcp_user_timeout=4000&sslmode=allow"
    read = read_address(url)
    assert read.hosts[0].url == "postgresql://a/x?sslmode=allow"
    wanted = {"connect_timeout": 3, "keepalives_idle": 7, "tcp_user_timeout": 4000}
    assert wanted.items() <= read.numbers.items()
    assert read.numbers["keepalives_count"] == 3, "what is not said has a default"


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://h:geheim@a,/x", "no host before or after one of its commas"),
        ("postgresql://a/x?connect_timeout=soon", "connect_timeout is a whole number, not 'soon'"),
        ("postgresql://a/x?target_session_attrs=master", "target_session_attrs is one of any,"),
        ("postgresql:///x?host=a,b,c&port=1,2", "names 3 hosts and 2 ports"),
    ],
)
def test_what_is_wrong_in_an_address_is_named(url: str, says: str):
    with pytest.raises(BadUrl, match=says) as caught:
        PostgresDatabase(url)
    assert "geheim" not in str(caught.value)


def test_every_host_says_why_it_will_not_do():
    with pytest.raises(LostConnection) as caught:
        PostgresDatabase("postgresql://h:geheim@127.0.0.1:1,127.0.0.1:2/house")
    assert "127.0.0.1:1: " in str(caught.value)
    assert "127.0.0.1:2: " in str(caught.value)
    assert "geheim" not in str(caught.value)


@pytest.fixture
def over_tcp(postgres_server: str) -> str:
    """A way to the server of the tests that is not its socket file."""
    if "host=/" not in postgres_server.replace("%2F", "/"):
        pytest.skip("the server's address has another form")
    return postgres_server


def test_a_host_that_never_answers_holds_nobody_up(over_tcp: str):
    folder = over_tcp.partition("host=")[2].partition("&")[0]
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        url = over_tcp.replace(f"host={folder}", f"host=127.0.0.1,{folder}&port={port},5432")
        began = time.monotonic()
        database = PostgresDatabase(url)
        assert time.monotonic() - began < 4
        assert database.execute("SELECT 1") == [(1,)]
        database.close()


def test_while_a_lost_server_is_looked_for_nobody_waits_long(
    over_tcp: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(postgres, "PATIENCE_SECONDS", 0.1)
    database = PostgresDatabase(over_tcp)
    free = threading.Event()
    real = postgres._connected

    async def slowly(address: Any) -> Any:
        while not free.is_set():
            await asyncio.sleep(0.01)
        return await real(address)

    monkeypatch.setattr(postgres, "_connected", slowly)
    database._drop()
    began = time.monotonic()
    for _ in range(20):
        with pytest.raises(LostConnection, match="it is being tried"):
            database.begin()
    assert time.monotonic() - began < 1.0, "only the first one waits"
    free.set()
    wait_until(lambda: database.execute("SELECT 1") == [(1,)])
    free.clear()
    database._drop()
    with pytest.raises(LostConnection, match="it is being tried"):
        database.begin()
    began = time.monotonic()
    database.close()
    assert time.monotonic() - began < 2.0, "an attempt that is under way is ended"


def test_a_new_connection_forgets_what_was_remembered_of_the_old_server(postgres_url: str):
    """With a standby that need not confirm, a failover may lose the end of the log."""
    store = Store(PostgresDatabase(postgres_url))
    assert store.database.connections == 1
    store.database._drop()
    assert store.database.execute("SELECT 1") == [(1,)]
    assert store.database.connections == 2
    store.close()
