"""Tables of a House that play hands as fast as they may; no benchmark by itself."""

from __future__ import annotations

import queue
import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

from croupier.house.answers import Answer
from croupier.house.copy import LogCopy
from croupier.house.house import House
from croupier.house.ledger import CASH, player_account
from croupier.house.records import Bundle, Entry, Row
from croupier.house.storage_process import StorageProcess
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.live.config import ServerConfig
from croupier.live.server import stores_apart
from croupier.poker import PokerTable
from croupier.poker.commands import Call, CallForBlinds, Check, Sit, StartGame
from croupier.rulebooks import load
from croupier.table import ActorRank, Command, GiveShuffle, OpenTable, ShuffleNeeded

PLAYERS = 2
STACK = 100_000_00
SEED = 52
SETTINGS = {
    "blinds": (500, 1000),
    "layout": "A",
    "sign": True,
    "rake": {"percent": 5, "cap": 3000},
    "maximum_stake": STACK,
}

Groups = list[list[Bundle]]


def make_table() -> PokerTable:
    """A table of No Limit Hold'em v8."""
    return PokerTable(load("no-limit-holdem-v8"))


class Hand:
    """One table at which everybody checks or calls, hand after hand."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.chance = random.Random(f"{SEED} {name}")
        opening = [OpenTable(table=name, settings=SETTINGS)]
        seats = range(1, PLAYERS + 1)
        sitting = [Sit(seat=s, player=player(name, s), stake=STACK) for s in seats]
        self.first: list[Command] = [*opening, *sitting, StartGame()]
        self.first.reverse()

    def next(self, table: Any) -> Command:
        """What is to be said next at this table."""
        if self.first:
            return self.first.pop()
        state = table.state
        if state.phase == "betting":
            betting = state.round.betting
            seat = betting.to_act[0]
            owes = state.round.players[seat].bet < betting.price
            return Call(seat=seat) if owes else Check(seat=seat)
        due: Command | None = table.due()
        if due is not None:
            return due
        if state.waiting:
            [need] = state.waiting
            assert isinstance(need, ShuffleNeeded)
            cards = tuple(sorted(need.cards, key=lambda _: self.chance.random()))
            return GiveShuffle(need=need.need, cards=cards)
        return CallForBlinds()


def player(table: str, seat: int) -> str:
    """Who sits there."""
    return f"{table} player {seat}"


def funds(players: Sequence[str]) -> Bundle:
    """A bundle that pays players what they bring to their tables."""
    row = Row(
        stream="cage", position=1, command_id="funds", who="", rank="", at="", event=b'"funds"'
    )
    entries = [
        Entry(stream="cage", position=1, account=player_account(each), amount=STACK)
        for each in players
    ]
    paid = -sum(entry.amount for entry in entries)
    entries.append(Entry(stream="cage", position=1, account=CASH, amount=paid))
    return Bundle(command_id="funds", expected={"cage": 0}, rows=[row], entries=entries)


class Playing:
    """A House whose tables play on, each as fast as its commands become durable."""

    def __init__(self, url: str, tables: int, copy: Path) -> None:
        database = open_database(url)
        # As `croupier serve` opens it: with storage in a process of its own.
        apart = stores_apart(ServerConfig())
        self.store = StorageProcess(database) if apart else Store(database)
        self.reader = Store(open_database(url))
        self.failed: BaseException | None = None
        self._groups: Groups = []
        self._record(self.store)
        names = [f"table {number}" for number in range(1, tables + 1)]
        seats = range(1, PLAYERS + 1)
        self.store.append([funds([player(name, seat) for name in names for seat in seats])])
        self.house = House(self.store, reader=self.reader, copy=LogCopy(copy))
        self.tables = tables
        self.ready: queue.SimpleQueue[Hand] = queue.SimpleQueue()
        for name in names:
            self.house.add_table(name, make_table)
            self.ready.put(Hand(name))

    def _record(self, store: Store) -> None:
        """Keep what is stored, group by group."""
        for way in ("append", "append_here") if store.is_apart else ("append",):
            setattr(store, way, partial(self._note, getattr(store, way)))

    def _note(self, append: Callable[[Sequence[Bundle]], Any], bundles: Sequence[Bundle]) -> Any:
        self._groups.append(list(bundles))
        return append(bundles)

    def play(self, count: int) -> None:
        """Give so many commands, at each table one at a time, until all are durable."""
        if self.tables == 1:
            self._play_alone(count)
            return
        house = self.house
        for _ in range(count):
            hand = self.ready.get()
            command = hand.next(house.pit.tables[hand.name])
            answer = house.give(hand.name, command, who="house", rank=ActorRank.HOUSE)
            answer.add_done_callback(partial(self._done, hand))
        for hand in [self.ready.get() for _ in range(self.tables)]:
            self.ready.put(hand)
        if self.failed is not None:
            raise self.failed

    def _play_alone(self, count: int) -> None:
        """One table, where the next command waits for the answer to the one before."""
        hand, house = self.ready.get(), self.house
        for _ in range(count):
            command = hand.next(house.pit.tables[hand.name])
            answer = house.carry_out(hand.name, command, who="house", rank=ActorRank.HOUSE)
            if answer.refused is not None:
                raise RuntimeError(f"{hand.name}: {answer.refused}")
        self.ready.put(hand)

    def _done(self, hand: Hand, answer: Future[Answer]) -> None:
        refused = answer.exception() or answer.result().refused
        if refused is not None:
            self.failed = RuntimeError(f"{hand.name}: {refused}")
        self.ready.put(hand)

    def groups(self) -> Groups:
        """What was stored since the last call."""
        groups, self._groups[:] = list(self._groups), []
        return groups

    def close(self) -> None:
        """Stop as planned."""
        self.house.close()
        self.store.close()
        self.reader.close()
