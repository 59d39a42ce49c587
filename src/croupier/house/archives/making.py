"""Moves closed days from the database to an archive, by a person, so that nothing can be lost.

1. Everything up to the end of the day is written to a file, each row held to its chain, and the
   file is read back. Whatever happens until here, the database is as it was.
2. The office puts on record, in the name of whoever ordered it, what the file is and its digest.
   From here on the day is archived by the record; until the next step it lies in both.
3. In one transaction the database takes over what it has to know of the file, and lets the rows go.
   If the process ends before that, the next order for an archive does it first (`finish`).

A day must be over, closed by name where trays are counted, its record sealed, and nothing that
began in it in dispute.

The House may be running, here or beside: the file is written from what stood there at one moment,
and rows are let go by a connection of its own, for which the writer waits. Only a file that nobody
else uses gives its room back to the disk; while a server runs, what comes next fills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct, structs

from croupier.house.answers import Answer
from croupier.house.archives.file import (
    NONE_BEFORE,
    ArchiveFile,
    CommandRows,
    EntryLine,
    Header,
    LogPart,
    OldCommand,
    OpeningLine,
    OrderedRows,
    Rows,
    Writing,
    existing,
    made_folder,
)
from croupier.house.archives.past import taken_over
from croupier.house.audit.conversations import conversation_of
from croupier.house.chain import START, digest
from croupier.house.copy_lines import CopyLine, KeptOpening
from croupier.house.copy_reading import Opens
from croupier.house.disputes.holds import held_before
from croupier.house.errors import CorruptDatabase, HouseError
from croupier.house.gaming_day import GamingDay
from croupier.house.group import ORDER
from croupier.house.office import OFFICE
from croupier.house.office.record_commands import MakeArchive
from croupier.house.office.state import ArchiveRecord
from croupier.house.records import OrderLine, OrderRecord, Snapshot
from croupier.house.replaying import broken, replay, restored
from croupier.house.rows import ROW, read_row
from croupier.house.seals.kept import newest_seals
from croupier.house.shuffle_book import is_shuffle_book
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import archive_folder
from croupier.table import Order, Refused

if TYPE_CHECKING:
    from croupier.house.casino import Casino

ROWS_AT_ONCE = 250
"""Rows in a block of a log; as many as an audit reads at once."""
ORDERS_AT_ONCE = 500
ENTRIES_AT_ONCE = 2_000
IDS_AT_ONCE = 2_000
_encode = msgspec.json.encode
_read_told = msgspec.json.Decoder(Opens)
_one_at_a_time = Lock()
T = TypeVar("T")


class NotArchived(HouseError):
    """Why days cannot be put in an archive now. Nothing was changed."""


class Archived(Struct, kw_only=True):
    """What was moved."""

    number: int
    file: str
    day: str
    events: int
    orders: int
    bytes: int
    """Of the file."""


class Cut(Struct, frozen=True, kw_only=True):
    """Where an archive begins and ends."""

    number: int
    first: int
    until: int
    after: dict[str, int]
    """How far each log is archived already."""
    ends: dict[str, int]
    """How far each log goes in this one."""
    before: str


def archive(
    casino: Casino,
    day: GamingDay,
    *,
    who: str,
    reason: str,
    folder: Path | None = None,
    running: bool = False,
    session: str = "",
) -> tuple[Answer, Archived | None]:
    """Move everything up to the end of a gaming day to an archive, in somebody's name.

    `running`: the House is being played at meanwhile.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise NotArchived("another archive is being made just now: ask again when it is done")
    try:
        return _archive(
            casino, day, who=who, reason=reason, folder=folder, running=running, session=session
        )
    finally:
        _one_at_a_time.release()


def _archive(
    casino: Casino,
    day: GamingDay,
    *,
    who: str,
    reason: str,
    folder: Path | None,
    running: bool,
    session: str,
) -> tuple[Answer, Archived | None]:
    store = casino.house.store
    finish(casino, folder, running=running)
    _check_day(casino, day)
    folder = folder or archive_folder(store.database.url)
    if folder is None:
        raise NotArchived("no folder is named for archives: say --folder, or set CROUPIER_ARCHIVE")
    casino.house.writer.flush()
    with store.as_it_stands() as still:
        cut = cut_at(still, day.end)
        command = MakeArchive(
            number=cut.number,
            folder=str(folder.resolve()),
            file="",
            digest=NONE_BEFORE,
            first=cut.first,
            until=cut.until,
            day=day.day,
            reason=reason,
        )
        refused = _objection(casino, command, who)
        if refused is not None:  # before a day is written, and before anything is told of it
            return Answer(command_id="", refused=refused), None
        _check_sealed(still, cut, day)
        file, header, made = _write(still, cut, day, made_folder(folder))
    command = structs.replace(command, file=file.name, digest=made)
    answer = casino.tell(command, who=who, session=session)
    if answer.refused is not None:
        file.unlink()
        return answer, None
    finish(casino, folder, running=running)
    return answer, Archived(
        number=cut.number,
        file=str(file),
        day=header.day,
        events=header.rows,
        orders=header.orders,
        bytes=file.stat().st_size,
    )


