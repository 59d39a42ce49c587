"""Which process runs which table: no table lives in two places at once.

The expected version of every append keeps the log right whoever writes; ownership keeps two
processes from running the same table at all. A file of SQLite belongs to one process as a whole,
by a locked file beside it; on PostgreSQL each place has an advisory lock, which the server frees
when the process or its connection ends.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from croupier.house.database import Database
from croupier.house.errors import OwnedElsewhere, StorageError
from croupier.house.shared_database import SharedDatabase
from croupier.house.sqlite import SqliteDatabase

STORAGE_WAIT = 30.0
"""Seconds for which somebody waits for the last group of a House that has ended."""
STORAGE_LOOKS = 0.01
END_TRIES = 5
"""How often in a row a lost connection is asked to be ended, before that is left for later."""


class Ownership(ABC):
    """What one process may run."""

    whole: ClassVar[bool] = False
    """Whether the database belongs to one process as a whole."""

    @abstractmethod
    def take(self, place: str) -> None:
        """Own a place from now on; `OwnedElsewhere` if another process does."""

    def take_free(self, places: list[str]) -> list[str]:
        """Own those of some places that nobody else does; which."""
        found = []
        for place in places:
            with suppress(OwnedElsewhere):
                self.take(place)
                found.append(place)
        return found

    def has(self, place: str) -> bool:
        """Whether a place was taken and not given up, without asking anybody."""
        return False

    @abstractmethod
    def give_up(self, place: str) -> None:
        """Let another process run a place."""

    def give_up_all(self, places: Iterable[str]) -> None:
        """Let other processes run places."""
        for place in places:
            self.give_up(place)

    @abstractmethod
    def check(self) -> list[str]:
        """Make sure of what is owned; return the places that others have taken over so far."""

    @property
    def databases(self) -> tuple[Any, ...]:
        """The connections that hold the locks, on a server."""
        return ()

    def forget(self) -> None:
        """Own nothing any more: others have taken everything over."""
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Give everything up."""


