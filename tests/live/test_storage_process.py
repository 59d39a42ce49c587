"""`croupier serve` stores in a process of its own; when that is killed, play goes on."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from croupier.house.audit.verify import verify
from croupier.house.store import Store
from croupier.house.urls import open_database

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")

ROOT = Path(__file__).resolve().parents[2]
SOON = 60.0
SERVER = """
import sys
from msgspec import structs
from croupier.live.bots.runner import seat_bots
from croupier.live.config import ServerConfig
from croupier.live.demonstration import demonstration
from croupier.live.server import serve
kept = ServerConfig(port=0, database=f"sqlite:///{sys.argv[1]}", storage="process")
shown = demonstration(kept)
clocks = structs.replace(shown.clocks, pace=0, between_rounds=0.02, bets=0.2)
said = lambda urls: print(*urls, flush=True)
serve(structs.replace(shown, clocks=clocks), announce=said, browser=False, joined=seat_bots)
"""
"""The demonstration as `croupier serve` opens it, dealt quickly."""


def length(file):
    """How many events all logs have."""
    with sqlite3.connect(file) as connection:
        return connection.execute("SELECT events FROM length").fetchone()[0]


def goes_on(file):
    """Wait until a hundred events more are stored."""
    before, until = length(file), time.monotonic() + SOON
    while length(file) < before + 100:
        assert time.monotonic() < until, "nothing is stored any more"
        time.sleep(0.05)


def storing(server):
    """The process that stores for a server."""
    until = time.monotonic() + SOON
    while time.monotonic() < until:
        for each in psutil.Process(server.pid).children():
            if any("croupier.house.storage_worker" in word for word in each.cmdline()):
                return each
        time.sleep(0.02)
    raise AssertionError("no process stores for the server")


def test_play_goes_on_when_the_process_that_stores_is_killed(tmp_path):
    file = tmp_path / "house.db"
    command = [sys.executable, "-c", SERVER, str(file)]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        )
        assert server.stdout is not None
        try:
            assert b"http://" in server.stdout.readline()
            for _ in range(3):
                goes_on(file)
                os.kill(storing(server).pid, signal.SIGKILL)
            goes_on(file)
            assert psutil.Process(storing(server).pid).is_running()
        finally:
            server.terminate()
            assert server.wait(SOON) == 0
            server.stdout.close()
    assert (tmp_path / "log").read_text().count("another one is started") == 3
    store = Store(open_database(f"sqlite:///{file}"))
    found = verify(store)
    assert found.differences == []
    store.close()
