"""How many commands a second the House makes durable, beside bare SQL that stores the same rows.

Tables of No Limit Hold'em v8 play hands, everybody checking or calling. Each table gives its next
command when the one before is durable, so 100 tables share a sync and one table waits for it every
time (and has the House store it there and then, by `carry_out`). The whole House is there: engine,
ledger, hash chain, snapshots, the copy of the log. What it stored is then stored again by bare SQL:
the same rows in the same tables and the same groups, by the same statements and with the same
durability, all values ready and no question asked. They take turns, batch by batch, on the same
disk. `storage alone` is the House's store, given those groups.

On SQLite there is a second bare SQL, with the settings that both had when the first release was
recorded: 64 MB of write-ahead log before any of it is carried over, so that it grew while it was
measured. Beside it stands what the first release reached: the House is to be no slower.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from benchmarks import Row, Target
from benchmarks._house_tables import Groups, Playing
from benchmarks._postgres import NoServer, a_server
from croupier.house.group import NO_ORDER, ORDER
from croupier.house.records import Bundle
from croupier.house.rows import ROW
from croupier.house.sqlite import SETTINGS
from croupier.house.store import Store
from croupier.house.urls import open_database

BATCHES = 15
COMMANDS = {1: 100, 100: 1_500}
"""Commands in one batch, by the number of tables."""
TARGETS = {1: 0.5, 100: 0.4}
ALONE = 0.5
"""What storage alone must reach of bare SQL."""
THEN = "bare SQL with the settings of the first release"
SETTINGS_THEN = (*SETTINGS, "wal_autocheckpoint = 32768")
RECORDED = {1: 0.603, 100: 0.504}
"""What the first release was recorded with, of bare SQL with those settings."""

ORDERS = (*ORDER, "events", "digest")
"""The columns of an order."""

Values = list[tuple[Any, ...]]
Work = list[tuple[str, tuple[str, ...], Values, str]]
"""The insertions of one group: table, columns, rows, and what to do on conflict."""


def measure() -> list[Row]:
    """SQLite, then PostgreSQL if there is a server."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for tables in COMMANDS:
            urls = [f"sqlite:///{folder / f'{tables}-{kind}.db'}" for kind in ("a", "b", "c", "d")]
            rows += commands_a_second("SQLite", tables, urls, BareSqlite, folder / f"{tables}.copy")
        try:
            with a_server() as new_database:
                for tables in COMMANDS:
                    urls = [new_database() for _ in range(3)]
                    copy = folder / f"{tables}-postgres.copy"
                    rows += commands_a_second("PostgreSQL", tables, urls, BarePostgres, copy)
        except NoServer as error:
            rows += [missing(tables, str(error)) for tables in COMMANDS]
    return rows


def what_of(kind: str, tables: int) -> str:
    """The name of a measurement."""
    return f"durable commands, {kind}, {tables} table{'s' if tables > 1 else ''}"


def missing(tables: int, why: str) -> Row:
    """A row for a server that is not there."""
    target = Target(at="least", limit=TARGETS[tables])
    return Row(
        benchmark="house",
        what=what_of("PostgreSQL", tables),
        who="bare SQL",
        target=target,
        note=why,
    )


def commands_a_second(
    kind: str, tables: int, urls: list[str], bare_kind: type[Bare], copy: Path
) -> list[Row]:
    """The House, the storage alone and bare SQL, in turns; a rate is that of the median batch, so
    that a moment in which the machine was busy with something else counts for nobody."""
    taken: dict[str, list[float]] = {"house": [], "bare": [], "store": []}
    commands = groups = 0
    playing = Playing(urls[0], tables, copy)
    store, bare = Store(open_database(urls[1])), bare_kind(urls[2])
    then = BareSqlite(urls[3], SETTINGS_THEN) if bare_kind is BareSqlite else None
    if then is not None:
        taken["then"] = []
    for number in range(BATCHES + 1):
        timed = {"house": seconds(lambda: playing.play(COMMANDS[tables]))}
        batch = playing.groups()
        work = [insertions(group) for group in batch]
        again = [[unlinked(bundle) for bundle in group] for group in batch]
        timed["bare"] = seconds(lambda work=work: bare.run(work))  # type: ignore[misc]
        timed["store"] = seconds(lambda again=again: append_all(store, again))  # type: ignore[misc]
        if then is not None:
            timed["then"] = seconds(lambda work=work: then.run(work))  # type: ignore[misc]
        if number == 0:
            continue  # it opened the tables
        commands += sum(map(len, batch))
        groups += len(batch)
        for name, each in timed.items():
            taken[name].append(each)
    playing.close()
    store.close()
    bare.close()
    if then is not None:
        then.close()
    rates = {name: COMMANDS[tables] / median(each) for name, each in taken.items()}
    return rows_of(kind, tables, rates, f"{commands / groups:.1f} commands to a sync")


def rows_of(kind: str, tables: int, rates: dict[str, float], note: str) -> list[Row]:
    """The whole House and the storage alone, each beside bare SQL."""
    rows = []
    for who, what, limit in (
        ("house", what_of(kind, tables), TARGETS[tables]),
        ("store", f"the same, storage alone, {kind}, {tables}", ALONE),
    ):
        ours, bare = rates[who], rates["bare"]
        rows += [
            Row(benchmark="house", what=what, value=ours, unit="commands/s", note=note),
            Row(
                benchmark="house",
                what=what,
                who="bare SQL",
                value=bare,
                unit="commands/s",
                ratio=ours / bare,
                target=Target(at="least", limit=limit),
            ),
        ]
    if "then" in rates:
        rows.append(
            Row(
                benchmark="house",
                what=what_of(kind, tables),
                who=THEN,
                value=rates["then"],
                unit="commands/s",
                ratio=rates["house"] / rates["then"],
                target=Target(at="least", limit=RECORDED[tables]),
            )
        )
    return rows


