"""A database comes back from the copy of its log, on both databases, and nothing is lost."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import croupier
from croupier.house.audit import verify
from croupier.house.copy import files
from croupier.house.database import Database
from croupier.house.errors import CutTail, OwnedElsewhere
from croupier.house.office import Office
from croupier.house.office.record_events import DatabaseRestored
from croupier.house.postgres import PostgresDatabase
from croupier.house.restore import COLUMNS, NotRestored, Restored, restore
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.house.vault import beside
from tests.house.conftest import named
from tests.house.evening import evening, open_casino

ENV = {"CROUPIER_PASSWORD": "the first password"}
WHO = ("--as", "administrator", "--reason", "the disk was damaged")


class Night:
    """An evening that was stored, with its copy, on either database."""

    def __init__(self, url: str, copy: Path) -> None:
        self.url = url
        self.copy = copy

    def open(self) -> Database:
        return open_database(self.url)

    def tables(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored, but for how far the copies go."""
        database = self.open()
        found = {
            table: sorted(database.execute(f"SELECT {', '.join(columns)} FROM {table}"), key=str)
            for table, columns in COLUMNS.items()
            if table != "copies"
        }
        found["length"] = database.execute("SELECT log, events FROM length")
        database.close()
        return found

    def run(self, *words: str) -> Result:
        told = ["audit", "restore", self.url, "--copy", str(self.copy), *WHO, *words]
        return CliRunner().invoke(croupier, told, env=ENV)

    def differences(self) -> list[str]:
        store = Store(self.open())
        found = verify(store, self.copy).differences
        store.close()
        return [str(each) for each in found]


@pytest.fixture(scope="module")
def sqlite_evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening")
    evening(f"sqlite:///{folder}/house.db", rounds=1)
    return folder


@pytest.fixture(scope="module")
def postgres_evening(
    postgres_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    server = PostgresDatabase(postgres_server)
    server.script("CREATE DATABASE croupier_evening")
    copy = tmp_path_factory.mktemp("evening") / "copy"
    evening(named(postgres_server, "croupier_evening"), copy, rounds=1)
    yield "croupier_evening", copy
    server.script("DROP DATABASE croupier_evening WITH (FORCE)")
    server.close()


@pytest.fixture
def sqlite_night(sqlite_evening: Path, tmp_path: Path) -> Night:
    shutil.copytree(sqlite_evening, tmp_path, dirs_exist_ok=True)
    return Night(f"sqlite:///{tmp_path}/house.db", tmp_path / "house.db.copy")


@pytest.fixture
def postgres_night(
    postgres_server: str, postgres_evening: tuple[str, Path], tmp_path: Path
) -> Iterator[Night]:
    template, copy = postgres_evening
    server = PostgresDatabase(postgres_server)
    server.script(f"CREATE DATABASE croupier_restored TEMPLATE {template}")
    shutil.copytree(copy, tmp_path / "copy")
    yield Night(named(postgres_server, "croupier_restored"), tmp_path / "copy")
    server.script("DROP DATABASE croupier_restored WITH (FORCE)")
    server.close()


@pytest.fixture(params=["sqlite", "postgres"])
def night(request: pytest.FixtureRequest) -> Night:
    found: Night = request.getfixturevalue(f"{request.param}_night")
    return found


def cut(night: Night, place: str, after: int) -> None:
    """Cut the tail of a log off, with its head, its entries and its orders."""
    database = night.open()
    with database.transaction():
        execute = database.execute
        ids = [
            command_id
            for (command_id,) in execute(
                "SELECT DISTINCT command_id FROM log WHERE place = ? AND position > ?",
                (place, after),
            )
        ]
        for table in ("log", "entries", "snapshots"):
            execute(f"DELETE FROM {table} WHERE place = ? AND position > ?", (place, after))
        for command_id in ids:
            execute("DELETE FROM orders WHERE command_id = ?", (command_id,))
        [(last,)] = execute(
            "SELECT digest FROM log WHERE place = ? AND position = ?", (place, after)
        )
        execute("UPDATE heads SET position = ?, digest = ? WHERE place = ?", (after, last, place))
        execute("UPDATE length SET events = (SELECT COUNT(*) FROM log)")
    database.close()


def test_a_cut_tail_comes_back_and_is_on_record(night: Night):
    before = night.tables()
    cut(night, "P8", 20)
    with pytest.raises(CutTail, match="croupier audit restore"):
        open_casino(night.url, night.copy)
    told = night.run()
    assert told.exit_code == 0, told.output
    lost = sum(1 for row in before["log"] if row[0] == "P8" and row[1] > 20)
    assert f"P8: {lost + 20:,} events; {lost:,} were missing in the database\n" in told.output
    assert "The old database is kept as" in told.output
    after = night.tables()
    for table in ("heads", "balances", "length"):  # the restore itself is on record
        before.pop(table), after.pop(table)
    for table, rows in before.items():
        assert set(rows) <= set(after[table]), table
    assert night.differences() == []
    events = [Office.read_event(row[6]) for row in after["log"] if row[0] == "office"]
    [noted] = [event for event in events if isinstance(event, DatabaseRestored)]
    assert (noted.reason, noted.lost, noted.kept) == ("the disk was damaged", {}, {})
    casino = open_casino(night.url, night.copy, seed=3)
    casino.stop()
    assert night.differences() == []


def test_a_lost_database_comes_back_byte_for_byte(night: Night, postgres_server: str):
    before = night.tables()
    before.pop("refused")  # only the database has those
    if night.url.startswith("sqlite"):
        Path(night.url.removeprefix("sqlite:///")).unlink()
    else:
        server = PostgresDatabase(postgres_server)
        server.script("DROP DATABASE croupier_restored WITH (FORCE)")
        server.script("CREATE DATABASE croupier_restored")
        server.close()
    found = restore(night.url, night.copy)
    assert (found.aside, found.unreadable) == ("", "")
    after = night.tables()
    assert after.pop("refused") == []
    assert after == before
    assert night.differences() == []


def test_what_the_copy_lacks_is_taken_from_the_database(night: Night):
    """The copy is written after the database: its last events may be there alone."""
    before = night.tables()
    file = files(night.copy)[-1]
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-8]))
    found = restore(night.url, night.copy)
    assert sum(found.by_place("kept").values()) > 2
    assert found.by_place("lost") == {}
    assert night.tables() == before


