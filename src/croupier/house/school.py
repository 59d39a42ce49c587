"""The entries of the dealer school in the House's database: who was asked what, and answered what.

They stand beside the log, in a chain of their own, so that an audit sees whether one was changed or
taken out; a seal names the last, so that a tail which is cut off is noticed. Nothing at a table
rests on them; copies and exports of the log do not hold them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from croupier.house.chain import START
from croupier.house.errors import CorruptDatabase, HouseError
from croupier.house.records import written_time
from croupier.house.store import Store
from croupier.school.record import Kept, read_entry, write_entry

COLUMNS = ("number", "trainee", "lesson", "at", "entry", "follows", "digest")
READ_AT_ONCE = 2_000
ENTRIES_AT_MOST = 50_000
"""Of one trainee: each answer goes through all of them."""
ENTRIES_IN_ALL = 2_000_000
"""Of all trainees, some gigabyte: the school never fills the disk that the casino writes to."""


class SchoolFull(HouseError):
    """There is no room for another entry."""


class SchoolRow(Struct, frozen=True, kw_only=True):
    """One row as it is stored."""

    number: int
    trainee: str
    lesson: str
    at: str
    entry: bytes
    follows: bytes
    digest: bytes

    def kept(self) -> Kept:
        """The row as an entry; raises CorruptDatabase if it does not belong to its digest."""
        if self.digest != digest_of(self):
            raise CorruptDatabase(f"entry {self.number} of the school was changed")
        return Kept(
            trainee=self.trainee,
            lesson=self.lesson,
            at=datetime.fromisoformat(self.at),
            entry=read_entry(self.entry),
        )


def digest_of(row: SchoolRow) -> bytes:
    """The digest of a row, over that of the one before it and everything that is stored of it."""
    head = msgspec.json.encode((row.number, row.trainee, row.lesson, row.at))
    return sha256(row.follows + head + row.entry).digest()


class SchoolBook:
    """Adds entries, and reads them: by `reader` where there is one, so that whoever writes the log
    does not wait for that."""

    def __init__(self, store: Store, reader: Store | None = None) -> None:
        self._database = store.database
        self._reads = (reader or store).database

    def append(self, entries: Sequence[Kept]) -> None:
        """Store some entries, all of them or none; they are durable when this returns."""
        database = self._database
        with database.transaction():
            newest = "SELECT number, digest FROM school ORDER BY number DESC LIMIT 1"
            found = database.execute(newest)
            number, last = found[0] if found else (0, START)
            if number + len(entries) > ENTRIES_IN_ALL:
                raise SchoolFull(f"it has {number} entries, and there is room for no more")
            rows = []
            for one in entries:
                number += 1
                row = SchoolRow(
                    number=number,
                    trainee=one.trainee,
                    lesson=one.lesson,
                    at=written_time(one.at),
                    entry=write_entry(one.entry),
                    follows=bytes(last),
                    digest=b"",
                )
                last = digest_of(row)
                rows.append((*msgspec.structs.astuple(row)[:-1], last))
            database.insert("school", COLUMNS, rows)

    def count(self, trainee: str) -> int:
        """How many entries somebody has."""
        sql = "SELECT COUNT(*) FROM school WHERE trainee = ?"
        [(count,)] = self._reads.execute(sql, (trainee,))
        return int(count)

    def of_trainee(self, trainee: str) -> list[Kept]:
        """Every entry of somebody, the oldest first."""
        return [row.kept() for row in self._read("trainee = ?", (trainee,))]

    def of_lesson(self, lesson: str) -> list[Kept]:
        """Every entry of a lesson, the oldest first."""
        return [row.kept() for row in self._read("lesson = ?", (lesson,))]

    def everybody(self) -> Iterator[Kept]:
        """Every entry there is, the oldest first."""
        return (row.kept() for row in self.rows())

    def rows(self) -> Iterator[SchoolRow]:
        """Every row as it is stored."""
        after = 0
        while rows := self._read("number > ?", (after,), limit=READ_AT_ONCE):
            yield from rows
            after = rows[-1].number

    def _read(self, where: str, values: Sequence[object], limit: int = -1) -> list[SchoolRow]:
        sql = f"SELECT {', '.join(COLUMNS)} FROM school WHERE {where} ORDER BY number"
        found = self._reads.execute(f"{sql} LIMIT {limit}" if limit > 0 else sql, values)
        try:
            return [_row(values) for values in found]
        except (TypeError, ValueError) as error:
            raise CorruptDatabase("an entry of the school is not stored as one is") from error


def _row(values: Sequence[Any]) -> SchoolRow:
    number, trainee, lesson, at, entry, follows, digest = values
    return SchoolRow(
        number=number,
        trainee=trainee,
        lesson=lesson,
        at=at,
        entry=bytes(entry),
        follows=bytes(follows),
        digest=bytes(digest),
    )
