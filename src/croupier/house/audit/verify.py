"""Walks everything that is stored and recomputes it from the events alone.

    log        every row's digest, by the chain of its stream; every event replayed
    heads      how far each log goes, and the digest of its last row
    length     how many events all logs have
    commands   how many events each command has
    entries    what each command moved, from the holdings of the replayed stream
    balances   the sum of the entries
    snapshots  the state that the replay has at that position
    secrets    by the digests that the office's log has of them
    openings   by the commitments that the shuffle books have, card by card
    copy       row by row

The first difference is the answer; what follows from it may be many more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.audit.copied import compare_copy
from croupier.house.audit.findings import Damaged, Difference, reading, shown
from croupier.house.audit.mixed import Secrets
from croupier.house.audit.replay import Replay
from croupier.house.chain import digest
from croupier.house.commitment import SEED_BYTES, commit
from croupier.house.database import ALL
from croupier.house.errors import DiskFull, LostConnection, StorageError
from croupier.house.ledger import AWARDS, may_be_negative
from croupier.house.migrations import migrations
from croupier.house.office import Office
from croupier.house.passwords import KIND
from croupier.house.records import Entry, Row, Snapshot
from croupier.house.replaying import WITHHELD
from croupier.house.shuffle_book import Committed, is_shuffle_book
from croupier.house.store import Store
from croupier.table import ActorRank, ShuffleGiven

Progress = Callable[[int], None]
TABLES = frozenset(
    "log heads length commands entries balances snapshots secrets openings croupier_schema".split()
)
"""All that croupier stores."""
RANKS = frozenset(rank.value for rank in ActorRank)


class Verified(Struct, kw_only=True):
    """What was walked, and the first difference if there is one."""

    places: int = 0
    events: int = 0
    commands: int = 0
    entries: int = 0
    accounts: int = 0
    copied: int = 0
    withheld: int = 0
    """Shuffles for rounds that had not begun, which are not in an export."""
    heads: dict[str, str] = {}
    """The digest of the last event of each log, or of the last one before what was withheld."""
    difference: Difference | None = None


def verify(
    store: Store,
    copy: Path | None = None,
    progress: Progress = lambda events: None,
    *,
    exported: bool = False,
) -> Verified:
    """Walk it all; stop at the first difference.

    An export that was read into a database of its own has no secrets.
    """
    found = Verified()
    found.difference = next(_differences(store, copy, found, progress, exported), None)
    return found


def _differences(
    store: Store, copy: Path | None, found: Verified, progress: Progress, exported: bool
) -> Iterator[Difference]:
    """A House may be running: everything is walked as it stands now.

    What cannot be read as it should be stored is a difference like any other, and ends the walk.
    """
    try:
        with store.as_it_stands() as now:
            walk = _Walk(now, found, progress, exported)
            yield from walk.differences()
            heads = now.heads()
        if copy is not None:
            # The copy is compared with what is stored by now: it is written after the database.
            yield from compare_copy(store, copy, found, heads)
    except Damaged as damaged:
        yield damaged.difference
    except (LostConnection, DiskFull):
        raise  # that is no damage: nothing is known of what is stored
    except StorageError as error:
        yield Difference(table="database", where=store.database.name, says=str(error))


class _Walk:
    """One audit."""

    def __init__(self, store: Store, found: Verified, progress: Progress, exported: bool) -> None:
        self.store = store
        self.progress = progress
        self.found = found
        self.balances: dict[str, int] = {}
        self.office: Office | None = None
        self.exported = exported

    def differences(self) -> Iterator[Difference]:
        yield from self._schema()
        with reading("heads", "every place"):
            heads = self.store.heads()
        logged = {p for (p,) in self.store.database.execute("SELECT DISTINCT place FROM log")}
        # What tables are compared with comes first: the commitments to their shuffles.
        for stray in logged:
            if type(stray) is not str:
                says = "the name of a place is a text"
                yield Difference(table="log", where=shown(stray), column="place", says=says)
                return
        for stream in sorted(logged | heads.keys(), key=lambda p: (not is_shuffle_book(p), p)):
            yield from self._stream(stream)
        yield from self._commands()
        yield from self._length()
        yield from self._strays()
        yield from self._balances()
        if not self.exported:
            yield from self._secrets()

    def _schema(self) -> Iterator[Difference]:
        for name in sorted(TABLES - self.store.database.tables()):
            lost = Difference(table=name, where="the whole table", says="the table is gone")
            raise Damaged(lost)
        newest = migrations()[-1][0]
        found = self.store.database.execute("SELECT version FROM croupier_schema")
        if found != [(newest,)]:
            yield Difference(
                table="croupier_schema",
                where="the only row",
                column="version",
                found=shown(found),
                expected=str(newest),
            )
        database = self.store.database
        for name in sorted(database.tables() - TABLES):
            says = "croupier has made no such table"
            yield Difference(table=name, where="the whole table", says=says)
        for name in database.strangers():
            says = "croupier makes no triggers, rules or views: it could act or deceive unseen"
            yield Difference(table="croupier_schema", where=name, says=says)

    # -- one stream --------------------------------------------------------------------------

    def _stream(self, stream: str) -> Iterator[Difference]:
        """Replay a log: its chain, its entries, its snapshot, its head."""
        self.found.places += 1
        replay = Replay(stream)
        stored = _ByPosition(_read("entries", stream, self.store.entries(stream)))
        with reading("snapshots", stream):
            snapshot = self.store.snapshot(stream)
        with reading("openings", stream):
            opened = {o.shuffle: o for o in self.store.openings(stream)}
        secrets = Secrets(self.store, stream, exported=self.exported)
        amiss = list(secrets.differences(opened))
        for row in _read("log", stream, self.store.rows(stream)):
            withheld = self.exported and row.event == WITHHELD
            made = row.digest if withheld else digest(replay.last, row)
            if made != row.digest or row.position != replay.position + 1 or row.rank not in RANKS:
                yield from self._row(replay, row, made)
                if replay.broken:
                    return
            if replay.ends_before(row):
                yield from self._entries(replay, stored)
            difference = replay.withhold(row) if withheld else replay.take(row)
            if difference is not None:
                yield difference
            if replay.broken:
                return
            if isinstance(replay.event, ShuffleGiven) and not secrets.has(row.command_id):
                yield from self._shuffle(replay.event, row, opened, withheld)
            elif replay.event is not None:
                yield from secrets.given(replay.conversation, replay.event, row, withheld=withheld)
            if snapshot is not None and snapshot.position == row.position:
                yield from _snapshot(replay, snapshot)
                snapshot = None
            self.found.events += 1
            self.progress(self.found.events)
        yield from self._entries(replay, stored)
        for entry in stored.rest():
            yield _entry_difference(entry, None)
        yield from self._head(replay)
        if snapshot is not None:
            where = f"{stream} at {snapshot.position}"
            says = f"the log has no event {snapshot.position}"
            yield Difference(table="snapshots", where=where, column="position", says=says)
        yield from amiss
        yield from secrets.rest()
        for opening in opened.values():
            says = "no shuffle of this id was given at this place"
            yield Difference(table="openings", where=opening.shuffle, column="place", says=says)
        if isinstance(replay.conversation, Office):
            self.office = replay.conversation

    def _row(self, replay: Replay, row: Row, made: bytes) -> Iterator[Difference]:
        """What is wrong with a row: its position, its digest, or what its other columns hold."""
        where = f"{row.stream} at {row.position}"
        if row.position != replay.position + 1:
            replay.broken = True
            says = f"event {replay.position + 1} is missing"
            yield Difference(table="log", where=where, column="position", says=says)
            return
        if made != row.digest:
            replay.broken = True
            says = "the row does not belong to its digest: one of its columns was changed"
            yield Difference(
                table="log",
                where=where,
                column="digest",
                found=shown(row.digest),
                expected=shown(made),
                says=says,
            )
        elif row.rank not in RANKS:
            yield Difference(table="log", where=where, column="rank", found=shown(row.rank))

    def _entries(self, replay: Replay, stored: _ByPosition) -> Iterator[Difference]:
        """Compare what a command moved here with what is stored."""
        where = f"{replay.stream} at {replay.position}"
        try:
            computed = replay.entries()
        except Exception as error:  # an event that no table makes may move what is not there
            says = f"the event cannot have happened here: {error!r}"
            raise Damaged(
                Difference(table="log", where=where, column="event", says=says)
            ) from error
        kept = stored.until(replay.position)
        if not computed and not kept:
            return
        self.found.entries += len(computed)
        for entry in computed:
            account = entry.account
            self.balances[account] = self.balances.get(account, 0) + entry.amount
        expected = {(e.position, e.account): e for e in computed}
        actual = {(e.position, e.account): e for e in kept}
        if expected != actual:
            for key in sorted(expected.keys() | actual.keys(), key=str):
                if expected.get(key) != actual.get(key):
                    yield _entry_difference(actual.get(key), expected.get(key))
        if sum(e.amount for e in computed):
            says = "what this command moved does not sum to nothing"
            yield Difference(table="entries", where=where, column="amount", says=says)

    def _head(self, replay: Replay) -> Iterator[Difference]:
        head = self.store.head(replay.stream)
        self.found.heads[replay.stream] = replay.proven.hex()
        self.found.withheld += replay.withheld
        if head.position > replay.position and head.digest != replay.last:
            yield Difference(
                table="log",
                where=f"{replay.stream} at {replay.position + 1}",
                says=f"the log was cut off: it went to event {head.position}",
            )
        elif head.position != replay.position:
            yield Difference(
                table="heads",
                where=replay.stream,
                column="position",
                found=shown(head.position),
                expected=shown(replay.position),
            )
        elif head.digest != replay.last:
            yield Difference(
                table="heads",
                where=replay.stream,
                column="digest",
                found=shown(head.digest),
                expected=shown(replay.last),
            )

    def _shuffle(
        self, event: ShuffleGiven, row: Row, opened: dict[str, Any], withheld: bool
    ) -> Iterator[Difference]:
        """A shuffle must have its seed, and the seed must give the leaves that were told; one that
        was withheld must have been committed to."""
        told = None
        with reading("log", f"the shuffle {row.command_id}"):
            for other in self.store.answer_of(row.command_id):
                if other.stream != row.stream:
                    made = conversation_of(other.stream, other.event).read_event(other.event)
                    told = made if isinstance(made, Committed) else told
        opening = opened.pop(row.command_id, None)
        where = f"{row.command_id} (a shuffle at {row.stream}, event {row.position})"
        if told is None and opening is None and row.rank != ActorRank.HOUSE.value:
            return  # shuffled by hand
        if told is None:
            says = "the shuffle has no commitment"
            yield Difference(table="log", where=where, says=says)
        elif withheld:
            if opening is not None or (told.table, told.need) != (row.stream, event.need):
                says = "what is told of the shuffle that was withheld does not belong to it"
                yield Difference(table="openings", where=where, says=says)
        elif opening is None:
            yield Difference(table="openings", where=where, says="the seed is missing")
        elif (
            len(opening.seed) != SEED_BYTES
            or commit(event.cards, opening.seed).leaves != told.leaves
        ):
            says = "the seed does not open the cards that were committed to"
            yield Difference(table="openings", where=where, column="seed", says=says)

    # -- over all streams --------------------------------------------------------------------

    def _commands(self) -> Iterator[Difference]:
        """Each command has as many events as it says, and each event a command."""
        execute = self.store.database.execute
        [(self.found.commands,)] = execute("SELECT COUNT(*) FROM commands")
        counted = (
            "SELECT c.command_id, c.events, COALESCE(n.events, 0) FROM commands c LEFT JOIN "
            "(SELECT command_id, COUNT(*) AS events FROM log GROUP BY command_id) n "
            "ON n.command_id = c.command_id WHERE COALESCE(n.events, 0) <> c.events "
            "ORDER BY c.command_id LIMIT 100"
        )
        for command_id, said, found in execute(counted):
            yield Difference(
                table="commands",
                where=shown(command_id),
                column="events",
                found=shown(said),
                expected=shown(found),
            )
        without = (
            "SELECT l.command_id, l.place, l.position FROM log l LEFT JOIN commands c "
            "ON c.command_id = l.command_id WHERE c.command_id IS NULL "
            "ORDER BY l.place, l.position LIMIT 100"
        )
        for command_id, stream, position in execute(without):
            yield Difference(
                table="commands",
                where=shown(command_id),
                column="command_id",
                says=f"event {position} of {stream} is of a command that is not there",
            )

    def _strays(self) -> Iterator[Difference]:
        """Rows of streams that have no log."""
        for table in ("entries", "snapshots", "openings"):
            found = self.store.database.execute(
                f"SELECT DISTINCT place FROM {table} WHERE place NOT IN (SELECT place FROM log) "
                "ORDER BY place LIMIT 100"
            )
            for (stream,) in found:
                says = "there is no log of this place"
                yield Difference(table=table, where=shown(stream), column="place", says=says)

    def _length(self) -> Iterator[Difference]:
        """How many events there are, which writers go by."""
        execute = self.store.database.execute
        [(counted,)] = execute("SELECT COUNT(*) FROM log")
        found = execute("SELECT log, events FROM length ORDER BY log")
        if found != [(ALL, counted)]:
            yield Difference(
                table="length",
                where="the only row",
                column="events",
                found=shown(found),
                expected=shown([(ALL, counted)]),
            )

    def _balances(self) -> Iterator[Difference]:
        with reading("balances", "every account"):
            kept = self.store.balances()
        self.found.accounts = len(self.balances)
        for account in sorted(kept.keys() | self.balances.keys()):
            found, expected = kept.get(account), self.balances.get(account)
            if found != expected:
                yield Difference(
                    table="balances",
                    where=account,
                    column="balance" if expected is not None else "account",
                    found=shown(found),
                    expected=shown(expected),
                )
            if account == AWARDS and expected:
                says = f"{expected} left a link and never came to a table, or came from nowhere"
                yield Difference(table="balances", where=account, column="balance", says=says)
            if expected is not None and expected < 0 and not may_be_negative(account):
                says = f"the account holds {expected}, and may not be negative"
                yield Difference(table="balances", where=account, column="balance", says=says)

    def _secrets(self) -> Iterator[Difference]:
        people = self.office.state.people if self.office is not None else {}
        with reading("secrets", "everybody"):
            kept = {(s.name, s.kind): s.secret for s in self.store.secrets()}
        for name, person in sorted(people.items()):
            secret = kept.pop((name, KIND), None)
            found = hashlib.sha256(secret.encode()).hexdigest() if secret is not None else ""
            if found != person.digest:
                yield Difference(
                    table="secrets",
                    where=f"{name}, {KIND}",
                    column="secret",
                    says="it is not the one that the office's log has the digest of",
                )
        for name, kind in sorted(kept):
            says = "nobody of this name has such a secret"
            yield Difference(
                table="secrets", where=f"{shown(name)}, {shown(kind)}", column="name", says=says
            )


class _ByPosition:
    """Stored entries, taken in order of position."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self._next = next(entries, None)

    def until(self, position: int) -> list[Entry]:
        """The entries up to a position."""
        taken = []
        while self._next is not None and self._next.position <= position:
            taken.append(self._next)
            self._next = next(self._entries, None)
        return taken

    def rest(self) -> Iterator[Entry]:
        """Those that are left."""
        while self._next is not None:
            yield self._next
            self._next = next(self._entries, None)


