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


def archive_trouble(store: Store) -> list[str]:
    """What is wrong with archives."""
    try:
        return [each.trouble for each in archive_states(store) if each.trouble]
    except CorruptDatabase as error:
        return [str(error)]


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
