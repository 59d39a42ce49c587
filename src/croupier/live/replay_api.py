"""The replayer over HTTP: rounds of the House, shipped cases, and hands that somebody drops.

Everything here takes the engine, so it is done beside the loop, one at a time, and few may wait.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand
from croupier.formats.reading import hands_in, name_of, read_any
from croupier.formats.replay_hand import NotPlayed, replay_hand
from croupier.formats.writing import hand_formats, write_hand
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.errors import UnknownPlace
from croupier.house.openings import NotOver, UnknownRound
from croupier.live.api_records import RoundShuffles
from croupier.live.bots.true_equity import Equities, equities
from croupier.live.errors import NotAllowed
from croupier.live.json_response import BadBody, Json, read_body
from croupier.live.paths import Path
from croupier.live.replays import Replays, formats_of, suffix_of
from croupier.live.requested import NotFound, casino_of, check_round
from croupier.live.side_work import side_work_of
from croupier.live.visits import known, owner_of_change
from croupier.pit.replay import EVERYTHING, Replay
from croupier.rulebooks.several import books_named
from croupier.site.case_index import case_text, replayed

HANDS_BYTES = 1_000_000
"""Of a file of hands that is dropped."""
HANDS_AT_MOST = 500
"""Hands of a file that are listed."""
NOT_READABLE = "This round lies in an archive that cannot be read now; the House has been told."


class ReplayAnswer(Struct, frozen=True, kw_only=True):
    """A round to be played again, and what may be asked of it."""

    replay: Replay
    seen_as: tuple[str, ...]
    """As whom it may be seen: nobody in particular (empty), players by name, `*` everything."""
    formats: tuple[str, ...] = ()
    """In which it can be written."""


class HandsBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of hands."""

    name: Annotated[str, Meta(max_length=200)]
    """What the file is called; its end says which format it is."""
    text: str
    hand: Annotated[int, Meta(ge=0, lt=HANDS_AT_MOST)] = 0
    """Which of them, counted from 0."""
    step: Annotated[int, Meta(ge=0)] = 0
    """For equities."""
    format: str = ""
    """In which the hand is written."""


class HandsAnswer(Struct, frozen=True, kw_only=True):
    """The hands of a file, and one of them to be played again."""

    hands: tuple[str, ...]
    more: bool
    """Whether there are more than are listed."""
    replay: Replay
    formats: tuple[str, ...]


def replays_of(request: Request) -> Replays:
    """The replays of this casino."""
    found: Replays = request.app.state.replays
    return found


# -- rounds of the House --------------------------------------------------------------------------


def _asked(request: Request) -> tuple[str, int, str]:
    casino = casino_of(request)
    place, number = request.path_params["place"], request.path_params["round"]
    if place not in casino.hubs:
        raise NotFound(f"There is no table {place!r}.")
    visitor = known(request, casino)
    wanted = request.query_params.get("as")
    return place, number, replays_of(request).seen_as(visitor, place, number, wanted)


def _is_auditor(request: Request, place: str, number: int) -> bool:
    visitor = known(request, casino_of(request))
    return replays_of(request).sees_everything(visitor, place, number)


async def _replay(request: Request) -> Replay:
    place, number, seen_as = _asked(request)
    try:
        if not _is_auditor(request, place, number):
            await check_round(request, place, number, known(request, casino_of(request)).name)
        return await replays_of(request).of_round(request, place, number, seen_as)
    except NotOver as error:
        says = f"Round {number} of {place} is not over: it can be seen again afterwards."
        raise NotFound(says) from error
    except (UnknownRound, UnknownPlace) as error:
        raise NotFound(f"{place} has no round {number}.") from error
    except ArchiveDamaged as error:
        raise NotAllowed("archive", NOT_READABLE) from error


