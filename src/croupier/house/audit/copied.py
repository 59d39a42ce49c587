"""The copy of the log, compared row by row and order by order with the database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.house.audit.findings import Difference, contrast
from croupier.house.copy import Runs, files, records_in, runs_in_copy
from croupier.house.errors import CorruptDatabase
from croupier.house.group import ORDER
from croupier.house.records import Head, OrderRecord, Row
from croupier.house.store import Store

if TYPE_CHECKING:
    from croupier.house.audit.verify import Verified

AT_ONCE = 10_000
LOOKS, LOOK_SECONDS = 4, 0.25
"""How often, and after how long, the copy is looked at again before it lacks anything: a House
that runs writes it after the database."""
COLUMNS = ("command_id", "who", "rank", "at", "event", "digest", "order")


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
        orders: list[OrderRecord] = []
        ordered: set[str] = set()
        count = 0
        try:
            for record in records_in(file):
                count += 1
                if isinstance(record, OrderRecord):
                    ordered.add(record.command_id)
                    orders.append(record)
                else:
                    runs.add(record.stream, record.position, record.position, record.digest.hex())
                    counted.copied += 1
                    waiting.setdefault(record.stream, []).append(record)
                    if record.order and record.command_id not in ordered:
                        yield _without_order(record, file)
                if count >= AT_ONCE:
                    yield from _compare_all(store, file, orders, waiting)
                    waiting, orders, count = {}, [], 0
        except CorruptDatabase as error:
            yield Difference(table="copy", where=file.name, says=str(error))
        yield from _compare_all(store, file, orders, waiting)
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
    stored_rows = store.rows(stream, after=first - 1, until=last)
    kept = {row.position: row.as_stored() for row in stored_rows}
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
                both = contrast(found, other)
                yield Difference(table="copy", where=where, column=column, **both)


def _compare_all(
    store: Store, file: Path, orders: list[OrderRecord], rows: dict[str, list[Row]]
) -> Iterator[Difference]:
    """Orders and rows from the copy against those of the database."""
    stored_orders = store.orders_of(order.command_id for order in orders)
    kept = {each.command_id: each.as_stored() for each in stored_orders}
    for order in orders:
        stored = kept.get(order.command_id)
        if stored != order:
            yield _order_difference(order, stored, file)
    for some in rows.values():
        yield from _compare(store, file, some)


def _without_order(row: Row, file: Path) -> Difference:
    says = "the copy lacks the order that caused this event"
    where = f"{row.stream} at {row.position} ({file.name})"
    return Difference(table="copy", where=where, column="order", says=says)


def _order_difference(order: OrderRecord, stored: OrderRecord | None, file: Path) -> Difference:
    where = f"order {order.command_id} at {order.place} ({file.name})"
    if stored is None:
        says = "the copy has an order that the database lacks"
        return Difference(table="copy", where=where, column="command_id", says=says)
    for column in ORDER:
        found, other = getattr(order, column), getattr(stored, column)
        if found != other:
            both = contrast(found, other)
            return Difference(table="copy", where=where, column=column, **both)
    raise AssertionError("two orders that differ in nothing")


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
