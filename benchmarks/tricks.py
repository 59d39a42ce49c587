"""What each speed trick brings, measured alone: with it, and with the plain way in its place.

Both do the same work in turns in one run (`benchmarks._without` has the switches), each first in
every other turn, so that a busy moment of the machine falls on both. The ratio says how many times
as fast it is with the trick, or how many times as long or as much it takes without. A trick that
brings less than 5 % is `short`: it is not worth its lines, and goes.

The tricks of the engine and the formats count seconds of the process, the best turn of each; so
do those of the House, on SQLite. Those of the server are measured with two servers that are both
up, each with 200 tables and 1,200 connections at 500 commands a second: of a trick that saves work,
the server's processor time for a command; of one that keeps others from waiting, the time from the
command to the event, the 99th of 100.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks import Row, Target, banked, hands, live, poker
from benchmarks._house_tables import Playing
from benchmarks._live_crowd import PATCHES, at, seated
from benchmarks._live_servers import SERVES, Server, serving
from benchmarks._without import without
from croupier.live.audience import encode_views
from croupier.poker.state import PokerState

TURNS = 15
LIVE_TURNS = 7
SECONDS = 3.0
LEAST = Target(at="least", limit=1.05)
WITHOUT = "without it"
ROUNDS, HANDS, VIEWS = 100, 300, 400
TABLES, COMMANDS = 100, 1_500
ALONE = 200
"""Commands of one table."""
WALL = time.perf_counter
PROCESSOR, CLOCK = "processor time", "by the clock"

Work = Callable[[], object]


def measure(
    turns: int = TURNS,
    tables: int = live.TABLES,
    live_turns: int = LIVE_TURNS,
    seconds: float = SECONDS,
) -> list[Row]:
    """Measure every trick."""
    return [*in_process(turns), *in_house(turns), *on_line(tables, live_turns, seconds)]


def rows_of(
    trick: str, what: str, with_it: float, plain: float, unit: str, judged: bool = True
) -> list[Row]:
    """Both ways, as the time or the amount that each takes."""
    told = f"{trick}: {what}"
    return [
        Row(benchmark="tricks", what=told, value=with_it, unit=unit),
        Row(
            benchmark="tricks",
            what=told,
            who=WITHOUT,
            value=plain,
            unit=unit,
            ratio=plain / with_it,
            target=LEAST if judged else None,
        ),
    ]


# -- engine and formats ---------------------------------------------------------------------------


def in_process(turns: int) -> list[Row]:
    """The tricks that save work."""
    two, six = poker.Playing(2), poker.Playing(6)
    chance = random.Random("tricks")
    decks = banked.shuffled(ROUNDS, chance)
    dealer = banked.Dealer("multi-link-progressive-v3", "shoe")
    [(kind, (texts, _, _)), *_] = hands._hands().items()
    looked = mid_hand()
    audiences = [None, *(f"player {seat}" for seat in range(1, 7))]

    def views() -> None:
        for _ in range(VIEWS):
            encode_views(looked.table, audiences)

    def rounds() -> None:
        for deck in decks:
            dealer.play(deck)

    heads_up = "hands heads-up", lambda: two.play(HANDS)
    six_handed = "hands six-handed", lambda: six.play(HANDS)
    read = kind, lambda: hands.check(texts)
    works: list[tuple[str, tuple[str, Work]]] = [
        ("chip sums written out, poker", six_handed),
        ("chip sums written out, banked", ("banked rounds of six boxes", rounds)),
        ("the Blinds of a plain round planned in one step", heads_up),
        ("quick hand reader", read),
        ("courses of hands remembered", read),
        ("views of one table made together", ("a view for each of six players", views)),
    ]
    rows = []
    for trick, (what, work) in works:
        with_it, plain = in_turns(trick, work, turns, time.process_time)
        rows += rows_of(trick, what, min(with_it) * 1_000, min(plain) * 1_000, "ms")
    return rows


def mid_hand() -> poker.Playing:
    """A table of six after the deal, everybody with his cards."""
    playing = poker.Playing(6)
    table = playing.table
    table.handle(playing.opening)
    while table.state.phase != "betting" and (act := table.due()) is not None:
        playing.give(act)
    assert isinstance(table.state, PokerState)
    assert table.state.phase == "betting"
    return playing


def in_turns(
    trick: str, work: Work, turns: int, clock: Callable[[], float]
) -> tuple[list[float], list[float]]:
    """How long each turn took, with the trick and without."""
    with_it: list[float] = []
    plain: list[float] = []
    work()  # what is loaded once is loaded now
    for turn in range(turns):
        ways = [(with_it, False), (plain, True)]
        for times, left_out in ways if turn % 2 == 0 else reversed(ways):
            gc.collect()
            with leave_out(trick) if left_out else nullcontext():
                begin = clock()
                work()
                times.append(clock() - begin)
    return with_it, plain


def leave_out(trick: str) -> AbstractContextManager[None]:
    """The plain way for a while."""
    return usual_switching() if trick == SWITCHING else without(trick)


@contextmanager
def usual_switching() -> Iterator[None]:
    """A thread goes on as long as Python lets it."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(USUAL_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


# -- the House ------------------------------------------------------------------------------------


