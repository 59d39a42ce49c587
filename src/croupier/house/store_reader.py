"""What can be asked of the stored log and ledger; whatever was moved to archives is read there too.

Long answers are read by cursor. Nothing here changes anything: `croupier.house.store` appends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from croupier.house.archives.past import Past, id_key
from croupier.house.chain import START
from croupier.house.database import Database
from croupier.house.errors import CorruptDatabase
from croupier.house.group import ORDER
from croupier.house.hidden import SHUFFLES, HiddenDecks
from croupier.house.records import (
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
from croupier.house.rows import (
    ORDER_COLUMNS,
    REFUSED,
    ROW,
    about_opening,
    about_secret,
    about_state,
    is_writable,
    read_entry,
    read_head,
    read_order,
    read_refused,
    read_row,
)

READ_AT_ONCE = 2_000
SELECT_ROWS = f"SELECT {', '.join(ROW)} FROM log"
SELECT_ORDERS = f"SELECT {', '.join(ORDER)}"
RECALL = f"{SELECT_ORDERS} FROM orders WHERE command_id = ?"
RECALL_ARCHIVED = f"SELECT number{', NULL' * (len(ORDER) - 1)} FROM archived_ids WHERE id = ?"
"""In place of an order that lies in an archive: its number alone."""

RawDecision = tuple[tuple[Any, ...], list[tuple[Any, ...]]]
"""An order as `Store.raw_orders` has it, and the rows that came of it, as they are stored."""


class StoreReader:
    """Reads the log, the ledger, secrets and openings of a database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.exported = False
        """Whether it was read from an export: there, events may be withheld."""
        self.past = Past(database)
        """What was moved to archives; whatever is read here is read there too."""
        self._decks = HiddenDecks(self.opening)

    # -- the log -----------------------------------------------------------------------------

    def head(self, stream: str) -> Head:
        """How far the log of a stream goes."""
        rows = self.database.execute(
            "SELECT position, digest FROM heads WHERE place = ?", (stream,)
        )
        position, last = rows[0] if rows else (0, START)
        return read_head(stream, position, last)

    def positions_of(self, streams: Collection[str]) -> list[tuple[str, int]]:
        """How far the logs of some streams go."""
        return self._by_keys("SELECT place, position FROM heads WHERE place {keys}", set(streams))

    def heads(self) -> dict[str, Head]:
        """How far every log goes: compared with what is known, it says where there is news."""
        found = self.database.execute("SELECT place, position, digest FROM heads ORDER BY place")
        return {stream: read_head(stream, position, last) for stream, position, last in found}

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
        if not is_writable(command_id):
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

    def command_ids(self, after: str, at_most: int) -> list[str]:
        """Ids of commands that were carried out and are not archived, from one of them on."""
        sql = "SELECT command_id FROM orders WHERE command_id > ? ORDER BY command_id LIMIT ?"
        return [id for (id,) in self.database.execute(sql, (after, at_most))]

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
        self, places: Collection[str], until: int | None = None, since: int = -1
    ) -> Iterator[list[tuple[Any, ...]]]:
        """The orders that were given at some places, as they are stored: the columns of an order,
        how many events it says that it had, and the digest beside it; those with a number from
        `since` on."""
        return self._orders(places, until, since=since)

    def order_numbers(self) -> Iterator[tuple[int, int, str]]:
        """The number of every order, how many events it had, and its id."""
        for some in self._orders(None, None, ("number", "events", "command_id")):
            yield from some

    def heard_elsewhere(self) -> Iterator[tuple[int, str, str, list[str]]]:
        """Every order that other places had to hear: its number, its id, its place, and those
        places."""
        columns = ("number", "events", "command_id", "place", "also")
        for some in self._orders(None, None, columns, having="AND LENGTH(also) > 0 "):
            for number, _, command_id, place, also in some:
                if also:
                    yield number, command_id, place, [heard.place for heard in read_also(also)]

    def _orders(
        self,
        places: Collection[str] | None,
        until: int | None,
        columns: tuple[str, ...] = ORDER_COLUMNS,
        having: str = "",
        since: int = -1,
    ) -> Iterator[list[Any]]:
        """Orders as they were given: those of archives, then the others, read by cursor. `having`
        is what the database looks at besides; in archives that is left to whoever asks."""
        here_is = ORDER_COLUMNS.index("place")
        wanted = [ORDER_COLUMNS.index(name) for name in columns]
        for some in self.past.orders(until, max(0, since)):
            mine = [
                tuple(values[index] for index in wanted)
                for values in some
                if (places is None or values[here_is] in places)
                and since <= values[0]
                and (until is None or values[0] < until)
            ]
            if mine:
                yield mine
        keys = self.database.words["keys"]
        here = "" if places is None else f"AND place {keys} "
        values = [] if places is None else [self.database.keys(list(places))]
        before = "" if until is None else f"AND number < {int(until)} "
        where = [columns.index(key) for key in ("number", "events", "command_id")]
        last = (since, -1, "")
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
        if not is_writable(command_id):
            return []
        sql = f"{SELECT_ROWS} WHERE command_id = ? ORDER BY place, position"
        return self.database.execute(sql, (command_id,)) or self.past.rows_of([command_id])

    def count_rows(self) -> int:
        """How many events are stored, here and in archives."""
        [(counted,)] = self.database.execute("SELECT COUNT(*) FROM log")
        return int(counted) + self.past.counts()["rows"]

    def read_row(self, values: tuple[Any, ...]) -> Row:
        """A row as it is stored; `CorruptDatabase` if it is not stored as a row is."""
        row = read_row(values)
        if row.event.startswith(SHUFFLES):
            return self._decks.row(row, exported=self.exported)
        return row

    def read_order(self, values: tuple[Any, ...]) -> OrderRecord:
        """An order as it is stored; `CorruptDatabase` if it is not stored as an order is."""
        order = read_order(values)
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
            yield from map(read_refused, found)
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
        state = self.database.vault.unseal(state, about_state(name, position))
        return Snapshot(stream=name, position=position, state=state)

    # -- the ledger, secrets and openings ----------------------------------------------------

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
        yield from map(read_entry, self.past.entries(stream, after))
        after = max(after, self.past.ends().get(stream, 0))
        while True:
            found = self.database.execute(
                "SELECT place, position, account, amount FROM entries "
                "WHERE place = ? AND position > ? AND position <= ? ORDER BY position, account",
                (stream, after, after + READ_AT_ONCE),
            )
            yield from map(read_entry, found)
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
        return [read_entry(values) for values in sorted(self.raw_entries(stream, after, until))]

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
        return [read_entry(values) for values in sorted([*archived, *found])]

    def secret(self, name: str, kind: str) -> str | None:
        """The newest secret of a name and kind."""
        if not (is_writable(name) and is_writable(kind)):
            return None
        sql = "SELECT secret FROM secrets WHERE name = ? AND kind = ?"
        found = self.database.execute(sql, (name, kind))
        if not found:
            return None
        return self.database.vault.unseal_text(found[0][0], about_secret(name, kind))

    def secrets(self) -> list[Secret]:
        """All secrets, for whoever checks them against the office's log."""
        sql = "SELECT name, kind, secret FROM secrets ORDER BY name, kind"
        found = self.database.execute(sql)
        for values in found:
            if any(type(value) is not str for value in values):
                raise CorruptDatabase(f"a secret of {values[0]!r} is not stored as a secret is")
        unseal = self.database.vault.unseal_text
        return [Secret(name=n, kind=k, secret=unseal(s, about_secret(n, k))) for n, k, s in found]

    def opening(self, shuffle: str) -> Opening | None:
        """The opening of one shuffle."""
        sql = "SELECT shuffle, place, seed FROM openings WHERE shuffle = ?"
        if not is_writable(shuffle):
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
        seed = self.database.vault.unseal(seed, about_opening(shuffle, stream))
        return Opening(shuffle=shuffle, stream=stream, seed=seed)

    def _by_keys(self, sql: str, *sets: set[str]) -> list[Any]:
        """Run a query for rows that have one of the keys of each set."""
        database = self.database
        values = []
        for keys in sets:
            fine = list(keys)
            if not is_writable("".join(fine)):  # those that are not are turned away by the group
                fine = [key for key in fine if is_writable(key)]
            values.append(database.keys(fine))
        return database.execute(sql.format(keys=database.words["keys"]), values)


def _missing(ids: Iterable[str], found: Iterable[tuple[Any, ...]]) -> set[str]:
    """The ids of which no order was found."""
    return set(ids) - {values[1] for values in found}
