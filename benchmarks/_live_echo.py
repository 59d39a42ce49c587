"""The bare server of the load benchmark, in a process of its own.

    python3 -m benchmarks._live_echo

A server of the same stack that answers each message by one of the same size to everybody at that
table, and stores nothing. It says its port on standard output, and listens as Uvicorn does by
itself: with nothing of croupier in it, whatever slows croupier shows.
"""

from __future__ import annotations

import asyncio
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

MESSAGE = '{"is": "events", "view": "' + "x" * 2_400 + '"}'
"""About the size of what a table tells each viewer after a command."""


class Server(uvicorn.Server):
    """Uvicorn, which says its port once it listens."""

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup()
        port = self.servers[0].sockets[0].getsockname()[1]
        sys.stdout.write(f"listens on http://127.0.0.1:{port}/\n")
        sys.stdout.flush()


def main() -> None:
    """Serve the bare echo: the same connections, the same fan-out, nothing stored."""
    groups: dict[str, set[WebSocket]] = {}

    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        group = groups.setdefault(websocket.query_params["place"], set())
        group.add(websocket)
        try:
            while True:
                await websocket.receive_text()
                for other in tuple(group):
                    await other.send_text(MESSAGE)
        except (WebSocketDisconnect, RuntimeError):
            group.discard(websocket)

    config = uvicorn.Config(
        Starlette(routes=[WebSocketRoute("/ws", socket)]),
        host="127.0.0.1",
        port=0,
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        backlog=2_048,
    )
    asyncio.run(Server(config).serve())


if __name__ == "__main__":
    main()
