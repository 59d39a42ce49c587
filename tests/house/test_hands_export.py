"""Stored rounds leave the House as hand histories, and what leaves can be read again."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from croupier.cli.main import main
from croupier.formats.banked_record import read_record
from croupier.formats.hand import Hand
from croupier.formats.ohh import read_ohhs
from tests.house.evening import evening


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hands")
    evening(f"sqlite:///{folder}/house.db", rounds=2)
    return folder


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("words", nargs=-1)
def whole(words: tuple[str, ...]) -> None:
    """The command line as the shell starts it: named errors are one line and a status."""
    main(list(words))


def croupier(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(whole, ["--", *words])
    return done.exit_code, done.stdout, done.stderr


def test_an_exported_collection_agrees_with_its_own_replay(night: Path, tmp_path: Path):
    file = tmp_path / "night.phhs"
    status, _, told = croupier(
        "hands", "export", f"sqlite:///{night}/house.db", "P8", "-o", str(file)
    )
    assert status == 0, told
    assert "3 rounds of P8 as phhs" in told
    status, out, _ = croupier("hands", "check", str(file), "--json")
    assert status == 0
    report = json.loads(out)
    assert (report["hands"], report["agree"], report["differ"]) == (3, 3, 0)


def test_every_format_of_every_table_is_written_and_read(night: Path, tmp_path: Path):
    url = f"sqlite:///{night}/house.db"
    for table in ("P8", "P5"):
        assert croupier("hands", "export", url, table, "-o", str(tmp_path / "x.ohh"))[0] == 0
        hands = list(read_ohhs((tmp_path / "x.ohh").read_bytes()))
        assert len(hands) == 3
        assert all(isinstance(hand, Hand) for hand in hands)
        assert croupier("hands", "export", url, table, "-o", str(tmp_path / "x.txt"))[0] == 0
        assert (tmp_path / "x.txt").read_text().startswith("PokerStars Hand #")
        folder = tmp_path / table
        assert croupier("hands", "export", url, table, "-o", str(folder))[0] == 0
        assert len(list(folder.glob("*.phh"))) == 3
    for table in ("V6", "M2", "M3"):
        status, out, _ = croupier("hands", "export", url, table)
        assert status == 0
        for line in out.splitlines():
            assert read_record(line.encode()).table == table


def test_a_players_own_history_has_no_card_of_others(night: Path):
    url = f"sqlite:///{night}/house.db"
    _, hers, _ = croupier("hands", "export", url, "P8", "--format", "pokerstars", "--for", "Ann")
    assert "Dealt to Ann" in hers
    assert "Dealt to Ben" not in hers
    _, open_ones, _ = croupier("hands", "export", url, "P8", "--format", "phhs", "--for", "public")
    _, whole, _ = croupier("hands", "export", url, "P8", "--format", "phhs")
    assert whole.count("????") < open_ones.count("????")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nowhere",), "there is no table 'nowhere'"),
        (("P8", "--format", "banked-json"), "is for banked tables"),
        (("P8", "-o", "x.jsonl"), "names no format"),
        (("P8", "--rounds", "9-2"), "the last comes before the first"),
        (("P8", "--rounds", "two"), "a number or two"),
    ],
)
def test_what_cannot_be_exported_is_said(night: Path, words: tuple[str, ...], says: str):
    status, _, told = croupier("hands", "export", f"sqlite:///{night}/house.db", *words)
    assert status == 2
    assert says in told


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path):
    status, _, told = croupier("hands", "export", f"sqlite:///{tmp_path}/none.db", "P8")
    assert status == 2
    assert "none.db" in told
    assert not (tmp_path / "none.db").exists()


def test_a_database_that_is_empty_is_given_no_tables(tmp_path: Path):
    file = tmp_path / "empty.db"
    with closing(sqlite3.connect(file)) as made:
        made.execute("PRAGMA user_version = 1")
    status, _, told = croupier("hands", "export", f"sqlite:///{file}", "P8")
    assert status == 2
    assert "no House was ever founded there" in told
    with closing(sqlite3.connect(file)) as left:
        assert left.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_rounds_leave_an_export_of_the_house_too(night: Path, tmp_path: Path):
    database, file = f"sqlite:///{night}/house.db", tmp_path / "night.jsonl.gz"
    assert croupier("audit", "export", database, str(file), "--with-open-rounds")[0] == 0
    written = croupier("hands", "export", str(file), "P8", "--format", "phhs")
    assert written == croupier("hands", "export", database, "P8", "--format", "phhs")
    assert "variant = " in written[1]
