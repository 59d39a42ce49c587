"""The pages and what they are made of, from the package `croupier.web`; nothing from anywhere else.

A file is known by its digest (ETag), so that a browser asks again and is told that nothing changed.
It is sent packed to whoever unpacks it, which every browser does: a page weighs a third. The pages
that players open are sent so that little is asked one after the other: their modules come in one
file, and what they ask for first is named in the page.
"""

from __future__ import annotations

import gzip
import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from croupier.live.bundle import bundle
from croupier.pit.registry import GAMES

KINDS = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "png": "image/png",
    "ico": "image/x-icon",
    "txt": "text/plain; charset=utf-8",
}


BUNDLES = "bundle/"
"""Under this stand files that are made of several; no file of the package is called so."""
ME_FIRST = '<link rel="preload" href="/api/me" as="fetch" crossorigin>\n'
"""Who the visitor is, is asked while the script is on its way."""
STYLE = '<link rel="stylesheet" href="/static/style/{}.css">\n'


class _File(Struct, frozen=True):
    body: bytes
    packed: bytes
    kind: str
    digest: str


class Pages:
    """The files of the package, read when they are first asked for."""

    def __init__(self, root: Traversable | None = None) -> None:
        self._root = root if root is not None else files("croupier") / "web"
        self._names = frozenset(_walk(self._root))
        self._read: dict[str, _File] = {}

    async def lobby(self, request: Request) -> Response:
        """The first page."""
        return self._at_once(request, "index.html", "lobby.js")

    async def table(self, request: Request) -> Response:
        """The page of a table; which one stands in its address."""
        casino, place = request.app.state.casino, request.path_params["place"]
        record = casino.casino.office.state.places.get(place)
        if record is None or record.kind != "table" or not casino.knows(place):
            return self.lost(request)
        game = GAMES.games[record.rulebook].name
        return self._at_once(request, "table.html", "table.js", game)

    def lost(self, request: Request) -> Response:
        """The page of an address at which there is nothing."""
        answer = self._serve(request, "lost.html")
        if answer.status_code == 200:
            answer.status_code = 404
        return answer

    async def disputes(self, request: Request) -> Response:
        """The disputes; what is in them the API gives to staff alone."""
        return self._serve(request, "disputes.html")

    async def round(self, request: Request) -> Response:
        """The replayer; its address says of which round, the API what of it is for whom."""
        return self._serve(request, "round.html")

    async def hands(self, request: Request) -> Response:
        """All rounds of a player; the API gives each his own."""
        return self._serve(request, "hands.html")

    async def school(self, request: Request) -> Response:
        """The dealer school; what is on it the API gives to each for themselves."""
        return self._serve(request, "school.html")

    async def wall(self, request: Request) -> Response:
        """The jackpot display, of one link or of all."""
        link = request.path_params.get("link")
        if link is not None and not request.app.state.casino.knows(link):
            return self.lost(request)
        return self._serve(request, "wall.html")

    async def pit(self, request: Request) -> Response:
        """The pit console; what is on it the API gives to staff alone."""
        return self._serve(request, "pit.html")

    async def office(self, request: Request) -> Response:
        """The office; what is in it the API gives to staff alone."""
        return self._serve(request, "office.html")

    async def deal(self, request: Request) -> Response:
        """The dealer's page of a table; what is on it the API gives to staff assigned there."""
        if not request.app.state.casino.knows(request.path_params["place"]):
            return PlainTextResponse("There is no such table.", 404)
        return self._serve(request, "deal.html")

    async def ask(self, request: Request) -> Response:
        """The ruling desk; its address may name a question, and its slip."""
        return self._of_desk(request, "ask.html")

    async def ask_log(self, request: Request) -> Response:
        """The log of the ruling desk."""
        return self._of_desk(request, "ask-log.html")

    def _of_desk(self, request: Request, name: str) -> Response:
        sent_away: Response | None = request.app.state.desk.access.before_page(request)
        return sent_away or self._serve(request, name)

    async def static(self, request: Request) -> Response:
        """A part of a page."""
        return self._serve(request, request.path_params["path"])

    async def icon(self, request: Request) -> Response:
        """The icon that browsers ask for by themselves."""
        return self._serve(request, "favicon.svg" if "favicon.svg" in self._names else "icon.svg")

    def _at_once(self, request: Request, name: str, module: str, game: str = "") -> Response:
        """A page whose modules come in one file; of a table those of its game, with its style."""
        page = f"{BUNDLES}{game}{name}"
        if page not in self._read:
            made = f"{BUNDLES}{game}{module}"
            others = {f"{each.name}.js" for each in GAMES.games.values()} - {f"{game}.js"}
            self._keep(made, bundle(module, self._module, sorted(others)).encode())
            text = self._text(name).replace(f"/static/app/{module}", f"/static/{made}")
            links = ME_FIRST + (STYLE.format(game) if game else "")
            self._keep(page, text.replace("<script", f"{links}<script", 1).encode())
        return self._serve(request, page)

    def _text(self, name: str) -> str:
        return self._root.joinpath(*name.split("/")).read_text("utf-8")

    def _module(self, path: str) -> str:
        return self._text(f"app/{path}")

    def _serve(self, request: Request, name: str) -> Response:
        found = self._file(name)
        if found is None:
            return PlainTextResponse(f"There is no {name}.", 404)
        unpacks = "gzip" in request.headers.get("accept-encoding", "")
        packed = unpacks and len(found.packed) < len(found.body)
        tag = f'"{found.digest}-gzip"' if packed else f'"{found.digest}"'
        headers = {"etag": tag, "cache-control": "no-cache", "vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        if packed:
            headers["content-encoding"] = "gzip"
        body = found.packed if packed else found.body
        return Response(body, headers=headers, media_type=found.kind)

    def _file(self, name: str) -> _File | None:
        """A file by a name that was found when the package was walked: no other can be reached."""
        if name in self._read:
            return self._read[name]
        if name not in self._names or name.rpartition(".")[2] not in KINDS:
            return None
        return self._keep(name, self._root.joinpath(*name.split("/")).read_bytes())

    def _keep(self, name: str, body: bytes) -> _File:
        digest = hashlib.sha256(body).hexdigest()[:24]
        kind = KINDS[name.rpartition(".")[2]]
        self._read[name] = _File(body, gzip.compress(body, mtime=0), kind, digest)
        return self._read[name]


def _walk(folder: Traversable, before: str = "") -> list[str]:
    found: list[str] = []
    if not folder.is_dir():
        return found
    for each in folder.iterdir():
        if each.is_dir():
            found += _walk(each, f"{before}{each.name}/")
        else:
            found.append(f"{before}{each.name}")
    return found