T = TypeVar("T")


def _read(table: str, stream: str, rows: Iterator[T]) -> Iterator[T]:
    """Rows as they come; one that is not stored as it should be is damage to that table."""
    with reading(table, stream):
        yield from rows


def _entry_difference(found: Entry | None, expected: Entry | None) -> Difference:
    entry = found or expected
    assert entry is not None
    both = found is not None and expected is not None
    return Difference(
        table="entries",
        where=f"{entry.stream} at {entry.position}, {entry.account}",
        column="amount" if both else "account",
        found=shown(found.amount) if found is not None else "",
        expected=shown(expected.amount) if expected is not None else "",
    )


def _snapshot(replay: Replay, kept: Snapshot) -> Iterator[Difference]:
    """The stored state must be the replayed one, and be written as croupier writes it."""
    assert replay.conversation is not None
    kind = type(replay.conversation)
    where = f"{kept.stream} at {kept.position}"
    try:
        again = kind.restore(replay.conversation.book, kept.state)
    except msgspec.MsgspecError as error:
        yield Difference(table="snapshots", where=where, column="state", says=str(error))
        return
    if again.state != replay.conversation.state or again.snapshot() != kept.state:
        says = "the state is not the one that the events lead to"
        yield Difference(table="snapshots", where=where, column="state", says=says)
