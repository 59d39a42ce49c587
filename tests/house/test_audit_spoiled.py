"""An audit of a House that runs, of what somebody has added, and of what is no House at all."""

import json
import shutil
import sqlite3
import threading

import pytest
from click.testing import CliRunner

from croupier.cards import pretty_cards
from croupier.cli.audit import audit
from croupier.house.audit import verify
from croupier.house.audit.export import export, read_into
from croupier.house.audit.walk import PlaceWalk
from croupier.house.errors import HouseError
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.house.vault import beside
from croupier.poker import PokerTable
from croupier.poker.events import HoleCardsDealt
from tests.house.evening import LINKS, evening, furnish, open_casino, play


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    file = tmp_path_factory.mktemp("night") / "house.db"
    evening(f"sqlite:///{file}", rounds=1)
    return file


def spoiled(night, tmp_path, *sql):
    file = tmp_path / "house.db"
    shutil.copy(night, file)
    shutil.copy(beside(night), beside(file))
    connection = sqlite3.connect(file)
    for statement in sql:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return Store(SqliteDatabase(file), migrated=True)


LAST = "(SELECT MAX(rowid) FROM entries)"


STATEMENTS = [
    "INSERT INTO length VALUES ('more', 1)",
    "UPDATE length SET events = events - 1",
    "UPDATE length SET log = 'some'",
    "DELETE FROM length",
    "DROP TABLE length",
    "CREATE TABLE notes (text)",
    "CREATE VIEW rich AS SELECT account FROM balances",
    "CREATE TRIGGER more AFTER INSERT ON log BEGIN UPDATE balances SET balance = 1; END",
    f"UPDATE entries SET position = 'x' WHERE rowid = {LAST}",
    f"UPDATE entries SET position = 9000000000000000000 WHERE rowid = {LAST}",
    "UPDATE entries SET amount = 1.5 WHERE rowid = 5",
    "UPDATE heads SET digest = 'x' WHERE place = 'P8'",
    "UPDATE log SET place = x'50' WHERE place = 'P8' AND position = 3",
    "UPDATE log SET who = x'ff' WHERE place = 'P8' AND position = 3",
    "UPDATE log SET event = CAST(event AS TEXT) WHERE place = 'P8' AND position = 3",
    "UPDATE balances SET account = x'00' WHERE account = 'cash'",
    "UPDATE snapshots SET state = '{}' WHERE place = 'P8'",
    "UPDATE secrets SET secret = x'00' WHERE name = 'Ann'",
    "UPDATE openings SET seed = 'x' WHERE rowid = 3",
    "UPDATE openings SET seed = x'00' WHERE rowid = 3",
    "DROP TABLE log",
    "DROP TABLE croupier_schema",
    "ALTER TABLE entries RENAME COLUMN amount TO worth",
    "UPDATE croupier_schema SET version = 1",
    "UPDATE croupier_schema SET version = 'x'",
    "UPDATE heads SET position = 'x' WHERE place = 'P8'",
    "UPDATE log SET position = 'x' WHERE place = 'P8' AND position = 3",
    "UPDATE log SET event = CAST(event AS TEXT) WHERE place LIKE '%shuffle%' AND position = 2",
    "UPDATE log SET event = x'7b7d' WHERE place = 'office' AND position = 2",
    "UPDATE log SET who = CAST(x'ff' AS TEXT) WHERE place = 'P8' AND position = 3",
    "UPDATE entries SET account = x'00' WHERE rowid = 5",
    "UPDATE snapshots SET place = NULL WHERE place = 'M3'",
    "UPDATE log SET at = CAST(at AS BLOB) WHERE place = 'P8' AND position = 3",
]
SOME = [
    each if number % 3 == 0 else pytest.param(each, marks=pytest.mark.slow)
    for number, each in enumerate(STATEMENTS)
]
"""Every third of them, and all in the slow set."""


