"""`croupier desk`: the ruling desk alone, without House or casino.

It listens on this machine; on another address only with a PIN, which a browser gives once.
"""

from __future__ import annotations

import asyncio
import html
import logging
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from urllib.parse import parse_qs

import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from croupier.desk import Desk, DeskError
from croupier.live import desk_api
from croupier.live.api_records import Problem
from croupier.live.app import desk_pages, http_error, not_allowed
from croupier.live.config import LOOPBACK, Limits
from croupier.live.desk_access import PinAccess
from croupier.live.desk_pin import check_pin
from croupier.live.desk_routes import DESK_PATHS
from croupier.live.errors import BadConfig, NotAllowed
from croupier.live.json_response import BadBody, Json
from croupier.live.keys import desk_key
from croupier.live.listening import listen_on
from croupier.live.metrics import Metrics
from croupier.live.openapi import describe
from croupier.live.pages import Pages
from croupier.live.replay_api import CASE_PATHS
from croupier.live.rules_pages import RulesPages
from croupier.live.security import Guarded
from croupier.live.server import ListeningServer, gate_of, has_browser
from croupier.live.side_work import SideWork

EVERYWHERE = frozenset({"0.0.0.0", "::"})
FORM_BYTES = 4_096
LIMITS = Limits(connections=500)

log = logging.getLogger("croupier.desk")


class DeskAddress(Struct, frozen=True, kw_only=True):
    """Where a desk listens, and what lets one in."""

    host: str = "127.0.0.1"
    port: int = 8018
    """0 takes any free port."""
    pin: str = ""
    origins: tuple[str, ...] = ()
    """Further origins of its pages, such as that of a proxy which speaks https."""


def check_address(address: DeskAddress) -> None:
    """A desk that others can reach has a PIN, and not just any."""
    if address.pin:
        check_pin(address.pin)
    if address.host not in LOOPBACK and not address.pin:
        raise BadConfig(
            f"--host {address.host}: others can reach the desk there; give it a PIN with --pin "
            "(or in CROUPIER_DESK_PIN), or leave --host out"
        )


def make_desk_app(
    desk: Desk, address: DeskAddress, *, origins: Sequence[str], warm: bool = False
) -> ASGIApp:
    """The application of a desk: its pages, its paths, and the page that asks for the PIN.

    `warm` prepares the first answers while nobody asks.
    """
    access = PinAccess(desk_key(desk.log.path), address.pin)
    service = desk_api.DeskService(desk, access)
    metrics, side_work = Metrics(), SideWork()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if warm:
            service.does_later("first answers", desk.first_answers())
        yield
        side_work.close()
        service.close()

    pages = Pages()
    paths = (*DESK_PATHS, *CASE_PATHS)
    described = describe(paths)

    async def first(request: Request) -> Response:
        return RedirectResponse("/ask", 303)

    async def openapi(request: Request) -> Response:
        return Json(described)

    async def fault(request: Request, error: Exception) -> Response:
        log.error("a request failed", exc_info=error, extra={"path": request.url.path})
        return Json(Problem(error="fault", says="Something went wrong here; it was noted."), 500)

    app = Starlette(
        routes=[
            Route("/", first),
            *desk_pages(pages),
            *RulesPages(service).routes(),
            Route("/round/case/{rest:path}", pages.round),
            Route("/pin", PinPage(access).show),
            Route("/pin", PinPage(access).take, methods=["POST"]),
            Route("/static/{path:path}", pages.static),
            Route("/favicon.ico", pages.icon),
            Route("/api/openapi.json", openapi),
            *(Route(path.path, path.does, methods=[path.method]) for path in paths),
        ],
        lifespan=lifespan,
        exception_handlers={
            NotAllowed: not_allowed,
            HTTPException: http_error,
            DeskError: desk_api.not_done,
            Exception: fault,
        },
    )
    app.state.desk = service
    app.state.side_work = side_work
    return Guarded(
        app,
        origins=[origin.lower() for origin in origins],
        metrics=metrics,
        requests_per_second=LIMITS.requests_per_second,
        requests_at_once=LIMITS.requests_at_once,
    )


