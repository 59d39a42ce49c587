"""Disputes over HTTP: open one by a touch, its sealed file, its notice, and what was settled.

For the staff of the House; who may do what is for the office to say. Everything here replays a log,
so it is done beside the loop, one at a time.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from croupier.house.audit.rounds import BadRoundId
from croupier.house.casino import Casino
from croupier.house.disputes.about import find, read_about
from croupier.house.disputes.gathering import Gathered, gather
from croupier.house.disputes.notice import notice_page
from croupier.house.disputes.page import file_document
from croupier.house.disputes.papers import (
    NotFiled,
    dispute_of,
    file_name,
    make_papers,
    open_dispute,
)
from croupier.house.disputes.settings import settings_on_record
from croupier.house.documents import write_page
from croupier.house.errors import HouseError, UnknownPlace
from croupier.house.office.disputes import SettleDispute
from croupier.house.office.state import Dispute, For, Reason
from croupier.house.openings import UnknownRound
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.paths import Path
from croupier.live.replays import takes_disputes_up
from croupier.live.requested import NotFound, casino_of
from croupier.live.visits import known, owner_of_change
from croupier.table import BadCommand, Refused

T = TypeVar("T")
Words = Annotated[str, Meta(max_length=120)]


class DisputeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is disputed, by whom, and what he says."""

    about: Words
    """`Raffles#12`, or `Raffles@415` for a ruling by its event."""
    claim: Reason
    patron: Words = ""
    days: Annotated[int, Meta(ge=1, le=3_650)] | None = None


class SettleBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What it came to."""

    outcome: Reason
    in_favour_of: For
    inspector: Words = ""
    inspector_rank: Words = ""


class SettledSummary(Struct, frozen=True, kw_only=True):
    """What a dispute came to, and who had the last word."""

    outcome: str
    in_favour_of: For
    inspector: str
    inspector_rank: str
    by: str
    at: datetime


class DisputeSummary(Struct, frozen=True, kw_only=True):
    """One dispute."""

    dispute: int
    about: str
    place: str
    round: int | None
    position: int | None
    patron: str
    claim: str
    by: str
    at: datetime
    deadline: datetime
    sha256: str
    """The digest of its sealed file; nothing until there is one."""
    settled: SettledSummary | None


class Disputes(Struct, frozen=True, kw_only=True):
    """All of them, the newest first."""

    disputes: tuple[DisputeSummary, ...]
    days: int
    """How long a patron has, unless somebody says otherwise."""


NOT_FOR_ALL = (
    "The papers of a dispute show cards: they are for the ranks that take disputes up, and in the "
    "demonstration for those of them who log in with a password."
)

_one_at_a_time = asyncio.Lock()


async def disputes(request: Request) -> Response:
    """All disputes."""
    casino = _for_staff(request)
    found = sorted(casino.office.state.disputes.items(), reverse=True)
    days = settings_on_record(casino.office.state).days
    return Json(Disputes(disputes=tuple(_summary(*each) for each in found), days=days))


async def dispute(request: Request) -> Response:
    """One dispute."""
    casino = _for_staff(request)
    return Json(_summary(*_found(request, casino)))


async def new_dispute(request: Request) -> Response:
    """Open a dispute of a round or ruling, and seal its file."""
    casino, visitor = _for_staff(request), owner_of_change(request, casino_of(request))
    body = await read_body(request, DisputeBody, casino_of(request).config.limits.body_bytes)
    who = _name(request, visitor)

    def open_it() -> int:
        number = open_dispute(
            casino,
            body.about,
            who=who,
            claim=body.claim,
            patron=body.patron,
            days=body.days,
            session=visitor.session,
        )
        if isinstance(number, Refused):
            raise NotAllowed("refused", number.says)
        with suppress(UnknownRound):  # of a round that is still played the file is made later
            make_papers(casino, number, who, session=visitor.session)
        return number

    number = await _beside(open_it)
    return Json(_summary(number, casino.office.state.disputes[number]))


async def settled_dispute(request: Request) -> Response:
    """Record what a dispute came to."""
    casino, visitor = _for_staff(request), owner_of_change(request, casino_of(request))
    number, _ = _found(request, casino)
    body = await read_body(request, SettleBody, casino_of(request).config.limits.body_bytes)
    who = _name(request, visitor)
    command = SettleDispute(
        dispute=number,
        outcome=body.outcome,
        in_favour_of=body.in_favour_of,
        inspector=body.inspector,
        inspector_rank=body.inspector_rank,
    )
    answer = await _beside(lambda: casino.tell(command, who=who, session=visitor.session))
    if answer.refused is not None:
        raise NotAllowed("refused", answer.refused.says)
    return Json(_summary(number, casino.office.state.disputes[number]))


async def dispute_file(request: Request) -> Response:
    """Make the sealed file of a dispute; its digest is put on record."""
    casino, visitor = _for_staff(request), owner_of_change(request, casino_of(request))
    _check_cards(request)
    number, _ = _found(request, casino)
    who = _name(request, visitor)
    made = await _beside(lambda: make_papers(casino, number, who, session=visitor.session))
    headers = {
        "content-disposition": f'attachment; filename="{file_name(number)}"',
        "cache-control": "no-store",
    }
    return Response(made.file, media_type="application/json", headers=headers)


async def notice(request: Request) -> Response:
    """The patron's notice, as a page; with `?whole=1` as one file."""
    casino = _for_staff(request)
    _check_cards(request)
    number, found = _found(request, casino)
    settings = settings_on_record(casino.office.state)
    linked = "whole" not in request.query_params
    made = await _beside(lambda: _gathered(casino, number, found))
    page = notice_page(number, found, made, settings, linked=linked)
    return HTMLResponse(page, headers={"cache-control": "no-store"})


