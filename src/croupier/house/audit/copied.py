"""The copy of the log, compared row by row with the database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.house.audit.findings import Difference, shown
from croupier.house.copy import Runs, files, rows_in, runs_in_copy
from croupier.house.errors import CorruptDatabase
from croupier.house.records import Head, Row
from croupier.house.store import Store

if TYPE_CHECKING:
    from croupier.house.audit.verify import Verified

AT_ONCE = 10_000
LOOKS, LOOK_SECONDS = 4, 0.25
"""How often, and after how long, the copy is looked at again before it lacks anything: a House
that runs writes it after the database."""
COLUMNS = ("command_id", "who", "rank", "at", "event", "digest")


def compare_copy(
    store: Store, folder: Path, counted: Verified, heads: dict[str, Head]
) -> Iterator[Difference]:
    """Every row of the copy is in the database, and every row up to the heads is in the copy."""
    if not files(folder):
        yield Difference(table="copy", where=str(folder), says="there is no copy of the log here")
        return
    runs = Runs()
    for file in files(folder):
        # The rows of many tables stand mixed; each table's are looked up together.
        waiting: dict[str, list[Row]] = {}
        count = 0
        try:
            for row in rows_in(file):
                runs.add(row.stream, row.position, row.position, row.digest.hex())
                counted.copied += 1
                waiting.setdefault(row.stream, []).append(row)
                count += 1
                if count >= AT_ONCE:
                    for rows in waiting.values():
                        yield from _compare(store, file, rows)
                    waiting, count = {}, 0
        except CorruptDatabase as error:
            yield Difference(table="copy", where=file.name, says=str(error))
        for rows in waiting.values():
            yield from _compare(store, file, rows)
    missing = list(_missing(heads, runs))
    for _ in range(LOOKS):
        if not missing:
            break
        time.sleep(LOOK_SECONDS)
        missing = list(_missing(heads, runs_in_copy(folder)))
    yield from missing


def _compare(store: Store, file: Path, rows: list[Row]) -> Iterator[Difference]:
    """Rows of one stream from the copy against those of the database."""
    if not rows:
        return
    stream = rows[0].stream
    first = min(row.position for row in rows)
    last = max(row.position for row in rows)
    kept = {row.position: row for row in store.rows(stream, after=first - 1, until=last)}
    for row in rows:
        stored = kept.get(row.position)
        if stored == row:
            continue
        where = f"{stream} at {row.position} ({file.name})"
        if stored is None:
            says = "the copy has an event that the database lacks: its tail was cut off"
            yield Difference(table="copy", where=where, column="position", says=says)
            continue
        for column in COLUMNS:
            found, other = getattr(row, column), getattr(stored, column)
            if found != other:
                yield Difference(
                    table="copy",
                    where=where,
                    column=column,
                    found=shown(found),
                    expected=shown(other),
                )


def _missing(heads: dict[str, Head], runs: Runs) -> Iterator[Difference]:
    held = runs.held()
    for stream, head in heads.items():
        expected = 1
        for first, last, _ in held.get(stream, []):
            if first > expected:
                break
            expected = last + 1
        if expected <= head.position:
            says = f"the copy lacks event {expected}; a start of croupier catches it up"
            yield Difference(table="copy", where=f"{stream} at {expected}", says=says)
