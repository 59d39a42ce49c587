"""The critical files: what the software is made of, by digest (standards 32 and 33).

Each floor of the package has one digest, over the names and contents of its files. So a start can
be noted with all of them, and a changed file is found on demand or daily.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import croupier

KINDS = (".py", ".toml", ".sql", ".js", ".css", ".html", ".svg", ".npz", ".json")
"""What counts: code, rulebooks, cases, statements, pages and tables of numbers."""


def digests(root: Path | None = None, only: Iterable[str] = ()) -> dict[str, str]:
    """The SHA-256 of every floor, by its name; `.` is what stands beside the floors. Whoever wants
    some floors alone says which (`only`): the others are not read.

    A floor's digest is over the lines `<digest of file>  <path>` of its files, in order of path.
    """
    top = os.fspath(root or Path(croupier.__file__).parent)
    found = chain.from_iterable(_paths(top, f"{floor}/") for floor in only) if only else _paths(top)
    floors: dict[str, list[str]] = {}
    for path in sorted(found, key=lambda path: path.split("/")):
        floor, inside, _ = path.partition("/")
        file = hashlib.sha256(Path(f"{top}/{path}").read_bytes()).hexdigest()
        floors.setdefault(floor if inside else ".", []).append(f"{file}  {path}\n")
    return {
        floor: hashlib.sha256("".join(lines).encode()).hexdigest()
        for floor, lines in sorted(floors.items())
    }


def _paths(top: str, below: str = "") -> Iterator[str]:
    """The files that count, from the top folder on, with slashes.

    Every start looks at some two thousand: they are found without a `Path` for each.
    """
    with os.scandir(f"{top}/{below}") as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _paths(top, f"{below}{entry.name}/")
            elif entry.name.endswith(KINDS):
                yield f"{below}{entry.name}"


def changed(before: dict[str, str], now: dict[str, str] | None = None) -> list[str]:
    """The floors that are not as they were."""
    now = digests() if now is None else now
    return sorted(
        floor for floor in before.keys() | now.keys() if before.get(floor) != now.get(floor)
    )


def reference(found: dict[str, str]) -> str:
    """A short name for these digests: every order has it, and every start says what it stands for.

    The first 16 hexadecimal digits of the SHA-256 of the lines `<digest of floor>  <floor>`.
    """
    lines = "".join(f"{digest}  {floor}\n" for floor, digest in sorted(found.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:16] if found else ""
