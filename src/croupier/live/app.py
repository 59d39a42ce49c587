"""The application: the pages, the HTTP API and the socket of one casino, behind their guard."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from msgspec import structs
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from croupier.desk import Desk, DeskError, DeskLog
from croupier.house.errors import HouseError, OwnedElsewhere, StorageError
from croupier.live import disputes, health_api, wire
from croupier.live.api_records import Problem
from croupier.live.casino import LiveCasino
from croupier.live.cluster.passing import Passing
from croupier.live.connection import FAULT, TOO_MANY, Connection
from croupier.live.desk_access import StaffAccess
from croupier.live.desk_api import DeskService, not_done
from croupier.live.errors import NotAllowed
from croupier.live.figures_api import office_figures_page
from croupier.live.fresh_staff import FreshStaff
from croupier.live.identity import Visitor
from croupier.live.json_response import BadBody, Json
from croupier.live.limits import Slots
from croupier.live.office_api import office_day_page
from croupier.live.openapi import description
from croupier.live.pages import Pages
from croupier.live.paths import Endpoint, Path
from croupier.live.pit_api import Pit
from croupier.live.proxies import Proxies
from croupier.live.replays import Replays
from croupier.live.routes import PATHS
from croupier.live.rules_pages import RulesPages
from croupier.live.school import School
from croupier.live.school_work import SchoolWork
from croupier.live.security import Guarded
from croupier.live.senders import sender
from croupier.live.side_work import SideWork
from croupier.live.talk import Talk
from croupier.live.visits import give_cookie, known
from croupier.live.walks import Walks
from croupier.live.wall import Wall
from croupier.table import ActorRank

NOT_ALLOWED, NO_TABLE = 4403, 4404
STATUS = {
    "not found": 404,
    "name taken": 409,
    "entered": 409,
    "answered": 409,
    "over": 409,
    "not over": 409,
    "bad answer": 422,
    "seated": 409,
    "bad name": 422,
    "pin": 401,
    "wrong pin": 401,
    "too fast": 429,
    "full": 503,
    "busy": 503,
    "stopping": 503,
}
"""The status of each `NotAllowed`, by its code; 403 for all others."""
OUT_OF_REACH = "Nothing can be read or stored here at this moment; try again in a moment."


def make_app(casino: LiveCasino, *, origins: Sequence[str], desk: Desk | None = None) -> ASGIApp:
    """The application of a casino whose pages have these origins (`http://127.0.0.1:8017`).

    A ruling desk that nobody gives keeps its log in memory.
    """
    service = DeskService(desk or Desk(DeskLog()), StaffAccess(casino))
    school_work, side_work = SchoolWork(), SideWork()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        casino.start()
        if passing is not None:
            await passing.open(app)
        yield
        if passing is not None:
            passing.close()
        await casino.stop()
        school_work.close()
        side_work.close()
        service.close()

    pages = Pages()
    described = description()

    async def openapi(request: Request) -> Response:
        return Json(described)

    passing = Passing(casino, casino.cluster) if casino.cluster is not None else None

    def does(path: Path) -> Endpoint:
        return path.does if passing is None else passing.passed_on(path.path, path.does)

    routes = [
        *_page_routes(pages),
        *RulesPages(service, casino).routes(),
        Route("/api/openapi.json", openapi),
        Route("/metrics", health_api.metrics),
        *(Route(path.path, does(path), methods=[path.method]) for path in PATHS),
        WebSocketRoute("/ws", Sockets(casino).serve),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            NotAllowed: not_allowed,
            HTTPException: or_lost(pages),
            DeskError: not_done,
            StorageError: _out_of_reach,
            OwnedElsewhere: _out_of_reach,
            Exception: _fault,
        },
    )
    app.add_middleware(FreshStaff, casino=casino)  # what another server passes on comes by it too
    app.state.casino = casino
    app.state.passing = passing
    app.state.desk = service
    app.state.pit = Pit(casino)
    app.state.replays = Replays(casino)
    app.state.wall = Wall(casino)
    app.state.talk = Talk(casino)
    app.state.walks = Walks()
    app.state.school = School(casino.house)
    app.state.school_work = school_work
    app.state.side_work = side_work
    limits = casino.config.limits
    return Guarded(
        app,
        origins=[origin.lower() for origin in origins],
        metrics=casino.metrics,
        requests_per_second=limits.requests_per_second,
        requests_at_once=limits.requests_at_once,
        proxies=Proxies(casino.config.server.proxies),
    )


def _page_routes(pages: Pages) -> list[Route]:
    """Where the pages are, but for those of the rulebooks."""
    return [
        Route("/", pages.lobby),
        Route("/table/{place}", pages.table),
        Route("/watch/{place}", pages.table),
        Route("/static/{path:path}", pages.static),
        Route("/favicon.ico", pages.icon),
        *desk_pages(pages),
        Route("/pit", pages.pit),
        Route("/office", pages.office),
        Route("/office/day", office_day_page),
        Route("/office/figures", office_figures_page),
        Route("/deal/{place}", pages.deal),
        Route("/round", pages.round),
        Route("/round/{rest:path}", pages.round),
        Route("/hands", pages.hands),
        Route("/wall", pages.wall),
        Route("/wall/{link}", pages.wall),
        Route("/school", pages.school),
        Route("/school/{rest:path}", pages.school),
        Route("/disputes", pages.disputes),
        Route("/disputes/{number:int}", disputes.record),
        Route("/disputes/{number:int}/notice", disputes.notice),
    ]


def or_lost(pages: Pages) -> Callable[[Request, Exception], Awaitable[Response]]:
    """A person who follows an address to nowhere gets a page; a program, the error."""

    async def answer(request: Request, error: Exception) -> Response:
        reads = "text/html" in request.headers.get("accept", "")
        page = reads and not request.url.path.startswith("/api/")
        if page and isinstance(error, HTTPException) and error.status_code == 404:
            return pages.lost(request)
        return await http_error(request, error)

    return answer


def desk_pages(pages: Pages) -> list[Route]:
    """The pages of the ruling desk."""
    return [
        Route("/ask", pages.ask),
        Route("/ask/log", pages.ask_log),
        Route("/ask/{id}", pages.ask),
        Route("/ask/{id}/slip", pages.ask),
    ]


async def not_allowed(request: Request, error: Exception) -> Response:
    """What a visitor may not do."""
    assert isinstance(error, NotAllowed)
    status = error.status if isinstance(error, BadBody) else STATUS.get(error.code, 403)
    return Json(Problem(error=error.code, says=error.says), status)


async def http_error(request: Request, error: Exception) -> Response:
    """What HTTP itself has a status for."""
    assert isinstance(error, HTTPException)
    answer = Json(Problem(error="http", says=error.detail), error.status_code)
    answer.headers.update(error.headers or {})
    return answer


async def _out_of_reach(request: Request, error: Exception) -> Response:
    """What cannot be read or stored now: the database is away, or another server runs the table."""
    casino: LiveCasino = request.app.state.casino
    casino.log.error("a request finds no database: %s", error, extra={"path": request.url.path})
    return Json(Problem(error="not stored", says=OUT_OF_REACH), 503)


async def _fault(request: Request, error: Exception) -> Response:
    casino: LiveCasino = request.app.state.casino
    if isinstance(error, ClientDisconnect):
        return Response(status_code=400)  # which nobody reads; the guard counts it
    casino.metrics.faults.add(1)
    casino.log.error("a request failed", exc_info=error, extra={"path": request.url.path})
    return Json(Problem(error="fault", says="Something went wrong here; it was noted."), 500)


class Sockets:
    """`/ws`: lets clients in, each to its table, and never more than there is room for."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._slots = Slots()

    async def serve(self, socket: WebSocket) -> None:
        casino, limits = self._casino, self._casino.config.limits
        place = socket.query_params.get("place", "")
        visitor = known(socket, casino)
        holders = [
            ("all", limits.connections),
            (("address", sender(socket)), limits.connections_per_address),
        ]
        if visitor.visit:
            holders.append((("visit", visitor.visit), limits.connections_per_visitor))
        if visitor.name is None:
            holders.append(("without a name", max(1, limits.connections * 3 // 4)))
        passing: Passing | None = socket.app.state.passing
        if place not in casino.hubs and not (passing is not None and passing.knows(place)):
            says = f"There is no table {place!r}."
            bye = wire.write(wire.ByeMessage(code="no table", says=says))
            await _closed(socket, NO_TABLE, bye)
        elif not self._slots.take(*holders):
            casino.metrics.turned_away.add(1, "too many connections")
            await _closed(socket, TOO_MANY)
        else:
            try:
                elsewhere = passing if place not in casino.hubs else None
                if elsewhere is None or not await elsewhere.serve(socket, place):
                    await self._let_in(socket, place, visitor)
            finally:
                self._slots.give_back(*(holder for holder, _ in holders))

    async def _let_in(self, socket: WebSocket, place: str, visitor: Visitor) -> None:
        casino, asked = self._casino, socket.query_params
        bot = asked.get("bot")
        headers: list[tuple[bytes, bytes]] = []
        if bot is not None:
            try:
                visitor, headers = await self._enter(socket, visitor, bot)
            except NotAllowed as error:
                casino.metrics.turned_away.add(1, error.code)
                bye = wire.write(wire.ByeMessage(code=error.code, says=error.says))
                await _closed(socket, NOT_ALLOWED, bye)
                return
            except HouseError as error:
                casino.log.error("a bot was not let in: %s", error, extra={"place": place})
                bye = wire.write(wire.ByeMessage(code="not stored", says=OUT_OF_REACH))
                await _closed(socket, FAULT, bye)
                return
        if asked.get("watch") and bot is None:
            visitor = structs.replace(visitor, name=None, rank=ActorRank.PLAYER)
        wants_offers = bot is not None or bool(asked.get("offers"))
        try:
            await socket.accept(headers=headers)
            connection = Connection(
                casino,
                place,
                visitor,
                socket,
                wants_offers=wants_offers,
                wants_patches=bool(asked.get("patches")),
            )
            await connection.run(_position(asked.get("after")))
        finally:
            if bot is not None:
                casino.identity.go(visitor)

    async def _enter(
        self, socket: WebSocket, visitor: Visitor, name: str
    ) -> tuple[Visitor, list[tuple[bytes, bytes]]]:
        """A program enters as a bot as it connects; the answer to the handshake brings its cookie.

        No page can be made to do so: browsers name the origin of every socket.
        """
        casino = self._casino
        if not casino.config.demonstration:
            raise NotAllowed("no guests", "This casino plays for money: it lets no bot in.")
        if not visitor.visit:
            visitor, _ = casino.identity.welcome()
        casino.new_guest(socket, visitor)
        entered, cookie = await asyncio.to_thread(casino.identity.enter, visitor, name, bot=True)
        answer = Response()
        give_cookie(socket, answer, cookie)
        return entered, [pair for pair in answer.raw_headers if pair[0] == b"set-cookie"]


async def _closed(socket: WebSocket, code: int, says: bytes = b"") -> None:
    """Accept and close at once, so that the client reads the code, and why."""
    await socket.accept()
    if says:
        await socket.send_text(says.decode())
    await socket.close(code)


def _position(text: str | None) -> int | None:
    """The position after which somebody wants to go on; what is none asks for the whole table."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 15:
        return None
    return int(text)
