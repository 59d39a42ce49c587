"""The clients of the load benchmark: WebSockets on loopback that do no more than they must.

They are ordinary sockets. Their system acknowledges as it does for a browser's, together with what
is sent next or after a while: a server that waited for that would show.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
import time
import urllib.request
from collections import deque

from benchmarks._live_servers import Server

SEATS = 5
WATCHERS = 1
ACTS = (b"check", b"call")
PATCHES = "&patches=1"
"""In the address of a client that is sent only what has changed of a view, as the pages are."""


class Client(asyncio.Protocol):
    """A WebSocket client that does no more than it must: it counts frames and reads their text."""

    def __init__(self, crowd: Crowd, place: str, seat: int | None, cookie: str) -> None:
        self.crowd, self.place, self.seat, self.cookie = crowd, place, seat, cookie
        self.sent: float | None = None
        self.asked: float | None = None
        """When the command was sent that has no answer yet."""
        self.command = b""
        self.number = 0
        self._buffer = b""
        self._upgraded = False
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        made = transport.get_extra_info("socket")
        if hasattr(socket, "TCP_QUICKACK"):
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 0)
        transport.write(
            f"GET /ws?place={self.place}{self.crowd.asks} HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{self.crowd.port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nCookie: {self.cookie}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer + data if self._buffer else data
        if not self._upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            if b" 101 " not in buffer[:20]:
                raise RuntimeError(f"the server did not let a client in: {buffer[:200]!r}")
            self._upgraded = True
            self.crowd.connected += 1
            buffer = buffer[end + 4 :]
        at = 0
        while len(buffer) - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                if len(buffer) - at < 4:
                    break
                (length,) = struct.unpack_from("!H", buffer, at + 2)
                start = at + 4
            elif length == 127:
                if len(buffer) - at < 10:
                    break
                (length,) = struct.unpack_from("!Q", buffer, at + 2)
                start = at + 10
            if len(buffer) < start + length:
                break
            if buffer[at] & 15 == 9:
                self._frame(10, buffer[start : start + length])
            else:
                self.crowd.heard(self, buffer[start : start + length])
            at = start + length
        self._buffer = buffer[at:]

    def send(self, text: bytes) -> None:
        """Send one text message."""
        self.sent = self.asked = time.perf_counter()
        self._frame(1, text)

    def _frame(self, kind: int, text: bytes) -> None:
        # A mask of zeros is a mask: the frame is what the protocol asks for.
        size = len(text)
        head = struct.pack("!BB", 128 | kind, 128 | size) if size < 126 else None
        if head is None:
            head = struct.pack("!BBH", 128 | kind, 128 | 126, size)
        self._transport.write(head + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Go."""
        self._transport.abort()


class Crowd:
    """All clients of one server."""

    def __init__(self, port: int, *, plays: bool, asks: str = "") -> None:
        self.port = port
        self.asks = asks
        """What its clients add to their address."""
        self.received = 0
        """Bytes of messages."""
        self.plays = plays
        self.connected = 0
        self.clients: list[Client] = []
        self.ready: deque[Client] = deque()
        self.taken: list[float] = []
        self.answered: list[float] = []
        self.done = 0

    def heard(self, client: Client, text: bytes) -> None:
        """A message has come: note how long it took, and whether it is this client's turn."""
        now = time.perf_counter()
        self.received += len(text)
        if client.sent is not None and text.startswith((b'{"is":"events"', b'{"is": "events"')):
            self.taken.append(now - client.sent)
            self.done += 1
            client.sent = None
            if not self.plays:
                self.ready.append(client)
        elif client.asked is not None and text.startswith(b'{"is":"answer"'):
            self.answered.append(now - client.asked)
            client.asked = None
        if self.plays and client.seat is not None and text.startswith(b'{"is":'):
            self._turn(client, text)

    def _turn(self, client: Client, text: bytes) -> None:
        """A player's offers say whether it is their turn; a patch has them only where they changed.
        What is offered at a showdown is left to the House: nobody sends what would be refused."""
        if b'"offers":{' not in text:
            return
        act = b""
        if b'"offers":{"%d":[' % client.seat in text:
            act = next((each for each in ACTS if b'"do":"%s"' % each in text), b"")
        if act and not client.command:
            self.ready.append(client)
        client.command = b'{"do":"%s","seat":%d}' % (act, client.seat) if act else b""

    def act(self) -> bool:
        """Let the player who has waited longest act; False if nobody can."""
        while self.ready:
            client = self.ready.popleft()
            if self.plays and not client.command:
                continue
            if client.sent is not None:
                continue
            client.number += 1
            id = f"load-{client.place}-{client.seat}-{client.number:08d}"
            command = client.command or b'{"do":"check","seat":1}'
            client.command = b""
            client.send(
                b'{"id":"%s","place":"%s","command":%s}'
                % (id.encode(), client.place.encode(), command)
            )
            return True
        return False

    async def offer(self, rate: float, seconds: float) -> tuple[int, list[float]]:
        """Offer commands at a rate for so long; return how many were carried out, and the times."""
        self.taken, self.answered, before = [], [], self.done
        began = time.perf_counter()
        offered = 0
        while (passed := time.perf_counter() - began) < seconds:
            while offered < passed * rate and self.act():
                offered += 1
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.5)
        return self.done - before, sorted(self.taken)


