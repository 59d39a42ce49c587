"""Who asks for all hands again and again, and does not wait, keeps nobody else from theirs."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import pytest

from croupier.live import my_hands, walks
from croupier.live.walks import Gone, GoOn
from tests.live.conftest import Client, Running, running, until


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, tables=("Raffles",)) as opened:
        yield opened


class Walk:
    """A walk that goes on until it is let go, or until nobody waits for it."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.begun: list[str] = []
        self.gone: list[str] = []

    def __call__(self, made: IO[bytes], casino: Any, who: str, form: str, go_on: GoOn) -> None:
        self.begun.append(who)
        while not self.let_go.is_set():
            try:
                go_on()
            except Gone:
                self.gone.append(who)
                raise
            time.sleep(0.01)
        made.write(b"x" * 2_000_000)


@pytest.fixture
def walk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Walk]:
    made = Walk()
    monkeypatch.setattr(my_hands, "pack", made)
    yield made
    made.let_go.set()


def asks(client: Client) -> socket.socket:
    """Ask for a file and do not wait for it."""
    at = urlsplit(client.running.url)
    line = socket.create_connection((at.hostname, at.port))
    head = f"GET /api/my-hands/export/phh HTTP/1.1\r\nHost: {at.netloc}\r\nCookie: {client.cookie}"
    line.sendall(f"{head}\r\n\r\n".encode())
    return line


def file_for(client: Client) -> bytes:
    """Their file; nothing while another of theirs is still being made."""
    try:
        with client.opener.open(f"{client.running.url}/api/my-hands/export/phh") as answer:
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        with error:
            if error.code != 503:
                raise
            return b""


def refused(client: Client) -> str:
    with pytest.raises(urllib.error.HTTPError) as answer:
        client.get("/api/my-hands/export/phh")
    with answer.value:
        assert answer.value.code == 503
        return str(json.load(answer.value)["says"])


def test_a_walk_that_nobody_waits_for_ends_and_one_person_has_one_file_at_a_time(
    house: Running, walk: Walk
):
    ann, bob = house.enter("Ann"), house.enter("Bob")
    with asks(ann):
        until(lambda: walk.begun == ["Ann"])
        assert "already" in refused(ann)
        assert ann.get("/api/lobby")["tables"], "everything else goes on"
    until(lambda: walk.gone == ["Ann"], 5)
    for _ in range(20):
        asks(ann).close()
    walk.let_go.set()
    with bob.opener.open(f"{house.url}/api/my-hands/export/phh") as answer:
        assert answer.headers["content-type"] == "application/zip"
        assert answer.read() == b"x" * 2_000_000
    assert walk.begun.count("Ann") < 20, "those who have gone are not walked for"
    until(lambda: file_for(ann))


def test_not_too_many_wait(house: Running, walk: Walk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(walks, "IN_ALL", 2)
    guests = [house.enter(name) for name in ("Ann", "Bob", "Eve")]
    with asks(guests[0]):
        until(lambda: walk.begun == ["Ann"])
        with asks(guests[1]) as bob, asks(guests[2]) as eve:
            [answered], _, _ = select.select([bob, eve], [], [], 10)
            answered.settimeout(10)
            told = b""
            while b"Many people" not in told:
                told += answered.recv(10_000)
            assert b" 503 " in told
            walk.let_go.set()
            until(lambda: len(walk.begun) == 2)
    with guests[2].opener.open(f"{house.url}/api/my-hands/export/phh") as answer:
        assert len(answer.read()) == 2_000_000
