"""How fast the House replays a log, and how long one with a million events takes to start.

A table of No Limit Hold'em v8 plays hands, everybody checking or calling; its events are stored as
the logs of 100 tables. *Replayed* is the log of one of them, read from the database and applied
from its first event on. *Started* is the whole House: the database and the copy of the log opened
and compared, every table read from its newest snapshot and the events since.
"""

from __future__ import annotations

import tempfile
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import msgspec

from benchmarks import Row, Target
from benchmarks._house_tables import Hand, make_table
from croupier.house.copy import LogCopy
from croupier.house.house import House
from croupier.house.records import Bundle, Snapshot
from croupier.house.records import Row as LogRow
from croupier.house.store import Store
from croupier.house.urls import copy_folder, open_database
from croupier.table import ActorRank, Order, Refused

EVENTS = 1_000_000
TABLES = 100
SINCE = 250
"""Events after the newest snapshot of each table, half of what the House lets gather."""
ROWS_AT_ONCE = 2_000
REPEATS = 3
WHEN = datetime(2024, 8, 1, 20, tzinfo=timezone(timedelta(hours=8)))


def measure() -> list[Row]:
    """Fill a database, then replay and start."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'house.db'}"
        filled(url, EVENTS, TABLES)
        replayed = max(replay(url, EVENTS // TABLES) for _ in range(REPEATS))
        started = min(start(url, TABLES) for _ in range(REPEATS))
    return [
        Row(
            benchmark="house_start",
            what="replay a log from its first event",
            value=replayed,
            unit="events/s",
            target=Target(at="least", limit=100_000),
        ),
        Row(
            benchmark="house_start",
            what=f"start with {EVENTS:,} events of {TABLES} tables",
            value=started,
            unit="s",
            target=Target(at="most", limit=2),
        ),
    ]


def filled(url: str, events: int, tables: int) -> None:
    """Store the same play as the logs of many tables, with a snapshot of each near its end."""
    store = Store(open_database(url))
    each = events // tables
    log, state = play(each, each - SINCE)
    for number in range(1, tables + 1):
        place = f"table {number}"
        for first in range(0, each, ROWS_AT_ONCE):
            command_id = f"{place} {first}"
            rows = [
                LogRow(
                    stream=place,
                    position=position,
                    command_id=command_id,
                    who="house",
                    rank="house",
                    at=WHEN.isoformat(),
                    event=event,
                )
                for position, event in enumerate(log[first : first + ROWS_AT_ONCE], first + 1)
            ]
            bundle = Bundle(command_id=command_id, expected={place: first}, rows=rows)
            if any(store.append([bundle])):
                raise RuntimeError("the store turned a bundle away")
    store.save_snapshots(
        Snapshot(stream=f"table {number}", position=state[0], state=state[1])
        for number in range(1, tables + 1)
    )
    copy = LogCopy(copy_folder(url) or "")
    copy.catch_up(store)
    copy.close()
    store.close()


def play(events: int, kept_at: int) -> tuple[list[bytes], tuple[int, bytes]]:
    """So many events of one table, and its state after about `kept_at` of them."""
    table, hand = make_table(), Hand("bench")
    log: list[bytes] = []
    state: tuple[int, bytes] | None = None
    while len(log) < events:
        command = hand.next(table)
        order = Order(command=command, who="house", rank=ActorRank.HOUSE, when=WHEN)
        answer = table.handle(order)
        if isinstance(answer, Refused):
            raise RuntimeError(f"refused: {answer}")
        log += map(msgspec.json.encode, answer)
        if state is None and len(log) >= kept_at:
            state = (len(log), table.snapshot())
    assert state is not None
    return log[:events], state


def replay(url: str, events: int) -> float:
    """Events a second, from the database into a table; the processor's time, reading included."""
    store = Store(open_database(url))
    table = make_table()
    begin = time.process_time()
    for row in store.rows("table 1"):
        table.apply(table.read_event(row.event))
    taken = time.process_time() - begin
    store.close()
    return events / taken


def start(url: str, tables: int) -> float:
    """Seconds until a House with all its tables is ready."""
    begin = time.perf_counter()
    store, reader = (Store(open_database(url)) for _ in range(2))
    house = House(store, reader=reader, copy=LogCopy(copy_folder(url) or ""))
    for number in range(1, tables + 1):
        house.add_table(f"table {number}", make_table)
    taken = time.perf_counter() - begin
    house.close()
    store.close()
    reader.close()
    return taken
