"""One archive: a compressed file of lines, in parts that can be read each by itself.

The file is a row of gzip members, so `zcat` prints all of it. The first member is one line, the
header: what the file holds, and where each further member (a block) lies, with its SHA-256. The
digest of the archive is the SHA-256 of that first member as it lies there, so it stands for every
byte of the file. Rows, orders and openings stand in the lines that the copy of the log has for
them (`croupier.house.copy_reading`).

    {"archive":{"number":1,"house":"…","day":"2026-11-16","first":0,"until":48210,"before":"…",
                "logs":{"Raffles":[1,4021,1,"<digest of 4021>"]},…,"blocks":[…]}}
    {"place":"Raffles","position":1,…}                                    blocks of a log
    {"order":{…},"rows":{"Raffles":[101,104]}}                            orders, and where they led
    {"command":{"command_id":"…","events":2},"rows":{…}}                  stored before orders were
    {"entry":[102,"player/Ann",-500]}                                     blocks of a log's entries
    {"opening":{"shuffle":"…","place":"shuffles/Raffles","seed":"…"}}
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Annotated, Any, Literal

import msgspec
from msgspec import Struct

from croupier.house.copy_lines import CopyLine, KeptOpening
from croupier.house.errors import CorruptDatabase, StorageError
from croupier.house.private import make_private
from croupier.house.records import UNREADABLE, OrderLine

FORMAT = 1
SUFFIX = ".jsonl.gz"
NONE_BEFORE = "0" * 64
"""In place of the digest of the archive before the first."""
READ_BYTES = 1 << 16
LEVEL = 6
"""Of compression: 9 takes thrice as long for two hundredths less."""

Kind = Literal["log", "orders", "commands", "entries", "openings"]
Rows = dict[str, tuple[int, int]]
"""Where the rows of an order lie: at each place from one position to another."""


class ArchiveDamaged(CorruptDatabase):
    """The file of an archive is missing, or is not what was put there."""


class Block(Struct, frozen=True, array_like=True):
    """A part of the file that is read as one."""

    kind: Kind
    place: str
    """Of rows and entries."""
    first: int
    """The first position, or the first number of an order."""
    last: int
    lines: int
    offset: int
    """From the end of the header."""
    length: int
    sha256: str


class LogPart(Struct, frozen=True, array_like=True):
    """How much of a log an archive holds."""

    first: int
    last: int
    ordered: int
    """The first position with a stored order; 0 where none has one."""
    digest: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    """Of the row at `last`."""


class Header(Struct, frozen=True, kw_only=True):
    """What an archive holds."""

    number: int
    format: int = FORMAT
    house: str
    """The digest of the founding: which House it is."""
    day: str
    """The last gaming day in it."""
    first: int
    """The number of its first order: how many events all logs had before it."""
    until: int
    before: str
    """The digest of the archive before."""
    logs: dict[str, LogPart]
    rows: int
    orders: int
    commands: int
    """Carried out before orders were stored."""
    entries: int
    openings: int
    blocks: list[Block]


class _First(Struct, kw_only=True):
    archive: Header


class OrderedRows(Struct, kw_only=True):
    """An order and where its rows lie."""

    order: OrderLine
    rows: Rows


class OldCommand(Struct, kw_only=True):
    """A command that was carried out before orders were stored."""

    command_id: str
    events: int


class CommandRows(Struct, kw_only=True):
    """Such a command, and where its rows lie."""

    command: OldCommand
    rows: Rows


class EntryLine(Struct, kw_only=True):
    """An entry of the ledger: position, account, amount."""

    entry: tuple[int, str, int]


class OpeningLine(Struct, kw_only=True):
    """An opening, encrypted as it was stored."""

    opening: KeptOpening


LINES: dict[Kind, msgspec.json.Decoder[Any]] = {
    "log": msgspec.json.Decoder(CopyLine),
    "orders": msgspec.json.Decoder(OrderedRows),
    "commands": msgspec.json.Decoder(CommandRows),
    "entries": msgspec.json.Decoder(EntryLine),
    "openings": msgspec.json.Decoder(OpeningLine),
}
_read_first = msgspec.json.Decoder(_First)
_encode = msgspec.json.Encoder().encode


# -- writing -------------------------------------------------------------------------------------


class Writing:
    """An archive that is being written: blocks first, the header before them at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.blocks: list[Block] = []
        self._body = folder / "blocks.part"
        self._whole = folder / "archive.part"
        for part in (self._body, self._whole):
            part.unlink(missing_ok=True)
            make_private(part)
        self._stream: IO[bytes] = self._body.open("wb")
        self._offset = 0

    def block(self, kind: Kind, place: str, first: int, last: int, lines: Iterable[Struct]) -> None:
        """Write one block."""
        text = [_encode(line) for line in lines]
        member = _compressed(b"\n".join(text) + b"\n")
        self._stream.write(member)
        digest = hashlib.sha256(member).hexdigest()
        self.blocks.append(
            Block(kind, place, first, last, len(text), self._offset, len(member), digest)
        )
        self._offset += len(member)

    def finish(self, header: Header) -> tuple[Path, str]:
        """Put the header before the blocks, see that all of it is on the disk, and give the file
        its name; the file, and the digest of the archive."""
        self._stream.close()
        member = _compressed(_encode(_First(archive=header)) + b"\n")
        digest = hashlib.sha256(member).hexdigest()
        with self._whole.open("wb") as whole, self._body.open("rb") as body:
            whole.write(member)
            while part := body.read(1 << 20):
                whole.write(part)
            whole.flush()
            os.fsync(whole.fileno())
        ArchiveFile(self._whole, digest).check()
        file = self.folder / f"{header.number:06}-{digest[:16]}{SUFFIX}"
        self._whole.rename(file)
        self._body.unlink()
        _sync_folder(self.folder)
        return file, digest

    def abandon(self) -> None:
        """Leave nothing behind."""
        self._stream.close()
        for part in (self._body, self._whole):
            part.unlink(missing_ok=True)