def at(times: list[float], share: float) -> float:
    """The time that this share of all keeps to, in milliseconds; the times are sorted."""
    return times[min(len(times) - 1, int(share * len(times)))] * 1_000 if times else float("inf")


def entered(port: int, name: str) -> str:
    """Enter as a guest; return the cookie."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/me") as answer:
        token = json.load(answer)["token"]
        cookie = answer.headers["set-cookie"].partition(";")[0]
    headers = {
        "Cookie": cookie,
        "X-Croupier-Token": token,
        "Content-Type": "application/json",
    }
    body = json.dumps({"name": name}).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/enter", body, headers)
    with urllib.request.urlopen(request) as answer:
        return str(answer.headers["set-cookie"].partition(";")[0])


async def connected(crowd: Crowd, tables: int, cookies: dict[tuple[str, int], str]) -> None:
    """Connect everybody, a few at a time."""
    loop = asyncio.get_running_loop()
    seats: list[int | None] = [*range(1, SEATS + 1), *([None] * WATCHERS)]
    for n in range(tables):
        for seat in seats:
            cookie = cookies.get((f"T{n}", seat or 0), "")
            client = Client(crowd, f"T{n}", seat, cookie)
            crowd.clients.append(client)
            await loop.create_connection(lambda c=client: c, "127.0.0.1", crowd.port)  # type: ignore[misc]
    end = time.monotonic() + 60
    while crowd.connected < len(crowd.clients):
        if time.monotonic() > end:
            raise RuntimeError(f"only {crowd.connected} of {len(crowd.clients)} clients came in")
        await asyncio.sleep(0.05)


async def seated(server: Server, tables: int, asks: str = PATCHES) -> tuple[Crowd, int]:
    """The crowd of a casino, all at their tables; and by how much its memory has grown."""
    loop = asyncio.get_running_loop()
    cookies: dict[tuple[str, int], str] = {}
    for n in range(tables):
        for seat in range(1, SEATS + 1):
            name = f"P {n} {seat}"
            cookies[f"T{n}", seat] = await loop.run_in_executor(None, entered, server.port, name)
    crowd = Crowd(server.port, plays=True, asks=asks)
    before = server.memory()
    await connected(crowd, tables, cookies)
    grown = server.memory() - before
    for client in crowd.clients:
        if client.seat is not None:
            n = client.place[1:]
            sit = {
                "do": "sit",
                "seat": client.seat,
                "player": f"P {n} {client.seat}",
                "stake": 100_000,
            }
            message = {"id": f"sit-{n}-{client.seat}-000", "place": client.place, "command": sit}
            client.send(json.dumps(message).encode())
    return crowd, grown


async def at_echo(server: Server, tables: int) -> Crowd:
    """The crowd of an echo."""
    crowd = Crowd(server.port, plays=False)
    await connected(crowd, tables, {})
    crowd.ready.extend(client for client in crowd.clients if client.seat is not None)
    return crowd