async def round_replay(request: Request) -> Response:
    """A finished round, step by step, as you saw it; `as` names another viewer."""
    replay = await _replay(request)
    casino = casino_of(request)
    visitor = known(request, casino)
    if replays_of(request).sees_everything(visitor, replay.place, replay.round):
        choices: tuple[str, ...] = (EVERYTHING, "", *replay.players)
    elif visitor.name in replay.players:
        choices = (visitor.name or "", "")
    else:
        choices = ("",)
    formats = tuple(formats_of(replay))
    return Json(ReplayAnswer(replay=replay, seen_as=choices, formats=formats))


async def round_equities(request: Request) -> Response:
    """What each hand was worth after a step of a finished round."""
    replay = await _replay(request)
    return Json(await _equities(request, replay, _step(request)))


async def round_proofs(request: Request) -> Response:
    """The shuffles of a finished round, with the openings of what its viewer saw."""
    place, number, seen_as = _asked(request)
    casino = casino_of(request)
    try:
        if not _is_auditor(request, place, number):
            await check_round(request, place, number, known(request, casino).name)
        found = await asyncio.to_thread(casino.shuffles.of_viewer, place, number, seen_as)
    except (NotOver, UnknownRound) as error:
        raise NotFound(str(error)) from error
    except ArchiveDamaged as error:
        raise NotAllowed("archive", NOT_READABLE) from error
    return Json(RoundShuffles(place=place, round=number, shuffles=found))


async def round_export(request: Request) -> Response:
    """A finished round as a hand history, as its viewer saw it."""
    form = request.path_params["format"]
    replay = await _replay(request)
    if form not in formats_of(replay):
        raise NotFound(f"A round of {replay.book} is written as {', '.join(formats_of(replay))}.")
    try:
        made = await replays_of(request).exported(
            request, replay.place, replay.round, replay.seen_as, form
        )
    except FormatError as error:
        raise NotAllowed("format", str(error)) from error
    if not made:
        raise NotAllowed("format", f"{form} cannot tell this round, for it was void.")
    return _file(made, f"{replay.place}-{replay.round}{suffix_of(form)}")


async def _equities(request: Request, replay: Replay, step: int) -> Equities:
    return await side_work_of(request).equities.run(request, equities, replay, step)


