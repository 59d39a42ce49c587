"""Several `croupier serve` processes on one PostgreSQL database, for tests and measurements."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.live.test_postgres import CONFIG, Somewhere
from tests.live.test_stopping import CROUPIER, started

FAR_AWAY = """
import croupier.live.cluster.handover
from croupier.cli.main import main
croupier.live.cluster.handover.AVAILABLE = False
main()
"""
"""`croupier` as on a machine of its own: no socket is handed over."""
LIMITS = """
[limits]
requests_per_second = 10000
requests_at_once = 10000
"""
MORE = """
[tables.{name}]
rulebook = "no-limit-holdem-v8"
settings = {{ layout = "A", sign = true, blinds = [5, 10], minimum_stake = 200, maximum_stake = 1000, rake = {{ percent = 5, cap = 30 }} }}
"""  # noqa: E501


def config_text(poker: int) -> str:
    """The casino of `test_postgres`, with so many poker tables more."""
    return CONFIG + LIMITS + "".join(MORE.format(name=f"P{n}") for n in range(poker))


class OneServer(Somewhere):
    """One of the servers."""

    def __init__(self, name: str, process: subprocess.Popen[str], url: str) -> None:
        super().__init__(url)
        self.name = name
        self.process = process

    def health(self) -> dict[str, Any]:
        """What the server says of itself, well or not."""
        try:
            answer = urlopen(f"{self.url}/health", timeout=10)
        except HTTPError as error:
            answer = error
        with answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)


class Several:
    """Servers that are started and killed."""

    def __init__(self, folder: Path, url: str, poker: int = 2) -> None:
        self._folder, self._url = folder, url
        self.tables = 2 + poker
        self.config = folder / "casino.toml"
        key = f'[server]\nkey_file = "{folder / "key"}"\n'
        self.config.write_text(config_text(poker).replace("[server]\n", key))
        self.servers: dict[str, OneServer] = {}

    def start(
        self,
        name: str,
        *options: str,
        database: str = "",
        config: str = "",
        far_away: bool = False,
    ) -> OneServer:
        """`database` is another address of the same one, `config` what is added to the file;
        `far_away` is a server that has a machine of its own."""
        file = self.config
        if config:
            file = self._folder / f"{name}.toml"
            file.write_text(self.config.read_text() + config)
        told = ("--config", str(file), "--database", database or self._url, "--no-bots")
        told = (*told, "--name", name, *options)
        program = ("-c", FAR_AWAY) if far_away else CROUPIER
        process, url = started(self._folder, *told, tables=self.tables, program=program)
        self.servers[name] = OneServer(name, process, url)
        return self.servers[name]

    def kill(self, name: str) -> None:
        server = self.servers.pop(name)
        server.process.kill()
        server.process.communicate()

    def counts(self) -> dict[str, int]:
        """How many tables each of them shows."""
        return {name: server.health()["tables"] for name, server in self.servers.items()}

    def stop(self) -> list[str]:
        """Stop all as planned; what they said."""
        said = []
        with ExitStack() as stack:
            for server in self.servers.values():
                stack.callback(server.process.kill)
                server.sockets.close()
                server.process.send_signal(signal.SIGTERM)
            for server in self.servers.values():
                _, err = server.process.communicate(timeout=40)
                assert server.process.returncode == 0, err
                said += err.splitlines()
        return said


@contextmanager
def several(folder: Path, url: str, *names: str, poker: int = 2) -> Iterator[Several]:
    """So many servers, each with its share of the tables."""
    house = Several(folder, url, poker)
    try:
        for name in names:
            house.start(name)
        share = -(-house.tables // len(names))
        wait(lambda: max(house.counts().values()) <= share and sum_of(house) == house.tables)
        yield house
    except BaseException:
        for server in house.servers.values():
            server.process.send_signal(signal.SIGCONT)
            server.process.kill()
            sys.stderr.write(server.process.communicate()[1])
        raise
    else:
        house.stop()


def sum_of(house: Several) -> int:
    return sum(house.counts().values())


def wait(holds: Callable[[], object], seconds: float = 15.0) -> float:
    """Wait until it is so; how long that took."""
    began = time.monotonic()
    while not holds():
        assert time.monotonic() < began + seconds, "it does not come to that"
        time.sleep(0.05)
    return time.monotonic() - began
