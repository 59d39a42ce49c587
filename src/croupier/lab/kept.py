"""Results that are kept on disk beside the machine code that worked them out.

What the solver counts for one pair of odds is 66 kB and takes a second; the next process reads it
in a millisecond. A kept result belongs to the exact text of the lab and of the cards: it is left
aside when any file of theirs changes. It carries a digest of its numbers, so that a damaged file is
noticed and the work done again. Where nothing can be written, nothing is kept.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from croupier import cards

Ints: TypeAlias = npt.NDArray[np.int64]
_SUFFIX = ".kept.npz"


def kept(name: str, shape: tuple[int, ...], make: Callable[[], Ints]) -> Ints:
    """The result of that name: read if it is there and sound, else made and kept."""
    path = _folder() / f"{name.replace(' ', '-').replace('/', '_')}{_SUFFIX}"
    found = _read(path, shape)
    if found is not None:
        return found
    made = make()
    _write(path, made)
    return made


def forget_kept() -> None:
    """Remove everything that was kept."""
    for path in _folder().glob(f"*{_SUFFIX}"):
        with contextlib.suppress(OSError):
            path.unlink()


def _folder() -> Path:
    """Where Numba keeps its machine code: a folder of one's own choice, or beside the package."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else Path(__file__).parent / "__pycache__"


def _read(path: Path, shape: tuple[int, ...]) -> Ints | None:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
            numbers: Ints = held["numbers"]
            stamp = str(held["stamp"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    if numbers.shape != shape or numbers.dtype != np.int64 or stamp != _stamp(numbers):
        return None
    return numbers


def _write(path: Path, numbers: Ints) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            np.savez(file, numbers=numbers, stamp=np.array(_stamp(numbers)))
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()


def _stamp(numbers: Ints) -> str:
    return f"{_code():08x} {hashlib.sha256(numbers.tobytes()).hexdigest()}"


@functools.cache
def _code() -> int:
    """A checksum of every file of the lab and of the cards."""
    checksum = 0
    for folder in (Path(__file__).parent, Path(cards.__file__).parent):
        for path in sorted(folder.iterdir()):
            if path.is_file():
                checksum = zlib.crc32(path.name.encode() + path.read_bytes(), checksum)
    return checksum