PROMISE = "a promise of our own"
FOLLOWS = "the next group before the last is told"
AHEAD = "the next group while one is stored"
SWITCHING = "the interpreter had back within a millisecond"
SETTLES = "whoever waits stores his command himself"
HERE = "what is stored alone stored where it is given"
USUAL_SWITCH_SECONDS = 0.005
OF_MANY = {
    PROMISE: (time.process_time, PROCESSOR),
    FOLLOWS: (WALL, CLOCK),
    AHEAD: (WALL, CLOCK),
    SWITCHING: (WALL, CLOCK),
}
"""The tricks of a House with many tables: how each is measured."""


def in_house(turns: int) -> list[Row]:
    """The tricks of a House with many tables, and with one."""
    rows = []
    with playing(TABLES) as house:

        def work() -> None:
            house.play(COMMANDS)
            house.groups()

        for trick, (clock, told) in OF_MANY.items():
            what = f"{COMMANDS:,} durable commands, {TABLES} tables, {told}"
            rows += compared(trick, what, in_turns(trick, work, turns, clock))
    with playing(1) as house:

        def alone() -> None:
            house.play(ALONE)
            house.groups()

        for trick in (SETTLES, HERE):
            # Not by the processor: without it another process does the work.
            what = f"{ALONE:,} durable commands, 1 table, {CLOCK}"
            rows += compared(trick, what, in_turns(trick, alone, turns, WALL))
    return rows


def compared(trick: str, what: str, times: tuple[list[float], list[float]]) -> list[Row]:
    """Both ways by their median turn: what waits for a disk has no shortest time."""
    with_it, plain = (median(each) * 1_000 for each in times)
    return rows_of(trick, what, with_it, plain, "ms")


@contextmanager
def playing(tables: int) -> Iterator[Playing]:
    """A House on SQLite, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        made = Playing(f"sqlite:///{folder}/house.db", tables, Path(folder) / "copy")
        try:
            yield made
        finally:
            made.close()


# -- the server -----------------------------------------------------------------------------------

SAVES, KEEPS_WAITING = "processor time of a command", "command to event, p99"
BYTES = "bytes of a command, all connections"
APART, ASIDE = "storage in a process of its own", "the loop steps aside for the writer"
OF_THE_SERVER = {
    "the direct socket past ASGI": SAVES,
    "a new id known without the database": SAVES,
    "the collector out of the way": KEEPS_WAITING,
    APART: KEEPS_WAITING,
    ASIDE: KEEPS_WAITING,
    "the loop gives way to the writer": KEEPS_WAITING,
    "acts of the House a few at a time, players first": KEEPS_WAITING,
}
"""What each is there for, and is judged by."""
UVLOOP, PATCHED = "uvloop, another event loop", "patches of a view"
"""These have a switch of their own: an option of the server, a wish of the client."""


class Way(NamedTuple):
    """One of two servers: how it is started, and what its clients add to their address."""

    command: tuple[str, ...] = SERVES
    asks: str = PATCHES


def with_loop(name: str) -> tuple[str, ...]:
    """The server with an event loop."""
    return (*SERVES[:-1], "--loop", name, SERVES[-1])


def serves_without(trick: str) -> tuple[str, ...]:
    """The server without a trick."""
    return ("-m", "benchmarks._without", trick, *SERVES[2:])


def ways() -> Iterator[tuple[str, str, Way, Way]]:
    """Each trick with what it is judged by, and the server with it and without."""
    for trick, judged in OF_THE_SERVER.items():
        usual = Way(serves_without(APART)) if trick == ASIDE else Way()
        yield trick, judged, usual, Way(serves_without(trick))
    yield PATCHED, BYTES, Way(), Way(asks="")
    if find_spec("uvloop") is not None:
        yield UVLOOP, SAVES, Way(with_loop("uvloop")), Way(with_loop("asyncio"))


def on_line(tables: int, turns: int, seconds: float) -> list[Row]:
    """The tricks of the server."""
    rows: list[Row] = []
    for trick, judged, with_trick, plain in ways():
        with serving(tables, with_trick.command) as ours, serving(tables, plain.command) as theirs:
            servers = [(ours, with_trick.asks), (theirs, plain.asks)]
            found = asyncio.run(in_load(servers, tables, turns, seconds))
        for what, unit in ((SAVES, "ms"), (KEEPS_WAITING, "ms"), (BYTES, "bytes")):
            with_it, without_it = (median(times) for times in found[what])
            rows += rows_of(trick, what, with_it, without_it, unit, judged=what == judged)
    return rows


async def in_load(
    asked: list[tuple[Server, str]], tables: int, turns: int, seconds: float
) -> dict[str, tuple[list[float], list[float]]]:
    """Offer commands to both servers in turns: what each turn came to, by what is measured."""
    crowds = [(await seated(server, tables, asks))[0] for server, asks in asked]
    await asyncio.sleep(live.WARM_UP)
    for crowd in crowds:
        await crowd.offer(live.RATE / 2, min(live.WARM_UP, seconds))
    found: dict[str, tuple[list[float], list[float]]] = {
        SAVES: ([], []),
        KEEPS_WAITING: ([], []),
        BYTES: ([], []),
    }
    servers = list(enumerate(zip((server for server, _ in asked), crowds, strict=True)))
    for turn in range(turns):
        for place, (server, crowd) in servers if turn % 2 == 0 else reversed(servers):
            before, received = server.spent(), crowd.received
            done, times = await crowd.offer(live.RATE, seconds)
            found[SAVES][place].append((server.spent() - before) / max(1, done) * 1_000)
            found[KEEPS_WAITING][place].append(at(times, 0.99))
            found[BYTES][place].append((crowd.received - received) / max(1, done))
    for crowd in crowds:
        for client in crowd.clients:
            client.close()
    return found
