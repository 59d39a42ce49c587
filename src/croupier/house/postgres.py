"""PostgreSQL by the interface of `croupier.house.database`, for several processes and machines.

The same SQL with `$1` for `?`. A writer's transaction begins with an advisory lock, so that groups
are stored one after another and whoever reads by cursor never misses one that commits late; it
ends with one NOTIFY, which wakes the other processes.

asyncpg runs on an event loop of its own in a thread of its own: the House is called from threads
and from the loop of the live tables alike, and a connection that breaks is noticed at once. A lost
connection is opened again by the next transaction, or the next reading.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import asyncpg

from croupier.house.database import ALL, KEEP, Database, Insertion
from croupier.house.errors import (
    CorruptDatabase,
    DiskFull,
    HouseError,
    LostConnection,
    StorageError,
)
from croupier.house.urls import shown

T = TypeVar("T")


class Session(Protocol):
    """To whom connections belong, where several servers share a database."""

    async def opened(self, connection: Any) -> None:
        """A connection was opened: mark it; an error if it may not be used."""


Types = tuple[tuple[str, str], ...]
"""The columns of a table, each with its type."""
Shape = tuple[str, tuple[str, ...], Types, str]
"""What rows are inserted into: table, columns, types, and what to do on conflict."""

CHANNEL = "croupier"
"""The channel of NOTIFY."""
WRITERS = 0x63726F7570696572 >> 1
"""The advisory lock of whoever writes: the letters of `croupier`, within 63 bits."""
CONNECT_SECONDS = 10
LOCK_SECONDS = 30
"""How long a writer waits for another one before it gives up."""
IDLE_SECONDS = 60
"""After so long without a word the server ends a transaction: a process that hangs must not stop
the others."""

SETTINGS = {
    "application_name": f"croupier {socket.gethostname()} {os.getpid()}",
    "lock_timeout": f"{LOCK_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
    "client_min_messages": "error",
    # Whoever has waited for another writer must then see what that one wrote.
    "default_transaction_isolation": "read committed",
}

# An acknowledged command must be on the disk, whatever the server's default is; stronger settings
# than `on` stay as the operator has them.
SYNC = (
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
)


INDEXES = (
    "SELECT c.oid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
    "JOIN pg_am a ON a.oid = c.relam JOIN pg_namespace n ON n.oid = c.relnamespace "
    "WHERE n.nspname = current_schema() AND a.amname = 'btree' ORDER BY 1"
)
"""The indexes of croupier's tables."""


