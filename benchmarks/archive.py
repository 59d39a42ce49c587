"""How large the database is for each round, before and after its day was moved to an archive.

A night in a casino, as in `audit`: tables of all five games, six players at each. The day is sealed
and archived; then the file of SQLite, the tables and indexes of PostgreSQL (compacted), and the
archive are measured, and how long it took to move the day and to read it again row by row.
"""

from __future__ import annotations

import os
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks import Row, Target
from benchmarks._postgres import NoServer, a_server
from benchmarks.audit import played
from croupier.house.archives.making import archive
from croupier.house.casino import Casino
from croupier.house.gaming_day import GamingDay
from croupier.house.openings import round_of
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.making import seal_now
from croupier.house.store import Store
from croupier.house.urls import open_database

COMMANDS = 20_000
FIRST_RELEASE = 34.0
"""Kilobytes a round in the first release."""
HALF = Target(at="most", limit=FIRST_RELEASE / 2)


def measure() -> list[Row]:
    """Play a night on each kind of database, and archive it."""
    with tempfile.TemporaryDirectory() as folder:
        rows = _measured("SQLite", f"sqlite:///{Path(folder) / 'house.db'}", Path(folder))
    try:
        with a_server() as new_database, tempfile.TemporaryDirectory() as folder:
            os.environ["CROUPIER_COPY"] = str(Path(folder) / "copy")
            try:
                rows += _measured("PostgreSQL", new_database(), Path(folder))
            finally:
                del os.environ["CROUPIER_COPY"]
    except NoServer as error:
        what = "PostgreSQL, a round in the live database"
        rows.append(Row(benchmark="archive", what=what, target=HALF, note=str(error)))
    return rows


def _measured(kind: str, url: str, folder: Path) -> list[Row]:
    played(url, COMMANDS)
    casino = Casino.open(url)
    rounds = sum(round_of(table) for table in casino.house.pit.tables.values())
    casino.stop()
    before = _size(url) / rounds / 1000
    begun = time.process_time()
    packed = _archived(url, folder) / rounds / 1000
    took = time.process_time() - begun
    after = _size(url) / rounds / 1000
    read = _read(url)
    note = f"{rounds:,} rounds"
    return [
        _row(f"{kind}, a round before", before, "kB", note=note),
        _row(f"{kind}, a round in the live database", after, "kB", HALF),
        _row(f"{kind}, a round in the archive", packed, "kB"),
        _row(f"{kind}, to archive 1,000 rounds", took / rounds * 1000, "s"),
        _row(f"{kind}, rows read from the archive", read, "rows/s"),
    ]


def _row(what: str, value: float, unit: str, target: Target | None = None, note: str = "") -> Row:
    return Row(benchmark="archive", what=what, value=value, unit=unit, target=target, note=note)


def _archived(url: str, folder: Path) -> int:
    """Move everything up to now to an archive; its size."""
    later = datetime.now(UTC) + timedelta(days=2)
    casino = Casino.open(url, tables=(), clock=lambda: later)
    try:
        seal_now(casino.house.store, SigningKey(os.urandom(32)), "day", later)
        today = GamingDay.of(datetime.now(UTC) + timedelta(days=1))
        _, made = archive(
            casino, today, who="administrator", reason="measured", folder=folder / "archive"
        )
    finally:
        casino.stop()
    assert made is not None
    return made.bytes


def _size(url: str) -> int:
    """All bytes of the database."""
    database = open_database(url)
    try:
        if url.startswith("sqlite"):
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [(pages,)] = database.execute("PRAGMA page_count")
            [(size,)] = database.execute("PRAGMA page_size")
            return int(pages) * int(size)
        for table in sorted(database.tables()):
            database.execute(f"VACUUM FULL {table}")
        [(total,)] = database.execute(
            "SELECT CAST(SUM(pg_total_relation_size(oid)) AS BIGINT) FROM pg_class "
            "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )
        return int(total)
    finally:
        database.close()


def _read(url: str) -> float:
    """Rows a second, in the processor's time."""
    store = Store(open_database(url))
    begun, rows = time.process_time(), 0
    for place, end in store.past.ends().items():
        after = 0
        while after < end:
            found = store.past.rows(place, after, 2000)
            rows += len(found)
            after = found[-1][1]
    took = time.process_time() - begun
    store.close()
    return rows / took
