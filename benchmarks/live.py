"""Live tables under load: real WebSocket clients on loopback, every command durable.

`croupier serve` is started as anybody starts it, in a process of its own, with 200 poker tables on
SQLite with full sync; five players and a spectator at each, 1,200 connections. Players whose turn
it is check or call, at 500 commands a second in all, each at a moment that does not wait for the
answers to others. Measured is the time from the command to the event at the player who gave it, and
to its answer, which is the message after that. A bare server of the same stack, with the same
connections, the same fan-out and messages of the same size, nothing stored and nothing of croupier
in it, is measured in the same run. Then the rate is raised until fewer than nine in ten of the
commands offered are carried out, or half of them take more than a second.

Both servers are up all the time and take turns. A figure is that of the median turn: the disk of a
rented machine stands still now and then, for a twentieth of a second or longer, and everything
durable with it, while the bare server does not notice. Every turn is told in a note, and how long
bare syncs take on the same disk, with nothing else going on.

Memory: of the server with its tables open and nobody there beyond one with a single table, for each
table; and what it grows by with all connections, for each of them.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil

from benchmarks import Row, Target

TABLES = 200
SEATS = 5
WATCHERS = 1
RATE = 500
TURNS = 15
SECONDS = 4.0
WARM_UP = 3.0
STEPS = (750, 1_000, 1_250, 1_500, 2_000, 2_500)
STEP_SECONDS = 6.0
SYNC_SECONDS = 5.0
SYNC_PAUSE = 0.002
ROOT = Path(__file__).resolve().parents[1]

SERVES = ("-m", "croupier", "serve", "--no-browser", "--no-bots", "--quiet", "--config")
ECHOES = ("-m", "benchmarks._live_echo")
CONFIG = """
mode = "demonstration"
[server]
port = 0
database = "sqlite:///{database}"
[clocks]
to_act = 3600
pace = 0.3
between_rounds = 0.5
showdown = 0
seat_kept = 86400
[limits]
messages_per_second = 1e6
messages_at_once = 1000000
requests_per_second = 1e6
requests_at_once = 1000000
connections_per_address = 1000000
"""
"""Of croupier under load: dealt at once, and nobody is timed out."""
TABLE = """
[tables.T{number}]
rulebook = "no-limit-holdem-v8"
[tables.T{number}.settings]
layout = "A"
sign = true
seats = 6
blinds = [5, 10]
minimum_stake = 10
maximum_stake = 1000
chips = [1, 5, 25, 100, 500]
rake = {{ percent = 5, cap = 30 }}
"""


class Server:
    """One of the two servers, in a process of its own."""

    def __init__(self, *command: str) -> None:
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        self._process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if "http://" not in line:
            self.close()
            raise RuntimeError("the server of the load benchmark has not started")
        self.port = int(line.rstrip().rstrip("/").rpartition(":")[2])

    @property
    def process_id(self) -> int:
        """Of its process."""
        return self._process.pid

    def memory(self) -> int:
        """Bytes that it holds now."""
        return int(psutil.Process(self.process_id).memory_info().rss)

    def close(self) -> None:
        """End it as planned."""
        self._process.terminate()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Client(asyncio.Protocol):
    """A WebSocket client that does no more than it must: it counts frames and reads their text."""

    def __init__(self, crowd: Crowd, place: str, seat: int | None, cookie: str) -> None:
        self.crowd, self.place, self.seat, self.cookie = crowd, place, seat, cookie
        self.sent: float | None = None
        self.asked: float | None = None
        """When the command was sent that has no answer yet."""
        self.command = b""
        self.number = 0
        self._buffer = b""
        self._upgraded = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws?place={self.place} HTTP/1.1\r\nHost: 127.0.0.1:{self.crowd.port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nCookie: {self.cookie}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            if b" 101 " not in buffer[:20]:
                raise RuntimeError(f"the server did not let a client in: {buffer[:200]!r}")
            self._upgraded = True
            self.crowd.connected += 1
            buffer = buffer[end + 4 :]
        at = 0
        while len(buffer) - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                if len(buffer) - at < 4:
                    break
                (length,) = struct.unpack_from("!H", buffer, at + 2)
                start = at + 4
            elif length == 127:
                if len(buffer) - at < 10:
                    break
                (length,) = struct.unpack_from("!Q", buffer, at + 2)
                start = at + 10
            if len(buffer) < start + length:
                break
            if buffer[at] & 15 == 9:
                self._frame(10, buffer[start : start + length])
            else:
                self.crowd.heard(self, buffer[start : start + length])
            at = start + length
        self._buffer = buffer[at:]

    def send(self, text: bytes) -> None:
        """Send one text message."""
        self.sent = self.asked = time.perf_counter()
        self._frame(1, text)

    def _frame(self, kind: int, text: bytes) -> None:
        # A mask of zeros is a mask: the frame is what the protocol asks for.
        size = len(text)
        head = struct.pack("!BB", 128 | kind, 128 | size) if size < 126 else None
        if head is None:
            head = struct.pack("!BBH", 128 | kind, 128 | 126, size)
        self._transport.write(head + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Go."""
        self._transport.abort()


