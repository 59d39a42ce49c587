"""Brings a database back from the copy of its log: after a cut tail, a damaged page, a lost disk.

Everything is made again in a file beside: the log from the copy, row by row along its chain, with
its orders, openings and secrets; the ledger from what the events move. Where the copy lacks a row,
the old database is asked for it, as far as it can be read: it is written before the copy, so its
last events may be nowhere else. Only what belongs to the chain is taken from either. Then the old
database is put aside, never deleted, and the new one takes its place.

What was refused is not in the copy (its log is bounded), nor are the entries of the school (nothing
at a table rests on them); they are taken over from the old database if it can be read. Kept states
are not restored: the next start replays.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from croupier.house import copies
from croupier.house.audit.replay import Replay
from croupier.house.chain import START, digest, order_digest
from croupier.house.copy_reading import KeptSecret, Record, files, ids_in, records_in
from croupier.house.database import ALL, KEEP, Database
from croupier.house.errors import (
    CorruptDatabase,
    HouseError,
    LostConnection,
    OwnedElsewhere,
    StorageError,
)
from croupier.house.founding import office_in
from croupier.house.group import ORDER
from croupier.house.migrations import create
from croupier.house.ownership import FileOwnership
from croupier.house.records import Opening, OrderRecord, Row
from croupier.house.rows import REFUSED, ROW
from croupier.house.school import COLUMNS as SCHOOL
from croupier.house.school import SchoolBook, SchoolRow
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import SQLITE, open_database, sqlite_file
from croupier.house.vault import Vault, beside

AT_ONCE = 1_000
Progress = Callable[[int], None]

COLUMNS: dict[str, tuple[str, ...]] = {
    "log": ROW,
    "heads": ("place", "position", "digest"),
    "orders": (*ORDER, "events", "digest"),
    "entries": ("place", "position", "account", "amount"),
    "balances": ("account", "balance"),
    "secrets": ("name", "kind", "secret"),
    "openings": ("shuffle", "place", "seed"),
    "refused": REFUSED,
    "school": SCHOOL,
    "copies": copies.COPY,
}
"""What is put into another database; `length` is counted there."""


class NotRestored(HouseError):
    """Nothing was restored, and nothing was changed."""


class RestoredPlace(Struct, kw_only=True):
    """What became of one log."""

    place: str
    events: int = 0
    """That it has now."""
    lacked: int = 0
    """Events of the copy that the old database had not, or could not tell."""
    changed: int = 0
    """Events that stood otherwise in the old database."""
    kept: int = 0
    """Events that only the old database had, and that were taken over."""
    lost: int = 0
    """Events that one of them said it had, and that are lost."""


class Restored(Struct, kw_only=True):
    """What was restored."""

    copy: str
    folder: str
    events: int = 0
    """That the copy held."""
    orders: int = 0
    secrets: int = 0
    openings: int = 0
    refused: int = 0
    entries: int = 0
    places: list[RestoredPlace] = []
    damaged: list[str] = []
    """Lines of the copy that cannot be read: what stood there came from the old database."""
    unreadable: str = ""
    """Why the old database could not be read, if so."""
    aside: str = ""
    """Where the old database was put."""

    def by_place(self, what: str) -> dict[str, int]:
        """How many events were kept or lost, for each place where any were."""
        return {each.place: getattr(each, what) for each in self.places if getattr(each, what)}


def restore(
    url: str,
    folder: Path,
    *,
    accept_loss: bool = False,
    check: Callable[[Store], None] = lambda store: None,
    progress: Progress = lambda events: None,
) -> Restored:
    """Bring the database at an address back from the copy in a folder.

    `check` is given what is about to take its place, and may still object.
    """
    if not files(folder):
        raise NotRestored(f"there is no copy of a log in {folder}")
    with ExitStack() as opened:
        target = sqlite_file(url) if url.startswith(SQLITE) else None
        if target is not None:
            ownership = FileOwnership(target)
            opened.callback(ownership.close)
            ownership.take("restore")
            made = target.with_name(f"{target.name}.restoring")
            _remove(made)
            opened.callback(_remove, made)
        else:
            here = opened.enter_context(tempfile.TemporaryDirectory(prefix="croupier-restore-"))
            made = Path(here) / "restored.db"
            _nobody_else(url)
        old = _Old(url)
        opened.callback(old.close)
        database = SqliteDatabase(made)
        opened.callback(database.close)
        database.vault = Vault(database.name, beside(target) if target is not None else None)
        store = Store(database)
        found = _Restoring(store, folder, old, progress).restored()
        lost = found.by_place("lost")
        if lost and not accept_loss:
            named = ", ".join(f"{count:,} of {place}" for place, count in sorted(lost.items()))
            raise NotRestored(
                f"events would be lost that neither the copy nor the database can tell whole "
                f"({named}); nothing was changed. To restore what there is: --accept-loss"
            )
        check(store)
        old.close()
        if target is not None:
            database.close()
            found.aside = _swap(target, made)
        else:
            found.aside = _move_in(url, database)
    return found


class _Old:
    """The old database, as far as it can be read."""

    def __init__(self, url: str) -> None:
        self.store: Store | None = None
        self.says = ""
        """Why it cannot be read."""
        try:
            database = open_database(url, create=False)
        except LostConnection:
            raise  # the server is not there: nobody knows what it holds
        except StorageError as error:
            if not url.startswith(SQLITE) or sqlite_file(url).exists():
                self.says = str(error)
            return
        try:
            empty = not database.tables()
        except StorageError as error:
            empty, self.says = False, str(error)
        if empty:
            database.close()
        else:
            self.store = Store(database, migrated=True)  # as it stands: it is not brought up

    def ask(self, what: Callable[[Store], Any], otherwise: Any) -> Any:
        """Something that it holds; `otherwise` where it cannot tell."""
        if self.store is None:
            return otherwise
        try:
            return what(self.store)
        except LostConnection:
            raise
        except StorageError as error:
            self.says = self.says or str(error)
            return otherwise

    def rows(self, place: str) -> Iterator[Row]:
        """The rows of a place that can be read; one that cannot is left out."""
        after, end = 0, self.end(place)
        while after < end:
            first = after
            try:
                if self.store is None:
                    return
                for row in self.store.rows(place, after=after):
                    yield row
                    after = row.position
                return
            except LostConnection:
                raise
            except StorageError as error:
                self.says = self.says or str(error)
                # Row by row past what is damaged, then on in larger steps.
                for after in range(first + 1, min(first + 1 + AT_ONCE, end) + 1):
                    found = self.row(place, after)
                    if found is not None:
                        yield found

    def row(self, place: str, position: int) -> Row | None:
        """One row, if it can be read."""
        found: Row | None = self.ask(lambda store: store.row(place, position), None)
        return found

    def end(self, place: str) -> int:
        """How far it says that the log of a place goes."""
        head: int = self.ask(lambda store: store.head(place).position, 0)
        last = "SELECT MAX(position) FROM log WHERE place = ?"
        found = self.ask(lambda store: store.database.execute(last, (place,)), [(0,)])
        stored = found[0][0]
        return max(head, stored if type(stored) is int else 0)

    def places(self) -> set[str]:
        """The places that it knows."""
        known: set[str] = set(self.ask(lambda store: store.streams(), []))
        sql = "SELECT DISTINCT place FROM log"
        rows = self.ask(lambda store: store.database.execute(sql), [])
        return known | {place for (place,) in rows if type(place) is str}

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
            self.store = None


class _Restoring:
    """Fills an empty database from a copy."""

    def __init__(self, store: Store, folder: Path, old: _Old, progress: Progress) -> None:
        self.store = store
        self.database = store.database
        self.folder = folder
        self.old = old
        self.progress = progress
        self.ids = ids_in(folder)
        self.found = Restored(copy=self.ids[0] if self.ids else "", folder=str(folder.resolve()))
        self._pending: dict[str, list[tuple[Any, ...]]] = {}

    def restored(self) -> Restored:
        with self.database.transaction():
            self._read_copy()
            for place in sorted(self._places() | self.old.places()):
                self._follow(place)
            self._finish_orders()
            self._take_over()
            self._count()
        with self.database.transaction():
            self._note_copies()
        self.found.unreadable = self.old.says
        return self.found

    def _put(self, table: str, row: tuple[Any, ...], on_conflict: str = "") -> None:
        rows = self._pending.setdefault(table, [])
        rows.append(row)
        if len(rows) >= AT_ONCE:
            self._flush(table, on_conflict)

    def _flush(self, table: str, on_conflict: str = "") -> None:
        rows = self._pending.pop(table, [])
        if rows:
            self.database.insert(table, COLUMNS[table], rows, on_conflict)

    # -- from the copy -----------------------------------------------------------------------

    def _read_copy(self) -> None:
        newest: dict[tuple[str, str], KeptSecret] = {}
        read = 0
        for file in files(self.folder):
            try:
                for record in records_in(file, self.found.damaged):
                    self._take(record, newest)
                    read += 1
                    self.progress(read)
            except CorruptDatabase as error:  # a compressed file that ends here
                self.found.damaged.append(str(error))
        # Decks are hidden by what the openings hold: they are needed to follow the log.
        for opening in self.old.ask(lambda store: list(copies.kept_openings(store)), []):
            self._put("openings", opening, KEEP)
        for table in ("log", "orders", "openings"):
            self._flush(table, KEEP)
        for secret in newest.values():
            self._put("secrets", (secret.name, secret.kind, secret.secret))
        self._flush("secrets")
        [(self.found.events,)] = self.database.execute("SELECT COUNT(*) FROM log")

    def _take(self, record: Record, newest: dict[tuple[str, str], KeptSecret]) -> None:
        match record:
            case Row():
                self._put("log", _row_values(record), KEEP)
            case OrderRecord():
                self._put("orders", _order_values(record), KEEP)
            case Opening():
                self._put("openings", (record.shuffle, record.stream, record.seed), KEEP)
            case KeptSecret():
                key = record.name, record.kind
                if key not in newest or record.number >= newest[key].number:
                    newest[key] = record

    def _places(self) -> set[str]:
        return {place for (place,) in self.database.execute("SELECT DISTINCT place FROM log")}

    # -- along the chain ---------------------------------------------------------------------

    def _follow(self, place: str) -> None:
        """Follow the chain of a place as far as either can tell it, and its money with it."""
        told = RestoredPlace(place=place)
        self.found.places.append(told)
        ours, theirs = self.store.rows(place), self.old.rows(place)
        mine, other = next(ours, None), next(theirs, None)
        last, position, end = START, 0, 0
        replay = Replay(place)
        while mine is not None or other is not None:
            position += 1
            mine = _at(ours, mine, position)
            other = _at(theirs, other, position)
            fits = mine is not None and mine.position == position and self._fits(last, mine)
            same = other is not None and other.position == position
            if fits and mine is not None:
                row = mine
                told.lacked += not same
                told.changed += other is not None and same and _differ(other, mine)
            elif same and other is not None and self._fits(last, other):
                row = other
                told.kept += 1
                self.database.execute(
                    "DELETE FROM log WHERE place = ? AND position = ?", (place, position)
                )
                self.database.insert("log", ROW, [_row_values(row)])
            else:
                break
            last, end = row.digest, position
            self._move(replay, row)
        told.events = end
        told.lost = max(self._last(place), self.old.end(place), end) - end
        self.database.execute("DELETE FROM log WHERE place = ? AND position > ?", (place, end))
        self._post(replay)
        if end:
            self.database.insert("heads", COLUMNS["heads"], [(place, end, last)])

    def _last(self, place: str) -> int:
        sql = "SELECT COALESCE(MAX(position), 0) FROM log WHERE place = ?"
        return int(self.database.execute(sql, (place,))[0][0])

    def _fits(self, last: bytes, row: Row) -> bool:
        """Whether a row follows, and the order is there that it is bound to."""
        if digest(last, row) != row.digest:
            return False
        if not row.order:
            return True
        _, order = self.store.recall(row.command_id)
        if order is not None and order_digest(order) == row.order:
            return True
        _, order = self.old.ask(lambda store: store.recall(row.command_id), (False, None))
        if order is None or order_digest(order) != row.order:
            return False
        sql = "DELETE FROM orders WHERE command_id = ?"
        self.database.execute(sql, (row.command_id,))
        self.database.insert("orders", COLUMNS["orders"], [_order_values(order)])
        return True

    def _move(self, replay: Replay, row: Row) -> None:
        """What the event moves, once its command is complete."""
        if replay.ends_before(row):
            self._post(replay)
        wrong = replay.take(row)
        if replay.broken:
            raise NotRestored(
                f"event {row.position} of {row.stream} cannot be applied by this croupier "
                f"({wrong.says if wrong is not None else ''}): restore with the version that "
                f"wrote it; nothing was changed"
            )

    def _post(self, replay: Replay) -> None:
        for entry in replay.entries():
            self._put("entries", astuple(entry))

    # -- what belongs to it ------------------------------------------------------------------

    def _finish_orders(self) -> None:
        """How many events each order has; those that came to nothing have their digest beside."""
        execute = self.database.execute
        nothing = self.old.ask(lambda store: copies.orders_to_nothing(store, 0), [])
        for decided in self.old.ask(lambda store: list(store.decisions_of(nothing)), []):
            self._put("orders", _order_values(decided.order), KEEP)
        self._flush("orders", KEEP)
        execute(
            "UPDATE orders SET events = "
            "(SELECT COUNT(*) FROM log WHERE log.command_id = orders.command_id)"
        )
        unbound = (
            f"SELECT {', '.join(ORDER)} FROM orders WHERE NOT EXISTS (SELECT 1 FROM log "
            "WHERE log.command_id = orders.command_id AND length(log.order_digest) > 0)"
        )
        for values in execute(unbound):
            order = OrderRecord(**dict(zip(ORDER, values, strict=True)))
            sql = "UPDATE orders SET digest = ? WHERE command_id = ?"
            execute(sql, (order_digest(order), order.command_id))
        execute(  # stored before orders were
            "INSERT INTO orders (command_id, also, events) SELECT command_id, x'', COUNT(*) "
            "FROM log WHERE command_id NOT IN (SELECT command_id FROM orders) GROUP BY command_id"
        )

    def _take_over(self) -> None:
        """What only the old database has beside the log, as far as it can be read."""
        kept = bool(self.found.by_place("kept"))
        for secret in self.old.ask(copies.kept_secrets, []):
            sql = "DELETE FROM secrets WHERE name = ? AND kind = ?"
            if kept:  # somebody may have got a new one since
                self.database.execute(sql, secret[:2])
            self._put("secrets", secret, KEEP)
        self._flush("secrets", KEEP)
        for refused in self.old.ask(lambda store: list(store.refused()), []):
            self._put("refused", astuple(refused))
        self._flush("refused")
        for entry in self.old.ask(_school_rows, []):
            self._put("school", astuple(entry))
        self._flush("school")

    def _count(self) -> None:
        """Sums that follow from the rest."""
        execute = self.database.execute
        self._flush("entries")
        execute(
            "INSERT INTO balances (account, balance) "
            "SELECT account, SUM(amount) FROM entries GROUP BY account"
        )
        execute("UPDATE length SET events = (SELECT COUNT(*) FROM log)")
        for table in ("orders", "entries", "secrets", "openings", "refused"):
            [(count,)] = execute(f"SELECT COUNT(*) FROM {table}")
            setattr(self.found, table, count)

    def _note_copies(self) -> None:
        """The copies as the office has them on record."""
        for copy, record in office_in(self.store).state.copies.items():
            held = self.found.events if copy in self.ids else 0
            mark = copies.CopyMark(copy=copy, folder=record.folder, held=held, alarm=record.alarm)
            self._put("copies", mark.values())
        self._flush("copies")


def _school_rows(store: Store) -> list[SchoolRow]:
    """The entries of the school; a database that was made before there was one has none."""
    return list(SchoolBook(store).rows()) if "school" in store.database.tables() else []


def _row_values(row: Row) -> tuple[Any, ...]:
    """A row as it is stored."""
    return astuple(row.as_stored())[: len(ROW)]


def _order_values(order: OrderRecord) -> tuple[Any, ...]:
    """An order as it is stored; what came of it is counted later."""
    return (*astuple(order.as_stored())[: len(ORDER)], 0, None)


def _differ(one: Row, other: Row) -> bool:
    return _row_values(one) != _row_values(other)


def _at(rows: Iterator[Row], row: Row | None, position: int) -> Row | None:
    """The first row from a position on."""
    while row is not None and row.position < position:
        row = next(rows, None)
    return row


# -- putting it in its place ----------------------------------------------------------------------


def _swap(target: Path, made: Path) -> str:
    """Put a file in the place of another, which is put aside: at no moment is there none, for a
    House that is killed here must find its database when it is started again."""
    _sync(made)
    aside = ""
    if target.exists():
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        aside = str(target.with_name(f"{target.name}.before-{stamp}"))
        with suppress(OSError):  # not everywhere may a file have two names
            os.link(target, aside)
        for end in ("-wal", "-shm"):
            beside_it = target.with_name(f"{target.name}{end}")
            if beside_it.exists():
                beside_it.rename(f"{aside}{end}")
        if not Path(aside).exists():
            target.rename(aside)
    made.replace(target)
    _sync(target.parent)
    return aside


def _sync(path: Path) -> None:
    with suppress(PermissionError):  # a folder cannot be synced everywhere
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove(file: Path) -> None:
    for end in ("", "-wal", "-shm"):
        file.with_name(f"{file.name}{end}").unlink(missing_ok=True)


def _nobody_else(url: str) -> None:
    """On a server no process of the House may be at work."""
    database = open_database(url)
    try:
        found = database.execute(
            "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = "
            "current_database() AND application_name LIKE 'croupier %' "
            "AND application_name <> current_setting('application_name') ORDER BY 1"
        )
    finally:
        database.close()
    if found:
        names = ", ".join(name for (name,) in found)
        raise OwnedElsewhere(f"{database.name} is in use by {names}; stop that first")


def _move_in(url: str, made: Database) -> str:
    """Put everything into a server's database, in one transaction; the tables that are there are
    put aside in a schema of their own."""
    server = open_database(url)
    try:
        with server.transaction():
            aside = ""
            tables = server.tables()
            if tables:
                stamp = datetime.now(UTC).strftime("%Y%m%dt%H%M%Sz")
                aside = f"croupier_before_{stamp}"
                server.script(f"CREATE SCHEMA {aside}")
                for table in sorted(tables):
                    server.script(f'ALTER TABLE "{table}" SET SCHEMA {aside}')
            create(server)
            for table, columns in COLUMNS.items():
                for rows in _in_turn(made, table, columns):
                    server.insert(table, columns, rows)
            server.execute(
                "UPDATE length SET events = (SELECT COUNT(*) FROM log) WHERE log = ?", (ALL,)
            )
    finally:
        server.close()
    return f"schema {aside}" if aside else ""


def _in_turn(
    made: Database, table: str, columns: tuple[str, ...]
) -> Iterator[list[tuple[Any, ...]]]:
    after = 0
    while True:
        sql = f"SELECT rowid, {', '.join(columns)} FROM {table} WHERE rowid > ? ORDER BY rowid"
        found = made.execute(f"{sql} LIMIT {AT_ONCE}", (after,))
        if not found:
            return
        yield [values for _, *values in found]  # type: ignore[misc]
        after = found[-1][0]
