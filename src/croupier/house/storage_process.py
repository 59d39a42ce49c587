"""Storage in a process of its own: groups of commands are judged, chained and written elsewhere.

One Python runs one thread at a time. Where a server plays and stores in one process, each takes
the interpreter from the other; with storage beside it, two cores work at once. `StorageProcess` is
a store like any other. Only `append` goes to the other process (`croupier.house.storage_worker`),
over its standard input and output. What is read, and the little else that is written, goes by a
connection of this process, and is not written while a group is: SQLite before 3.51.3 can lose
pages where one connection carries the write-ahead log over while another commits.

If the other process ends, nothing that was acknowledged is lost: another one is started and given
the group again. Was it stored before the end, its bundles are turned away for that, and the House
finds their answers in the log, as after any lost connection.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, cast

import msgspec
from msgspec import Struct

from croupier.house import copies, errors
from croupier.house.alarm_log import ALARM
from croupier.house.errors import HouseError, Malformed, StorageError
from croupier.house.records import Bundle, Opening, Secret
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store

logger = logging.getLogger("croupier.house")

HEAD_BYTES = 4
"""Before each message stands how many bytes it has."""
TRIES = 2
"""How often a group is given to a process before it is an error that none stores it."""
UNWRITABLE = (UnicodeEncodeError, OverflowError, TypeError)
"""How something says that it cannot be written in a message."""
UNREADABLE = "unreadable"
"""The kind of a failure to read a group: something in it is not what it should be."""
END_SECONDS = 30.0
"""What the other process has for its last group when the House closes."""


class Request(Struct, array_like=True):
    """A group to be stored."""

    bundles: list[Bundle]
    copied: copies.CopyMark | None = None
    """How far the copy of the log goes by now."""
    failed: dict[str, int] | None = None
    """To a process that was started just now: what its predecessor had turned away."""


class Failure(Struct, array_like=True):
    """An error, to be raised in the other process."""

    kind: str
    """The name of a class of `croupier.house.errors`, `UNREADABLE`, or nothing for an error that
    nobody foresaw."""
    says: str

    @classmethod
    def of(cls, error: Exception) -> Failure:
        """What is told of an error."""
        if isinstance(error, HouseError):
            return cls(type(error).__name__, str(error))
        return cls("", repr(error))

    def error(self) -> Exception:
        """The error that this tells of."""
        if not self.kind:
            return RuntimeError(self.says)
        made: HouseError = getattr(errors, self.kind)(self.says)
        return made


class Stored(Struct, array_like=True):
    """What a bundle was given as it was stored."""

    number: int
    """Of its order."""
    digests: list[bytes]
    """Of its rows."""
    bound: int
    """Which of them is bound to the order; -1 if none is."""
    order: bytes
    """The digest of the order, in that row."""
    secrets: list[Secret]
    openings: list[Opening]
    """As they are encrypted."""

    @classmethod
    def of(cls, bundle: Bundle) -> Stored:
        """What the other process must know of a bundle that is stored."""
        bound = next((n for n, row in enumerate(bundle.rows) if row.order), -1)
        return cls(
            bundle.order.number if bundle.order is not None else 0,
            [row.digest for row in bundle.rows],
            bound,
            bundle.rows[bound].order if bound >= 0 else b"",
            list(bundle.secrets),
            list(bundle.openings),
        )

    def put_into(self, bundle: Bundle) -> None:
        """Complete a bundle, as `Store.append` does."""
        if bundle.order is not None:
            bundle.order.number = self.number
        for row, digest in zip(bundle.rows, self.digests, strict=True):
            row.digest = digest
        if self.bound >= 0:
            bundle.rows[self.bound].order = self.order
        if self.secrets or self.openings:
            bundle.secrets, bundle.openings = self.secrets, self.openings


class Reply(Struct, array_like=True):
    """What became of a group."""

    bundles: list[Stored | None]
    """None for one that was turned away."""
    failures: dict[int, Failure]
    """Why, for those."""
    raised: Failure | None
    """The error with which the whole group was turned away."""
    failed: dict[str, int] | None
    """What was turned away so far, where that has changed."""


encode = msgspec.msgpack.Encoder().encode
read_request = msgspec.msgpack.Decoder(Request).decode
read_reply = msgspec.msgpack.Decoder(Reply).decode


class StorageProcess(Store):
    """A store whose groups are stored by another process. For a file of SQLite, which is one
    House's."""

    is_apart = True

    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(database)
        # The other process carries the write-ahead log over, when it has stored a group.
        database.execute("PRAGMA wal_autocheckpoint = 0")
        self._process = self._started()
        self._is_new = True
        self.restarts = 0
        """How often the other process had ended before its time."""

    @property
    def process_id(self) -> int:
        """Of the process that stores now."""
        return self._process.pid

    def append(self, bundles: Sequence[Bundle]) -> list[HouseError | None]:
        """Have bundles stored in one transaction; for each, None or why it was turned away."""
        try:
            with self.database.lock:  # nobody writes here meanwhile, as nobody does in `Store`
                reply = self._ask(bundles)
        except UNWRITABLE as error:
            if len(bundles) > 1:  # each alone: the others are stored
                return [answer for bundle in bundles for answer in self.append([bundle])]
            self._turn_away(bundles)
            return [Malformed(f"what a command caused cannot be written: {error}")]
        except BaseException:
            self._turn_away(bundles)
            raise
        if reply.failed is not None:
            self.failed = reply.failed
        if reply.raised is not None:
            raise reply.raised.error()
        for bundle, stored in zip(bundles, reply.bundles, strict=True):
            if stored is not None:
                stored.put_into(bundle)
        if not reply.failures:
            return [None] * len(bundles)
        found = (reply.failures.get(number) for number in range(len(bundles)))
        return [None if each is None else cast(HouseError, each.error()) for each in found]

    def _ask(self, bundles: Sequence[Bundle]) -> Reply:
        copied, self.copied = self.copied, None
        for _ in range(TRIES):
            failed = self.failed if self._is_new else None
            message = encode(Request(list(bundles), copied, failed))
            try:
                send(cast(IO[bytes], self._process.stdin), message)
                told = receive(cast(IO[bytes], self._process.stdout))
            except OSError:
                told = None
            if told is not None:
                self._is_new = False
                reply = read_reply(told)
                if reply.raised is not None and reply.raised.kind == UNREADABLE:
                    raise TypeError(reply.raised.says)
                return reply
            self._start_again()
        raise StorageError(
            "the process that stores ends again and again; nothing can be stored. Its own words "
            "stand before this in the log of the server"
        )

    def _started(self) -> subprocess.Popen[bytes]:
        """Start a process, and wait until it is alone with the file."""
        command = [sys.executable, "-m", "croupier.house.storage_worker", self.database.url]
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise StorageError(f"no process could be started that stores: {error}") from error
        told = receive(cast(IO[bytes], process.stdout))
        if told is None:
            _end(process)
            raise StorageError("the process that stores has ended before it could begin")
        if told:
            _end(process)
            raise StorageError(told.decode())
        return process

    def _start_again(self) -> None:
        logger.error("the process that stores has ended; another one is started", extra=ALARM)
        self.restarts += 1
        self._process.kill()
        _end(self._process)
        self._process = self._started()
        self._is_new = True

    def close(self) -> None:
        """Let go of the database, after the other process has."""
        _end(self._process)
        super().close()


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message."""
    stream.write(len(message).to_bytes(HEAD_BYTES, "big") + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """The next message; None when the other side has ended."""
    head = stream.read(HEAD_BYTES)
    if len(head) < HEAD_BYTES:
        return None
    size = int.from_bytes(head, "big")
    message = stream.read(size)
    return message if len(message) == size else None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a process end, and take it off the system."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was still to be written cannot be any more
                stream.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
