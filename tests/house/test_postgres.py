"""The store on a real PostgreSQL server."""

import asyncio
import gc
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from croupier.house import postgres_loop
from croupier.house.errors import (
    Conflict,
    CorruptDatabase,
    DiskFull,
    LostConnection,
    OwnedElsewhere,
    StorageError,
    Unbalanced,
)
from croupier.house.house import House
from croupier.house.ownership import ownership_of
from croupier.house.postgres import SETTINGS, PostgresDatabase
from croupier.house.records import Bundle, Snapshot
from croupier.house.store import Store
from croupier.table import ActorRank, OpenTable
from tests.house.contract import (
    StoreContract,
    chain_is_whole,
    entry,
    full_bundle,
    moving,
    one,
    race,
)
from tests.house.failover import wait_until
from tests.pit.high_card import BOOK, HighCard, PlaceStake


class TestPostgres(StoreContract):
    @pytest.fixture
    def url(self, postgres_url):
        return postgres_url


@pytest.fixture
def store(postgres_url):
    made = Store(PostgresDatabase(postgres_url))
    yield made
    made.close()


@pytest.fixture
def other(store):
    """Another connection to the same database."""
    made = store.database.again()
    yield made
    made.close()


def end_connections(other: PostgresDatabase) -> int:
    """End all connections but this one, as a server that is stopped does; return how many."""
    ended = other.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    return len(ended)


# -- lost connections ---------------------------------------------------------------------------


def test_an_idle_connection_that_is_lost_costs_nobody_anything(store, other):
    assert store.append([full_bundle("c1", 1)]) == [None]
    end_connections(other)
    assert store.append([full_bundle("c2", 2)]) == [None]
    end_connections(other)
    assert store.head("A").position == 2
    assert chain_is_whole(store, "A")


@pytest.mark.parametrize("step", range(1, 4))
def test_a_connection_that_is_lost_within_a_group_stores_nothing(
    store, other, monkeypatch, step: int
):
    assert store.append([full_bundle("c1", 1)]) == [None]
    calls = 0

    def watched(real):
        def call(*args, **kwargs):
            nonlocal calls
            calls += 1
            if calls == step:
                end_connections(other)
            return real(*args, **kwargs)

        return call

    with monkeypatch.context() as patch:
        for name in ("execute", "insert_all", "commit"):
            patch.setattr(store.database, name, watched(getattr(store.database, name)))
        with pytest.raises(LostConnection):
            store.append([full_bundle("c2", 2)])
    assert calls >= step
    assert store.head("A").position == 1
    assert store.append([full_bundle("c2", 2)]) == [None]
    assert chain_is_whole(store, "A")


def open_house(url: str) -> House:
    house = House(Store(PostgresDatabase(url)), reader=Store(PostgresDatabase(url)))
    house.add_table("A", lambda: HighCard(BOOK))
    return house


def test_the_house_goes_on_after_lost_connections_and_has_lost_nothing(postgres_url, other):
    house = open_house(postgres_url)
    opening = OpenTable(table="A", settings={})
    house.give("A", opening, who="Dee", rank=ActorRank.DEALER).result()
    stop, ended = threading.Event(), []

    def saboteur() -> None:
        while not stop.wait(0.003):
            ended.append(end_connections(other))

    thread = threading.Thread(target=saboteur)
    thread.start()
    acknowledged = set()
    for box in range(1, 61):
        command = PlaceStake(box=box, player=f"P{box}", stake=1000)
        while box not in acknowledged:
            try:
                answer = house.give(
                    "A", command, who=f"P{box}", rank=ActorRank.PLAYER, command_id=f"c{box}"
                ).result()
                assert answer.refused is None
                acknowledged.add(box)
            except LostConnection:
                continue  # sent again under the same id, whether it was stored or not
    stop.set()
    thread.join()
    house.close()
    assert sum(ended) > 2
    later = open_house(postgres_url)
    assert set(later.pit.tables["A"].state.boxes) == acknowledged
    assert later.reader.head("A").position == 61
    assert chain_is_whole(later.reader, "A")
    for made in (house, later):
        made.close()
        made.store.close()
        made.reader.close()


