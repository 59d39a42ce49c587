"""A direct socket: uvicorn's WebSocket, with a way for texts in both directions that skips ASGI.

A table tells many clients the same, and there are many tables. Over ASGI every message is a
dictionary that passes several coroutines and a queue, each way, and wakes a task at the end. A
direct socket writes a text to the transport at once, as one frame, and calls whoever has taken the
socket with each text that comes in. Everything else, from the handshake to the farewell and the
pings, stays with uvicorn and `websockets`.

The application finds the socket of its connection in the ASGI scope, as an extension
(`direct_socket_of`). Where it is not there, `croupier.live.sending` has the usual way.
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Callable

from starlette.websockets import WebSocket
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from croupier.live.gate import FRAGMENTS
from croupier.live.limits import Bucket

EXTENSION = "croupier.direct_socket"
TOO_MANY = 1008
"""The code of a socket that sends more frames than it may (RFC 6455, 7.4.1)."""
PIECE = 4_096
"""Bytes that are read at a time: what one read brings may be tens of thousands of empty frames."""

TEXT = 0x81
"""The first byte of a frame that is a whole text (RFC 6455, 5.2)."""


def _nobody() -> None:
    """Nobody has taken the socket yet."""


class DirectSocket(WebSocketsSansIOProtocol):
    """One WebSocket of the server."""

    _heard: Callable[[str], None] | None = None
    _resumed: Callable[[], None] = staticmethod(_nobody)
    frame_limit: Bucket | None = None
    """The allowance for frames that are no message; none where the gate gave none."""

    def take(self, heard: Callable[[str], None], resumed: Callable[[], None]) -> None:
        """Take the socket: `heard` gets every text that comes in from now on, and `resumed` is
        called when it takes texts again after it was congested."""
        self._heard = heard
        self._resumed = resumed

    @property
    def is_congested(self) -> bool:
        """Whether the client does not read as fast as it is written to: what is written now waits
        in memory."""
        return not self.writable.is_set()

    def write(self, text: bytes) -> None:
        """Send a text, in UTF-8. To one who is gone nothing is sent."""
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            self.transport.write(_head(len(text)) + text)

    async def end(self) -> None:
        """Nothing waits here: what was written is the transport's."""

    # -- uvicorn's side ----------------------------------------------------------------------

    def handle_connect(self, event: Request) -> None:
        """A handshake: the application begins with it, and finds the socket in its scope."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = self.scope["extensions"]
            assert extensions is not None
            extensions[EXTENSION] = {"socket": weakref.ref(self)}  # weak: no reference cycle

    def data_received(self, data: bytes) -> None:
        """Frames came in."""
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return  # whatever a client sends after its end is not read
            super().data_received(data[start : start + PIECE])

    def handle_cont(self, event: Frame) -> None:
        """A fragment. Empty ones add nothing to a message's size, so they are counted."""
        if self._counts() and len(self.frames) < FRAGMENTS:
            super().handle_cont(event)
        else:
            self._cut_off()

    def handle_ping(self) -> None:
        """A ping, which is answered."""
        if self._counts():
            super().handle_ping()
        else:
            self._cut_off()

    def handle_pong(self, event: Frame) -> None:
        """A pong, asked for or not."""
        if self._counts():
            super().handle_pong(event)
        else:
            self._cut_off()

    def _counts(self) -> bool:
        """Whether another frame is within the limit."""
        return not self.disconnected and (self.frame_limit is None or not self.frame_limit.take())

    def _cut_off(self) -> None:
        """Too many frames: say so once, and hear nothing more."""
        self.frames = []
        if self.close_sent or self.transport.is_closing():
            self.transport.close()
            return
        self.close_sent = True
        self.conn.fail(TOO_MANY, "too many frames")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.queue.put_nowait({"type": "websocket.disconnect", "code": TOO_MANY})
        self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        """The application says something. A handshake that it has refused with an answer of its own
        is complete: uvicorn would take it for a fault of the application."""
        await super().send(message)
        self.handshake_complete = self.handshake_complete or self.close_sent

    def send_receive_event_to_app(self) -> None:
        """A message is complete: a text goes to whoever has the socket, unless others wait before
        it; everything else goes the usual way."""
        if self.close_sent and not self._counts():
            self._cut_off()
            return
        if self._heard is None or self.curr_msg_data_type != "text" or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # which closes the connection for it
            return
        self.frames = []
        if not self.close_sent:
            self._heard(text)

    def resume_writing(self) -> None:
        """The transport has written most of what waited."""
        super().resume_writing()
        self._resumed()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end: whoever had the socket is let go of, so that no reference cycle stays."""
        super().connection_lost(exc)
        self._heard, self._resumed = None, _nobody
        self.conn.parser.close()  # it waits for more, and refers to what it belongs to


def direct_socket_of(socket: WebSocket) -> DirectSocket | None:
    """The direct socket of a connection that was accepted; None where another class serves it."""
    found = (socket.scope.get("extensions") or {}).get(EXTENSION)
    direct: DirectSocket | None = found["socket"]() if found is not None else None
    return direct


def _head(size: int) -> bytes:
    """What stands before a text of so many bytes in its frame; a server masks nothing."""
    if size < 126:
        return struct.pack("!BB", TEXT, size)
    if size < 1 << 16:
        return struct.pack("!BBH", TEXT, 126, size)
    return struct.pack("!BBQ", TEXT, 127, size)
