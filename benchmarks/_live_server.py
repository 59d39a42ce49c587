"""The two servers of the load benchmark, each in a process of its own.

    python3 -m benchmarks._live_server casino FOLDER TABLES
    python3 -m benchmarks._live_server echo FOLDER TABLES

`casino` is croupier with so many poker tables on SQLite; `echo` is a bare server of the same stack
that answers each message by one of the same size to everybody at that table. Both say their port
and their memory on standard output, and answer each further line on standard input with the
memory that they use then.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from pathlib import Path
from typing import Any

import psutil
import uvicorn
from msgspec import structs
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from croupier.house.settling import settle_down
from croupier.live.config import Clocks, Config, Limits, ServerConfig
from croupier.live.demonstration import demonstration
from croupier.live.server import listen, make_server, open_casino

SEATS = 5
MESSAGE = '{"is": "events", "view": "' + "x" * 2_400 + '"}'
"""About the size of what a table tells each viewer after a command."""


def say(*words: object) -> None:
    """One line for whoever started this."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def memory() -> int:
    """Bytes that this process holds."""
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def config_of(folder: Path, tables: int) -> Config:
    """So many tables of No Limit Hold'em v8, dealt at once; nobody is timed out."""
    base = demonstration()
    table = base.tables["Raffles"]
    settings = {**table.settings, "straddle": False, "minimum_stake": 1_000}
    plain = structs.replace(table, settings=settings, bots=0)
    plenty = Limits(
        messages_per_second=1e6,
        messages_at_once=10**6,
        requests_per_second=1e6,
        requests_at_once=10**6,
        connections_per_address=10**6,
    )
    return structs.replace(
        base,
        server=ServerConfig(port=0, database=f"sqlite:///{folder / 'load.sqlite3'}"),
        clocks=Clocks(to_act=3_600, pace=0.3, between_rounds=0.5, showdown=0, seat_kept=86_400),
        limits=plenty,
        links={},
        tables={f"T{n}": plain for n in range(tables)},
    )


def casino(folder: Path, tables: int) -> None:
    """Serve croupier."""
    (folder / "first").mkdir()
    first = open_casino(config_of(folder / "first", 1))  # what every casino needs is loaded
    first.casino.stop()
    before = memory()
    config = config_of(folder, tables)
    made = listen(config)
    opened = open_casino(config)

    def listening() -> None:
        settle_down()
        say(made.getsockname()[1], before, memory())

    _run(make_server(config, opened, made, listening), made)


def echo(folder: Path, tables: int) -> None:
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

    before = memory()
    made = listen(config_of(folder, 1))
    config = uvicorn.Config(
        Starlette(routes=[WebSocketRoute("/ws", socket)]),
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        backlog=2_048,
    )
    server = uvicorn.Server(config)
    made.listen(2_048)
    say(made.getsockname()[1], before, before)
    _run(server, made)


def _run(server: Any, made: Any) -> None:
    async def questions() -> None:
        """Answer each line with the memory in use; the end of input is the end of the server."""
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, sys.stdin.readline):
            say(memory())
        server.should_exit = True

    async def both() -> None:
        asking = asyncio.create_task(questions())
        await server.serve(sockets=[made])
        asking.cancel()

    asyncio.run(both())


if __name__ == "__main__":
    kind, folder, tables = sys.argv[1:]
    {"casino": casino, "echo": echo}[kind](Path(folder), int(tables))
