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
from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from croupier.live import wire
from croupier.live.cluster.cluster import MOVED, SAYS, Cluster
from croupier.live.cluster.handover import HandedOver, hand_over, name_of
from croupier.live.cluster.internal import ALIVE, CLIENT, OURS, PASSED_ON, SCHEME, SECRET, split
from croupier.live.cluster.tunnel import Tunnel, request_head
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
WATCHES = 1.0
"""Seconds between two looks whether those answer to whom sockets are passed through."""
ALIVE_WITHIN = 4.0
"""Seconds that they have to answer that they are there; as long as one that is frozen has."""
KEPT_OPEN = 32
"""Connections to one other server that are kept for the next request."""
HOP_BY_HOP = frozenset((b"connection", b"keep-alive", b"transfer-encoding", b"content-length"))


class Together(Struct, frozen=True, kw_only=True):
    """An answer that is put together of those of all servers."""

    lists: tuple[tuple[str, str], ...]
    """The lists in it, and by what the entries of each are told apart."""
    urgent_first: bool = False
    """Whether what needs the visitor comes first and is counted, as at the pit."""


TOGETHER = {
    "/api/lobby": Together(lists=(("tables", "place"), ("links", "link"))),
    "/api/links": Together(lists=(("links", "link"),)),
    "/api/reports/tables": Together(lists=(("tables", "place"),)),
    "/api/me": Together(lists=(("seats", "place"),)),
    "/api/pit": Together(lists=(("tables", "place"), ("links", "link")), urgent_first=True),
    "/api/wall": Together(lists=(("links", "link"),)),
}

EVERYWHERE = frozenset({"/api/exit"})
"""What every server must hear, whichever was told."""

ABOUT = {"announce last round": "table"}
"""Orders of the office that a table must have its say in where it is run, and which field names
it."""
ORDERS = "/api/office/commands"

log = logging.getLogger(NAME)


