"""The log and the ledger in a database: appended in groups, never changed.

One writer appends many bundles in one transaction, so that many tables share one sync. Each bundle
says how far its logs went when its command was answered; a bundle that comes too late, does not
balance or overdraws an account is turned away alone (`croupier.house.group`), the others are
stored. What can be read is in `croupier.house.store_reader`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import ClassVar

from msgspec.structs import astuple

from croupier.house import copies
from croupier.house.chain import START, refused_digest
from croupier.house.database import ALL, KEEP, Database, Insertion
from croupier.house.errors import CorruptDatabase, HouseError, LostConnection, StorageError
from croupier.house.group import NOTHING, Group
from croupier.house.migrations import migrate
from croupier.house.records import Bundle, RefusedRecord, Snapshot
from croupier.house.rows import (
    ORDER_COLUMNS,
    REFUSED,
    ROW,
    about_secret,
    about_state,
    sealed_opening,
    sealed_secret,
)
from croupier.house.store_reader import StoreReader
from croupier.house.vault import MARK, TEXT_MARK

IN_ONE_STEP = 3
"""How often a group is tried in one step where another process is first."""
REFUSED_BYTES = 500
"""About as much a refused order takes beside its command and why it was refused."""
LONGER = Insertion(
    "length",
    ("log", "events"),
    [],
    "ON CONFLICT (log) DO UPDATE SET events = length.events + excluded.events",
)
"""Counts the events that are added."""
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


class Store(StoreReader):
    """The House's memory."""

    is_apart: ClassVar[bool] = False
    """Whether another process does the work of storing: then this one's interpreter is not needed
    for it."""

    def __init__(self, database: Database, *, migrated: bool = False) -> None:
        """`migrated`: it is known already that the schema is there."""
        super().__init__(database)
        self.copied: copies.CopyMark | None = None
        """How far the copy of the log goes by now: stored with the next group."""
        self.failed: dict[str, int] = {}
        """The last generation of each place of which a bundle was turned away."""
        self._remembered = Remembered()
        self._connections = 0
        """Of how many connections what is remembered is."""
        self._alone = False
        """Whether nobody else has written between our last two groups."""
        self.beside_others = False
        """Whether other servers write all the time: then a group is judged by what they have
        written, in one question more, before it is stored in one step."""
        self.meanwhile: Callable[[], None] = lambda: None
        """Called by a store that is apart, when the other process has a group to store."""
        self.concerns_others: Callable[[Collection[str]], bool] = lambda streams: True
        """Whether other processes follow any of some streams."""
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
                self.turn_away(bundles)
            raise  # an error that nobody foresaw may be of one bundle: the writer tries each alone
        except BaseException:
            self.turn_away(bundles)
            raise

    def append_here(self, bundles: Sequence[Bundle]) -> list[HouseError | None]:
        """Store bundles as `append` does, in this process also where another one stores."""
        return self.append(bundles)

    def has_answered(self) -> bool:
        """Whether an answer of another process waits to be heard here."""
        return False

    def send_ahead(self, bundles: Sequence[Bundle], *, behind: Sequence[Bundle]) -> bool:
        """Give another process the next group already, while it stores the one before it; False
        where none can be given it."""
        return False

    def forget_ahead(self) -> None:
        """Let go of what was sent ahead and will not be appended."""

    def turn_away(self, bundles: Sequence[Bundle]) -> None:
        """Note the generations that answered these: nothing else that they answered is stored."""
        for bundle in bundles:
            self.failed.update(bundle.generations)

    def turned_away(self, generations: dict[str, int]) -> dict[str, int]:
        """Those of some generations of which a bundle was turned away: in memory their places have
        events that were never stored."""
        failed = self.failed
        return {place: n for place, n in generations.items() if failed.get(place) == n}

    def _append(self, bundles: Sequence[Bundle], *, suspicious: bool) -> list[HouseError | None]:
        database = self.database
        with database.lock:
            database.begin()
            if database.connections != self._connections:
                self._remembered = Remembered()
                self._connections = database.connections
            try:
                group = self._group(bundles, suspicious)
                answers = [group.take(bundle) for bundle in bundles]
                if group.ids:
                    self._write(group)
            except BaseException:
                self._remembered = Remembered()
                with suppress(StorageError):  # the first error is the one that is raised
                    database.roll_back()
                raise
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
            failed=self.failed,
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
        self.failed = group.failed
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
            failed=self.failed,
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
                bundle.secrets = [sealed_secret(vault, each) for each in bundle.secrets]
                bundle.openings = [sealed_opening(vault, each) for each in bundle.openings]

    def _sealed_states(self, states: list[tuple[str, int, bytes]]) -> list[tuple[str, int, bytes]]:
        """States as they are stored: decks that are still to be played lie in them."""
        vault = self.database.vault
        if not vault.ready(self._has_sealed):
            return states
        return [(p, n, vault.seal(state, about_state(p, n))) for p, n, state in states]

    def check_key(self) -> bool:
        """Whether what comes will be encrypted; what is encrypted here and cannot be read is an
        error: a House that lacks its key says so before it opens."""
        vault = self.database.vault
        if vault.ready(self._has_sealed):
            sql = "SELECT name, kind, secret FROM secrets WHERE secret LIKE ? LIMIT 1"
            for name, kind, secret in self.database.execute(sql, (f"{TEXT_MARK}%",)):
                vault.unseal_text(secret, about_secret(name, kind))
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
            oldest = "SELECT number FROM refused ORDER BY number LIMIT 1"
            first = kept[0][0]
            if number - database.execute(oldest)[0][0] >= most:  # or some were lost in between
                most_kept = "SELECT number FROM refused ORDER BY number DESC LIMIT 1 OFFSET ?"
                first = max(
                    [first, *(last for (last,) in database.execute(most_kept, (most - 1,)))]
                )
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

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


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
