"""The bare server of the load benchmark, in a process of its own.

    python3 -m benchmarks._live_echo
    python3 -m benchmarks._live_echo --durable FILE

A server of the same stack that answers each message by one of the same size to everybody at that
table. It stores nothing, or appends each message to a SQLite database first, in a transaction that
is durable before anybody is answered. It says its port on standard output, and listens as Uvicorn
does by itself: with nothing of croupier in it, whatever slows croupier shows.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Callable

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


def nothing(text: str) -> None:
    """Store nothing."""


def appending(file: str) -> Callable[[str], None]:
    """What appends one row to a database, as durably as the House's log is kept."""
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE said (position INTEGER PRIMARY KEY, text TEXT)")

    def append(text: str) -> None:
        database.execute("INSERT INTO said (text) VALUES (?)", (text,))  # a transaction by itself

    return append


def main() -> None:
    """Serve the echo: the same connections, the same fan-out."""
    store = appending(sys.argv[2]) if sys.argv[1:2] == ["--durable"] else nothing
    groups: dict[str, set[WebSocket]] = {}

    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        group = groups.setdefault(websocket.query_params["place"], set())
        group.add(websocket)
        try:
            while True:
                store(await websocket.receive_text())
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
