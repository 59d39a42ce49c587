"""The copy of the log: every stored row again, in files outside the database.

A folder of text files, one row of the log to a line as JSON, the event as it is stored. Each order
stands before its rows, with everything that is stored of it. Every process writes files of its own
and never opens one again: a line that was cut off by a crash can only be the last of its file. A
file that is full or closed ends in a line that says which rows it holds, so that a start need not
read it all.

    {"order":{"number":42,"command_id":"…","place":"A","who":"…","rank":"…","at":"…",
              "authority":{…},"software":"…","also":[…],"command":{…},"events":1}}
    {"place":"A","position":7,"command_id":"…","who":"…","rank":"…","at":"…",
     "digest":"<64 hex digits>","order":"<the digest of the order>","event":{…}}
    {"holds":{"A":[[1,7,"<digest of 7>"]]}}

The copy is written after the database: on a start what is missing in it is caught up. If it knows
more than the database, or has another digest, somebody changed the database or cut off its tail.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from croupier.house.errors import CorruptDatabase, CutTail, StorageError
from croupier.house.private import FOLDER, keep_private, make_private
from croupier.house.records import Bundle, OrderLine, OrderRecord, Row
from croupier.house.store import Store

FILE_BYTES = 64 * 2**20
"""A file that has grown to this is closed and the next one begun."""
SYNC_SECONDS = 1.0
"""A row is on the disk at most so long after it was written."""
SUFFIX = ".jsonl"
CAUGHT_UP_AT_ONCE = 500
"""Rows whose orders are read together."""

T = TypeVar("T")
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class CopyLine(Struct, kw_only=True):
    """One row as it stands in the copy."""

    place: str
    position: int
    command_id: str
    who: str
    rank: str
    at: str
    digest: Digest
    order: Digest | UnsetType = UNSET
    event: Raw

    def row(self) -> Row:
        """The row of the log that this is a copy of."""
        return Row(
            stream=self.place,
            position=self.position,
            command_id=self.command_id,
            who=self.who,
            rank=self.rank,
            at=self.at,
            event=bytes(self.event),
            digest=bytes.fromhex(self.digest),
            order=bytes.fromhex(self.order) if self.order is not UNSET else b"",
        )


class Ordered(Struct, kw_only=True):
    """One order as it stands in the copy."""

    order: OrderLine


class Where(Struct, kw_only=True):
    """As much of a line as says which row it is: a start reads no events."""

    place: str
    position: int
    digest: Digest


class Holds(Struct, kw_only=True):
    """The last line of a closed file: runs of positions of each stream, first and last, and the
    digest of the last."""

    holds: dict[str, list[tuple[int, int, str]]]


class Runs:
    """Which rows of each stream a copy has: runs of positions without gaps."""

    def __init__(self) -> None:
        self._runs: dict[str, list[tuple[int, int, str]]] = {}

    def add(self, stream: str, first: int, last: int, digest: str) -> None:
        """Add a run; one that goes on where the newest ended becomes part of it."""
        runs = self._runs.setdefault(stream, [])
        if runs and runs[-1][1] == first - 1:
            runs[-1] = (runs[-1][0], last, digest)
        else:
            runs.append((first, last, digest))

    def update(self, other: Runs) -> None:
        """Add the runs of another file."""
        for stream, runs in other._runs.items():
            for run in runs:
                self.add(stream, *run)

    def held(self) -> dict[str, list[tuple[int, int, str]]]:
        """The runs of each stream, in order, those that touch or overlap joined."""
        return {stream: _joined(runs) for stream, runs in self._runs.items()}


def _joined(runs: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    joined: list[tuple[int, int, str]] = []
    for first, last, digest in sorted(runs):
        if joined and first <= joined[-1][1] + 1:
            if last > joined[-1][1]:
                joined[-1] = (joined[-1][0], last, digest)
        else:
            joined.append((first, last, digest))
    return joined


# -- reading ------------------------------------------------------------------------------------

ORDER, HOLDS = b'{"order":', b'{"holds":'
"""How the lines begin that are no rows."""

_read_line = msgspec.json.Decoder(CopyLine)
_read_order = msgspec.json.Decoder(Ordered)
_read_where = msgspec.json.Decoder(Where)
_read_holds = msgspec.json.Decoder(Holds)


def files(folder: Path) -> list[Path]:
    """The files of a copy, oldest first."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def rows_in(file: Path) -> Iterator[Row]:
    """The rows of one file. A last line that a crash cut off is left out."""
    for line in _lines(file, _read_line):
        yield line.row()