# -- whether it may be ---------------------------------------------------------------------------


def _objection(casino: Casino, command: MakeArchive, who: str) -> Refused | None:
    """The refusal that the order would get now."""
    when = casino.house.clock()
    order = Order(command=command, who=who, rank=casino.rank_of(who), when=when)
    with casino.house.lock:
        return casino.office.objection(order)


def _check_day(casino: Casino, day: GamingDay) -> None:
    """A day that is over, with nothing in dispute up to its end, and a copy that lacks nothing."""
    if casino.house.clock() < day.end:
        raise NotArchived(
            f"the gaming day {day.day} is not over before {day.end:%Y-%m-%d %H:%M %Z}"
        )
    state = casino.office.state
    counts = bool(state.inventory) or state.day_closed is not None
    if counts and (state.day_closed is None or state.day_closed < day.day):
        raise NotArchived(
            f"the gaming day {day.day} is not closed by name, and its trays may still be counted: "
            "close it first (`croupier office day close`)"
        )
    held = held_before(state, day.end)
    if held:
        named = ", ".join(f"dispute {h.dispute} about {h.place}" for h in held)
        raise NotArchived(
            f"{named} is not settled: whatever began before the end of {day.day} stays where it "
            "is until then"
        )
    if any(record.alarm for record in state.copies.values()):
        raise NotArchived(
            "the copy of the log is missing or was shortened: see to that first "
            "(`croupier office copy show`)"
        )


def _check_sealed(store: Store, cut: Cut, day: GamingDay) -> None:
    sealed = next((seal.read().events for seal in newest_seals(store, 1)), 0)
    if sealed < cut.until:
        raise NotArchived(
            f"the record is sealed up to event {sealed:,} of all, and {day.day} ends at event "
            f"{cut.until:,}: seal it first (`croupier audit seal`)"
        )


def cut_at(store: Store, end: datetime) -> Cut:
    """Everything that is not archived yet and was ordered before a moment."""
    known = store.past.known()
    first = known[-1].until if known else 0
    [(length,)] = store.database.execute("SELECT COALESCE(SUM(position), 0) FROM heads")
    until = next(_numbers_since(store, end), int(length))
    [(before,)] = store.database.execute(
        "SELECT COUNT(*) FROM log l JOIN orders o ON o.command_id = l.command_id "
        "WHERE o.number IS NULL"
    )
    if until <= first or until <= before:
        raise NotArchived(f"nothing is stored before {end:%Y-%m-%d %H:%M %Z} that could be moved")
    ends = store.database.execute(
        "SELECT l.place, MAX(l.position) FROM log l JOIN orders o ON o.command_id = l.command_id "
        "WHERE o.number IS NULL OR o.number < ? GROUP BY l.place",
        (until,),
    )
    return Cut(
        number=len(known) + 1,
        first=first,
        until=until,
        after=store.past.ends(),
        ends=dict(sorted(ends)),
        before=known[-1].digest if known else NONE_BEFORE,
    )


def _numbers_since(store: Store, end: datetime) -> Iterator[int]:
    """The numbers of the orders that were given at a moment or after it."""
    after = -1
    sql = "SELECT number, at FROM orders WHERE number > ? ORDER BY number LIMIT 2000"
    while found := store.database.execute(sql, (after,)):
        for number, at in found:
            if datetime.fromisoformat(at) >= end:
                yield number
        after = found[-1][0]


# -- the file ------------------------------------------------------------------------------------


def _write(store: Store, cut: Cut, day: GamingDay, folder: Path) -> tuple[Path, Header, str]:
    writing = Writing(folder)
    try:
        logs = {place: _write_log(store, cut, place, writing) for place in cut.ends}
        rows = sum(part.last - part.first + 1 for part in logs.values())
        if rows != cut.until - cut.first:
            raise CorruptDatabase(
                f"{cut.until - cut.first:,} events should be moved, and there are {rows:,}; "
                "`croupier audit verify` says more"
            )
        counts = {
            "orders": _write_orders(store, cut, writing),
            "commands": _write_commands(store, writing),
            "entries": sum(_write_entries(store, cut, place, writing) for place in cut.ends),
            "openings": _write_openings(store, cut, writing),
        }
        founded = store.digest_at(OFFICE, 1)
        header = Header(
            number=cut.number,
            house=founded.hex() if founded is not None else "",
            day=f"{day.day}",
            first=cut.first,
            until=cut.until,
            before=cut.before,
            logs=logs,
            rows=rows,
            blocks=writing.blocks,
            **counts,
        )
        file, made = writing.finish(header)
    except BaseException:
        writing.abandon()
        raise
    return file, header, made


