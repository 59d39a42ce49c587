"""How the server listens: nothing that it writes waits for the client to acknowledge what was
written before."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from msgspec import structs

from croupier.live.demonstration import demonstration
from croupier.live.errors import BadConfig, CannotListen
from croupier.live.server import listen, loop_of
from tests.live.conftest import running


def test_an_accepted_connection_sends_at_once(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as casino:
        table = casino.enter("Ann").at("Raffles")
        table.until("view")
        [viewing] = casino.casino.hubs["Raffles"].viewings
        accepted = viewing._line.transport.get_extra_info("socket")  # type: ignore[attr-defined]
        assert accepted.getpeername()[:2] == table.socket.local_address[:2]
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_a_second_message_does_not_wait_for_the_first_to_be_acknowledged(tmp_path: Path):
    """Two pings in one go bring two answers, each a message of its own. A client that acknowledges
    when it has something to say, as a browser does, would wait some 40 ms for the second."""
    if not hasattr(socket, "TCP_QUICKACK"):
        pytest.skip("this system cannot be told to acknowledge late")
    with running(tmp_path, tables=("Raffles",)) as casino:
        table = casino.enter("Ann").at("Raffles")
        table.until("view")
        waits = []
        for number in range(12):
            table.socket.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 0)
            table.send({"ping": 2 * number})
            table.send({"ping": 2 * number + 1})
            table.until("pong", ping=2 * number)
            began = time.perf_counter()
            table.until("pong", ping=2 * number + 1)
            waits.append(time.perf_counter() - began)
    assert sorted(waits)[len(waits) // 2] < 0.03, waits


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_listener_names_its_protocol(host: str):
    """asyncio sets TCP_NODELAY on connections of such a listener alone."""
    shown = demonstration()
    config = structs.replace(shown, server=structs.replace(shown.server, host=host, port=0))
    try:
        made = listen(config)
    except CannotListen:
        pytest.skip(f"this machine has no {host}")
    with made:
        assert (made.type, made.proto) == (socket.SOCK_STREAM, socket.IPPROTO_TCP)


def test_an_event_loop_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch):
    asked = structs.replace(demonstration().server, loop="uvloop")
    monkeypatch.setattr("croupier.live.server.find_spec", lambda name: None)
    with pytest.raises(BadConfig, match=r"uvloop is not installed; install croupier\[uvloop\]"):
        loop_of(asked)
    assert loop_of(demonstration().server) == "auto"
