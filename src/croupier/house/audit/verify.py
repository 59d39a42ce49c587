"""Walks everything that is stored, decides the night again, and compares.

    orders     given to the engine again, under their rulebook and policies: what they come to is
               what is stored, byte for byte (`croupier.house.audit.redecide`); without a gap in
               their numbers, each bound by the log
    log        every row's digest, by the chain of its place; every event replayed
    heads      how far each log goes, and the digest of its last row
    length     how many events all logs have
    entries    what each command moved, from the holdings of the replayed place
    balances   the sum of the entries
    snapshots  the state that the replay has at that position
    secrets    by the digests that the office's log has of them
    openings   by the commitments that the shuffle books have, card by card
    refused    by a chain of its own
    copies     by what the office has of them on record
    school     by a chain of its own
    copy       row by row, order by order, and what else it holds
    pages      by the database itself (`croupier.house.audit.pages`)
    archives   by what the office has of them on record, block by block
               (`croupier.house.audit.archived`); what lies in them is walked like the rest
    seals      what the House has signed of all this (`croupier.house.audit.sealed`)

Differences are listed up to a limit; the first is the answer, and what follows from it may be many
more. What only applies the stored events (`apply_only`) proves that nothing was lost; what decides
them again, that every decision was the rulebook's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from pathlib import Path

from msgspec import Struct, field

from croupier.house import totp
from croupier.house.audit.archived import check_archives
from croupier.house.audit.copied import check_copies, compare_copy
from croupier.house.audit.findings import Damaged, Difference, contrast, reading, shown
from croupier.house.audit.floor import Floor
from croupier.house.audit.orders import bound, check_numbers
from croupier.house.audit.overdrawn import check_overdrawn
from croupier.house.audit.pages import check_pages
from croupier.house.audit.redecide import collected_by_batches
from croupier.house.audit.school import check_school
from croupier.house.audit.sealed import Sealed, check_seals, was_dropped
from croupier.house.audit.sharing import Begun, Helpers, begin_sharing, walk_all
from croupier.house.audit.times import check_times
from croupier.house.audit.walk import Progress, Setting, Walked
from croupier.house.chain import START, refused_digest
from croupier.house.database import ALL
from croupier.house.errors import DiskFull, LostConnection, StorageError
from croupier.house.ledger import AWARDS, may_be_negative
from croupier.house.migrations import migrations
from croupier.house.passwords import KIND, PIN
from croupier.house.records import UNREADABLE, Head
from croupier.house.store import REFUSED_BYTES, Store

TABLES = frozenset(
    (
        "log heads length orders entries balances snapshots secrets openings refused copies "
        "seals seal_witnesses archives archived_ids carried school servers server_places "
        "croupier_schema"
    ).split()
)
"""All that croupier stores."""
LIMIT = 20
"""Differences that are listed, if nothing is said."""


class Verified(Struct, kw_only=True):
    """What was walked, and the differences if there are any."""

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
    orders: int = 0
    """Commands whose orders are stored."""
    decided: int = 0
    """Orders that were decided again."""
    before_orders: int = 0
    """Events that were stored before orders were."""
    orders_since: dict[str, int] = {}
    """The first event with an order at each place that has older ones."""
    refused: int = 0
    """What was refused, as far as it is kept."""
    refused_dropped: int = 0
    passed_over: int = 0
    """Kept states of another version of croupier, which no start would use."""
    archives: int = 0
    """Files in which closed days lie."""
    archived: int = 0
    """Events in them."""
    pages: str = ""
    """By what the pages of the database were looked at."""
    sealed: Sealed = field(default_factory=Sealed)
    """How much of it the House has signed."""
    difference: Difference | None = None
    """The first of them."""
    differences: list[Difference] = []
    more: bool = False
    """Whether there are more differences than are listed."""


class How(Struct, frozen=True, kw_only=True):
    """How everything is to be walked."""

    exported: bool = False
    """An export that was read into a database of its own: it has no secrets."""
    apply_only: bool = False
    """Only apply the stored events; decide nothing again."""
    instead: tuple[str, ...] = ()
    """Another rulebook or policies, under which it is decided again."""
    limit: int = LIMIT
    seals: Path | None = None
    """A folder with seals that somebody else has kept."""
    seal_keys: tuple[str, ...] = ()
    """The House's public keys, where they are known."""