class Crowd:
    """All clients of one server."""

    def __init__(self, port: int, *, plays: bool) -> None:
        self.port = port
        self.plays = plays
        self.connected = 0
        self.clients: list[Client] = []
        self.ready: deque[Client] = deque()
        self.taken: list[float] = []
        self.answered: list[float] = []
        self.done = 0

    def heard(self, client: Client, text: bytes) -> None:
        """A message has come: note how long it took, and whether it is this client's turn."""
        now = time.perf_counter()
        if client.sent is not None and text.startswith((b'{"is":"events"', b'{"is": "events"')):
            self.taken.append(now - client.sent)
            self.done += 1
            client.sent = None
            if not self.plays:
                self.ready.append(client)
        elif client.asked is not None and text.startswith(b'{"is":"answer"'):
            self.answered.append(now - client.asked)
            client.asked = None
        if self.plays and client.seat is not None and text.startswith(b'{"is":'):
            self._turn(client, text)

    def _turn(self, client: Client, text: bytes) -> None:
        if b'"turn":%d,' % client.seat not in text or b'"status":"betting"' not in text:
            client.command = b""
            return
        act = b"check" if b'"do":"check"' in text else b"call"
        if not client.command:
            self.ready.append(client)
        client.command = b'{"do":"%s","seat":%d}' % (act, client.seat)

    def act(self) -> bool:
        """Let the player who has waited longest act; False if nobody can."""
        while self.ready:
            client = self.ready.popleft()
            if self.plays and not client.command:
                continue
            if client.sent is not None:
                continue
            client.number += 1
            id = f"load-{client.place}-{client.seat}-{client.number:08d}"
            command = client.command or b'{"do":"check","seat":1}'
            client.command = b""
            client.send(
                b'{"id":"%s","place":"%s","command":%s}'
                % (id.encode(), client.place.encode(), command)
            )
            return True
        return False

    async def offer(self, rate: float, seconds: float) -> tuple[int, list[float]]:
        """Offer commands at a rate for so long; return how many were carried out, and the times."""
        self.taken, self.answered, before = [], [], self.done
        began = time.perf_counter()
        offered = 0
        while (passed := time.perf_counter() - began) < seconds:
            while offered < passed * rate and self.act():
                offered += 1
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.5)
        return self.done - before, sorted(self.taken)


def at(times: list[float], share: float) -> float:
    """The time that this share of all keeps to, in milliseconds; the times are sorted."""
    return times[min(len(times) - 1, int(share * len(times)))] * 1_000 if times else float("inf")


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


def entered(port: int, name: str) -> str:
    """Enter as a guest; return the cookie."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/me") as answer:
        token = json.load(answer)["token"]
        cookie = answer.headers["set-cookie"].partition(";")[0]
    headers = {
        "Cookie": cookie,
        "X-Croupier-Token": token,
        "Content-Type": "application/json",
    }
    body = json.dumps({"name": name}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/enter", body, headers)
    with urllib.request.urlopen(request) as answer:
        return str(answer.headers["set-cookie"].partition(";")[0])


async def connected(crowd: Crowd, tables: int, cookies: dict[tuple[str, int], str]) -> None:
    """Connect everybody, a few at a time."""
    loop = asyncio.get_running_loop()
    seats: list[int | None] = [*range(1, SEATS + 1), *([None] * WATCHERS)]
    for n in range(tables):
        for seat in seats:
            cookie = cookies.get((f"T{n}", seat or 0), "")
            client = Client(crowd, f"T{n}", seat, cookie)
            crowd.clients.append(client)
            await loop.create_connection(lambda c=client: c, "127.0.0.1", crowd.port)  # type: ignore[misc]
    end = time.monotonic() + 60
    while crowd.connected < len(crowd.clients):
        if time.monotonic() > end:
            raise RuntimeError(f"only {crowd.connected} of {len(crowd.clients)} clients came in")
        await asyncio.sleep(0.05)


async def seated(server: Server, tables: int) -> tuple[Crowd, int]:
    """The crowd of the casino, everybody at his table; and by how much its memory has grown."""
    loop = asyncio.get_running_loop()
    cookies: dict[tuple[str, int], str] = {}
    for n in range(tables):
        for seat in range(1, SEATS + 1):
            name = f"P {n} {seat}"
            cookies[f"T{n}", seat] = await loop.run_in_executor(None, entered, server.port, name)
    crowd = Crowd(server.port, plays=True)
    before = server.memory()
    await connected(crowd, tables, cookies)
    grown = server.memory() - before
    for client in crowd.clients:
        if client.seat is not None:
            n = client.place[1:]
            sit = {
                "do": "sit",
                "seat": client.seat,
                "player": f"P {n} {client.seat}",
                "stake": 100_000,
            }
            message = {"id": f"sit-{n}-{client.seat}-000", "place": client.place, "command": sit}
            client.send(json.dumps(message).encode())
    return crowd, grown


async def echoing(server: Server, tables: int) -> Crowd:
    """The crowd of the bare server."""
    crowd = Crowd(server.port, plays=False)
    await connected(crowd, tables, {})
    crowd.ready.extend(client for client in crowd.clients if client.seat is not None)
    return crowd


class Found(NamedTuple):
    """What was found: of each turn the sorted times of both servers, and what they came to."""

    ours: list[list[float]]
    theirs: list[list[float]]
    answers: list[list[float]]
    """From the command to its answer, at the casino."""
    rate: float
    """Commands a second that the casino carried out of those that were offered."""
    greatest: float
    grown: int


async def load(
    casino: Server, echo: Server, tables: int, turns: int, seconds: float, steps: tuple[int, ...]
) -> Found:
    """Offer the rate to both servers in turns, then more and more to the casino."""
    bare = await echoing(echo, tables)
    crowd, grown = await seated(casino, tables)
    await asyncio.sleep(WARM_UP)
    for each in (bare, crowd):
        await each.offer(RATE / 2, min(WARM_UP, seconds))
    ours, theirs, answers, rates = [], [], [], []
    for _ in range(turns):
        theirs.append((await bare.offer(RATE, seconds))[1])
        done, times = await crowd.offer(RATE, seconds)
        ours.append(times)
        answers.append(sorted(crowd.answered))
        rates.append(done / seconds)
    greatest = median(rates)
    for rate in steps:
        carried, taken = await crowd.offer(rate, min(seconds, STEP_SECONDS))
        reached = carried / min(seconds, STEP_SECONDS)
        if taken and at(taken, 0.5) < 1_000:
            greatest = max(greatest, reached)
        if reached < 0.9 * rate or at(taken, 0.5) >= 1_000:
            break
    for client in (*bare.clients, *crowd.clients):
        client.close()
    return Found(ours, theirs, answers, median(rates), greatest, grown)


@contextmanager
def echoes() -> Iterator[Server]:
    """The bare server."""
    server = Server(*ECHOES)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def serving(tables: int, command: tuple[str, ...] = SERVES) -> Iterator[Server]:
    """`croupier serve` with so many tables, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "load.toml"
        told = [CONFIG.format(database=Path(folder) / "load.sqlite3")]
        told += [TABLE.format(number=number) for number in range(tables)]
        file.write_text("".join(told), encoding="utf-8")
        server = Server(*command, str(file))
        try:
            yield server
        finally:
            server.close()


