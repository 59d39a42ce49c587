"""Whole collections converted: files, folders and archives into a file or a folder.

A file is written under another name and gets its own only when it is whole, so that an interrupted
conversion leaves no half of one. What the other format cannot say is named with file and line, and
the rest goes on.
"""

from __future__ import annotations

import gc
import os
import re
import signal
from collections.abc import Callable, Generator, Iterable
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from msgspec import Struct

from croupier.formats.check import (
    DETAILS,
    RARELY,
    SMALL,
    Batch,
    Finding,
    Options,
    batches,
    size_of,
)
from croupier.formats.convert import TARGETS, Converter
from croupier.formats.errors import FormatError
from croupier.formats.pooled import pooled
from croupier.formats.reading import line_of, name_of, read_any
from croupier.formats.sources import find_sources

_NUMBERS = re.compile(r"[\d,.]*\d")


class Wanted(Struct, frozen=True, kw_only=True):
    """What is to be converted, and into what."""

    target: str
    form: str = ""
    """The suffix of the only format that is read; every known one if not said."""
    at: datetime | None = None
    options: Options = Options()


class Converted(Struct, kw_only=True):
    """The count of a conversion."""

    hands: int = 0
    written: int = 0
    refused: int = 0
    """Hands that the other format cannot say."""
    unreadable: int = 0
    refusals: list[Finding] = []
    refused_by: dict[str, int] = {}
    """By the reason, its numbers left out."""
    errors: list[Finding] = []
    files: int = 0
    """Files that were written."""
    complete: bool = True


class Piece(Struct, frozen=True):
    """One hand of a batch: as it is written, or what is wrong."""

    file: str
    text: bytes = b""
    finding: Finding | None = None
    unreadable: bool = False


class _Pieces(Struct):
    pieces: list[Piece]
    bytes: int


def convert_batch(converter: Converter, batch: Batch) -> _Pieces:
    """Convert every hand of a batch."""
    done = []
    for file, raw in batch.hands:
        unreadable = True
        try:
            hand = read_any(raw)
            unreadable = False
            piece = Piece(file, converter.convert(hand))
        except FormatError as error:
            line = line_of(raw)
            places = [f"line {line}" if line else "", error.place]
            if places[0] and "line " in error.place:
                places = places[1:]
            place = ", ".join(part for part in places if part)
            found = Finding(file=file, hand=name_of(raw), place=place, says=error.says)
            piece = Piece(file, finding=found, unreadable=unreadable)
        done.append(piece)
    return _Pieces(done, batch.bytes)


_ready: list[Converter] = []
"""The converter of this process, where it is one of several."""


def _prepare(wanted: Wanted) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that asked
    _ready.append(Converter(wanted.target, wanted.options, wanted.at))
    gc.freeze()
    gc.set_threshold(*RARELY)


def _convert(batch: Batch) -> _Pieces:
    return convert_batch(_ready[0], batch)


def convert_files(
    paths: tuple[Path, ...],
    output: Path,
    wanted: Wanted,
    *,
    processes: int | None = None,
    progress: Callable[[int, Converted], None] | None = None,
) -> Converted:
    """Convert every hand that the paths hold into `output`: a file if its name ends as the format's
    files do, otherwise a folder with a file for each that was read.

    A file that is there already is not written over: that is a FormatError before anything is
    written of it. An interrupt ends it with what was counted until then.
    """
    report = Converted()

    def unread(error: FormatError) -> None:
        report.unreadable += 1
        if len(report.errors) < DETAILS:
            found = Finding(file=error.source, hand=error.hand, place=error.place, says=error.says)
            report.errors.append(found)

    given = batches(paths, unread, wanted.form)
    many = processes or os.cpu_count() or 1
    if many > 1 and size_of(paths) >= SMALL:
        results = pooled(given, _convert, _prepare, (wanted,), many)
    else:
        results = _alone(given, wanted)
    done = 0
    writer = _Writer(output, wanted.target, paths)
    writer.check_names()
    try:
        for result in results:
            for piece in result.pieces:
                _count(report, piece)
                if piece.finding is None:
                    writer.write(piece)
            done += result.bytes
            if progress is not None:
                progress(done, report)
        writer.finish()
    except KeyboardInterrupt:
        report.complete = False
    finally:
        results.close()
        writer.close()
    report.files = writer.files
    return report


