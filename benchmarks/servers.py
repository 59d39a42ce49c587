"""Several servers on one PostgreSQL database, on loopback.

**Processor time.** `croupier serve` once alone, and with a second server beside it, the players of
each table connected to one and the other, so that half of all sockets are passed on. On one machine
they are handed over to the server of the table; between two machines their bytes are passed
through, so a third set-up does that. The same commands are offered to all set-ups in turns, and the
processor time of all servers of a set-up is divided by the commands carried out. PostgreSQL's own
is not counted. The rate keeps one server busy: nobody starts a second one beside one that sleeps.

**Kills.** Three servers, one of which is killed every ten seconds and started again, while players
at all tables play on and connect again. Measured is the longest time for which a table was run by
nobody, as the servers say themselves, and whether the record is whole in the end: every entry,
every balance and every meter.

CROUPIER_BENCH_TABLES (400) and CROUPIER_BENCH_MINUTES (1) set the size of the second one.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from random import Random
from statistics import median

from benchmarks import Row, Target
from benchmarks._live_crowd import Client, Crowd, entered
from benchmarks._live_servers import CONFIG, NEWER, TABLE, Server
from benchmarks._postgres import NoServer, a_server

TABLES = 60
SEATS = 4
RATE = 300
TURNS = 5
SECONDS = 4.0
LIMIT = 1.25
KILL_EVERY = 10.0
AWAY_AT_MOST = 10.0
OPTIONS = ("serve", "--no-browser", "--no-bots", "--quiet")
SERVES = ("-m", "croupier", *OPTIONS)
PASSING_THROUGH = ("-m", "benchmarks._without", "sockets handed over on one machine", *OPTIONS)


def measure() -> list[Row]:
    """Measure both, on a server of PostgreSQL of their own."""
    try:
        with a_server() as new_database, tempfile.TemporaryDirectory() as folder:
            os.environ["HOME"] = folder  # where servers keep the key that they share
            urls = [new_database() for _ in range(3)]
            one, two, through = asyncio.run(processor_time(Path(folder), urls))
            tables = int(os.environ.get("CROUPIER_BENCH_TABLES", "400"))
            minutes = float(os.environ.get("CROUPIER_BENCH_MINUTES", "1"))
            away, kills, done, wrong = asyncio.run(
                killed(Path(folder), new_database(), tables, minutes)
            )
    except NoServer as error:
        return [Row(benchmark="servers", what="processor time of a command", note=str(error))]
    what, whole = "processor time of a command", f"{tables} tables, a server killed every 10 s"
    played = f"{kills} kills in {minutes:g} min, {done} commands carried out"
    return [
        row(what, two * 1_000, "ms", note="two servers, half of all sockets handed over"),
        Row(
            benchmark="servers",
            what=what,
            who="one server",
            value=one * 1_000,
            unit="ms",
            ratio=two / one,
            target=Target(at="most", limit=LIMIT),
        ),
        Row(
            benchmark="servers",
            what=what,
            who="two servers, their bytes passed through",
            value=through * 1_000,
            unit="ms",
            ratio=two / through,
        ),
        row(f"{whole}: longest without a server", away, "s", AWAY_AT_MOST, played),
        row(f"{whole}: differences in the record", float(bool(wrong)), "", 0, wrong),
    ]


def row(what: str, value: float, unit: str, most: float | None = None, note: str = "") -> Row:
    """A row of croupier's own."""
    target = Target(at="most", limit=most) if most is not None else None
    return Row(benchmark="servers", what=what, value=value, unit=unit, target=target, note=note)


# -- processor time -------------------------------------------------------------------------------


def config(folder: Path, name: str, url: str, tables: int) -> Path:
    """A configuration with so many poker tables."""
    file = folder / f"{name}.toml"
    text = CONFIG.replace('"sqlite:///{database}"', f'"{url}"')
    file.write_text(text + NEWER + "".join(TABLE.format(number=n) for n in range(tables)))
    return file


