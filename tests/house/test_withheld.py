"""A deck that is ready for the next round does not keep an export back, and is not told by it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.cli.audit import audit
from croupier.house.audit import Verified, verify, withheld
from croupier.house.audit.export import export, read_into
from croupier.house.audit.withheld import unplayed
from croupier.house.errors import CorruptDatabase
from croupier.house.hidden import NO_SECRET, uncovered
from croupier.house.records import Row
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.evening import evening, open_casino, play
from tests.house.test_alone import run as run_alone

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening whose poker tables have shuffled for the next round, exported; then it goes on."""
    folder = tmp_path_factory.mktemp("withheld")
    url = f"sqlite:///{folder}/house.db"
    evening(url, rounds=1)
    for name, seed in (("night", 3), ("later", 4)):
        casino = open_casino(url, seed=seed)
        if name == "later":
            play(casino, 1, seed=seed)
        for table in ("P8", "P5"):
            for given in casino.dealer.deal(table):
                given.result()
        casino.stop()
        store = Store(open_database(url))
        assert sorted(unplayed(store).closed) == ["P5", "P8"]
        export(store, folder / f"{name}.jsonl")
        if name == "night":
            export(store, folder / "told.jsonl", with_open_rounds=True)
        store.close()
    return folder


def lines_of(file: Path) -> Lines:
    return [json.loads(line) for line in file.read_bytes().splitlines()]


def audited(file: Path, folder: Path) -> Verified:
    store = read_into(file, SqliteDatabase(folder / "read.db"))
    found = verify(store, exported=True)
    store.close()
    return found


def rows_of(file: Path, table: str) -> Lines:
    return [line["row"] for line in lines_of(file) if line.get("row", {}).get("place") == table]


def secrets_in(file: Path) -> dict[str, str]:
    """The secrets that a file tells."""
    openings = [line["opening"] for line in lines_of(file) if "opening" in line]
    return {opening["shuffle"]: opening["seed"] for opening in openings}


def withheld_in(file: Path) -> Lines:
    """The rows whose decks are hidden by a secret that the file does not tell."""
    told = secrets_in(file)
    rows = [line["row"] for line in lines_of(file) if "row" in line]
    hidden = [row for row in rows if "hidden" in row["event"]]
    return [row for row in hidden if row["event"]["hidden"]["secret"] not in told]


def deck_of(file: Path, row: dict[str, Any]) -> list[str]:
    """The deck of a row, by the secrets that another file tells."""
    told = secrets_in(file)
    written = json.dumps(row["event"], separators=(",", ":")).encode()
    plain = uncovered(written, lambda secret: bytes.fromhex(told[secret]))
    assert plain is not None
    deck: list[str] = json.loads(plain)["cards"]
    assert sorted(deck) == sorted(map(str, DECK))
    return deck


def test_an_export_does_not_tell_a_deck_that_is_still_to_be_played(night: Path):
    withheld = withheld_in(night / "night.jsonl")
    assert {row["place"] for row in withheld} == {"P8", "P5"}
    assert withheld_in(night / "told.jsonl") == []
    text = (night / "night.jsonl").read_text("utf-8")
    for row in withheld:
        assert row["event"]["event"] == "shuffle given"
        deck = deck_of(night / "told.jsonl", row)
        for few in (deck[:6], deck[20:26], deck[-6:]):
            assert json.dumps(few, separators=(",", ":"))[1:-1] not in text
        seed = secrets_in(night / "told.jsonl")[row["event"]["hidden"]["secret"]]
        assert row["event"]["hidden"]["secret"] == secret_of(night, row)
        assert seed not in text


def test_it_verifies_offline_and_says_what_was_withheld(night: Path, tmp_path: Path):
    found = audited(night / "night.jsonl", tmp_path)
    assert (found.difference, found.withheld) == (None, 2)
    for table in ("P8", "P5"):
        last = rows_of(night / "night.jsonl", table)[-1]
        assert found.heads[table] == last["digest"], "the file proves itself to its end"
    done = run_alone(night / "night.jsonl")
    assert done.returncode == 0, done.stderr
    shown = CliRunner().invoke(audit, ["verify", str(night / "night.jsonl")])
    assert shown.exit_code == 0, shown.output
    assert "2 decks shuffled for rounds that had not begun" in shown.stdout


def test_a_later_export_shows_the_cards_that_belong_to_the_digest(night: Path, tmp_path: Path):
    assert audited(night / "later.jsonl", tmp_path).difference is None
    for table in ("P8", "P5"):
        later = {row["digest"]: row for row in rows_of(night / "later.jsonl", table)}
        for row in rows_of(night / "night.jsonl", table):
            assert later[row["digest"]] == row
    for row in withheld_in(night / "night.jsonl"):
        assert len(deck_of(night / "later.jsonl", row)) == 52


def test_the_last_round_is_told_from_such_an_export(night: Path):
    for words in (["round", "--brief"], ["shuffle"]):
        name, *options = words
        told = CliRunner().invoke(audit, [name, str(night / "night.jsonl"), "P8#2", *options])
        assert told.exit_code == 0, told.output