class PostgresDatabase(Database):
    """One connection to a server."""

    words = {
        "blob": "BYTEA",
        "keys": "= ANY(?::text[])",
        "locked": "FOR UPDATE",
        "key": "BIGINT",
    }
    in_one_step = True

    def __init__(self, url: str, session: Session | None = None) -> None:
        super().__init__(shown(url))
        self._url = url
        self._session = session
        self._loop = _Loop()
        self._connection: Any = None
        self._in_transaction = False
        self._types: dict[str, Types] = {}
        self._listeners: list[tuple[Callable[[], None], Database | None]] = []
        try:
            self._connect()
        except BaseException:
            self._loop.close()
            raise

    # -- the connection ----------------------------------------------------------------------

    def belong_to(self, session: Session) -> None:
        """Be a connection of a server among several, also when it is opened again."""
        with self.lock:
            self._session = session
            if self._connection is not None and not self._connection.is_closed():
                self._wait(session.opened(self._connection))

    def drop(self) -> None:
        """Cut the connection off; the next statement opens another one."""
        with self.lock:
            self._drop()

    def _connect(self) -> None:
        self._connection = self._wait(_connected(self._url))
        if self._session is not None:
            self._wait(self._session.opened(self._connection))
        self._in_transaction = False
        for listener, but_not in self._listeners:
            self._subscribe(listener, but_not)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the loop do something; its errors by the names of the House."""
        try:
            return self._loop.run(work)
        except HouseError:
            raise
        except Exception as error:
            named = _named(self.name, error)
            if isinstance(named, LostConnection):
                self._drop()
            raise named from error
        except BaseException:  # interrupted: nobody knows what the connection is at
            self._drop()
            raise

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._loop.call(connection.terminate)

    def _ready(self) -> Any:
        """The connection, opened again if it is gone; never in the middle of a transaction."""
        lost = self._connection is None or self._connection.is_closed()
        if lost and self._in_transaction:
            raise LostConnection(f"{self.name}: the connection was lost within a transaction")
        if lost:
            self._connect()
        return self._connection

    # -- the interface -----------------------------------------------------------------------

    @property
    def url(self) -> str:
        return self._url

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self.lock:
            try:
                return self._fetch(sql, values)
            except LostConnection:
                if self._in_transaction or not sql.startswith("SELECT"):
                    raise
                return self._fetch(sql, values)  # reading again does no harm

    def _fetch(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        found = self._wait(self._ready().fetch(_numbered(sql), *values))
        return [tuple(record) for record in found]

    def insert_all(self, insertions: Sequence[Insertion]) -> list[int]:
        with self.lock:
            sql = _insertion(tuple(map(self._shape, insertions)), self.quiet)
            [counts] = self._wait(self._ready().fetch(sql, *_arrays(insertions)))
        return list(counts)[1:]

    def insert_if(self, known: int, added: int, insertions: Sequence[Insertion]) -> bool:
        with self.lock:
            sql = _insertion_if(tuple(map(self._shape, insertions)), self.quiet)
            arrays = _arrays(insertions)
            [(_, ours)] = self._wait(self._ready().fetch(sql, *arrays, known, added))
        return bool(ours)

    def _shape(self, insertion: Insertion) -> Shape:
        types = self._types_of(insertion.table)
        return insertion.table, insertion.columns, types, insertion.on_conflict

    def _types_of(self, table: str) -> Types:
        """The types of a table's columns, asked once."""
        if table not in self._types:
            found = self.execute(
                "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
                "WHERE attrelid = ?::text::regclass AND attnum > 0 AND NOT attisdropped",
                (table,),
            )
            self._types[table] = tuple((name, kind) for name, kind in found)
        return self._types[table]

    def keys(self, keys: Sequence[str]) -> list[str]:
        return list(keys)

    def script(self, sql: str) -> None:
        with self.lock:
            self._wait(self._ready().execute(sql))

    def begin(self) -> None:
        with self.lock:
            self._in_transaction = False
            try:
                try:
                    self._begin()
                except LostConnection:
                    self._begin()  # safe to repeat: nothing was written by the lost connection
            except BaseException:  # the lock was not to be had: the transaction is of no use
                self._in_transaction = True
                self.roll_back()
                raise
            self._in_transaction = True

    def _begin(self) -> None:
        sql = f"BEGIN; SELECT pg_advisory_xact_lock({WRITERS})"
        self._wait(self._ready().execute(sql))

    def begin_reading(self) -> None:
        with self.lock:
            self._wait(self._ready().execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            self._in_transaction = True

    def commit(self) -> None:
        with self.lock:
            status = self._wait(self._ready().execute("COMMIT"))
            self._in_transaction = False
        if status != "COMMIT":  # how PostgreSQL answers after a statement that failed
            raise StorageError(f"{self.name} rolled the transaction back instead of storing it")

    def roll_back(self) -> None:
        with self.lock:
            if self._in_transaction:
                self._in_transaction = False
                if self._connection is not None and not self._connection.is_closed():
                    self._wait(self._connection.execute("ROLLBACK"))

    def is_session(self, pid: int) -> bool:
        """Whether this connection is served by that process of the server."""
        connection = self._connection
        if connection is None or connection.is_closed():
            return False
        return bool(connection.get_server_pid() == pid)

    def tables(self) -> set[str]:
        found = self.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name for (name,) in found}

    def servers_beside(self) -> list[str]:
        if "servers" not in self.tables():
            return []
        found = self.execute(
            "SELECT name, version, schema_number FROM servers s WHERE ended = '' AND EXISTS ("
            "SELECT 1 FROM pg_stat_activity a WHERE a.application_name = s.session "
            "AND a.datname = current_database()) ORDER BY name"
        )
        return [f"{name} (croupier {version}, schema {schema})" for name, version, schema in found]

    def strangers(self) -> list[str]:
        found = self.execute(
            "SELECT 'trigger', t.tgname::text FROM pg_trigger t JOIN pg_class c "
            "ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE NOT t.tgisinternal AND n.nspname = current_schema() "
            "UNION ALL SELECT 'rule', r.rulename::text FROM pg_rules r "
            "WHERE r.schemaname = current_schema() "
            "UNION ALL SELECT 'view', v.viewname::text FROM pg_views v "
            "WHERE v.schemaname = current_schema() ORDER BY 2"
        )
        return [f"{kind} {name}" for kind, name in found]

    def damages(self, *, quick: bool) -> list[str]:
        schema = self._amcheck()
        if schema is None:
            return []
        found = []
        for (index,) in self.execute(INDEXES):
            check = f"SELECT {schema}.bt_index_check(?::text::regclass, ?)"
            found += self._failures(check, (index, not quick), f"index {index}")
        for table in sorted(self.tables()) if not quick else []:
            check = f"SELECT blkno, msg FROM {schema}.verify_heapam(?::text::regclass)"
            found += self._failures(check, (table,), f"table {table}")
        return found

    def _failures(self, check: str, values: Sequence[Any], what: str) -> list[str]:
        """What one check of amcheck finds: it tells it in rows, or as an error."""
        try:
            rows = self.execute(check, values)
        except LostConnection:
            raise
        except StorageError as error:
            return [f"{what}: {error}"]
        return [f"{what}, page {row[0]}: {row[1]}" for row in rows if len(row) > 1]

    def _amcheck(self) -> str | None:
        """The schema in which the server has amcheck for this database."""
        found = self.execute(
            "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n "
            "ON n.oid = e.extnamespace WHERE e.extname = 'amcheck'"
        )
        return found[0][0] if found else None

    @property
    def page_check(self) -> str:
        if self._amcheck() is not None:
            [(sums,)] = self.execute("SELECT current_setting('data_checksums')")
            return "amcheck" if sums == "on" else "amcheck; the server keeps no data checksums"
        known = self.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'amcheck'")
        how = "CREATE EXTENSION amcheck" if known else "the server has none"
        return f"not looked at: amcheck is not there ({how})"

    def again(self) -> PostgresDatabase:
        return PostgresDatabase(self._url, self._session)

    def close(self) -> None:
        with self.lock:
            connection, self._connection = self._connection, None
            try:
                if connection is not None and not connection.is_closed():
                    self._loop.run(_closed(connection))
            finally:
                self._loop.close()

    # -- what other processes write ----------------------------------------------------------

    def listen(self, listener: Callable[[], None], *, but_not: Database | None = None) -> None:
        """Be woken when another process has stored something; the loop's thread calls, so be brief.

        A listener is woken once after every new connection too: it may have missed something.
        """
        with self.lock:
            self._ready()
            self._listeners.append((listener, but_not))
            self._subscribe(listener, but_not)

    def _subscribe(self, listener: Callable[[], None], but_not: Database | None) -> None:
        def woken(connection: Any, pid: int, channel: str, payload: str) -> None:
            if not (isinstance(but_not, PostgresDatabase) and but_not.is_session(pid)):
                listener()

        self._wait(self._connection.add_listener(CHANNEL, woken))
        self._loop.call(listener)


