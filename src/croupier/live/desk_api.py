"""The ruling desk over HTTP: questions, their log, books and cases.

The same handlers serve a casino and a desk that stands alone; who may ask is said by `DeskAccess`.
What takes the engine or the disk is done in a thread of the desk's own.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from msgspec import structs
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from croupier.desk import Desk
from croupier.desk.errors import (
    AlreadyDecided,
    BadSpan,
    CannotAsk,
    DamagedRow,
    DeskError,
    LogError,
    NotRuled,
    NotThere,
)
from croupier.desk.log import Span
from croupier.desk.records import Entry
from croupier.live import desk_records as records
from croupier.live.api_records import Problem
from croupier.live.desk_access import DeskAccess
from croupier.live.errors import NotAllowed
from croupier.live.json_response import Json, read_body
from croupier.live.limits import Slots
from croupier.live.senders import sender
from croupier.live.side_work import ALL, OF_SENDER, WAITING, Busy
from croupier.pit import GAMES
from croupier.rulebooks import RulebookError

BODY_BYTES = 65_536
"""A whole situation is longer than a command."""

STATUS: dict[type[DeskError], int] = {
    BadSpan: 400,
    CannotAsk: 422,
    NotThere: 404,
    AlreadyDecided: 409,
    NotRuled: 409,
    DamagedRow: 500,
    LogError: 503,
}
NAMES = {400: "bad span", 404: "not found", 409: "settled", 500: "damaged", 503: "log"}

log = logging.getLogger("croupier.live.desk")

T = TypeVar("T")


class DeskService:
    """A desk, who may use it, and the thread in which it works."""

    def __init__(self, desk: Desk, access: DeskAccess) -> None:
        self.desk = desk
        self.access = access
        self._thread = ThreadPoolExecutor(1, "ruling desk")
        self._slots = Slots()
        self._later: dict[str, asyncio.Task[None]] = {}
        self._trouble = ""

    async def does(self, request: Request, work: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Do something for whoever asks that takes the engine or the disk, away from the event
        loop; raises Busy where too many wait already, or too many of one address."""
        holders = ((ALL, WAITING), (sender(request), OF_SENDER))
        if not self._slots.take(*holders):
            raise Busy
        done = self._begun(partial(work, *args, **kwargs))
        done.add_done_callback(lambda _: self._slots.give_back(*(each for each, _ in holders)))
        return await asyncio.shield(done)

    def _begun(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._thread, work)

    def does_later(self, name: str, parts: Iterable[Callable[[], object]]) -> None:
        """Do something beforehand that would make answers slow. Whoever asks meanwhile waits for
        one small part of it at most; what is under way is not begun again."""
        if name not in self._later:
            self._later[name] = asyncio.create_task(self._each(parts))

    @property
    def ready(self) -> bool:
        """Whether nothing is left to do beforehand."""
        return all(task.done() for task in self._later.values())

    async def _each(self, parts: Iterable[Callable[[], object]]) -> None:
        for work in parts:
            began = time.monotonic()
            with suppress(DeskError):  # whoever asks that is told why
                await self._begun(work)
            await asyncio.sleep(time.monotonic() - began)  # half of the time is for others

    def tell(self, trouble: str) -> None:
        """Say in the terminal that the log is in trouble, once for each."""
        if trouble != self._trouble:
            self._trouble = trouble
            log.error("%s", trouble)

    def close(self) -> None:
        for task in self._later.values():
            task.cancel()
        self._thread.shutdown(cancel_futures=True)
        self.desk.log.close()


def _service(request: Request) -> DeskService:
    service: DeskService = request.app.state.desk
    return service


def _read_by(request: Request) -> DeskService:
    """The desk, for somebody who may read there."""
    service = _service(request)
    service.access.reader(request)
    return service


async def not_done(request: Request, error: Exception) -> Response:
    """Something that the desk cannot do: what, and where."""
    assert isinstance(error, DeskError)
    code = STATUS.get(type(error), 422)
    if isinstance(error, LogError | DamagedRow):
        _service(request).tell(error.says)
    name = NAMES.get(code, "cannot be asked")
    return Json(Problem(error=name, says=error.says, path=error.path), code)


# -- asking ---------------------------------------------------------------------------------------


async def desk_hello(request: Request) -> Response:
    """The desk; a new visitor gets his cookie."""
    service = _service(request)
    desk = service.desk
    token, give = service.access.enter(request)
    answer = Json(
        records.DeskHello(
            token=token,
            who=service.access.reader(request),
            house=desk.house,
            area=desk.area,
            mode=service.access.mode,
            log=desk.log.path is not None,
            approved=desk.approved.books,
            ready=service.ready,
        )
    )
    give(answer)
    return answer


async def ask(request: Request) -> Response:
    """Ask the book: the ruling, or what must be known first."""
    service = _service(request)
    name = service.access.changer(request)
    body = await read_body(request, records.AskBody, BODY_BYTES)
    asked = await service.does(
        request, service.desk.ask, body.question, id=body.id, who=name or body.who, area=body.area
    )
    return Json(structs.replace(asked, barred=service.access.barred(request, asked.answer.ruling)))


async def ask_decided(request: Request) -> Response:
    """Say what was decided, who may."""
    service = _service(request)
    name = service.access.changer(request)
    body = await read_body(request, records.DecidedBody, BODY_BYTES)
    id: str = request.path_params["id"]
    there = await service.does(request, service.desk.entry, id)
    if barred := service.access.barred(request, there.answer.ruling):
        raise NotAllowed("not yours to decide", barred)
    entry = await service.does(
        request,
        service.desk.decide,
        id,
        body.decided,
        body.why,
        as_ruled=body.as_ruled,
        by=name or body.who,
    )
    return Json(entry)