class Passing:
    """Passes on what other servers must answer. Used in the event loop."""

    def __init__(self, casino: LiveCasino, cluster: Cluster) -> None:
        self._casino = casino
        self._cluster = cluster
        assert cluster.door is not None
        self._door = cluster.door
        self._secret = cluster.door.secret
        self._idle: dict[str, list[_Link]] = {}
        self._passed: dict[Tunnel | HandedOver, tuple[str, str]] = {}
        """The sockets that are passed on: of which table, and where to."""
        self._watching: asyncio.Task[None] | None = None

    async def open(self, app: ASGIApp) -> None:
        """Let the other servers in."""
        await self._door.open(app)
        self._watching = asyncio.create_task(self._watch())

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
        passed: Tunnel | HandedOver = hand_over(
            direct, name_of(address, self._secret), head
        ) or Tunnel(direct, split(address), head)
        self._passed[passed] = (place, address)
        try:
            await passed.run()
        except (OSError, TimeoutError) as error:
            log.warning("a server is not reached: %s", error, extra={"address": address})
            await _come_back(socket)
        finally:
            del self._passed[passed]
        return True

    async def _watch(self) -> None:
        """Keep nobody at a server that answers nothing any more, or does not run the table: it may
        be frozen, or the network between us cut, and then nobody else closes the connection."""
        while True:
            await asyncio.sleep(WATCHES)
            asked = sorted({address for _, address in self._passed.values()})
            answers = await asyncio.gather(*map(self._is_alive, asked))
            silent = {each for each, is_alive in zip(asked, answers, strict=True) if not is_alive}
            for passed, (place, address) in tuple(self._passed.items()):
                if address in silent or self._has_moved(place, address):
                    passed.cut()

    def _has_moved(self, place: str, address: str) -> bool:
        """Whether a table is run here by now, or somewhere else than at an address."""
        now = self._cluster.address_of(place)
        return place in self._casino.hubs or now not in (address, None)

    async def _is_alive(self, address: str) -> bool:
        headers = [(b"host", b"server"), (SECRET, self._secret)]
        try:
            async with asyncio.timeout(ALIVE_WITHIN):
                await self._asked(address, "GET", ALIVE, headers, b"")
        except (OSError, TimeoutError, h11.ProtocolError, EOFError) as error:
            log.warning("a server is not reached: %r", error, extra={"address": address})
            return False
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
        together = TOGETHER.get(path)
        if path in EVERYWHERE:
            return self._everywhere(does)
        if path == ORDERS:
            return self._ordered(does)

        async def answer(request: Request) -> Response:
            if request.scope.get(PASSED_ON):
                return await does(request)
            if together is not None:
                return await self._together(request, does, together)
            place = request.path_params.get("place") or request.path_params.get("link")
            if not place or self._cluster.is_here(place) or not self._cluster.knows(place):
                return await does(request)
            address = await self._cluster.settled(place)
            if address is None:
                return await does(request)
            return await self._ask(request, address, await self._body(request), ANSWERS_WITHIN)

        return answer if together is not None or "{place" in path or "{link" in path else does

    def _everywhere(self, does: Endpoint) -> Endpoint:
        """Answered here, and told to the others."""

        async def answer(request: Request) -> Response:
            mine = await does(request)
            if not request.scope.get(PASSED_ON) and mine.status_code == 200:
                others = self._cluster.addresses()
                await asyncio.gather(
                    *(self._ask(request, each, b"", GATHERS_WITHIN) for each in others)
                )
            return mine

        return answer

    def _ordered(self, does: Endpoint) -> Endpoint:
        """An order of the office, passed on where a table must have its say in it."""

        async def answer(request: Request) -> Response:
            if request.scope.get(PASSED_ON):
                return await does(request)
            body = await self._body(request)
            place = _about(body)
            if not place or self._cluster.is_here(place) or not self._cluster.knows(place):
                return await does(_with_body(request, body))
            address = await self._cluster.settled(place)
            if address is None:
                return await does(_with_body(request, body))
            return await self._ask(request, address, body, ANSWERS_WITHIN)

        return answer

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

    async def _together(self, request: Request, does: Endpoint, together: Together) -> Response:
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
                for name, key in together.lists:
                    known = {each[key] for each in found.get(name) or ()}
                    more = [each for each in told.get(name) or () if each[key] not in known]
                    found[name] = [*(found.get(name) or ()), *more]
        if together.urgent_first:
            _put_urgent_first(found, together)
        else:
            self._put_in_order(found, together)
        answer = Json(found)
        cookies = [pair for pair in mine.raw_headers if pair[0] == b"set-cookie"]
        answer.raw_headers.extend(cookies)
        return answer

    def _put_in_order(self, found: dict[str, Any], together: Together) -> None:
        """As one server would list them: in the order in which they were set up."""
        places = self._casino.casino.office.state.places
        order = {place: number for number, place in enumerate(places)}
        for name, key in together.lists:
            if isinstance(found.get(name), list):
                found[name].sort(key=lambda each: order.get(each[key], len(order)))

    def close(self) -> None:
        """Ask nobody any more, and let nobody in."""
        self._door.close()
        if self._watching is not None:
            self._watching.cancel()
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


def _put_urgent_first(found: dict[str, Any], together: Together) -> None:
    """As one server would list them: what needs the visitor first, counted over all."""
    for name, key in together.lists:
        found[name].sort(
            key=lambda each: (
                not each.get("mine"),
                each.get("hold") is None,
                not each.get("faults"),
                each[key],
            )
        )
    listed = [each for name, _ in together.lists for each in found[name]]
    found["mine"] = sum(bool(each.get("mine")) for each in listed)
    found["areas"] = sorted({each.get("area", "") for each in found["tables"]} - {""})


def _about(body: bytes) -> str:
    """The table that must have its say in an order of the office; empty where none must."""
    try:
        command = msgspec.json.decode(body, type=dict[str, Any])["command"]
        found = command[ABOUT[command["do"]]]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        return ""  # it is none of these, or cannot be read: whoever answers says so
    return found if isinstance(found, str) else ""


def _with_body(request: Request, body: bytes) -> Request:
    """The same request, whose body was read already."""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request(request.scope, receive)


async def _come_back(socket: WebSocket) -> None:
    """Nobody runs the table at this moment: the client comes back."""
    await socket.accept()
    await socket.send_text(wire.write(wire.ByeMessage(code=MOVED, says=SAYS)).decode())
    await socket.close(COME_BACK)
