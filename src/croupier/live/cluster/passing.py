"""Requests that another server must answer: passed on to it, and its answer passed back.

What is asked about one table is asked of the server that runs it. What is asked about all of them
is asked of every server, and the answers are put together.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import h11
import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from croupier.live import wire
from croupier.live.cluster.cluster import MOVED, SAYS, Cluster
from croupier.live.cluster.internal import CLIENT, OURS, PASSED_ON, SCHEME, SECRET, split
from croupier.live.cluster.tunnel import pass_through, request_head
from croupier.live.direct_socket import direct_socket_of
from croupier.live.json_response import BadBody, Json
from croupier.live.logs import NAME
from croupier.live.paths import Endpoint

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

COME_BACK = 1013
"""The code of a socket that is to be opened again in a moment."""
ANSWERS_WITHIN = 15.0
GATHERS_WITHIN = 2.0
"""Seconds that another server has to answer, alone and among all."""
KEPT_OPEN = 32
"""Connections to one other server that are kept for the next request."""
HOP_BY_HOP = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"content-length"))
TOGETHER: dict[str, tuple[tuple[str, str], ...]] = {
    "/api/lobby": (("tables", "place"), ("links", "link")),
    "/api/links": (("links", "link"),),
    "/api/reports/tables": (("tables", "place"),),
    "/api/me": (("seats", "place"),),
    "/api/pit": (("tables", "place"), ("links", "link")),
    "/api/wall": (("links", "link"),),
}
"""Answers that are put together of those of all servers: the lists in them, and by what the entries
of each are told apart."""

SUMS = frozenset({"mine"})
"""Figures that are added up."""

log = logging.getLogger(NAME)


class Passing:
    """Passes on what other servers must answer. Used in the event loop."""

    def __init__(self, casino: LiveCasino, cluster: Cluster) -> None:
        self._casino = casino
        self._cluster = cluster
        self._secret = cluster.secret
        self._idle: dict[str, list[_Link]] = {}

    async def open(self, app: ASGIApp) -> None:
        """Let the other servers in."""
        await self._cluster.door.open(app, self._secret)

    def knows(self, place: str) -> bool:
        """Whether there is such a table or link, here or elsewhere."""
        return self._cluster.knows(place)

    # -- sockets -------------------------------------------------------------------------------

    async def serve(self, socket: WebSocket, place: str) -> bool:
        """Pass a socket to the server that runs its table; False if that is this one."""
        address = None
        if not socket.scope.get(PASSED_ON):
            address = await self._cluster.settled(place)
            if address is None and place in self._casino.hubs:
                return False
        direct = direct_socket_of(socket)
        if address is None or direct is None:
            await _come_back(socket)
            return True
        target = socket.scope["raw_path"] + b"?" + socket.scope["query_string"]
        head = request_head(target, self._headers(socket), b"GET")
        try:
            await pass_through(direct, split(address), head)
        except (OSError, TimeoutError) as error:
            log.warning("a server is not reached: %s", error, extra={"address": address})
            await _come_back(socket)
        return True

    def _headers(self, request: HTTPConnection) -> list[tuple[bytes, bytes]]:
        """The headers of a request with what the other server must know, and nothing that looks
        like it and came from outside."""
        client = request.client.host if request.client else ""
        kept = [pair for pair in request.scope["headers"] if pair[0].lower() not in OURS]
        return [
            *kept,
            (SECRET, self._secret),
            (CLIENT, client.encode("latin-1", "replace")),
            (SCHEME, request.scope["scheme"].encode("ascii")),
        ]

    # -- requests ------------------------------------------------------------------------------

    def passed_on(self, path: str, does: Endpoint) -> Endpoint:
        """An endpoint that asks another server where it must."""
        lists = TOGETHER.get(path)

        async def answer(request: Request) -> Response:
            if request.scope.get(PASSED_ON):
                return await does(request)
            if lists is not None:
                return await self._together(request, does, lists)
            place = request.path_params.get("place") or request.path_params.get("link")
            if not place or self._cluster.is_here(place) or not self._cluster.knows(place):
                return await does(request)
            address = await self._cluster.settled(place)
            if address is None:
                return await does(request)
            return await self._ask(request, address, await self._body(request), ANSWERS_WITHIN)

        return answer if lists is not None or "{place" in path or "{link" in path else does

    async def _body(self, request: Request) -> bytes:
        most, body = self._casino.config.limits.body_bytes, bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise BadBody(413, f"A body has at most {most} bytes.")
        return bytes(body)

    async def _ask(self, request: Request, address: str, body: bytes, within: float) -> Response:
        """What another server answers; 503 if it does not."""
        query = request.scope["query_string"]
        target = request.scope["raw_path"] + (b"?" + query if query else b"")
        kept = [
            pair
            for pair in self._headers(request)
            if pair[0].lower() not in (*HOP_BY_HOP, b"expect", b"upgrade")
        ]
        headers = [*kept, (b"content-length", str(len(body)).encode())]
        try:
            async with asyncio.timeout(within):
                return await self._asked(address, request.method, target, headers, body)
        except (OSError, TimeoutError, h11.ProtocolError, EOFError) as error:
            log.warning("a server does not answer: %r", error, extra={"address": address})
            return Json({"error": MOVED, "says": SAYS}, 503)

    async def _asked(
        self,
        address: str,
        method: str,
        target: bytes,
        headers: list[tuple[bytes, bytes]],
        body: bytes,
    ) -> Response:
        idle = self._idle.setdefault(address, [])
        while idle and not idle[-1].is_open:
            idle.pop().close()
        link = idle.pop() if idle else await _Link.opened(*split(address))
        try:
            answer = await link.ask(method, target, headers, body)
        except BaseException:
            link.close()
            raise
        if link.is_open and len(idle) < KEPT_OPEN:
            idle.append(link)
        else:
            link.close()
        return answer

    async def _together(
        self, request: Request, does: Endpoint, lists: tuple[tuple[str, str], ...]
    ) -> Response:
        """This server's answer, with what the others have more in their lists."""
        addresses = self._cluster.addresses()
        mine, *others = await asyncio.gather(
            does(request),
            *(self._ask(request, each, b"", GATHERS_WITHIN) for each in addresses),
        )
        if mine.status_code != 200 or not others:
            return mine
        found: dict[str, Any] = msgspec.json.decode(bytes(mine.body))
        for other in others:
            if other.status_code == 200:
                told: dict[str, Any] = msgspec.json.decode(bytes(other.body))
                for name, key in lists:
                    known = {each[key] for each in found.get(name) or ()}
                    more = [each for each in told.get(name) or () if each[key] not in known]
                    found[name] = [*(found.get(name) or ()), *more]
                for name in SUMS & found.keys():
                    found[name] += told[name]
        self._put_in_order(found, lists)
        answer = Json(found)
        cookies = [pair for pair in mine.raw_headers if pair[0] == b"set-cookie"]
        answer.raw_headers.extend(cookies)
        return answer

    def _put_in_order(self, found: dict[str, Any], lists: tuple[tuple[str, str], ...]) -> None:
        """As one server would list them: in the order in which they were set up."""
        places = self._casino.casino.office.state.places
        order = {place: number for number, place in enumerate(places)}
        for name, key in lists:
            if isinstance(found.get(name), list) and "mine" not in found:
                found[name].sort(key=lambda each: order.get(each[key], len(order)))

    def close(self) -> None:
        """Ask nobody any more, and let nobody in."""
        self._cluster.door.close()
        for links in self._idle.values():
            for link in links:
                link.close()
        self._idle.clear()


