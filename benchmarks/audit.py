"""How fast an audit decides a night again, beside the engine that only decides.

Tables of No Limit Hold'em v8 play hands in a casino, everybody checking or calling, the House
dealing and shuffling with its commitments; every order is stored. *Decided again* is the whole
audit: everything read from the database, chains and orders hashed, every order given to its table,
what it comes to written and compared byte for byte, entries and balances, every card of every
shuffle opened. *The engine alone* is given the same orders, ready made, and nothing else. Both by
the processor's time, in turns; with two processes, by the clock.
"""

from __future__ import annotations

import tempfile
import time
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import Row, Target
from benchmarks._house_tables import PLAYERS, SETTINGS, STACK, Hand, player
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.office import OFFICE
from croupier.house.office.commands import AddTable
from croupier.house.records import read_also
from croupier.house.shuffle_book import ShuffleBook, is_shuffle_book
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.pit import Pit
from croupier.poker import PokerTable
from croupier.rulebooks import load
from croupier.table import ActorRank, Order, Refused, ShuffleNeeded

BOOK = "no-limit-holdem-v8"
TABLES = 10
COMMANDS = 30_000
REPEATS = 3
LEAST = 0.5
"""What the audit must reach of the engine alone."""


def measure() -> list[Row]:
    """Play a night, then decide it again."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'house.db'}"
        played(url, TABLES, COMMANDS)
        store = Store(open_database(url))
        orders = read(store)
        alone, again = [], []
        for _ in range(REPEATS):
            alone.append(decided(orders))
            again.append(audited(store))
        one, both = by_the_clock(store, 1), by_the_clock(store, 2)
        store.close()
    number = len(orders)
    ours, engine = number / median(again), number / median(alone)
    return [
        Row(benchmark="audit", what="a night decided again", value=ours, unit="orders/s"),
        Row(
            benchmark="audit",
            what="a night decided again",
            who="the engine alone",
            value=engine,
            unit="orders/s",
            ratio=ours / engine,
            target=Target(at="least", limit=LEAST),
        ),
        Row(
            benchmark="audit",
            what="the same with two processes, by the clock",
            value=number / both,
            unit="orders/s",
            note=f"{one / both:.2f} times one process",
        ),
    ]


def played(url: str, tables: int, commands: int) -> None:
    """A night of so many commands."""
    casino = Casino.open(url)
    house = casino.house
    names = [f"table {number}" for number in range(1, tables + 1)]
    hands = {}
    for name in names:
        adding = AddTable(table=name, rulebook=BOOK, settings=SETTINGS)
        _accepted(casino.add_table(adding).refused)
        for seat in range(1, PLAYERS + 1):
            casino.open_account(player(name, seat))
            casino.cash_in(player(name, seat), STACK)
        hands[name] = Hand(name)
        hands[name].first.pop()  # the casino has opened the table
    for number in range(commands):
        name = names[number % tables]
        table = house.pit.tables[name]
        if any(isinstance(need, ShuffleNeeded) for need in table.state.waiting):
            casino.dealer.act(name)
        else:
            command = hands[name].next(table)
            house.give(name, command, who="house", rank=ActorRank.HOUSE)
    casino.stop()


def _accepted(refused: Refused | None) -> None:
    if refused is not None:
        raise RuntimeError(str(refused))


Parts = list[tuple[str, Order[Any]]]


def read(store: Store) -> list[Parts]:
    """The orders at tables and shuffle books, ready made: what each place is told, in order."""
    ranks = {rank.value: rank for rank in ActorRank}
    found: list[Parts] = []
    for order in store.orders():
        parts: Parts = []
        when = datetime.fromisoformat(order.at)
        if order.place != OFFICE:
            command = PokerTable.read_command(order.command)
            given = Order(command=command, who=order.who, rank=ranks[order.rank], when=when)
            parts.append((order.place, given))
        for heard in read_also(order.also):
            if is_shuffle_book(heard.place):
                told = ShuffleBook.read_command(bytes(heard.command))
                rank = ActorRank.HOUSE
                parts.append((heard.place, Order(command=told, who="house", rank=rank, when=when)))
        if parts:
            found.append(parts)
    return found


def decided(orders: list[Parts]) -> float:
    """Seconds of the processor that the engine takes for all of them."""
    pit, book = Pit(), load(BOOK)
    for place in {place for parts in orders for place, _ in parts}:
        if is_shuffle_book(place):
            pit.add_link(place, ShuffleBook())
        else:
            pit.add_table(place, PokerTable(book))
    begin = time.process_time()
    for parts in orders:
        for place, order in parts:
            if isinstance(pit.give(place, order), Refused):
                raise RuntimeError(f"{place} refuses {order}")
    return time.process_time() - begin


def audited(store: Store) -> float:
    """Seconds of the processor that the whole audit takes."""
    begin = time.process_time()
    _hold(store, 1)
    return time.process_time() - begin


def by_the_clock(store: Store, workers: int) -> float:
    """Seconds that the whole audit takes with so many processes, starting them included."""
    begin = time.perf_counter()
    _hold(store, workers)
    return time.perf_counter() - begin


def _hold(store: Store, workers: int) -> None:
    found = verify(store, workers=workers)
    if found.difference is not None:
        raise RuntimeError(str(found.difference))
