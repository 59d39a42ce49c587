"""A model of the House's database: its SQL is SQLite's, its disk and its network are ours.

Statements are carried out by SQLite. What makes a transaction last is modelled here, so that it can
fail as a real one does: its statements are written to a log on a `Disk` as one record with a
checksum, and synced. After a power cut the log is read up to the first record that is not whole. A
session may be cut off at any step, also while it commits: then nobody has told it whether the
transaction was carried out, and it may still be, later.

The same suite holds it to what is asked of SQLite and PostgreSQL (`tests/house/contract.py`).
"""

from __future__ import annotations

import json
import sqlite3
import struct
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal

import msgspec

from croupier.house.database import Database, Insertion
from croupier.house.errors import LostConnection, StorageError
from croupier.house.sqlite import insertion_sql, named_error
from croupier.simulator.backends import Backend, Backends
from croupier.simulator.disk import Disk

Statement = tuple[str, list[Any], bool]
"""SQL, its values, and whether these are many rows."""
Fate = Literal["done", "lost", "unknown", "late"]
"""What becomes of a commit. `lost`: the connection ends before it; `unknown`: after it, before
anybody is told; `late`: as `unknown`, but others see it only when they next write."""

READS = ("SELECT", "PRAGMA")
HEAD = struct.Struct("!III")
"""Before each record: its length, its checksum, and which log it belongs to."""


class ModelServer:
    """What every session has in common: the disk, and the state that it holds."""

    def __init__(self, disk: Disk | None = None, image: bytes = b"") -> None:
        """`image` is what it holds at the beginning."""
        self.disk = disk or Disk()
        self.lock = threading.RLock()
        """Held through a transaction: there is one at a time."""
        self.owner: ModelDatabase | None = None
        """Whose transaction is open."""
        self.backends = Backends()
        """The connections of those who share it."""
        self.on_lost: Callable[[Backend], None] = self.backends.end
        """Called when a process has lost a connection: it ends at once, or later."""
        self.commits = 0
        self.on_step: Callable[[ModelDatabase, str], None] = lambda session, step: None
        """Called before each step of a session, which it may end with an error."""
        self.fate_of: Callable[[ModelDatabase], Fate] = lambda session: "done"
        """Asked what becomes of a commit."""
        self.on_stored: Callable[[ModelDatabase], None] = lambda session: None
        """Called when something is durable, and by whom."""
        self.image = image
        """The state at the last start; the log goes on from it."""
        self._log_number = 0
        self._end = 0
        """Where the next record goes."""
        self._limbo: tuple[list[Statement], ModelDatabase] | None = None
        """A transaction whose commit is on its way, and whose it is."""
        self._listeners: list[tuple[Callable[[], None], ModelDatabase | None]] = []
        self.engine = self._opened()

    def connect(self, *, remote: bool = False) -> ModelDatabase:
        """A new session."""
        if remote:
            from croupier.simulator.remote import RemoteModel  # which is made of this module

            return RemoteModel(self)
        return ModelDatabase(self)

    # -- the log on the disk -----------------------------------------------------------------

    def append(self, statements: list[Statement]) -> None:
        """Make a transaction durable. If that fails, the next record takes its place."""
        body = msgspec.msgpack.encode(statements)
        record = HEAD.pack(len(body), self._checksum(body), self._log_number) + body
        self.disk.write(self._end, record)
        self.disk.sync()
        self._end += len(record)

    def _checksum(self, body: bytes) -> int:
        return zlib.crc32(body, self._end)

    def kept(self) -> list[list[Statement]]:
        """The transactions that the log holds; sets where it ends."""
        data, found = self.disk.read(), []
        self._end = 0
        while len(data) >= self._end + HEAD.size:
            size, checksum, number = HEAD.unpack_from(data, self._end)
            body = data[self._end + HEAD.size : self._end + HEAD.size + size]
            whole = number == self._log_number and len(body) == size
            if not whole or self._checksum(body) != checksum:
                break
            found.append(msgspec.msgpack.decode(body, type=list[Statement]))
            self._end += HEAD.size + size
        return found

    def restart(self, *, power_cut: bool = False) -> None:
        """The server stops and starts again: sessions are lost, and so is what was not committed.
        With the machine goes what was not synced, too."""
        if power_cut:
            self.disk.cut_power()
        self._limbo, self.owner = None, None
        self.backends.end_all()
        self.engine.close()
        self.engine = self._opened()
        self.image = self.engine.serialize()
        self._log_number += 1
        self._end = 0
        self.disk.replace(b"")

    def _opened(self) -> sqlite3.Connection:
        """The committed state, read from the disk."""
        engine = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        if self.image:
            engine.deserialize(self.image)
        for statements in self.kept():
            engine.execute("BEGIN")
            _carry_out(engine, statements)
            engine.execute("COMMIT")
        return engine

    def committed(self) -> sqlite3.Connection:
        """The committed state once more, for whoever must not see what happens meanwhile."""
        end = self._end
        made = self._opened()
        self._end = end
        return made

    def committed_now(self) -> sqlite3.Connection:
        """Where the committed state is read."""
        return self.engine if self.owner is None else self.committed()

    # -- commits that nobody was told of -----------------------------------------------------

    def leave_in_limbo(self, statements: list[Statement], of: ModelDatabase) -> None:
        """A commit is on its way, and whoever sent it has gone."""
        self._limbo = statements, of

    def deliver_commit(self) -> None:
        """A commit that was on its way arrives, before anybody else writes; or fails then."""
        limbo, self._limbo = self._limbo, None
        if limbo is None:
            return
        statements, of = limbo
        self.engine.execute("BEGIN")
        _carry_out(self.engine, statements)
        try:
            self.append(statements)
        except StorageError:
            self.engine.execute("ROLLBACK")
            return
        self.engine.execute("COMMIT")
        self.commits += 1
        self.on_stored(of)
        self.tell(None)

    # -- telling others ----------------------------------------------------------------------

    def listen(self, listener: Callable[[], None], but_not: ModelDatabase | None) -> None:
        """Have somebody woken by what other sessions commit."""
        self._listeners.append((listener, but_not))

    def tell(self, by: ModelDatabase | None) -> None:
        """Something was committed."""
        for listener, but_not in self._listeners:
            if by is None or by is not but_not:
                listener()


