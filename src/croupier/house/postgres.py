"""PostgreSQL by the interface of `croupier.house.database`, for several processes and machines.

The same SQL with `$1` for `?`. A writer's transaction begins with an advisory lock, so that groups
are stored one after another and whoever reads by cursor never misses one that commits late; it
ends with one NOTIFY, which wakes the other processes.

asyncpg runs on an event loop of its own in a thread of its own: the House is called from threads
and from the loop of the live tables alike, and a connection that breaks is noticed at once. A lost
connection is opened again by the next transaction, or the next reading, at whichever host of the
address is the primary by then (`croupier.house.postgres_hosts`).

Where a standby must confirm every commit, a lost connection leaves a doubt: what was committed and
not confirmed can be read on that primary, and is gone if the standby takes its place. So nothing
is read or answered after a loss before a commit of our own, which comes later, was confirmed.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from math import inf
from typing import Any, TypeVar
from weakref import WeakSet

from croupier.house.database import Database, Insertion
from croupier.house.errors import (
    HouseError,
    LostConnection,
    StorageError,
)
from croupier.house.postgres_errors import LOCK_SECONDS, READS_ONLY, named_error
from croupier.house.postgres_hosts import (
    NUMBERS,
    Candidate,
    Host,
    HostAddress,
    answers,
    connect,
    is_old,
    note_timelines,
    read_address,
    timelines,
)
from croupier.house.postgres_loop import Loop
from croupier.house.postgres_sharing import PostgresSharing, mark, number_of
from croupier.house.postgres_sql import (
    CHANNEL,
    INDEXES,
    NOTHING,
    SYNC,
    WAIT_FOR_STANDBY,
    Shape,
    Types,
    arrays_of,
    insertion,
    insertion_if,
    notice,
    numbered,
)
from croupier.house.shared_database import Session
from croupier.house.urls import shown

T = TypeVar("T")


WRITERS = 0x63726F7570696572 >> 1
"""The advisory lock of whoever writes: the letters of `croupier`, within 63 bits."""
CLOSE_SECONDS = 10
PATIENCE_SECONDS = 2.0
"""How long somebody waits for a lost connection to be opened again; the attempt goes on."""
SILENT_SECONDS = 3.0
"""After so long without a word it is looked whether the server answers anybody, or is frozen."""
CONFIRM_SECONDS = 30.0
"""How long a commit may take; a standby that must confirm it may be gone."""
IDLE_SECONDS = 60
"""After so long without a word the server ends a transaction: a process that hangs must not stop
the others."""

SETTINGS = {
    "application_name": f"croupier {socket.gethostname()} {os.getpid()}",
    "lock_timeout": f"{LOCK_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
    # A commit that is not confirmed by the standby is told as a warning.
    "client_min_messages": "warning",
    # A House whose machine has vanished must not keep its locks.
    **{f"tcp_{key}": str(NUMBERS[key]) for key in NUMBERS if key.startswith("keepalives_")},
    "tcp_user_timeout": str(NUMBERS["tcp_user_timeout"]),
    # Whoever has waited for another writer must then see what that one wrote.
    "default_transaction_isolation": "read committed",
}

UNCONFIRMED = ("01000", "57P01")
"""Codes of the warnings with which a server says that it does not wait for the standby any more."""


class Doubt:
    """How often a connection of a House was lost: shared by all its connections."""

    def __init__(self) -> None:
        self.times = 0
        self.shared_by: WeakSet[PostgresDatabase] = WeakSet()

    def cut_off(self, host: Host) -> None:
        """A server is frozen: end every connection to it, so that nobody waits for it any more."""
        for each in tuple(self.shared_by):
            each.end_at(host)


class PostgresDatabase(PostgresSharing):
    """One connection to a server."""

    words = {
        "blob": "BYTEA",
        "keys": "= ANY(?::text[])",
        "locked": "FOR UPDATE",
        "key": "BIGINT",
    }
    in_one_step = True

    def __init__(
        self, url: str, doubt: Doubt | None = None, session: Session | None = None
    ) -> None:
        super().__init__(shown(url))
        self._url = url
        self.signature = secrets.token_hex(8)
        self.session = session
        self._address = read_address(url)
        self._doubt = doubt or Doubt()
        self._confirmed_up_to = 0
        """Up to which loss everything that is read is known to be confirmed."""
        self._attempt: Future[Any] | None = None
        """Under way to connect again."""
        self._in_vain = False
        """Whether somebody has waited for it already."""
        self._warned: list[str] = []
        """Codes of warnings that a commit may have come with."""
        self._doubt.shared_by.add(self)
        self._loop = Loop()
        self._connection: Any = None
        self._server: Candidate
        """Which server the connection is to."""
        self._in_transaction = False
        self._types: dict[str, Types] = {}
        self._listeners: list[tuple[Callable[[], None], Database | None]] = []
        try:
            self._connect(None)
        except BaseException:
            self._loop.close()
            raise

    # -- the connection ----------------------------------------------------------------------

    def belong_to(self, session: Session) -> None:
        with self.lock:
            self.session = session
            if self._is_lost():
                return  # the next one is marked
            try:
                self._wait(mark(self._connection, session))
            except BaseException:
                self._drop()  # else it would be used, though the session has ended
                raise

    def drop(self) -> None:
        with self.lock:
            self._drop()

    def _connect(self, within: float | None) -> None:
        """Connect; who has waited so long goes with an error, and the next one finds it done."""
        attempt = self._attempt or self._loop.start(_connected(self._address))
        self._attempt = attempt
        try:
            server = attempt.result(0 if self._in_vain else within)
        except TimeoutError as error:
            if not attempt.done():
                self._in_vain = True
                says = "no host has answered yet; it is being tried"
                raise LostConnection(
                    f"PostgreSQL at {self.name} cannot be reached: {says}"
                ) from None
            self._attempt = None
            raise named_error(self.name, error) from error
        except Exception as error:
            self._attempt = None
            raise named_error(self.name, error) from error
        self._attempt, self._in_vain = None, False
        made = server.connection
        self._server, self._connection = server, made
        self.connections += 1
        made.add_log_listener(lambda _, message: self._warned.append(message.sqlstate))
        if self.session is not None:
            try:
                self._wait(mark(made, self.session))
            except BaseException:
                self._drop()
                raise
        self._in_transaction = False
        if self.on_connection is not None:
            self.on_connection(self._wait(number_of(made)))
        for listener, but_not in self._listeners:
            self._subscribe(listener, but_not)

    def _wait(self, work: Coroutine[Any, Any, T], within: float | None = None) -> T:
        """Let the loop do something, within so many seconds if they are given; its errors by the
        names of the House."""
        waited = self._loop.start(work)
        left = inf if within is None else within
        try:
            while True:
                try:
                    return waited.result(min(left, SILENT_SECONDS))
                except TimeoutError as error:
                    if waited.done() and waited.exception() is error:
                        raise
                left -= SILENT_SECONDS
                self._look(waited, left)
        except HouseError:
            raise
        except Exception as error:
            named = named_error(self.name, error)
            if isinstance(named, LostConnection) or isinstance(error, READS_ONLY):
                self._drop()
            raise named from error
        except BaseException:  # interrupted: nobody knows what the connection is at
            self._drop()
            raise

    def _look(self, waited: Future[Any], left: float) -> None:
        """The server has not answered for a while: whether it is to be waited for any longer."""
        host, says = self._server.host, ""
        if not self._loop.run(answers(host)):
            says = "it is frozen"
            self._doubt.cut_off(host)
        if left <= 0 and not waited.done():
            says = says or "it takes too long"
        if says:
            self._drop()  # no cancelling: that would make a commit valid which no standby has
            raise LostConnection(f"PostgreSQL at {self.name} cannot be reached: {says}")

    def end_at(self, host: Host) -> None:
        """End the connection, if it is to this host; whoever waits by it hears of it."""
        connection = self._connection
        if connection is not None and self._server.host == host:
            self._loop.call(connection.terminate)

    def note_loss(self) -> None:
        with self.lock:
            self._doubt.times += 1

    def timelines(self) -> dict[str, int]:
        return timelines()

    def note_timelines(self, seen: dict[str, int]) -> None:
        note_timelines(seen)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._loop.call(connection.terminate)

    def _ready(self) -> Any:
        """The connection, for whoever reads or writes by it: what can be read is confirmed."""
        connection = self._open()
        if self._confirmed_up_to != self._doubt.times and not self._in_transaction:
            self.wait_for_standby()
        return connection

    def _open(self) -> Any:
        """The connection, opened again if it is gone; never in the middle of a transaction."""
        lost = self._is_lost()
        if lost and self._in_transaction:
            raise LostConnection(f"{self.name}: the connection was lost within a transaction")
        if lost:
            self._drop()
            if self._attempt is None:
                self._doubt.times += 1
            self._connect(PATIENCE_SECONDS)
        return self._connection

    def _is_lost(self) -> bool:
        """Whether there is no connection, or one to a server that is not the primary any more."""
        connection = self._connection
        return connection is None or connection.is_closed() or is_old(self._server)

    def wait_for_standby(self) -> None:
        """See that a standby that must confirm has everything that can be read here."""
        with self.lock:
            connection, doubt = self._open(), self._doubt.times
            self._warned.clear()
            self._wait(connection.execute(WAIT_FOR_STANDBY), CONFIRM_SECONDS)
            self._confirmed()
            self._confirmed_up_to = doubt

    def _confirmed(self) -> None:
        """After a commit: whether the server has really waited for its standby."""
        if not set(UNCONFIRMED).isdisjoint(self._warned):
            self._drop()
            raise LostConnection(
                f"{self.name} did not wait for its standby: somebody has cancelled that"
            )

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
        found = self._wait(self._ready().fetch(numbered(sql), *values))
        return [tuple(record) for record in found]

    def insert_all(self, insertions: Sequence[Insertion], *, quiet: bool = False) -> list[int]:
        with self.lock:
            sql = insertion(tuple(map(self._shape, insertions)), self._notice(quiet))
            [counts] = self._wait(self._ready().fetch(sql, *arrays_of(insertions)))
        return list(counts)[1:]

    def insert_if(
        self, known: int, added: int, insertions: Sequence[Insertion], *, quiet: bool = False
    ) -> bool:
        with self.lock:
            sql = insertion_if(tuple(map(self._shape, insertions)), self._notice(quiet))
            arrays = arrays_of(insertions)
            before, connection = self.connections, self._ready()
            if self.connections != before:
                return False  # another server, maybe: what is remembered is to be looked up again
            self._warned.clear()
            asked = connection.fetch(sql, *arrays, known, added)
            [(_, ours)] = self._wait(asked, CONFIRM_SECONDS)
            self._confirmed()
        return bool(ours)

    def _notice(self, quiet: bool) -> str:
        return NOTHING if quiet else notice(self.signature)

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
            self._warned.clear()
            status = self._wait(self._ready().execute("COMMIT"), CONFIRM_SECONDS)
            self._in_transaction = False
            self._confirmed()
        if status != "COMMIT":  # how PostgreSQL answers after a statement that failed
            raise StorageError(f"{self.name} rolled the transaction back instead of storing it")

    def roll_back(self) -> None:
        with self.lock:
            if self._in_transaction:
                self._in_transaction = False
                if self._connection is not None and not self._connection.is_closed():
                    self._wait(self._connection.execute("ROLLBACK"))

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
        return PostgresDatabase(self._url, self._doubt, self.session)

    def close(self) -> None:
        with self.lock:
            connection, self._connection = self._connection, None
            attempt, self._attempt = self._attempt, None
            try:
                if attempt is not None:
                    self._loop.run(_ended(attempt))
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
            if not (isinstance(but_not, PostgresDatabase) and payload == but_not.signature):
                listener()

        self._wait(self._connection.add_listener(CHANNEL, woken))
        self._loop.call(listener)


async def _connected(address: HostAddress) -> Candidate:
    server = await connect(address, SETTINGS)
    await server.connection.execute(SYNC)
    return server


async def _ended(attempt: Future[Any]) -> None:
    """End an attempt to connect."""
    attempt.cancel()
    with suppress(BaseException):
        (await asyncio.wrap_future(attempt)).connection.terminate()


async def _closed(connection: Any) -> None:
    try:
        await connection.close(timeout=CLOSE_SECONDS)
    except Exception:  # it is going away in any case
        connection.terminate()