def verify(
    store: Store,
    copy: Path | None = None,
    progress: Progress = lambda events: None,
    *,
    exported: bool = False,
    apply_only: bool = False,
    instead: tuple[str, ...] = (),
    limit: int = LIMIT,
    workers: int = 1,
    helpers: Helpers | None = None,
    seals: Path | None = None,
    seal_keys: tuple[str, ...] = (),
) -> Verified:
    """Walk it all, and list the differences up to the limit: by so many processes, or with helpers
    that were started already, before the database was opened."""
    how = How(
        exported=exported,
        apply_only=apply_only,
        instead=instead,
        limit=limit,
        seals=seals,
        seal_keys=seal_keys,
    )
    found = Verified()
    with helpers or Helpers(1 if apply_only else workers) as others, collected_by_batches():
        walking = _differences(store, copy, found, progress, how, others)
        differences = list(islice(walking, limit + 1))
    # Whatever else was found, and however much, what does not hold with the seals is named.
    sealed = list(islice(_sealed(store, found, how, amiss=bool(differences)), limit + 1))
    found.more = max(len(differences), len(sealed)) > limit
    listed = sorted(differences[:limit], key=_worst_first) + sealed[:limit]
    found.differences = sorted(listed, key=_is_otherwise)
    found.difference = found.differences[0] if found.differences else None
    return found


def _worst_first(difference: Difference) -> tuple[bool, int]:
    """What was changed comes before what is only decided otherwise; decisions as they were."""
    number = difference.number or 0 if difference.kind != "stored" else 0
    return _is_otherwise(difference), number


def _is_otherwise(difference: Difference) -> bool:
    return difference.kind in ("otherwise", "with")


def _differences(
    store: Store,
    copy: Path | None,
    found: Verified,
    progress: Progress,
    how: How,
    helpers: Helpers,
) -> Iterator[Difference]:
    """A House may be running: everything is walked as it stands now.

    What cannot be read as it should be stored is a difference like any other, and ends the walk.
    """
    amiss = False
    try:
        with ExitStack() as reading_now:
            now: Store | None = None
            begun: Begun | None = None
            if helpers.workers > 1 and not how.apply_only:
                with suppress(Exception):  # what cannot be read is said in its turn
                    now = reading_now.enter_context(store.as_it_stands())
                    begun = _begun(now, how, helpers)
            if not how.exported and not how.instead:
                found.pages = store.database.page_check
                for damage in check_pages(store.database):
                    amiss = True
                    yield damage
            now = now or reading_now.enter_context(store.as_it_stands())
            if not how.exported:
                yield from check_archives(now, found)
            yield from _Audit(now, found, progress, how, begun).differences()
            heads = now.heads()
            if not how.exported and not how.instead:
                yield from check_copies(now)
                yield from check_school(now)
        if copy is not None and not how.instead:
            # The copy is compared with what is stored by now: it is written after the database.
            yield from compare_copy(store, copy, found, heads)
    except Damaged as damaged:
        yield damaged.difference
    except (LostConnection, DiskFull):
        raise  # that is no damage: nothing is known of what is stored
    except (StorageError, *UNREADABLE) as error:
        yield Difference(table="database", where=store.database.name, says=str(error))
    except Exception as error:
        if not amiss:
            raise
        yield _unread(store, error)


def _unread(store: Store, error: Exception) -> Difference:
    """What is known to be damaged may be anything: whoever reads it stumbles where no value that
    croupier has stored would trip him."""
    says = f"damaged as it is, the rest cannot be read ({type(error).__name__}: {error})"
    return Difference(table="database", where=store.database.name, says=says)


def _sealed(store: Store, found: Verified, how: How, *, amiss: bool) -> Iterator[Difference]:
    """What is not as the House has sealed it."""
    if how.instead:
        return
    try:
        with store.as_it_stands() as now:
            yield from check_seals(now, how.seals, how.seal_keys, found.sealed)
    except Damaged as damaged:
        yield damaged.difference
    except (LostConnection, DiskFull):
        raise
    except StorageError as error:
        if not found.differences:
            yield Difference(table="seals", where=store.database.name, says=str(error))
    except Exception as error:
        if not amiss:
            raise
        yield _unread(store, error)


def _begun(store: Store, how: How, helpers: Helpers) -> Begun | None:
    """Have the other processes begin: they walk while the pages are looked at."""
    floor = Floor.read(store)
    return begin_sharing(store, _heads(store), floor, _setting(how, floor), how.limit, helpers)


