"""Whatever is spoiled is found and named, on both databases, by the database alone and by its copy.

With both rewritten by somebody who knows the format, the seals tell; flipped bits in the files of a
PostgreSQL server are in `test_pages_postgres.py`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from croupier.house.audit import Difference
from croupier.house.chain import START, digest, order_digest
from croupier.house.database import Database
from croupier.house.records import Row
from croupier.house.store import Store
from tests.house.bits import cells
from tests.house.evening import open_casino
from tests.house.nights import Night, cut

EVENT = "UPDATE log SET event = ? WHERE place = ? AND position = ?"


def rows_of(database: Database, place: str) -> list[Row]:
    return [row.as_stored() for row in Store(database).rows(place)]


def first(rows: list[Row], words: bytes) -> Row:
    return next(row for row in rows if words in row.event)


# -- what somebody does, and where that must be named ---------------------------------------------


def an_amount(database: Database) -> str:
    row = first(rows_of(database, "P8"), b'"event":"rake taken"')
    more = re.sub(rb'"amount":(\d+)', rb'"amount":9\1', row.event)
    database.execute(EVENT, (more, row.stream, row.position))
    return f"P8 at {row.position}"


def a_swapped_pair(database: Database) -> str:
    rows = rows_of(database, "P8")
    one = first(rows[10:], b'"event":')
    other = rows[one.position]  # the next one
    assert one.event != other.event
    database.execute(EVENT, (other.event, "P8", one.position))
    database.execute(EVENT, (one.event, "P8", other.position))
    return f"P8 at {one.position}"


def a_deleted_round(database: Database) -> str:
    """With its orders, its entries and what it was worth; the later events move up."""
    rows = rows_of(database, "P8")
    start = first(rows, b'"event":"announced"').position - 1
    end = first(rows, b'"event":"round ended"').position
    gone = {row.command_id for row in rows[start:end]}
    for command_id in gone:
        for table in ("log", "orders"):
            database.execute(f"DELETE FROM {table} WHERE command_id = ?", (command_id,))
    sql = "DELETE FROM entries WHERE place = 'P8' AND position > ? AND position <= ?"
    database.execute(sql, (start, end))
    for position in range(end + 1, len(rows) + 1):
        moved = (position - (end - start), position)
        for table in ("log", "entries"):
            sql = f"UPDATE {table} SET position = ? WHERE place = 'P8' AND position = ?"
            database.execute(sql, moved)
    database.execute("UPDATE heads SET position = position - ? WHERE place = 'P8'", (end - start,))
    database.execute("UPDATE length SET events = (SELECT COUNT(*) FROM log)")
    return f"P8 at {start + 1}"


def a_name(database: Database) -> str:
    row = first(rows_of(database, "P8"), b'"Ben"')
    database.execute(EVENT, (row.event.replace(b'"Ben"', b'"Ann"'), "P8", row.position))
    return f"P8 at {row.position}"


def an_undealt_card(database: Database) -> str:
    """The last cards of a deck are never dealt: two of them change places."""
    row = first(rows_of(database, "V6"), b'"hidden":{')
    head, mark, tail = row.event.rpartition(b'"}')
    assert mark
    swapped = head[:-4] + head[-2:] + head[-4:-2] + mark + tail
    assert swapped != row.event
    database.execute(EVENT, (swapped, "V6", row.position))
    return f"V6 at {row.position}"


def a_ledger_entry(database: Database) -> str:
    """One player gets what another one loses, with both balances."""
    [(place, position, account)] = database.execute(
        "SELECT place, position, account FROM entries WHERE account = 'player/Ann' "
        "AND place <> 'office' ORDER BY place, position LIMIT 1"
    )
    for whose, amount in (("player/Ann", 100), ("player/Ben", -100)):
        database.execute(
            "UPDATE balances SET balance = balance + ? WHERE account = ?", (amount, whose)
        )
    sql = "UPDATE entries SET amount = amount + 100 WHERE place = ? AND position = ? "
    database.execute(f"{sql}AND account = ?", (place, position, account))
    return f"{place} at {position}"


def an_order_of_another_decision(database: Database) -> str:
    """A fold becomes a call: with the order's digest and the whole chain made again."""
    store = Store(database)
    decided = next(d for d in store.decisions(["P8"]) if b'{"do":"fold"' in d.order.command)
    order = decided.order
    order.command = order.command.replace(b'{"do":"fold"', b'{"do":"call"')
    database.execute(
        "UPDATE orders SET command = ? WHERE command_id = ?", (order.command, order.command_id)
    )
    last = START
    for row in list(store.rows("P8")):
        if row.position == decided.rows[0].position:
            row.order = order_digest(order)
        last = digest(last, row)
        database.execute(
            "UPDATE log SET digest = ?, order_digest = ? WHERE place = 'P8' AND position = ?",
            (last, row.order, row.position),
        )
    database.execute("UPDATE heads SET digest = ? WHERE place = 'P8'", (last,))
    return f"P8 at {decided.rows[0].position} (order {order.number})"