def records_in(file: Path) -> Iterator[OrderRecord | Row]:
    """The orders and rows of one file, as they stand there."""
    for text, where in _texts(file):
        try:
            if text.startswith(ORDER):
                yield _read_order.decode(text).order.record()
            elif not text.startswith(HOLDS):
                yield _read_line.decode(text).row()
        except msgspec.MsgspecError as error:
            raise CorruptDatabase(f"{where} is damaged: {error}") from error


def _lines(file: Path, decoder: msgspec.json.Decoder[T]) -> Iterator[T]:
    """The lines of a file that are rows."""
    for text, where in _texts(file):
        if text.startswith((ORDER, HOLDS)):
            continue
        try:
            yield decoder.decode(text)
        except msgspec.MsgspecError as error:
            raise CorruptDatabase(f"{where} is damaged: {error}") from error


def _texts(file: Path) -> Iterator[tuple[bytes, str]]:
    """The whole lines of a file, each with where it stands."""
    with file.open("rb") as stream:
        for number, text in enumerate(stream, start=1):
            if not text.endswith(b"\n"):
                return
            yield text, f"{file}, line {number},"


def rows_of_copy(folder: Path) -> Iterator[Row]:
    """All rows of a copy as they were written; a row that two processes wrote comes twice."""
    for file in files(folder):
        yield from rows_in(file)


def runs_in(file: Path) -> Runs:
    """Which rows a file holds: by its last line, or by reading it."""
    runs = Runs()
    said = _last_line(file)
    if said.startswith(HOLDS):
        try:
            for stream, held in _read_holds.decode(said).holds.items():
                for run in held:
                    runs.add(stream, *run)
        except msgspec.MsgspecError as error:
            raise CorruptDatabase(f"{file}: its last line is damaged: {error}") from error
        return runs
    for line in _lines(file, _read_where):
        runs.add(line.place, line.position, line.position, line.digest)
    return runs


def runs_in_copy(folder: Path) -> Runs:
    """Which rows all files of a copy hold together."""
    together = Runs()
    for file in files(folder):
        together.update(runs_in(file))
    return together


def _last_line(file: Path) -> bytes:
    """The last whole line of a file, or nothing if the file ends in half a line."""
    with file.open("rb") as stream:
        end = stream.seek(0, io.SEEK_END)
        size = 4096
        while True:
            start = max(0, end - size)
            stream.seek(start)
            tail = stream.read(end - start)
            if not tail.endswith(b"\n"):
                return b""
            cut = tail.rfind(b"\n", 0, -1)
            if cut >= 0 or start == 0:
                return tail[cut + 1 :]
            size *= 4


# -- writing ------------------------------------------------------------------------------------


