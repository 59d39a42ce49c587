"""The store on the embedded database."""

import os
import sqlite3

import pytest

from croupier.house.errors import Conflict, CorruptDatabase, DiskFull, StorageError
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from tests.house.contract import StoreContract, bundle, chain_is_whole, one, row
from tests.house.quick import as_it_is_at_work


class TestSqlite(StoreContract):
    @pytest.fixture
    def url(self, sqlite_url):
        return sqlite_url


@pytest.fixture
def path(tmp_path):
    return tmp_path / "house.db"


def test_every_commit_is_synced_in_full(path, monkeypatch):
    as_it_is_at_work(monkeypatch)
    database = SqliteDatabase(path)
    assert database.execute("PRAGMA synchronous") == [(2,)]
    assert database.execute("PRAGMA journal_mode") == [("wal",)]
    database.close()


@pytest.mark.parametrize("junk", [b"this is no database" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_a_file_that_is_no_database_is_named(tmp_path, junk):
    path = tmp_path / "photo.db"
    path.write_bytes(junk)
    with pytest.raises(CorruptDatabase, match=r"photo\.db is damaged or no database"):
        Store(SqliteDatabase(path))


def test_a_damaged_page_is_an_error_and_no_wrong_answer(path):
    store = Store(SqliteDatabase(path))
    store.append([bundle("c1", *(row("A", n, "c1", b"%d" % n * 500) for n in range(1, 400)))])
    store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 4)
        file.write(os.urandom(size // 2))
    with pytest.raises(CorruptDatabase, match="damaged"):  # noqa: PT012
        store = Store(SqliteDatabase(path))
        list(store.rows("A"))
    store.close()


def test_a_full_disk_loses_nothing_and_the_house_goes_on_when_there_is_room(path):
    store = Store(SqliteDatabase(path))
    [(pages,)] = store.database.execute("PRAGMA page_count")
    store.database.execute(f"PRAGMA max_page_count = {pages + 20}")
    stored = 0
    with pytest.raises(DiskFull, match="no room left to write"):  # noqa: PT012
        for n in range(1, 200):
            assert store.append([bundle(f"c{n}", row("A", n, f"c{n}", b"x" * 2000))]) == [None]
            stored = n
    assert stored > 5
    assert store.head("A").position == stored
    store.database.execute("PRAGMA max_page_count = 1000000")
    assert store.append([one("later", "A", stored + 1)]) == [None]
    assert chain_is_whole(store, "A")
    store.close()


def test_rows_behind_the_heads_are_damage_and_no_conflict(path):
    store = Store(SqliteDatabase(path))
    store.append([one("c1")])
    with sqlite3.connect(path) as behind_our_back:
        behind_our_back.execute("UPDATE heads SET position = 0")
    behind_our_back.close()
    with pytest.raises(CorruptDatabase, match="heads do not know"):
        store.append([one("c2")])
    store.close()


def test_a_column_of_another_type_is_damage(path):
    store = Store(SqliteDatabase(path))
    store.append([one("c1")])
    store.database.execute("UPDATE log SET event = 'text'")
    with pytest.raises(CorruptDatabase, match="event 1 of A"):
        list(store.rows("A"))
    store.close()


def test_a_writer_that_finds_the_file_locked_says_so(path, monkeypatch):
    monkeypatch.setattr("croupier.house.sqlite.BUSY_SECONDS", 0.05)
    store = Store(SqliteDatabase(path))
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another process has kept"):
            store.append([one("c1")])
        other.execute("ROLLBACK")
    other.close()
    assert store.append([one("c1")]) == [None]
    store.close()


def test_a_file_that_may_not_be_written_is_named(path):
    Store(SqliteDatabase(path)).close()
    store = Store(SqliteDatabase(path))
    store.database.execute("PRAGMA query_only = ON")
    with pytest.raises(StorageError, match="may not be written"):
        store.append([one("c1")])
    store.close()


def test_what_another_connection_has_written_is_read_again(path):
    """Heads and balances are remembered only as long as nobody else writes."""
    first, second = Store(SqliteDatabase(path)), Store(SqliteDatabase(path))
    assert first.append([one("c1")]) == [None]
    assert second.append([one("c2", "A", 2)]) == [None]
    [late] = first.append([one("c3", "A", 2)])
    assert isinstance(late, Conflict)
    assert first.append([one("c4", "A", 3)]) == [None]
    assert [row.command_id for row in second.rows("A")] == ["c1", "c2", "c4"]
    first.close()
    second.close()


def test_a_file_with_pages_of_another_size_is_used_as_it_is(path):
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; VACUUM;")
    connection.close()
    store = Store(SqliteDatabase(path))
    store.append([one("c1", "A", 1)])
    assert store.database.execute("PRAGMA page_size") == [(4096,)]
    assert [row.position for row in store.rows("A")] == [1]
    store.close()
