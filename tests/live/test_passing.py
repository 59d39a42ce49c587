"""What is passed on to other servers goes over few connections, which are closed in the end."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from croupier.live.cluster import passing, unproven
from croupier.live.cluster.internal import SECRET, Door
from croupier.live.cluster.passing import KEPT_OPEN, Passing
from croupier.live.cluster.tunnel import request_head
from croupier.live.config import Limits
from tests.in_a_loop import in_a_loop


class Connection:
    """One that answers a little later."""

    def __init__(self) -> None:
        self.is_open = True

    async def ask(self, *_: object) -> Response:
        await asyncio.sleep(0.001)
        return Response(b"{}")

    def close(self) -> None:
        self.is_open = False


def test_connections_to_another_server_are_used_again_and_none_is_lost(
    monkeypatch: pytest.MonkeyPatch,
):
    made: list[Connection] = []

    async def opened(*_: object) -> Connection:
        await asyncio.sleep(0)
        made.append(Connection())
        return made[-1]

    monkeypatch.setattr(passing._Link, "opened", opened)
    cluster: Any = SimpleNamespace(door=SimpleNamespace(secret=b"", close=lambda: None))
    here: Any = SimpleNamespace()

    async def ask(asks: Passing) -> None:
        await asks._asked("10.0.0.5:8117", "GET", b"/", [], b"")

    async def ask_all() -> None:
        asks = Passing(here, cluster)
        for _ in range(10):
            await asyncio.gather(*(ask(asks) for _ in range(2 * KEPT_OPEN)))
        assert sum(each.is_open for each in made) == KEPT_OPEN
        made[-1].is_open = False
        await ask(asks)
        asks.close()
        assert not any(each.is_open for each in made)

    in_a_loop(ask_all())


HANDSHAKE = [
    (b"host", b"server"),
    (b"connection", b"upgrade"),
    (b"upgrade", b"websocket"),
    (b"sec-websocket-version", b"13"),
    (b"sec-websocket-key", b"dGhlIHNhbXBsZSBub25jZQ=="),
]
PING = b"\x89\x80\0\0\0\0"
"""An empty one, masked with nothing (RFC 6455, 5.2)."""
PONG = b"\x8a\x00"


async def listens(scope: Scope, receive: Receive, send: Send) -> None:
    """A socket at which nothing is said."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def test_pings_of_a_socket_that_is_passed_through_are_counted():
    """The server that passes it on reads nothing of it, so the one behind must count."""

    async def flood() -> bytes:
        made = socket.socket()
        made.bind(("127.0.0.1", 0))
        door = Door(made, Limits(), b"secret")
        await door.open(listens)
        reader, writer = await asyncio.open_connection(*made.getsockname())
        writer.write(request_head(b"/", [*HANDSHAKE, (SECRET, b"secret")], b"GET"))
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(2_000 * PING)
        said = b""
        with suppress(asyncio.TimeoutError, ConnectionError):
            while more := await asyncio.wait_for(reader.read(65_536), 2):
                said += more
        writer.close()
        door.close()
        return said

    said = in_a_loop(flood())
    assert said.count(PONG) < 1_000
    assert b"too many frames" in said


# ---- the door for other servers -----------------------------------------------------------------


async def _closed(reader: asyncio.StreamReader) -> bool:
    """Whether the other side closes it within two seconds."""
    try:
        async with asyncio.timeout(2):
            await reader.read()
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


async def _says(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes) -> bytes:
    writer.write(b"GET /alive HTTP/1.1\r\nHost: server\r\n%b: %b\r\n\r\n" % (SECRET, secret))
    return await reader.readuntil(b"\r\n")


def test_at_the_door_for_other_servers_nobody_waits_who_does_not_bring_the_secret(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(unproven, "PROVES_WITHIN", 0.4)
    monkeypatch.setattr(unproven, "A_MOMENT", 0.1)

    async def attacked() -> None:
        made = socket.create_server(("127.0.0.1", 0))
        address = made.getsockname()
        door = Door(made, Limits(), b"the secret")
        await door.open(listens)
        lines = []

        async def opened() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            lines.append(await asyncio.open_connection(*address))
            return lines[-1]

        server = await opened()
        assert (await _says(*server, b"the secret")).startswith(b"HTTP/1.1 204")
        stranger = await opened()
        assert (await _says(*stranger, b"no secret")).startswith(b"HTTP/1.1 403")
        assert await _closed(stranger[0])
        assert await _closed((await opened())[0]), "who says nothing is not waited for"
        crowd = [await opened() for _ in range(unproven.MANY + 20)]
        await asyncio.sleep(0.25)
        assert len(door._unproven) <= unproven.MANY, "and of many nobody for longer than a moment"
        assert await _closed(crowd[0][0])
        assert (await _says(*server, b"the secret")).endswith(b"\r\n"), "a server stays"
        for _, writer in lines:
            writer.close()
        door.close()

    in_a_loop(attacked())
