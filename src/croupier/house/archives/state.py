"""Whether the archives of a House are there: looked at quickly, by their headers and sizes."""

from __future__ import annotations

from msgspec import Struct

from croupier.house.archives.file import ArchiveDamaged
from croupier.house.archives.past import KnownArchive
from croupier.house.errors import CorruptDatabase
from croupier.house.store import Store


class ArchiveState(Struct, kw_only=True):
    """An archive, and what is wrong with it."""

    number: int
    file: str
    day: str = ""
    events: int = 0
    bytes: int = 0
    digest: str = ""
    trouble: str = ""


def archive_states(store: Store) -> list[ArchiveState]:
    """Every archive: whether its file is there, as long as it was, under the digest on record."""
    return [_state(store, each) for each in store.past.known()]


Seen = dict[str, tuple[int, int]]
"""Files that were looked at and are as they should be: when each was changed, and its length."""


def archive_trouble(store: Store, seen: Seen) -> list[str]:
    """What is wrong with archives; a file that nobody has touched since is not read again."""
    found = []
    try:
        for archive in store.past.known():
            file, stamp = _stamp(store, archive)
            if stamp is not None and seen.get(file) == stamp:
                continue
            trouble = _state(store, archive).trouble
            if trouble:
                found.append(trouble)
            elif stamp is not None:
                seen[file] = stamp
    except CorruptDatabase as error:
        found.append(str(error))
    return found


def _stamp(store: Store, archive: KnownArchive) -> tuple[str, tuple[int, int] | None]:
    try:
        path = store.past.path(archive)
        there = path.stat()
    except (ArchiveDamaged, OSError):
        return archive.file, None
    return str(path), (there.st_mtime_ns, there.st_size)


def _state(store: Store, archive: KnownArchive) -> ArchiveState:
    made = ArchiveState(number=archive.number, file=archive.file, digest=archive.digest)
    try:
        path = store.past.path(archive)
        header = store.past.opened_anew(archive).header
    except ArchiveDamaged as error:
        made.trouble = str(error)
        return made
    made.file, made.day, made.events = str(path), header.day, header.rows
    made.bytes = path.stat().st_size
    return made
