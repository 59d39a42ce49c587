"""The files of the copy of the log as they are read: what stands in a line, and which rows a file
holds.

A folder of text files, one row of the log to a line as JSON, the event as it is stored. Each order
stands before its rows, with everything that is stored of it; so do the secrets and the openings
that came with it, encrypted as they are stored. A file that is full or closed ends in a line that
says which rows it holds, so that a start need not read it all.

    {"order":{"number":42,"command_id":"…","place":"A","who":"…","rank":"…","at":"…",
              "authority":{…},"software":"…","also":[…],"command":{…},"events":1}}
    {"opening":{"shuffle":"…","place":"A","seed":"<hex digits>"}}
    {"secret":{"name":"…","kind":"password","secret":"…","number":42}}
    {"place":"A","position":7,"command_id":"…","who":"…","rank":"…","at":"…",
     "digest":"<64 hex digits>","order":"<the digest of the order>","event":{…}}
    {"holds":{"A":[[1,7,"<digest of 7>"]]},"number":42}
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, TypeVar, cast

import msgspec
from msgspec import Struct

from croupier.house.copy_lines import CopyLine, Digest, KeptOpening
from croupier.house.errors import CorruptDatabase
from croupier.house.records import UNREADABLE, Opening, OrderLine, OrderRecord, Row

SUFFIX = ".jsonl"
PACKED = ".jsonl.gz"
"""A closed file that was compressed (`croupier.house.copy_packing`); its last line comes first."""

T = TypeVar("T")


class Ordered(Struct, kw_only=True, gc=False):
    """One order as it stands in the copy."""

    order: OrderLine


class KeptSecret(Struct, kw_only=True):
    """One secret as it was stored, and the number of its order: a later one takes its place."""

    name: str
    kind: str
    secret: str
    number: int


class WithSecret(Struct, kw_only=True):
    """A line with a secret."""

    secret: KeptSecret


class WithOpening(Struct, kw_only=True):
    """A line with an opening."""

    opening: KeptOpening


class Numbered(Struct, kw_only=True):
    """As much of an order as says which it is."""

    class Number(Struct, kw_only=True):
        """Its number."""

        number: int

    order: Number


class Opens(Struct, kw_only=True):
    """As much of an event as says which opening belongs to it."""

    secret: str = ""


class Where(Struct, kw_only=True):
    """As much of a line as says which row it is: a start reads no events."""

    place: str
    position: int
    digest: Digest


class Holds(Struct, kw_only=True):
    """The last line of a closed file: runs of positions of each stream, first and last, and the
    digest of the last; and the highest number of an order."""

    holds: dict[str, list[tuple[int, int, str]]]
    number: int = -1


class Runs:
    """Which rows of each stream a copy has: runs of positions without gaps."""

    def __init__(self) -> None:
        self._runs: dict[str, list[tuple[int, int, str]]] = {}
        self.number = -1
        """The highest number of an order."""

    def add(self, stream: str, first: int, last: int, digest: str) -> None:
        """Add a run; one that goes on where the newest ended becomes part of it."""
        runs = self._runs.setdefault(stream, [])
        if runs and runs[-1][1] == first - 1:
            runs[-1] = (runs[-1][0], last, digest)
        else:
            runs.append((first, last, digest))

    def update(self, other: Runs) -> None:
        """Add the runs of another file."""
        self.number = max(self.number, other.number)
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

ORDER, HOLDS, SECRET, OPENING = b'{"order":', b'{"holds":', b'{"secret":', b'{"opening":'
NO_ROWS = (ORDER, HOLDS, SECRET, OPENING)
"""How the lines begin that are no rows."""
Record = OrderRecord | Row | KeptSecret | Opening
Line = Ordered | WithSecret | WithOpening
"""A line that is no row."""

_read_line = msgspec.json.Decoder(CopyLine)
_read_order = msgspec.json.Decoder(Ordered)
_read_secret = msgspec.json.Decoder(WithSecret)
_read_opening = msgspec.json.Decoder(WithOpening)
_read_number = msgspec.json.Decoder(Numbered)
_read_where = msgspec.json.Decoder(Where)
_read_holds = msgspec.json.Decoder(Holds)


def files(folder: Path) -> list[Path]:
    """The files of a copy, oldest first."""
    if not folder.is_dir():
        return []
    return sorted(each for each in folder.iterdir() if each.name.endswith((SUFFIX, PACKED)))


def rows_in(file: Path) -> Iterator[Row]:
    """The rows of one file. A last line that a crash cut off is left out."""
    for line in _lines(file, _read_line):
        yield line.row()


def records_in(file: Path, damaged: list[str] | None = None) -> Iterator[Record]:
    """Everything that stands in one file, in its order. A damaged line is an error, or goes to
    `damaged` where that is given."""
    for text, where in _texts(file):
        try:
            if text.startswith(ORDER):
                yield _read_order.decode(text).order.record()
            elif text.startswith(SECRET):
                yield _read_secret.decode(text).secret
            elif text.startswith(OPENING):
                yield _read_opening.decode(text).opening.opening()
            elif not text.startswith(HOLDS):
                yield _read_line.decode(text).row()
        except UNREADABLE as error:
            says = f"{where} is damaged: {error}"
            if damaged is None:
                raise CorruptDatabase(says) from error
            damaged.append(says)


def beside_rows_in(file: Path) -> Iterator[KeptSecret | Opening]:
    """The secrets and openings of one file; damaged lines, which `records_in` names, are left
    out."""
    for text, _ in _texts(file):
        with suppress(*UNREADABLE):
            if text.startswith(SECRET):
                yield _read_secret.decode(text).secret
            elif text.startswith(OPENING):
                yield _read_opening.decode(text).opening.opening()


def _lines(file: Path, decoder: msgspec.json.Decoder[T]) -> Iterator[T]:
    """The lines of a file that are rows."""
    for text, where in _texts(file):
        if text.startswith(NO_ROWS):
            continue
        try:
            yield decoder.decode(text)
        except UNREADABLE as error:
            raise CorruptDatabase(f"{where} is damaged: {error}") from error


def _texts(file: Path) -> Iterator[tuple[bytes, str]]:
    """The whole lines of a file, each with where it stands."""
    try:
        with opened(file) as stream:
            for number, text in enumerate(stream, start=1):
                if not text.endswith(b"\n"):
                    return
                yield text, f"{file}, line {number},"
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorruptDatabase(f"{file} is damaged: {error}") from error


def opened(file: Path) -> IO[bytes]:
    """A file of the copy, to be read line by line."""
    return cast(IO[bytes], gzip.open(file) if file.name.endswith(PACKED) else file.open("rb"))


def rows_of_copy(folder: Path) -> Iterator[Row]:
    """All rows of a copy as they were written; a row that two processes wrote comes twice."""
    for file in files(folder):
        yield from rows_in(file)


def runs_in(file: Path) -> Runs:
    """Which rows a file holds: by its last line, or by reading it."""
    runs = Runs()
    said = _first_line(file) if file.name.endswith(PACKED) else last_line(file)
    if said.startswith(HOLDS):
        try:
            read = _read_holds.decode(said)
            runs.number = read.number
            for stream, held in read.holds.items():
                for run in held:
                    runs.add(stream, *run)
        except UNREADABLE as error:
            raise CorruptDatabase(f"{file}: its last line is damaged: {error}") from error
        return runs
    for line in _lines(file, _read_where):
        runs.add(line.place, line.position, line.position, line.digest)
    for text, where in _texts(file):
        if text.startswith(ORDER):
            try:
                runs.number = max(runs.number, _read_number.decode(text).order.number)
            except UNREADABLE as error:
                raise CorruptDatabase(f"{where} is damaged: {error}") from error
    return runs


def ids_in(folder: Path) -> list[str]:
    """The ids of the copies whose files lie in a folder; those of 0.9 have none."""
    found = (file.name.partition(SUFFIX)[0].split("-")[2:] for file in files(folder))
    return sorted({name[0] for name in found if name})


def rows_held(held: dict[str, list[tuple[int, int, str]]]) -> int:
    """How many rows a copy has."""
    return sum(last - first + 1 for runs in held.values() for first, last, _ in runs)


def runs_in_copy(folder: Path) -> Runs:
    """Which rows all files of a copy hold together."""
    together = Runs()
    for file in files(folder):
        together.update(runs_in(file))
    return together


def _first_line(file: Path) -> bytes:
    return next((text for text, _ in _texts(file)), b"")


def last_line(file: Path) -> bytes:
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
