"""Whatever is changed in what is stored, an audit says what: every column of every table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from croupier.house.audit import Difference, verify
from croupier.house.audit.export import OpenRounds, export, read_into
from croupier.house.audit.withheld import unplayed
from croupier.house.copy_reading import files
from croupier.house.database import Database
from croupier.house.errors import CorruptDatabase, CutTail
from croupier.house.school import SchoolBook
from croupier.house.seals.kept import keep_mark
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.making import seal_now
from croupier.house.seals.records import signed_back
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.evening import begin_a_round, evening, open_casino
from tests.school.entries import some_entries

KEYS = {
    "log": ("place", "position"),
    "heads": ("place",),
    "length": ("log",),
    "orders": ("command_id",),
    "refused": ("number",),
    "entries": ("place", "position", "account"),
    "balances": ("account",),
    "snapshots": ("place",),
    "secrets": ("name", "kind"),
    "openings": ("shuffle",),
    "copies": ("copy",),
    "seals": ("number",),
    "seal_witnesses": ("number", "key"),
    "croupier_schema": ("version",),
    "archives": ("number",),
    "archived_ids": ("id",),
    "carried": ("account",),
    "school": ("number",),
}
"""How a row of each table is found."""
OF_THE_MOMENT = {"servers", "server_places"}
"""Which servers are there now and what they run: no part of the record, and gone with them."""


class Night:
    """The stored evening of one kind of database: spoiled and mended by each test."""

    def __init__(self, url: str, copy: Path) -> None:
        self.url = url
        self.copy = copy
        self.database: Database = open_database(url)
        self.store = Store(self.database)

    def audit(self) -> Difference | None:
        return verify(self.store, self.copy, limit=1).difference

    def columns(self, table: str) -> dict[str, str]:
        """The columns of a table as the database has them, with their types."""
        if isinstance(self.database, SqliteDatabase):
            found = self.database.execute(f"PRAGMA table_info({table})")
            return {name: kind for _, name, kind, *_ in found}
        sql = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = ?"
        return dict(self.database.execute(sql, (table,)))

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        columns = list(self.columns(table))
        order = ", ".join(KEYS[table])
        return self.database.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")

    def write(self, table: str, row: dict[str, Any], column: str, value: Any) -> None:
        """Change one column of one row, behind croupier's back."""
        found = " AND ".join(f"{key} = ?" for key in KEYS[table])
        values = (value, *(row[key] for key in KEYS[table]))
        with self.database.transaction():
            self.database.execute(f"UPDATE {table} SET {column} = ? WHERE {found}", values)


@pytest.fixture(scope="module")
def sqlite_night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    folder = tmp_path_factory.mktemp("night")
    url, copy = f"sqlite:///{folder}/house.db", folder / "copy"
    evening(url, copy, rounds=1)
    night = Night(url, copy)
    yield night
    night.store.close()


@pytest.fixture(scope="module")
def postgres_night(
    postgres_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Night]:
    from croupier.house.postgres import PostgresDatabase
    from tests.house.conftest import named

    server = PostgresDatabase(postgres_server)
    server.script("CREATE DATABASE croupier_night")
    url, copy = named(postgres_server, "croupier_night"), tmp_path_factory.mktemp("copy")
    evening(url, copy, rounds=1)
    night = Night(url, copy)
    yield night
    night.store.close()
    server.script("DROP DATABASE croupier_night WITH (FORCE)")
    server.close()


@pytest.fixture(params=["sqlite", "postgres"])
def night(request: pytest.FixtureRequest) -> Night:
    found: Night = request.getfixturevalue(f"{request.param}_night")
    return found


def other(value: Any) -> Any:
    """The value with one byte changed."""
    match value:
        case int():
            return value ^ (1 << 20)
        case str():
            return value[:-1] + ("x" if value[-1:] != "x" else "y")
        case None | b"":
            return b"x"
        case bytes():
            middle = len(value) // 2
            return value[:middle] + bytes([value[middle] ^ 1]) + value[middle + 1 :]
        case _:
            raise AssertionError(f"a column of an unknown kind: {value!r}")


