"""The store keeps what it was given, in order, once, chained, or says why not."""

import hashlib
import sqlite3

import pytest

from croupier.house.chain import START, digest
from croupier.house.errors import Conflict, CorruptDatabase, Unbalanced, WrongSchema
from croupier.house.migrations import migrations
from croupier.house.records import Bundle, Entry, Row, Snapshot
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store


@pytest.fixture
def store(tmp_path):
    made = Store(SqliteDatabase(tmp_path / "house.db"))
    yield made
    made.close()


def row(place: str, position: int, command_id: str, event: bytes = b'{"event":"x"}') -> Row:
    return Row(
        place=place,
        position=position,
        command_id=command_id,
        who="Ann",
        rank="player",
        at="2024-08-01T20:00:00+08:00",
        event=event,
    )


def bundle(command_id: str, *rows: Row, entries: tuple[Entry, ...] = ()) -> Bundle:
    expected: dict[str, int] = {}
    for each in rows:
        expected.setdefault(each.place, each.position - 1)
    return Bundle(command_id=command_id, expected=expected, rows=list(rows), entries=list(entries))


def entry(account: str, amount: int, position: int = 1) -> Entry:
    return Entry(place="A", position=position, account=account, amount=amount)


def test_rows_come_back_as_they_were_given_and_chained(store):
    assert store.append([bundle("c1", row("A", 1, "c1"), row("A", 2, "c1"))]) == [None]
    first, second = store.rows("A")
    assert (first.position, second.position) == (1, 2)
    assert first.digest == digest(START, first)
    assert second.digest == digest(first.digest, second)
    assert store.head("A").digest == second.digest
    assert [r.position for r in store.rows("A", after=1)] == [2]


def test_the_digest_is_what_the_page_says():
    text = "A\n1\nc1\nAnn\nplayer\n2024-08-01T20:00:00+08:00\n\n"
    expected = hashlib.sha256(bytes(32) + text.encode() + b'{"event":"x"}').digest()
    assert digest(START, row("A", 1, "c1")) == expected


def test_of_two_writers_only_the_first_wins(store):
    assert store.append([bundle("c1", row("A", 1, "c1"))]) == [None]
    [late] = store.append([bundle("c2", row("A", 1, "c2"))])
    assert isinstance(late, Conflict)
    assert [r.command_id for r in store.rows("A")] == ["c1"]


def test_a_bundle_that_comes_too_late_does_not_stop_the_others(store):
    store.append([bundle("c1", row("A", 1, "c1"))])
    late, fine = store.append(
        [bundle("c2", row("A", 1, "c2"), row("L", 1, "c2")), bundle("c3", row("B", 1, "c3"))]
    )
    assert isinstance(late, Conflict)
    assert fine is None
    assert store.places() == ["A", "B"]


def test_two_commands_of_one_group_follow_each_other_in_one_log(store):
    group = [bundle("c1", row("A", 1, "c1")), bundle("c2", row("A", 2, "c2"))]
    assert store.append(group) == [None, None]
    first, second = store.rows("A")
    assert second.digest == digest(first.digest, second)


def test_a_command_is_stored_once(store):
    store.append([bundle("c1", row("A", 1, "c1"))])
    [again] = store.append([bundle("c1", row("A", 2, "c1"))])
    assert isinstance(again, Conflict)
    assert store.remembers("c1")
    assert not store.remembers("c2")
    assert [r.position for r in store.answer_of("c1")] == [1]


def test_entries_balance_and_move_the_balances(store):
    moved = (entry("cash", -500), entry("table/A/stake/1", 500))
    assert store.append([bundle("c1", row("A", 1, "c1"), entries=moved)]) == [None]
    assert store.balances() == {"cash": -500, "table/A/stake/1": 500}
    wrong = bundle("c2", row("A", 2, "c2"), entries=(entry("player/Ann", 1, 2),))
    [refused] = store.append([wrong])
    assert isinstance(refused, Unbalanced)
    assert store.balances() == {"cash": -500, "table/A/stake/1": 500}


def test_the_newest_snapshot_is_kept(store):
    assert store.snapshot("A") is None
    for position in (5, 9):
        store.save_snapshot(Snapshot(place="A", position=position, state=b"{}"))
    assert store.snapshot("A").position == 9


def test_a_database_of_the_future_or_of_somebody_else_is_refused(tmp_path):
    database = SqliteDatabase(tmp_path / "future.db")
    Store(database)
    database.execute("UPDATE croupier_schema SET version = 999")
    with pytest.raises(WrongSchema, match="schema 999, newer than"):
        Store(database)
    others = SqliteDatabase(tmp_path / "others.db")
    others.execute("CREATE TABLE log (line TEXT)")
    with pytest.raises(WrongSchema, match="somebody else"):
        Store(others)


def test_migrations_are_numbered_without_gaps():
    numbers = [number for number, _ in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "photo.db"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(CorruptDatabase, match=r"photo\.db is damaged or no database"):
        Store(SqliteDatabase(path))


def test_every_commit_is_synced_in_full(tmp_path):
    database = SqliteDatabase(tmp_path / "house.db")
    assert database.execute("PRAGMA synchronous") == [(2,)]
    assert database.execute("PRAGMA journal_mode") == [("wal",)]


def test_what_one_connection_stored_another_reads(tmp_path):
    path = tmp_path / "house.db"
    writer = Store(SqliteDatabase(path))
    writer.append([bundle("c1", row("A", 1, "c1"))])
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM log").fetchone() == (1,)
