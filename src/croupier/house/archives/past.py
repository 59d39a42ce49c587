"""What lies in the archives of a database, asked for as the store asks the database itself.

The store looks in the database first and here where something is missing there. Values come as the
database would give them, so whoever reads them cannot tell where they lay. A few blocks that were
read last are kept, because whoever reads on reads the next row of the same block.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from croupier.house.archives.file import (
    ArchiveFile,
    Block,
    CommandRows,
    Kind,
    LogPart,
    OrderedRows,
    Rows,
    existing,
)
from croupier.house.copy_lines import CopyLine
from croupier.house.database import Database
from croupier.house.errors import CorruptDatabase
from croupier.house.records import UNREADABLE
from croupier.house.urls import archive_folder

Values = tuple[Any, ...]
"""A row of the database."""
BLOCKS_KEPT = 64
FILES_KEPT = 8
IDS_AT_ONCE = 500
BEFORE_ORDERS = -1
"""In place of the number of what was carried out before orders were stored."""

_read_logs = msgspec.json.Decoder(dict[str, LogPart])


class KnownArchive(Struct, frozen=True, kw_only=True):
    """An archive as the database knows it."""

    number: int
    folder: str
    file: str
    digest: str
    first: int
    until: int
    logs: dict[str, LogPart]


def id_key(name: str) -> int:
    """Under which number an id is looked up: 63 bits of its SHA-256. One that no database can hold
    has such a number too."""
    written = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(written).digest()[:8], "big") >> 1


def opening_key(shuffle: str) -> int:
    """The same of an opening, which may have the id of an order."""
    return id_key(f"opening\n{shuffle}")


def order_values(line: OrderedRows) -> Values:
    """An order as the database has it: its columns, how many events it had, and its digest."""
    told = line.order
    order = told.record()
    return (
        *(order.number, order.command_id, order.place, order.who, order.rank, order.at),
        *(order.authority, order.software, order.also, order.command),
        told.events,
        bytes.fromhex(told.digest) or None,
    )


def row_values(line: CopyLine) -> Values:
    """A row as the database has it."""
    row = line.row()
    return (
        *(row.stream, row.position, row.command_id, row.who, row.rank, row.at),
        *(row.event, row.digest, row.order or None),
    )


class Past:
    """All archives of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: list[KnownArchive] = []
        self._there: bool | None = None
        self._files: OrderedDict[int, ArchiveFile] = OrderedDict()
        self._blocks: OrderedDict[tuple[int, Block], list[Any]] = OrderedDict()
        self._openings: dict[int, dict[str, Values]] = {}

    # -- which there are ---------------------------------------------------------------------

    def is_there(self) -> bool:
        """Whether the database can have archives; one of an older release has no table of them."""
        if self._there is None:
            self._there = "archives" in self._database.tables()
        return self._there

    def known(self) -> list[KnownArchive]:
        """The archives that there are by now, oldest first."""
        if self.is_there():
            after = self._known[-1].number if self._known else 0
            self._known += map(
                _known,
                self._database.execute(
                    "SELECT number, folder, file, digest, first, until, logs FROM archives "
                    "WHERE number > ? ORDER BY number",
                    (after,),
                ),
            )
        return self._known

    def ends(self) -> dict[str, int]:
        """How far each log was archived."""
        return {place: part.last for each in self.known() for place, part in each.logs.items()}

    def until(self) -> int:
        """How many events all logs had when the last archive ended."""
        known = self.known()
        return known[-1].until if known else 0

    def file(self, archive: KnownArchive) -> ArchiveFile:
        """The file of an archive, opened; `ArchiveDamaged` where it is not what it was."""
        found = self._files.get(archive.number)
        if found is None:
            found = ArchiveFile(self.path(archive), archive.digest)
            self._files[archive.number] = found
            if len(self._files) > FILES_KEPT:
                oldest, _ = self._files.popitem(last=False)
                self._openings.pop(oldest, None)
        else:
            self._files.move_to_end(archive.number)
        return found

    def opened_anew(self, archive: KnownArchive) -> ArchiveFile:
        """The same, read again, with its size looked at."""
        found = ArchiveFile(self.path(archive), archive.digest)
        found.check_size()
        return found

    def path(self, archive: KnownArchive) -> Path:
        """Where its file lies: where somebody says so, or beside the database, if there is such a
        folder; else where it was put."""
        here = archive_folder(self._database.url)
        folder = here if here is not None and here.is_dir() else Path(archive.folder)
        return existing(folder / archive.file)

    def _read(self, archive: KnownArchive, block: Block) -> list[Any]:
        """The lines of a block, those of rows and orders as values."""
        key = archive.number, block
        found = self._blocks.get(key)
        if found is None:
            found = self._blocks[key] = self.file(archive).lines(block)
            if len(self._blocks) > BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        else:
            self._blocks.move_to_end(key)
        return found

    def _lines(
        self, archive: KnownArchive, kind: Kind, place: str = "", after: int = -1
    ) -> Iterator[Any]:
        for block in self.file(archive).blocks(kind, place, after):
            yield from self._read(archive, block)

    # -- rows --------------------------------------------------------------------------------

    def holds(self, place: str, position: int) -> bool:
        """Whether a row lies in an archive."""
        return self._holding(place, position) is not None

    def _holding(self, place: str, position: int) -> KnownArchive | None:
        for archive in reversed(self.known()):
            part = archive.logs.get(place)
            if part is not None and part.first <= position <= part.last:
                return archive
        return None

    def rows(self, place: str, after: int, count: int) -> list[Values]:
        """At most so many rows of a log from a position on, as far as they are archived."""
        made: list[Values] = []
        for archive in self.known():
            part = archive.logs.get(place)
            if part is None or part.last <= after:
                continue
            for line in self._lines(archive, "log", place, after):
                if line.position > after:
                    made.append(row_values(line))
                    if len(made) == count:
                        return made
        return made

    def row(self, place: str, position: int) -> Values | None:
        """One row."""
        archive = self._holding(place, position)
        if archive is None:
            return None
        for line in self._lines(archive, "log", place, position - 1):
            if line.position == position:
                return row_values(line)
        return None

    def digest_at(self, place: str, position: int) -> bytes | None:
        """The digest of one row; of the last one in an archive, the database knows it."""
        archive = self._holding(place, position)
        if archive is None:
            return None
        part = archive.logs[place]
        if position == part.last:
            return bytes.fromhex(part.digest)
        row = self.row(place, position)
        return row[7] if row is not None else None

    def ordered_from(self, place: str) -> int | None:
        """The first archived row of a log that came of a stored order."""
        for archive in self.known():
            part = archive.logs.get(place)
            if part is not None and part.ordered:
                return part.ordered
        return None

    # -- orders ------------------------------------------------------------------------------

    def orders(self, until: int | None = None, after: int = 0) -> Iterator[list[Values]]:
        """All archived orders as they were given, some at a time, with numbers from `after` on."""
        for archive in self.known():
            if archive.until <= after or (until is not None and archive.first >= until):
                continue
            for block in self.file(archive).blocks("orders", "", after - 1):
                if until is not None and block.first >= until:
                    break
                lines = self._read(archive, block)
                yield [order_values(line) for line in lines]

    def orders_of(self, ids: Collection[str]) -> list[Values]:
        """The archived orders of some ids, as they were given."""
        found = [order_values(line) for _, line in self._ordered(ids)]
        return sorted(found, key=lambda values: (values[0], values[-2], values[1]))

    def id_keys(self, after: int, at_most: int) -> list[int]:
        """The keys of archived ids (`id_key`), those of openings among them, from one on."""
        sql = "SELECT id FROM archived_ids WHERE id > ? ORDER BY id LIMIT ?"
        return [key for (key,) in self._database.execute(sql, (after, at_most))]

    def knows(self, command_id: str) -> bool:
        """Whether a command of this id is in an archive."""
        return any(True for _ in self._ordered([command_id])) or any(
            True for _ in self._commanded([command_id])
        )

    def rows_of(self, ids: Collection[str]) -> list[Values]:
        """All that came of some archived commands, by place and position."""
        found: list[Values] = []
        where = [(archive, line.rows) for archive, line in self._ordered(ids)]
        where += [(archive, line.rows) for archive, line in self._commanded(ids)]
        for archive, rows in where:
            for place, (first, last) in rows.items():
                lines = self._lines(archive, "log", place, first - 1)
                for row in lines:
                    if row.position > last:
                        break
                    if row.position >= first:
                        found.append(row_values(row))
        return sorted(found, key=lambda values: (values[0], values[1]))

    def _ordered(self, ids: Collection[str]) -> Iterator[tuple[KnownArchive, OrderedRows]]:
        """The lines of the orders of some ids."""
        wanted = set(ids)
        if not wanted or not self.known():
            return
        numbers = self._numbers({id_key(each) for each in wanted})
        for number in sorted({each for each in numbers.values() if each != BEFORE_ORDERS}):
            archive = self._at(number)
            if archive is None:
                continue
            for line in self._lines(archive, "orders", "", number - 1):
                if line.order.number > number:
                    break
                if line.order.number == number and line.order.command_id in wanted:
                    yield archive, line

    def _commanded(self, ids: Collection[str]) -> Iterator[tuple[KnownArchive, CommandRows]]:
        """The lines of commands that were carried out before orders were stored."""
        wanted = set(ids)
        if not wanted or not self.known():
            return
        numbers = self._numbers({id_key(each) for each in wanted})
        if BEFORE_ORDERS not in numbers.values():
            return
        for archive in self.known():
            for line in self._lines(archive, "commands"):
                if line.command.command_id in wanted:
                    yield archive, line

    def _at(self, number: int) -> KnownArchive | None:
        """The archive in which the order of a number lies."""
        for archive in reversed(self.known()):
            if archive.first <= number < archive.until:
                return archive
        return None

    def _numbers(self, keys: Iterable[int]) -> dict[int, int]:
        """The numbers of the orders whose ids have these keys."""
        found: dict[int, int] = {}
        wanted = sorted(keys)
        for first in range(0, len(wanted), IDS_AT_ONCE):
            some = ", ".join(str(each) for each in wanted[first : first + IDS_AT_ONCE])
            sql = f"SELECT id, number FROM archived_ids WHERE id IN ({some})"
            found |= dict(self._database.execute(sql))
        return found

    # -- entries -----------------------------------------------------------------------------

    def entries(self, place: str, after: int = 0, until: int | None = None) -> Iterator[Values]:
        """The archived entries of a log: place, position, account, amount."""
        for archive in self.known():
            part = archive.logs.get(place)
            if part is None or part.last <= after:
                continue
            if until is not None and part.first > until:
                return
            for line in self._lines(archive, "entries", place, after):
                position, account, amount = line.entry
                if until is not None and position > until:
                    return
                if position > after:
                    yield place, position, account, amount

    def moves(self) -> Iterator[tuple[int, str, int, str, int]]:
        """The archived entries in the one order of all logs: the number of the order, -1 for what
        was stored before orders were, then place, position, account and amount."""
        for archive in self.known():
            numbers = {  # its entries stand at the last event that an order had at a place
                (place, last): line.order.number
                for line in self._lines(archive, "orders")
                for place, (_, last) in line.rows.items()
            }
            yield from sorted(
                (numbers.get((place, line.entry[0]), -1), place, *line.entry)
                for place in archive.logs
                for line in self._lines(archive, "entries", place)
            )

    def moved_since(self, account: str, since: str) -> Iterator[tuple[str, str, int]]:
        """What has moved an account since a moment, as far as it is archived: place, time, amount.
        An archive that ended before it is not read, nor those before that one."""
        for archive in reversed(self.known()):
            places = [
                place
                for place, part in archive.logs.items()
                if (last := self.row(place, part.last)) is not None and last[5] >= since
            ]
            if not places:
                return
            for place in places:
                for line in self._lines(archive, "entries", place):
                    position, whose, amount = line.entry
                    row = self.row(place, position) if whose == account else None
                    if row is not None and row[5] >= since:
                        yield place, row[5], amount

    def entry_places(self) -> set[str]:
        """The logs that have archived entries."""
        return {place for each in self.known() for place in self.file(each).places("entries")}

    # -- openings ----------------------------------------------------------------------------

    def opening(self, shuffle: str) -> Values | None:
        """One opening: its id, its place and its seed, encrypted as it was stored."""
        if not self.known():
            return None
        numbers = self._numbers([opening_key(shuffle)])
        for number in numbers.values():
            archive = self._at(number)
            if archive is not None:
                return self._openings_in(archive).get(shuffle)
        return None

    def openings(self, place: str | None = None) -> list[Values]:
        """The openings of a log, or all."""
        found = (o for each in self.known() for o in self._openings_in(each).values())
        return [opening for opening in found if place is None or opening[1] == place]

    def _openings_in(self, archive: KnownArchive) -> dict[str, Values]:
        self.file(archive)
        found = self._openings.get(archive.number)
        if found is None:
            lines = (line.opening.opening() for line in self._lines(archive, "openings"))
            found = {each.shuffle: (each.shuffle, each.stream, each.seed) for each in lines}
            self._openings[archive.number] = found
        return found

    # -- all of it ---------------------------------------------------------------------------

    def counts(self) -> dict[str, int]:
        """How many rows, orders, old commands, entries and openings are archived."""
        names = ("rows", "orders", "commands", "entries", "openings")
        made = dict.fromkeys(names, 0)
        for archive in self.known():
            header = self.file(archive).header
            for name in names:
                made[name] += getattr(header, name)
        return made

    def commands(self) -> Iterator[tuple[str, int, Rows]]:
        """What was carried out before orders were stored: id, events, and where they lie."""
        for archive in self.known():
            for line in self._lines(archive, "commands"):
                yield line.command.command_id, line.command.events, line.rows


def _known(values: Values) -> KnownArchive:
    number, folder, file, digest, first, until, logs = values
    try:
        return KnownArchive(
            number=number,
            folder=folder,
            file=file,
            digest=digest.hex(),
            first=first,
            until=until,
            logs=_read_logs.decode(logs),
        )
    except (AttributeError, *UNREADABLE) as error:
        raise CorruptDatabase(f"archive {number!r} is not stored as an archive is") from error


def taken_over(archived: ArchiveFile) -> tuple[dict[int, int], dict[str, int]]:
    """What the database keeps of an archive: the ids in it, each with the number of its order, and
    what its entries add up to."""
    ids: dict[int, int] = {}
    sums: dict[str, int] = {}
    for block in archived.header.blocks:
        for line in archived.lines(block) if block.kind != "log" else ():
            match block.kind:
                case "orders":
                    ids.setdefault(id_key(line.order.command_id), line.order.number)
                case "commands":
                    ids.setdefault(id_key(line.command.command_id), BEFORE_ORDERS)
                case "openings":
                    ids.setdefault(opening_key(line.opening.shuffle), archived.header.first)
                case _:
                    _, account, amount = line.entry
                    sums[account] = sums.get(account, 0) + amount
    return ids, sums
