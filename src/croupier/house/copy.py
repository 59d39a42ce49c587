"""The copy of the log: every stored row again, in files outside the database.

What stands in them is in `croupier.house.copy_reading`. Every process writes files of its own and
never opens one again: a line that was cut off by a crash can only be the last of its file.

The copy is written after the database: on a start what a crash kept from it is caught up. If it
knows more than the database, or has another digest, somebody changed the database or cut off its
tail. If it has less than the database knows it to have had (`croupier.house.copies`), somebody has
deleted or shortened it: that is an alarm. From then on only what is new is written, and what is
missing stays missing until a person has the copy made anew (`renew`).
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import msgspec

from croupier.house import copies
from croupier.house.copy_lines import CopyLine, KeptOpening
from croupier.house.copy_reading import (
    PACKED,
    SUFFIX,
    Holds,
    KeptSecret,
    Line,
    Opens,
    Ordered,
    Runs,
    WithOpening,
    WithSecret,
    files,
    ids_in,
    rows_held,
    runs_in_copy,
)
from croupier.house.errors import CorruptDatabase, CutTail, StorageError
from croupier.house.private import FOLDER, keep_private, make_private
from croupier.house.records import UNREADABLE, Bundle, OrderLine, OrderRecord, Row
from croupier.house.store import Store

FILE_BYTES = 64 * 2**20
"""A file that has grown to this is closed and the next one begun."""
SYNC_SECONDS = 1.0
"""A row is on the disk at most so long after it was written."""
CAUGHT_UP_AT_ONCE = 500
"""Rows whose orders are read together."""

_encoder = msgspec.json.Encoder()
_read_opens = msgspec.json.Decoder(Opens)


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
        self.id = ""
        """Which copy it is; known once it was compared with the database."""
        self.alarm = ""
        """What is wrong with it, until a person has it made anew; the database has it too."""
        self._floor: dict[str, int] = {}
        """How far each log went when the alarm was raised: what is older is not caught up."""
        self._held = 0
        """Rows that it holds, as far as this process knows."""
        self._number = -1
        """The highest number of an order that was written."""
        self._name, self._flushed = "", 0
        """The file that is being written, and how much of it the operating system has."""
        self._seen: dict[str, int] = {}
        """The other files of the copy, and how long each was."""

    def catch_up(self, store: Store) -> int:
        """Compare the copy with the database and write what it lacks; return how many rows.

        The copy is read before the heads: other processes may be writing, the database first.
        """
        try:
            runs = runs_in_copy(self.folder)
            self._seen = {file.name: file.stat().st_size for file in files(self.folder)}
        except OSError as error:
            raise _trouble(self.folder, error) from error
        held = runs.held()
        heads = store.heads()
        for stream, found in sorted(held.items()):
            self._compare(store, stream, found, heads[stream].position if stream in heads else 0)
        self._held, self._number = rows_held(held), max(self._number, runs.number)
        begun = self._recognise(store)
        if self.alarm and not self._floor:
            self._floor = {stream: head.position for stream, head in heads.items()}
        written = self._fill(store, held, {name: head.position for name, head in heads.items()})
        if begun:
            self._complete(store)
        else:
            self._add_orders_to_nothing(store, runs.number)
        self.flush()
        return written

    def _recognise(self, store: Store) -> bool:
        """Find out which copy this is, whether it is begun just now, and what is wrong with it."""
        folder = str(self.folder.resolve())
        with store.database.transaction():  # two processes must not both begin it
            known = copies.known_copies(store)
            found = [self.id] if self.id else ids_in(self.folder)
            mine = [each for each in found if each in known]
            mine += [each.copy for each in known.values() if each.folder == folder]
            mine += [each.copy for each in known.values() if _never_held(each)]
            if mine:
                mark = known[mine[0]]
                self.id = mark.copy
                self.alarm = mark.alarm or self._lost(mark)
                if self.alarm != mark.alarm:
                    sql = "UPDATE copies SET alarm = ? WHERE copy = ?"
                    store.database.execute(sql, (self.alarm, self.id))
                return not mark.held and not self.alarm
            self.id = found[0] if found else copies.new_id()
            if known:
                others = ", ".join(sorted(each.folder for each in known.values()))
                self.alarm = (
                    f"{self.folder} holds no copy of the log that is on record; there is one in "
                    f"{others}"
                )
            mark = copies.CopyMark(copy=self.id, folder=folder, alarm=self.alarm)
            store.database.insert_all([copies.insertion(mark)])
            return not self.alarm

    def _lost(self, mark: copies.CopyMark) -> str:
        """What is wrong with a copy that holds less than was on the disk there."""
        if self._held >= mark.held:
            return ""
        if not self._held:
            return f"the copy of the log in {self.folder} is gone; {mark.held:,} events were there"
        return (
            f"the copy of the log in {self.folder} was shortened: it holds {self._held:,} events, "
            f"and {mark.held:,} were there"
        )

    def _fill(
        self, store: Store, held: dict[str, list[tuple[int, int, str]]], heads: dict[str, int]
    ) -> int:
        """Write the rows that the copy lacks, with their orders and what else came with them."""
        written = 0
        told = False
        for stream, head in heads.items():
            floor = self._floor.get(stream, 0)
            for after, until in _gaps(held.get(stream, []), head):
                rows = store.rows(stream, after=max(after, floor), until=until)
                while some := list(islice(rows, CAUGHT_UP_AT_ONCE)):
                    self._add_rows(store, some)
                    written += len(some)
                    told = told or any(b'"digest":"' in row.event for row in some)
        if told:  # somebody may have got a password with one of these
            self._add(_secret_lines(store), ())
        return written

    def _add_rows(self, store: Store, rows: list[Row]) -> None:
        ids = {row.command_id for row in rows if row.order}
        lines = {
            each.order.command_id: _order_line(each.order, each.events)
            for each in store.decisions_of(ids)
        }
        opened = copies.kept_openings(store, {each for row in rows for each in _opens(row)})
        self._add([_opening_line(*each) for each in opened], ())
        for row in rows:
            mine = lines.get(row.command_id) if row.order else None
            self._add((mine,) if mine is not None else (), (row,))

    def _complete(self, store: Store) -> None:
        """Write what belongs to no row, or what a copy of 0.9 has not."""
        self._add(_secret_lines(store), ())
        self._add([_opening_line(*each) for each in copies.kept_openings(store)], ())
        self._add_orders_to_nothing(store, 0)

    def _add_orders_to_nothing(self, store: Store, number: int) -> None:
        """Orders that came to nothing have no row by which they would be missed: the last of them
        may be written twice."""
        if ids := copies.orders_to_nothing(store, number):
            orders = store.decisions_of(ids)
            self._add([_order_line(each.order, 0) for each in orders], ())

    def renew(self, store: Store) -> int:
        """Write everything that the copy lacks, and end the alarm; return how many rows."""
        copies.begin_anew(store, self.id)
        self.alarm, self._floor = "", {}
        written = self.catch_up(store)
        self.sync()
        copies.note(store, self.mark())
        return written

    def mark(self) -> copies.CopyMark:
        """How far the copy goes, for the database; to be asked when all is on the disk."""
        return copies.CopyMark(copy=self.id, folder=str(self.folder.resolve()), held=self._held)

    def end_alarm(self) -> None:
        """The copy was made anew by another process; this one goes on with it."""
        self.alarm, self._floor = "", {}

    def look(self) -> str:
        """Whether all files are still there and as long as they were; what is wrong, if not.

        A process that writes a file that somebody deletes would not notice it otherwise.
        """
        expected = dict(self._seen)
        if self._stream is not None:
            expected[self._name] = self._flushed
        try:
            there = {file.name: file.stat().st_size for file in files(self.folder)}
        except OSError as error:  # a disk that is out of reach for a moment has lost nothing
            raise _trouble(self.folder, error) from error
        for name, size in expected.items():
            packed = name.removesuffix(SUFFIX) + PACKED in there
            if there.get(name, -1) < size and not packed:
                how = "is gone" if name not in there else "was shortened"
                return f"{name} of the copy of the log in {self.folder} {how}"
        return ""

    def raise_alarm(self, store: Store, alarm: str) -> None:
        """Something is wrong with the copy: the database has it from now on. What is new goes to
        another file."""
        copies.set_alarm(store, self.id, alarm)  # first: if that fails, it is noticed again
        self._floor = {stream: head.position for stream, head in store.heads().items()}
        self.alarm = alarm
        self._give_up()
        self._seen = {}

    def _compare(
        self, store: Store, stream: str, runs: list[tuple[int, int, str]], head: int
    ) -> None:
        last, digest = runs[-1][1:]
        if last > head:
            raise CutTail(
                f"the log of {stream} ends at event {head}, its copy in {self.folder} at event "
                f"{last}: the tail was cut off. `croupier audit restore` brings the database back "
                f"from the copy"
            )
        for _, last, digest in runs:
            found = store.digest_at(stream, last)
            if found is None or found.hex() != digest:
                raise CorruptDatabase(
                    f"event {last} of {stream} has another digest in the copy in {self.folder}: "
                    f"one of the two was changed; `croupier audit verify` says which"
                )

    def write(self, rows: Iterable[Row]) -> None:
        """Add rows, and flush them to the operating system."""
        self._add((), list(rows))
        self.flush()

    def write_bundles(self, bundles: Iterable[Bundle]) -> None:
        """Add the orders and rows of a group, and flush them to the operating system."""
        group = list(bundles)
        lines: list[Line] = []
        for bundle in group:
            order, number = bundle.order, 0
            if order is not None:
                lines.append(_order_line(order, len(bundle.rows)))
                number = order.number
            if bundle.openings:
                lines += [_opening_line(o.shuffle, o.stream, o.seed) for o in bundle.openings]
            if bundle.secrets:
                lines += [_secret_line(s.name, s.kind, s.secret, number) for s in bundle.secrets]
            self._number = max(self._number, number)
        self._add(lines, [row for bundle in group for row in bundle.rows])
        self.flush()

    def _add(self, lines: Sequence[Line], rows: Sequence[Row]) -> None:
        if not lines and not rows:
            return
        try:
            stream = self._stream or self._begin()
            copied = [CopyLine.of(row) for row in rows]
            self._written += stream.write(_encoder.encode_lines([*lines, *copied]))
            for line in copied:
                self._runs.add(line.place, line.position, line.position, line.digest)
            self._held += len(rows)
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
                self._flushed = self._written
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
                parts = [now, str(os.getpid())] + [self.id] * bool(self.id)
                file = self.folder / f"{'-'.join(parts)}{SUFFIX}"
                make_private(file)
                self._stream = file.open("wb")
                break
            except FileExistsError:
                continue
        _sync_folder(self.folder)  # a file that is synced is of no use where its name is lost
        self._runs = Runs()
        self._name, self._written, self._flushed = file.name, 0, 0
        return self._stream

    def _end(self) -> None:
        assert self._stream is not None
        holds = msgspec.json.encode(Holds(holds=self._runs.held(), number=self._number)) + b"\n"
        self._stream.write(holds)
        self.sync()
        self._stream.close()
        self._stream = None
        self._seen[self._name] = self._written + len(holds)

    def _give_up(self) -> None:
        """A file that could not be written is left as it is; the next write begins another."""
        stream, self._stream = self._stream, None
        self._unsynced_since = None
        if stream is not None:
            with suppress(OSError):  # it flushes what is left, and closes even if that fails
                stream.close()


def _never_held(mark: copies.CopyMark) -> bool:
    """Whether a copy cannot have lost anything, wherever it was to be: nothing was noted of it, and
    nothing lies there that is only not noted yet."""
    return not mark.held and not mark.alarm and not files(Path(mark.folder))


def _order_line(order: OrderRecord, events: int) -> Ordered:
    """An order as a line of the copy."""
    return Ordered(order=OrderLine.of(order, events))


def _opening_line(shuffle: str, place: str, seed: bytes) -> WithOpening:
    """An opening as a line of the copy."""
    return WithOpening(opening=KeptOpening(shuffle=shuffle, place=place, seed=seed.hex()))


def _secret_line(name: str, kind: str, secret: str, number: int) -> WithSecret:
    """A secret as a line of the copy."""
    return WithSecret(secret=KeptSecret(name=name, kind=kind, secret=secret, number=number))


def _secret_lines(store: Store) -> list[WithSecret]:
    """Every secret, as new as all that is stored."""
    number = sum(head.position for head in store.heads().values())
    return [_secret_line(*each, number) for each in copies.kept_secrets(store)]


def _opens(row: Row) -> Iterator[str]:
    """The ids under which an opening of this row may be kept."""
    yield row.command_id  # as in 0.9
    if b'"secret":' in row.event:
        with suppress(*UNREADABLE):
            if found := _read_opens.decode(row.event).secret:
                yield found


def _sync_folder(folder: Path) -> None:
    """Bring the names of a folder to the disk, where the system can."""
    if os.name != "posix":  # pragma: no cover
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
