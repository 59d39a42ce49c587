"""Live tables under load: real WebSocket clients on loopback, every command durable.

`croupier serve` is started as anybody starts it, in a process of its own, with 200 poker tables on
SQLite with full sync; five players and a spectator at each, 1,200 connections, which take what has
changed of a view as the pages do. Players whose turn it is check or call, at 500 commands a second
in all, each at a moment that does not wait for the answers to others. Measured is the time from the
command to the event at the player who gave it, and to its answer, which is the message after that.
Two servers of the same stack with nothing of croupier in them are measured in the same run, with
the same connections, the same fan-out and messages of the size of a whole view: an echo that first
appends one row to SQLite, durably, and a bare one that stores nothing.

All are up all the time and take turns. A figure is that of the median turn: the disk of a rented
machine stands still now and then, for a twentieth of a second or longer, and everything durable
with it. Every turn is told in a note, and how long bare syncs take on the same disk, with nothing
else going on.

The greatest rate is what is carried out while everybody acts as soon as it is their turn. Tables
that began together deal together, so that a turn of a few seconds has many commands of players or
few: these turns are longer than a round of all tables. The same
is measured of commit 380ccdc, in turns, with TCP_NODELAY on its sockets, which it lacked. What a
command costs is the processor time of the whole process, and the bytes of all messages of all
connections, in turns with clients that ask for whole views.

Memory: of the server with its tables open and nobody there beyond one with a single table, for each
table; and what it grows by with all connections, for each of them.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks import Row, Target
from benchmarks._live_crowd import PATCHES, SEATS, WATCHERS, Crowd, at, at_echo, seated
from benchmarks._live_servers import (
    EARLIER,
    Server,
    echoing,
    echoing_durably,
    serving,
    serving_earlier,
)

TABLES = 200
RATE = 500
TURNS = 15
SECONDS = 4.0
WARM_UP = 3.0
RATE_TURNS = 9
RATE_SECONDS = 10.0
AS_FAST_AS_IT_GOES = float("inf")
SYNC_SECONDS = 5.0
SYNC_PAUSE = 0.002


def syncs(folder: Path, seconds: float = SYNC_SECONDS) -> list[float]:
    """How long the disk takes to make a few pages durable, over and over in the same place."""
    pages, size, times = os.urandom(20_000), 4 * 2**20, []
    with (folder / "syncs").open("wb") as stream:
        stream.write(bytes(size))
        os.fsync(stream.fileno())
        began = time.perf_counter()
        while (now := time.perf_counter()) - began < seconds:
            stream.seek(len(pages) * len(times) % (size - len(pages)))
            stream.write(pages)
            stream.flush()
            os.fsync(stream.fileno())
            times.append(time.perf_counter() - now)
            time.sleep(SYNC_PAUSE)
    return sorted(times)


class Found(NamedTuple):
    """What was found at the offered rate: of each turn the sorted times of every server."""

    ours: list[list[float]]
    durable: list[list[float]]
    bare: list[list[float]]
    answers: list[list[float]]
    """From the command to its answer, at the casino."""
    rate: float
    """Commands a second that the casino carried out of those that were offered."""
    grown: int


async def at_the_rate(
    casino: Server, durable: Server, bare: Server, tables: int, turns: int, seconds: float
) -> Found:
    """Offer the rate to all servers in turns."""
    echoes = [await at_echo(each, tables) for each in (durable, bare)]
    crowd, grown = await seated(casino, tables)
    await warmed(crowd, *echoes, seconds=seconds)
    found = Found([], [], [], [], 0.0, grown)
    rates = []
    for _ in range(turns):
        for echo, times in zip(echoes, (found.durable, found.bare), strict=True):
            times.append((await echo.offer(RATE, seconds))[1])
        done, taken = await crowd.offer(RATE, seconds)
        found.ours.append(taken)
        found.answers.append(sorted(crowd.answered))
        rates.append(done / seconds)
    gone(crowd, *echoes)
    return found._replace(rate=median(rates))


async def greatest(servers: list[Server], tables: int, turns: int, seconds: float) -> list[float]:
    """The greatest rate of each server, in turns; the first is ours."""
    asks = [PATCHES, *([""] * (len(servers) - 1))]
    crowds = [
        (await seated(each, tables, words))[0] for each, words in zip(servers, asks, strict=True)
    ]
    await warmed(*crowds, seconds=seconds)
    rates: list[list[float]] = [[] for _ in crowds]
    for turn in range(turns):
        ways = list(zip(crowds, rates, strict=True))
        for crowd, found in ways if turn % 2 == 0 else reversed(ways):
            found.append((await crowd.offer(AS_FAST_AS_IT_GOES, seconds))[0] / seconds)
    gone(*crowds)
    return [median(found) for found in rates]


class Cost(NamedTuple):
    """What a command takes: milliseconds of the processor, and bytes of messages."""

    processor: float
    sent: float


async def cost(servers: list[Server], tables: int, turns: int, seconds: float) -> list[Cost]:
    """What a command costs where clients take patches, and where they ask for whole views."""
    crowds = [
        (await seated(each, tables, words))[0]
        for each, words in zip(servers, (PATCHES, ""), strict=True)
    ]
    await warmed(*crowds, seconds=seconds)
    found: list[list[Cost]] = [[] for _ in crowds]
    for turn in range(turns):
        ways = list(zip(servers, crowds, found, strict=True))
        for server, crowd, costs in ways if turn % 2 == 0 else reversed(ways):
            spent, received = server.spent(), crowd.received
            done, _ = await crowd.offer(RATE, seconds)
            each = (server.spent() - spent) / max(1, done)
            costs.append(Cost(each * 1_000, (crowd.received - received) / max(1, done)))
    gone(*crowds)
    return [Cost(*map(median, zip(*costs, strict=True))) for costs in found]


async def warmed(*crowds: Crowd, seconds: float) -> None:
    """Half the rate for a while, at each server."""
    await asyncio.sleep(WARM_UP)
    for each in crowds:
        await each.offer(RATE / 2, min(WARM_UP, seconds))


def gone(*crowds: Crowd) -> None:
    """Everybody goes."""
    for crowd in crowds:
        for client in crowd.clients:
            client.close()


def measure(
    tables: int = TABLES,
    turns: int = TURNS,
    seconds: float = SECONDS,
    rate_turns: int = RATE_TURNS,
    rate_seconds: float = RATE_SECONDS,
) -> list[Row]:
    """Measure all servers, in turns."""
    with serving(1) as one:
        first = one.memory()  # what every casino needs
    with serving(tables) as casino:
        each = (casino.memory() - first) / max(1, tables - 1) / 1_000
        with echoing() as bare, echoing_durably() as durable:
            found = asyncio.run(at_the_rate(casino, durable, bare, tables, turns, seconds))
    with ExitStack() as open_ones:
        ours = open_ones.enter_context(serving(tables))
        theirs = open_ones.enter_context(serving_earlier(tables))
        servers = [ours, theirs] if theirs is not None else [ours]
        rates = asyncio.run(greatest(servers, tables, rate_turns, rate_seconds))
    with serving(tables) as patched, serving(tables) as whole:
        costs = asyncio.run(cost([patched, whole], tables, rate_turns, seconds))
    with tempfile.TemporaryDirectory() as folder:
        disk = syncs(Path(folder))
    return [
        *rows_of_times(found, tables),
        row(
            "a sync of this disk, p99",
            at(disk, 0.99),
            "ms",
            who="the disk",
            note=f"median {at(disk, 0.5):.2f} ms, longest {at(disk, 1.0):.0f} ms",
        ),
        row("commands carried out of those offered", found.rate, "/s"),
        *rows_of_rates(rates),
        *rows_of_costs(*costs),
        row("memory of an idle table", each, "kB", target=Target(at="most", limit=200)),
        row(
            "memory of a connection",
            found.grown / (tables * (SEATS + WATCHERS)) / 1_000,
            "kB",
        ),
    ]


def row(what: str, value: float | None, unit: str, **more: Any) -> Row:
    """One row of this benchmark."""
    return Row(benchmark="live", what=what, value=value, unit=unit, **more)


def rows_of_times(found: Found, tables: int) -> list[Row]:
    """From the command to the event, and to its answer."""
    people = tables * (SEATS + WATCHERS)
    what = f"{tables} tables, {people} connections, {RATE} commands a second: command to event"
    rows = []
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        ours = [at(times, share) for times in found.ours]
        rows.append(row(f"{what}, {name}", median(ours), "ms", note=of_each(name, ours)))
        for who, turns, limit in (
            ("echo that appends one row durably", found.durable, 5),
            ("bare echo, nothing stored", found.bare, None),
        ):
            theirs = [at(times, share) for times in turns]
            judged = Target(at="most", limit=limit) if limit and name == "p99" else None
            rows.append(
                row(
                    f"{what}, {name}",
                    median(theirs),
                    "ms",
                    who=who,
                    ratio=median(ours) / median(theirs),
                    target=judged,
                    note=of_each(name, theirs),
                )
            )
        answers = [at(times, share) for times in found.answers]
        to_answer = what.replace("to event", "to answer")
        note = of_each(name, answers)
        rows.append(row(f"{to_answer}, {name}", median(answers), "ms", note=note))
    return rows


def of_each(name: str, turns: list[float]) -> str:
    """Every turn, for a note."""
    return f"{name} of each turn: {', '.join(f'{turn:.2f}' for turn in turns)} ms"


def rows_of_rates(rates: list[float]) -> list[Row]:
    """The greatest rate, beside the earlier commit's where it is at hand."""
    what = "greatest rate, every command durable"
    theirs = rates[1] if len(rates) > 1 else None
    return [
        row(what, rates[0], "/s"),
        row(
            what,
            theirs,
            "/s",
            who=f"commit {EARLIER}",
            ratio=rates[0] / theirs if theirs else None,
            target=Target(at="least", limit=2.5),
        ),
    ]


def rows_of_costs(patched: Cost, whole: Cost) -> list[Row]:
    """What a command costs with patches, beside whole views."""
    rows = []
    for what, unit, ours, theirs in (
        ("messages of a command, all connections", "kB", patched.sent, whole.sent),
        ("processor time of a command", "ms", patched.processor, whole.processor),
    ):
        scale = 1_000 if unit == "kB" else 1
        rows += [
            row(what, ours / scale, unit),
            row(
                what,
                theirs / scale,
                unit,
                who="whole views",
                ratio=ours / theirs,
                target=Target(at="most", limit=0.5),
            ),
        ]
    return rows
