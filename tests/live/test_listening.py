"""How the server listens: nothing that it writes waits for the client to acknowledge what was
written before."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from msgspec import structs

from croupier.live.demonstration import demonstration
from croupier.live.errors import CannotListen
from croupier.live.server import listen
from tests.live.conftest import running


def test_an_accepted_connection_sends_at_once(tmp_path: Path):
    with running(tmp_path, tables=("Raffles",)) as casino:
        table = casino.enter("Ann").at("Raffles")
        table.until("view")
        [viewing] = casino.casino.hubs["Raffles"].viewings
        accepted = viewing._line.transport.get_extra_info("socket")  # type: ignore[attr-defined]
        assert accepted.getpeername()[:2] == table.socket.local_address[:2]
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


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
