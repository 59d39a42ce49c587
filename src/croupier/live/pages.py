"""The pages and what they are made of, from the package `croupier.web`; nothing from anywhere else.

A file is known by its digest (ETag), so that a browser asks again and is told that nothing changed.
It is sent packed to whoever unpacks it, which every browser does: a page weighs a third. Pages are
sent so that little is asked one after the other: the modules that they begin with come in one file
and their styles in another, and what they ask for first is named in the page; modules that are
needed later come after that. A browser has six connections for it; what would be the seventh waits
for a whole way to the server and back. It also keeps a page that is reloaded quickly below the
limit of requests: turned away in the middle of its modules, it would stay blank.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from urllib.parse import quote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from croupier.live.bundle import bundle, later_of
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


UNQUOTED = "!'()*"
"""What a script leaves as it is in an address, beside letters and digits."""
BUNDLES = "bundle/"
"""Under this stand files that are made of several; no file of the package is called so."""
ASKED_FIRST = '<link rel="preload" href="{}" as="fetch" crossorigin>\n'
"""What a script asks for first is asked while the script itself is on its way."""
ME = "/api/me"
STYLE = '<link rel="stylesheet" href="/static/{}" data-game="{}">\n'
_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">\n')
_SCRIPT = re.compile(r'<script type="module" src="/static/app/([^"]+)">')
_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_BREAK = re.compile(r"\n\s+")


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
        self._pages: dict[str, str] = {}
        """Pages whose modules and styles are joined, by game and name."""

    async def lobby(self, request: Request) -> Response:
        """The first page."""
        return self._at_once(request, "index.html", ME, "/api/lobby")

    async def table(self, request: Request) -> Response:
        """The page of a table; which one stands in its address."""
        casino, place = request.app.state.casino, request.path_params["place"]
        record = casino.casino.office.state.places.get(place)
        if record is None or record.kind != "table" or not casino.knows(place):
            return self.lost(request)
        game = GAMES.games[record.rulebook].name
        # Who watches is told as nobody in particular, by the socket alone.
        watches = request.url.path.startswith("/watch/")
        first = "" if watches else f"/api/tables/{quote(place, safe=UNQUOTED)}/first"
        return self._at_once(request, "table.html", ME, first, game=game)

    def lost(self, request: Request) -> Response:
        """The page of an address at which there is nothing."""
        answer = self._serve(request, "lost.html")
        if answer.status_code == 200:
            answer.status_code = 404
        return answer

    async def disputes(self, request: Request) -> Response:
        """The disputes; what is in them the API gives to staff alone."""
        return self._at_once(request, "disputes.html", ME)

    async def round(self, request: Request) -> Response:
        """The replayer; its address says of which round, the API what of it is for whom."""
        return self._at_once(request, "round.html")

    async def hands(self, request: Request) -> Response:
        """All rounds of a player; the API gives each his own."""
        return self._at_once(request, "hands.html", ME)

    async def school(self, request: Request) -> Response:
        """The dealer school; what is on it the API gives to each for themselves."""
        return self._at_once(request, "school.html", ME)

    async def wall(self, request: Request) -> Response:
        """The jackpot display, of one link or of all."""
        link = request.path_params.get("link")
        if link is not None and not request.app.state.casino.knows(link):
            return self.lost(request)
        return self._at_once(request, "wall.html")

    async def pit(self, request: Request) -> Response:
        """The pit console; what is on it the API gives to staff alone."""
        return self._at_once(request, "pit.html", ME)

    async def office(self, request: Request) -> Response:
        """The office; what is in it the API gives to staff alone."""
        return self._at_once(request, "office.html", ME)

    async def deal(self, request: Request) -> Response:
        """The dealer's page of a table; what is on it the API gives to staff assigned there."""
        if not request.app.state.casino.knows(request.path_params["place"]):
            return PlainTextResponse("There is no such table.", 404)
        return self._at_once(request, "deal.html", ME)

    async def ask(self, request: Request) -> Response:
        """The ruling desk; its address may name a question, and its slip."""
        return self._of_desk(request, "ask.html")

    async def ask_log(self, request: Request) -> Response:
        """The log of the ruling desk."""
        return self._of_desk(request, "ask-log.html")

    def _of_desk(self, request: Request, name: str) -> Response:
        sent_away: Response | None = request.app.state.desk.access.before_page(request)
        return sent_away or self._at_once(request, name)

    async def static(self, request: Request) -> Response:
        """A part of a page."""
        return self._serve(request, request.path_params["path"])

    async def icon(self, request: Request) -> Response:
        """The icon that browsers ask for by themselves."""
        return self._serve(request, "favicon.svg" if "favicon.svg" in self._names else "icon.svg")

    def _at_once(self, request: Request, name: str, *asks: str, game: str = "") -> Response:
        """A page whose modules come in one file and whose styles in another; of a table those of
        its game. What its script `asks` for first is asked beside it."""
        page = self._joined(name, game)
        links = "".join(ASKED_FIRST.format(path) for path in asks if path)
        text = page.replace("<script", f"{links}<script", 1)
        return self._answer(request, _packed(name, text.encode()))

    def _joined(self, name: str, game: str = "") -> str:
        """A page that names one file of modules and one of styles, which are made with it."""
        if found := self._pages.get(f"{game}{name}"):
            return found
        text = self._text(name)
        module = _SCRIPT.findall(text)[0]
        made, own = f"{BUNDLES}{game}{module}", f"{game}.js"
        others = {f"{each.name}.js" for each in GAMES.games.values()} - {own}
        modules = bundle(
            module, self._module, at=f"/static/{made}", at_once=(own,), without=sorted(others)
        )
        self._keep(made, modules.first.encode())
        self._keep(later_of(made), modules.later.encode())
        text = text.replace(f"/static/app/{module}", f"/static/{made}")
        styles = [*_STYLE.findall(text), *([f"style/{game}.css"] if game else [])]
        style = f"{BUNDLES}{game}{module.replace('.js', '.css')}"
        self._keep(style, "".join(_lean(self._text(each)) for each in styles).encode())
        link = STYLE.format(style, game)
        page = _STYLE.sub("", text).replace("<script", f"{link}<script", 1)
        self._pages[f"{game}{name}"] = page
        return page

    def _with_modules(self) -> list[str]:
        """Every page that has a script, but for that of a table, which has one for each game."""
        pages = sorted(each for each in self._names if each.endswith(".html"))
        return [each for each in pages if each != "table.html" and _SCRIPT.search(self._text(each))]

    def _text(self, name: str) -> str:
        return self._root.joinpath(*name.split("/")).read_text("utf-8")

    def _module(self, path: str) -> str:
        return self._text(f"app/{path}")

    def _serve(self, request: Request, name: str) -> Response:
        found = self._file(name)
        if found is None:
            return PlainTextResponse(f"There is no {name}.", 404)
        return self._answer(request, found)

    def _answer(self, request: Request, found: _File) -> Response:
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
        if name.startswith(BUNDLES) and name not in self._read:
            # Its page was asked of another server, or of this one before it was started again.
            for page in self._with_modules():
                self._joined(page)
            for game in {each.name for each in GAMES.games.values()}:
                self._joined("table.html", game)
        if name in self._read:
            return self._read[name]
        if name not in self._names or name.rpartition(".")[2] not in KINDS:
            return None
        return self._keep(name, self._root.joinpath(*name.split("/")).read_bytes())

    def _keep(self, name: str, body: bytes) -> _File:
        self._read[name] = _packed(name, body)
        return self._read[name]


def _lean(style: str) -> str:
    """A style sheet as a browser needs it."""
    return _BREAK.sub("\n", _COMMENT.sub("", style))


def _packed(name: str, body: bytes) -> _File:
    digest = hashlib.sha256(body).hexdigest()[:24]
    kind = KINDS[name.rpartition(".")[2]]
    return _File(body, gzip.compress(body, mtime=0), kind, digest)


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
