"""The pages of the database itself: damage that no row shows, and rows that no column may hold.

A flipped bit in a row is found by its chain, its order or the ledger. One in an index is not seen
by whoever reads the table, and makes a row vanish for whoever looks it up: that the indexes hold
what the tables hold, only the database can say (`integrity_check` of SQLite, `amcheck` of
PostgreSQL where the server has it). SQLite takes a value of any kind in any column, and believes
any definition of its tables: both are compared with what croupier makes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from croupier.house.audit.findings import Difference, contrast, shown
from croupier.house.database import Database
from croupier.house.errors import LostConnection, StorageError
from croupier.house.migrations import create
from croupier.house.sqlite import SqliteDatabase

LISTED = 5
"""Damages that are listed: one bad page is many of them."""
KINDS = {"TEXT": "text", "BIGINT": "integer", "INTEGER": "integer", "BLOB": "blob"}
"""What the values of a column are, by how it is declared."""


def check_pages(database: Database) -> Iterator[Difference]:
    """Everything that is wrong with the pages, tables and kinds of values."""
    found = database.again()  # what fails must not end the walk of everything else
    try:
        damages = found.damages(quick=False)
        for says in damages[:LISTED]:
            yield Difference(table="pages", where=database.name, says=says)
        if len(damages) > LISTED:
            says = f"and {len(damages) - LISTED:,} more"
            yield Difference(table="pages", where=database.name, says=says)
        if isinstance(found, SqliteDatabase):
            yield from _definitions(found)
            yield from _kinds(found)
    except LostConnection:
        raise
    except StorageError as error:
        yield Difference(table="pages", where=database.name, says=str(error))
    finally:
        found.close()


DEFINITIONS = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
NUMBERS = "SELECT rowid, type, name FROM sqlite_master ORDER BY rowid"


def _definitions(database: SqliteDatabase) -> Iterator[Difference]:
    """Tables and indexes are those that croupier makes, letter by letter."""
    empty = _Empty()
    ours = {(kind, name): rest for kind, name, *rest in empty.execute(DEFINITIONS)}
    there = {(kind, name): rest for kind, name, *rest in database.execute(DEFINITIONS)}
    for kind, name in sorted(ours.keys() & there.keys()):
        if there[kind, name] != ours[kind, name]:
            yield Difference(
                table="croupier_schema",
                where=f"{kind} {name}",
                column="sql",
                **contrast(there[kind, name], ours[kind, name]),
            )
    for kind, name in sorted(ours.keys() - there.keys(), key=str):
        says = f"the {kind} is gone"
        yield Difference(table="croupier_schema", where=f"{kind} {name}", says=says)
    for kind, name in sorted(there.keys() - ours.keys(), key=str):
        if kind == "index":  # tables, views and triggers are named elsewhere
            says = "croupier has made no such index"
            yield Difference(table="croupier_schema", where=f"index {shown(name)}", says=says)
    if ours.keys() == there.keys():
        yield from _numbers(database, empty)
    empty.close()


def _numbers(database: SqliteDatabase, empty: SqliteDatabase) -> Iterator[Difference]:
    """The definitions stand in the order in which croupier makes them, or SQLite writes them anew
    when an operator has the file compacted."""
    found, made = database.execute(NUMBERS), empty.execute(NUMBERS)
    if found == made:
        return
    empty.execute("VACUUM")
    if found != empty.execute(NUMBERS):
        wrong = [one[2] for one, other in zip(found, made, strict=True) if one != other]
        says = "its definition does not stand where croupier has put it"
        yield Difference(table="croupier_schema", where=shown(wrong[0]), says=says)


class _Empty(SqliteDatabase):
    """An empty database of croupier's, in memory."""

    def __init__(self) -> None:
        Database.__init__(self, "memory")
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        with self.transaction():
            create(self)


def _kinds(database: SqliteDatabase) -> Iterator[Difference]:
    """Every value is of the kind that its column is declared to hold.

    Each table is read once, to see whether any value is not; only then column by column.
    """
    for table in sorted(database.tables()):
        columns: dict[str, tuple[str, list[str]]] = {}
        for _, name, declared, must, _, key in database.execute(f"PRAGMA table_info({table})"):
            allowed = [KINDS[declared]] if declared in KINDS else []
            allowed += [] if must or key else ["null"]  # SQLite itself takes one in a key
            # Compared one by one: SQLite looks a value up in a list in twice the time.
            none = [f"typeof({name}) <> '{kind}'" for kind in allowed]
            columns[name] = f"({' AND '.join(none) or 'TRUE'})", allowed
        anywhere = " OR ".join(wrong for wrong, _ in columns.values())
        if not database.execute(f"SELECT 1 FROM {table} WHERE {anywhere} LIMIT 1"):
            continue
        for name, (wrong, allowed) in columns.items():
            found = database.execute(
                f"SELECT rowid, typeof({name}) FROM {table} WHERE {wrong} LIMIT {LISTED}"
            )
            for row, kind in found:
                where = f"row {row} of the file"
                says = f"the value is {kind}, not {' or '.join(allowed)}"
                yield Difference(table=table, where=where, column=name, says=says)
    if database.execute("SELECT rowid FROM croupier_schema") != [(1,)]:
        says = "it is not the first and only row"
        yield Difference(table="croupier_schema", where="the only row", says=says)
