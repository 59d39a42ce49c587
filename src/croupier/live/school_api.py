"""The dealer school over HTTP: for everybody with a name; the table of trainees for supervisors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from croupier.house.errors import HouseError
from croupier.live import school_records as records
from croupier.live.api import casino_of
from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed, Stopping
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.paths import Path
from croupier.live.school import School
from croupier.live.visits import known, owner_of_change
from croupier.table import ActorRank

P = ParamSpec("P")
T = TypeVar("T")

SUPERVISES = ActorRank.PIT_SUPERVISOR
"""The least rank that sees what others know."""
NO_NAME = "The school keeps a record of what you know: enter or log in first."
ONLY_SUPERVISORS = "What others know is for a Pit Supervisor or above, on duty."


def school_of(request: Request) -> School:
    """The school of this server."""
    school: School = request.app.state.school
    return school


def _supervises(casino: LiveCasino, visitor: Visitor) -> bool:
    return casino.is_staff(visitor) and visitor.rank.is_at_least(SUPERVISES)


def _trainee(visitor: Visitor) -> str:
    if visitor.name is None:
        raise NotAllowed("not entered", NO_NAME)
    return visitor.name


async def _beside(does: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Response:
    try:
        return Json(await asyncio.to_thread(does, *args, **kwargs))
    except HouseError as error:
        raise NotAllowed("full", f"The school cannot be reached now: {error}") from error


def _changing(request: Request) -> str:
    casino = casino_of(request)
    if casino.stopping:
        raise Stopping
    return _trainee(owner_of_change(request, casino))


# -- looking --------------------------------------------------------------------------------------


async def school(request: Request) -> Response:
    """What there is to learn, and where you stand."""
    casino = casino_of(request)
    visitor = known(request, casino)
    supervises = _supervises(casino, visitor)
    return await _beside(school_of(request).page, visitor.name, supervises=supervises)


async def lesson(request: Request) -> Response:
    """A lesson of yours as it stands."""
    trainee = _trainee(known(request, casino_of(request)))
    return await _beside(school_of(request).lesson, trainee, request.path_params["lesson"])


async def certificate(request: Request) -> Response:
    """What was asked in a lesson that is over."""
    casino = casino_of(request)
    visitor = known(request, casino)
    return await _beside(
        school_of(request).certificate,
        _trainee(visitor),
        request.path_params["lesson"],
        supervises=_supervises(casino, visitor),
    )


async def trainees(request: Request) -> Response:
    """Who knows what; for supervisors."""
    casino = casino_of(request)
    if not _supervises(casino, known(request, casino)):
        raise NotAllowed("supervisors only", ONLY_SUPERVISORS)
    return await _beside(school_of(request).trainees)


# -- learning -------------------------------------------------------------------------------------


async def begin(request: Request) -> Response:
    """Begin a lesson or an examination."""
    trainee = _changing(request)
    most = casino_of(request).config.limits.body_bytes
    body = await read_body(request, records.BeginBody, most)
    return await _beside(school_of(request).begin, trainee, body)


async def go_on(request: Request) -> Response:
    """Have the next exercise put."""
    trainee = _changing(request)
    return await _beside(school_of(request).go_on, trainee, request.path_params["lesson"])


async def answer(request: Request) -> Response:
    """Answer the exercise that waits."""
    trainee = _changing(request)
    most = casino_of(request).config.limits.body_bytes
    body = await read_body(request, records.SchoolAnswerBody, most)
    return await _beside(school_of(request).answer, trainee, request.path_params["lesson"], body)


_LESSON = "/api/school/lessons/{lesson}"

SCHOOL_PATHS: tuple[Path, ...] = (
    Path(path="/api/school", does=school, answers=records.SchoolPage),
    Path(
        path="/api/school/lessons",
        method="POST",
        does=begin,
        takes=records.BeginBody,
        answers=records.LessonNow,
    ),
    Path(path=_LESSON, does=lesson, answers=records.LessonNow),
    Path(path=f"{_LESSON}/next", method="POST", does=go_on, answers=records.LessonNow),
    Path(
        path=f"{_LESSON}/answer",
        method="POST",
        does=answer,
        takes=records.SchoolAnswerBody,
        answers=records.SchoolMarked,
    ),
    Path(path=f"{_LESSON}/certificate", does=certificate, answers=records.Certificate),
    Path(path="/api/school/trainees", does=trainees, answers=records.Trainees),
)