@pytest.mark.parametrize("sql", SOME)
def test_what_somebody_added_or_stored_as_something_else_is_named(night, tmp_path, sql):
    store = spoiled(night, tmp_path, sql)
    found = verify(store).difference
    store.close()
    assert found is not None, sql
    result = CliRunner().invoke(audit, ["verify", f"sqlite:///{store.database.name}"])
    assert result.exit_code == 1, result.output
    assert "First difference:" in result.output


@pytest.mark.parametrize("audits", [(1, 2), pytest.param((1, 1, 1, 2), marks=pytest.mark.slow)])
@pytest.mark.parametrize("url_of", ["sqlite_url", "postgres_url"])
def test_a_house_that_runs_is_audited_and_exported_as_it_stands(url_of, audits, request, tmp_path):
    """Once by one process and once by two; in the slow set more often, while it grows."""
    url = request.getfixturevalue(url_of)
    copy = tmp_path / "copy"
    casino = open_casino(url, copy)
    furnish(casino)
    over = threading.Event()

    def work() -> None:
        seed = 1
        while not over.is_set():
            play(casino, 1, seed=seed)
            seed += 1

    busy = threading.Thread(target=work)
    busy.start()
    try:
        store = Store(open_database(url))
        for workers in audits:
            found = verify(store, copy, workers=workers)
            assert found.difference is None
        export(store, tmp_path / "now.jsonl", with_open_rounds=True)
        store.close()
    finally:
        over.set()
        busy.join()
        casino.close()
    exported = read_into(tmp_path / "now.jsonl", SqliteDatabase(tmp_path / "read.db"))
    assert verify(exported, exported=True).difference is None
    exported.close()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty: no House was ever founded there"),
        (b"no database at all, but some other file" * 100, "is damaged or no database"),
        (b"SQLite format 3\0" + bytes(4000), "is damaged or no database"),
    ],
)
def test_what_is_no_house_gets_a_sentence_and_is_left_as_it_was(tmp_path, content, says):
    file = tmp_path / "house.db"
    file.write_bytes(content)
    for words in (
        ["verify", f"sqlite:///{file}"],
        ["export", f"sqlite:///{file}", str(tmp_path / "out")],
        ["round", f"sqlite:///{file}", "P8#1"],
        ["shuffle", f"sqlite:///{file}", "P8#1"],
    ):
        result = CliRunner().invoke(audit, words)
        assert isinstance(result.exception, HouseError), result.exception
        assert says in str(result.exception)
    assert file.read_bytes() == content
    assert not (tmp_path / "out").exists()


