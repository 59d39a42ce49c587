"""The door for the other servers: a port of its own, with a secret that all servers of a House
share.

Behind it stands the same application as behind the public one. Whoever passes a request on has
looked at where it came from and how fast; who the visitor is and what a visitor may do is decided
here again, by the visitor's own cookie. What is passed on is never passed on a second time.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import socket
from collections.abc import Callable
from typing import Any, cast

import h11
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from croupier.live.cluster.handover import Taking, name_of
from croupier.live.cluster.unproven import Ends, Unproven
from croupier.live.config import Limits
from croupier.live.errors import BadConfig
from croupier.live.gate import CLOSING_SECONDS, EVERY, frames_of
from croupier.live.http_connection import tell_when_lost
from croupier.live.listening import listen_on
from croupier.live.sending import ws_class

SECRET = b"x-croupier-server"
CLIENT = b"x-croupier-client"
SCHEME = b"x-croupier-scheme"
OURS = (SECRET, CLIENT, SCHEME)
ALIVE = b"/alive"
"""What a server is asked to see whether it answers at all."""
PASSED_ON = "croupier.passed_on"
"""In the scope of what another server has passed on."""


def secret_of(key: bytes) -> bytes:
    """What servers prove to each other that they are of one House, made of the key they share."""
    return hmac.new(key, b"servers of one House", hashlib.sha256).hexdigest().encode()


def open_socket(written: str) -> socket.socket:
    """The socket of a HOST:PORT, bound and not listening yet."""
    return listen_on(*split(written), "name another address in servers.listen")


def split(written: str) -> tuple[str, int]:
    """Host and port of what is written as HOST:PORT."""
    host, _, port = written.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise BadConfig(f"servers.listen: {written!r} is no HOST:PORT; write 10.0.0.5:8117")
    return host.strip("[]"), int(port)


def address_of(made: socket.socket) -> str:
    """Where a socket is bound, as it is written."""
    host, port = made.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class Internal:
    """The application behind the door for other servers."""

    def __init__(self, app: ASGIApp, secret: bytes, unproven: Unproven) -> None:
        self._app = app
        self._secret = secret
        self._unproven = unproven

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        if not hmac.compare_digest(headers.get(SECRET, b""), self._secret):
            if scope["type"] == "http":
                said, last = "This door is for other servers.", {"connection": "close"}
                await PlainTextResponse(said, 403, last)(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 4403})
            return
        self._unproven.proved((scope["client"], scope["server"]))
        if scope["type"] == "http" and scope["raw_path"] == ALIVE:
            await PlainTextResponse("", 204)(scope, receive, send)
            return
        scope["headers"] = [(name, text) for name, text in scope["headers"] if name not in OURS]
        scope["client"] = (headers.get(CLIENT, b"").decode("latin-1"), 0)
        scope["scheme"] = headers.get(SCHEME, b"http").decode("latin-1")
        scope[PASSED_ON] = True
        await self._app(scope, receive, send)


class _FromServer(H11Protocol):
    """A connection of another server. A socket on it is a visitor's own, of which the other server
    reads nothing: its frames are counted here."""

    def __init__(self, *, limits: Limits, unproven: Unproven, **others: Any) -> None:
        super().__init__(**others)
        self._limits = limits
        self._unproven = unproven

    def connection_made(self, transport: Any) -> None:
        """It is open, and has not brought the secret yet."""
        super().connection_made(transport)
        self._ends: Ends = (self.client, self.server)
        if self.client is not None:
            self._unproven.came(self._ends, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        super().connection_lost(exc)
        self._unproven.proved(self._ends)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It becomes a socket."""
        super().handle_websocket_upgrade(event)
        protocol: Any = self.transport.get_protocol()
        protocol.frame_limit = frames_of(self._limits)


class _HandedOver(_FromServer):
    """A visitor's own connection, which another server on this machine has handed over after it
    had read the head of the request."""

    def __init__(self, *, head: bytes, ended: Callable[[], None], **others: Any) -> None:
        """`ended` is told once it is over."""
        super().__init__(**others)
        self._head = head
        self._ended = ended

    def connection_made(self, transport: Any) -> None:
        """It is here; the head comes before anything that the visitor sends from now on."""
        super().connection_made(transport)
        self.data_received(self._head)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, and has not become a socket."""
        super().connection_lost(exc)
        self._ended()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It becomes a socket."""
        super().handle_websocket_upgrade(event)
        tell_when_lost(self.transport.get_protocol(), self._ended)


class Door:
    """Listens for the other servers; opened and closed in the event loop."""

    def __init__(
        self, made: socket.socket, limits: Limits, secret: bytes, address: str = ""
    ) -> None:
        """`address` is where the others reach it, if that is not where the socket is bound."""
        self._socket = made
        self.secret = secret
        self._limits = limits
        self._address = address or address_of(made)
        self._server: asyncio.Server | None = None
        self._taking: Taking | None = None
        self._state = ServerState()
        self._unproven = Unproven()
        self._closing: dict[Any, float] = {}
        """Connections that are being closed, and since when they are."""
        self._sweeping: asyncio.Task[None] | None = None

    async def open(self, app: ASGIApp) -> None:
        """Let other servers in from now on."""
        config = uvicorn.Config(
            Internal(app, self.secret, self._unproven),
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            date_header=False,
            ws=ws_class(),
            ws_max_size=self._limits.message_bytes,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            h11_max_incomplete_event_size=self._limits.header_bytes + 2_048,
            timeout_keep_alive=60,
            proxy_headers=False,
        )
        config.load()

        every: dict[str, Any] = {
            "limits": self._limits,
            "unproven": self._unproven,
            "config": config,
            "server_state": self._state,
            "app_state": {},
        }

        def connection() -> asyncio.Protocol:
            return cast(asyncio.Protocol, _FromServer(**every))

        def handed_over(head: bytes, ended: Callable[[], None]) -> asyncio.Protocol:
            return cast(asyncio.Protocol, _HandedOver(head=head, ended=ended, **every))

        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(connection, sock=self._socket, backlog=2_048)
        most = config.h11_max_incomplete_event_size or 0
        self._taking = Taking(name_of(self._address, self.secret), handed_over, most)
        self._taking.open()
        self._sweeping = asyncio.create_task(self._sweep_always())

    async def _sweep_always(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            self._sweep()

    def _sweep(self) -> None:
        """Cut off whoever does not take what was written before the end, as the gate does at the
        server that players come to: that one does not know that the connection is being closed."""
        now = asyncio.get_running_loop().time()
        closing: list[Any] = [each for each in self._state.connections if _is_closing(each)]
        self._closing = {each: self._closing.get(each, now) for each in closing}
        for each, since in self._closing.items():
            if since + CLOSING_SECONDS <= now:
                each.transport.abort()

    def close(self) -> None:
        """Let nobody in any more, and let go of who is here."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        if self._server is not None:
            self._server.close()
        if self._taking is not None:
            self._taking.close()
        for each in tuple(self._state.connections):
            each.shutdown()
        self._socket.close()


def _is_closing(connection: Any) -> bool:
    return bool(connection.transport.is_closing())
