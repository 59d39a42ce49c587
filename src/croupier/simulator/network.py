"""The way between a client and the server: late, cut, slow or half open, but in order.

`SimulatedSocket` is what a `Connection` of the server takes for a WebSocket. What one side sends,
the other gets after a while and in order. A way that is cut brings nothing any more; either side
may take long to notice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from croupier.live.connection import Connection
from croupier.live.identity import Visitor
from croupier.simulator.process import Process

DISCONNECTED = {"type": "websocket.disconnect", "code": 1006}


class SimulatedSocket:
    """The server's end of the way."""

    def __init__(self, way: Way) -> None:
        self.scope: dict[str, Any] = {}
        self._way = way
        self._came: deque[dict[str, Any]] = deque()
        self._waits: asyncio.Future[None] | None = None

    def take(self, message: dict[str, Any]) -> None:
        """Something has arrived."""
        self._came.append(message)
        if self._waits is not None and not self._waits.done():
            self._waits.set_result(None)

    async def receive(self) -> dict[str, Any]:
        """The next message."""
        while not self._came:
            self._waits = asyncio.get_running_loop().create_future()
            await self._waits
        return self._came.popleft()

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; whoever reads slowly holds this up."""
        if self._way.reads_slowly:
            await asyncio.sleep(self._way.reads_slowly)
        self._way.to_client(message["text"])

    async def close(self, code: int) -> None:
        """The server closes."""
        self._way.closed_by_server(code)


class Way:
    """One connection of a client to one table."""

    def __init__(
        self,
        process: Process,
        through: Process,
        chance: Random,
        heard: Callable[[str], None],
        closed: Callable[[int], None],
    ) -> None:
        self.process = process
        """The server of the table."""
        self.through = through
        """The server to which the client has come: this one, or another that passes it on."""
        self.parted_until: Callable[[Process, Process], float] = lambda one, other: 0.0
        self.place = ""
        self.is_cut = False
        self.held_until = 0.0
        """What is sent before then arrives then: the network is parted."""
        self.reads_slowly = 0.0
        """Seconds that the client takes for each message."""
        self.socket = SimulatedSocket(self)
        self._chance = chance
        self._heard, self._closed = heard, closed
        self._last = {"up": 0.0, "down": 0.0}

    def open(self, place: str, visitor: Visitor, after: int | None, *, wants_offers: bool) -> None:
        """Let the client in at a table."""
        self.place = place
        socket: Any = self.socket
        connection = Connection(
            self.process.live, place, visitor, socket, wants_offers=wants_offers
        )
        self.process.loop.create_task(connection.run(after))

    def to_server(self, text: str) -> None:
        """The client sends a text."""
        self._later("up", lambda: self._arrives({"type": "websocket.receive", "text": text}))

    def to_client(self, text: str) -> None:
        """The server sends a text."""
        if self.process.alive:
            self._later("down", lambda: self._heard(text))

    def _later(self, direction: str, call: Callable[[], None]) -> None:
        now = self.process.timeline.now
        held = max(self.held_until, self.parted_until(self.through, self.process))
        held = max(held, self.through.loop.frozen_until)
        at = max(now + 0.001 + self._chance.random() * 0.05, held)
        at = self._last[direction] = max(at, self._last[direction])
        self.process.timeline.at(at, lambda: None if self.is_cut else call())

    def _arrives(self, message: dict[str, Any]) -> None:
        if self.process.is_frozen:  # it is read once the process is awake
            wakes = self.process.loop.frozen_until
            self.process.timeline.at(wakes, lambda: self._arrives(message))
            return
        self.process.within(lambda: self.socket.take(message))

    def cut(self, noticed: float) -> None:
        """The way ends: the client knows it, the server only after so many seconds."""
        self.is_cut = True
        self.process.timeline.after(noticed, lambda: self._arrives(DISCONNECTED))

    def reads_again(self) -> None:
        """The client reads as fast as it should."""
        self.reads_slowly = 0.0

    def closed_by_server(self, code: int) -> None:
        """The server has closed; the client hears so if anything gets through to it."""
        if self.process.alive:
            self._later("down", lambda: self._ends(code))

    def _ends(self, code: int) -> None:
        self.is_cut = True
        self._closed(code)
