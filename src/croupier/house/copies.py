"""What the database remembers of the copies of its log, and what of it only a copy needs to read.

A copy that lies in a folder can be deleted there. So the database notes which copies there are and
how many events each held on the disk: one that holds fewer was shortened, and one that holds none
is gone. Either is an alarm, which stands until a person has the copy made anew
(`croupier office copy renew`); the office has all of it on record.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.house.database import Insertion
from croupier.house.errors import CorruptDatabase

if TYPE_CHECKING:
    from croupier.house.store import Store

COPY = ("copy", "folder", "held", "alarm", "digest")
ID_BYTES = 6
AT_ONCE = 500


class CopyMark(Struct, frozen=True, kw_only=True):
    """One copy, as the database remembers it."""

    copy: str
    """Its id, which is part of the names of its files."""
    folder: str
    held: int = 0
    """Events that were on the disk there when it was last noted."""
    alarm: str = ""
    """What is wrong with it, until it is made anew."""

    def values(self) -> tuple[str, str, int, str, bytes]:
        """As it is stored."""
        return self.copy, self.folder, self.held, self.alarm, self.digest()

    def digest(self) -> bytes:
        """By this a damaged number is told from a copy that has lost something."""
        return hashlib.sha256(f"{self.copy}\n{self.held}\n".encode()).digest()


def new_id() -> str:
    """The id of a copy that is begun."""
    return secrets.token_hex(ID_BYTES)


def known_copies(store: Store) -> dict[str, CopyMark]:
    """The copies that the database knows of, by their ids."""
    found = store.database.execute(f"SELECT {', '.join(COPY)} FROM copies ORDER BY copy")
    marks = {}
    for copy, folder, held, alarm, digest in found:
        if type(held) is not int or {type(copy), type(folder), type(alarm)} != {str}:
            raise CorruptDatabase(f"copy {copy!r} is not stored as one is")
        mark = CopyMark(copy=copy, folder=folder, held=held, alarm=alarm)
        if digest != mark.digest():
            raise CorruptDatabase(
                f"how far copy {copy!r} goes was changed: it does not belong to its digest"
            )
        marks[copy] = mark
    return marks


def folder_here(store: Store) -> Path | None:
    """The folder of a copy that the database knows and that is on this machine: whoever works
    beside a server writes to the same one."""
    for mark in known_copies(store).values():
        folder = Path(mark.folder)
        if not mark.alarm and folder.is_dir() and os.access(folder, os.W_OK):
            return folder
    return None


def insertion(mark: CopyMark) -> Insertion:
    """How far a copy goes, to be stored with other things; it never goes less far."""
    return Insertion(
        "copies",
        COPY,
        [mark.values()],
        "ON CONFLICT (copy) DO UPDATE SET held = "
        "CASE WHEN excluded.held > copies.held THEN excluded.held ELSE copies.held END, digest = "
        "CASE WHEN excluded.held > copies.held THEN excluded.digest ELSE copies.digest END",
    )


def note(store: Store, mark: CopyMark) -> None:
    """Store how far a copy goes; one that is not known yet is known from now on."""
    with store.database.transaction():
        store.database.insert_all([insertion(mark)])


def set_alarm(store: Store, copy: str, alarm: str) -> None:
    """Raise an alarm, or end it."""
    with store.database.transaction():
        store.database.execute("UPDATE copies SET alarm = ? WHERE copy = ?", (alarm, copy))


def begin_anew(store: Store, copy: str) -> None:
    """A person has a copy made anew: whatever it held before, it is filled from the beginning."""
    nothing = CopyMark(copy=copy, folder="").digest()
    sql = "UPDATE copies SET alarm = '', held = 0, digest = ? WHERE copy = ?"
    with store.database.transaction():
        store.database.execute(sql, (nothing, copy))


# -- what is stored beside the rows, as it is stored -----------------------------------------------


def kept_secrets(store: Store) -> list[tuple[str, str, str]]:
    """Name, kind and secret of everybody, encrypted if they are."""
    return store.database.execute("SELECT name, kind, secret FROM secrets ORDER BY name, kind")


def kept_openings(
    store: Store, ids: Collection[str] | None = None
) -> Iterator[tuple[str, str, bytes]]:
    """Id, place and seed of some openings, or of all, encrypted if they are."""
    columns = "SELECT shuffle, place, seed FROM openings"
    if ids is None:
        yield from store.past.openings()
        yield from store.database.execute(f"{columns} ORDER BY place, shuffle")
        return
    wanted = sorted(ids)
    keys = store.database.words["keys"]
    for first in range(0, len(wanted), AT_ONCE):
        names = wanted[first : first + AT_ONCE]
        found = store.database.execute(
            f"{columns} WHERE shuffle {keys}", (store.database.keys(names),)
        )
        yield from found
        for name in sorted(set(names) - {values[0] for values in found}):
            archived = store.past.opening(name)
            if archived is not None:
                yield archived


def orders_to_nothing(store: Store, number: int) -> list[str]:
    """The ids of orders that came to nothing, of this number or a later one."""
    sql = "SELECT command_id FROM orders WHERE events = 0 AND number >= ? ORDER BY number"
    archived = [
        values[1]
        for some in store.past.orders(after=number)
        for values in some
        if values[0] >= number and not values[-2]
    ]
    live = [command_id for (command_id,) in store.database.execute(sql, (number,))]
    return archived + live