class _Loop:
    """An event loop that runs in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="house-postgres", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for a piece of work. A closed loop does none."""
        if self._loop.is_closed():
            work.close()
            raise StorageError("this connection to PostgreSQL was closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def call(self, function: Callable[[], object]) -> None:
        """Have something called soon."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """Stop; a second time does nothing."""
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _connected(url: str) -> Any:
    connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS, server_settings=SETTINGS)
    await connection.execute(SYNC)
    return connection


async def _closed(connection: Any) -> None:
    try:
        await connection.close(timeout=CONNECT_SECONDS)
    except Exception:  # it is going away in any case
        connection.terminate()


@lru_cache
def _numbered(sql: str) -> str:
    """`$1`, `$2` for each `?`; no text of the House's SQL holds one."""
    first, *others = sql.split("?")
    return first + "".join(f"${number}{rest}" for number, rest in enumerate(others, start=1))


def _arrays(insertions: Sequence[Insertion]) -> list[list[Any]]:
    """The values of a statement that inserts: an array for each column."""
    return [list(column) for each in insertions for column in zip(*each.rows, strict=True)]


NOTIFY = f"pg_notify('{CHANNEL}', '')"
"""Wakes whoever listens; the server does so when the transaction is durable."""
NOTHING = "NULL"
"""In its place, where nobody else need look."""


@lru_cache
def _insertion(shapes: tuple[Shape, ...], quiet: bool) -> str:
    """One statement for any number of rows of several tables; it counts them."""
    parts = ", ".join(_parts(shapes, "unnest({arrays}) AS u"))
    counts = ", ".join(f"(SELECT count(*) FROM into_{table})" for table, *_ in shapes)
    return f"WITH {parts} SELECT {NOTHING if quiet else NOTIFY}, {counts}"


@lru_cache
def _insertion_if(shapes: tuple[Shape, ...], quiet: bool) -> str:
    """The same, if the logs are as long as the last value but one says; the last is added to that.

    Whoever comes second waits at the row of the length for the first, finds it changed, and has no
    turn: none of his rows is inserted. Nothing gives way to what is there already.
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
    told = NOTHING if quiet else NOTIFY
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


LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)


def _named(name: str, error: Exception) -> StorageError:
    """PostgreSQL's errors by the names of the House."""
    said = str(error) or type(error).__name__
    match error:
        case asyncpg.DiskFullError():
            return DiskFull(f"there is no room left on the server of {name}: {said}")
        case asyncpg.DataCorruptedError() | asyncpg.IndexCorruptedError():
            return CorruptDatabase(f"{name} is damaged: {said}")
        case asyncpg.IntegrityConstraintViolationError():
            # Whatever could collide was looked up in the same transaction.
            return CorruptDatabase(f"{name} holds rows that its heads do not know: {said}")
        case asyncpg.LockNotAvailableError():
            return StorageError(
                f"another process has kept {name} locked for {LOCK_SECONDS} s; look for a croupier "
                f"that hangs"
            )
        case asyncpg.InvalidCatalogNameError():
            return StorageError(f"{name}: {said}; make it with `createdb`")
        case asyncpg.InvalidAuthorizationSpecificationError():
            return StorageError(f"{name} does not let croupier in: {said}")
        case asyncpg.ReadOnlySQLTransactionError():
            return StorageError(f"{name} may not be written: {said}")
        case asyncpg.ClientConfigurationError():
            return StorageError(f"{name}: {said}")
        case asyncpg.InterfaceError() | asyncpg.InternalClientError():
            # asyncpg no longer knows what the connection is at, so neither do we.
            return LostConnection(f"the connection to {name} was lost: {said}")
        case _ if isinstance(error, LOST):
            return LostConnection(f"PostgreSQL at {name} cannot be reached: {said}")
        case _:
            return StorageError(f"{name}: {said}")