def seconds(work: Callable[[], object]) -> float:
    """How long something takes, waiting for the disk included."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def unlinked(bundle: Bundle) -> Bundle:
    """A bundle of its own, for another store."""
    return msgspec.structs.replace(bundle, rows=list(bundle.rows))


def append_all(store: Store, groups: Groups) -> None:
    """Store groups that must be taken."""
    for group in groups:
        if any(store.append(group)):
            raise RuntimeError("the store turned a bundle away")


# -- bare SQL -----------------------------------------------------------------------------------


def insertions(group: list[Bundle]) -> Work:
    """The rows of a group, ready to be inserted."""
    rows = [row for bundle in group for row in bundle.rows]
    heads = {row.stream: (row.stream, row.position, row.digest) for row in rows}
    entries: dict[tuple[str, int, str], int] = {}
    moved: dict[str, int] = {}
    for bundle in group:
        for e in bundle.entries:
            key = (e.stream, e.position, e.account)
            entries[key] = entries.get(key, 0) + e.amount
            moved[e.account] = moved.get(e.account, 0) + e.amount
    kept = {s.stream: (s.stream, s.position, s.state) for b in group for s in b.snapshots}
    work: Work = [
        ("orders", ORDERS, [order_row(bundle) for bundle in group], ""),
        ("log", ROW, [msgspec.structs.astuple(row.as_stored())[: len(ROW)] for row in rows], ""),
        (
            "heads",
            ("place", "position", "digest"),
            list(heads.values()),
            "ON CONFLICT (place) DO UPDATE "
            "SET position = excluded.position, digest = excluded.digest",
        ),
        (
            "entries",
            ("place", "position", "account", "amount"),
            [(*key, amount) for key, amount in entries.items()],
            "",
        ),
        (
            "balances",
            ("account", "balance"),
            list(moved.items()),
            "ON CONFLICT (account) DO UPDATE SET balance = balances.balance + excluded.balance",
        ),
        (
            "snapshots",
            ("place", "position", "state"),
            list(kept.values()),
            "ON CONFLICT (place) DO UPDATE "
            "SET position = excluded.position, state = excluded.state",
        ),
    ]
    return [each for each in work if each[2]]


def order_row(bundle: Bundle) -> tuple[Any, ...]:
    """An order as it is stored, with how many events it had."""
    order, events = bundle.order, len(bundle.rows)
    if order is None:  # the players' funds, which no House has paid in
        return (None, bundle.command_id, *NO_ORDER, events, None)
    return (*msgspec.structs.astuple(order)[: len(ORDER)], events, None)


class Bare(ABC):
    """A database with the tables of the House and nothing else of it."""

    @abstractmethod
    def __init__(self, url: str) -> None:
        """Make the tables."""

    @abstractmethod
    def run(self, groups: list[Work]) -> None:
        """Store groups, each in a transaction of its own."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""


class BareSqlite(Bare):
    """The standard library's `sqlite3`, with the same settings."""

    def __init__(self, url: str, settings: tuple[str, ...] = SETTINGS) -> None:
        Store(open_database(url)).close()
        self.connection = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
        for setting in settings:
            self.connection.execute(f"PRAGMA {setting}")

    def run(self, groups: list[Work]) -> None:
        connection = self.connection
        for group in groups:
            connection.execute("BEGIN IMMEDIATE")
            for table, columns, rows, on_conflict in group:
                marks = ", ".join("?" * len(columns))
                sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) {on_conflict}"
                connection.executemany(sql, rows)
            connection.execute("COMMIT")

    def close(self) -> None:
        self.connection.close()


class BarePostgres(Bare):
    """asyncpg on a loop of its own, arrays for columns."""

    def __init__(self, url: str) -> None:
        import asyncpg

        Store(open_database(url)).close()
        self.loop = asyncio.new_event_loop()
        self.connection = self.loop.run_until_complete(asyncpg.connect(url))

    def run(self, groups: list[Work]) -> None:
        self.loop.run_until_complete(self._run(groups))

    async def _run(self, groups: list[Work]) -> None:
        for group in groups:
            async with self.connection.transaction():
                for table, columns, rows, on_conflict in group:
                    kinds = ((n, TYPES[column]) for n, column in enumerate(columns, start=1))
                    arrays = ", ".join(f"${number}::{kind}[]" for number, kind in kinds)
                    names = ", ".join(columns)
                    await self.connection.execute(
                        f"INSERT INTO {table} ({names}) SELECT * FROM unnest({arrays}) "
                        f"{on_conflict}",
                        *(list(column) for column in zip(*rows, strict=True)),
                    )

    def close(self) -> None:
        self.loop.run_until_complete(self.connection.close())
        self.loop.close()


NUMBERS = ("position", "events", "amount", "balance", "number")
BYTES = ("event", "digest", "order_digest", "state", "also", "command")
TYPES = dict.fromkeys((*ROW, *ORDER, "account"), "text")
TYPES |= dict.fromkeys(NUMBERS, "bigint") | dict.fromkeys(BYTES, "bytea")