def _write_log(store: Store, cut: Cut, place: str, writing: Writing) -> LogPart:
    """The rows of one log, each held to its chain."""
    after, end = cut.after.get(place, 0), cut.ends[place]
    last = store.digest_at(place, after) if after else START

    sql = f"SELECT {', '.join(ROW)} FROM log WHERE place = ? AND position > ? AND position <= ? "
    position = after
    while position < end:
        upto = min(position + ROWS_AT_ONCE, end)
        found = store.database.execute(f"{sql}ORDER BY position", (place, position, upto))
        lines = []
        for values in found:
            row = read_row(values)  # what is hidden stays so: no key is needed
            position += 1
            if last is None or row.position != position or digest(last, row) != row.digest:
                raise broken(place, position)
            last = row.digest
            lines.append(CopyLine.of(row))
        if position != upto:
            raise broken(place, position + 1)
        writing.block("log", place, lines[0].position, upto, lines)
    sql = (
        "SELECT MIN(l.position) FROM log l JOIN orders o ON o.command_id = l.command_id "
        "WHERE l.place = ? AND o.number IS NOT NULL"
    )
    [(first,)] = store.database.execute(sql, (place,))
    ordered = first if first is not None and first <= end else 0
    assert last is not None
    return LogPart(after + 1, end, ordered, last.hex())


def _write_orders(store: Store, cut: Cut, writing: Writing) -> int:
    count = 0
    for some in in_parts(_orders(store, cut), ORDERS_AT_ONCE):
        rows = _rows_of(store, [values[1] for values in some])
        lines = [
            OrderedRows(
                order=OrderLine.of(
                    OrderRecord(**dict(zip(ORDER, values, strict=False))),
                    values[-2],
                    bytes(values[-1] or b""),
                ),
                rows=rows.get(values[1], {}),
            )
            for values in some
        ]
        writing.block("orders", "", some[0][0], some[-1][0], lines)
        count += len(some)
    return count


def _orders(store: Store, cut: Cut) -> Iterator[tuple[Any, ...]]:
    columns = ", ".join((*ORDER, "events", "digest"))
    last: tuple[Any, ...] = (-1, -1, "")
    sql = (
        f"SELECT {columns} FROM orders WHERE number < ? AND (number, events, command_id) > "
        f"(?, ?, ?) ORDER BY number, events, command_id LIMIT {ORDERS_AT_ONCE}"
    )
    while found := store.database.execute(sql, (cut.until, *last)):
        yield from found
        values = found[-1]
        last = (values[0], values[-2], values[1])


def _rows_of(store: Store, ids: list[str]) -> dict[str, Rows]:
    """Where the rows of some commands lie."""
    database = store.database
    sql = (
        "SELECT command_id, place, MIN(position), MAX(position) FROM log "
        f"WHERE command_id {database.words['keys']} GROUP BY command_id, place"
    )
    made: dict[str, Rows] = {}
    for command_id, place, first, last in sorted(database.execute(sql, (database.keys(ids),))):
        made.setdefault(command_id, {})[place] = (first, last)
    return made


def _write_commands(store: Store, writing: Writing) -> int:
    """What was carried out before orders were stored; all of it lies before the first order."""
    found = store.database.execute(
        "SELECT command_id, events FROM orders WHERE number IS NULL ORDER BY command_id"
    )
    for some in in_parts(found, ORDERS_AT_ONCE):
        rows = _rows_of(store, [command_id for command_id, _ in some])
        lines = [
            CommandRows(command=OldCommand(command_id=name, events=events), rows=rows.get(name, {}))
            for name, events in some
        ]
        writing.block("commands", "", 0, 0, lines)
    return len(found)


def _write_entries(store: Store, cut: Cut, place: str, writing: Writing) -> int:
    after, count = cut.after.get(place, 0), 0
    while after < cut.ends[place]:
        upto = min(after + ENTRIES_AT_ONCE, cut.ends[place])
        found = store.entries_between(place, after, upto)
        if found:
            lines = [EntryLine(entry=(e.position, e.account, e.amount)) for e in found]
            writing.block("entries", place, found[0].position, found[-1].position, lines)
        count += len(found)
        after = upto
    return count


def _write_openings(store: Store, cut: Cut, writing: Writing) -> int:
    """The openings of what was committed to in what is moved."""
    found = sorted(_openings(store, cut))
    for some in in_parts(found, ORDERS_AT_ONCE):
        lines = [
            OpeningLine(opening=KeptOpening(shuffle=shuffle, place=place, seed=bytes(seed).hex()))
            for shuffle, place, seed in some
        ]
        writing.block("openings", "", 0, 0, lines)
    return len(found)


