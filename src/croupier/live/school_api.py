"""The dealer school over HTTP: for everybody with a name; the table of trainees for supervisors."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from croupier.house.errors import HouseError
from croupier.live import school_records as records
from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed, Stopping
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.paths import Path
from croupier.live.requested import casino_of
from croupier.live.school import School
from croupier.live.school_work import EVERYBODYS, SchoolWork
from croupier.live.senders import sender
from croupier.live.trainees import called, trainee_of
from croupier.live.visits import known, owner_of_change
from croupier.table import ActorRank

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


def _work_of(request: Request) -> SchoolWork:
    work: SchoolWork = request.app.state.school_work
    return work


def _trainee(casino: LiveCasino, visitor: Visitor) -> str:
    if visitor.name is None:
        raise NotAllowed("not entered", NO_NAME)
    return trainee_of(casino.casino.office.state, visitor.name)


async def _answer(done: Awaitable[T]) -> Response:
    try:
        return Json(await done)
    except HouseError as error:
        raise NotAllowed("full", f"The school cannot be reached now: {error}") from error


def _changing(request: Request) -> str:
    casino = casino_of(request)
    if casino.stopping:
        raise Stopping
    return _trainee(casino, owner_of_change(request, casino))


# -- looking --------------------------------------------------------------------------------------


async def school(request: Request) -> Response:
    """What there is to learn, and where you stand."""
    casino = casino_of(request)
    visitor = known(request, casino)
    trainee = _trainee(casino, visitor) if visitor.name is not None else None
    whose = sender(request)
    person = trainee or visitor.visit or whose
    page = partial(school_of(request).page, supervises=_supervises(casino, visitor))
    return await _answer(_work_of(request).look(person, whose, (), page, trainee))


async def lesson(request: Request) -> Response:
    """A lesson of yours as it stands."""
    casino = casino_of(request)
    trainee = _trainee(casino, known(request, casino))
    # An exercise that is not remembered is made again.
    does, which = school_of(request).lesson, request.path_params["lesson"]
    return await _answer(_work_of(request).learn(trainee, sender(request), does, trainee, which))


async def certificate(request: Request) -> Response:
    """What was asked in a lesson that is over."""
    casino = casino_of(request)
    visitor = known(request, casino)
    trainee = _trainee(casino, visitor)
    does = partial(school_of(request).certificate, supervises=_supervises(casino, visitor))
    which = request.path_params["lesson"]
    return await _answer(_work_of(request).look(trainee, sender(request), (), does, trainee, which))


async def trainees(request: Request) -> Response:
    """Who knows what; for supervisors."""
    casino = casino_of(request)
    visitor = known(request, casino)
    if not _supervises(casino, visitor):
        raise NotAllowed("supervisors only", ONLY_SUPERVISORS)
    does, listed = school_of(request).trainees, partial(called, casino.casino.office.state)
    look = _work_of(request).look
    return await _answer(look(visitor.name, sender(request), EVERYBODYS, does, listed))


# -- learning -------------------------------------------------------------------------------------


async def begin(request: Request) -> Response:
    """Begin a lesson or an examination."""
    trainee = _changing(request)
    most = casino_of(request).config.limits.body_bytes
    body = await read_body(request, records.BeginBody, most)
    work, whose = _work_of(request), sender(request)
    work.one_more(whose)
    return await _answer(work.learn(trainee, whose, school_of(request).begin, trainee, body))


async def go_on(request: Request) -> Response:
    """Have the next exercise put."""
    trainee = _changing(request)
    work, whose = _work_of(request), sender(request)
    work.one_more(whose)
    does, which = school_of(request).go_on, request.path_params["lesson"]
    return await _answer(work.learn(trainee, whose, does, trainee, which))


async def answer(request: Request) -> Response:
    """Answer the exercise that waits."""
    trainee = _changing(request)
    most = casino_of(request).config.limits.body_bytes
    body = await read_body(request, records.SchoolAnswerBody, most)
    does, which = school_of(request).answer, request.path_params["lesson"]
    return await _answer(
        _work_of(request).learn(trainee, sender(request), does, trainee, which, body)
    )


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
