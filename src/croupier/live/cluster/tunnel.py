"""A player's socket, passed through to the server that runs the table on another machine: bytes, as
they come. On the same machine it is handed over whole (`croupier.live.cluster.handover`).

This server has read the head of the request and looked at whose it is; from then on it reads
nothing. The handshake, the frames, the pings and the farewell are between the player and the server
of the table. A side that does not read as fast as the other writes holds the other one up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from croupier.live.direct_socket import DirectSocket

READ_AT_ONCE = 65_536
CONNECTS_WITHIN = 3.0
"""Seconds that another server has to take a connection."""


class _Side(asyncio.BufferedProtocol):
    """One end of a tunnel. What comes in is read into one buffer for all: it is passed on before
    anything else is read."""

    buffer = bytearray(READ_AT_ONCE)

    def __init__(self) -> None:
        self.transport: Any = None
        self.other: _Side | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def get_buffer(self, sizehint: int) -> bytearray:
        return self.buffer

    def buffer_updated(self, nbytes: int) -> None:
        other = self.other
        if other is not None and not other.transport.is_closing():
            other.transport.write(bytes(memoryview(self.buffer)[:nbytes]))

    def pause_writing(self) -> None:
        if self.other is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        other = self.other
        if other is not None and not other.transport.is_closing():
            other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        other, self.other = self.other, None
        if other is not None:
            other.other = None
            other.transport.close()  # once everything before is written
        if not self.ended.done():
            self.ended.set_result(None)


class _Near(_Side):
    """The end of the player: the direct socket is told when it is over, as the gate counts it."""

    def __init__(self, socket: DirectSocket) -> None:
        super().__init__()
        self._socket: DirectSocket | None = socket
        self.transport = socket.transport

    def connection_lost(self, exc: Exception | None) -> None:
        socket, self._socket = self._socket, None
        super().connection_lost(exc)
        if socket is not None:
            socket.connection_lost(exc)


class Tunnel:
    """One player's socket on its way to the server of a table."""

    def __init__(self, socket: DirectSocket, address: tuple[str, int], head: bytes) -> None:
        """Of a socket whose handshake is not answered yet: `head` asks the other server for it."""
        self._socket = socket
        self._address = address
        self._head = head
        self._near: _Near | None = None

    async def run(self) -> None:
        """Pass it to the other server, until it is over.

        OSError if that server cannot be reached: then nothing has happened.
        """
        socket, loop = self._socket, asyncio.get_running_loop()
        far = _Side()
        async with asyncio.timeout(CONNECTS_WITHIN):
            await loop.create_connection(lambda: far, *self._address)
        if socket.disconnected or socket.transport.is_closing():
            far.transport.close()
            return
        near = self._near = _Near(socket)
        # Uvicorn is through with it: at a stop it only closes the transport.
        socket.handshake_complete = socket.close_sent = True
        near.other, far.other = far, near
        socket.transport.set_protocol(near)
        far.transport.write(self._head)
        await near.ended

    def cut(self) -> None:
        """Nobody answers at the other end any more: the player comes back, and finds the table."""
        near = self._near
        if near is not None:
            far = near.other
            near.transport.abort()
            if far is not None:
                far.transport.abort()


def request_head(target: bytes, headers: Iterable[tuple[bytes, bytes]], method: bytes) -> bytes:
    """The head of a request, as it is written."""
    lines = [b"%s %s HTTP/1.1" % (method, target), *(b"%s: %s" % pair for pair in headers)]
    return b"\r\n".join([*lines, b"", b""])
