"""A database comes back from the copy of its log, on both databases, and nothing is lost."""

from __future__ import annotations

import json
import os
import random
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import croupier
from croupier.house.copy_packing import pack
from croupier.house.copy_reading import files
from croupier.house.errors import CutTail, OwnedElsewhere
from croupier.house.office import Office
from croupier.house.office.record_events import DatabaseRestored
from croupier.house.postgres import PostgresDatabase
from croupier.house.restore import NotRestored, Restored, restore
from croupier.house.school import SchoolBook
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.vault import beside
from tests.house.evening import open_casino
from tests.house.nights import Night, cut
from tests.school.entries import some_entries

ENV = {"CROUPIER_PASSWORD": "the first password"}
WHO = ("--as", "administrator", "--reason", "the disk was damaged")


def run(night: Night, *words: str) -> Result:
    told = ["audit", "restore", night.url, "--copy", str(night.copy), *WHO, *words]
    return CliRunner().invoke(croupier, told, env=ENV)


def test_a_cut_tail_comes_back_and_is_on_record(night: Night):
    before = night.tables()
    cut(night, "P8", 20)
    with pytest.raises(CutTail, match="croupier audit restore"):
        open_casino(night.url, night.copy)
    told = run(night)
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


class Killed(BaseException):
    """The process ends here: nothing more is tidied up."""


@pytest.mark.parametrize("step", ["link", "rename", "replace"])
def test_a_restore_that_is_killed_leaves_a_database_in_its_place(
    sqlite_night: Night, monkeypatch: pytest.MonkeyPatch, step: str
):
    """Else a restart would find none, and another restore not what the old one alone had."""
    before = sqlite_night.tables()
    file = sqlite_night.file

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr(*((os, "link") if step == "link" else (Path, step)), killed)
        if step == "rename":  # of what SQLite writes beside it, where it is left
            dying.setattr(os, "link", lambda *_: file.with_name("house.db-wal").touch())
        with pytest.raises(Killed):
            restore(sqlite_night.url, sqlite_night.copy)
    assert file.exists()
    assert sqlite_night.tables() == before
    assert restore(sqlite_night.url, sqlite_night.copy).by_place("lost") == {}
    assert sqlite_night.tables() == before


def test_the_entries_of_the_school_come_over_from_the_old_database(night: Night):
    with closing(Store(night.open())) as store:
        SchoolBook(store).append(some_entries("Ann"))
    cut(night, "P8", 20)
    assert restore(night.url, night.copy).unreadable == ""
    with closing(Store(night.open())) as store:
        assert SchoolBook(store).of_trainee("Ann") == some_entries("Ann")
    assert night.differences() == []


def test_a_lost_database_comes_back_byte_for_byte(night: Night, postgres_server: str):
    before = night.tables()
    before.pop("refused")  # only the database has those
    if night.url.startswith("sqlite"):
        Path(night.url.removeprefix("sqlite:///")).unlink()
    else:
        server = PostgresDatabase(postgres_server)
        server.script("DROP DATABASE croupier_spoiled WITH (FORCE)")
        server.script("CREATE DATABASE croupier_spoiled")
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
    told = run(night)
    assert isinstance(told.exception, NotRestored)
    assert "1 of P8" in str(told.exception)
    assert night.tables() == before
    told = run(night, "--accept-loss", "--json")
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


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_what_could_not_be_put_on_record_is_not_done(sqlite_night: Night, reason: str):
    """S-32: the database would be another one, and nobody would know since when and why."""
    cut(sqlite_night, "P8", 20)
    before = sqlite_night.tables()
    done = run(sqlite_night, "--reason", reason)
    assert (done.exit_code, "nothing was changed" in done.output) == (2, True), done.output
    assert sqlite_night.tables() == before


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


def test_a_packed_copy_restores_too_and_a_damaged_one_what_it_can(sqlite_night: Night):
    before = sqlite_night.tables()
    assert pack(sqlite_night.copy).files >= 1
    sqlite_night.file.unlink()
    restore(sqlite_night.url, sqlite_night.copy)
    after = sqlite_night.tables()
    after.pop("refused"), before.pop("refused")
    assert after == before
    file = files(sqlite_night.copy)[0]
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    found = restore(sqlite_night.url, sqlite_night.copy)
    assert "is damaged" in found.damaged[-1]
    assert sum(found.by_place("kept").values()) > 10
    assert found.by_place("lost") == {}
    assert sqlite_night.tables()["log"] == before["log"]


def test_the_key_is_needed_and_never_made_anew(sqlite_night: Night):
    file = Path(sqlite_night.url.removeprefix("sqlite:///"))
    key = beside(SqliteDatabase(file).path)
    content = key.read_bytes()
    key.unlink()
    told = run(sqlite_night)
    assert told.exit_code != 0
    assert not key.exists()
    key.write_bytes(content)
    key.chmod(0o600)
    assert run(sqlite_night).exit_code == 0
