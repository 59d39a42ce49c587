"""Somebody who knows the format: he changes what he likes, and makes everything else again.

Chains, bindings, numbers, heads, entries, balances, the copy: all of it holds together when he is
done. With the House's own key he seals his history too.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import astuple, replace

from croupier.cards import DECK
from croupier.house.chain import START, digest, order_digest
from croupier.house.copies import CopyMark, known_copies
from croupier.house.copy import LogCopy
from croupier.house.group import ORDER
from croupier.house.records import Entry, OrderRecord, Row
from croupier.house.rows import ROW
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.making import seal_now
from croupier.house.store import Store


@dataclass
class Deed:
    """An order, what came of it, and the money that it moved."""

    order: OrderRecord
    rows: list[Row]
    entries: list[Entry] = field(default_factory=list)
    decks: dict[int, bytes] = field(default_factory=dict)
    """Events in which a deck is hidden, in plain words."""

    def rewrite(self, index: int, before: bytes, after: bytes) -> None:
        row = self.rows[index]
        assert before in row.event, row.event
        self.rows[index] = replace(row, event=row.event.replace(before, after, 1))


Deeds = list[Deed]
Forgery = Callable[[Deeds], None]


def read_deeds(store: Store) -> Deeds:
    """Everything, as it stands."""
    entries: dict[tuple[str, int], list[Entry]] = {}
    for stream in store.streams():
        for entry in store.entries(stream):
            entries.setdefault((stream, entry.position), []).append(entry)
    deeds = []
    for decided in store.decisions():
        moved = [e for row in decided.rows for e in entries.get((row.stream, row.position), [])]
        rows = [row.as_stored() for row in decided.rows]
        decks = {n: row.event for n, row in enumerate(decided.rows) if row.stored}
        deeds.append(Deed(decided.order.as_stored(), rows, moved, decks))
    return deeds


def forge(
    store: Store, copy: Path, deeds: Deeds, forgery: Forgery, key: SigningKey | None = None
) -> None:
    """Change something, and make everything else again. Without a key the seals in the database are
    thrown away, with it they are made anew."""
    forgery(deeds)
    positions: dict[str, int] = {}
    last: dict[str, bytes] = {}
    rows, orders, entries = [], [], []
    balances: dict[str, int] = {}
    for deed in deeds:
        order = replace(deed.order, number=len(rows))
        bound = order_digest(order)
        moved = {(r.stream, r.position): i for i, r in enumerate(deed.rows)}
        made: list[Row] = []
        for row in deed.rows:
            place = row.stream
            positions[place] = positions.get(place, 0) + 1
            mine = bound if place == order.place and not any(r.order for r in made) else b""
            row = replace(row, position=positions[place], order=mine)
            row.digest = last[place] = digest(last.get(place, START), row)
            made.append(row)
        for entry in deed.entries:
            at = made[moved[entry.stream, entry.position]].position
            entries.append((entry.stream, at, entry.account, entry.amount))
            balances[entry.account] = balances.get(entry.account, 0) + entry.amount
        rows += made
        unbound = None if any(r.order for r in made) else bound
        orders.append((*(getattr(order, name) for name in ORDER), len(made), unbound))
    database = store.database
    with database.transaction():
        for table in "log orders entries balances heads snapshots seals seal_witnesses".split():
            database.execute(f"DELETE FROM {table}")
        database.insert("log", ROW, [astuple(row)[: len(ROW)] for row in rows])
        database.insert("orders", (*ORDER, "events", "digest"), orders)
        database.insert("entries", ("place", "position", "account", "amount"), entries)
        database.insert("balances", ("account", "balance"), sorted(balances.items()))
        heads = [(place, positions[place], last[place]) for place in positions]
        database.insert("heads", ("place", "position", "digest"), heads)
        database.execute("UPDATE length SET events = ?", (len(rows),))
    shutil.rmtree(copy, ignore_errors=True)
    again = LogCopy(copy)
    for mark in known_copies(store).values():  # as if that copy was begun just now
        fresh = CopyMark(copy=mark.copy, folder=mark.folder)
        sql = "UPDATE copies SET held = 0, alarm = '', digest = ? WHERE copy = ?"
        database.execute(sql, (fresh.digest(), mark.copy))
        again.id = mark.copy
    again.catch_up(store)
    again.close()
    if key is not None:
        seal_now(store, key, "time", datetime(2026, 11, 17, tzinfo=UTC))


# -- what he changes ------------------------------------------------------------------------------


def _deed(deeds: Deeds, place: str, word: bytes, skip: int = 0) -> Deed:
    """The first deed at a place with an event that has this word."""
    found = (
        deed for deed in deeds for row in deed.rows if row.stream == place and word in row.event
    )
    for _ in range(skip):
        next(found)
    return next(found)


def an_amount(deeds: Deeds) -> None:
    deed = _deed(deeds, "P8", b'"event":"stake added"')
    index = next(i for i, row in enumerate(deed.rows) if b'"stake added"' in row.event)
    deed.rewrite(index, b'"amount":', b'"amount":1')


def a_swapped_pair(deeds: Deeds) -> None:
    here = [
        (deed, i)
        for deed in deeds
        for i, row in enumerate(deed.rows)
        if row.stream == "P8" and b'"event":"' in row.event
    ]
    (one, i), (other, j) = here[20], here[21]
    first, second = one.rows[i].event, other.rows[j].event
    assert first != second
    one.rows[i] = replace(one.rows[i], event=second)
    other.rows[j] = replace(other.rows[j], event=first)


def a_deleted_round(deeds: Deeds) -> None:
    here = [n for n, d in enumerate(deeds) if any(row.stream == "P8" for row in d.rows)]
    ended = [n for n in here if any(b'"round ended"' in row.event for row in deeds[n].rows)]
    gone = {n for n in here if ended[0] < n <= ended[1]}
    assert len(gone) > 5
    deeds[:] = [deed for n, deed in enumerate(deeds) if n not in gone]


def a_cut_tail(deeds: Deeds) -> None:
    del deeds[-30:]


def a_name(deeds: Deeds) -> None:
    deed = _deed(deeds, "office", b'"cashed in"')
    deed.order = replace(deed.order, who="Sam")
    deed.rows = [replace(row, who="Sam") for row in deed.rows]


def an_undealt_card(deeds: Deeds) -> None:
    """The last two cards of a deck are swapped, hidden as they are."""
    deed = next(d for d in deeds if d.decks and d.order.place == "P8")
    [(index, plain)] = deed.decks.items()
    *_, one, other = json.loads(plain)["cards"]
    deck = [str(card) for card in DECK]
    apart = deck.index(one) ^ deck.index(other)

    def swapped(text: bytes) -> bytes:
        start, end = text.index(b'"cards":"') + 9, text.index(b'"}')
        cards = bytearray.fromhex(text[start:end].decode())
        cards[-1] ^= apart
        cards[-2] ^= apart
        return text[:start] + cards.hex().encode() + text[end:]

    deed.rows[index] = replace(deed.rows[index], event=swapped(deed.rows[index].event))
    deed.order = replace(deed.order, command=swapped(deed.order.command))


def an_entry_with_balances(deeds: Deeds) -> None:
    deed = _deed(deeds, "office", b'"cashed in"')
    deed.entries = [replace(e, amount=e.amount * 2) for e in deed.entries]


def a_deposit(deeds: Deeds) -> None:
    """Ann has paid in ten times as much: order, event, entries and balances agree."""
    deed = _deed(deeds, "office", b'"cashed in"')
    index = next(i for i, row in enumerate(deed.rows) if b'"cashed in"' in row.event)
    deed.rewrite(index, b'"amount":1', b'"amount":10')
    command = deed.order.command
    deed.order = replace(deed.order, command=command.replace(b'"amount":1', b'"amount":10', 1))
    deed.entries = [replace(e, amount=e.amount * 10) for e in deed.entries]


def anothers_events(deeds: Deeds) -> None:
    """An order has the events of another decision: the commands of two are swapped."""
    one = _deed(deeds, "office", b'"cashed in"')
    other = _deed(deeds, "office", b'"account opened"')
    one.order, other.order = (
        replace(one.order, command=other.order.command),
        replace(other.order, command=one.order.command),
    )


FORGERIES: tuple[Forgery, ...] = (
    an_amount,
    a_swapped_pair,
    a_deleted_round,
    a_cut_tail,
    a_name,
    an_undealt_card,
    an_entry_with_balances,
    a_deposit,
    anothers_events,
)
