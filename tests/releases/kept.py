"""What is kept of a release, and how it is written: `.venv/bin/python -m tests.releases.kept`.

A folder with the number of the release, written once, on the day it is made, and never again:

    house.db.xz       a House of that release, as SQLite left it: all five games, things that went
                      wrong, a crash, a jackpot that was won
    facts.json        what every table and link said of itself, and every balance
    events.jsonl.xz   an event of every kind that the shipped cases know, as it is stored
    vocabulary.json   every command and event with its fields, and the names that Python exports

The releases that follow open, audit and read it all (`test_releases.py`).
"""

from __future__ import annotations

import importlib
import lzma
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier import __version__
from croupier.house.casino import Casino
from croupier.house.office import Office
from croupier.house.shuffle_book import ShuffleBook
from croupier.pit import GAMES
from croupier.table import Command, Conversation, Event
from tests.house.gaming_day import BOOKS, Day
from tests.shipped import answers_of, shipped_results

HERE = Path(__file__).resolve().parent
PUBLIC = tuple(
    f"croupier.{name}"
    for name in ("cards", "rulebooks", "table", "poker", "banked", "jackpot", "pit")
)
"""What docs/stability.md promises to those who import it."""

LARGEST = 300_000
"""Bytes that a release may leave behind."""


def conversations() -> dict[str, type[Conversation[Any]]]:
    """Everything that keeps a log, by a name that stays."""
    games = {game.name: game.table_type for game in GAMES.games.values()}
    assert GAMES.link is not None
    others: dict[str, type[Conversation[Any]]] = {
        "jackpot": GAMES.link.link_type,
        "office": Office,
        "shuffles": ShuffleBook,
    }
    return {**games, **others}


# ---- the House -----------------------------------------------------------------------------------


def short_day(url: str) -> int:
    """Play short days in which much goes wrong; the seed of the first that is worth keeping."""
    for seed in range(1, 100):
        day = Day(url.format(seed), seed, trouble=0.25)
        day.play(2)
        day.crash()
        day.play(3)
        day.finish_rounds()
        reports = {kind for book, kind in day.given if book in BOOKS and kind.startswith("Report")}
        hits = sum(link.link.state.hits for link in day.links.values())
        day.close()
        if hits and len(reports) >= 20:
            return seed
    raise AssertionError("no day was worth keeping")


def facts_of(casino: Casino) -> dict[str, Any]:
    """What every table and link says of itself now, and every balance."""
    pit = casino.house.pit
    kit = GAMES.link
    assert kit is not None
    links = {name: link for name, link in pit.links.items() if isinstance(link, kit.link_type)}
    facts: dict[str, Any] = {
        "tables": {name: table.facts() for name, table in pit.tables.items()},
        "links": {name: kit.facts(link) for name, link in links.items()},
        "people": sorted(casino.office.state.people),
        "balances": {a: b for a, b in sorted(casino.house.reader.balances().items()) if b},
    }
    return plain(facts)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


# ---- words ---------------------------------------------------------------------------------------


def events_of_cases() -> Iterator[bytes]:
    """The first event of each kind and family in the shipped cases, as it would be stored."""
    where = {name: set(kind.whole.events) for name, kind in conversations().items()}
    seen: set[tuple[str, type[Event]]] = set()
    for result in shipped_results().values():
        for answer in answers_of(result):
            for _, event in answer:
                for name, kinds in where.items():
                    if type(event) in kinds and (name, type(event)) not in seen:
                        seen.add((name, type(event)))
                        yield msgspec.json.encode({"of": name, "event": event})


def vocabulary() -> dict[str, Any]:
    """Commands and events of everything that keeps a log, and the names that Python exports."""
    return {
        "commands": {n: _fields(kind.whole.commands) for n, kind in conversations().items()},
        "events": {n: _fields(kind.whole.events) for n, kind in conversations().items()},
        "python": {name: sorted(importlib.import_module(name).__all__) for name in PUBLIC},
    }


def _fields(kinds: Iterable[type[Command] | type[Event]]) -> dict[str, list[str]]:
    found = {str(k.__struct_config__.tag): sorted(k.__struct_encode_fields__) for k in kinds}
    return dict(sorted(found.items()))


def required(kind: type[Struct]) -> set[str]:
    """The fields without which it cannot be read."""
    return {field.encode_name for field in msgspec.structs.fields(kind) if field.required}


# ---- writing -------------------------------------------------------------------------------------


def write(folder: Path) -> None:
    """Keep this release."""
    folder.mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        seed = short_day(f"sqlite:///{scratch}/{{}}.db")
        database = Path(scratch) / f"{seed}.db"
        (folder / "house.db.xz").write_bytes(lzma.compress(database.read_bytes(), preset=9))
        casino = Casino.open(f"sqlite:///{database}")
        facts = facts_of(casino)
        casino.stop()
    for name, value in (("facts", facts), ("vocabulary", vocabulary())):
        text = msgspec.json.format(msgspec.json.encode(value), indent=1)
        (folder / f"{name}.json").write_bytes(text + b"\n")
    lines = b"".join(line + b"\n" for line in events_of_cases())
    (folder / "events.jsonl.xz").write_bytes(lzma.compress(lines, preset=9))


if __name__ == "__main__":
    target = HERE / __version__
    if target.exists():
        sys.exit(f"{target.name} is kept already: what a release wrote is never written again")
    write(target)
