"""How fast an audit decides a night again, beside the engine that only decides.

A night in a casino: tables of all five games, six players at each, who look at their cards, check
or call and bet everything that there is to bet; the House deals and shuffles with its commitments.
*Decided again* is the whole audit: the pages of the database checked, everything read from it,
chains and orders hashed, every order given to its table, what it comes to written and compared byte
for byte, entries and balances, every card of every shuffle opened. *The engine alone* is given the
same orders, ready made, and nothing else: tables, links and shuffle books in memory. Both by the
processor's time, in turns.

By several processes the audit is run as `croupier audit verify` runs it, in a process of its own:
the others are started before the database is opened, and what is counted begins there (Python's own
start and the reading of code come before it, once, however long the night). *The busiest of them*
is the processor's time of whichever takes most of it: what somebody waits who has a core for each.
*By the clock* is from the beginning to the end, all processes waiting for each other and for the
disk: on two cores with nothing else to do, that is what somebody waits. Where others work on the
machine it says how busy they were, and means little; the target stands on the busiest of them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from benchmarks import Row, Target
from benchmarks.batch import busy
from croupier.banked import commands as banked
from croupier.house.audit import verify
from croupier.house.audit.conversations import conversation_of
from croupier.house.audit.floor import Floor
from croupier.house.audit.sharing import Helpers, _walk_shares
from croupier.house.casino import Casino
from croupier.house.office.commands import AddLink, AddTable
from croupier.house.records import read_also
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.pit import Pit
from croupier.poker import commands as poker
from croupier.table import ActorRank, Command, Conversation, Look, Order, Refused, Table

GAMES = {
    "No Limit v8": ("no-limit-holdem-v8", ""),
    "Poker v5": ("poker-v5", ""),
    "Progressive v6": ("progressive-texas-holdem-v6", "jackpot v6"),
    "Multi-Link v2": ("multi-link-progressive-v2", "jackpot v2"),
    "Multi-Link v3": ("multi-link-progressive-v3", "jackpot v3"),
}
"""The tables, each with its rulebook and its link."""
POKER: dict[str, Any] = {
    "blinds": (500, 1000),
    "layout": "A",
    "sign": True,
    "rake": {"percent": 5, "cap": 3000},
    "minimum_stake": 10_000,
    "opened_knowingly": True,
}
BANKED: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": 6,
    "ante_minimum": 2500,
    "ante_maximum": 50_000,
    "bonus_minimum": 500,
    "bonus_maximum": 50_000,
    "progressive": 500,
    "opened_knowingly": True,
}
PLAYERS = 6
STACK = 1_000_000
RICH = 1_000_000_00
COMMANDS = 30_000
REPEATS = 3
LEAST = 0.5
"""What the audit must reach of the engine alone."""


def measure() -> list[Row]:
    """Play a night, then decide it again."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'house.db'}"
        played(url, COMMANDS)
        store = Store(open_database(url))
        engine = Engine(store)
        alone, again, by_one, by_two, by_four = [], [], [], [], []
        for _ in range(REPEATS):
            alone.append(engine.decide())
            again.append(audited(store))
            by_one.append(audited_apart(url, 1))
            by_two.append(audited_apart(url, 2))
            by_four.append(audited_apart(url, 4))
        store.close()
    number = len(engine.orders)
    theirs = number / median(alone)
    of_two, of_four = (median(each.busiest for each in taken) for taken in (by_two, by_four))
    one, two = (median(each.clock for each in taken) for taken in (by_one, by_two))
    return [
        *_rows("a night decided again", number / median(again), theirs),
        *_rows("the same by two processes, the busier of them", number / of_two, theirs),
        *_rows("the same by four processes, the busiest of them", number / of_four, theirs),
        Row(
            benchmark="audit",
            what="the same by two processes, by the clock",
            value=number / two,
            unit="orders/s",
            note=", ".join(filter(None, [f"{one / two:.2f} times one process", busy()])),
        ),
    ]


def _rows(what: str, ours: float, theirs: float) -> list[Row]:
    """Orders a second of the audit, and beside them those of the engine alone."""
    return [
        Row(benchmark="audit", what=what, value=ours, unit="orders/s"),
        Row(
            benchmark="audit",
            what=what,
            who="the engine alone",
            value=theirs,
            unit="orders/s",
            ratio=ours / theirs,
            target=Target(at="least", limit=LEAST),
        ),
    ]