def test_a_server_that_is_not_there_is_named_without_the_password():
    with pytest.raises(LostConnection) as caught:
        PostgresDatabase("postgresql://ann:geheim@127.0.0.1:1/house")
    assert "postgresql://ann:…@127.0.0.1:1/house cannot be reached" in str(caught.value)
    assert "geheim" not in str(caught.value)


def test_a_database_that_is_not_there_is_named(postgres_server):
    url = postgres_server.replace("/postgres?", "/nowhere?")
    if url == postgres_server:
        pytest.skip("the server's address has another form")
    with pytest.raises(StorageError, match=r'"nowhere" does not exist; make it with `createdb`'):
        PostgresDatabase(url)


def test_a_closed_database_says_so(postgres_url):
    database = PostgresDatabase(postgres_url)
    database.close()
    database.close()
    with pytest.raises(StorageError, match="closed"):
        database.execute("SELECT 1")


def test_a_connection_that_is_dropped_and_closed_at_once_leaves_no_socket_open(postgres_url):
    database = PostgresDatabase(postgres_url)
    database._loop.call(lambda: time.sleep(0.1))  # the loop then finds both in one turn
    database.drop()
    database.close()
    del database
    gc.collect()  # an open socket would be told as a warning, and fail this test


# -- errors of the server -----------------------------------------------------------------------


def failing(store: Store, table: str, code: str) -> None:
    """Let the server answer every insertion into a table with an error."""
    store.database.script(
        f"CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$BEGIN RAISE EXCEPTION 'as ordered' USING ERRCODE = '{code}'; END$$; "
        f"CREATE TRIGGER fail BEFORE INSERT ON {table} EXECUTE FUNCTION fail()"
    )


@pytest.mark.parametrize(
    ("table", "code", "error"),
    [
        ("orders", "53100", DiskFull),
        ("balances", "53100", DiskFull),
        ("openings", "XX001", CorruptDatabase),
        ("log", "XX002", CorruptDatabase),
        ("heads", "57P01", LostConnection),
        ("entries", "25006", StorageError),
        ("secrets", "55P03", StorageError),
        ("snapshots", "42501", StorageError),
    ],
)
def test_an_error_of_the_server_has_a_name_and_stores_nothing(store, table, code, error):
    assert store.append([full_bundle("c1", 1)]) == [None]
    failing(store, table, code)
    with pytest.raises(error) as caught:
        store.append([full_bundle("c2", 2)])
    assert type(caught.value) is error
    assert store.head("A").position == 1
    store.database.script(f"DROP TRIGGER fail ON {table}")
    assert store.append([full_bundle("c2", 2)]) == [None]
    assert chain_is_whole(store, "A")


def test_rows_behind_the_heads_are_damage_and_no_conflict(store):
    store.append([one("c1")])
    store.database.execute("UPDATE heads SET position = 0")
    store = Store(store.database)  # a start: nothing is remembered
    with pytest.raises(CorruptDatabase, match="heads do not know"):
        store.append([one("c2")])


def test_a_commit_that_the_server_turned_into_a_rollback_is_no_commit(store):
    database = store.database
    database.begin()
    with pytest.raises(StorageError):
        database.execute("SELECT 1 / 0")
    with pytest.raises(StorageError, match="rolled the transaction back"):
        database.commit()
    assert store.append([one("c1")]) == [None]


def test_a_writer_that_waits_too_long_for_another_says_so(store, other):
    other.begin()
    store.database.execute("SET lock_timeout = '50ms'")
    with pytest.raises(StorageError, match="another process has kept"):
        store.append([one("c1")])
    other.roll_back()
    assert store.append([one("c1")]) == [None]