class LogCopy:
    """The copy that one process writes. Used by the writer's thread."""

    def __init__(
        self,
        folder: Path | str,
        *,
        file_bytes: int = FILE_BYTES,
        sync_seconds: float = SYNC_SECONDS,
    ) -> None:
        self.folder = Path(folder)
        self._file_bytes = file_bytes
        self._sync_seconds = sync_seconds
        self._stream: io.BufferedWriter | None = None
        self._runs = Runs()
        self._written = 0
        self._unsynced_since: float | None = None

    def catch_up(self, store: Store) -> int:
        """Compare the copy with the database and write what it lacks; return how many rows.

        The copy is read before the heads: other processes may be writing, the database first.
        """
        try:
            held = runs_in_copy(self.folder).held()
        except OSError as error:
            raise _trouble(self.folder, error) from error
        heads = store.heads()
        for stream, runs in sorted(held.items()):
            self._compare(store, stream, runs, heads[stream].position if stream in heads else 0)
        written = 0
        for stream, head in heads.items():
            for after, until in _gaps(held.get(stream, []), head.position):
                rows = store.rows(stream, after=after, until=until)
                while some := list(islice(rows, CAUGHT_UP_AT_ONCE)):
                    ids = {row.command_id for row in some if row.order}
                    lines = {
                        each.order.command_id: _order_line(each.order, each.events)
                        for each in store.decisions_of(ids)
                    }
                    for row in some:
                        mine = lines.get(row.command_id) if row.order else None
                        self._add((mine,) if mine is not None else (), (row,))
                    written += len(some)
        if written:
            self.flush()
        return written

    def _compare(
        self, store: Store, stream: str, runs: list[tuple[int, int, str]], head: int
    ) -> None:
        last, digest = runs[-1][1:]
        if last > head:
            raise CutTail(
                f"the log of {stream} ends at event {head}, its copy in {self.folder} at event "
                f"{last}: the tail was cut off. Restore the database from a backup that has it; if "
                f"the loss is known and accepted, move the copy to a safe place first"
            )
        for _, last, digest in runs:
            row = store.row(stream, last)
            if row is None or row.digest.hex() != digest:
                raise CorruptDatabase(
                    f"event {last} of {stream} has another digest in the copy in {self.folder}: "
                    f"one of the two was changed; `croupier audit verify` says which"
                )

    def write(self, rows: Iterable[Row]) -> None:
        """Add rows, and flush them to the operating system."""
        self._add((), rows)
        self.flush()

    def write_bundles(self, bundles: Iterable[Bundle]) -> None:
        """Add the orders and rows of a group, and flush them to the operating system."""
        group = list(bundles)
        orders = [
            _order_line(bundle.order, len(bundle.rows))
            for bundle in group
            if bundle.order is not None
        ]
        self._add(orders, [row for bundle in group for row in bundle.rows])
        self.flush()

    def _add(self, orders: Iterable[bytes], rows: Iterable[Row]) -> None:
        try:
            stream = self._stream or self._begin()
            for text in orders:
                stream.write(text)
                self._written += len(text)
            for row in rows:
                digest = row.digest.hex()
                text = _line(row, digest)
                stream.write(text)
                self._written += len(text)
                self._runs.add(row.stream, row.position, row.position, digest)
            if self._unsynced_since is None:
                self._unsynced_since = time.monotonic()
            if self._written >= self._file_bytes:
                self._end()
        except OSError as error:
            self._give_up()
            raise _trouble(self.folder, error) from error

    def flush(self) -> None:
        """Hand what was written to the operating system: a crash of the process cannot lose it."""
        try:
            if self._stream is not None:
                self._stream.flush()
        except OSError as error:
            self._give_up()
            raise _trouble(self.folder, error) from error

    def due(self) -> float | None:
        """In how many seconds the next sync is due, None if there is nothing to sync."""
        if self._unsynced_since is None:
            return None
        return max(0.0, self._unsynced_since + self._sync_seconds - time.monotonic())

    def sync(self) -> None:
        """Bring everything to the disk: a power cut cannot lose it."""
        try:
            if self._stream is not None:
                self._stream.flush()
                os.fsync(self._stream.fileno())
            self._unsynced_since = None
        except OSError as error:
            self._give_up()
            raise _trouble(self.folder, error) from error

    def close(self) -> None:
        """Say what the file holds, and sync it."""
        if self._stream is None:
            return
        try:
            self._end()
        except OSError as error:
            self._give_up()
            raise _trouble(self.folder, error) from error

    def _begin(self) -> io.BufferedWriter:
        self.folder.mkdir(parents=True, exist_ok=True, mode=FOLDER)
        keep_private(self.folder)
        while True:
            # Named by the time, so that the files sort; by the process, so that two never share.
            now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
            try:
                file = self.folder / f"{now}-{os.getpid()}{SUFFIX}"
                make_private(file)
                self._stream = file.open("wb")
                break
            except FileExistsError:
                continue
        self._runs = Runs()
        self._written = 0
        return self._stream

    def _end(self) -> None:
        assert self._stream is not None
        self._stream.write(msgspec.json.encode(Holds(holds=self._runs.held())) + b"\n")
        self.sync()
        self._stream.close()
        self._stream = None

    def _give_up(self) -> None:
        """A file that could not be written is left as it is; the next write begins another."""
        stream, self._stream = self._stream, None
        self._unsynced_since = None
        if stream is not None:
            with suppress(OSError):  # it flushes what is left, and closes even if that fails
                stream.close()


def _line(row: Row, digest: str) -> bytes:
    """A row as a line of the copy."""
    return (
        msgspec.json.encode(
            CopyLine(
                place=row.stream,
                position=row.position,
                command_id=row.command_id,
                who=row.who,
                rank=row.rank,
                at=row.at,
                digest=digest,
                order=row.order.hex() or UNSET,
                event=Raw(row.stored or row.event),
            )
        )
        + b"\n"
    )


def _order_line(order: OrderRecord, events: int) -> bytes:
    """An order as a line of the copy."""
    return msgspec.json.encode(Ordered(order=OrderLine.of(order, events))) + b"\n"


def _gaps(runs: list[tuple[int, int, str]], head: int) -> Iterator[tuple[int, int]]:
    """The positions that runs leave out: after which, and until which."""
    after = 0
    for first, last, _ in runs:
        if first > after + 1:
            yield after, first - 1
        after = last
    if head > after:
        yield after, head


def _trouble(folder: Path, error: OSError) -> StorageError:
    return StorageError(f"the copy of the log in {folder} cannot be written or read: {error}")
