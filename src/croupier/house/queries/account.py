"""One account of the ledger: every entry with who ordered it, what it was, and what was left.

Entries are read by the account's own index, a page at a time for each log that moved it, and put in
the order in which the orders were given.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from croupier.house.errors import BrokenLog, UnknownPlace
from croupier.house.ledger import player_account
from croupier.house.office import OFFICE
from croupier.house.queries.walk import Kinds, Progress, quiet
from croupier.house.queries.wording import order_in_words, read_order
from croupier.house.records import OrderRecord
from croupier.house.store import Store
from croupier.pit.registry import GAMES
from croupier.table import Conversation, Table

AT_ONCE = 500
"""Entries of one log that are read in one step."""


class AccountLine(Struct, frozen=True, kw_only=True):
    """One entry. Amounts are cents."""

    at: str
    place: str
    round: int | None
    position: int
    number: int | None
    who: str
    rank: str
    order: str
    """What was ordered; in the office, what came of it."""
    against: tuple[str, ...]
    """The accounts on the other side."""
    amount: int
    balance: int
    """What the account holds after it."""


class Moved(Struct, frozen=True, kw_only=True):
    """An entry as it is stored, with its row and order."""

    place: str
    position: int
    amount: int
    command_id: str
    who: str
    rank: str
    at: str
    event: bytes
    order: OrderRecord | None

    @property
    def when(self) -> datetime:
        """When it was ordered."""
        return datetime.fromisoformat(self.at)

    @property
    def key(self) -> tuple[Any, ...]:
        """Its place in the order of all orders: what has no order was stored before they were."""
        if self.order is None:
            return (0, self.when, self.place, self.position)
        return (1, self.order.number, self.place, self.position)


def account_named(store: Store, name: str) -> str:
    """The account that somebody means: one of the ledger, or that of the player of this name."""
    for account in (name, player_account(name)):
        if account in store.balances() or _was_moved(store, account):
            return account
    raise UnknownPlace(
        f"there is no account {name!r}, and no player of that name who ever had money here; "
        "accounts are named as in the ledger: player/Ann, table/Raffles/rake, cash"
    )


def moved_in(store: Store, account: str) -> Iterator[Moved]:
    """Every entry of an account, as they were ordered."""
    logs = (moved_in_log(store, account, place) for place in _logs_of(store, account))
    return merge(*logs, key=lambda moved: moved.key)


def account_lines(
    store: Store,
    account: str,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    progress: Progress = quiet,
) -> Iterator[AccountLine]:
    """The lines of an account within a time; the first is what was brought forward.

    Without an end the last balance must be the stored one.
    """
    tell = Telling(store)
    balance, began = 0, since is None
    for read, moved in enumerate(moved_in(store, account), start=1):
        progress(read)
        if until is not None and moved.when >= until:
            break
        if not began and since is not None and moved.when >= since:
            began = True
            yield brought_forward(since, balance)
        balance += moved.amount
        if began:
            yield tell.line(moved, account, balance)
    else:
        if balance != store.balance(account):
            raise BrokenLog(
                f"{account} holds {store.balance(account)} and its entries sum to {balance}; "
                "`croupier audit verify` says more"
            )
    if not began and since is not None:
        yield brought_forward(since, balance)


def brought_forward(since: datetime, balance: int) -> AccountLine:
    """What an account held before the first line."""
    return AccountLine(
        at=since.isoformat(),
        place="",
        round=None,
        position=0,
        number=None,
        who="",
        rank="",
        order="brought forward",
        against=(),
        amount=0,
        balance=balance,
    )


class Telling:
    """Tells entries in words, and in which round they were made."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kinds = Kinds(store)
        self._rounds: dict[str, RoundsOf] = {}

    def line(self, moved: Moved, account: str, balance: int) -> AccountLine:
        """One entry as a line."""
        order = moved.order
        return AccountLine(
            at=moved.at,
            place=moved.place,
            round=self.round(moved.place, moved.position),
            position=moved.position,
            number=order.number if order is not None else None,
            who=moved.who,
            rank=moved.rank,
            order=self.words(moved),
            against=self.against(moved, account),
            amount=moved.amount,
            balance=balance,
        )

    def words(self, moved: Moved) -> str:
        """What was ordered; what the office says itself needs no command."""
        kind = self._kinds.of(moved.place)
        if moved.place == OFFICE:
            return kind.read_event(moved.event).tell(str)
        order = moved.order
        if order is None:
            return ""
        at = self._kinds.of(order.place)  # an order may have been given elsewhere, and heard here
        told = order_in_words(read_order(at, order.command), {})
        return told if order.place == moved.place else f"{told} at {order.place}"

    def against(self, moved: Moved, account: str) -> tuple[str, ...]:
        """Where the money came from, or went."""
        found = self._store.entries_between(moved.place, moved.position - 1, moved.position)
        return tuple(
            each.account
            for each in found
            if each.account != account and (each.amount > 0) != (moved.amount > 0)
        )

    def round(self, place: str, position: int) -> int | None:
        """The round of a table in which an event stands; positions come in rising order."""
        if place not in self._rounds:
            self._rounds[place] = RoundsOf(self._store, place, self._kinds.of(place))
        return self._rounds[place].at(position)