# -- the night ------------------------------------------------------------------------------------


def played(url: str, commands: int) -> None:
    """A night of so many commands, table by table in turn."""
    casino = Casino.open(url)
    guests = [_opened(casino, name) for name in GAMES]
    for number in range(commands):
        guests[number % len(guests)].step()
    casino.stop()


def _opened(casino: Casino, name: str) -> Guests:
    """A table with everybody sitting at it."""
    book, link = GAMES[name]
    settings = BANKED if link else POKER
    if link:
        terms = {"reset_value": 5_000_000, "contribution": 100, "payment": "at once"}
        _accepted(casino.add_link(AddLink(link=link, rulebook=book, settings=terms)).refused)
    if book == "progressive-texas-holdem-v6":
        settings = {**settings, "effective": "2020-01-01T00:00:00+08:00"}
    if book == "no-limit-holdem-v8":
        settings = {**settings, "maximum_stake": STACK}
    adding = AddTable(table=name, rulebook=book, settings=settings, link=link)
    _accepted(casino.add_table(adding).refused)
    guests = Guests(casino, name)
    for number in range(1, PLAYERS + 1):
        who = f"{name} {number}"
        casino.open_account(who)
        casino.cash_in(who, RICH)
        guests.give(guests.sit(number, who), who)
    return guests