def test_an_evening_as_it_was_stored_has_no_difference(night: Night):
    found = verify(night.store, night.copy)
    assert found.difference is None
    assert found.events == found.copied > 200
    assert found.entries > 100
    assert sum(night.store.balances().values()) == 0


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_one_changed_value_in_any_column_of_any_table_is_named(sqlite_night: Night, every: int):
    """Of every table the first column and each third after it; in the slow set every column, in
    three rows."""
    spoil_every_table(sqlite_night, 3 if every == 1 else 1, every)


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_so_is_one_on_a_server(postgres_night: Night, every: int):
    """Of every table the last column and each eighth before it; in the slow set every column, in
    three rows."""
    spoil_every_table(postgres_night, 3 if every == 1 else 1, -every)


def spoil_every_table(night: Night, rows: int, every: int = 1) -> None:
    key = SigningKey(bytes(32))
    seal = seal_now(night.store, key, "order", datetime(2026, 11, 17, tzinfo=UTC))
    assert seal is not None
    assert keep_mark(night.store, signed_back(seal, 1, "Ruth", "2026-11-17T00:10:00Z", key))
    SchoolBook(night.store).append(some_entries("Ann"))
    try:
        change_every_column(night, rows, every)
    finally:
        for table in ("seals", "seal_witnesses", "school"):
            night.database.execute(f"DELETE FROM {table}")


