"""The rounds of a House for `lab actual`: every cent is the ledger's, by table, dealer and day."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, time
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli.lab_actual import actual, read_from
from croupier.house.audit.export import export
from croupier.house.errors import HouseError
from croupier.house.gaming_day import GamingDay
from croupier.house.reports.actual import BankedRound, PokerRake, bank_of, rounds_of
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.evening import evening


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    found = f"sqlite:///{tmp_path_factory.mktemp('actual') / 'house.db'}"
    evening(found, rounds=2)
    return found


def rounds(store: Store) -> list[BankedRound | PokerRake]:
    return list(rounds_of(store, lambda when: GamingDay.of(when, begins=time(6), zone=UTC)))


def test_what_the_rounds_won_is_what_the_ledger_has(url: str):
    store = Store(open_database(url, create=False))
    found = rounds(store)
    banked = [each for each in found if isinstance(each, BankedRound)]
    assert {each.record.rulebook for each in banked} == {
        "progressive-texas-holdem-v6",
        "multi-link-progressive-v2",
        "multi-link-progressive-v3",
    }
    for each in banked:
        assert each.bank == each.record.totals.house, each.record.round
    for table in {each.record.table for each in banked}:
        assert sum(e.bank for e in banked if e.record.table == table) == bank_of(store, table)
    assert any(each.record.status == "void" and each.bank == 0 for each in banked)
    raked = [each for each in found if isinstance(each, PokerRake)]
    for table in {each.table for each in raked}:
        taken = sum(each.record.taken for each in raked if each.table == table)
        assert taken == store.balance(f"table/{table}/rake")
    store.close()


def test_an_audit_file_tells_the_same_and_leaves_nothing_behind(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    store = Store(open_database(url, create=False))
    file = tmp_path / "night.jsonl"
    export(store, file)
    monkeypatch.chdir(tmp_path)
    with read_from(str(file)) as again:
        assert rounds(again) == rounds(store)
    store.close()
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.db"], "there is no such file"),
        (["sqlite:///x.db", "--zone", "Mars"], "no time zone"),
        (["sqlite:///x.db", "--begins", "dawn"], "no hour"),
    ],
)
def test_what_is_asked_wrongly_is_said(arguments: list[str], says: str):
    asked = CliRunner().invoke(actual, arguments)
    assert asked.exit_code == 2
    assert says in asked.output


def test_an_empty_database_gets_a_sentence_and_no_tables(tmp_path: Path):
    file = tmp_path / "house.db"
    with closing(sqlite3.connect(file)) as made:
        made.execute("PRAGMA user_version = 1")
    asked = CliRunner().invoke(actual, [str(file)])
    assert isinstance(asked.exception, HouseError)
    assert "no House was ever founded there" in str(asked.exception)
    with closing(sqlite3.connect(file)) as left:
        assert left.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