class FileOwnership(Ownership):
    """A whole file of SQLite, owned from the first place taken until the last is given up."""

    whole = True

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)
        self.lock_file = self.file.with_name(f"{self.file.name}.lock")
        self._places: set[str] = set()
        self._descriptor: int | None = None

    def take(self, place: str) -> None:
        if self._descriptor is None:
            self._descriptor = self._locked()
        self._places.add(place)

    def _locked(self) -> int:
        try:
            descriptor = os.open(self.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StorageError(f"{self.lock_file} cannot be made: {error}") from error
        if not _lock(descriptor):
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise OwnedElsewhere(
                f"{self.file} is in use by another croupier (process {holder or 'unknown'}); stop "
                f"that one, use another file, or use PostgreSQL for several processes"
            )
        if not _lock_itself(self.file):
            os.close(descriptor)
            raise OwnedElsewhere(
                f"{self.file} is in use by another croupier, which has it under another name; stop "
                "that one, and give the file one name"
            )
        try:
            os.close(lock_storage(self.file))  # nothing comes any more that another one gave
        except BaseException:
            os.close(descriptor)
            _unlock_itself(self.file)
            raise
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        return descriptor

    def holder(self) -> int | None:
        """The process that owns the file now; None if nobody does. Nothing is taken."""
        try:
            descriptor = os.open(self.lock_file, os.O_RDWR)
        except OSError:
            return None
        try:
            if _lock(descriptor):
                return None  # closing it gives it up again
            held_by = os.read(descriptor, 32).decode("ascii", "replace").strip()
        finally:
            os.close(descriptor)
        return int(held_by) if held_by.isdecimal() else 0

    def give_up(self, place: str) -> None:
        self._places.discard(place)
        if not self._places:
            self.close()

    def check(self) -> list[str]:
        return []  # the lock lasts as long as the process

    def close(self) -> None:
        self._places.clear()
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            _unlock_itself(self.file)
            os.close(descriptor)  # the file stays: whoever removes it could let two in


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    FAR = 2**30
    """Locked bytes cannot be read on Windows, so the lock lies behind the text."""

    def _lock(descriptor: int) -> bool:
        os.lseek(descriptor, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True

    def _lock_itself(file: Path) -> bool:
        return True  # a file that is open there can be neither moved nor linked

    def _unlock_itself(file: Path) -> None:
        pass

else:
    import fcntl

    _opened: dict[tuple[int, int], int] = {}
    """Descriptors of database files, by device and inode. They stay open until the process ends: to
    close one would free the locks that SQLite has on the same file (POSIX)."""
    _held: dict[str, tuple[int, int]] = {}

    def _lock_itself(file: Path) -> bool:
        """Lock the file itself, whatever it is called: it may have been moved, linked or mounted
        elsewhere since another process opened it."""
        try:
            found = file.stat()
        except FileNotFoundError:
            return True  # it has no other name yet
        key = found.st_dev, found.st_ino
        if key not in _opened:
            _opened[key] = os.open(file, os.O_RDWR)
        if not _lock(_opened[key]):
            return False
        _held[str(file)] = key
        return True

    def _unlock_itself(file: Path) -> None:
        key = _held.pop(str(file), None)
        if key is not None:
            fcntl.flock(_opened[key], fcntl.LOCK_UN)

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def lock_storage(file: Path) -> int:
    """Wait until no process stores to a file of SQLite; the descriptor keeps others from it.

    A House may have storage in a process of its own (`croupier.house.storage_process`), which
    outlives it by as long as its last group takes. Whoever comes next waits for that, by whichever
    link he comes.
    """
    try:
        file = file.resolve()
        lock = file.with_name(f"{file.name}.storage-lock")
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StorageError(f"{file}.storage-lock cannot be made: {error}") from error
    until = time.monotonic() + STORAGE_WAIT
    while not _lock(descriptor):
        if time.monotonic() > until:
            os.close(descriptor)
            raise OwnedElsewhere(
                f"a process still stores to {file} although its House has ended; stop it, or wait "
                f"until the disk answers it"
            )
        time.sleep(STORAGE_LOOKS)
    return descriptor


class ServerOwnership(Ownership):
    """Places on a server, each by an advisory lock of a connection that is there for nothing else.

    If that connection is lost, the server frees the locks; `check` takes them again. The server may
    not know for long that it is lost, and keep the locks: so `check` has it ended before. Else this
    process would take its own locks for those of another one, and run its tables no more.
    """

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database
        self._places: set[str] = set()
        self._lost: set[str] = set()
        self._connection: object = None

    def take(self, place: str) -> None:
        self.check()
        if place in self._places:
            return
        if not self._try([place]):
            holder = self._database.lock_holder(lock_key(place))
            told = f" ({holder})" if holder else ""
            raise OwnedElsewhere(f"{place} is run by another process{told}; stop it there first")
        self._places.add(place)
        self._lost.discard(place)

    def take_free(self, places: list[str]) -> list[str]:
        self.check()
        taken = self._try([place for place in places if place not in self._places])
        self._places |= taken
        self._lost -= taken
        return [place for place in places if place in self._places]

    def _try(self, places: list[str]) -> set[str]:
        """Lock the places that are to be had; which."""
        keys = self._database.try_locks(list(map(lock_key, places)))
        return {place for place in places if lock_key(place) in keys}

    def has(self, place: str) -> bool:
        return place in self._places

    def give_up(self, place: str) -> None:
        self.give_up_all([place])

    def give_up_all(self, places: Iterable[str]) -> None:
        keys = {lock_key(place) for place in places if place in self._places}
        self._places.difference_update(places)
        while keys:
            keys = self._database.unlock(sorted(keys))  # what was locked twice is freed twice

    def check(self) -> list[str]:
        with self._database.lock:
            connection = self._database.connection_id()
            if connection != self._connection:
                self._end_lost()
                lost = self._places - self._try(sorted(self._places))
                self._connection = connection
                self._places -= lost
                self._lost |= lost
            return sorted(self._lost)

    def _end_lost(self) -> None:
        """See that the connection before this one has ended on the server, and holds no locks."""
        if self._connection is None:
            return
        for _ in range(END_TRIES):
            if not self._database.end_connection(self._connection):
                return
        raise StorageError(
            f"{self._database.name} has not ended a connection that was lost, and keeps the locks "
            "of tables; they are looked at again"
        )

    @property
    def databases(self) -> tuple[Any, ...]:
        return (self._database,)

    def forget(self) -> None:
        with self._database.lock:
            self._places.clear()
            self._lost.clear()

    def close(self) -> None:
        self._places.clear()
        self._database.close()  # the server frees the locks with the connection


def lock_key(place: str) -> int:
    """The advisory lock of a place: 63 bits of a digest of its name."""
    return int.from_bytes(hashlib.sha256(f"croupier place {place}".encode()).digest()[:8]) >> 1


def ownership_of(database: Database) -> Ownership:
    """Who may run what on this database; PostgreSQL gets one more connection for it."""
    if isinstance(database, SqliteDatabase):
        return FileOwnership(database.path)
    assert isinstance(database, SharedDatabase)
    return ServerOwnership(database.again())