def measure(
    tables: int = TABLES,
    turns: int = TURNS,
    seconds: float = SECONDS,
    steps: tuple[int, ...] = STEPS,
) -> list[Row]:
    """Measure both servers, in turns."""
    with serving(1) as one:
        first = one.memory()  # what every casino needs
    with echoes() as echo, serving(tables) as casino:
        each = (casino.memory() - first) / max(1, tables - 1) / 1_000
        found = asyncio.run(load(casino, echo, tables, turns, seconds, steps))
    with tempfile.TemporaryDirectory() as folder:
        disk = syncs(Path(folder))
    people = tables * (SEATS + WATCHERS)
    what = f"{tables} tables, {people} connections, {RATE} commands a second: command to event"
    rows = []
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        ours, theirs = ([at(times, share) for times in turn] for turn in found[:2])
        rows += [
            Row(
                benchmark="live",
                what=f"{what}, {name}",
                value=median(ours),
                unit="ms",
                note=f"{name} of each turn: {', '.join(f'{turn:.1f}' for turn in ours)} ms",
            ),
            Row(
                benchmark="live",
                what=f"{what}, {name}",
                who="bare echo, nothing stored",
                value=median(theirs),
                unit="ms",
                ratio=median(ours) / median(theirs),
                target=Target(at="most", limit=10) if name == "p99" else None,
                note=f"{name} of each turn: {', '.join(f'{turn:.2f}' for turn in theirs)} ms",
            ),
        ]
        answers = [at(times, share) for times in found.answers]
        rows.append(
            Row(
                benchmark="live",
                what=f"{what.replace('to event', 'to answer')}, {name}",
                value=median(answers),
                unit="ms",
                note=f"{name} of each turn: {', '.join(f'{turn:.1f}' for turn in answers)} ms",
            )
        )
    rows += [
        Row(
            benchmark="live",
            what="a sync of this disk, p99",
            who="the disk",
            value=at(disk, 0.99),
            unit="ms",
            note=f"median {at(disk, 0.5):.2f} ms, longest {at(disk, 1.0):.0f} ms",
        ),
        Row(
            benchmark="live",
            what="commands carried out of those offered",
            value=found.rate,
            unit="/s",
        ),
        Row(
            benchmark="live",
            what="greatest rate sustained, every command durable",
            value=found.greatest,
            unit="/s",
        ),
        Row(
            benchmark="live",
            what="memory of an idle table",
            value=each,
            unit="kB",
            target=Target(at="most", limit=200),
        ),
        Row(
            benchmark="live",
            what="memory of a connection",
            value=found.grown / people / 1_000,
            unit="kB",
        ),
    ]
    return rows