def test_a_transaction_in_which_nobody_speaks_does_not_stop_the_others_for_ever(store, other):
    other.execute("SET idle_in_transaction_session_timeout = '50ms'")
    other.begin()
    assert store.append([one("c1")]) == [None]
    with pytest.raises(LostConnection):
        other.execute("SELECT 1")
    other.roll_back()
    assert other.execute("SELECT 1") == [(1,)]


def test_a_commit_waits_for_the_disk_whatever_the_server_has_been_told(store, other):
    assert store.database.execute("SELECT current_setting('synchronous_commit')") == [("on",)]
    [(name,)] = store.database.execute("SELECT current_database()")
    other.script(f"ALTER DATABASE {name} SET synchronous_commit = off")
    again = store.database.again()
    assert again.execute("SELECT current_setting('synchronous_commit')") == [("on",)]
    other.script(f"ALTER DATABASE {name} SET synchronous_commit = remote_apply")
    stronger = store.database.again()
    assert stronger.execute("SELECT current_setting('synchronous_commit')") == [("remote_apply",)]
    again.close()
    stronger.close()


# -- within a loop, and between processes -------------------------------------------------------


def test_it_can_be_used_from_within_a_running_event_loop(store):
    async def append() -> list:
        return store.append([one("c1")])

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, append()).result() == [None]


def test_whoever_listens_is_woken_once_for_each_group(store, other):
    woken: list[float] = []
    other.listen(lambda: woken.append(time.monotonic()))

    def wait_for(count: int) -> bool:
        end = time.monotonic() + 5
        while len(woken) < count and time.monotonic() < end:
            time.sleep(0.005)
        return len(woken) == count

    assert wait_for(1)  # on subscribing
    store.append([one(f"c{n}", f"table {n}") for n in range(5)])
    assert wait_for(2)
    store.append([moving("bad", 1, "player/Ann", "player/Bob", 1)])
    store.append([one("d1", "A")])
    assert wait_for(3)
    other._drop()
    other.execute("SELECT 1")
    assert wait_for(4)  # it may have missed something
    store.append([one("d2", "A", 2)])
    assert wait_for(5)


# -- ownership ----------------------------------------------------------------------------------


def test_a_table_is_run_by_one_process(store):
    ours, theirs = ownership_of(store.database), ownership_of(store.database)
    ours.take("A")
    ours.take("A")
    theirs.take("B")
    with pytest.raises(OwnedElsewhere, match=r"A is run by another process \(croupier .*\); stop"):
        theirs.take("A")
    ours.give_up("A")
    theirs.take("A")
    theirs.close()
    ours.take("A")
    ours.take("B")
    ours.close()


def test_ownership_that_was_lost_with_the_connection_is_taken_again(store, other):
    ours, theirs = ownership_of(store.database), ownership_of(store.database)
    ours.take("A")
    ours.take("B")
    end_connections(other)
    assert ours.check() == []
    with pytest.raises(OwnedElsewhere):
        theirs.take("A")
    end_connections(other)
    theirs.take("A")
    assert ours.check() == ["A"]
    with pytest.raises(OwnedElsewhere):
        theirs.take("B")
    ours.give_up("A")
    ours.close()
    theirs.close()


def test_a_lost_connection_that_the_server_keeps_is_nobody_elses(store, other):
    """The network has forgotten it, and the server was not told: it has the locks still."""
    ours, theirs = ownership_of(store.database), ownership_of(store.database)
    ours.take("A")
    ours.take("B")
    before = ours._database.connection_id()
    lost, ours._database._connection = ours._database._connection, None
    wait_until(lambda: ours.check() is not None)  # the server may take a moment to end it
    assert ours.check() == []
    assert ours._database.connection_id() != before
    assert not other.end_connection(before)
    with pytest.raises(OwnedElsewhere):
        theirs.take("A")
    wait_until(lost.is_closed)
    ours.close()
    theirs.close()


# -- a group in one step ------------------------------------------------------------------------