class _Link:
    """A connection to another server, for one request after another."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._http = h11.Connection(h11.CLIENT)

    @classmethod
    async def opened(cls, host: str, port: int) -> _Link:
        return cls(*await asyncio.open_connection(host, port))

    @property
    def is_open(self) -> bool:
        idle = self._http.our_state is h11.IDLE and self._http.their_state is h11.IDLE
        return idle and not (self._writer.is_closing() or self._reader.at_eof())

    async def ask(
        self, method: str, target: bytes, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> Response:
        """Ask once, and read the whole answer."""
        http, write = self._http, self._writer.write
        for said in (
            h11.Request(method=method, target=target, headers=headers),
            *([h11.Data(data=body)] if body else []),
            h11.EndOfMessage(),
        ):
            write(http.send(said) or b"")
        await self._writer.drain()
        head: h11.Response | None = None
        told = bytearray()
        while True:
            event: Any = http.next_event()
            if event is h11.NEED_DATA:
                data = await self._reader.read(65_536)
                if not data and http.their_state is not h11.SEND_BODY:
                    raise EOFError("the connection was closed")
                http.receive_data(data)
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                told += event.data
            elif isinstance(event, h11.EndOfMessage):
                break
            elif isinstance(event, h11.ConnectionClosed):
                raise EOFError("the connection was closed")
        assert head is not None
        answer = Response(bytes(told), head.status_code)
        kept = [pair for pair in head.headers if pair[0].lower() not in HOP_BY_HOP]
        length = (b"content-length", str(len(told)).encode())
        answer.raw_headers = [*((bytes(name), bytes(text)) for name, text in kept), length]
        if http.our_state is h11.DONE and http.their_state is h11.DONE:
            http.start_next_cycle()
        else:
            self.close()
        return answer

    def close(self) -> None:
        self._writer.close()


async def _come_back(socket: WebSocket) -> None:
    """Nobody runs the table at this moment: the client comes back."""
    await socket.accept()
    await socket.send_text(wire.write(wire.ByeMessage(code=MOVED, says=SAYS)).decode())
    await socket.close(COME_BACK)
