"""Cheap attacks on a server of its own process, and a player whose pings are timed meanwhile."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.live.conftest import AtTable, Client, Running, until

HALF_HEAD = b"POST /api/enter HTTP/1.1\r\nHost: "
HALF_BODY = (
    b"POST /api/enter HTTP/1.1\r\nHost: %b\r\nContent-Type: application/json\r\n"
    b'Content-Length: 4000\r\n\r\n{"name": '
)


class Attacked(Running):
    """A server in a process of its own; nothing of it can be reached but over the network."""

    def __init__(self, process: subprocess.Popen[bytes], url: str, log: Path) -> None:
        super().__init__(None, url)  # type: ignore[arg-type]
        self.process = process
        self.log = log
        self.host, _, port = url.removeprefix("http://").partition(":")
        self.port = int(port)

    def plain(self, says: bytes = b"", source: str = "127.0.0.2") -> socket.socket:
        """A connection that says so much and no more."""
        made = socket.create_connection((self.host, self.port), 10, (source, 0))
        self.sockets.enter_context(made)
        made.sendall(says)
        return made


@contextmanager
def attacked(folder: Path, *, descriptors: int = 1_024, bots: bool = False) -> Iterator[Attacked]:
    """The demonstration with so many descriptors, soft and hard."""

    log, said = folder / "log", folder / "said"
    database = f"sqlite:///{folder / 'casino.sqlite3'}"
    serve = ["serve", "--port", "0", "--no-browser", *([] if bots else ["--no-bots"])]
    limited = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh"]
    with log.open("wb") as err, said.open("wb") as out:
        process = subprocess.Popen(
            [*limited, sys.executable, "-m", "croupier", *serve, "--database", database],
            stdout=out,
            stderr=err,
        )
    with ExitStack() as ends:
        ends.callback(process.wait, 30)
        ends.callback(process.terminate)
        until(lambda: "Ctrl-C" in said.read_text() or process.poll() is not None, 60)
        found = re.search(r"open at (http://[^/]+)/", said.read_text())
        assert found, log.read_text()
        house = Attacked(process, found[1], log)
        ends.callback(house.sockets.close)
        yield house


class Pings:
    """Pings of one player, one after the other; how long each takes."""

    def __init__(self, at: AtTable) -> None:
        self._at = at
        self._number = 0
        self.took: list[float] = []

    def send(self, count: int, pause: float = 0.02) -> list[float]:
        took = []
        for _ in range(count):
            self._number += 1
            began = time.perf_counter()
            self._at.send({"ping": self._number})
            self._at.until("pong", ping=self._number)
            took.append(time.perf_counter() - began)
            time.sleep(max(pause, 1 / 15))  # the limit on messages is 20 a second
        self.took += took
        return took


def patient(attacked: Attacked, says: bytes, count: int, sources: int = 1) -> list[socket.socket]:
    """So many connections that say this and then nothing; those that are let in."""
    found = []
    for n in range(count):
        with suppress(OSError):
            found.append(attacked.plain(says, f"127.0.0.{2 + n % sources}"))
    return found


def count_open(sockets: list[socket.socket]) -> int:
    """How many of these the server has not closed."""
    still = 0
    for each in sockets:
        each.setblocking(False)
        try:
            still += bool(each.recv(1))
        except BlockingIOError:
            still += 1
        except OSError:
            pass
    return still


def comes_in(attacked: Attacked, name: str) -> float:
    """How long it takes a new player to come in and see a table."""
    began = time.perf_counter()
    Client(attacked, name).at("Raffles").until("hello")
    return time.perf_counter() - began


def records(log: Path) -> list[dict[str, object]]:
    """The lines of the log so far."""
    lines = log.read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]