def _heads(store: Store) -> dict[str, Head]:
    """How far each log goes, also of places that have a log and no head."""
    with reading("heads", "every place"):
        heads = store.heads()
    logged = {place for (place,) in store.database.execute("SELECT DISTINCT place FROM log")}
    for place in (logged | store.past.ends().keys()) - heads.keys():
        heads[place] = Head(stream=place, position=0, digest=START)
    return heads


def _setting(how: How, floor: Floor) -> Setting:
    return Setting(exported=how.exported, instead=how.instead, ours=frozenset(floor.ours))


class _Audit:
    """One audit."""

    def __init__(
        self, store: Store, found: Verified, progress: Progress, how: How, begun: Begun | None
    ) -> None:
        self.store = store
        self.begun = begun
        self.progress = progress
        self.found = found
        self.how = how

    def differences(self) -> Iterator[Difference]:
        yield from self._schema()
        begun = self.begun
        heads = begun.whole.heads if begun is not None else _heads(self.store)
        for stray in heads:
            if type(stray) is not str:
                says = "the name of a place is a text"
                yield Difference(table="log", where=shown(stray), column="place", says=says)
                return
        floor = begun.floor if begun is not None else Floor.read(self.store)
        walked = Walked()
        changed = differs = False
        try:
            for difference in walk_all(
                self.store,
                heads,
                floor,
                _setting(self.how, floor),
                self.how,
                walked,
                self.progress,
                self.begun,
            ):
                differs, changed = True, changed or difference.table == "log"
                yield floor.classified(difference)
        finally:
            self._take_over(walked)
        if self.how.instead:
            return  # what is stored is not what would have come of it
        seen = not self.how.apply_only and walked.orderly and walked.decided == self.found.orders
        if not seen or not walked.numbered:
            yield from self._orders()
        if not seen:
            yield from self._commands()
        yield from self._length()
        if not changed and not (seen and walked.timely):  # else it is named with its row
            yield from check_times(self.store)
        yield from self._strays()
        yield from self._balances(walked)
        if not differs:  # else an amount may be another one, and is named
            yield from check_overdrawn(self.store)
        yield from self._refused()
        if not self.how.exported and not walked.untold:
            yield from self._secrets(walked)

    def _take_over(self, walked: Walked) -> None:
        for name in ("places", "events", "entries", "withheld", "heads", "decided", "passed_over"):
            setattr(self.found, name, getattr(walked, name))
        self.found.orders_since = walked.since
        execute = self.store.database.execute
        [(self.found.orders, self.found.commands, self.found.before_orders)] = execute(
            "SELECT COUNT(number), COUNT(*), "
            "CAST(COALESCE(SUM(CASE WHEN number IS NULL THEN events ELSE 0 END), 0) AS BIGINT) "
            "FROM orders"
        )
        archived = self.store.past.counts()
        self.found.orders += archived["orders"]
        self.found.commands += archived["orders"] + archived["commands"]
        self.found.before_orders += sum(events for _, events, _ in self.store.past.commands())

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
                **contrast(found, newest),
            )
        database = self.store.database
        for name in sorted(database.tables() - TABLES):
            says = "croupier has made no such table"
            yield Difference(table=name, where="the whole table", says=says)
        for name in database.strangers():
            says = "croupier makes no triggers, rules or views: it could act or deceive unseen"
            yield Difference(table="croupier_schema", where=name, says=says)

    # -- over all places ---------------------------------------------------------------------

    def _orders(self) -> Iterator[Difference]:
        """Orders follow each other without a gap. That each is bound by the log is seen when it is
        decided again; where nothing is, here."""
        with reading("orders", "every order"):
            yield from check_numbers(self.store)
            if self.how.apply_only:
                for decided in self.store.decisions():
                    yield from bound(decided, exported=self.how.exported)

    def _commands(self) -> Iterator[Difference]:
        """Each order has as many events as it says, and each event an order."""
        execute = self.store.database.execute
        counted = (
            "SELECT c.command_id, c.events, COALESCE(n.events, 0) FROM orders c LEFT JOIN "
            "(SELECT command_id, COUNT(*) AS events FROM log GROUP BY command_id) n "
            "ON n.command_id = c.command_id WHERE COALESCE(n.events, 0) <> c.events "
            "ORDER BY c.command_id LIMIT 100"
        )
        for command_id, said, found in execute(counted):
            yield Difference(
                table="orders",
                where=shown(command_id),
                column="events",
                **contrast(said, found),
            )
        without = (
            "SELECT l.command_id, l.place, l.position FROM log l LEFT JOIN orders c "
            "ON c.command_id = l.command_id WHERE c.command_id IS NULL "
            "ORDER BY l.place, l.position LIMIT 100"
        )
        for command_id, place, position in execute(without):
            yield Difference(
                table="orders",
                where=shown(command_id),
                column="command_id",
                says=f"event {position} of {place} is of an order that is not there",
            )

    def _strays(self) -> Iterator[Difference]:
        """Rows of places that have no log."""
        archived = self.store.past.ends()
        for table in ("entries", "snapshots", "openings"):
            found = self.store.database.execute(
                f"SELECT DISTINCT place FROM {table} WHERE place NOT IN (SELECT place FROM log) "
                "ORDER BY place LIMIT 100"
            )
            for (place,) in found:
                if place in archived:
                    continue
                says = "there is no log of this place"
                yield Difference(table=table, where=shown(place), column="place", says=says)

    def _length(self) -> Iterator[Difference]:
        """How many events there are, which writers go by."""
        execute = self.store.database.execute
        counted = self.store.count_rows()
        found = execute("SELECT log, events FROM length ORDER BY log")
        if found != [(ALL, counted)]:
            yield Difference(
                table="length",
                where="the only row",
                column="events",
                **contrast(found, [(ALL, counted)]),
            )

    def _balances(self, walked: Walked) -> Iterator[Difference]:
        with reading("balances", "every account"):
            kept = self.store.balances()
        balances = walked.balances
        self.found.accounts = len(balances)
        for account in sorted(kept.keys() | balances.keys()):
            found, expected = kept.get(account), balances.get(account)
            if found != expected:
                yield Difference(
                    table="balances",
                    where=account,
                    column="balance" if expected is not None else "account",
                    **contrast(found, expected),
                )
            stray = (expected or 0) - walked.paid_from_outside if account == AWARDS else 0
            if stray:
                says = f"{stray} left a link and never came to a table, or came from nowhere"
                yield Difference(table="balances", where=account, column="balance", says=says)
            if expected is not None and expected < 0 and not may_be_negative(account):
                says = f"the account holds {expected}, and may not be negative"
                yield Difference(table="balances", where=account, column="balance", says=says)

    def _refused(self) -> Iterator[Difference]:
        """What was refused follows on each other, from the oldest that is kept."""
        last, before, written = START, 0, 0
        with reading("refused", "every refused order"):
            for each in self.store.refused():
                where = f"refused order {each.number}"
                if not self.found.refused:
                    last = each.follows if each.number > 1 else START
                    if last != START and not was_dropped(self.store, each.number - 1):
                        says = "what was refused before it is gone, and there was room for it"
                        yield Difference(table="refused", where=where, column="number", says=says)
                written += len(each.command) + len(each.says) + REFUSED_BYTES
                if each.written != written and self.found.refused:
                    both = contrast(each.written, written)
                    yield Difference(table="refused", where=where, column="written", **both)
                written = each.written
                self.found.refused_dropped += each.number - before - 1
                self.found.refused += 1
                made = refused_digest(each)
                if each.digest != made:
                    both = contrast(each.digest, made)
                    says = "it does not belong to its digest: it was changed"
                    yield Difference(
                        table="refused", where=where, column="digest", **both, says=says
                    )
                if each.follows != last:
                    both = contrast(each.follows, last)
                    says = f"it does not follow refused order {before}"
                    yield Difference(
                        table="refused", where=where, column="follows", **both, says=says
                    )
                last, before = each.digest, each.number

    def _secrets(self, walked: Walked) -> Iterator[Difference]:
        with reading("secrets", "everybody"):
            kept = {(s.name, s.kind): s.secret for s in self.store.secrets()}
        filed = {(name, KIND): digest for name, digest in walked.people.items()}
        filed |= {(name, PIN): digest for name, digest in walked.pins.items()}
        filed |= {(name, totp.KIND): digest for name, digest in walked.factors.items()}
        for (name, kind), digest in sorted(filed.items()):
            secret = kept.pop((name, kind), None)
            found = hashlib.sha256(secret.encode()).hexdigest() if secret is not None else ""
            if found != digest:
                yield Difference(
                    table="secrets",
                    where=f"{name}, {kind}",
                    column="secret",
                    says="it is not the one that the office's log has the digest of",
                )
        for name, kind in sorted(kept):
            says = "nobody of this name has such a secret"
            yield Difference(
                table="secrets", where=f"{shown(name)}, {shown(kind)}", column="name", says=says
            )
