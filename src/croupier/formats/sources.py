"""Where hands come from: files, folders and `.zip` archives, opened one at a time and with limits.

An archive is read member by member as a stream, never unpacked. A member that claims to be, or
turns out to be, larger than `MEMBER_BYTES`, or that is packed more tightly than any text of hands,
is an error in its place, and the rest goes on.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from msgspec import Struct

from croupier.formats.errors import FormatError

SUFFIXES = (".phh", ".phhs", ".ohh")
TEXT = ".txt"
"""PokerStars text, and much else: of a folder or an archive only what begins with a hand."""
PEEKED = 4096
KIN = {".phhs": (".phh", ".phhs"), ".ohh": (".ohh",), ".txt": (".txt",)}
"""The endings of the files of each format."""
ARCHIVE = ".zip"
MEMBER_BYTES = 4 * 1024**3
"""The most that one member of an archive may hold."""
TIGHTEST = 250
"""How many times smaller than its text a member may be packed; hands are about ten times so."""
MEMBERS = 5_000_000
"""The most members that an archive may have."""


class Source(Struct, frozen=True):
    """A file of hands, or a member of an archive."""

    path: Path
    member: str = ""
    size: int = 0
    """Its length in bytes, as far as it is known, for telling how far one is."""

    def __str__(self) -> str:
        return f"{self.path}:{self.member}" if self.member else str(self.path)


def is_known(name: str) -> bool:
    """Whether the name of a file tells its format."""
    return name.lower().endswith((*SUFFIXES, TEXT))


def find_sources(paths: tuple[Path, ...]) -> Iterator[Source | FormatError]:
    """Every file of hands that these paths name, folders and archives looked through in order.

    A file that is named itself is taken whatever it is called; a `.txt` file of a folder or an
    archive only if a hand stands at its beginning.
    """
    for path in paths:
        if path.is_dir():
            found = False
            for file in sorted(path.rglob("*")):
                if _holds_hands(file):
                    found = True
                    yield from _file(file)
            if not found:
                yield FormatError(
                    "no .phh, .phhs, .ohh or .zip file in this folder, and no .txt file with hands",
                    source=str(path),
                )
        else:
            yield from _file(path)


def _holds_hands(file: Path) -> bool:
    suffix = file.suffix.lower()
    if suffix in (*SUFFIXES, ARCHIVE):
        return file.is_file()
    if suffix != TEXT or not file.is_file():
        return False
    try:
        with file.open("rb") as opened:
            return begins_with_hand(opened.read(PEEKED))
    except OSError:
        return True  # reading it will tell what is wrong


def begins_with_hand(text: bytes) -> bool:
    """Whether PokerStars text begins here."""
    return b" #" in text and text.lstrip(b"\xef\xbb\xbf\r\n *#0123456789").lower().startswith(
        b"pokerstars"
    )


def _file(path: Path) -> Iterator[Source | FormatError]:
    try:
        if path.suffix.lower() == ARCHIVE:
            yield from _members(path)
        else:
            yield Source(path, "", path.stat().st_size)
    except OSError as error:
        yield FormatError(error.strerror or str(error), source=str(path))


def _members(path: Path) -> Iterator[Source | FormatError]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [
                (info.filename, info.file_size)
                for info in archive.infolist()
                if not info.is_dir() and _is_member(archive, info)
            ]
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError) as error:
        yield FormatError(f"not a zip archive that can be read: {error}", source=str(path))
        return
    if len(members) > MEMBERS:
        yield FormatError(f"more than {MEMBERS:,} members", source=str(path))
        return
    if not members:
        says = "no .phh, .phhs or .ohh file in this archive, and no .txt file with hands"
        yield FormatError(says, source=str(path))
    for name, size in members:
        yield Source(path, name, size)


def _is_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bool:
    name = info.filename.lower()
    if not name.endswith(TEXT):
        return name.endswith(SUFFIXES)
    try:
        with archive.open(info) as opened:
            return begins_with_hand(opened.read(PEEKED))
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError):
        return True  # reading it will tell what is wrong


class Opener:
    """Opens sources; an archive stays open while its members follow each other."""

    def __init__(self) -> None:
        self._archive: zipfile.ZipFile | None = None
        self._path: Path | None = None

    def close(self) -> None:
        """Close the archive that is still open, if one is."""
        if self._archive is not None:
            self._archive.close()
        self._archive = self._path = None

    @contextmanager
    def open(self, source: Source) -> Iterator[BinaryIO]:
        """The bytes of a source; whatever goes wrong while they are read is a `FormatError`."""
        try:
            if not source.member:
                with source.path.open("rb") as file:
                    yield file
            else:
                with self._member(source) as member:
                    yield member
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as e:
            raise FormatError(f"the archive is broken here: {e}", source=str(source)) from e
        except OSError as error:
            raise FormatError(error.strerror or str(error), source=str(source)) from error

    def _member(self, source: Source) -> BinaryIO:
        if self._archive is None or self._path != source.path:
            self.close()
            self._archive, self._path = zipfile.ZipFile(source.path), source.path
        info = self._archive.getinfo(source.member)
        if info.file_size > MEMBER_BYTES:
            raise FormatError(
                f"unpacked it is {info.file_size:,} bytes, more than {MEMBER_BYTES:,}",
                source=str(source),
            )
        if info.file_size > TIGHTEST * max(info.compress_size, 4096):
            raise FormatError(
                f"packed {info.file_size // max(info.compress_size, 1)} times smaller than it is; "
                "no text of hands is",
                source=str(source),
            )
        found = Limited(self._archive.open(info), info.file_size, str(source))
        return cast(BinaryIO, found)


class Limited(io.RawIOBase):
    """A stream that ends in an error where it gives more than it said."""

    def __init__(self, file: object, size: int, source: str) -> None:
        super().__init__()
        self.file: io.BufferedIOBase = file  # type: ignore[assignment]
        self.left = size
        self.source = source

    def readable(self) -> bool:
        """It is for reading only."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        data = self.file.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise FormatError("it holds more than the archive says", source=self.source)
        return data

    def close(self) -> None:
        """Close what lies below as well."""
        self.file.close()
        super().close()
