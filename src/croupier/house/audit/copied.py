"""The copy of the log, compared with the database: row by row, order by order, and what else it
holds; and what the database remembers of its copies, compared with what is on record."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.house import copies
from croupier.house.audit.findings import Difference, contrast, reading
from croupier.house.copy_reading import (
    KeptSecret,
    Runs,
    beside_rows_in,
    files,
    ids_in,
    records_in,
    rows_held,
    runs_in_copy,
)
from croupier.house.errors import CorruptDatabase
from croupier.house.founding import office_in
from croupier.house.group import ORDER
from croupier.house.records import Head, Opening, OrderRecord, Row
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
    known = copies.known_copies(store)  # before the copy: a House that runs goes on with both
    if not files(folder):
        says = "there is no copy of the log here"
        for mark in known.values():
            if mark.folder == str(folder.resolve()):
                says = f"{says}; {mark.held:,} events were there: it was deleted"
            else:
                held = f"{mark.held:,} events"
                says = f"{says}; one with {held} was in {mark.folder}: it was deleted, or moved"
        yield Difference(table="copy", where=str(folder), says=says)
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
                elif isinstance(record, Row):
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
    shortened = list(_shortened(known, folder, rows_held(runs.held())))
    alarmed = any(known[each].alarm for each in ids_in(folder) if each in known)
    # After an alarm nothing is caught up before a person has said so.
    helps = "`croupier office copy renew`" if shortened or alarmed else "a start of croupier"
    missing = list(_missing(heads, runs, helps))
    for _ in range(LOOKS):
        if not missing:
            break
        time.sleep(LOOK_SECONDS)
        missing = list(_missing(heads, runs_in_copy(folder), helps))
    yield from missing
    yield from _beside_rows(store, folder)
    yield from shortened


def check_copies(store: Store) -> Iterator[Difference]:
    """What the database remembers of its copies is what the office has of them on record; an alarm
    that stands is a difference."""
    with reading("copies", "every copy"):
        known = copies.known_copies(store)
        record = office_in(store).state.copies
    for copy in sorted(known.keys() | record.keys()):
        mark, noted = known.get(copy), record.get(copy)
        where = f"copy {copy}"
        if mark is None or noted is None:
            says = "it is not on record" if noted is None else "it is on record, and not known here"
            yield Difference(table="copies", where=where, column="copy", says=says)
            continue
        for column in ("folder", "alarm"):
            found, expected = getattr(mark, column), getattr(noted, column)
            if found != expected:
                both = contrast(found, expected)
                yield Difference(table="copies", where=where, column=column, **both)
        if mark.alarm:
            yield Difference(table="copies", where=where, column="alarm", says=mark.alarm)


def _shortened(known: dict[str, copies.CopyMark], folder: Path, held: int) -> Iterator[Difference]:
    """A copy holds no less than was on the disk there."""
    mine = [known[each] for each in ids_in(folder) if each in known]
    for mark in mine:
        if mark.held > held:
            says = f"it holds {held:,} events, and {mark.held:,} were there: it was shortened"
            yield Difference(table="copies", where=f"copy {mark.copy}", column="held", says=says)
    if known and not mine:
        others = ", ".join(sorted(mark.folder for mark in known.values()))
        says = f"no copy on record has these files; there is one in {others}"
        yield Difference(table="copy", where=str(folder), says=says)


def _beside_rows(store: Store, folder: Path) -> Iterator[Difference]:
    """Secrets and openings of the copy are those of the database. Copies of 0.9 have none."""
    known = copies.known_copies(store)
    if not any(known[each].held for each in ids_in(folder) if each in known):
        return
    found: list[Difference] = []
    for look in range(LOOKS + 1):
        # The database first: whatever it has by now, the copy has in a moment.
        secrets = {(name, kind): secret for name, kind, secret in copies.kept_secrets(store)}
        openings = {shuffle: (place, seed) for shuffle, place, seed in copies.kept_openings(store)}
        found = list(_compare_beside(folder, secrets, openings))
        if not found or look == LOOKS:
            break
        time.sleep(LOOK_SECONDS)
    yield from found


def _compare_beside(
    folder: Path, secrets: dict[tuple[str, str], str], openings: dict[str, tuple[str, bytes]]
) -> Iterator[Difference]:
    newest: dict[tuple[str, str], KeptSecret] = {}
    opened: set[str] = set()
    for file in files(folder):
        for record in beside_rows_in(file):
            if isinstance(record, Opening):
                opened.add(record.shuffle)
                kept = openings.get(record.shuffle, ("", b""))
                if kept[1] and kept != (record.stream, record.seed):
                    where = f"opening {record.shuffle} ({file.name})"
                    both = contrast((record.stream, record.seed.hex()), (kept[0], kept[1].hex()))
                    yield Difference(table="copy", where=where, column="seed", **both)
            else:
                key = record.name, record.kind
                if key not in newest or record.number >= newest[key].number:
                    newest[key] = record
    for shuffle in sorted(openings.keys() - opened):
        says = "the copy lacks this opening"
        yield Difference(table="copy", where=f"opening {shuffle}", column="shuffle", says=says)
    for name, kind in sorted(secrets.keys() | newest.keys()):
        ours, theirs = newest.get((name, kind)), secrets.get((name, kind))
        if ours is None or ours.secret != theirs:
            says = "the copy has another one than the database, or one of them has none"
            where = f"the {kind} of {name}"
            yield Difference(table="copy", where=where, column="secret", says=says)


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


def _missing(heads: dict[str, Head], runs: Runs, helps: str) -> Iterator[Difference]:
    held = runs.held()
    for stream, head in heads.items():
        expected = 1
        for first, last, _ in held.get(stream, []):
            if first > expected:
                break
            expected = last + 1
        if expected <= head.position:
            says = f"the copy lacks event {expected}; {helps} catches it up"
            yield Difference(table="copy", where=f"{stream} at {expected}", says=says)
