"""The table of servers: who is there, and that one that was given up gets no connection."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.house import migrations
from croupier.house.casino import Casino
from croupier.house.errors import DeclaredGone, HouseError, WrongSchema
from croupier.house.office import OFFICE
from croupier.house.office import commands as orders
from croupier.house.postgres import PostgresDatabase
from croupier.house.servers import ServerRecord, Servers, newest_schema
from croupier.house.shared_database import Session
from croupier.house.store import Store
from croupier.table import ActorRank
from tests.house.test_ledger import POKER


@pytest.fixture
def url(postgres_url: str) -> str:
    Store(PostgresDatabase(postgres_url)).close()
    return postgres_url


@pytest.fixture
def servers(url: str) -> Iterator[Servers]:
    made = Servers(PostgresDatabase(url), "croupier left 1")
    yield made
    made.close()


def record(name: str, session: str) -> ServerRecord:
    return ServerRecord(
        name=name, session=session, address="127.0.0.1:1", version="1", schema=newest_schema()
    )


def test_whoever_was_given_up_writes_nothing_over_any_connection(url: str, servers: Servers):
    casino = Casino.open(url, tables=[])
    session = Session("croupier right 1")
    house = casino.house
    for database in (house.store.database, house.reader.database, *house.ownership.databases):
        database.belong_to(session)
    servers.register(record("right", "croupier right 1"))
    assert casino.open_account("Ann").refused is None
    [right] = servers.all()
    assert right.connected
    assert servers.end("croupier right 1", "nobody has heard of it")
    assert not servers.end("croupier right 1", "again")
    servers.cut_off("croupier right 1")
    assert not servers.all()[0].connected
    given = house.give(OFFICE, orders.OpenAccount(player="Ben"), who="house", rank=ActorRank.HOUSE)
    with pytest.raises(HouseError):
        given.result()
    with pytest.raises(DeclaredGone, match="nobody has heard of it"):
        house.reader.head(OFFICE)
    servers.register(record("right", "croupier right 1"))  # it takes part again
    assert casino.open_account("Cho").refused is None
    assert casino.office.state.people.keys() == {"administrator", "Ann", "Cho"}
    casino.close()


def test_a_beat_counts_until_somebody_has_given_the_server_up(servers: Servers):
    servers.register(record("left", "croupier left 1"))
    assert servers.beat()
    servers.end("croupier left 1", "silent")
    assert not servers.beat()


def test_who_runs_what(servers: Servers):
    servers.register(record("left", "croupier left 1"))
    servers.note_running("left", {"A", "B"})
    assert servers.places() == {"A": "left", "B": "left"}
    servers.note_released("left", {"A"})
    servers.note_released("right", {"B"})
    assert servers.places() == {"A": "", "B": "left"}
    servers.end("croupier left 1", "silent")
    servers.register(record("left", "croupier left 2"))
    assert servers.places()["B"] == ""


def test_a_name_is_one_servers_at_a_time_and_whoever_had_it_before_writes_nothing(
    url: str, servers: Servers
):
    servers.register(record("left", "croupier left 1"))
    old = Session("croupier left 1")
    old.registered = True
    connection = PostgresDatabase(url)
    connection.belong_to(old)
    with pytest.raises(DeclaredGone, match="another server is called left"):
        servers.register(record("left", "croupier left 2"))
    servers.end("croupier left 1", "silent")
    servers.register(record("left", "croupier left 2"))  # as the one that follows it does
    connection.drop()  # the old one wakes up, and all its connections are gone
    with pytest.raises(DeclaredGone, match="another one has its name"):
        connection.execute("SELECT 1")
    with pytest.raises(DeclaredGone, match="another server is called left"):
        servers.register(record("left", "croupier left 1"))
    connection.close()


def test_no_schema_is_changed_under_a_server(
    url: str, servers: Servers, monkeypatch: pytest.MonkeyPatch
):
    """A rolling update needs the same schema; else the newer release says whom to stop."""
    other = PostgresDatabase(url)
    other.belong_to(Session("croupier left 1"))
    servers.register(record("left", "croupier left 1"))
    Store(PostgresDatabase(url)).close()  # the same schema: side by side
    known = migrations.migrations()
    newer = [*known, (known[-1][0] + 1, "CREATE TABLE more (x BIGINT)")]
    monkeypatch.setattr(migrations, "migrations", lambda: newer)
    with pytest.raises(WrongSchema, match=r"in use by left \(croupier 1, schema \d+\).*stop them"):
        Store(PostgresDatabase(url))
    other.close()
    servers.cut_off("croupier left 1")
    Store(PostgresDatabase(url)).close()


def test_a_table_that_another_server_runs_at_once_is_set_up_and_no_error(url: str):
    here, beside = Casino.open(url, tables=[]), Casino.open(url, tables=[])
    assert beside.house.ownership is not None
    beside.house.ownership.take("P")  # it was quicker
    added = orders.AddTable(table="P", rulebook="no-limit-holdem-v8", settings=POKER)
    assert here.add_table(added).refused is None
    assert here.house.tables() == {}
    assert "P" in here.office.state.places
    beside.catch_up_office()
    beside.take_on(["P"])
    beside.stop()
    here.stop()


def test_a_table_that_was_set_up_here_is_not_put_on_the_floor_twice(url: str):
    """It is on record before it is on the floor, and the thread that takes tables on may see it."""
    casino = Casino.open(url, tables=[])
    casino.add_table(orders.AddTable(table="P", rulebook="no-limit-holdem-v8", settings=POKER))
    table = casino.table("P")
    assert casino.take_on(["P"]) == []
    assert casino.table("P") is table
    casino.stop()