class PinPage:
    """The page that asks for the PIN. It needs no script."""

    def __init__(self, access: PinAccess) -> None:
        self._access = access

    async def show(self, request: Request) -> Response:
        """Ask for the PIN, and go back to where somebody came from."""
        if not self._access.wants_pin:
            return RedirectResponse("/ask", 303)
        return _pin_page(_then(request.query_params.get("then", "")))

    async def take(self, request: Request) -> Response:
        """Take the PIN of the form."""
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > FORM_BYTES:
                raise BadBody(413, f"A form has at most {FORM_BYTES} bytes.")
        form = parse_qs(body.decode("ascii", "replace"))
        then = _then(form.get("then", [""])[0])
        answer = RedirectResponse(then, 303, {"cache-control": "no-store"})
        if not self._access.wants_pin:
            return answer
        try:
            pin = form.get("pin", [""])[0]
            await asyncio.to_thread(self._access.let_in, request, pin, answer)
        except NotAllowed as error:
            status = 429 if error.code == "too fast" else 401
            return _pin_page(then, error.says, status)
        return answer


def _then(path: str) -> str:
    """Where to go on: a page of this desk, nothing else."""
    known = path in ("/ask", "/rules") or path.startswith(("/ask/", "/rules/"))
    return path if known and "\\" not in path and "//" not in path else "/ask"


def _pin_page(then: str, says: str = "", status: int = 200) -> Response:
    page = (files("croupier") / "web" / "pin.html").read_text(encoding="utf-8")
    page = page.replace("{then}", html.escape(then)).replace("{says}", html.escape(says))
    return HTMLResponse(page, status, {"cache-control": "no-store"})


# -- running it -----------------------------------------------------------------------------------


def desk_server(
    desk: Desk,
    address: DeskAddress,
    made: socket.socket,
    listening: Callable[[], None] = lambda: None,
    *,
    warm: bool = False,
) -> ListeningServer:
    """The server of a desk on a socket that is bound already."""
    port = int(made.getsockname()[1])
    settings = uvicorn.Config(
        make_desk_app(desk, address, origins=origins_of(address, port), warm=warm),
        log_config=None,
        access_log=False,
        lifespan="on",
        server_header=False,
        date_header=False,
        h11_max_incomplete_event_size=LIMITS.header_bytes,
        timeout_keep_alive=LIMITS.idle_seconds,
        timeout_graceful_shutdown=5,
        proxy_headers=False,
        ws="none",
    )
    return ListeningServer(settings, gate_of(LIMITS, Metrics()), listening)


def serve_desk(
    desk: Desk,
    address: DeskAddress,
    *,
    announce: Callable[[list[str]], None],
    browser: bool = True,
) -> None:
    """Run a desk until it is stopped. `announce` is told its addresses once it listens."""
    check_address(address)
    desk.prepare()
    made = listen_on(address.host, address.port)
    try:
        port = int(made.getsockname()[1])
        addresses = [f"{origin}/ask" for origin in origins_of(address, port)]
        shown = addresses[:1] if address.host in LOOPBACK else addresses

        def listening() -> None:
            announce(shown)
            if browser and has_browser():
                webbrowser.open(shown[0])

        desk_server(desk, address, made, listening, warm=True).run(sockets=[made])
    finally:
        made.close()


def origins_of(address: DeskAddress, port: int) -> list[str]:
    """Under which names browsers reach the desk."""
    host = address.host
    if host in LOOPBACK:
        names = ["127.0.0.1", "localhost", "[::1]"]
    elif host in EVERYWHERE:
        names = [*_own_names(), "127.0.0.1", "localhost"]
    else:
        names = [f"[{host}]" if ":" in host else host]
    found = [f"http://{name}:{port}" for name in dict.fromkeys(names)]
    if port == 80:
        found += [f"http://{name}" for name in dict.fromkeys(names)]
    return [*found, *address.origins]


def _own_names() -> Iterator[str]:
    """The addresses and names under which others may know this machine."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out
        yield str(asking.getsockname()[0])
    name = socket.gethostname().lower()
    with suppress(OSError):
        for *_, found in socket.getaddrinfo(name, None, socket.AF_INET):
            yield str(found[0])
    yield name
    if "." not in name:
        yield f"{name}.local"