class _Begins(Struct):
    """As much of an event as tells that a round begins."""

    event: str
    round: int = 0


class RoundsOf:
    """Where the rounds of a table begin, found as far as somebody asks; nothing is replayed."""

    def __init__(self, store: Store, place: str, kind: Conversation[Any]) -> None:
        self._rows = store.rows(place, at_once=AT_ONCE)
        self._is_table = isinstance(kind, Table)
        self._tags: frozenset[str] = frozenset()
        if isinstance(kind, Table):
            begins = GAMES.port_of(kind).round_begins
            self._tags = frozenset(str(each.__struct_config__.tag) for each in begins)
        self._marks = tuple(b'"' + tag.encode() + b'"' for tag in self._tags)
        self._round = 0
        self._read = 0

    def at(self, position: int) -> int | None:
        """The round under way at a position, or the last one; None where there are no rounds."""
        if not self._is_table:
            return None
        while self._read < position:
            row = next(self._rows, None)
            if row is None:
                break
            self._read = row.position
            if any(mark in row.event[:60] for mark in self._marks):
                begins = msgspec.json.decode(row.event, type=_Begins)
                if begins.event in self._tags:
                    self._round = begins.round
        return self._round


# -- reading --------------------------------------------------------------------------------------


def _was_moved(store: Store, account: str) -> bool:
    """Whether an account ever had an entry, also one in an archive."""
    sql = (
        "SELECT 1 FROM entries WHERE account = ? UNION ALL "
        "SELECT 1 FROM carried WHERE account = ? LIMIT 1"
    )
    return bool(store.database.execute(sql, (account, account)))


def _logs_of(store: Store, account: str) -> list[str]:
    """The logs that ever moved an account."""
    found = store.database.execute(
        "SELECT DISTINCT place FROM entries WHERE account = ? ORDER BY place", (account,)
    )
    return sorted({place for (place,) in found} | store.past.entry_places())


def moved_in_log(store: Store, account: str, place: str) -> Iterator[Moved]:
    """The entries of an account in one log, by position."""
    archived = (e for e in store.past.entries(place) if e[2] == account)
    while some := list(islice(archived, AT_ONCE)):
        rows = [store.past.row(place, position) for _, position, _, _ in some]
        found = [
            (position, amount, row[2], row[3], row[4], row[5], row[6])
            for (_, position, _, amount), row in zip(some, rows, strict=True)
            if row is not None
        ]
        yield from _moved(store, place, found)
    after = 0
    while True:
        found = store.database.execute(
            "SELECT e.position, e.amount, l.command_id, l.who, l.rank, l.at, l.event "
            "FROM entries e JOIN log l ON l.place = e.place AND l.position = e.position "
            "WHERE e.account = ? AND e.place = ? AND e.position > ? ORDER BY e.position LIMIT ?",
            (account, place, after, AT_ONCE),
        )
        yield from _moved(store, place, found)
        if len(found) < AT_ONCE:
            return
        after = found[-1][0]


def _moved(store: Store, place: str, found: list[tuple[Any, ...]]) -> Iterator[Moved]:
    """Entries with the rows that they belong to, and the orders of those."""
    orders = {each.command_id: each for each in store.orders_of(row[2] for row in found)}
    for position, amount, command_id, who, rank, at, event in found:
        yield Moved(
            place=place,
            position=position,
            amount=amount,
            command_id=command_id,
            who=who,
            rank=rank,
            at=at,
            event=bytes(event),
            order=orders.get(command_id),
        )
