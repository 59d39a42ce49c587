"""A database behind one small face: statements with `?`, one transaction at a time.

SQLite is here; PostgreSQL is in `croupier.house.postgres` behind the same face. The SQL of the
House is written once, in `croupier.house.store`.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from croupier.house.errors import CorruptDatabase, DiskFull, StorageError


class Database(ABC):
    """What the store needs of a database. Used by one thread at a time."""

    words: dict[str, str]
    """What stands for `{blob}` and the like in the numbered SQL files."""

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""

    @abstractmethod
    def execute_many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows of values."""

    @abstractmethod
    def script(self, sql: str) -> None:
        """Run several statements without values, inside the open transaction."""

    @abstractmethod
    def begin(self) -> None:
        """Open a transaction; only one writer at a time gets past this."""

    @abstractmethod
    def commit(self) -> None:
        """Make the transaction durable: after this returns, a crash cannot lose it."""

    @abstractmethod
    def roll_back(self) -> None:
        """Forget the transaction."""

    @abstractmethod
    def has_table(self, name: str) -> bool:
        """Whether a table of this name exists."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing of it."""
        self.begin()
        try:
            yield
            self.commit()
        except BaseException:
            self.roll_back()
            raise


class SqliteDatabase(Database):
    """The embedded database: one file, write-ahead log, full sync at every commit."""

    words = {"blob": "BLOB"}

    def __init__(self, path: Path | str) -> None:
        self.path = str(path)
        with _named_errors(self.path):
            self._connection = sqlite3.connect(
                self.path, isolation_level=None, check_same_thread=False, timeout=30
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _named_errors(self.path):
            return self._connection.execute(sql, values).fetchall()

    def execute_many(self, sql: str, values: Iterable[Sequence[Any]]) -> None:
        with _named_errors(self.path):
            self._connection.executemany(sql, values)

    def script(self, sql: str) -> None:
        with _named_errors(self.path):
            for statement in sql.split(";"):
                if statement.strip():
                    self._connection.execute(statement)

    def begin(self) -> None:
        self.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.execute("COMMIT")

    def roll_back(self) -> None:
        if self._connection.in_transaction:
            self.execute("ROLLBACK")

    def has_table(self, name: str) -> bool:
        found = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return bool(self.execute(found, (name,)))

    def close(self) -> None:
        self._connection.close()


@contextmanager
def _named_errors(path: str) -> Iterator[None]:
    """SQLite's errors by the names of the House."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name in ("SQLITE_CORRUPT", "SQLITE_NOTADB") or "malformed" in str(error):
            raise CorruptDatabase(f"{path} is damaged or no database: {error}") from error
        if name == "SQLITE_FULL":
            raise DiskFull(f"there is no room left to write {path}") from error
        raise StorageError(f"{path}: {error}") from error