def test_a_database_that_is_longer_and_not_to_be_trusted_is_not_overwritten_unasked(night: Night):
    database = night.open()
    with database.transaction():
        database.execute(
            "INSERT INTO log (place, position, command_id, who, rank, at, event, digest) "
            "SELECT place, position + 1, 'forged', who, rank, at, event, digest FROM log "
            "WHERE place = 'P8' ORDER BY position DESC LIMIT 1"
        )
        database.execute("UPDATE heads SET position = position + 1 WHERE place = 'P8'")
    database.close()
    before = night.tables()
    told = night.run()
    assert isinstance(told.exception, NotRestored)
    assert "1 of P8" in str(told.exception)
    assert night.tables() == before
    told = night.run("--accept-loss", "--json")
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert [(p["place"], p["lost"]) for p in found["places"] if p["lost"]] == [("P8", 1)]
    assert night.differences() == []


def test_without_the_right_person_nothing_is_changed(sqlite_night: Night):
    cut(sqlite_night, "P8", 20)
    before = sqlite_night.tables()
    for who, password in (("administrator", "wrong"), ("Cal", "Cal's password"), ("Zoe", "x")):
        words = ["audit", "restore", sqlite_night.url, "--as", who, "--reason", "r"]
        told = CliRunner().invoke(croupier, words, env={"CROUPIER_PASSWORD": password})
        assert told.exit_code == 2, told.output
        assert "nothing was changed" in told.output
    assert sqlite_night.tables() == before
    assert not list(sqlite_night.copy.parent.glob("*.restoring*"))


def test_not_while_the_house_runs(sqlite_night: Night):
    casino = open_casino(sqlite_night.url, sqlite_night.copy, seed=3)
    with pytest.raises(OwnedElsewhere):
        restore(sqlite_night.url, sqlite_night.copy)
    casino.stop()


@pytest.mark.parametrize("seed", range(4))
def test_a_file_with_damaged_pages_comes_back(sqlite_night: Night, seed: int):
    before = sqlite_night.tables()
    file = Path(sqlite_night.url.removeprefix("sqlite:///"))
    pages = random.Random(seed)
    whole = bytearray(file.read_bytes())
    for page in pages.sample(range(1, len(whole) // 2048), 5):
        whole[page * 2048 : (page + 1) * 2048] = pages.randbytes(2048)
    file.write_bytes(whole)
    found = restore(sqlite_night.url, sqlite_night.copy)
    assert found.by_place("lost") == {}
    after = sqlite_night.tables()
    after.pop("refused"), before.pop("refused")
    assert after == before
    assert Path(found.aside).read_bytes() == bytes(whole)
    assert sqlite_night.differences() == []


def test_a_file_that_is_no_database_any_more_comes_back(sqlite_night: Night):
    file = Path(sqlite_night.url.removeprefix("sqlite:///"))
    file.write_bytes(b"something else altogether" * 1000)
    found = restore(sqlite_night.url, sqlite_night.copy)
    assert "is damaged or no database" in found.unreadable
    assert sqlite_night.differences() == []


def test_a_changed_row_stands_again_as_it_did(night: Night):
    before = night.tables()
    database = night.open()
    with database.transaction():
        database.execute("UPDATE log SET who = 'Eve' WHERE place = 'P8' AND position = 7")
        database.execute("UPDATE balances SET balance = balance + 1 WHERE account = 'cash'")
    database.close()
    found: Restored = restore(night.url, night.copy)
    assert found.by_place("changed") == {"P8": 1}
    assert night.tables() == before


def test_a_copy_with_a_damaged_line_is_mended_by_the_database(sqlite_night: Night):
    before = sqlite_night.tables()
    file = files(sqlite_night.copy)[0]
    lines = file.read_bytes().splitlines(keepends=True)
    middle = [n for n, line in enumerate(lines) if line.startswith(b'{"place":"P8"')][20]
    lines[middle] = lines[middle][:50] + b"\n"
    file.write_bytes(b"".join(lines))
    found = restore(sqlite_night.url, sqlite_night.copy)
    assert found.by_place("kept") == {"P8": 1}
    assert len(found.damaged) == 1
    assert sqlite_night.tables() == before


def test_the_key_is_needed_and_never_made_anew(sqlite_night: Night):
    file = Path(sqlite_night.url.removeprefix("sqlite:///"))
    key = beside(SqliteDatabase(file).path)
    content = key.read_bytes()
    key.unlink()
    told = sqlite_night.run()
    assert told.exit_code != 0
    assert not key.exists()
    key.write_bytes(content)
    key.chmod(0o600)
    assert sqlite_night.run().exit_code == 0
