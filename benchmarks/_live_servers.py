"""The servers of the load benchmark, each in a process of its own: `croupier serve` as anybody
starts it, an earlier commit's, and the echoes that they are measured beside.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[1]
SERVES = ("-m", "croupier", "serve", "--no-browser", "--no-bots", "--quiet", "--config")
ECHOES = ("-m", "benchmarks._live_echo")
EARLIER = "380ccdc"
"""The commit whose greatest rate is the measure of what came after."""
WITHOUT_DELAY = """
import asyncio.base_events, runpy, socket, sys
def no_delay(made): made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
asyncio.base_events._set_nodelay = no_delay
sys.argv[:1] = ["croupier"]
runpy.run_module("croupier", run_name="__main__", alter_sys=True)
"""
"""`croupier` as it was before its sockets had TCP_NODELAY, with it: both are to have it."""
CONFIG = """
mode = "demonstration"
[server]
port = 0
database = "sqlite:///{database}"
[clocks]
to_act = 3600
pace = 0.1
between_rounds = 0.2
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
NEWER = """
connects_per_second = 1e6
connects_at_once = 1000000
"""
"""Limits that the earlier commit does not know."""
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
    """One server, in a process of its own; `root` is the checkout whose croupier it is."""

    def __init__(self, *command: str, root: Path = ROOT) -> None:
        paths = [str(root / "src"), str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        self._process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, text=True, env=environment, cwd=root
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
        """Bytes that it holds now, without those of the process that stores for it."""
        return int(psutil.Process(self.process_id).memory_info().rss)

    def spent(self) -> float:
        """Seconds that the processor has worked for it, and for the process that stores for it."""
        server = psutil.Process(self.process_id)
        times = [each.cpu_times() for each in (server, *server.children())]
        return float(sum(each.user + each.system for each in times))

    def close(self) -> None:
        """End it as planned."""
        self._process.terminate()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def echoing(*words: str) -> Iterator[Server]:
    """An echo: `--durable FILE` where it appends a row for each message first."""
    server = Server(*ECHOES, *words)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def echoing_durably() -> Iterator[Server]:
    """The echo that appends one row durably, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, echoing("--durable", f"{folder}/rows") as server:
        yield server


@contextmanager
def serving(
    tables: int, command: tuple[str, ...] = SERVES, *, root: Path = ROOT, limits: str = NEWER
) -> Iterator[Server]:
    """`croupier serve` with so many tables, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "load.toml"
        told = [CONFIG.format(database=Path(folder) / "load.sqlite3"), limits]
        told += [TABLE.format(number=number) for number in range(tables)]
        file.write_text("".join(told), encoding="utf-8")
        server = Server(*command, str(file), root=root)
        try:
            yield server
        finally:
            server.close()


@contextmanager
def serving_earlier(tables: int) -> Iterator[Server | None]:
    """The earlier commit's `croupier serve`; None where this is no checkout that has it."""
    with tempfile.TemporaryDirectory() as folder:
        root = earlier(Path(folder))
        if root is None:
            yield None
            return
        command = ("-c", WITHOUT_DELAY, *SERVES[2:])
        with serving(tables, command, root=root, limits="") as server:
            yield server


def earlier(folder: Path) -> Path | None:
    """The files of the earlier commit, put into a folder."""
    command = ["git", "archive", EARLIER, "src"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if found.returncode:
        return None
    with tarfile.open(fileobj=io.BytesIO(found.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder
