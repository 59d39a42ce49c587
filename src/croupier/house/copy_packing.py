"""Compresses the closed files of a copy to a fifth of their size; whatever reads them still does.

A packed file begins with the line that says which rows it holds, so that a start reads no more of
it than of a plain one. It takes the place of the plain file once it was read back and found equal.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from croupier.house.copy_reading import HOLDS, PACKED, SUFFIX, files, last_line, opened
from croupier.house.errors import StorageError
from croupier.house.private import make_private


class Packed(Struct, kw_only=True):
    """What was compressed."""

    files: int = 0
    before: int = 0
    """Bytes before."""
    after: int = 0


def pack(folder: Path) -> Packed:
    """Compress every closed file of a copy; one that a process may still be writing is left."""
    found = Packed()
    for file in files(folder):
        if file.name.endswith(PACKED) or not last_line(file).startswith(HOLDS):
            continue
        try:
            packed = _pack(file)
        except OSError as error:
            raise StorageError(f"{file} cannot be compressed: {error}") from error
        found.files += 1
        found.before += file.stat().st_size
        found.after += packed.stat().st_size
        file.unlink()
    return found


def _pack(file: Path) -> Path:
    packed = file.with_name(file.name.removesuffix(SUFFIX) + PACKED)
    beside = packed.with_name(f"{packed.name}.part")
    beside.unlink(missing_ok=True)
    make_private(beside)
    with gzip.open(beside, "wb", compresslevel=9) as stream:
        for text in _reordered(file):
            stream.write(text)
    with gzip.open(beside) as written:
        same = _digest(written) == _digest(_reordered(file))
    if not same:
        beside.unlink()
        raise StorageError(f"{file} could not be compressed: what was written is not the same")
    descriptor = os.open(beside, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    beside.rename(packed)
    return packed


def _reordered(file: Path) -> Iterator[bytes]:
    """The lines of a plain file, the last one first."""
    last = last_line(file)
    yield last
    with opened(file) as stream:
        for text in stream:
            if text != last:
                yield text


def _digest(lines: Iterator[bytes] | gzip.GzipFile) -> bytes:
    made = hashlib.sha256()
    for text in lines:
        made.update(text)
    return made.digest()
