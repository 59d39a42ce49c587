"""What a release has stored is opened, audited and told alike by every release after it."""

from __future__ import annotations

import importlib
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier import __version__
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.file import check_dispute_file, read_dispute_file, sealed
from croupier.house.disputes.gathering import gather
from croupier.house.queries import Wanted, log_lines, make_statement
from croupier.house.queries.people import office_of
from croupier.house.store import Store
from croupier.house.urls import open_database
from tests.house.gaming_day import BOOKS
from tests.releases.kept import HERE, LARGEST, conversations, facts_of, plain, required

RELEASES = sorted(path.name for path in HERE.iterdir() if (path / "facts.json").exists())


def lost(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Name what was said before and is not said now, or otherwise; more may be said now."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key, value in before.items():
            if key in now:
                yield from lost(value, now[key], f"{where}/{key}")
            else:
                yield f"{where}/{key}: gone"
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (then, value) in enumerate(zip(before, now, strict=True)):
            yield from lost(then, value, f"{where}/{number}")
    elif before != now:
        yield f"{where}: {now!r}, was {before!r}"


def kept(release: str, name: str) -> Any:
    return msgspec.json.decode((HERE / release / name).read_bytes())


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def url(release: str, tmp_path: Path) -> str:
    """The House of a release, in a file that may be written to."""
    stored = lzma.decompress((HERE / release / "house.db.xz").read_bytes())
    (tmp_path / "house.db").write_bytes(stored)
    return f"sqlite:///{tmp_path / 'house.db'}"


def audited(url: str) -> int:
    """The events that an audit has walked, and found right."""
    store = Store(open_database(url))
    found = verify(store)
    store.close()
    assert found.difference is None
    return found.events


def test_this_release_is_kept():
    """A version is made and kept in one act; CONTRIBUTING, A release, says how."""
    assert __version__ in RELEASES


def forget_states(url: str) -> None:
    """Leave the log alone: how a release writes down where a table stands is its own affair."""
    database = open_database(url)
    with database.transaction():
        database.execute("DELETE FROM snapshots")
    database.close()


def opened(url: str) -> dict[str, Any]:
    """Open the House, see what it says of itself, and stop as planned: states are kept anew."""
    casino = Casino.open(url)
    facts = facts_of(casino)
    casino.stop()
    return facts


def test_its_log_alone_is_audited_and_leads_to_the_same(release: str, url: str):
    forget_states(url)
    before = audited(url)
    assert before > 1_000
    assert [*lost(kept(release, "facts.json"), opened(url))] == []
    assert audited(url) > before, "it was opened and stopped, and nobody noted it"


def test_its_house_opens_with_the_states_that_it_kept(release: str, url: str):
    """States of another version are left aside and the log is replayed; those of this one serve."""
    assert [*lost(kept(release, "facts.json"), opened(url))] == []
    audited(url)  # of places that nobody has asked for, the old states are still there


def test_its_house_has_everything_that_it_should(release: str, url: str):
    """All five games, what goes wrong, rulings, a jackpot that was won; and whose House it is."""
    database = open_database(url)
    rows = database.execute("SELECT event FROM log")
    database.close()
    log = [msgspec.json.decode(event) for (event,) in rows]
    assert {e["rulebook"] for e in log if e["event"] == "table opened"} == {*BOOKS}
    assert {e["version"] for e in log if e["event"] == "started"} == {release}
    kinds = {e["event"] for e in log}
    assert {"award made", "irregularity noted", "round voided", "ruling carried out"} <= kinds
    assert len(kinds) > 100
    assert any(link["hits"] for link in kept(release, "facts.json")["links"].values())


def test_every_kind_of_event_is_read_as_it_was_stored(release: str):
    kinds = conversations()
    lines = lzma.decompress((HERE / release / "events.jsonl.xz").read_bytes()).splitlines()
    assert len(lines) > 100
    faults = []
    for line in map(msgspec.json.decode, lines):
        stored = line["event"]
        event = kinds[line["of"]].read_event(msgspec.json.encode(stored))
        faults += lost(stored, plain(event), f"{line['of']}/{stored['event']}")
    assert faults == []


@pytest.mark.parametrize("words", ["commands", "events"])
def test_no_word_and_no_field_is_lost(release: str, words: str):
    faults = []
    for name, known in kept(release, "vocabulary.json")[words].items():
        here = getattr(conversations()[name].whole, words)
        now = {str(kind.__struct_config__.tag): kind for kind in here}
        for word, fields in known.items():
            if word not in now:
                faults.append(f"{name}: {word}")
                continue
            has = {*now[word].__struct_encode_fields__}
            faults += [f"{name}: {word}.{field}" for field in {*fields} - has]
            new = required(now[word]) - {*fields}
            faults += [f"{name}: {word}.{field} has no default" for field in new]
    assert faults == []


def test_no_name_is_lost(release: str):
    for module, names in kept(release, "vocabulary.json")["python"].items():
        assert {*names} <= {*dir(importlib.import_module(module))}, module


def test_it_is_small(release: str):
    assert sum(path.stat().st_size for path in (HERE / release).iterdir()) < LARGEST


def test_the_comparison_can_fail():
    before = {"a": 1, "b": [{"c": 2}], "d": {"e": 3}}
    assert [*lost(before, before | {"f": 4})] == []
    assert [*lost(before, {"a": 1, "b": [{"c": 2, "x": 0}], "d": {"e": 3}})] == []
    now = {"a": 2, "b": [{"c": 2}, {}], "d": {}}
    assert [*lost(before, now)] == [
        "/a: 2, was 1",
        "/b: [{'c': 2}, {}], was [{'c': 2}]",
        "/d/e: gone",
    ]


def test_its_record_can_be_asked(url: str):
    """Without orders: who did what, an account that sums, and the sealed file of a round."""
    store = Store(open_database(url))
    state = office_of(store)
    players = [name for name, person in state.people.items() if person.kind == "player"]
    lines = list(log_lines(store, Wanted(kinds=frozenset({"void"}))))
    assert lines
    assert {line.number for line in lines} == {None}
    for player in players[:3]:
        assert list(make_statement(store, player).lines)
    for line in lines[:2]:
        about = find(store, read_about(f"{line.place}@{line.position}"))
        gathered = gather(store, about, state=state)
        assert gathered.content.rulings
        file, _ = sealed(gathered.content)
        assert check_dispute_file(read_dispute_file(file), store) == []
    store.close()
