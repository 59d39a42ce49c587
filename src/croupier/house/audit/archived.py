"""The archives: each file is the one on record, whole, and the database knows what lies in it.

That the rows in them follow on each other, and are what their orders come to, is found by the walk,
which reads them like all others. Here the files themselves are looked at, and what the database
keeps of them: their digests, the ids in them, and what their entries add up to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.house.archives.file import NONE_BEFORE, ArchiveDamaged, ArchiveFile
from croupier.house.archives.past import KnownArchive, taken_over
from croupier.house.audit.findings import Damaged, Difference, contrast, reading
from croupier.house.founding import office_in
from croupier.house.office import OFFICE
from croupier.house.store import Store

if TYPE_CHECKING:
    from croupier.house.audit.verify import Verified


def check_archives(store: Store, found: Verified) -> Iterator[Difference]:
    """What is wrong with the archives, or with what is known of them. Where a file cannot be read
    the audit ends: nothing that follows it can be decided again."""
    with reading("archives", "every archive"):
        known = store.past.known()
        record = office_in(store).state.archives
    before, until = NONE_BEFORE, 0
    ends: dict[str, int] = {}
    held = _Held()
    for expected, archive in enumerate(known, start=1):
        where = f"archive {archive.number}"
        noted = record.get(archive.number)
        if noted is None or archive.number != expected:
            says = "it is not on record" if noted is None else f"archive {expected} is missing"
            yield Difference(table="archives", where=where, column="number", says=says)
            return
        for column in ("digest", "until", "folder", "file"):
            one, other = getattr(archive, column), getattr(noted, column)
            if one != other:
                both = contrast(one, other)
                yield Difference(table="archives", where=where, column=column, **both)
        try:
            file = ArchiveFile(store.past.path(archive), archive.digest)
            file.check()
        except ArchiveDamaged as error:
            says = f"{error}; put it back, or have the database restored from the copy of the log"
            lost = Difference(table="archives", where=where, column="file", says=says)
            raise Damaged(lost) from error
        yield from _compare(store, archive, file, before, until, ends)
        held.add(file)
        before, until = archive.digest, archive.until
        found.archives += 1
        found.archived += file.header.rows
    if len(record) > len(known) and not _is_live(store, ends.get(OFFICE, 0) + 1):
        where, says = f"archive {len(known) + 1}", "it is on record, and not known here"
        yield Difference(table="archives", where=where, column="number", says=says)
        return
    yield from held.differences(store)


def _is_live(store: Store, position: int) -> bool:
    """Whether a row of the office lies in the database still: whoever was interrupted while he
    archived has lost nothing."""
    sql = "SELECT 1 FROM log WHERE place = ? AND position = ?"
    return bool(store.database.execute(sql, (OFFICE, position)))


def _compare(
    store: Store,
    archive: KnownArchive,
    file: ArchiveFile,
    before: str,
    until: int,
    ends: dict[str, int],
) -> Iterator[Difference]:
    """The header of an archive, against the row of the database, the archive before and the House;
    `ends` goes on with how far each log is archived."""
    header, where = file.header, f"archive {archive.number}"
    founded = store.digest_at(OFFICE, 1) or b""
    pairs = (
        ("number", archive.number, header.number),
        ("first", archive.first, header.first),
        ("first", archive.first, until),
        ("until", archive.until, header.until),
        ("logs", archive.logs, header.logs),
        ("before", header.before, before),
        ("house", header.house, founded.hex()),
    )
    for column, one, other in pairs:
        if one != other:
            both = contrast(one, other)
            yield Difference(table="archives", where=where, column=column, **both)
    for place, part in header.logs.items():
        if part.first != ends.get(place, 0) + 1:
            says = f"its rows of {place} begin at {part.first}, after {ends.get(place, 0)}"
            yield Difference(table="archives", where=where, column="logs", says=says)
        ends[place] = part.last


class _Held:
    """What all archives hold together: ids, and the sums of their entries."""

    def __init__(self) -> None:
        self.ids: dict[int, int] = {}
        self.sums: dict[str, int] = {}

    def add(self, file: ArchiveFile) -> None:
        """Add one archive; an id that is there already stays with the first."""
        ids, sums = taken_over(file)
        self.ids = ids | self.ids
        for account, amount in sums.items():
            self.sums[account] = self.sums.get(account, 0) + amount

    def differences(self, store: Store) -> Iterator[Difference]:
        """What the database keeps of it otherwise."""
        execute = store.database.execute
        kept = dict(execute("SELECT account, amount FROM carried"))
        for account in sorted(kept.keys() | self.sums.keys(), key=str):
            if kept.get(account) != self.sums.get(account):
                both = contrast(kept.get(account), self.sums.get(account))
                yield Difference(table="carried", where=str(account), column="amount", **both)
        ids = dict(execute("SELECT id, number FROM archived_ids"))
        wrong = [key for key in ids.keys() | self.ids.keys() if ids.get(key) != self.ids.get(key)]
        if wrong:
            first = min(wrong)
            says = f"{len(wrong):,} ids of archived orders are missing, added or changed"
            both = contrast(ids.get(first), self.ids.get(first))
            yield Difference(
                table="archived_ids", where=f"id {first}", column="number", **both, says=says
            )