async def record(request: Request) -> Response:
    """Everything about a dispute, as a page for staff."""
    casino = _for_staff(request)
    _check_cards(request)
    number, found = _found(request, casino)
    settings = settings_on_record(casino.office.state)
    made = await _beside(lambda: _gathered(casino, number, found))
    page = io.StringIO()
    write_page(file_document(made.content, settings, found.sha256), page, linked=True)
    return HTMLResponse(page.getvalue(), headers={"cache-control": "no-store"})


def _gathered(casino: Casino, number: int, found: Dispute) -> Gathered:
    state = casino.office.state
    with casino.house.reader.as_it_stands() as store:
        about = find(store, read_about(found.about))
        zone = settings_on_record(state).clock
        return gather(store, about, state=state, number=number, zone=zone)


async def _beside(does: Callable[[], T]) -> T:
    """Do something long beside the loop; what cannot be done is said to whoever asked."""
    async with _one_at_a_time:
        try:
            return await asyncio.to_thread(does)
        except (UnknownRound, UnknownPlace) as error:
            raise NotFound(_sentence(error)) from error
        except (NotFiled, BadRoundId, BadCommand) as error:
            raise NotAllowed("refused", _sentence(error)) from error
        except HouseError as error:
            raise NotAllowed("stopping", _sentence(error)) from error


def _sentence(error: Exception) -> str:
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _for_staff(request: Request) -> Casino:
    casino = casino_of(request)
    if not casino.is_staff(known(request, casino)):
        raise NotAllowed("staff only", "Disputes are for the staff of the House: log in.")
    return casino.casino


def _check_cards(request: Request) -> None:
    """Whoever sees the papers of a dispute sees cards."""
    casino = casino_of(request)
    if not takes_disputes_up(casino, known(request, casino)):
        raise NotAllowed("not yours", NOT_FOR_ALL)


def _name(request: Request, visitor: Visitor) -> str:
    now = casino_of(request).authority.of(visitor)
    assert now.name is not None
    return now.name


def _found(request: Request, casino: Casino) -> tuple[int, Dispute]:
    number: int = request.path_params["number"]
    try:
        return number, dispute_of(casino.office.state, number)
    except HouseError as error:
        raise NotFound(_sentence(error)) from error


def _summary(number: int, found: Dispute) -> DisputeSummary:
    settled = found.settled
    return DisputeSummary(
        dispute=number,
        about=found.about,
        place=found.place,
        round=found.round,
        position=found.position,
        patron=found.patron,
        claim=found.claim,
        by=found.by,
        at=found.at,
        deadline=found.deadline,
        sha256=found.sha256,
        settled=None
        if settled is None
        else SettledSummary(
            outcome=settled.outcome,
            in_favour_of=settled.in_favour_of,
            inspector=settled.inspector,
            inspector_rank=settled.inspector_rank,
            by=settled.by,
            at=settled.at,
        ),
    )


DISPUTE_PATHS: tuple[Path, ...] = (
    Path(path="/api/disputes", does=disputes, answers=Disputes),
    Path(
        path="/api/disputes",
        method="POST",
        does=new_dispute,
        takes=DisputeBody,
        answers=DisputeSummary,
    ),
    Path(path="/api/disputes/{number:int}", does=dispute, answers=DisputeSummary),
    Path(
        path="/api/disputes/{number:int}/settle",
        method="POST",
        does=settled_dispute,
        takes=SettleBody,
        answers=DisputeSummary,
    ),
    Path(
        path="/api/disputes/{number:int}/file",
        method="POST",
        does=dispute_file,
        answers=dict[str, Any],
    ),
)