def going_well(store: Store) -> int:
    """A store that has written alone so far, and how many events are in log A."""
    for n in (1, 2, 3):
        assert store.append([full_bundle(f"well {n}", n)]) == [None]
    return 3


def steps_of(store: Store, monkeypatch) -> list[str]:
    """What the store asks of its database from now on."""
    asked: list[str] = []

    def watched(name: str):
        real = getattr(store.database, name)

        def call(*args, **kwargs):
            asked.append(name)
            return real(*args, **kwargs)

        return call

    for name in ("begin", "execute", "insert_all", "insert_if", "commit"):
        monkeypatch.setattr(store.database, name, watched(name))
    return asked


def test_whoever_writes_alone_needs_one_step(store, monkeypatch):
    last = going_well(store)
    asked = steps_of(store, monkeypatch)
    assert store.append([full_bundle("c1", last + 1), one("c2", "A", last + 2)]) == [None, None]
    assert asked == ["insert_if"]
    monkeypatch.undo()
    assert chain_is_whole(store, "A")
    assert store.database.execute("SELECT events FROM length") == [(last + 2,)]
    assert store.snapshot("A").position == last + 1


def test_whoever_was_not_alone_is_judged_again_and_then_writes_in_one_step_once_more(
    store, other, monkeypatch
):
    last = going_well(store)
    rival = Store(other)
    assert rival.append([one("r1", "B"), one("r2", "A", last + 1)]) == [None, None]
    asked = steps_of(store, monkeypatch)
    [late, fine] = store.append([one("c1", "A", last + 1), one("c2", "C")])
    assert isinstance(late, Conflict)
    assert fine is None
    assert asked[:2] == ["insert_if", "begin"] or asked[0] == "begin"
    for n in (2, 3, 4):
        asked.clear()
        assert store.append([one(f"d{n}", "C", n)]) == [None]
    assert asked == ["insert_if"]
    monkeypatch.undo()
    assert all(chain_is_whole(store, place) for place in "ABC")
    assert store.database.execute("SELECT events FROM length") == [(last + 6,)]


def test_money_that_another_process_took_is_not_there_twice(store, other):
    assert store.append([moving("in", 1, "cash", "player/Ann", 100)]) == [None]
    for n in (2, 3):
        assert store.append([one(f"c{n}", "A", n)]) == [None]
    rival = Store(other)
    taken = one("r1", "B", entries=(entry("player/Ann", -80, 1, "B"), entry("cash", 80, 1, "B")))
    assert rival.append([taken]) == [None]
    [refused] = store.append([moving("out", 4, "player/Ann", "cash", 30)])
    assert isinstance(refused, Unbalanced)
    assert store.balance("player/Ann") == 20


def test_a_command_that_was_carried_out_before_is_turned_away_alone_in_one_step(store):
    last = going_well(store)
    answers = store.append([one("c1", "B"), one("well 2", "A", last + 1), one("c2", "C")])
    assert [type(answer) for answer in answers] == [type(None), Conflict, type(None)]
    assert "stored already" in str(answers[1])
    assert store.head("A").position == last


@pytest.mark.parametrize("after", [False, True])
def test_a_step_whose_end_nobody_told_is_looked_for_in_the_log(store, monkeypatch, after: bool):
    last = going_well(store)
    real, times = store.database.insert_if, []

    def lost(*args, **how):
        times.append(1)
        if after:
            real(*args, **how)
        raise LostConnection("lost")

    with monkeypatch.context() as patch:
        patch.setattr(store.database, "insert_if", lost)
        assert store.append([full_bundle("c1", last + 1)]) == [None]
    assert times == [1]
    assert store.append([full_bundle("c2", last + 2)]) == [None]
    assert chain_is_whole(store, "A")
    assert store.balance("player/Ann") == (last + 2) * 100
    assert store.database.execute("SELECT events FROM length") == [(last + 2,)]