class Spoiling(NamedTuple):
    """What is done, in which table it is named alone, and in which with the copy."""

    does: Callable[[Database], str]
    alone: str
    in_copy: bool = True
    """Whether the copy, which has no ledger, tells it too."""


SPOILINGS = [
    Spoiling(an_amount, "log"),
    Spoiling(a_swapped_pair, "log"),
    Spoiling(a_deleted_round, "log"),
    Spoiling(a_name, "log"),
    Spoiling(an_undealt_card, "log"),
    Spoiling(a_ledger_entry, "entries", in_copy=False),
    Spoiling(an_order_of_another_decision, "orders"),
]


def on_both() -> Iterator[Any]:
    """Each on SQLite; on a server the first, and the others where there is time."""
    for night in ("sqlite", "postgres"):
        for number, spoiling in enumerate(SPOILINGS):
            marks = [pytest.mark.slow] if night == "postgres" and number else []
            name = f"{night}-{spoiling.does.__name__}"
            yield pytest.param(night, spoiling, marks=marks, id=name)


server_if_slow = pytest.mark.parametrize(
    "night", ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)], indirect=True
)


def told(found: list[Difference], table: str, where: str) -> list[str]:
    return [str(each) for each in found if each.table == table and where in str(each)]


@pytest.mark.parametrize(("night", "spoiling"), [*on_both()], indirect=["night"])
def test_it_is_found_and_named(night: Night, spoiling: Spoiling):
    database = night.open()
    with database.transaction():
        where = spoiling.does(database)
    database.close()
    alone = night.found(with_copy=False)
    tables = {spoiling.alone, "log"}  # an order and its events are held to each other
    assert any(told(alone, table, where) for table in tables), alone
    with_copy = night.found(with_copy=True)
    assert with_copy
    if spoiling.in_copy:
        assert any(each.table == "copy" for each in with_copy), with_copy


def test_of_an_order_whose_event_is_gone_that_is_said(sqlite_night: Night):
    """And not that the order was changed."""
    database = sqlite_night.open()
    row = first(rows_of(database, "P8"), b'"event":"rake taken"')
    sql = "DELETE FROM log WHERE place = 'P8' AND command_id = ?"
    database.execute(sql, (row.command_id,))
    database.close()
    said = [str(each) for each in sqlite_night.found(with_copy=False)]
    assert any("the one that it is bound to is gone" in each for each in said)
    assert not any("was changed" in each for each in said if each.startswith("orders"))


@server_if_slow
def test_a_cut_tail_is_found_and_named(night: Night):
    cut(night, "P8", 30)
    assert {each.table for each in night.found(with_copy=False)} & {"orders", "balances"}
    assert told(night.found(with_copy=True), "copy", "P8 at 31")


@server_if_slow
def test_a_deleted_copy_is_found_and_named(night: Night):
    shutil.rmtree(night.copy)
    assert told(night.found(with_copy=True), "copy", "it was deleted")
    open_casino(night.url, night.copy, seed=3).stop()
    assert told(night.found(with_copy=False), "copies", "there is one in"), "the database alone"


@pytest.mark.parametrize("name", ["log", "orders", "log_by_command", "sqlite_autoindex_log_1"])
def test_a_flipped_bit_is_found_and_named(sqlite_night: Night, name: str):
    cell = [cell for cell in cells(sqlite_night.file) if cell.name == name][7]
    whole = bytearray(sqlite_night.file.read_bytes())
    whole[(cell.start + cell.end) // 2] ^= 4
    sqlite_night.file.write_bytes(whole)
    for with_copy in (False, True):
        found = sqlite_night.found(with_copy=with_copy)
        assert found
        if "_" in name:
            assert found[0].table == "pages"
            assert name in str(found[0])
