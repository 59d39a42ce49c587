"""The file of the log: opened, brought up to date, written so that it is on the disk, and watched.

SQLite goes on writing into a file that somebody has deleted or moved away, and everything is lost
when the desk is closed. So each use looks first whether the file is still the one that was opened;
if it is not, what it held is saved under another name, and nothing more is asked or decided.
"""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from croupier.desk.errors import LogError

APPLICATION = 0x63724465
"""How SQLite's file command, and we, tell the log of a desk from any other file."""
BUSY_SECONDS = 10

CHANGES: tuple[str, ...] = (
    """
CREATE TABLE entries (
    id TEXT PRIMARY KEY, asked TEXT NOT NULL, changed TEXT NOT NULL,
    who TEXT NOT NULL, area TEXT NOT NULL, book TEXT NOT NULL, incident TEXT NOT NULL,
    title TEXT NOT NULL, told TEXT NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL,
    status TEXT NOT NULL, kind TEXT NOT NULL, headline TEXT NOT NULL, cites TEXT NOT NULL,
    discretion TEXT NOT NULL, decided TEXT NOT NULL, why TEXT NOT NULL, as_ruled INTEGER,
    decided_by TEXT NOT NULL);
CREATE INDEX entries_by_time ON entries (asked);
CREATE INDEX entries_alike ON entries (book, incident, status);
CREATE INDEX entries_of_discretion ON entries (book, discretion, status);
CREATE TABLE keys (purpose TEXT PRIMARY KEY, key BLOB NOT NULL)
""",
    # The key of the cookies has a file of its own since: whoever is given the log has no key.
    """
DROP TABLE keys;
CREATE TABLE notes (entry TEXT NOT NULL, at TEXT NOT NULL, who TEXT NOT NULL, says TEXT NOT NULL);
CREATE INDEX notes_of_entry ON notes (entry)
""",
)
"""What makes each version of the tables out of the one before."""
VERSION = len(CHANGES)
"""Of the tables; a later croupier reads the earlier ones."""


class LogFile:
    """One connection for all threads of a process, one at a time; without a path in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._gone = ""
        """What was said when the file was gone, until it is back."""
        if path is not None and not path.parent.is_dir():
            raise LogError(f"there is no folder {path.parent} to keep {path.name} in")
        try:
            if path is not None and not path.exists():
                path.touch(mode=0o600)  # who asked what, and what was decided
            self._connection = sqlite3.connect(
                ":memory:" if path is None else str(path),
                isolation_level=None,
                check_same_thread=False,
                timeout=BUSY_SECONDS,
            )
        except (OSError, sqlite3.Error) as error:
            raise LogError(f"the log {self.name} cannot be opened: {error}") from error
        weakref.finalize(self, self._connection.close)  # for whoever forgets to
        try:
            self._identity = _identity(path)
            self._set_up()
        except BaseException:
            self._connection.close()
            raise

    @property
    def name(self) -> str:
        """Where it is, as one says it."""
        return "in memory" if self.path is None else str(self.path)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def changing(self) -> Iterator[Any]:
        """A transaction that is on the disk once it is over."""
        with self._lock:
            self._see_that_it_is_there()
            try:
                self._execute("BEGIN IMMEDIATE")
                try:
                    yield self._execute
                    self._execute("COMMIT")
                finally:
                    if self._connection.in_transaction:
                        self._execute("ROLLBACK")
            except sqlite3.Error as error:
                raise LogError(f"the log {self.name} cannot be written: {error}") from error

    def read(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Some rows."""
        with self._lock:
            self._see_that_it_is_there()
            try:
                return self._execute(sql, values)
            except sqlite3.Error as error:
                raise LogError(f"the log {self.name} cannot be read: {error}") from error

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    # -- still there? -------------------------------------------------------------------------

    def _see_that_it_is_there(self) -> None:
        if _identity(self.path) == self._identity:
            self._gone = ""
            return
        if not self._gone:
            self._gone = f"the log {self.name} was moved or deleted while the desk was open"
            self._gone += f"; {self._rescue()}. Put it back, or start the desk again"
        raise LogError(self._gone)

    def _rescue(self) -> str:
        """Save what the file held when it went, beside where it was or else for a while."""
        assert self.path is not None
        for folder in (self.path.parent, Path(tempfile.gettempdir())):
            for again in range(100):
                number = f"-{again + 1}" if again else ""
                copy = folder / f"{self.path.stem}-rescued{number}{self.path.suffix}"
                if copy.exists():
                    continue
                with suppress(OSError, sqlite3.Error):
                    copy.touch(mode=0o600, exist_ok=False)
                    made = sqlite3.connect(copy)
                    try:
                        self._connection.backup(made)
                    finally:
                        made.close()
                    return f"what it held was saved as {copy}"
                break
        return "what it held could not be saved"

    # -- setting it up ------------------------------------------------------------------------

    def _set_up(self) -> None:
        try:
            self._write_ahead()
            self._connection.execute("PRAGMA synchronous = FULL")
            with self.changing() as change:
                self._make_or_check(change)
        except sqlite3.DatabaseError as error:
            raise LogError(f"the log {self.name} cannot be used: {error}") from error

    def _write_ahead(self) -> None:
        """Readers and a writer do not wait for each other. Another desk that opens the file in the
        same moment is waited for: SQLite itself does not, for this one change."""
        for again in range(50):
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if again == 49 or "locked" not in str(error):
                    raise
                time.sleep(0.05)

    def _make_or_check(self, change: Any) -> None:
        [(version,)] = change("PRAGMA user_version")
        [(application,)] = change("PRAGMA application_id")
        is_new = version == 0 and not change("SELECT 1 FROM sqlite_master")
        if not is_new and application != APPLICATION:
            raise LogError(f"{self.name} is another program's file; name a new one for the log")
        if version > VERSION:
            raise LogError(f"{self.name} is of a later croupier (log version {version}); use that")
        for statements in CHANGES[version:]:
            for statement in statements.split(";"):
                change(statement)
        change(f"PRAGMA user_version = {VERSION}")
        change(f"PRAGMA application_id = {APPLICATION}")


def _identity(path: Path | None) -> tuple[int, int] | None:
    """What a file is, by whatever name; None if there is none."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found is not None else None
