"""How texts go to one client: by a direct socket where uvicorn has what it needs, else over ASGI.

The direct socket (`croupier.live.direct_socket`) stands on a class of uvicorn that is not promised
to stay. So there is a way without it, which every server of ASGI has; it only takes longer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from starlette.websockets import WebSocket

try:
    from croupier.live.direct_socket import DirectSocket, direct_socket_of
except ImportError:  # pragma: no cover  (another uvicorn than those that pyproject.toml allows)
    DIRECT_SOCKET: type[Any] | None = None
else:
    DIRECT_SOCKET = DirectSocket

WAIT_AT_MOST = 16
"""Texts that wait to be sent over ASGI before the way is called congested."""


class Sending(Protocol):
    """The way to one client."""

    @property
    def is_congested(self) -> bool:
        """Whether the client does not read as fast as it is written to."""

    def take(self, heard: Callable[[str], None], resumed: Callable[[], None]) -> None:
        """Take it: `heard` may get the texts that come in, those that it does not get come over
        ASGI; `resumed` is called when it takes texts again after it was congested."""

    def write(self, text: bytes) -> None:
        """Send a text, in UTF-8. To one who is gone nothing is sent."""

    async def end(self) -> None:
        """Send what waits, and let go of whoever took it."""


class OverAsgi:
    """The usual way: each text is a message of ASGI, sent by a task."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._waiting: deque[bytes] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._resumed: Callable[[], None] | None = None

    @property
    def is_congested(self) -> bool:
        return len(self._waiting) >= WAIT_AT_MOST

    def take(self, heard: Callable[[str], None], resumed: Callable[[], None]) -> None:
        self._resumed = resumed

    def write(self, text: bytes) -> None:
        self._waiting.append(text)
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())

    async def _send(self) -> None:
        waiting = self._waiting
        try:
            while waiting:
                await self._socket.send({"type": "websocket.send", "text": waiting[0].decode()})
                was_congested = self.is_congested
                waiting.popleft()
                if was_congested and self._resumed is not None:
                    self._resumed()
        except Exception:  # the client has gone; servers raise different errors for that
            waiting.clear()
        finally:
            self._sender = None

    async def end(self) -> None:
        self._resumed = None
        if self._sender is not None:
            with suppress(asyncio.CancelledError):
                await self._sender


def ws_class() -> Any:
    """What uvicorn is told to serve sockets with: the direct socket, or its own choice."""
    return DIRECT_SOCKET or "websockets-sansio"


def sending_to(socket: WebSocket) -> Sending:
    """The way to a client whose connection was accepted."""
    found = direct_socket_of(socket) if DIRECT_SOCKET is not None else None
    return found if found is not None else OverAsgi(socket)
