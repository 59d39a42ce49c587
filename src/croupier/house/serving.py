"""Where the server of a file is reached: it leaves its address beside the lock that it holds.

A file of SQLite belongs to one process. Whoever wants something of the House meanwhile (the command
line of the office) finds the server by this note and asks it. The note is for the owner of the
file alone (0600), and counts only while the process that wrote it holds the lock: one that a crash
has left behind means nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from croupier.house.ownership import FileOwnership
from croupier.house.urls import SQLITE, sqlite_file

SERVER = ("http://", "https://")


class Note(Struct, frozen=True, kw_only=True):
    """Which process serves a file, and where it is reached."""

    process: int
    address: str


def is_server(url: str) -> bool:
    """Whether an address is a server's, and not a database's."""
    return url.startswith(SERVER)


def server_of(url: str) -> str | None:
    """The address of the server that runs at a database, or that this is itself; None where no
    server runs, or none that says where it is reached."""
    if is_server(url):
        return url
    if not url.startswith(SQLITE):
        return None
    file = sqlite_file(url)
    holder = FileOwnership(file).holder()
    if holder is None:
        return None
    note = _read(_note_of(file), file)
    return note.address if note is not None and note.process == holder else None


@contextmanager
def noted(url: str, address: str | None) -> Iterator[None]:
    """While this lasts, whoever has the database finds the server at this address; without one
    that a password may be sent to, nothing is noted."""
    if not url.startswith(SQLITE) or address is None:
        yield
        return
    file = _note_of(sqlite_file(url))
    _write(file, Note(process=os.getpid(), address=address))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)


def _note_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.server")


def _write(file: Path, note: Note) -> None:
    """Made anew, so that nobody else's rights to an old one remain."""
    file.unlink(missing_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(msgspec.json.encode(note) + b"\n")


def _read(file: Path, database: Path) -> Note | None:
    """The note, unless somebody else than the owner of the database could have written it: a
    password goes where it says. In a folder that others may write to, anybody can put one."""
    try:
        with os.fdopen(os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as opened:
            found = os.fstat(opened.fileno())
            if os.name == "posix" and (
                found.st_mode & 0o022 or found.st_uid != database.stat().st_uid
            ):
                return None
            return msgspec.json.decode(opened.read(), type=Note)
    except (OSError, msgspec.DecodeError):
        return None
