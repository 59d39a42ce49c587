"""What was changed behind croupier's back is told in one sentence, never as a story or a report."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli.main import croupier
from croupier.house.chain import START, digest
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from tests.house.evening import evening


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small evening, copied for each test."""
    folder = tmp_path_factory.mktemp("stored")
    evening(f"sqlite:///{folder}/house.db", rounds=1)
    return folder


@pytest.fixture
def folder(stored: Path, tmp_path: Path) -> Path:
    shutil.copytree(stored, tmp_path, dirs_exist_ok=True)
    return tmp_path


def run(folder: Path, *words: str) -> Result:
    url = f"sqlite:///{folder}/house.db"
    return CliRunner().invoke(croupier, [url if word == "URL" else word for word in words])


def tamper(folder: Path, place: str, event: bytes, *, chained_again: bool) -> int:
    """Put a digit before the amount of the first such event; return where that must be noticed.

    With the chain made again from there on, only the table itself can say that it cannot be: when
    the round ends and chips are left over.
    """
    database = SqliteDatabase(folder / "house.db")
    rows = list(Store(database).rows(place))
    changed = next(row for row in rows if event in row.event)
    before, _, amount = changed.event.partition(b'"amount":')
    digits = len(amount) - len(amount.lstrip(b"0123456789"))
    changed.event = before + b'"amount":9' + amount[:digits] + amount[digits:]
    last = START
    with database.transaction():
        for row in rows:
            last = digest(last, row) if chained_again else row.digest
            sql = "UPDATE log SET event = ?, digest = ? WHERE place = ? AND position = ?"
            event = row.as_stored().event
            database.execute(sql, (event, last, row.stream, row.position))
    database.close()
    ended = next(r for r in rows[changed.position :] if b'"event":"round ended"' in r.event)
    return ended.position if chained_again else changed.position


REPORTS = (
    ("audit", "round", "URL", "P8#1"),
    ("audit", "shuffle", "URL", "P8#1"),
    ("audit", "export", "URL", "night.jsonl"),
    ("office", "report", "day", "URL"),
    ("office", "report", "errors", "URL"),
)


@pytest.mark.parametrize("words", REPORTS, ids=" ".join)
@pytest.mark.parametrize("chained_again", [False, True], ids=["bytes", "chain too"])
def test_a_changed_log_is_named_and_nothing_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], chained_again: bool
):
    monkeypatch.chdir(folder)
    at = tamper(folder, "P8", b'"event":"rake taken"', chained_again=chained_again)
    told = run(folder, *words)
    sentence = f"the log of P8 does not hold together at event {at}"
    assert (
        told.stderr.splitlines()[-1] == f"croupier: {sentence}; `croupier audit verify` says more"
    )
    assert (told.exit_code, told.stdout) == (1, "")
    assert not (folder / "night.jsonl").exists()
