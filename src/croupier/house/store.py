"""The log and the ledger in a database: appended in groups, read by cursor, never changed.

One writer appends many bundles in one transaction, so that many tables share one sync. Each bundle
says how far its logs went when its command was answered; a bundle that comes too late, does not
balance or overdraws an account is turned away alone (`croupier.house.group`), the others are
stored.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import ValidationError, convert
from msgspec.structs import astuple, fields, replace

from croupier.house import copies
from croupier.house.archives.past import Past, id_key
from croupier.house.chain import START, refused_digest
from croupier.house.database import ALL, KEEP, Database, Insertion
from croupier.house.errors import CorruptDatabase, HouseError, LostConnection, StorageError
from croupier.house.group import NOTHING, ORDER, Group
from croupier.house.hidden import SHUFFLES, HiddenDecks
from croupier.house.migrations import migrate
from croupier.house.records import (
    Bundle,
    Decided,
    Entry,
    Head,
    Opening,
    OrderRecord,
    RefusedRecord,
    Row,
    Secret,
    Snapshot,
    read_also,
)
from croupier.house.vault import MARK, TEXT_MARK, Vault

READ_AT_ONCE = 2_000
IN_ONE_STEP = 3
"""How often a group is tried in one step where another process is first."""

ROW = ("place", "position", "command_id", "who", "rank", "at", "event", "digest", "order_digest")
SELECT_ROWS = f"SELECT {', '.join(ROW)} FROM log"
ORDER_TYPES = (int, *[str] * 7, bytes, bytes)
"""Of the columns of an order, as they are read."""
RAW_ORDER_TYPES = (*ORDER_TYPES, int, type(None))
UNBOUND_ORDER_TYPES = (*ORDER_TYPES, int, bytes)
"""The same with how many events it had, and its digest where no row is bound to it."""
SELECT_ORDERS = f"SELECT {', '.join(ORDER)}"
RECALL = f"{SELECT_ORDERS} FROM orders WHERE command_id = ?"
RECALL_ARCHIVED = f"SELECT number{', NULL' * (len(ORDER) - 1)} FROM archived_ids WHERE id = ?"
"""In place of an order that lies in an archive: its number alone."""
REFUSED = tuple(field.name for field in fields(RefusedRecord))
REFUSED_BYTES = 500
"""About as much a refused order takes beside its command and why it was refused."""

LONGER = Insertion(
    "length",
    ("log", "events"),
    [],
    "ON CONFLICT (log) DO UPDATE SET events = length.events + excluded.events",
)
"""Counts the events that are added."""


ORDER_COLUMNS = (*ORDER, "events", "digest")
HEADS = Insertion(
    "heads",
    ("place", "position", "digest"),
    [],
    "ON CONFLICT (place) DO UPDATE SET position = excluded.position, digest = excluded.digest",
)
ENTRIES = Insertion("entries", ("place", "position", "account", "amount"), [])
BALANCES = Insertion(
    "balances",
    ("account", "balance"),
    [],
    "ON CONFLICT (account) DO UPDATE SET balance = balances.balance + excluded.balance",
)
SECRETS = Insertion(
    "secrets",
    ("name", "kind", "secret"),
    [],
    "ON CONFLICT (name, kind) DO UPDATE SET secret = excluded.secret",
)
"""To what a group is added, without its rows."""

RawDecision = tuple[tuple[Any, ...], list[tuple[Any, ...]]]
"""An order as `Store.raw_orders` has it, and the rows that came of it, as they are stored."""


class _StoredBefore(Exception):
    """A command or an opening is in the database already: look which."""


class Remembered:
    """Heads and balances as this connection left them: true as long as no other has written.

    A group changes them as it takes its bundles; whatever fails, they are forgotten. Whether
    another has written, the database says itself, or the length of all logs tells it.
    """

    AT_MOST = 100_000

    def __init__(self, version: int | None = None, length: int | None = None) -> None:
        self.version = version
        self.length = length
        """How many events all logs have."""
        self.heads: dict[str, tuple[int, bytes]] = {}
        self.balances: dict[str, int] = {}

    def is_full(self) -> bool:
        """Whether so much is kept that it is time to forget it, to bound the memory."""
        return len(self.heads) + len(self.balances) > self.AT_MOST

    def has(self, streams: set[str], accounts: set[str]) -> bool:
        """Whether it knows all of these."""
        return streams <= self.heads.keys() and accounts <= self.balances.keys()


class Store:
    """The House's memory."""

    def __init__(self, database: Database, *, migrated: bool = False) -> None:
        """`migrated`: it is known already that the schema is there."""
        self.database = database
        self.exported = False
        """Whether it was read from an export: there, events may be withheld."""
        self.copied: copies.CopyMark | None = None
        """How far the copy of the log goes by now: stored with the next group."""
        self.past = Past(database)
        """What was moved to archives; whatever is read here is read there too."""
        self._decks = HiddenDecks(self.opening)
        self._failed: dict[str, int] = {}
        """The last generation of each place of which a bundle was turned away."""
        self._remembered = Remembered()
        self._connections = 0
        """Of how many connections what is remembered is."""
        self._alone = False
        """Whether nobody else has written between our last two groups."""
        self.beside_others = False
        """Whether other servers write all the time: then a group is judged by what they have
        written, in one question more, before it is stored in one step."""
        self.concerns_others: Callable[[Collection[str]], bool] = lambda streams: True
        """Whether other processes follow any of some streams."""
        self.idle = threading.Event()
        """Cleared while a group is judged and written: many short steps, each of which waits for
        the interpreter. Set while the disk is waited for, and while there is nothing to do."""
        self.idle.set()
        if not migrated:
            migrate(database)

    # -- appending ---------------------------------------------------------------------------

    def append(self, bundles: Sequence[Bundle]) -> list[HouseError | None]:
        """Store bundles in one transaction; for each, None or why it was turned away.

        What must stay hidden in them is encrypted from here on, if there is a key: so it goes to
        the copy of the log too.
        """
        try:
            self._seal(bundles)
            try:
                in_one_step = self._append_in_one_step(bundles)
                return in_one_step or self._append(bundles, suspicious=False)
            except _StoredBefore:  # rare: ids are looked up only when one is there already
                return self._append(bundles, suspicious=True)
        except Exception as error:
            if isinstance(error, HouseError) or len(bundles) == 1:
                self._turn_away(bundles)
            raise  # an error that nobody foresaw may be of one bundle: the writer tries each alone
        except BaseException:
            self._turn_away(bundles)
            raise

    def _turn_away(self, bundles: Sequence[Bundle]) -> None:
        """Note the generations that answered these: nothing else that they answered is stored."""
        for bundle in bundles:
            self._failed.update(bundle.generations)

    def turned_away(self, generations: dict[str, int]) -> dict[str, int]:
        """Those of some generations of which a bundle was turned away: in memory their places have
        events that were never stored."""
        failed = self._failed
        return {place: n for place, n in generations.items() if failed.get(place) == n}

    def _append(self, bundles: Sequence[Bundle], *, suspicious: bool) -> list[HouseError | None]:
        database = self.database
        with database.lock:
            database.begin()
            if database.connections != self._connections:
                self._remembered = Remembered()
                self._connections = database.connections
            try:
                self.idle.clear()
                group = self._group(bundles, suspicious)
                answers = [group.take(bundle) for bundle in bundles]
                if group.ids:
                    self._write(group)
            except BaseException:
                self._remembered = Remembered()
                with suppress(StorageError):  # the first error is the one that is raised
                    database.roll_back()
                raise
            finally:
                self.idle.set()
            try:
                self._commit(group)
            except BaseException:
                self._remembered = Remembered()
                raise
            self._remember_group(group)
        return answers

    def _append_in_one_step(self, bundles: Sequence[Bundle]) -> list[HouseError | None] | None:
        """Store a group without asking first what others have written, by what is remembered; the
        database takes it if the logs are as long as that. None if they are not, or if anything is
        amiss: then it is judged again, in a transaction."""
        database = self.database
        with database.lock:
            if not database.in_one_step or self._remembered.length is None:
                return None
            if database.connections != self._connections:
                return None
            streams, accounts = _touched(bundles)
            others = False
            for _ in range(IN_ONE_STEP):
                if not self._alone or not self._remembered.has(streams, accounts):
                    if not self.beside_others:
                        return None
                    others = self._read_what_others_wrote(streams, accounts) or others
                    if database.connections != self._connections:
                        return None
                answers = self._one_step(bundles)
                if answers is not None or self._alone or not self.beside_others:
                    # Where others write too, it is cheaper to look first than to be too late.
                    self._alone = self._alone and not others
                    return answers
                others = True
        return None

    def _read_what_others_wrote(self, streams: set[str], accounts: set[str]) -> bool:
        """Read how far everything goes that a group is judged against, in one question; whether
        others have written since it was known."""
        found = self._by_keys(
            "SELECT place, position, digest FROM heads WHERE place {keys} "
            "UNION ALL SELECT account, balance, NULL FROM balances WHERE account {keys} "
            f"UNION ALL SELECT log, events, '' FROM length WHERE log = '{ALL}'",
            streams,
            accounts,
        )
        made = Remembered()
        made.heads = dict.fromkeys(streams, NOTHING)
        made.balances = dict.fromkeys(accounts, 0)
        for name, number, last in found:
            if last is None:
                made.balances[name] = number
            elif last:
                made.heads[name] = (number, bytes(last))
            else:
                made.length = made.version = number
        before = self._remembered
        if before.length is None or before.length != made.length:
            self._remembered = made
            return before.length is not None
        before.heads |= made.heads
        before.balances |= made.balances
        return False

    def _one_step(self, bundles: Sequence[Bundle]) -> list[HouseError | None] | None:
        """Try it once; `_alone` says then whether no other process was first."""
        remembered, self._alone = self._remembered, True
        known = remembered.length
        if known is None:
            return None
        self._remembered = Remembered()  # nothing is remembered until the group is stored
        group = Group(
            remembered.heads,
            remembered.balances,
            known=set(),
            opened=set(),
            failed=self._failed,
            length=known,
        )
        if remembered.is_full() or any(group.take(bundle) for bundle in bundles):
            return None
        if not group.rows:  # after a lost connection only rows can tell whether it was stored
            return None
        try:
            self._alone = self.database.insert_if(
                known, len(group.rows), self._insertions(group), quiet=self._is_quiet(group)
            )
        except CorruptDatabase:  # a command that was carried out before, most likely
            return None
        except LostConnection:
            return [None] * len(bundles) if self._was_stored(group) else None
        if not self._alone:
            return None
        self._remembered = remembered
        self._remember_group(group)
        return [None] * len(bundles)

    def _is_quiet(self, group: Group) -> bool:
        """Other processes need not look where a group has only to do with tables of this one."""
        return not self.concerns_others(group.grown)

    def _remember_group(self, group: Group) -> None:
        """A group is durable: keep what the next one is judged against."""
        self._failed = group.failed
        remembered = self._remembered
        if remembered.length is not None:
            remembered.length += len(group.rows)
            if self.database.in_one_step:
                remembered.version = remembered.length

    def _group(self, bundles: Sequence[Bundle], suspicious: bool) -> Group:
        """What the bundles are judged against, as it stands in this transaction."""
        streams, accounts = _touched(bundles)
        version, length = self.database.changes_by_others(), None
        if version is None:
            version = length = self._length()
        self._alone = self.database.in_one_step and version == self._remembered.version
        if version != self._remembered.version or self._remembered.is_full():
            self._remembered = Remembered(version, self._length() if length is None else length)
        heads, balances = self._remembered.heads, self._remembered.balances
        # Written out: `streams - heads.keys()` would go through everything that is remembered.
        streams = {stream for stream in streams if stream not in heads}
        accounts = {account for account in accounts if account not in balances}
        if streams or accounts:
            self._look_up(streams, accounts)
        known: set[str] = set()
        opened: set[str] = set()
        if suspicious:
            ids = {bundle.command_id for bundle in bundles}
            shuffles = {opening.shuffle for bundle in bundles for opening in bundle.openings}
            found = self._by_keys("SELECT command_id FROM orders WHERE command_id {keys}", ids)
            known = {command_id for (command_id,) in found}
            found = self._by_keys("SELECT shuffle FROM openings WHERE shuffle {keys}", shuffles)
            opened = {shuffle for (shuffle,) in found}
        return Group(
            heads,
            balances,
            known=known,
            opened=opened,
            failed=self._failed,
            length=self._remembered.length or 0,
        )

    def _look_up(self, streams: set[str], accounts: set[str]) -> None:
        """Read heads and balances in one step: a head has a digest, a balance has none."""
        found = self._by_keys(
            "SELECT place, position, digest FROM heads WHERE place {keys} "
            "UNION ALL SELECT account, balance, NULL FROM balances WHERE account {keys}",
            streams,
            accounts,
        )
        heads, balances = self._remembered.heads, self._remembered.balances
        for name, number, last in found:
            if last is None:
                balances[name] = number
            else:
                heads[name] = (number, bytes(last))

    def _by_keys(self, sql: str, *sets: set[str]) -> list[Any]:
        """Run a query for rows that have one of the keys of each set."""
        database = self.database
        values = []
        for keys in sets:
            fine = list(keys)
            if not _writable("".join(fine)):  # those that are not are turned away by the group
                fine = [key for key in fine if _writable(key)]
            values.append(database.keys(fine))
        return database.execute(sql.format(keys=database.words["keys"]), values)

    def _write(self, group: Group) -> None:
        """Everything in one step; a command or opening that is there already was not inserted."""
        insertions = self._insertions(group)
        if group.rows:
            insertions.append(LONGER._replace(rows=[(ALL, len(group.rows))]))
        stored = self.database.insert_all(insertions, quiet=self._is_quiet(group))
        for insertion, count in zip(insertions, stored, strict=True):
            if insertion.on_conflict == KEEP and count < len(insertion.rows):
                raise _StoredBefore

    def _insertions(self, group: Group) -> list[Insertion]:
        """What a group adds to each table; states encrypted, if there is a key."""
        if group.snapshots:
            states = self._sealed_states(list(group.snapshots.values()))
            group.snapshots = {state[0]: state for state in states}
        made = _insertions(group)
        if self.copied is not None:
            made.append(copies.insertion(self.copied))
            self.copied = None  # a mark that is lost with its group does no harm: a later one comes
        return made

    def _seal(self, bundles: Sequence[Bundle]) -> None:
        """Encrypt the secrets and openings of bundles, if there is a key; what is encrypted stays
        as it is."""
        vault = self.database.vault
        hidden = [each for each in bundles if each.secrets or each.openings]
        if not hidden or not vault.ready(self._has_sealed):
            return
        for bundle in hidden:
            with suppress(UnicodeEncodeError):  # a name that nobody can write: it is turned away
                bundle.secrets = [_sealed_secret(vault, each) for each in bundle.secrets]
                bundle.openings = [_sealed_opening(vault, each) for each in bundle.openings]

    def _sealed_states(self, states: list[tuple[str, int, bytes]]) -> list[tuple[str, int, bytes]]:
        """States as they are stored: decks that are still to be played lie in them."""
        vault = self.database.vault
        if not vault.ready(self._has_sealed):
            return states
        return [(p, n, vault.seal(state, _about_state(p, n))) for p, n, state in states]

    def check_key(self) -> bool:
        """Whether what comes will be encrypted; what is encrypted here and cannot be read is an
        error: a House that lacks its key says so before it opens."""
        vault = self.database.vault
        if vault.ready(self._has_sealed):
            sql = "SELECT name, kind, secret FROM secrets WHERE secret LIKE ? LIMIT 1"
            for name, kind, secret in self.database.execute(sql, (f"{TEXT_MARK}%",)):
                vault.unseal_text(secret, _about_secret(name, kind))
            return True
        if self._has_sealed():
            raise vault.missing()
        return False

    def _has_sealed(self) -> bool:
        """Whether anything is encrypted here."""
        execute = self.database.execute
        openings = "SELECT 1 FROM openings WHERE substr(seed, 1, ?) = ? LIMIT 1"
        states = "SELECT 1 FROM snapshots WHERE substr(state, 1, ?) = ? LIMIT 1"
        secrets = "SELECT 1 FROM secrets WHERE secret LIKE ? LIMIT 1"
        mark = (len(MARK), MARK)
        found = execute(openings, mark) or execute(states, mark)
        return bool(found or execute(secrets, (f"{TEXT_MARK}%",)))

    def _commit(self, group: Group) -> None:
        """Commit; if the server goes away meanwhile, find out whether it still did."""
        try:
            self.database.commit()
        except LostConnection:
            if not self._was_stored(group):
                raise
        except BaseException:
            with suppress(StorageError):
                self.database.roll_back()
            raise

    def _was_stored(self, group: Group) -> bool:
        """Whether a group is in the log whose end the server did not tell any more.

        Its ids alone do not say so: a command may have been carried out before. The last digest
        of each log vouches for all rows before it.
        """
        if not group.ids:
            return False
        with self.database.transaction():
            self._length()  # locks the row, and so waits until the lost transaction has ended
            for stream, (position, last) in group.grown.items():
                row = self.row(stream, position)
                if row is None or row.digest != last:
                    return False
            ids = set(group.ids)
            found = self._by_keys("SELECT command_id FROM orders WHERE command_id {keys}", ids)
            return len(found) == len(ids)

    def _length(self) -> int:
        """How many events all logs have; nobody appends before this transaction is over."""
        locked = self.database.words["locked"]
        found = self.database.execute(f"SELECT events FROM length WHERE log = ? {locked}", (ALL,))
        if len(found) != 1 or type(found[0][0]) is not int:
            raise CorruptDatabase(f"{self.database.name} does not say how long its logs are")
        length: int = found[0][0]
        return length

    def append_refused(
        self, refused: Sequence[RefusedRecord], *, lost: int, most: int, most_bytes: int
    ) -> None:
        """Add to the log of what was refused, and drop the oldest where there are too many.

        `lost` is how many there were that nobody could keep: their numbers are left out.
        """
        database = self.database
        with database.transaction():
            newest = "SELECT number, written, digest FROM refused ORDER BY number DESC LIMIT 1"
            found = database.execute(newest)
            number, written, last = found[0] if found else (0, 0, START)
            number += lost
            for each in refused:
                number += 1
                written += len(each.command) + len(each.says) + REFUSED_BYTES
                each.number, each.written, each.follows = number, written, bytes(last)
                each.digest = last = refused_digest(each)
            database.insert("refused", REFUSED, [astuple(each) for each in refused])
            kept = database.execute(
                "SELECT number FROM refused WHERE written > ? OR number >= ? "
                "ORDER BY number LIMIT 1",
                (written - most_bytes, number),
            )
            first = max(kept[0][0], number - most + 1)
            database.execute("DELETE FROM refused WHERE number < ?", (first,))

    def save_snapshot(self, snapshot: Snapshot) -> None:
        """Keep a state to start from; older ones of the same stream are let go."""
        self.save_snapshots([snapshot])

    def save_snapshots(self, snapshots: Iterable[Snapshot]) -> None:
        """Keep states to start from, all with one sync."""
        newest = {each.stream: (each.stream, each.position, each.state) for each in snapshots}
        if newest:
            kept = self._sealed_states(list(newest.values()))
            with self.database.transaction():
                self.database.insert_all([_kept(kept)])

    # -- reading the log ---------------------------------------------------------------------

    @contextmanager
    def as_it_stands(self) -> Iterator[Store]:
        """Everything as it stands now, whatever is stored meanwhile; by a connection of its own."""
        database = self.database.again()
        try:
            database.begin_reading()
            now = Store(database, migrated=True)
            now.exported = self.exported
            yield now
        finally:
            database.close()

    def head(self, stream: str) -> Head:
        """How far the log of a stream goes."""
        rows = self.database.execute(
            "SELECT position, digest FROM heads WHERE place = ?", (stream,)
        )
        position, last = rows[0] if rows else (0, START)
        return _head(stream, position, last)

    def positions_of(self, streams: Collection[str]) -> list[tuple[str, int]]:
        """How far the logs of some streams go."""
        return self._by_keys("SELECT place, position FROM heads WHERE place {keys}", set(streams))

    def heads(self) -> dict[str, Head]:
        """How far every log goes: compared with what is known, it says where there is news."""
        found = self.database.execute("SELECT place, position, digest FROM heads ORDER BY place")
        return {stream: _head(stream, position, last) for stream, position, last in found}

    def streams(self) -> list[str]:
        """Every stream that has a log."""
        return list(self.heads())

    def ordered_from(self, stream: str) -> int | None:
        """The first event of a stream that came of a stored order."""
        archived = self.past.ordered_from(stream)
        if archived is not None:
            return archived
        found = self.database.execute(
            "SELECT l.position FROM log l JOIN orders o ON o.command_id = l.command_id "
            "WHERE l.place = ? AND o.number IS NOT NULL ORDER BY l.position LIMIT 1",
            (stream,),
        )
        return found[0][0] if found else None

    def rows(
        self,
        stream: str,
        after: int = 0,
        until: int | None = None,
        at_once: int = READ_AT_ONCE,
    ) -> Iterator[Row]:
        """The log of a stream from a position on, read by cursor."""
        while True:
            found = self.raw_rows(stream, after, at_once)
            for values in found:
                row = self.read_row(values)
                if until is not None and row.position > until:
                    return
                yield row
            if len(found) < at_once:
                return
            after = found[-1][1]

    def raw_rows(self, stream: str, after: int, count: int) -> list[tuple[Any, ...]]:
        """At most so many rows of a stream from a position on, for `read_row`."""
        sql = f"{SELECT_ROWS} WHERE place = ? AND position > ? ORDER BY position LIMIT ?"
        found = self.database.execute(sql, (stream, after, count))
        if (found and found[0][1] == after + 1) or not self.past.holds(stream, after + 1):
            return found
        archived = self.past.rows(stream, after, count)
        missing = count - len(archived)
        if not missing:
            return archived
        return archived + self.database.execute(sql, (stream, archived[-1][1], missing))

    def row(self, stream: str, position: int) -> Row | None:
        """One row of the log."""
        found = self.database.execute(
            f"{SELECT_ROWS} WHERE place = ? AND position = ?", (stream, position)
        )
        values = found[0] if found else self.past.row(stream, position)
        return self.read_row(values) if values is not None else None

    def digest_at(self, stream: str, position: int) -> bytes | None:
        """The digest of one row; no key of secrets is needed to ask for it."""
        sql = "SELECT digest FROM log WHERE place = ? AND position = ?"
        found = self.database.execute(sql, (stream, position))
        if found:
            return bytes(found[0][0])
        return self.past.digest_at(stream, position)

    def recall(self, command_id: str) -> tuple[bool, OrderRecord | None]:
        """Whether a command of this id was carried out, and its order, in one step; no order where
        that was before orders were stored."""
        if not _writable(command_id):
            return False, None
        if not self.past.is_there():
            found = self.database.execute(RECALL, (command_id,))
        else:  # in one step: every command of a person comes through here
            found = self.database.execute(
                f"{RECALL} UNION ALL {RECALL_ARCHIVED}", (command_id, id_key(command_id))
            )
        for values in found:
            if values[1] is not None:
                return True, None if values[0] is None else self.read_order(values)
        if not found:
            return False, None
        for values in self.past.orders_of([command_id]):
            return True, self.read_order(values[: len(ORDER)])
        return self.past.knows(command_id), None

    def orders(
        self, places: Collection[str] | None = None, until: int | None = None
    ) -> Iterator[OrderRecord]:
        """The orders that were given at some places, or at all, as they were given; those with a
        number below `until`.

        An order that came to nothing has the number of the one after it, and comes before it.
        """
        for some in self._orders(places, until):
            for *values, _, _ in some:
                yield self.read_order(tuple(values))

    def decisions(
        self, places: Collection[str] | None = None, until: int | None = None
    ) -> Iterator[Decided]:
        """The same, each with everything that came of it, wherever that was."""
        for some in self._orders(places, until):
            for values, rows in self._with_rows(some):
                yield self.read_decision(values, rows)

    def decisions_of(self, ids: Collection[str]) -> Iterator[Decided]:
        """The orders of these ids, each with everything that came of it."""
        for values, rows in self.raw_decisions_of(ids):
            yield self.read_decision(values, rows)

    def raw_decisions_of(self, ids: Collection[str]) -> Iterator[RawDecision]:
        """The same as they are stored, for `read_decision`."""
        columns = ", ".join(ORDER_COLUMNS)
        sql = f"SELECT {columns} FROM orders WHERE command_id {{keys}} AND number IS NOT NULL "
        found = self._by_keys(f"{sql}ORDER BY number, events, command_id", set(ids))
        yield from self._with_rows(self.past.orders_of(_missing(ids, found)))
        yield from self._with_rows(found)

    def _with_rows(self, found: list[Any]) -> Iterator[RawDecision]:
        rows: dict[str, list[Any]] = {values[1]: [] for values in found}
        sql = f"{SELECT_ROWS} WHERE command_id {{keys}} ORDER BY place, position"
        for values in self._by_keys(sql, set(rows)):
            rows[values[2]].append(values)
        archived = [command_id for command_id, came in rows.items() if not came]
        for values in self.past.rows_of(archived) if archived else ():
            rows[values[2]].append(values)
        for values in found:
            yield values, rows[values[1]]

    def read_decision(self, values: tuple[Any, ...], rows: list[tuple[Any, ...]]) -> Decided:
        """An order as `raw_orders` has it, with the rows that came of it."""
        *order, events, last = values
        read = self.read_order(tuple(order))
        return Decided(order=read, rows=self.read_rows(rows), events=events, digest=last or b"")

    def read_rows(self, rows: Iterable[tuple[Any, ...]]) -> list[Row]:
        """Rows as they are stored; `CorruptDatabase` if one is not stored as a row is."""
        return [self.read_row(values) for values in rows]

    def raw_orders(
        self, places: Collection[str], until: int | None = None
    ) -> Iterator[list[tuple[Any, ...]]]:
        """The orders that were given at some places, as they are stored: the columns of an order,
        how many events it says that it had, and the digest beside it."""
        return self._orders(places, until)

    def order_numbers(self) -> Iterator[tuple[int, int, str]]:
        """The number of every order, how many events it had, and its id."""
        for some in self._orders(None, None, ("number", "events", "command_id")):
            yield from some

    def heard_elsewhere(self) -> Iterator[tuple[str, str, list[str]]]:
        """Every order that other places had to hear: its id, its place, and those places."""
        columns = ("number", "events", "command_id", "place", "also")
        for some in self._orders(None, None, columns, having="AND LENGTH(also) > 0 "):
            for _, _, command_id, place, also in some:
                if also:
                    yield command_id, place, [heard.place for heard in read_also(also)]

    def _orders(
        self,
        places: Collection[str] | None,
        until: int | None,
        columns: tuple[str, ...] = ORDER_COLUMNS,
        having: str = "",
    ) -> Iterator[list[Any]]:
        """Orders as they were given: those of archives, then the others, read by cursor. `having`
        is what the database looks at besides; in archives that is left to whoever asks."""
        here_is = ORDER_COLUMNS.index("place")
        wanted = [ORDER_COLUMNS.index(name) for name in columns]
        for some in self.past.orders(until):
            mine = [
                tuple(values[index] for index in wanted)
                for values in some
                if (places is None or values[here_is] in places)
                and (until is None or values[0] < until)
            ]
            if mine:
                yield mine
        keys = self.database.words["keys"]
        here = "" if places is None else f"AND place {keys} "
        values = [] if places is None else [self.database.keys(list(places))]
        before = "" if until is None else f"AND number < {int(until)} "
        where = [columns.index(key) for key in ("number", "events", "command_id")]
        last = (-1, -1, "")
        while True:
            found = self.database.execute(
                f"SELECT {', '.join(columns)} FROM orders WHERE number >= ? AND "
                f"(number, events, command_id) > (?, ?, ?) {here}{before}{having}"
                f"ORDER BY number, events, command_id LIMIT {READ_AT_ONCE}",
                (last[0], *last, *values),
            )
            if found:
                yield found
            if len(found) < READ_AT_ONCE:
                return
            last = tuple(found[-1][index] for index in where)

    def orders_of(self, ids: Iterable[str]) -> list[OrderRecord]:
        """The orders of these ids that are stored, in the order in which they were given."""
        wanted = set(ids)
        if not wanted:
            return []
        sql = f"{SELECT_ORDERS} FROM orders WHERE command_id {{keys}} AND number IS NOT NULL"
        sql = f"{sql} ORDER BY number, events, command_id"
        found = self._by_keys(sql, wanted)
        archived = (values[: len(ORDER)] for values in self.past.orders_of(_missing(wanted, found)))
        return [self.read_order(values) for values in (*archived, *found)]

    def answer_of(self, command_id: str) -> list[Row]:
        """What a command caused, in the order of its streams and positions."""
        return self.read_rows(self.raw_answer_of(command_id))

    def raw_answer_of(self, command_id: str) -> list[tuple[Any, ...]]:
        """The same as it is stored, for `read_row`."""
        if not _writable(command_id):
            return []
        sql = f"{SELECT_ROWS} WHERE command_id = ? ORDER BY place, position"
        return self.database.execute(sql, (command_id,)) or self.past.rows_of([command_id])

    def count_rows(self) -> int:
        """How many events are stored, here and in archives."""
        [(counted,)] = self.database.execute("SELECT COUNT(*) FROM log")
        return int(counted) + self.past.counts()["rows"]

    def read_row(self, values: tuple[Any, ...]) -> Row:
        """A row as it is stored; `CorruptDatabase` if it is not stored as a row is."""
        row = _row(values)
        if row.event.startswith(SHUFFLES):
            return self._decks.row(row, exported=self.exported)
        return row

    def read_order(self, values: tuple[Any, ...]) -> OrderRecord:
        """An order as it is stored; `CorruptDatabase` if it is not stored as an order is."""
        order = _order(values)
        if order.command.startswith(SHUFFLES):
            return self._decks.order(order, exported=self.exported)
        return order

    def refused(self, after: int = 0, place: str | None = None) -> Iterator[RefusedRecord]:
        """What was refused, at one place or anywhere, the oldest that is kept first."""
        here, values = ("", []) if place is None else ("AND place = ? ", [place])
        while True:
            found = self.database.execute(
                f"SELECT {', '.join(REFUSED)} FROM refused WHERE number > ? {here}"
                f"ORDER BY number LIMIT {READ_AT_ONCE}",
                (after, *values),
            )
            yield from map(_refused, found)
            if len(found) < READ_AT_ONCE:
                return
            after = found[-1][0]

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        found = self.database.execute(
            "SELECT place, position, state FROM snapshots WHERE place = ?", (stream,)
        )
        if not found:
            return None
        name, position, state = found[0]
        if type(position) is not int or type(state) is not bytes:
            raise CorruptDatabase(f"the state of {name} is not stored as a state is")
        state = self.database.vault.unseal(state, _about_state(name, position))
        return Snapshot(stream=name, position=position, state=state)

    # -- reading the ledger, secrets and openings --------------------------------------------

    def balances(self) -> dict[str, int]:
        """Every account with its balance."""
        found = self.database.execute("SELECT account, balance FROM balances ORDER BY account")
        for account, balance in found:
            if type(account) is not str or type(balance) is not int:
                raise CorruptDatabase(f"account {account!r} does not hold an amount: {balance!r}")
        return dict(found)

    def balance(self, account: str) -> int:
        """What one account holds."""
        found = self.database.execute("SELECT balance FROM balances WHERE account = ?", (account,))
        return found[0][0] if found else 0

    def balance_and_sum(self, account: str) -> tuple[int, int]:
        """What one account holds as its balance says, and as its entries do, at one moment."""
        sql = (
            "SELECT COALESCE((SELECT balance FROM balances WHERE account = ?), 0), "
            "CAST(COALESCE((SELECT SUM(amount) FROM entries WHERE account = ?), 0) "
            "+ COALESCE((SELECT amount FROM carried WHERE account = ?), 0) AS BIGINT)"
        )
        [(balance, summed)] = self.database.execute(sql, (account, account, account))
        return balance, summed

    def entries(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries of the events of a stream, from after a position on."""
        yield from map(_entry, self.past.entries(stream, after))
        after = max(after, self.past.ends().get(stream, 0))
        while True:
            found = self.database.execute(
                "SELECT place, position, account, amount FROM entries "
                "WHERE place = ? AND position > ? AND position <= ? ORDER BY position, account",
                (stream, after, after + READ_AT_ONCE),
            )
            yield from map(_entry, found)
            after += READ_AT_ONCE
            if not found:
                [(first,)] = self.database.execute(
                    "SELECT MIN(position) FROM entries WHERE place = ? AND position > ?",
                    (stream, after),
                )
                if first is None:
                    return
                if type(first) is not int:
                    raise CorruptDatabase(f"an entry of {stream} has no position but {first!r}")
                after = first - 1

    def entries_between(self, stream: str, after: int, until: int) -> list[Entry]:
        """The entries of a stream from after one position up to another, by position and account:
        a server may sort names otherwise."""
        return [_entry(values) for values in sorted(self.raw_entries(stream, after, until))]

    def raw_entries(self, stream: str, after: int, until: int) -> list[tuple[Any, ...]]:
        """The same as they are stored, in any order: place, position, account, amount."""
        sql = (
            "SELECT place, position, account, amount FROM entries "
            "WHERE place = ? AND position > ? AND position <= ?"
        )
        found = [*self.past.entries(stream, after, until)]
        return found + self.database.execute(sql, (stream, after, until))

    def moved_before(self, account: str, stream: str, position: int) -> int:
        """What the events of a stream before a position have brought to an account."""
        sql = (
            "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM entries "
            "WHERE account = ? AND place = ? AND position < ?"
        )
        [(moved,)] = self.database.execute(sql, (account, stream, position))
        archived = self.past.entries(stream, until=position - 1)
        return int(moved) + sum(int(values[3]) for values in archived if values[2] == account)

    def entries_of(self, account: str) -> list[Entry]:
        """Every entry of one account, by stream and position."""
        archived = (
            values
            for place in sorted(self.past.entry_places())
            for values in self.past.entries(place)
            if values[2] == account
        )
        found = self.database.execute(
            "SELECT place, position, account, amount FROM entries WHERE account = ? "
            "ORDER BY place, position",
            (account,),
        )
        return [_entry(values) for values in sorted([*archived, *found])]

    def secret(self, name: str, kind: str) -> str | None:
        """The newest secret of a name and kind."""
        if not (_writable(name) and _writable(kind)):
            return None
        sql = "SELECT secret FROM secrets WHERE name = ? AND kind = ?"
        found = self.database.execute(sql, (name, kind))
        if not found:
            return None
        return self.database.vault.unseal_text(found[0][0], _about_secret(name, kind))

    def secrets(self) -> list[Secret]:
        """All secrets, for whoever checks them against the office's log."""
        sql = "SELECT name, kind, secret FROM secrets ORDER BY name, kind"
        found = self.database.execute(sql)
        for values in found:
            if any(type(value) is not str for value in values):
                raise CorruptDatabase(f"a secret of {values[0]!r} is not stored as a secret is")
        unseal = self.database.vault.unseal_text
        return [Secret(name=n, kind=k, secret=unseal(s, _about_secret(n, k))) for n, k, s in found]

    def opening(self, shuffle: str) -> Opening | None:
        """The opening of one shuffle."""
        sql = "SELECT shuffle, place, seed FROM openings WHERE shuffle = ?"
        if not _writable(shuffle):
            return None
        found = self.database.execute(sql, (shuffle,))
        values = found[0] if found else self.past.opening(shuffle)
        return self._opening(values) if values is not None else None

    def openings(self, stream: str | None = None) -> list[Opening]:
        """The openings of the shuffles of a stream, or all."""
        if stream is None:
            sql = "SELECT shuffle, place, seed FROM openings ORDER BY place, shuffle"
            found = self.database.execute(sql)
        else:
            sql = "SELECT shuffle, place, seed FROM openings WHERE place = ? ORDER BY shuffle"
            found = self.database.execute(sql, (stream,))
        archived = self.past.openings(stream)
        if archived:
            found = sorted([*archived, *found], key=lambda values: (values[1], values[0]))
        return [self._opening(values) for values in found]

    def keep_ready(self, openings: Iterable[Opening]) -> None:
        """Open decks with these from now on, instead of looking for the opening of each."""
        self._decks.know(openings)

    def _opening(self, values: tuple[Any, ...]) -> Opening:
        shuffle, stream, seed = values
        if type(shuffle) is not str or type(stream) is not str or type(seed) is not bytes:
            raise CorruptDatabase(
                f"the opening of shuffle {shuffle!r} is not stored as an opening is"
            )
        seed = self.database.vault.unseal(seed, _about_opening(shuffle, stream))
        return Opening(shuffle=shuffle, stream=stream, seed=seed)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


def _missing(ids: Iterable[str], found: Iterable[tuple[Any, ...]]) -> set[str]:
    """The ids of which no order was found."""
    return set(ids) - {values[1] for values in found}


def _insertions(group: Group) -> list[Insertion]:
    """What a group adds to each table; tables to which it adds nothing are left out."""
    made = [Insertion("orders", ORDER_COLUMNS, group.orders, KEEP)]
    if group.rows:
        heads = [(stream, *head) for stream, head in sorted(group.grown.items())]
        made += (Insertion("log", ROW, group.rows), HEADS._replace(rows=heads))
    if group.entries:
        moved = sorted(group.moved.items())
        made += (ENTRIES._replace(rows=group.entries), BALANCES._replace(rows=moved))
    if group.secrets:
        rows = [(*key, secret) for key, secret in group.secrets.items()]
        made.append(SECRETS._replace(rows=rows))
    if group.openings:
        made.append(Insertion("openings", ("shuffle", "place", "seed"), group.openings, KEEP))
    if group.snapshots:
        made.append(_kept(list(group.snapshots.values())))
    return made


def _kept(snapshots: list[tuple[str, int, bytes]]) -> Insertion:
    """States to start from; one that is there already is older."""
    return Insertion(
        "snapshots",
        ("place", "position", "state"),
        sorted(snapshots),  # in one order for all writers, so that two cannot deadlock
        "ON CONFLICT (place) DO UPDATE SET position = excluded.position, state = excluded.state",
    )


def _touched(bundles: Sequence[Bundle]) -> tuple[set[str], set[str]]:
    """The streams and accounts that bundles change."""
    streams = {stream for bundle in bundles for stream in bundle.expected}
    accounts = {entry.account for bundle in bundles for entry in bundle.entries}
    return streams, accounts


def _writable(text: str) -> bool:
    """Whether every database can look for this text."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def is_order(values: tuple[Any, ...]) -> bool:
    """Whether this is stored as an order is, with how many events it had and its digest."""
    kinds = tuple(map(type, values))
    return kinds in (RAW_ORDER_TYPES, UNBOUND_ORDER_TYPES)


def is_row(values: tuple[Any, ...]) -> bool:
    """Whether this is stored as a row is: SQLite takes a value of any kind in any column."""
    _, position, _, _, _, _, event, last, order = values
    return (
        type(position) is int
        and type(event) is bytes
        and type(last) is bytes
        and (order is None or type(order) is bytes)
    )


def _row(values: tuple[Any, ...]) -> Row:
    stream, position, command_id, who, rank, at, event, last, order = values
    if not is_row(values):
        raise CorruptDatabase(f"event {position} of {stream} is not stored as an event is")
    return Row(
        stream=stream,
        position=position,
        command_id=command_id,
        who=who,
        rank=rank,
        at=at,
        event=event,
        digest=last,
        order=order or b"",
    )


def _order(values: tuple[Any, ...]) -> OrderRecord:
    number, command_id, place, who, rank, at, authority, software, also, command = values
    if tuple(map(type, values)) != ORDER_TYPES:
        raise CorruptDatabase(f"order {command_id!r} is not stored as an order is")
    return OrderRecord(
        number=number,
        command_id=command_id,
        place=place,
        who=who,
        rank=rank,
        at=at,
        authority=authority,
        software=software,
        also=also,
        command=command,
    )


def _refused(values: tuple[Any, ...]) -> RefusedRecord:
    named = dict(zip(REFUSED, values, strict=True))
    try:
        return convert(named, RefusedRecord)
    except ValidationError as error:
        raise CorruptDatabase(
            f"refused order {values[0]!r} is not stored as such: {error}"
        ) from error


def _head(stream: str, position: int, last: bytes) -> Head:
    if type(stream) is not str or type(position) is not int or type(last) is not bytes:
        raise CorruptDatabase(f"the head of {stream!r} is not stored as a head is")
    return Head(stream=stream, position=position, digest=last)


def _entry(values: tuple[Any, ...]) -> Entry:
    stream, position, account, amount = values
    return Entry(stream=stream, position=position, account=account, amount=amount)


def _sealed_secret(vault: Vault, secret: Secret) -> Secret:
    if secret.secret.startswith(TEXT_MARK):
        return secret
    about = _about_secret(secret.name, secret.kind)
    return replace(secret, secret=vault.seal_text(secret.secret, about))


def _sealed_opening(vault: Vault, opening: Opening) -> Opening:
    if opening.seed.startswith(MARK):
        return opening
    about = _about_opening(opening.shuffle, opening.stream)
    return replace(opening, seed=vault.seal(opening.seed, about))


def _about_secret(name: str, kind: str) -> str:
    return f"the {kind} of {name}"


def _about_state(stream: str, position: int) -> str:
    return f"the state of {stream} after event {position}"


def _about_opening(shuffle: str, stream: str) -> str:
    return f"the secret {shuffle} of {stream}"