class ModelDatabase(Database):
    """A session, as a process has one with a file of its own."""

    words = {
        "blob": "BLOB",
        "keys": "IN (SELECT value FROM json_each(?))",
        "locked": "",
        "key": "INTEGER",
    }

    def __init__(self, server: ModelServer) -> None:
        super().__init__("the model")
        self.server = server
        self.process: Any = None
        """Whose session it is, where that matters to faults."""
        self._mine = 0
        self._changes: list[Statement] = []
        self._snapshot: sqlite3.Connection | None = None
        self._closed = False

    @property
    def url(self) -> str:
        return "model:"

    # -- statements --------------------------------------------------------------------------

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        reads = sql.lstrip()[:6].upper() in READS
        with self.lock, self.server.lock:
            self._step("read" if reads else "write")
            if not reads and self.server.owner is None:
                with self._transaction_of_its_own():
                    return self._carried_out(sql, values, reads=False)
            return self._carried_out(sql, values, reads=reads)

    def _carried_out(self, sql: str, values: Sequence[Any], *, reads: bool) -> list[Any]:
        engine = self._snapshot or self._engine(reads=reads)
        try:
            found = engine.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise named_error(self.name, error) from error
        if not reads:
            self._changes.append((sql, list(values), False))
        return found

    @contextmanager
    def _transaction_of_its_own(self) -> Iterator[None]:
        """What is written in no transaction is durable, or did not happen."""
        server = self.server
        server.deliver_commit()
        server.engine.execute("BEGIN")
        server.owner, self._changes = self, []
        try:
            yield
            self._make_durable()
            server.engine.execute("COMMIT")
        except BaseException:
            server.engine.execute("ROLLBACK")
            raise
        finally:
            server.owner, self._changes = None, []

    def insert_all(self, insertions: Sequence[Insertion], *, quiet: bool = False) -> list[int]:
        with self.lock, self.server.lock:
            self._step("write")
            if self.server.owner is None:
                with self._transaction_of_its_own():
                    return [self._insert(each) for each in insertions]
            return [self._insert(each) for each in insertions]

    def _insert(self, insertion: Insertion) -> int:
        table, columns, rows, on_conflict = insertion
        sql = insertion_sql(table, columns, on_conflict)
        try:
            count = self._engine(reads=False).executemany(sql, rows).rowcount
        except sqlite3.Error as error:
            raise named_error(self.name, error) from error
        self._changes.append((sql, [list(row) for row in rows], True))
        return count

    def _engine(self, *, reads: bool) -> sqlite3.Connection:
        """Where a statement is carried out: who is in no transaction sees nothing of another's."""
        if self.server.owner in (None, self):
            return self.server.engine
        if not reads:
            raise StorageError(f"{self.name} is locked by another session")
        return self.server.committed()

    def keys(self, keys: Sequence[str]) -> Any:
        return json.dumps(keys)

    def script(self, sql: str) -> None:
        for statement in sql.split(";"):
            if statement.strip():
                self.execute(statement)

    # -- transactions ------------------------------------------------------------------------

    def begin(self) -> None:
        self.server.lock.acquire()
        try:
            self._step("begin")
            if self.server.owner is not None:
                raise StorageError(f"{self.name} is locked by another session")
            self.server.deliver_commit()
            self.server.engine.execute("BEGIN")
        except BaseException:
            self.server.lock.release()
            raise
        self.server.owner = self
        self._changes = []

    def begin_reading(self) -> None:
        with self.server.lock:
            self._step("read")
            self._snapshot = self.server.committed()

    def changes_by_others(self) -> int | None:
        with self.server.lock:
            self._step("read")
            return self.server.commits - self._mine

    def commit(self) -> None:
        self._step("commit")
        if self.server.owner is not self:
            raise StorageError(f"{self.name}: there is no transaction to commit")
        fate = self.server.fate_of(self) if self._changes else "done"
        if fate != "done":
            self._be_cut_off(fate)
        try:
            self._make_durable()
        except BaseException:
            self.roll_back()
            raise
        self.server.engine.execute("COMMIT")
        self._let_go()
        self._step("committed")

    def _make_durable(self) -> None:
        changes, self._changes = self._changes, []
        if changes:
            self.server.append(changes)
            self.server.commits += 1
            self._mine += 1
            self.server.on_stored(self)
            self.server.tell(self)

    def _be_cut_off(self, fate: Fate) -> None:
        """The connection ends while it commits."""
        changes = self._changes
        if fate == "unknown":
            self._make_durable()
            self.server.engine.execute("COMMIT")
            self._let_go()
        else:
            self.roll_back()
            if fate == "late":
                self.server.leave_in_limbo(changes, self)
        raise LostConnection(f"{self.name} went away while it committed")

    def roll_back(self) -> None:
        if self.server.owner is self:
            with suppress(sqlite3.Error):
                self.server.engine.execute("ROLLBACK")
            self._let_go()

    def _let_go(self) -> None:
        self._changes = []
        self.server.owner = None
        self.server.lock.release()

    def _step(self, step: str) -> None:
        if self._closed:
            raise StorageError(f"{self.name}: the session is closed")
        self.server.on_step(self, step)

    # -- the rest ----------------------------------------------------------------------------

    def tables(self) -> set[str]:
        found = self.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in found if not name.startswith("sqlite_")}

    def strangers(self) -> list[str]:
        return []

    def damages(self, *, quick: bool) -> list[str]:
        return []  # records that are not whole are never read

    @property
    def page_check(self) -> str:
        return "checksums of records"

    def listen(self, listener: Callable[[], None], *, but_not: Database | None = None) -> None:
        assert but_not is None or isinstance(but_not, ModelDatabase)
        self.server.listen(listener, but_not)

    def again(self) -> ModelDatabase:
        made = type(self)(self.server)
        made.process = self.process
        return made

    def close(self) -> None:
        with self.lock:
            self.roll_back()
            if self._snapshot is not None:
                self._snapshot.close()
            self._closed = True


def _carry_out(engine: sqlite3.Connection, statements: Sequence[Statement]) -> None:
    for sql, values, many in statements:
        if many:
            engine.executemany(sql, values)
        else:
            engine.execute(sql, values).fetchall()