def test_a_connection_that_is_lost_before_the_one_step_costs_nobody_anything(store, other):
    last = going_well(store)
    end_connections(other)
    assert store.append([full_bundle("c1", last + 1)]) == [None]
    assert store.head("A").position == last + 1
    assert chain_is_whole(store, "A")


def test_a_step_that_never_came_is_not_taken_for_stored_by_an_id_that_was_carried_out_before(
    store, monkeypatch
):
    last = going_well(store)
    for n in (1, 2):
        assert store.append([one(f"b{n}", "B", n)]) == [None]

    def lost(*args, **how):
        raise LostConnection("lost")

    with monkeypatch.context() as patch:
        patch.setattr(store.database, "insert_if", lost)
        [again, fine] = store.append([one("well 2", "A", last + 1), one("b3", "B", 3)])
    assert isinstance(again, Conflict)
    assert "stored already" in str(again)
    assert fine is None
    assert (store.head("A").position, store.head("B").position) == (last, 3)
    assert store.recall("b3")[0]


def test_a_command_without_events_is_not_taken_for_stored_either(store, monkeypatch):
    going_well(store)
    asked = steps_of(store, monkeypatch)
    assert store.append([Bundle(command_id="c1", expected={}, rows=[])]) == [None]
    assert "insert_if" not in asked
    [again] = store.append([Bundle(command_id="c1", expected={}, rows=[])])
    assert isinstance(again, Conflict)


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_writers_see_each_other_whatever_isolation_the_server_has_been_told(
    postgres_url, level: str
):
    database = PostgresDatabase(postgres_url)
    [(name,)] = database.execute("SELECT current_database()")
    database.script(f"ALTER DATABASE {name} SET default_transaction_isolation = '{level}'")
    database.close()
    store = Store(PostgresDatabase(postgres_url))
    won: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda name=name: won.append(race(postgres_url, name, 12)))
        for name in ("x", "y", "z")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(len, won)) == [12, 12, 12]
    assert store.head("A").position == 36
    store.close()


def test_a_lock_that_is_not_to_be_had_after_a_lost_connection_leaves_nothing_open(
    store, other, monkeypatch
):
    monkeypatch.setitem(SETTINGS, "lock_timeout", "50ms")
    real, times = store.database._begin, iter([1])

    def lost_once() -> None:
        if next(times, None):
            store.database._drop()
            raise LostConnection("lost")
        real()

    monkeypatch.setattr(store.database, "_begin", lost_once)
    other.begin()
    with pytest.raises(StorageError, match="another process has kept"):
        store.append([one("c1")])
    other.roll_back()
    assert store.append([one("c1")]) == [None]


def test_two_that_keep_states_of_the_same_places_do_not_wait_for_each_other(store, other):
    def states(*places: str) -> list[Snapshot]:
        return [Snapshot(stream=place, position=1, state=b"{}") for place in places]

    store.save_snapshots(states("A", "B"))
    other.script("BEGIN; UPDATE snapshots SET position = 2 WHERE place = 'A'")
    thread = threading.Thread(target=store.save_snapshots, args=(states("B", "A"),))
    thread.start()
    end = time.monotonic() + 5
    while time.monotonic() < end and not other.execute(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        "AND datname = current_database()"
    ):
        time.sleep(0.01)
    other.script("UPDATE snapshots SET position = 2 WHERE place = 'B'; COMMIT")
    thread.join(10)
    assert not thread.is_alive()
    assert [store.snapshot(place).position for place in "AB"] == [1, 1]


def test_the_interpreter_is_had_soon_by_whoever_speaks_with_the_server():
    before = sys.getswitchinterval()
    try:
        for usual, then in ((0.005, postgres_loop.SWITCH_SECONDS), (0.0002, 0.0002)):
            sys.setswitchinterval(usual)
            postgres_loop.Loop().close()
            assert sys.getswitchinterval() == pytest.approx(then, rel=0.01)
    finally:
        sys.setswitchinterval(before)
