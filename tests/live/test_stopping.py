"""A planned stop saves every round; the next start goes on where it stood, for everybody."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from croupier.live.server import has_browser
from tests.live.conftest import Client, running

ROOT = Path(__file__).resolve().parents[2]


def test_a_round_goes_on_after_a_planned_stop(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as casino:
        clients = [casino.enter("Ann"), casino.enter("Ben")]
        tables = [client.at("Raffles") for client in clients]
        for n, (client, table) in enumerate(zip(clients, tables, strict=True), start=1):
            table.do(do="sit", seat=n, player=client.name, stake=50_000)
        before = tables[0].until_view(lambda v: v["turn"] is not None)
        cards = tables[0].do(do="look", seat=1)
        assert cards["is"] == "answer"
        before = next(m for m in reversed(tables[0].heard) if "view" in m)
        money = clients[0].get("/api/me")["play_money"]
    with running(tmp_path, tables=("Raffles",)) as again:
        ann = Client(again, None)
        ann.jar = clients[0].jar  # the cookie is still good
        ann.opener = clients[0].opener
        me = ann.get("/api/me")
        assert (me["name"], me["play_money"]) == ("Ann", money)
        assert me["seats"] == [{"place": "Raffles", "seat": 1}]
        table = ann.at("Raffles", after=before["position"])
        table.next()
        after = table.next()
        assert (after["is"], after["position"]) == ("view", before["position"])
        assert after["view"]["seats"]["1"]["cards"] == before["view"]["seats"]["1"]["cards"]
        assert "??" not in after["view"]["seats"]["1"]["cards"]
        assert after["view"]["turn"] == before["view"]["turn"]
        assert after["view"]["pot"] == before["view"]["pot"]
        assert again.casino.casino.recovered[0].outcome == "goes on"


def test_viewers_are_told_of_a_stop_and_closed(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as casino:
        table = casino.enter("Ann").at("Raffles")
        table.next()
        table.next()
        heard: list[Any] = []

        casino.casino.loop.call_soon_threadsafe(
            lambda: heard.append(casino.casino.loop.create_task(casino.casino.stop()))
        )
        assert table.until("bye")["code"] == "stopping"
        with pytest.raises(ConnectionClosed):
            table.next()
        assert table.socket.close_code == 1001
        with pytest.raises(urllib.error.HTTPError) as answer:
            casino.enter().get("/health")
        assert answer.value.code == 503
        answer.value.close()


# ---- the command --------------------------------------------------------------------------------


CROUPIER = ("-m", "croupier")


def command(folder: Path, *options: str, program: tuple[str, ...] = CROUPIER) -> dict[str, Any]:
    """`croupier serve` as a process is started."""
    return {
        "args": [
            sys.executable,
            *program,
            "serve",
            "--port",
            "0",
            "--no-browser",
            *options,
        ],
        "env": {**os.environ, "PYTHONPATH": str(ROOT / "src"), "HOME": str(folder)},
        "text": True,
    }


def started(
    folder: Path, *options: str, tables: int = 7, program: tuple[str, ...] = CROUPIER
) -> tuple[subprocess.Popen[str], str]:
    """`croupier serve` in a process of its own, once it has said where it is."""
    process = subprocess.Popen(
        **command(folder, *options, program=program), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if "is open at" not in line:
        process.kill()
        raise AssertionError((line, *process.communicate()))
    lines = [process.stdout.readline() for _ in range(tables)]
    assert all("/table/" in line for line in lines), lines
    return process, line.split()[-1].rstrip("/")


def does_not_start(folder: Path, *options: str) -> str:
    """`croupier serve` where it cannot run: the one line that it says."""
    ran = subprocess.run(**command(folder, *options), capture_output=True, timeout=60, check=False)
    assert ran.returncode == 2
    [line] = said(ran.stderr)
    return line


def said(err: str) -> list[str]:
    """What a server said, but for the warning of one that root has started, as in many a container;
    `test_gate` looks at that."""
    return [line for line in err.splitlines() if "started as root" not in line]


@pytest.mark.parametrize(
    "how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_a_signal_is_a_planned_stop(tmp_path: Path, how: signal.Signals):
    process, url = started(tmp_path, "--no-bots")
    try:
        with urllib.request.urlopen(f"{url}/health") as answer:
            assert json.load(answer)["status"] == "ok"
        with connect(f"ws{url[4:]}/ws?place=Raffles") as socket:
            assert json.loads(socket.recv())["is"] == "hello"
            process.send_signal(how)
            with suppress(ConnectionClosed):
                while True:
                    socket.recv(timeout=20)
            assert socket.close_code == 1001
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, err
    logs = [json.loads(line) for line in said(err)]
    assert [line["says"] for line in logs] == ["the casino is open", "the casino is closed"]
    assert (tmp_path / ".croupier" / "demonstration.sqlite3").exists()


def test_a_second_casino_on_the_same_file_is_told_so(tmp_path: Path):
    process, _ = started(tmp_path, "--no-bots", "--quiet")
    try:
        assert "in use by another croupier" in does_not_start(tmp_path)
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_no_browser_is_opened_where_there_is_no_screen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    if sys.platform == "linux":
        assert has_browser() is False
