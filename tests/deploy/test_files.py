"""The files in `deploy/`: they name options, ports, settings and counters that there are."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import urllib.request
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from croupier.cli.main import croupier as cli
from croupier.house.seals.keys import make_key
from croupier.house.urls import POSTGRES
from croupier.live import systemd
from croupier.live.config import Limits, read_config
from croupier.live.descriptors import KEPT_BACK
from croupier.live.server import descriptors_of
from tests.in_a_loop import in_a_loop
from tests.live.conftest import running

DEPLOY = Path(__file__).parents[2] / "deploy"
ROOT = DEPLOY.parent
COUNTER = re.compile(r"\b(?:croupier|process)_[a-z_]+\b")
UNIT = DEPLOY / "systemd" / "croupier@.service"


def ports() -> list[int]:
    found = [path.read_text() for path in sorted((DEPLOY / "servers").glob("*.env"))]
    return sorted(int(re.findall(r"^PORT=(\d+)$", text, re.M)[0]) for text in found)


def takes(words: list[str]) -> None:
    """croupier takes these words, in this order."""
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and words:
        found = command.get_command(context, words[0])
        assert found is not None, words
        command, words = found, words[1:]
    known = {option for each in command.params for option in each.opts}
    for word in words:
        assert not word.startswith("--") or word in known, f"{command.name} has no {word}"


def test_the_configuration_is_one():
    config = read_config(DEPLOY / "casino.toml")
    assert not config.demonstration
    assert config.server.database.startswith(POSTGRES)
    assert "," in config.server.database, "both database machines are named"
    assert config.server.copy
    assert config.seals.key_file
    assert config.server.port == ports()[0]


def test_proxies_and_prometheus_name_the_ports_of_the_servers():
    for file in ("proxy/nginx.conf", "proxy/Caddyfile", "prometheus/prometheus.yml"):
        text = (DEPLOY / file).read_text()
        assert sorted(map(int, re.findall(r"127\.0\.0\.1:(\d+)", text))) == ports(), file


def test_the_units_start_what_there_is():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(UNIT)
    service = unit["Service"]
    for key in ("ExecStart", "ExecStartPre"):
        program, *words = shlex.split(service[key].removeprefix("-"))
        assert program == "/opt/croupier/bin/croupier"
        takes(words)
    assert service["Type"] == "notify"
    wanted = descriptors_of(Limits(), several=True)
    assert int(service["LimitNOFILE"]) >= wanted.wanted + wanted.twice + KEPT_BACK, (
        "as many as [limits] allows"
    )


def test_the_container_copies_what_there_is_and_does_not_run_as_root():
    text = (DEPLOY / "container" / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line and line[0] != "#"]
    for _, rest in (line for line in lines if line[0] == "COPY"):
        *sources, _ = rest.split()
        if not sources[0].startswith("--from"):
            assert all((ROOT / source).exists() for source in sources), rest
    last = max(n for n, line in enumerate(lines) if line[0] == "FROM")
    assert ["USER", "croupier"] in lines[last:]
    [entry] = [json.loads(rest) for word, rest in lines if word == "ENTRYPOINT"]
    assert entry[0] == "croupier"
    takes(entry[1:])


class Served(NamedTuple):
    """What a server told that was open for a moment."""

    exported: set[str]
    """The names of everything that can be asked of it."""
    told: list[bytes]
    """What it told systemd."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Served:
    """A server that keeps a copy and seals its record, started by systemd."""
    folder = tmp_path_factory.mktemp("served")
    make_key(folder / "casino.sqlite3.seal-key")
    with (
        pytest.MonkeyPatch.context() as patch,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard,
    ):
        heard.bind(str(folder / "notify"))
        heard.settimeout(10)
        patch.setenv("NOTIFY_SOCKET", str(folder / "notify"))
        patch.setenv("WATCHDOG_USEC", "100000")
        with (
            running(folder, tables=("Raffles",)) as house,
            urllib.request.urlopen(f"{house.url}/metrics") as answer,
        ):
            text = answer.read().decode()
            told = [heard.recv(100) for _ in range(4)]
        while told[-1] != systemd.STOPPING.encode():
            told.append(heard.recv(100))
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    timed = [name for name, kind in kinds.items() if kind == "histogram"]
    parts = {f"{name}_{part}" for name in timed for part in ("bucket", "sum", "count")}
    return Served(set(kinds) | parts, told)