class OneServer(Server):
    """One of several servers."""

    def __init__(self, file: Path, name: str, command: tuple[str, ...] = SERVES) -> None:
        super().__init__(*command, "--config", str(file), "--name", name)
        self.name = name

    def runs(self) -> set[str] | None:
        """The tables that it runs; None if it does not answer."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/health", timeout=2
            ) as answer:
                return set(json.load(answer)["runs"])
        except (OSError, urllib.error.HTTPError, ValueError):
            return None

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.process_id, signal.SIGKILL)
        self.close()


async def processor_time(folder: Path, urls: list[str]) -> list[float]:
    """Seconds for a command with one server, with two, and with two that pass bytes through."""
    ways = (("alone", SERVES), ("pair", SERVES), ("through", PASSING_THROUGH))
    set_ups: list[list[OneServer]] = []
    try:
        for (name, command), url in zip(ways, urls, strict=True):
            file = config(folder, name, url, TABLES)
            servers: list[OneServer] = []
            set_ups.append(servers)
            for each in ("left",) if name == "alone" else ("left", "right"):
                servers.append(OneServer(file, each, command))
            while any(len(each.runs() or ()) != TABLES // len(servers) for each in servers):
                await asyncio.sleep(0.2)
        crowds = [await crowd_of(servers) for servers in set_ups]
        turns: list[list[float]] = [[] for _ in set_ups]
        for turn in range(TURNS + 1):
            for found, servers, crowd in zip(turns, set_ups, crowds, strict=True):
                used = -sum(each.spent() for each in servers)
                offers = [each.offer(RATE / len(crowd), SECONDS) for each in crowd]
                done = sum(count for count, _ in await asyncio.gather(*offers))
                used += sum(each.spent() for each in servers)
                if turn:  # the first one warms up
                    found.append(used / max(1, done))
        for each in (client for crowd in crowds for half in crowd for client in half.clients):
            each.close()
        return [median(found) for found in turns]
    finally:
        for each in (server for servers in set_ups for server in servers):
            each.close()


async def crowd_of(servers: list[OneServer]) -> list[Crowd]:
    """Everybody at a table, the players of each spread over the servers."""
    crowds = [Crowd(server.port, plays=True) for server in servers]
    for table in range(TABLES):
        for seat in range(1, SEATS + 1):
            crowd = crowds[seat % len(crowds)]
            await sit(crowd, f"T{table}", seat, entered(crowd.port, f"B{table}-{seat}"))
    await asyncio.sleep(2)
    return crowds


async def sit(crowd: Crowd, place: str, seat: int, cookie: str) -> Client:
    """Connect somebody and let him sit down."""
    client = Client(crowd, place, seat, cookie)
    crowd.clients.append(client)
    await asyncio.get_running_loop().create_connection(lambda: client, "127.0.0.1", crowd.port)
    while crowd.connected < len(crowd.clients):
        await asyncio.sleep(0.001)
    player = f"B{place[1:]}-{seat}"
    client.send(
        json.dumps(
            {
                "id": f"sit-{place}-{seat}",
                "place": place,
                "command": {"do": "sit", "seat": seat, "player": player, "stake": 50_000},
            }
        ).encode()
    )
    client.sent = None
    return client


# -- kills ----------------------------------------------------------------------------------------


async def killed(
    folder: Path, url: str, tables: int, minutes: float
) -> tuple[float, int, int, str]:
    """The longest time without a server, how many were killed, how much was played, and what is
    wrong with the record."""
    file = config(folder, "killed", url, tables)
    servers = {name: OneServer(file, name) for name in ("a", "b", "c")}
    watch = Watch(servers, tables)
    chance, kills, over = Random(24), 0, False

    async def play() -> int:
        done = 0
        while not over:
            done += await one_visit(servers, tables, chance)
        return done

    try:
        while not watch.look():
            await asyncio.sleep(0.2)
        watch.begin()
        players = [asyncio.create_task(play()) for _ in range(20)]
        looking = asyncio.create_task(watch.always())
        began = time.monotonic()
        while time.monotonic() - began < minutes * 60:
            await asyncio.sleep(KILL_EVERY - 3)
            name = chance.choice(sorted(servers))
            await asyncio.to_thread(servers.pop(name).kill)
            kills += 1
            await asyncio.sleep(3)
            servers[name] = await asyncio.to_thread(OneServer, file, name)
        await asyncio.sleep(KILL_EVERY)
        over = True
        done = sum(await asyncio.gather(*players))
        looking.cancel()
    finally:
        for each in servers.values():
            each.close()
    return watch.longest(), kills, done, audited(url)


class Watch:
    """Looks which tables are run by nobody, and since when."""

    def __init__(self, servers: dict[str, OneServer], tables: int) -> None:
        self._servers = servers
        self._all = {f"T{n}" for n in range(tables)}
        self._seen: dict[str, float] = {}
        self._away = 0.0

    def look(self) -> bool:
        """Look once; whether every table is run."""
        now = time.monotonic()
        found: set[str] = set()
        for server in tuple(self._servers.values()):
            found |= server.runs() or set()
        for table in found:
            if table in self._seen:
                self._away = max(self._away, now - self._seen[table])
            self._seen[table] = now
        return found >= self._all

    def begin(self) -> None:
        """Count from now on."""
        self._seen = dict.fromkeys(self._all, time.monotonic())
        self._away = 0.0

    async def always(self) -> None:
        """Look until it is over."""
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(0.1)

    def longest(self) -> float:
        """The longest time for which a table was run by nobody."""
        now = time.monotonic()
        return max(self._away, *(now - seen for seen in self._seen.values()))


async def one_visit(servers: dict[str, OneServer], tables: int, chance: Random) -> int:
    """Two guests play for a while at a table, each at any server; how many commands were done."""
    crowds: list[Crowd] = []
    try:
        place = f"T{chance.randrange(tables)}"
        for seat in (1, 2):
            server = chance.choice(sorted(servers.values(), key=lambda each: each.name))
            crowd = Crowd(server.port, plays=True)
            crowds.append(crowd)
            name = f"V{chance.randrange(10**9)}"
            cookie = await asyncio.to_thread(entered, crowd.port, name)
            client = Client(crowd, place, seat, cookie)
            crowd.clients.append(client)
            await asyncio.get_running_loop().create_connection(
                lambda c=client: c,
                "127.0.0.1",
                crowd.port,  # type: ignore[misc]
            )
            deadline = time.monotonic() + 12
            while not crowd.connected and time.monotonic() < deadline:
                await asyncio.sleep(0.01)
            sitting = {"do": "sit", "seat": seat, "player": name, "stake": 50_000}
            told = {"id": f"sit-{name}", "place": place, "command": sitting}
            client.send(json.dumps(told).encode())
            client.sent = None
        found = await asyncio.gather(*(crowd.offer(4, 4.0) for crowd in crowds))
        return sum(count for count, _ in found)
    except (OSError, RuntimeError, KeyError, IndexError):
        await asyncio.sleep(0.2)
        return 0  # the server was killed meanwhile
    finally:
        for crowd in crowds:
            for client in crowd.clients:
                client.close()


def audited(url: str) -> str:
    """What the audit finds wrong; nothing if all is exact."""
    ran = subprocess.run(
        [sys.executable, "-m", "croupier", "audit", "verify", url],
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if ran.returncode == 0 else (ran.stdout + ran.stderr)[-300:]
