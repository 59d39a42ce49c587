"""Storage in a process of its own on PostgreSQL: one more connection of the same server of the
House, which ends with it."""

import os
import random
import signal
import sys
import threading
import time
from contextlib import contextmanager

import psutil
import pytest

from croupier.house import postgres_hosts
from croupier.house.errors import Conflict, DeclaredGone, LostConnection
from croupier.house.postgres import PostgresDatabase
from croupier.house.servers import ServerRecord, Servers
from croupier.house.shared_database import Session
from croupier.house.storage_process import StorageProcess
from croupier.house.store import Store
from tests.house.contract import StoreContract, chain_is_whole, full_bundle, one
from tests.house.crash_child import Job
from tests.house.failover import Pair, wait_until
from tests.house.kills import Nursery, Remains
from tests.house.storage_model import Both

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")


@pytest.mark.slow
class TestContract(StoreContract):
    """The whole contract, each test with a process of its own."""

    @pytest.fixture
    def url(self, postgres_url):
        return postgres_url

    @pytest.fixture
    def store(self, url):
        made = StorageProcess(PostgresDatabase(url))
        yield made
        made.close()

    # Of the connection of this process.
    test_a_commit_that_was_lost_with_the_connection_never_happened = None


@pytest.fixture
def store(postgres_url):
    made = StorageProcess(PostgresDatabase(postgres_url))
    yield made
    made.close()


@pytest.fixture
def other(store):
    """Another server's connection."""
    made = PostgresDatabase(store.database.url)
    yield made
    made.close()


@contextmanager
def nobody_may_write(other):
    """Whoever stores waits meanwhile; by another connection, for in a transaction the server tells
    of connections as they were at its beginning."""
    database = other.again()
    with database.transaction():
        database.execute("SELECT events FROM length FOR UPDATE")
        yield
    database.close()