def test_an_export_that_was_read_can_be_exported_again(night: Path, tmp_path: Path):
    again = tmp_path / "again.jsonl"
    words = ["export", str(night / "night.jsonl"), str(again)]
    assert CliRunner().invoke(audit, words).exit_code == 0
    assert lines_of(again)[1:-1] == lines_of(night / "night.jsonl")[1:-1]


def secret_of(night: Path, given: dict) -> str | None:
    """Under which id the secret of a shuffle is kept: as the shuffle book says."""
    rows = rows_of(night / "told.jsonl", f"shuffles/{given['place']}")
    mixed = [row["event"] for row in rows if row["command_id"] == given["command_id"]]
    at = next((event["committed"] for event in mixed if "committed" in event), None)
    return None if at is None else rows[at - 1]["event"]["secret"]


def forged(night: Path, file: Path, table: str, event: str, which: int, seed: bool) -> None:
    """Withhold another event with its command, and its seed too, with a digest of the file that is
    right again."""
    lines = (night / "told.jsonl").read_bytes().splitlines(keepends=True)
    found = [
        number
        for number, line in enumerate(lines)
        if f'"row":{{"place":"{table}",'.encode() in line and f'"event":"{event}"'.encode() in line
    ]
    line = lines[found[which]]
    lines[found[which]] = line[: line.index(b',"event":') + 9] + b"null}}\n"
    command_id = json.loads(line)["row"]["command_id"].encode()
    for number, each in enumerate(lines):
        if each.startswith(b'{"order":') and b'"command_id":"%s"' % command_id in each:
            order = json.loads(each)
            del order["order"]["command"]
            lines[number] = json.dumps(order, separators=(",", ":")).encode() + b"\n"
    if not seed:
        secret = secret_of(night, json.loads(line)["row"])
        shuffle = f'{{"opening":{{"shuffle":"{secret}"'.encode()
        lines = [each for each in lines if not each.startswith(shuffle)]
    digest = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    end = {"end": {"lines": len(lines) - 1, "sha256": digest}}
    lines[-1] = json.dumps(end, separators=(",", ":")).encode() + b"\n"
    file.write_bytes(b"".join(lines))


@pytest.mark.parametrize(
    ("table", "event", "which", "says"),
    [
        ("P8", "shuffle given", 0, "shuffle that was withheld"),
        ("P8", "shuffle given", -2, "shuffle that was withheld"),
        ("P8", "rake taken", -1, "only the last shuffle of a table"),
        ("P8", "deck cut", -1, "only the last shuffle of a table"),
        ("M3", "shuffle given", -1, "only the last shuffle of a table"),
        ("office", "cashed out", -1, "only the last shuffle of a table"),
    ],
)
@pytest.mark.parametrize("seed", [True, False])
def test_nothing_else_can_be_withheld(
    night: Path, tmp_path: Path, table: str, event: str, which: int, says: str, seed: bool
):
    forged(night, tmp_path / "forged.jsonl", table, event, which, seed)
    found = audited(tmp_path / "forged.jsonl", tmp_path).difference
    assert found is not None
    assert says in str(found)


def test_the_event_of_a_hidden_deck_cannot_be_left_out(night: Path, tmp_path: Path):
    """What its digest is of nobody could say, nor then what stands before it in the log."""
    forged(night, tmp_path / "forged.jsonl", "P8", "shuffle given", -1, seed=False)
    assert "stands hidden in an export" in str(
        audited(tmp_path / "forged.jsonl", tmp_path).difference
    )
    done = run_alone(tmp_path / "forged.jsonl")
    assert (done.returncode, "an event was left out" in done.stderr) == (1, True)


def test_a_deck_that_a_person_has_reported_counts_as_one_that_is_played(night: Path, monkeypatch):
    """No secret hides it, and no commitment binds whoever leaves its event out."""
    held = withheld.held_rows

    def reported(store: Store, stream: str) -> Iterator[Row]:
        for row in held(store, stream):
            given = stream == "P8" and b'"shuffle given"' in row.event
            yield replace(row, rank="dealer", stored=b"") if given else row

    monkeypatch.setattr(withheld, "held_rows", reported)
    store = Store(open_database(f"sqlite:///{night}/house.db"))
    found = unplayed(store)
    store.close()
    assert (found.begun, [*found.closed]) == (["P8"], ["P5"])


def test_a_deck_that_is_withheld_is_withheld_with_its_seed(night: Path, tmp_path: Path):
    forged(night, tmp_path / "forged.jsonl", "P8", "shuffle given", -1, seed=True)
    assert "shuffle that was withheld is told" in str(
        audited(tmp_path / "forged.jsonl", tmp_path).difference
    )


def test_in_a_house_itself_nothing_is_withheld(night: Path, tmp_path: Path):
    database = SqliteDatabase(tmp_path / "house.db")
    read_into(night / "night.jsonl", database).close()
    store = Store(SqliteDatabase(tmp_path / "house.db"))
    found = verify(store).differences
    store.close()
    assert (found[0].table, found[0].says) == ("openings", "the secret is missing")
    assert any(NO_SECRET in each.says for each in found)
    with pytest.raises(CorruptDatabase, match="does not hold together"):
        unplayed(Store(SqliteDatabase(tmp_path / "house.db")))