def _step(request: Request) -> int:
    text = request.query_params.get("step", "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1


def _file(made: bytes, name: str) -> Response:
    plain = "".join(char if char.isascii() and (char.isalnum() or char in ".-_") else "-"
                    for char in name)  # fmt: skip
    headers = {
        "content-disposition": f'attachment; filename="{plain}"',
        "cache-control": "no-store",
    }
    return Response(made, media_type="text/plain; charset=utf-8", headers=headers)


# -- shipped cases --------------------------------------------------------------------------------


def _case(book: str, source: str, seen_as: str) -> Replay | None:
    text = case_text(source)
    if text is None or book not in books_named(text):
        return None
    return replayed(source, book, seen_as)


async def _case_asked(request: Request) -> Replay:
    book, source = request.path_params["book"], request.path_params["source"]
    seen_as = request.query_params.get("as", EVERYTHING)
    found = await side_work_of(request).replays.run(request, _case, book, source, seen_as)
    if found is None:
        raise NotFound(f"There is no case {source!r} of {book!r}.")
    return found


async def case_replay(request: Request) -> Response:
    """A shipped case, step by step. Nothing in it is anybody's secret."""
    replay = await _case_asked(request)
    return Json(ReplayAnswer(replay=replay, seen_as=(EVERYTHING, "", *replay.players)))


async def case_equities(request: Request) -> Response:
    """What each hand was worth after a step of a case."""
    return Json(await _equities(request, await _case_asked(request), _step(request)))


# -- hands that somebody drops --------------------------------------------------------------------


async def _hands(request: Request) -> HandsBody:
    casino = casino_of(request)
    owner_of_change(request, casino)
    return await read_body(request, HandsBody, HANDS_BYTES)


def _read(body: HandsBody) -> Iterator[tuple[str, Hand | FormatError]]:
    """The hands of a file, as far as they are listed; what cannot be read says why."""
    for number, found in enumerate(hands_in(io.BytesIO(body.text.encode()), body.name)):
        if number > HANDS_AT_MOST:
            return
        try:
            yield name_of(found) or str(number + 1), read_any(found)
        except FormatError as error:
            yield name_of(found) or str(number + 1), error


def _one(body: HandsBody) -> tuple[list[str], Hand]:
    try:
        found = list(_read(body))
    except FormatError as error:
        raise BadBody(422, f"No hand can be read here: {error}") from error
    if not found:
        raise BadBody(422, "There is no hand in this file; it reads .phh, .phhs, .ohh and .txt.")
    if body.hand >= len(found):
        raise BadBody(422, f"There are only {len(found)} hands in this file.")
    name, hand = found[body.hand]
    if isinstance(hand, FormatError):
        raise BadBody(422, f"Hand {name} cannot be read: {hand}")
    return [name for name, _ in found], hand


def _played(body: HandsBody) -> HandsAnswer:
    names, hand = _one(body)
    try:
        replay = replay_hand(hand)
    except (NotPlayed, FormatError) as error:
        raise BadBody(422, str(error)) from error
    return HandsAnswer(
        hands=tuple(names[:HANDS_AT_MOST]),
        more=len(names) > HANDS_AT_MOST,
        replay=replay,
        formats=tuple(hand_formats()),
    )


async def hand_replay(request: Request) -> Response:
    """A hand of a file that somebody drops: PHH or OHH."""
    body = await _hands(request)
    return Json(await side_work_of(request).replays.run(request, _played, body))


async def hand_equities(request: Request) -> Response:
    """What each hand was worth after a step of it."""
    body = await _hands(request)
    found = await side_work_of(request).replays.run(request, _played, body)
    return Json(await _equities(request, found.replay, body.step))


async def hand_export(request: Request) -> Response:
    """The hand in another format."""
    body = await _hands(request)
    if body.format not in hand_formats():
        raise NotFound(f"A hand is written as {', '.join(hand_formats())}.")

    def written() -> bytes:
        _, hand = _one(body)
        try:
            return write_hand(hand, body.format)
        except FormatError as error:
            raise NotAllowed("format", str(error)) from error

    made = await side_work_of(request).replays.run(request, written)
    return _file(made, f"hand{suffix_of(body.format)}")


_ROUND = "/api/tables/{place}/rounds/{round:int}"

CASE_PATHS: tuple[Path, ...] = (
    Path(
        path="/api/cases/{book}/equities/{source:path}",
        does=case_equities,
        answers=Equities,
        query=("as", "step"),
    ),
    Path(
        path="/api/cases/{book}/replay/{source:path}",
        does=case_replay,
        answers=ReplayAnswer,
        query=("as",),
    ),
)
"""Cases are nobody's secret: a desk that stands alone has them too."""

REPLAY_PATHS: tuple[Path, ...] = (
    Path(path=f"{_ROUND}/replay", does=round_replay, answers=ReplayAnswer, query=("as",)),
    Path(path=f"{_ROUND}/equities", does=round_equities, answers=Equities, query=("as", "step")),
    Path(path=f"{_ROUND}/proofs", does=round_proofs, answers=RoundShuffles, query=("as",)),
    Path(
        path=f"{_ROUND}/export/{{format}}",
        does=round_export,
        answers=str,
        media="text/plain",
        query=("as",),
    ),
    *CASE_PATHS,
    Path(
        path="/api/hands/replay",
        method="POST",
        does=hand_replay,
        takes=HandsBody,
        answers=HandsAnswer,
    ),
    Path(
        path="/api/hands/equities",
        method="POST",
        does=hand_equities,
        takes=HandsBody,
        answers=Equities,
    ),
    Path(
        path="/api/hands/export",
        method="POST",
        does=hand_export,
        takes=HandsBody,
        answers=str,
        media="text/plain",
    ),
)