def _openings(store: Store, cut: Cut) -> Iterator[tuple[Any, ...]]:
    """Openings of what was committed to before the cut: all but those that a newer row of a
    shuffle book names, or whose command is newer, as in logs of 0.9."""
    newer: set[str] = set()
    sql = "SELECT command_id, event FROM log WHERE place = ? AND position > ?"
    for place in filter(is_shuffle_book, store.streams()):
        end = cut.ends.get(place, cut.after.get(place, 0))
        for command_id, event in store.database.execute(sql, (place, end)):
            newer |= {command_id, _read_told.decode(bytes(event)).secret}
    for values in store.database.execute("SELECT shuffle, place, seed FROM openings"):
        if values[0] not in newer:
            yield values


def in_parts(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values, at most so many at a time."""
    left = iter(values)
    while some := list(islice(left, size)):
        yield some


# -- what a start needs ---------------------------------------------------------------------------


def keep_states(store: Store, ends: dict[str, int]) -> None:
    """Keep the states of logs of which no state after the cut is kept: a start must not need what
    was moved."""
    made = []
    for place, end in ends.items():
        kept = store.snapshot(place)
        if kept is not None and kept.position >= end:
            continue
        first = store.row(place, 1)
        assert first is not None
        empty = conversation_of(place, first.event)
        conversation, position = restored(empty, store, place, quietly=True)
        position = replay(conversation, store, place, after=position)
        made.append(Snapshot(stream=place, position=position, state=conversation.snapshot()))
    store.save_snapshots(made)


# -- letting the rows go -------------------------------------------------------------------------


def finish(casino: Casino, folder: Path | None = None, *, running: bool = False) -> int:
    """Let go of the rows of archives that are on record and still lie in the database, as after a
    process that ended half way; how many archives those were."""
    known = {each.number for each in casino.house.store.past.known()}
    left = [each for each in sorted(casino.office.state.archives.items()) if each[0] not in known]
    if left:
        store = Store(casino.house.store.database.again(), migrated=True)
        if isinstance(store.database, SqliteDatabase):
            # Before 3.51.3 two connections that write at once can lose pages: they take turns.
            store.database.lock = casino.house.store.database.lock
        try:
            for number, record in left:
                _let_go(store, number, record, folder)
            if not running:
                store.database.give_back_room()
        finally:
            store.close()
    return len(left)


def _let_go(store: Store, number: int, record: ArchiveRecord, folder: Path | None) -> None:
    beside = archive_folder(store.database.url)
    folders = [each for each in (folder, beside, Path(record.folder)) if each is not None]
    file = existing(*(each / record.file for each in folders))
    archived = ArchiveFile(file, record.digest)
    archived.check()
    header, database = archived.header, store.database
    if header.number != number or header.until != record.until:
        raise CorruptDatabase(f"{file} is not archive {number} that is on record")
    keep_states(store, {place: part.last for place, part in header.logs.items()})
    ids, sums = taken_over(archived)
    with database.transaction():
        _still_there(store, header)
        row = (
            *(number, record.folder, record.file, bytes.fromhex(record.digest)),
            *(header.first, header.until, _encode(header.logs)),
        )
        columns = ("number", "folder", "file", "digest", "first", "until", "logs")
        database.insert("archives", columns, [row])
        for some in in_parts(ids.items(), IDS_AT_ONCE):
            database.insert("archived_ids", ("id", "number"), some, "ON CONFLICT DO NOTHING")
        carried = "ON CONFLICT (account) DO UPDATE SET amount = carried.amount + excluded.amount"
        database.insert("carried", ("account", "amount"), sorted(sums.items()), carried)
        _delete(store, archived)


def _still_there(store: Store, header: Header) -> None:
    """What is about to go is what lies in the file: the last row of each log vouches for those
    before it."""
    for place, part in header.logs.items():
        sql = "SELECT digest FROM log WHERE place = ? AND position = ?"
        found = store.database.execute(sql, (place, part.last))
        if not found or bytes(found[0][0]).hex() != part.digest:
            raise CorruptDatabase(
                f"event {part.last} of {place} is not the one in the archive: nothing was let go; "
                "`croupier audit verify` says more"
            )


def _delete(store: Store, archived: ArchiveFile) -> None:
    header, execute = archived.header, store.database.execute
    for place, part in header.logs.items():
        for table in ("log", "entries"):
            execute(f"DELETE FROM {table} WHERE place = ? AND position <= ?", (place, part.last))
    execute("DELETE FROM orders WHERE number IS NULL OR number < ?", (header.until,))
    keys = store.database.words["keys"]
    for block in archived.blocks("openings"):
        names = [line.opening.shuffle for line in archived.lines(block)]
        execute(f"DELETE FROM openings WHERE shuffle {keys}", (store.database.keys(names),))