def change_every_column(night: Night, count: int, every: int) -> None:
    """Change each column of each table, or every so-and-so-manyth (from the last one on, where it
    is negative), in one row or in three: the first, one in the middle and the last, of which one
    column has the first, the next one the next."""
    tables = night.database.tables()
    assert tables == KEYS.keys() | OF_THE_MOMENT, "a table that no test spoils"
    for table in sorted(KEYS):
        columns = list(night.columns(table))
        rows = night.rows(table)
        if table in ("archives", "archived_ids", "carried"):
            assert not rows, "they are spoiled in test_archive.py"
            continue
        assert rows, f"{table} is empty: nothing was tested"
        places = (0, len(rows) // 2, len(rows) - 1)
        for number, column in list(enumerate(columns))[::every]:
            for index in {places[(number + more) % 3] for more in range(count)}:
                row = dict(zip(columns, rows[index], strict=True))
                changed = other(row[column])
                night.write(table, row, column, changed)
                found = night.audit()
                assert found is not None, f"{table}.{column} was changed unnoticed: {row}"
                assert table in (found.table, *blamed(found)), f"{table}.{column}: {found}"
                spoiled = row | {column: changed}
                night.write(table, spoiled, column, row[column])
    assert night.audit() is None


def blamed(found: Difference) -> tuple[str, ...]:
    """Tables that one difference speaks for: an order and its events are held to each other, and
    a command or a shuffle that is called otherwise is missed where it is asked for."""
    match found.table:
        case "log":
            return ("openings", "orders")
        case "orders":
            return ("log",)
        case "seals":
            return ("seal_witnesses",)
        case _:
            return ()


def test_a_changed_line_of_the_copy_is_named(sqlite_night: Night, tmp_path: Path):
    copy = tmp_path / "copy"
    shutil.copytree(sqlite_night.copy, copy)
    file = files(copy)[0]
    text = file.read_bytes()
    lines = text.splitlines(keepends=True)
    parts = (b'"who":"', b'"rank":"', b'"at":"', b'"digest":"', b'"event":{', b'"command_id":"')
    middle = range(len(lines) // 2, len(lines))
    where = next(n for n in middle if all(part in lines[n] for part in parts))
    for part in parts:
        line = lines[where]
        at = line.index(part) + len(part)
        if part == b'"event":{':
            at = line.index(b'"', at) + 1
        spoiled = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
        file.write_bytes(b"".join((*lines[:where], spoiled, *lines[where + 1 :])))
        found = verify(sqlite_night.store, copy).difference
        assert found is not None, part
        assert found.table == "copy"
    file.write_bytes(b"".join(lines[:-3]))
    found = verify(sqlite_night.store, copy).difference
    assert found is not None
    assert "lacks event" in found.says


def test_a_tail_that_was_cut_off_with_everything_that_belongs_to_it(night: Night):
    """Whoever cuts the log of a place and mends heads, entries, balances and orders is found by
    the numbers of the orders that other places had since, and by the copy; and the next start
    refuses to go on."""
    place = "P8"
    execute = night.database.execute
    [(command_id,)] = execute(
        "SELECT command_id FROM log WHERE place = ? ORDER BY position DESC LIMIT 1", (place,)
    )
    [(last,)] = execute("SELECT MIN(position) FROM log WHERE command_id = ?", (command_id,))
    saved = {table: night.rows(table) for table in KEYS}
    with night.database.transaction():
        moved = execute(
            "SELECT account, amount FROM entries WHERE place = ? AND position >= ?", (place, last)
        )
        for account, amount in moved:
            execute(
                "UPDATE balances SET balance = balance - ? WHERE account = ?", (amount, account)
            )
        cut_off = "SELECT COUNT(*) FROM log WHERE place = ? AND position >= ?"
        [(lost,)] = execute(cut_off, (place, last))
        execute("UPDATE length SET events = events - ?", (lost,))
        for table in ("entries", "log", "snapshots"):
            execute(f"DELETE FROM {table} WHERE place = ? AND position >= ?", (place, last))
        execute("DELETE FROM orders WHERE command_id = ?", (command_id,))
        [(digest,)] = execute(
            "SELECT digest FROM log WHERE place = ? AND position = ?", (place, last - 1)
        )
        cut = (last - 1, digest, place)
        execute("UPDATE heads SET position = ?, digest = ? WHERE place = ?", cut)
    without_copy = verify(night.store).differences
    assert [(each.table, each.column) for each in without_copy] == [("orders", "number")]
    by_copy = verify(night.store, night.copy).differences[1:]
    assert {each.table for each in by_copy} == {"copy"}
    assert "an order that the database lacks" in by_copy[0].says
    assert f"{place} at {last}" in by_copy[1].where
    assert "cut off" in by_copy[1].says
    with pytest.raises(CutTail):
        open_casino(night.url, night.copy)
    mend(night, saved)
    assert night.audit() is None


def mend(night: Night, saved: dict[str, list[tuple[Any, ...]]]) -> None:
    with night.database.transaction():
        for table, rows in saved.items():
            night.database.execute(f"DELETE FROM {table}")
            if rows:
                night.database.insert(table, tuple(night.columns(table)), rows)


def test_a_tail_cut_off_carelessly_is_named_without_the_copy(night: Night):
    saved = {table: night.rows(table) for table in KEYS}
    with night.database.transaction():
        night.database.execute("DELETE FROM log WHERE place = ? AND position > ?", ("M2", 20))
    found = verify(night.store).difference
    assert found is not None
    assert "M2" in found.where
    mend(night, saved)
    assert verify(night.store).difference is None


# -- the export -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["night.jsonl", "night.jsonl.gz"])
def test_an_export_is_verified_offline(sqlite_night: Night, tmp_path: Path, name: str):
    file = tmp_path / name
    export(sqlite_night.store, file)
    again = read_into(file, SqliteDatabase(tmp_path / "again.db"))
    found = verify(again, exported=True)
    assert found.difference is None
    assert found.heads == verify(sqlite_night.store).heads
    secret = sqlite_night.store.secret("Ann", "password")
    assert secret is not None
    assert secret.encode() not in file.read_bytes()
    again.close()


def test_an_export_that_was_changed_or_cut_off_is_no_export(sqlite_night: Night, tmp_path: Path):
    file = tmp_path / "night.jsonl"
    export(sqlite_night.store, file)
    lines = file.read_bytes().splitlines(keepends=True)
    spoiled = {
        "was cut off": lines[:-1],
        "was changed": [*lines[:5], lines[5].replace(b'"who":"', b'"who":"x'), *lines[6:]],
        "more after the end": [*lines, lines[-2]],
        "lines do not have the digest": [*lines[:2], b"{nonsense}\n", *lines[3:]],
        "no audit export": lines[1:],
    }
    for number, (says, changed) in enumerate(spoiled.items()):
        file.write_bytes(b"".join(changed))
        with pytest.raises(CorruptDatabase, match=says):
            read_into(file, SqliteDatabase(tmp_path / f"{number}.db"))


def test_cards_that_are_still_to_be_played_are_not_exported_unasked(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/house.db"
    evening(url, tmp_path / "copy", rounds=1)
    casino = open_casino(url, tmp_path / "copy", seed=3)
    begin_a_round(casino, "V6")
    casino.stop()
    store = Store(open_database(url))
    assert unplayed(store).begun == ["V6"]
    with pytest.raises(OpenRounds, match="V6"):
        export(store, tmp_path / "night.jsonl")
    assert not (tmp_path / "night.jsonl").exists()
    assert export(store, tmp_path / "night.jsonl", with_open_rounds=True) > 100
    store.close()