def _compressed(text: bytes) -> bytes:
    return gzip.compress(text, LEVEL, mtime=0)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# -- reading -------------------------------------------------------------------------------------


class ArchiveFile:
    """An archive, to be read block by block."""

    def __init__(self, file: Path, digest: str) -> None:
        self.file = file
        try:
            with file.open("rb") as stream:
                member, text = _first_member(stream)
        except (OSError, zlib.error, EOFError) as error:
            raise ArchiveDamaged(f"the archive {file} cannot be read: {error}") from error
        if hashlib.sha256(member).hexdigest() != digest:
            raise ArchiveDamaged(f"the archive {file} is not the one on record: it was changed")
        try:
            self.header = _read_first.decode(text).archive
        except UNREADABLE as error:
            raise ArchiveDamaged(f"the archive {file} has no header: {error}") from error
        self._begins = len(member)
        self._by_kind: dict[tuple[Kind, str], list[Block]] = {}
        for block in self.header.blocks:
            self._by_kind.setdefault((block.kind, block.place), []).append(block)

    def blocks(self, kind: Kind, place: str = "", after: int = -1) -> list[Block]:
        """The blocks of a kind, from the one on that goes beyond `after`."""
        some = self._by_kind.get((kind, place), [])
        return some[bisect_left(some, after + 1, key=lambda block: block.last) :]

    def places(self, kind: Kind) -> list[str]:
        """The places that have blocks of a kind."""
        return [place for each, place in self._by_kind if each == kind]

    def lines(self, block: Block) -> list[Any]:
        """The lines of a block, each as the record that it is."""
        text = self._text(block)
        decode = LINES[block.kind].decode
        try:
            return [decode(line) for line in text.splitlines()]
        except UNREADABLE as error:
            raise self._damaged(block, str(error)) from error

    def _text(self, block: Block) -> bytes:
        try:
            with self.file.open("rb") as stream:
                stream.seek(self._begins + block.offset)
                member = stream.read(block.length)
            if hashlib.sha256(member).hexdigest() != block.sha256:
                raise self._damaged(block, "it was changed")
            return gzip.decompress(member)
        except (OSError, zlib.error, EOFError) as error:
            raise self._damaged(block, str(error)) from error

    def check(self) -> None:
        """Read all of it: every block is what the header says, and nothing lies behind them."""
        for block in self.header.blocks:
            if len(self.lines(block)) != block.lines:
                raise self._damaged(block, "it has another number of lines than it says")
        self.check_size()

    def check_size(self) -> None:
        """Whether the file is as long as its header says."""
        size = self._begins + sum(block.length for block in self.header.blocks)
        if self.file.stat().st_size != size:
            raise ArchiveDamaged(f"the archive {self.file} is longer or shorter than it was")

    def _damaged(self, block: Block, says: str) -> ArchiveDamaged:
        what = f"{block.kind} of {block.place}" if block.place else block.kind
        return ArchiveDamaged(
            f"the archive {self.file} is damaged ({what}, {block.first} to {block.last}): {says}"
        )


def _first_member(stream: IO[bytes]) -> tuple[bytes, bytes]:
    """The first gzip member as it lies there, and its text."""
    inflate = zlib.decompressobj(wbits=31)
    member, text = bytearray(), bytearray()
    while not inflate.eof:
        part = stream.read(READ_BYTES)
        if not part:
            raise EOFError("it ends within its header")
        text += inflate.decompress(part)
        member += part[: len(part) - len(inflate.unused_data)]
    return bytes(member), bytes(text)


def existing(*files: Path) -> Path:
    """The first of some files that is there; where none is, that is said of the last."""
    for file in files:
        if file.is_file():
            return file
    raise ArchiveDamaged(f"the archive {files[-1]} is missing")


def made_folder(folder: Path) -> Path:
    """The folder, made if it is not there, for its owner alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{folder} cannot be made: {error}") from error
    return folder