def expressions() -> dict[str, str]:
    """Every question that the dashboard and the alerts ask, by where it stands."""
    board = json.loads((DEPLOY / "grafana" / "croupier.json").read_text())
    found = {
        f"panel {panel['title']}": target["expr"]
        for panel in board["panels"]
        for target in panel["targets"]
    }
    rules = (DEPLOY / "prometheus" / "alerts.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)\n\s+expr: (.+)\n", rules)
    assert len(alerts) == rules.count("- alert:")
    return found | {f"alert {name}": expr for name, expr in alerts}


def test_dashboard_and_alerts_ask_only_what_a_server_exports(served: Served):
    asked: set[str] = set()
    exported = served.exported
    for where, expr in expressions().items():
        named = set(COUNTER.findall(expr))
        assert named <= exported, f"{where} asks for {sorted(named - exported)}"
        asked |= named
    assert len(asked) > 20


def test_the_dashboard_shows_everything_once():
    board = json.loads((DEPLOY / "grafana" / "croupier.json").read_text())
    panels = board["panels"]
    for key in ("id", "title"):
        assert len({panel[key] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(at["x"] + dx, at["y"] + dy) for dx in range(at["w"]) for dy in range(at["h"])}
        assert not cells & taken, f"{panel['title']} lies upon another"
        assert max(x for x, _ in cells) < 24
        taken |= cells


# -- systemd -------------------------------------------------------------------------------------


def test_systemd_is_told_that_the_server_is_open_lives_and_stops(served: Served):
    ready, *alive, stopping = served.told
    assert (ready, stopping) == (b"READY=1", b"STOPPING=1")
    assert len(alive) >= 3
    assert set(alive) == {b"WATCHDOG=1"}


def test_without_systemd_nobody_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not systemd.notify(systemd.READY)
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/notify")
    assert not systemd.notify(systemd.READY)
    monkeypatch.setenv("WATCHDOG_PID", "1")
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    assert systemd.watchdog_seconds() == 0.0
    in_a_loop(systemd.say_alive())


# -- the real programs ---------------------------------------------------------------------------


PACKAGES = {"systemd-analyze": "systemd", "promtool": "prometheus"}


def ran(*words: str, **more: Any) -> str:
    """What a program says that succeeds; installed as Debian has it, if it is not there."""
    if shutil.which(words[0]) is None:
        install = ("apt-get", "install", "-y", "-q", "--no-install-recommends", PACKAGES[words[0]])
        # Nothing that is installed is started.
        environment = {**os.environ, "RUNLEVEL": "1", "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(install, check=True, capture_output=True, env=environment)
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_systemd_takes_the_units(tmp_path: Path):
    program = tmp_path / "croupier"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for file in (DEPLOY / "systemd").glob("croupier*.[st]*"):
        if file.suffix in (".service", ".target"):
            text = file.read_text().replace("/opt/croupier/bin/croupier", str(program))
            (tmp_path / file.name.replace("@", "@left")).write_text(text)
    unit = tmp_path / "croupier@left.service"
    said = ran(
        "systemd-analyze", "verify", "--man=no", str(unit), str(tmp_path / "croupier.target")
    )
    assert not said.strip(), said
    ran("systemd-analyze", "security", "--offline=yes", "--threshold=20", str(unit))


@pytest.mark.slow
def test_prometheus_takes_its_configuration_and_the_alerts():
    folder = DEPLOY / "prometheus"
    assert "SUCCESS" in ran("promtool", "check", "rules", str(folder / "alerts.yml"))
    words = ("promtool", "check", "config", "--syntax-only", str(folder / "prometheus.yml"))
    assert "SUCCESS" in ran(*words)