async def ask_noted(request: Request) -> Response:
    """Leave a note to a question, which decides nothing."""
    service = _service(request)
    name = service.access.changer(request)
    body = await read_body(request, records.NoteBody, BODY_BYTES)
    id: str = request.path_params["id"]
    return Json(
        _as_read_by(
            request,
            await service.does(request, service.desk.note, id, body.says, by=name or body.who),
        )
    )


def _as_read_by(request: Request, entry: Entry) -> Entry:
    """An entry, and whether whoever reads it may write down what was decided."""
    barred = _service(request).access.barred(request, entry.answer.ruling)
    return structs.replace(entry, barred=barred)


async def ask_abandoned(request: Request) -> Response:
    """Say that a question was left unfinished."""
    service = _service(request)
    service.access.changer(request)
    return Json(await service.does(request, service.desk.abandon, request.path_params["id"]))


# -- the log --------------------------------------------------------------------------------------


async def ask_entry(request: Request) -> Response:
    """One question of the log with its answer."""
    service = _read_by(request)
    entry = await service.does(request, service.desk.entry, request.path_params["id"])
    return Json(_as_read_by(request, entry))


async def ask_log(request: Request) -> Response:
    """The newest questions."""
    service = _read_by(request)
    entries, more = await service.does(request, service.desk.lines, _span(request))
    return Json(records.LogPage(entries=tuple(entries), more=more))


async def ask_log_csv(request: Request) -> Response:
    """The log as CSV."""
    service = _read_by(request)
    text = await service.does(request, service.desk.csv, _span(request))
    return _file(text, "ruling-desk.csv", "text/csv")


async def ask_figures(request: Request) -> Response:
    """What goes wrong most, where discretion is used, by book, hour and area."""
    service = _read_by(request)
    return Json(await service.does(request, service.desk.figures, _span(request)))


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_YEARS = range(2000, 3000)
_STATUSES = ("", "open", "ruled", "decided", "abandoned")


def _span(request: Request) -> Span:
    """Which entries are asked for. A day is meant whole, in the local time of the desk."""
    asked = request.query_params
    status, book = asked.get("status", ""), asked.get("book", "")
    if status not in _STATUSES:
        raise BadSpan(f"{status!r} is none of {', '.join(_STATUSES[1:])}", "status")
    if book:
        try:
            book = GAMES.resolve(book)
        except RulebookError as error:
            raise BadSpan(str(error), "book") from error
    since = _moment("from", asked.get("from", ""))
    until = _moment("to", asked.get("to", ""), after=timedelta(days=1))
    if since is not None and until is not None and until <= since:
        raise BadSpan("the last day lies before the first", "to")
    return Span(since=since, until=until, book=book, area=asked.get("area", ""), status=status)


def _moment(name: str, text: str, after: timedelta = timedelta(0)) -> datetime | None:
    """A day or a time, of a year in which there may be a desk: no clock knows all of them."""
    if not text:
        return None
    shown = text if len(text) <= 40 else f"{text[:40]} …"
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadSpan(f"{shown!r} is no day such as 2026-11-17, and no time", name) from error
    if when.year not in _YEARS:
        says = f"{shown!r}: the log has only the years {_YEARS[0]} to {_YEARS[-1]}"
        raise BadSpan(says, name)
    when = when.astimezone() if when.tzinfo is None else when
    return when + after if _DAY.fullmatch(text) else when


# -- books ----------------------------------------------------------------------------------------


async def ask_books(request: Request) -> Response:
    """The books that can be asked."""
    return Json(_read_by(request).desk.books())


async def ask_book(request: Request) -> Response:
    """One book with everything that can go wrong under it; paragraphs come as they are found."""
    service = _read_by(request)
    page = service.desk.book_so_far(request.path_params["book"])
    service.does_later(page.book.id, service.desk.to_find_out(page.book.id))
    return Json(page)


async def ask_paragraph(request: Request) -> Response:
    """One paragraph in our words, and in the approved ones where they are loaded."""
    desk = _read_by(request).desk
    return Json(desk.paragraph(request.path_params["book"], request.path_params["paragraph"]))


async def ask_search(request: Request) -> Response:
    """What a few words point to."""
    service = _read_by(request)
    book, words = request.query_params.get("book", ""), request.query_params.get("words", "")
    if not book:
        raise CannotAsk("say which book: ?book=…&words=…", "book")
    hits = await service.does(request, service.desk.search, book, words)
    return Json(records.SearchHits(hits=tuple(hits)))


# -- cases ----------------------------------------------------------------------------------------


async def ask_case(request: Request) -> Response:
    """A question of the log as a case file."""
    service = _read_by(request)
    id: str = request.path_params["id"]
    return _file(
        await service.does(request, service.desk.case, id), f"question-{id}.toml", "text/plain"
    )


async def ask_shipped(request: Request) -> Response:
    """A shipped case as a question."""
    service = _read_by(request)
    source, book = request.path_params["source"], request.query_params.get("book", "")
    return Json(await service.does(request, service.desk.case_question, source, book))


def _file(text: str, name: str, kind: str) -> Response:
    headers = {
        "content-disposition": f'attachment; filename="{name}"',
        "cache-control": "no-store",
    }
    return PlainTextResponse(text, headers=headers, media_type=kind)
