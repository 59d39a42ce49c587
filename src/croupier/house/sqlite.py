"""The embedded database: one file, write-ahead log, full sync at every commit; no set-up."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from croupier.house.database import Database, Insertion
from croupier.house.errors import CorruptDatabase, DiskFull, StorageError, WrongSchema
from croupier.house.private import keep_private, make_private
from croupier.house.vault import Vault, beside

BUSY_SECONDS = 30
"""How long a writer waits for another one before it gives up."""

SETTINGS = (
    "page_size = 2048",  # of a new file: a command touches a dozen pages and fills none of them
    "journal_mode = WAL",  # readers and the writer do not wait for each other
    "synchronous = FULL",  # a commit is on the disk when it returns
    "cache_size = -32768",  # 32 MB: ids are random, so their index is touched all over
    # 8 MB of the write-ahead log at a time go to the file: the same pages are written again and
    # again, so that the rarer it is, the fewer there are of them.
    "wal_autocheckpoint = 4000",
)


class SqliteDatabase(Database):
    """One file. Several connections may read it; one at a time writes."""

    words = {
        "blob": "BLOB",
        "keys": "IN (SELECT value FROM json_each(?))",
        "locked": "",
        "key": "INTEGER",
    }

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = Path(path)
        super().__init__(str(path))
        if not create and not self.path.is_file():
            raise StorageError(
                f"there is no database {path}: look at its address (a whole path is written "
                "sqlite:////…), or found a House there with `croupier office init`"
            )
        if not create and not self.path.stat().st_size:
            raise WrongSchema(f"{path} is empty: no House was ever founded there")
        if not self.path.parent.is_dir():
            raise StorageError(f"there is no folder {self.path.parent} to keep {self.path.name} in")
        self.vault = Vault(self.name, beside(self.path))
        try:
            _made_private(self.path)
            self._connection = sqlite3.connect(
                self.path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS
            )
        except sqlite3.Error as error:
            raise named_error(self.name, error) from error
        except OSError as error:
            raise StorageError(f"{self.name} cannot be made: {error.strerror}") from error
        try:
            for setting in SETTINGS:
                self.execute(f"PRAGMA {setting}")
        except BaseException:
            self._connection.close()
            raise

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path.resolve()}"

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self.lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise named_error(self.name, error) from error
            except UnicodeDecodeError as error:  # what SQLite says of it is damaged, too
                says = f"{self.name} is damaged or no database: {error.object!r}"
                raise CorruptDatabase(says) from error

    def insert_all(self, insertions: Sequence[Insertion], *, quiet: bool = False) -> list[int]:
        with self.lock:
            try:
                return [self._insert(each) for each in insertions]
            except sqlite3.Error as error:
                raise named_error(self.name, error) from error

    def _insert(self, insertion: Insertion) -> int:
        table, columns, rows, on_conflict = insertion
        sql = insertion_sql(table, columns, on_conflict)
        return self._connection.executemany(sql, rows).rowcount

    def keys(self, keys: Sequence[str]) -> str:
        return json.dumps(keys)

    def script(self, sql: str) -> None:
        for statement in sql.split(";"):
            if statement.strip():
                self.execute(statement)

    def begin(self) -> None:
        self.execute("BEGIN IMMEDIATE")

    def begin_reading(self) -> None:
        self.execute("BEGIN")
        self.execute("SELECT COUNT(*) FROM sqlite_master")  # a snapshot begins with the first read

    def changes_by_others(self) -> int | None:
        [(version,)] = self.execute("PRAGMA data_version")
        return int(version)

    def commit(self) -> None:
        self.execute("COMMIT")

    def roll_back(self) -> None:
        if self._connection.in_transaction:  # SQLite may have rolled back by itself
            self.execute("ROLLBACK")

    def tables(self) -> set[str]:
        found = self.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
            "ESCAPE '\\'"
        )
        return {name for (name,) in found}

    def strangers(self) -> list[str]:
        found = self.execute(
            "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') ORDER BY name"
        )
        return [f"{kind} {name}" for kind, name in found]

    def damages(self, *, quick: bool) -> list[str]:
        try:
            found = self.execute(f"PRAGMA {'quick_check' if quick else 'integrity_check'}")
        except CorruptDatabase as error:
            return [str(error)]
        return [str(says) for (says,) in found if says != "ok"]

    @property
    def page_check(self) -> str:
        return "integrity_check"

    def give_back_room(self) -> None:
        with self.lock:
            self.execute("VACUUM")
            self.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def again(self) -> SqliteDatabase:
        return SqliteDatabase(self.path, create=False)

    def close(self) -> None:
        with self.lock:
            self._connection.close()


def _made_private(path: Path) -> None:
    """The file is its owner's alone; those that SQLite makes beside it get the same rights."""
    if path.exists():
        keep_private(path)
        return
    with suppress(FileExistsError):  # another process was quicker
        make_private(path)


@lru_cache
def insertion_sql(table: str, columns: tuple[str, ...], on_conflict: str) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks}) {on_conflict}"


def named_error(name: str, error: sqlite3.Error) -> StorageError:
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or "malformed" in str(error):
        return CorruptDatabase(f"{name} is damaged or no database: {error}")
    if code == "SQLITE_FULL":
        return DiskFull(f"there is no room left to write {name}: {error}")
    if code.startswith("SQLITE_CONSTRAINT"):
        # Whatever could collide was looked up in the same transaction.
        return CorruptDatabase(f"{name} holds rows that its heads do not know: {error}")
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StorageError(
            f"another process has kept {name} locked for {BUSY_SECONDS} s; stop it, or use "
            f"PostgreSQL for several processes"
        )
    if code.startswith("SQLITE_READONLY"):
        return StorageError(f"{name} may not be written: {error}")
    return StorageError(f"{name}: {error}")
