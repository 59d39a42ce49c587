"""The statements of PostgreSQL that are made, not written: any number of rows of several tables
inserted by one of them, and what a connection says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from croupier.house.database import ALL, KEEP, Insertion

Types = tuple[tuple[str, str], ...]
"""The columns of a table, each with its type."""
Shape = tuple[str, tuple[str, ...], Types, str]
"""What rows are inserted into: table, columns, types, and what to do on conflict."""

CHANNEL = "croupier"
"""The channel of NOTIFY."""

# An acknowledged command must be on the disk, whatever the server's default is; stronger settings
# than `on` stay as the operator has them.
SYNC = (
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
)

# Writes a little to the server's log of changes, whose commit waits for the standby as any other,
# and for everything before it. Nothing where no standby must confirm.
WAIT_FOR_STANDBY = (
    "SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('synchronous_standby_names') <> "
    "'' THEN pg_logical_emit_message(true, 'croupier', '')::text END"
)

INDEXES = (
    "SELECT c.oid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_am a ON a.oid = c.relam JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND a.amname = 'btree' ORDER BY 1"
)
"""The indexes of croupier's tables."""


@lru_cache
def numbered(sql: str) -> str:
    """`$1`, `$2` for each `?`; no text of the House's SQL holds one."""
    first, *others = sql.split("?")
    return first + "".join(f"${number}{rest}" for number, rest in enumerate(others, start=1))


def arrays_of(insertions: Sequence[Insertion]) -> list[list[Any]]:
    """The values of a statement that inserts: an array for each column."""
    return [list(column) for each in insertions for column in zip(*each.rows, strict=True)]


NOTHING = "NULL"
"""In place of a notice, where nobody else need look."""


def notice(signature: str) -> str:
    """Wakes whoever listens; the server does so when the transaction is durable."""
    return f"pg_notify('{CHANNEL}', '{signature}')"


@lru_cache
def insertion(shapes: tuple[Shape, ...], told: str) -> str:
    """One statement for any number of rows of several tables; it counts them. `told` is the notice
    to others, or `NOTHING`."""
    parts = ", ".join(_parts(shapes, "unnest({arrays}) AS u"))
    counts = ", ".join(f"(SELECT count(*) FROM into_{table})" for table, *_ in shapes)
    return f"WITH {parts} SELECT {told}, {counts}"


@lru_cache
def insertion_if(shapes: tuple[Shape, ...], told: str) -> str:
    """The same, if the logs are as long as the last value but one says; the last is added to that.

    Whoever comes second waits at the row of the length for the first, finds it changed, and has no
    turn: none of these rows is inserted. Nothing gives way to what is there already.
    """
    number = sum(len(columns) for _, columns, _, _ in shapes)
    turn = (
        f"turn AS (UPDATE length SET events = events + ${number + 2}::bigint "
        f"WHERE log = '{ALL}' AND events = ${number + 1}::bigint RETURNING 1)"
    )
    firm = tuple(
        (table, columns, types, "" if on_conflict == KEEP else on_conflict)
        for table, columns, types, on_conflict in shapes
    )
    parts = ", ".join([turn, *_parts(firm, "unnest({arrays}) AS u CROSS JOIN turn")])
    return f"WITH {parts} SELECT {told}, (SELECT count(*) FROM turn)"


def _parts(shapes: tuple[Shape, ...], source: str) -> Iterator[str]:
    """The insertion into each table, as a part of one statement."""
    number = 0
    for table, columns, types, on_conflict in shapes:
        kinds: dict[str, str] = dict(types)
        arrays = []
        for column in columns:
            number += 1
            arrays.append(f"${number}::{kinds[column]}[]")
        yield (
            f"into_{table} AS (INSERT INTO {table} ({', '.join(columns)}) "
            f"SELECT u.* FROM {source.format(arrays=', '.join(arrays))} {on_conflict} RETURNING 1)"
        )
