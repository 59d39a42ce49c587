"""`/rules`: the rulebooks to click through, as the server serves them.

Everybody may read them. The approved wording, where the operator has loaded it, is shown to those
whom the ruling desk is open to. What takes seconds is computed when it is first asked for, beside
the loop and one at a time.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from croupier.live.casino import LiveCasino
from croupier.live.desk_api import DeskService
from croupier.live.errors import NotAllowed
from croupier.live.requested import NotFound
from croupier.live.side_work import side_work_of
from croupier.live.visits import known
from croupier.rulebooks import BOOKS, Rulebook, load
from croupier.site.addresses import Served
from croupier.site.book_page import book_page, shelf_page
from croupier.site.computed import Computed
from croupier.site.coverage_page import coverage_page
from croupier.site.diff_page import diff_page
from croupier.site.matrix_page import matrix_page
from croupier.site.paragraph_page import PoliciesAt, find, paragraph_page
from croupier.site.search_index import search_index
from croupier.site.shell import missing_page
from croupier.site.versions import all_pairs

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

STEPS_ASIDE = 0.002
"""Seconds for which whoever computes lets others go first, after every case."""


def _step_aside(told: str) -> None:
    time.sleep(STEPS_ASIDE)


class RulesPages:
    """The pages of the rulebooks."""

    def __init__(self, desk: DeskService, casino: LiveCasino | None = None) -> None:
        self._desk = desk
        self._casino = casino
        self._at = Served()
        self._computed = Computed(_step_aside)

    def routes(self) -> list[Route]:
        """Where they are served."""
        return [
            Route("/rules", self.shelf),
            Route("/rules/diff/{old}/{new}", self._or_missing(self.diff)),
            Route("/rules/{book}", self._or_missing(self.book)),
            Route("/rules/{book}/search.js", self.index),
            Route("/rules/{book}/coverage", self._or_missing(self.coverage)),
            Route("/rules/{book}/matrix", self._or_missing(self.matrix)),
            Route("/rules/{book}/{paragraph}", self._or_missing(self.paragraph)),
        ]

    async def shelf(self, request: Request) -> Response:
        """All books."""
        return await self._page(request, lambda: shelf_page(self._at))

    async def book(self, request: Request) -> Response:
        """One book."""
        book, who = _book(request), self._who(request)
        return await self._page(
            request, lambda: book_page(self._at, book, self._policies(book, who))
        )

    async def paragraph(self, request: Request) -> Response:
        """One paragraph."""
        book, id = _book(request), request.path_params["paragraph"]
        who = self._who(request)
        if find(book, id) == (None, []):
            says = f"{book.short} has no paragraph {id!r}."
            return packed(request, missing_page(self._at, says, book), "text/html", 404)
        approved = self._desk.desk.approved if self._may_read_approved(request) else None
        return await self._page(
            request,
            lambda: paragraph_page(
                self._at,
                book,
                id,
                approved=approved.text(book.id, id) if approved is not None else None,
                approved_says=approved.about(book.id) if approved is not None else "",
                policies_at=self._policies(book, who),
            ),
        )

    async def coverage(self, request: Request) -> Response:
        """What the cases prove of a book."""
        book = _book(request)

        def made() -> str:
            return coverage_page(self._at, book, self._computed.coverage().rulebooks[book.id])

        return await self._page(request, made, alone=True)

    async def matrix(self, request: Request) -> Response:
        """Every report at every moment."""
        book = _book(request)
        return await self._page(
            request,
            lambda: matrix_page(self._at, book, self._computed.matrix(book.id)),
            alone=True,
        )

    async def diff(self, request: Request) -> Response:
        """Two versions of a game side by side."""
        asked = (request.path_params["old"], request.path_params["new"])
        pairs = {(old.id, new.id): (old, new) for old, new in all_pairs()}
        if asked not in pairs:
            if asked[::-1] in pairs:
                return RedirectResponse(self._at.diff(*asked[::-1]), 303)
            raise NotFound(f"{asked[0]} and {asked[1]} are not two versions of one game.")
        old, new = pairs[asked]
        return await self._page(
            request,
            lambda: diff_page(self._at, old, new, self._computed.outcomes(old.id, new.id)),
            alone=True,
        )

    async def index(self, request: Request) -> Response:
        """What the search looks through."""
        sent_away = self._desk.access.before_page(request)
        if sent_away is not None:
            return sent_away
        book = _book(request).id
        return await self._packed(request, lambda: search_index(book), "text/javascript")

    # -- how a page is made --------------------------------------------------------------------

    def _or_missing(self, page: Endpoint) -> Endpoint:
        """Whoever mistyped a book reads a page that says where to look."""

        async def answered(request: Request) -> Response:
            try:
                return await page(request)
            except NotFound as error:
                return packed(request, missing_page(self._at, error.says), "text/html", 404)

        return answered

    async def _page(
        self, request: Request, made: Callable[[], str], *, alone: bool = False
    ) -> Response:
        sent_away = self._desk.access.before_page(request)
        if sent_away is not None:
            return sent_away
        return await self._packed(request, made, "text/html", alone=alone)

    @staticmethod
    async def _packed(
        request: Request, made: Callable[[], str], kind: str, *, alone: bool = False
    ) -> Response:
        """Make it and pack it beside the loop; what takes seconds, in a queue of its own."""
        work = side_work_of(request)
        queue = work.computed if alone else work.pages
        return await queue.run(request, lambda: packed(request, made(), kind))

    def _may_read_approved(self, request: Request) -> bool:
        try:
            self._desk.access.reader(request)
        except NotAllowed:
            return False
        return True

    def _who(self, request: Request) -> str | None:
        return known(request, self._casino).name if self._casino is not None else None

    def _policies(self, book: Rulebook, who: str | None) -> PoliciesAt:
        """What is in force at the tables of this House that play by the book, as far as whoever
        reads knows of them."""
        if self._casino is None:
            return {}
        with self._casino.house.lock:
            return {
                place: dict(table.state.policies)
                for place, table in self._casino.private.listed_places(who).items()
                if table.book.id == book.id and table.state.opened
            }


def _book(request: Request) -> Rulebook:
    wanted: str = request.path_params["book"]
    if wanted not in BOOKS:
        raise NotFound(f"There is no rulebook {wanted!r}; there are {', '.join(BOOKS)}.")
    return load(wanted)


def packed(request: Request, body: str, kind: str, status: int = 200) -> Response:
    """A text, packed for whoever unpacks it, which every browser does."""
    raw = body.encode()
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        raw = gzip.compress(raw, 6)
        headers["content-encoding"] = "gzip"
    return Response(raw, status, media_type=kind, headers=headers)