def _alone(given: Iterable[Batch], wanted: Wanted) -> Generator[_Pieces, None, None]:
    converter = Converter(wanted.target, wanted.options, wanted.at)
    for batch in given:
        yield convert_batch(converter, batch)


def _count(report: Converted, piece: Piece) -> None:
    report.hands += 1
    finding = piece.finding
    if finding is None:
        report.written += 1
    elif piece.unreadable:
        report.unreadable += 1
        if len(report.errors) < DETAILS:
            report.errors.append(finding)
    else:
        report.refused += 1
        says = finding.says
        reason = says.partition(": ")[0] if " cannot say " in says else _NUMBERS.sub("…", says)
        report.refused_by[reason] = report.refused_by.get(reason, 0) + 1
        if len(report.refusals) < DETAILS:
            report.refusals.append(finding)


class _Writer:
    """The files that come out, one at a time."""

    def __init__(self, output: Path, target: str, paths: tuple[Path, ...]) -> None:
        self.target = TARGETS[target]
        self.output = output
        self.paths = paths
        self.single = output.suffix.lower() == self.target.suffix and not output.is_dir()
        self.files = 0
        self._source: str | None = None
        self._path: Path | None = None
        self._file: BinaryIO | None = None
        self._hands = 0
        if self.single:
            self._open(output)

    def check_names(self) -> None:
        """Two files whose hands would go into one of the same name are an error before anything is
        written."""
        if self.single:
            return
        goes_to: dict[Path, str] = {}
        for source in find_sources(self.paths):
            if isinstance(source, FormatError):
                continue  # said when it is read
            place = self._place(str(source))
            other = goes_to.setdefault(place, str(source))
            if other != str(source):
                raise FormatError(
                    f"its hands would go into {place}, and so would those of {other}; convert them "
                    "one after the other, each with an --output of its own",
                    source=str(source),
                )

    def write(self, piece: Piece) -> None:
        """Write a hand where it belongs."""
        if not self.single and piece.file != self._source:
            self.finish()
            self._open(self._place(piece.file))
            self._source = piece.file
        file = self._file
        assert file is not None
        self._hands += 1
        if self.target.name == "phhs":
            file.write(f"[{self._hands}]\n".encode())
        file.write(piece.text + self.target.after)

    def _place(self, source: str) -> Path:
        """Where the hands of a source go: as it lies in the folder or archive that was named."""
        for path in self.paths:
            name = str(path)
            if source == name:
                return self.output / f"{path.stem}{self.target.suffix}"
            if source.startswith((f"{name}:", f"{name}/", f"{name}\\")):
                inside = source[len(name) + 1 :].replace("\\", "/").replace(".zip:", "/")
                parts = [part for part in PurePosixPath(inside).parts if part not in ("/", "..")]
                return (self.output / Path(*parts)).with_suffix(self.target.suffix)
        return self.output / f"{Path(source).stem}{self.target.suffix}"

    def _open(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                raise FormatError(
                    "this file is there already; name another with --output, or move it away",
                    source=str(path),
                )
            self._file = self._part(path).open("wb")
        except OSError as error:
            raise FormatError(error.strerror or str(error), source=str(path)) from error
        self._path = path
        self._hands = 0

    def _part(self, path: Path) -> Path:
        return path.with_name(f"{path.name}.part")

    def finish(self) -> None:
        """The file that is open is whole."""
        if self._file is None or self._path is None:
            return
        self._file.close()
        self._part(self._path).replace(self._path)
        self._file = None
        self.files += 1

    def close(self) -> None:
        """What is not whole is taken away."""
        if self._file is not None and self._path is not None:
            self._file.close()
            self._part(self._path).unlink(missing_ok=True)
            self._file = None