def test_a_changed_or_cut_export_is_a_difference_before_any_line_is_read(night, tmp_path):
    store = Store(SqliteDatabase(night))
    for name in ("night.jsonl", "night.jsonl.gz"):
        file = tmp_path / name
        export(store, file)
        whole = file.read_bytes()
        sound = CliRunner().invoke(audit, ["verify", str(file)])
        assert sound.exit_code == 0, sound.output
        middle = len(whole) // 2
        for bad in (
            whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
            whole[: middle * 3 // 2],
            whole[:-30],
        ):
            file.write_bytes(bad)
            result = CliRunner().invoke(audit, ["verify", str(file)])
            assert result.exit_code == 1, result.output
            assert "was changed" in result.output or "cut off" in result.output
            assert "Looked at" not in result.output
    store.close()


def test_the_copy_is_compared_where_there_is_one_and_must_be_where_it_was_named(night, tmp_path):
    alone = tmp_path / "house.db"
    shutil.copy(night, alone)
    shutil.copy(beside(night), beside(alone))
    words = ["verify", f"sqlite:///{alone}"]
    found = CliRunner().invoke(audit, [*words, "--alone"])
    assert (found.exit_code, "not compared" in found.output) == (0, True)
    shutil.move(f"{night}.copy", tmp_path / "moved")
    found = CliRunner().invoke(audit, words)
    assert (found.exit_code, "it was deleted" in found.output) == (1, True)
    shutil.move(tmp_path / "moved", f"{night}.copy")
    empty = tmp_path / "empty"
    empty.mkdir()
    named = CliRunner().invoke(audit, [*words, "--copy", str(empty)])
    assert (named.exit_code, "there is no copy of the log here" in named.output) == (1, True)
    assert "Looked at:" in named.output
    shutil.copytree(f"{night}.copy", f"{alone}.copy")
    assert "events in " in CliRunner().invoke(audit, words).output


def test_a_round_is_told_within_the_width_and_briefly_if_asked(night):
    url = f"sqlite:///{night}"
    told = CliRunner().invoke(audit, ["round", url, "P8#1"], env={"COLUMNS": "60"})
    assert told.exit_code == 0, told.output
    lines = told.output.splitlines()
    assert all(len(line) <= 60 for line in lines)
    story, _, paragraphs = told.output.partition("\nParagraphs\n")
    assert all(line.startswith("  ") for line in paragraphs.splitlines())
    brief = CliRunner().invoke(audit, ["round", url, "P8#1", "--brief"], env={"COLUMNS": "60"})
    assert brief.output == story


def story_of(night, round_id: str) -> dict:
    told = CliRunner().invoke(audit, ["round", f"sqlite:///{night}", round_id, "--json"])
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


@pytest.mark.parametrize("table", ["P8", "P5"])
def test_a_round_and_its_money_end_where_it_ends(night, table):
    """Players add to their stakes and decks are shuffled before the next round begins."""
    later = 0
    for number in (1, 2):
        story = story_of(night, f"{table}#{number}")
        *before, last = [told["event"] for told in story["told"]]
        assert last == "round ended"
        assert not {"stake added", "round ended"} & set(before)
        assert story["ended"] == story["told"][-1]["at"]
        assert sum(story["money"].values()) == 0
        assert all(account.startswith(f"table/{table}/") for account in story["money"])
        positions = [told["position"] for told in story["told"] + story["after"]]
        assert positions == list(range(positions[0], positions[-1] + 1))
        later += len(story["after"])
    assert later, "nothing came between the rounds: this evening shows nothing"


def test_the_auditor_is_told_every_hole_card_of_a_finished_round(night):
    told = story_of(night, "P8#1")["told"]
    dealt = next(each["says"] for each in told if each["event"] == "hole cards dealt")
    store = Store(SqliteDatabase(night))
    rows = (row for row in store.rows("P8") if b'"hole cards dealt"' in row.event)
    event = PokerTable.read_event(next(rows).event)
    store.close()
    assert isinstance(event, HoleCardsDealt)
    names = {1: "Ann (1)", 3: "Ben (3)", 5: "Cho (5)"}
    for seat in event.to:
        mine = [card for at, card in zip(event.to, event.cards, strict=True) if at == seat]
        assert f"{names[seat]} {pretty_cards(mine)}" in dealt
    flop = next(each["says"] for each in told if each["event"] == "flop dealt")
    assert "Face down: " in flop, "the burn card"


def test_of_an_unknown_table_the_tables_are_named_and_nothing_else(night):
    links = set(LINKS.values())
    for name in ("Nowhere", "office", *links):
        result = CliRunner().invoke(audit, ["round", f"sqlite:///{night}", f"{name}#1"])
        says = str(result.exception)
        assert f"there is no table '{name}'; the tables are" in says
        named = says.rpartition(" are ")[2].split(", ")
        assert "P8" in named
        assert not {"office", *links} & set(named)
        assert not any("shuffle" in each for each in named)


@pytest.mark.parametrize(
    ("state", "passed_over"), [('\'{"written":"otherwise"}\'', 1), ("x'ff7b7d'", 0), ("''", 0)]
)
def test_a_kept_state_that_no_version_can_have_written_is_no_older_ones(
    night, tmp_path, monkeypatch, state, passed_over
):
    monkeypatch.setattr(PlaceWalk, "_is_ours", lambda walk, command_id: False)
    change = f"UPDATE snapshots SET state = CAST({state} AS BLOB) WHERE place = 'M3'"
    store = spoiled(night, tmp_path, change)
    found = verify(store)
    store.close()
    assert found.passed_over == passed_over
    assert [each.table for each in found.differences] == ["snapshots"] * (1 - passed_over)
