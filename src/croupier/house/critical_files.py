"""The critical files: what the software is made of, by digest (standards 32 and 33).

Each floor of the package has one digest, over the names and contents of its files. So a start can
be noted with all of them, and a changed file is found on demand or daily.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import croupier

KINDS = (".py", ".toml", ".sql", ".js", ".css", ".html", ".svg", ".npz", ".json")
"""What counts: code, rulebooks, cases, statements, pages and tables of numbers."""


def digests(root: Path | None = None) -> dict[str, str]:
    """The SHA-256 of every floor, by its name; `.` is what stands beside the floors.

    A floor's digest is over the lines `<digest of file>  <path>` of its files, in order of path.
    """
    root = root or Path(croupier.__file__).parent
    floors: dict[str, list[str]] = {}
    for file in sorted(root.rglob("*")):
        if file.suffix in KINDS and file.is_file() and "__pycache__" not in file.parts:
            path = file.relative_to(root)
            floor = path.parts[0] if len(path.parts) > 1 else "."
            found = hashlib.sha256(file.read_bytes()).hexdigest()
            floors.setdefault(floor, []).append(f"{found}  {path.as_posix()}\n")
    return {
        floor: hashlib.sha256("".join(lines).encode()).hexdigest()
        for floor, lines in sorted(floors.items())
    }


def changed(before: dict[str, str], now: dict[str, str] | None = None) -> list[str]:
    """The floors that are not as they were."""
    now = digests() if now is None else now
    return sorted(
        floor for floor in before.keys() | now.keys() if before.get(floor) != now.get(floor)
    )