class Guests:
    """Everybody at one table: they look, check or call, and bet all that they may."""

    def __init__(self, casino: Casino, name: str) -> None:
        self.casino = casino
        self.name = name
        self.is_poker = not GAMES[name][1]
        self._stage = ""
        self._still: list[tuple[Command, int]] = []

    @property
    def table(self) -> Table[Any]:
        return self.casino.house.pit.tables[self.name]

    def sit(self, number: int, who: str) -> Command:
        """Somebody sits down."""
        if self.is_poker:
            return poker.Sit(seat=number, player=who, stake=STACK)
        return banked.Sit(box=number, player=who, chips=50 * STACK)

    def give(self, command: Command, who: str) -> None:
        """Give a command of a player."""
        given = self.casino.house.give(self.name, command, who=who, rank=ActorRank.PLAYER)
        if given.done() and given.exception() is None:
            _accepted(given.result().refused)

    def step(self) -> None:
        """One more command: the House's, or a player's, or the next call."""
        if self.casino.dealer.act(self.name) is not None:
            return
        stage = self.table.status()
        if stage != self._stage:
            self._stage = stage
            numbers = self.table.taken_seats()
            self._still = [(each, n) for n in numbers for each in self._does(stage, n)][::-1]
        if self._still:
            command, number = self._still.pop()
            self.give(command, f"{self.name} {number}")
        elif self.is_poker and stage == "betting":
            self._bet()
        elif self.casino.dealer.call(self.name) is None:
            raise RuntimeError(f"{self.name} stands still: {stage}")

    def _does(self, stage: str, number: int) -> list[Command]:
        """What a player does at a stage of the round."""
        if self.is_poker:
            seat = self.table.state.seats[number]
            short = stage != "betting" and seat.stake < STACK // 2
            return [poker.TopUp(seat=number, amount=STACK // 2)] if short else []
        match stage:
            case "bets open":
                return [
                    banked.PlaceAnte(box=number, amount=2500),
                    banked.PlaceBonus(box=number, amount=500),
                    banked.PlaceProgressive(box=number),
                ]
            case "first decision":
                return [Look(seat=number), banked.FlopBet(box=number)]
            case "turn decision":
                return [banked.TurnBet(box=number)]
            case "river decision":
                return [banked.RiverBet(box=number)]
            case _:
                return []

    def _bet(self) -> None:
        played = self.table.state.round
        seat = played.betting.to_act[0]
        who = f"{self.name} {seat}"
        hand = played.players[seat]
        if not hand.looked:
            self.give(Look(seat=seat), who)
        elif hand.bet < played.betting.price:
            self.give(poker.Call(seat=seat), who)
        else:
            self.give(poker.Check(seat=seat), who)


def _accepted(refused: Refused | None) -> None:
    if refused is not None:
        raise RuntimeError(str(refused))


# -- the engine alone, and the audit --------------------------------------------------------------

Parts = list[tuple[str, Order[Any]]]


class Engine:
    """The tables, links and shuffle books of a night, empty, and their orders, ready made."""

    def __init__(self, store: Store) -> None:
        self.firsts: dict[str, bytes] = {}
        for place in store.streams():
            row = store.row(place, 1)
            if row is not None:
                self.firsts[place] = row.event
        self.linked = Floor.read(store).linked
        self.orders = self._read(store, self._places())

    def _places(self) -> dict[str, Conversation[Any]]:
        return {place: conversation_of(place, first) for place, first in self.firsts.items()}

    def _read(self, store: Store, places: dict[str, Conversation[Any]]) -> list[Parts]:
        """What each place is told, in order."""
        ranks = {rank.value: rank for rank in ActorRank}
        found: list[Parts] = []
        for order in store.orders():
            when = datetime.fromisoformat(order.at)
            command = places[order.place].read_command(order.command)
            given = Order(command=command, who=order.who, rank=ranks[order.rank], when=when)
            parts: Parts = [(order.place, given)]
            for heard in read_also(order.also):
                told = places[heard.place].read_command(bytes(heard.command))
                rank = ActorRank.HOUSE
                parts.append((heard.place, Order(command=told, who="house", rank=rank, when=when)))
            found.append(parts)
        return found

    def decide(self) -> float:
        """Seconds of the processor that the engine takes for all of them."""
        pit = Pit()
        places = self._places()
        for place, each in places.items():
            if not isinstance(each, Table):
                pit.add_link(place, each)
        for place, each in places.items():
            if isinstance(each, Table):
                pit.add_table(place, each, self.linked.get(place))
        begin = time.process_time()
        for parts in self.orders:
            for place, order in parts:
                if isinstance(pit.give(place, order), Refused):
                    raise RuntimeError(f"{place} refuses {order}")
        return time.process_time() - begin


def audited(store: Store) -> float:
    """Seconds of the processor that the whole audit takes."""
    begin = time.process_time()
    _hold(store)
    return time.process_time() - begin


class Taken(msgspec.Struct, kw_only=True):
    """What an audit by some processes takes, in seconds."""

    busiest: float
    """Of the processor, by whichever takes most of it."""
    clock: float


def audited_apart(url: str, workers: int) -> Taken:
    """The whole audit in a process of its own, which starts the others."""
    code = f"from benchmarks.audit import audit_here; audit_here({url!r}, {workers})"
    made = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    return msgspec.json.decode(made.stdout, type=Taken)


def audit_here(url: str, workers: int) -> None:
    """Audit as `croupier audit verify` does, and print what it took."""
    begin, here = time.perf_counter(), time.process_time()
    with Timed(workers, nothing_open=True) as helpers:
        store = Store(open_database(url, create=False))
        _hold(store, helpers)
        store.close()
    here = time.process_time() - here
    taken = Taken(busiest=max([here, *helpers.taken()]), clock=time.perf_counter() - begin)
    sys.stdout.write(msgspec.json.encode(taken).decode())


class Timed(Helpers):
    """The other processes of an audit, which say how much of the processor's time they took."""

    def __init__(self, workers: int, *, nothing_open: bool) -> None:
        super().__init__(workers, nothing_open=nothing_open)
        self.tasks: list[Future[Any]] = []

    def walk(self, task: Any) -> Future[Any]:
        assert self._pool is not None
        timed, answer = self._pool.submit(_walk_timed, task), Future[Any]()
        timed.add_done_callback(lambda done: _hand_on(done, answer))
        self.tasks.append(timed)
        return answer

    def taken(self) -> Iterator[float]:
        """Seconds of each, as they ended."""
        for task in self.tasks:
            yield task.result()[1]


def _hand_on(timed: Future[Any], answer: Future[Any]) -> None:
    error = timed.exception()
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(timed.result()[0])


def _walk_timed(task: Any) -> tuple[Any, float]:
    return _walk_shares(task), time.process_time()


def _hold(store: Store, helpers: Helpers | None = None) -> None:
    found = verify(store, helpers=helpers)
    if found.difference is not None:
        raise RuntimeError(str(found.difference))