def backends(other):
    """Those that are connected, but for this one."""
    found = other.execute(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    return {pid for (pid,) in found}


def writers(store):
    return {pid for pid, _ in store.database.writers}


def append_meanwhile(store, bundles):
    """Have bundles stored by a thread; what it was told, once it was."""
    told = []
    thread = threading.Thread(target=lambda: told.append(store.append(bundles)))
    thread.start()
    return thread, told


def is_waiting(other, store):
    """Whether the other process waits for its turn to write."""
    sql = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return {pid for (pid,) in other.execute(sql)} & writers(store)


def test_it_stores_by_a_connection_of_its_own(store, other):
    assert store.append([full_bundle("c1", 1), one("c2", "B")]) == [None, None]
    assert writers(store) < backends(other)
    assert len(writers(store)) == 1
    assert chain_is_whole(store, "A")


def test_the_address_of_the_database_is_on_no_command_line(store):
    """It may have a password, and every user of the machine can read command lines."""
    line = psutil.Process(store.process_id).cmdline()
    assert not any("postgres" in part and "://" in part for part in line)
    assert store.database.url not in " ".join(line)


def test_when_the_house_closes_its_connection_is_gone(postgres_url):
    store = StorageProcess(PostgresDatabase(postgres_url))
    store.append([one("c1")])
    gone = writers(store)
    store.close()
    beside = PostgresDatabase(postgres_url)
    wait_until(lambda: not gone & backends(beside))
    beside.close()


def test_a_process_that_is_killed_is_replaced_and_its_connection_ended(store, other):
    store.append([one("c1")])
    before = writers(store)
    os.kill(store.process_id, signal.SIGKILL)
    assert store.append([one("c2", "A", 2)]) == [None]
    assert store.restarts == 1
    assert not before & backends(other)
    assert writers(store) <= backends(other)
    assert chain_is_whole(store, "A")


def test_what_a_killed_process_had_sent_is_stored_once_however_late_it_is_carried_out(store, other):
    """Its connection is ended before the log is asked: else the group could come after that."""
    store.append([one("c1")])
    with nobody_may_write(other):
        thread, told = append_meanwhile(store, [one("c2", "A", 2)])
        wait_until(lambda: is_waiting(other, store))
        before = writers(store)
        os.kill(store.process_id, signal.SIGKILL)
        wait_until(lambda: not before & backends(other))
    thread.join()
    assert told == [[None]]
    assert [each.command_id for each in store.rows("A")] == ["c1", "c2"]
    assert store.restarts == 1


def test_a_connection_that_the_server_ends_costs_nobody_anything(store, other):
    store.append([one("c1")])
    [lost] = store.database.writers
    wait_until(lambda: not other.end_connection(lost))  # one at work goes on, and is asked again
    assert store.append([one("c2", "A", 2)]) == [None]
    assert store.restarts == 0
    assert lost not in store.database.writers
    assert writers(store) < backends(other), "the new one was told, and the lost one is forgotten"
    assert chain_is_whole(store, "A")


def test_a_connection_that_was_lost_there_is_a_loss_here_too(store, other):
    """What is read here is confirmed anew, where a standby must confirm it."""
    store.append([one("c1")])
    before = store.database._doubt.times
    other.end_connection(store.database.writers[0])
    store.append([one("c2", "A", 2)])
    assert store.database._doubt.times == before + 1


def test_a_new_connection_of_a_process_that_is_killed_then_is_ended_too(store, other):
    """It was told, though the reply to the group never came."""
    store.append([one("c1")])
    [lost] = store.database.writers
    with nobody_may_write(other):
        other.end_connection(lost)
        thread, told = append_meanwhile(store, [one("c2", "A", 2)])
        wait_until(lambda: _waits(other))
        os.kill(store.process_id, signal.SIGKILL)
        time.sleep(0.05)
    thread.join()
    assert told == [[None]]
    assert [each.command_id for each in store.rows("A")] == ["c1", "c2"]


def _waits(other):
    sql = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return bool(other.execute(sql))


def test_where_the_old_connection_cannot_be_ended_nothing_is_stored_beside_it(store, monkeypatch):
    store.append([one("c1")])
    os.kill(store.process_id, signal.SIGKILL)
    with monkeypatch.context() as patch:
        patch.setattr("croupier.house.storage_process.END_SECONDS", 0.05)
        patch.setattr(store.database, "end_connection", lambda connection: True)
        for append in (store.append, store.append_here):
            with pytest.raises(Exception, match="does not end the connection"):
                append([one("c2", "A", 2, generations={"A": 1})])
    assert store.turned_away({"A": 1}) == {"A": 1}
    assert store.append([one("c2", "A", 2, generations={"A": 2})]) == [None]


def test_here_and_there_by_turns_is_one_log(store):
    for n in range(1, 21):
        append = store.append_here if n % 3 else store.append
        assert append([one(f"c{n}", "A", n)]) == [None]
        if n == 10:
            os.kill(store.process_id, signal.SIGKILL)
    assert chain_is_whole(store, "A")
    assert store.head("A").position == 20
    assert store.restarts == 1


def test_another_server_that_was_first_is_seen_by_both(store, other):
    rival = Store(other)
    for n in range(3):
        assert store.append([one(f"a{n}", "A", 3 * n + 1)]) == [None]
        assert rival.append([one(f"b{n}", "A", 3 * n + 2)]) == [None]
        assert store.append_here([one(f"c{n}", "A", 3 * n + 3)]) == [None]
    [late] = store.append([one("d", "A", 3)])
    assert isinstance(late, Conflict)
    assert chain_is_whole(store, "A")


# -- a standby, and an old primary ---------------------------------------------------------------


@pytest.fixture
def newer():
    """A newer timeline than that of the server of the tests, noted by this process alone."""
    seen = dict(postgres_hosts._newest)

    def note():
        postgres_hosts.note_timelines(dict.fromkeys(seen, 99))

    yield note
    postgres_hosts._newest.clear()
    postgres_hosts._newest.update(seen)


@pytest.mark.parametrize("killed", [False, True])
def test_an_old_primary_is_not_written_to_though_only_the_server_has_seen_the_new_one(
    store, newer, killed
):
    store.append([one("c1")])
    if killed:
        os.kill(store.process_id, signal.SIGKILL)
        store.database.end_connection = lambda connection: False  # there is a new primary for it
        store._by_keys = lambda *asked: iter(())
    newer()
    with pytest.raises(LostConnection, match="is an old primary, on timeline 1 where 99"):
        store.append([one("c2", "A", 2, generations={"A": 1})])
    assert store.turned_away({"A": 1}) == {"A": 1}


def test_what_the_other_process_has_seen_of_primaries_its_server_has_seen(store, newer):
    store.append([one("c1")])
    postgres_hosts._newest.clear()
    os.kill(store.process_id, signal.SIGKILL)
    store.append([one("c2", "A", 2)])
    assert postgres_hosts._newest != {}


@pytest.fixture
def pair():
    made = Pair()
    yield made
    made.close()


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells a server's processes")
def test_what_a_killed_process_was_committing_is_told_to_nobody_before_the_standby_has_it(
    pair, monkeypatch
):
    """To end a connection that waits for the standby would make its commit valid without it."""
    store = StorageProcess(PostgresDatabase(pair.url))
    store.append([one("c1")])
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    with monkeypatch.context() as patch:
        patch.setattr("croupier.house.storage_process.END_SECONDS", 1.0)
        pair.b.kill(signal.SIGSTOP)
        told = []
        thread = threading.Thread(target=lambda: told.append(_error(store, one("c2", "A", 2))))
        thread.start()
        wait_until(lambda: pair.a.ask(waits) == "1")
        os.kill(store.process_id, signal.SIGKILL)
        thread.join(20)
        assert isinstance(told[0], LostConnection), "nobody knows yet whether it is stored"
        assert pair.a.ask("SELECT count(*) FROM log", "house") == "1"
        with pytest.raises(LostConnection):
            store.append_here([one("c3", "B")])
    pair.b.kill(signal.SIGCONT)
    [late] = store.append([one("c2", "A", 2)])
    assert isinstance(late, Conflict), "it was stored as soon as the standby had it"
    assert [each.command_id for each in store.rows("A")] == ["c1", "c2"]
    assert store.append([one("c3", "A", 3)]) == [None]
    store.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells a server's processes")
def test_what_a_server_was_committing_that_is_ended_is_read_once_the_standby_has_it(
    pair, monkeypatch
):
    """Here its connection is ended at once, for its tables are to be run again."""
    store, beside = StorageProcess(PostgresDatabase(pair.url)), PostgresDatabase(pair.url)
    name = "croupier test 1"
    store.database.belong_to(Session(name))
    store.append([one("c1")])
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    with monkeypatch.context() as patch:
        patch.setattr("croupier.house.postgres.CONFIRM_SECONDS", 1.0)
        pair.b.kill(signal.SIGSTOP)
        thread = threading.Thread(target=lambda: _error(store, one("c2", "A", 2)))
        thread.start()
        wait_until(lambda: pair.a.ask(waits) == "1")
        Servers(beside, "croupier test 2").cut_off(name)
        with pytest.raises(LostConnection):
            beside.execute("SELECT command_id FROM log")
    pair.b.kill(signal.SIGCONT)
    thread.join(20)
    assert Store(beside).head("A").position == 2
    beside.close()
    store.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells a server's processes")
def test_a_stop_does_not_wait_twice_for_a_database_that_is_frozen(pair, monkeypatch):
    store = StorageProcess(PostgresDatabase(pair.url))
    store.append([one("c1")])
    monkeypatch.setattr("croupier.house.postgres.CLOSE_SECONDS", 0.5)  # in this process alone
    pair.a.kill(signal.SIGSTOP)
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 6


def _error(store, bundle):
    try:
        return store.append([bundle])
    except Exception as error:
        return error


# -- one server among several ------------------------------------------------------------


@pytest.fixture
def session(store):
    """The table of the servers, and the name of this one in it."""
    name = "croupier test 1"
    database = store.database.again()
    database.belong_to(Session(name, says_only=True))
    servers = Servers(database, name)
    servers.register(ServerRecord(name="A", session=name, address="", version="1", schema=1))
    mine = Session(name)
    store.database.belong_to(mine)
    mine.registered = True
    yield servers, name
    database.close()


def test_it_is_a_connection_of_the_same_server(store, other, session):
    store.append([one("c1")])
    names = other.execute("SELECT pid, application_name FROM pg_stat_activity")
    assert {name for pid, name in names if pid in writers(store)} == {session[1]}


def test_whoever_ends_the_server_ends_it_too_and_it_stores_nothing_more(store, other, session):
    store.append([one("c1")])
    before = writers(store)
    beside = Servers(other, "croupier test 2")
    assert beside.end(session[1], "it was gone")
    beside.cut_off(session[1])
    assert not before & backends(other)
    with pytest.raises(DeclaredGone, match="it was gone"):
        store.append([one("c2", "A", 2, generations={"A": 1})])
    assert store.turned_away({"A": 1}) == {"A": 1}
    rows = other.execute("SELECT command_id FROM log WHERE place = 'A'")
    assert rows == [("c1",)]


def test_one_that_was_started_under_an_ended_server_stores_nothing_either(store, other, session):
    beside = Servers(other, "croupier test 2")
    beside.end(session[1], "it was gone")
    os.kill(store.process_id, signal.SIGKILL)
    for n in (1, 2, 3):
        with pytest.raises(DeclaredGone):
            store.append([one(f"c{n}")])
    assert other.execute("SELECT 1 FROM log") == []


def test_what_it_stores_is_no_news_where_the_own_connection_is_none(store, other):
    reading, woken = store.database.again(), threading.Event()
    reading.listen(woken.set, but_not=store.database)
    store.append([one("c1")])
    wait_until(woken.is_set)
    woken.clear()
    other.end_connection(store.database.writers[0])
    for n in (2, 3):
        store.append([one(f"c{n}", "A", n)])
    time.sleep(0.1)
    assert not woken.is_set()
    Store(other).append([one("c4", "A", 4)])
    wait_until(woken.is_set)
    reading.close()


def test_another_server_is_heard_though_its_connection_has_the_number_of_one_that_was_lost(
    store, other
):
    """A database that was started anew numbers its connections anew."""
    reading, woken = store.database.again(), threading.Event()
    reading.listen(woken.set, but_not=store.database)
    wait_until(woken.is_set)
    woken.clear()
    store.database.writers = (other.connection_id(),)
    Store(other).append([one("c1")])
    wait_until(woken.is_set)
    store.database.writers = ()
    reading.close()


@pytest.mark.parametrize("quiet", [False, True])
def test_the_others_are_woken_if_it_concerns_them(store, other, quiet):
    woken, asked = threading.Event(), []
    other.listen(woken.set)
    wait_until(woken.is_set)
    woken.clear()

    def concerns(streams):
        asked.append(set(streams))
        return not quiet

    store.concerns_others = concerns
    store.append([one("c1", "A"), one("c2", "B")])
    time.sleep(0.1)
    assert woken.is_set() is not quiet
    assert asked == [{"A", "B"}]


# -- by chance ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
)
def test_whatever_is_stored_here_and_there_in_whatever_order_is_one_log(store, seed):
    both = Both(store, seed)
    for _ in range(80 if seed == 1 else 200):
        both.group()
        if both.chance.random() < 0.2:
            both.beside()
    both.compare()
    assert both.sent > 5
    assert both.cuts > 0
    assert store.restarts > 0


@pytest.fixture(scope="module")
def nursery():
    made = Nursery()
    yield made
    made.close()


@pytest.mark.slow
@pytest.mark.parametrize("boundary", ["before the copy", "after the answers", "at random"])
def test_a_house_that_is_killed_beside_it_keeps_what_it_acknowledged(
    nursery, postgres_url, tmp_path, boundary
):
    chance = random.Random(boundary)
    for life in (1, 2):
        at_a_step = {"boundary": boundary, "times": chance.randint(1, 12)}
        at_random = {"seconds": chance.uniform(0.01, 0.2)}
        how = at_random if boundary == "at random" else at_a_step
        job = Job(url=postgres_url, folder=str(tmp_path), life=life, apart=True, **how)
        assert nursery.live(job) == signal.SIGKILL
        Remains(postgres_url, tmp_path).check()
