"""The seals of a casino over HTTP: anybody may collect them, and witnesses sign them back.

A seal tells how far each log goes, how much money was moved in all, and digests; no names of
people, no cards, no balances. So whoever wants to may keep them, which is what they are for; a
House that does not want it says `serve = false` and hands them over as files. A signature comes
back without an account: the key of a witness that the House knows is his name.
"""

from __future__ import annotations

import asyncio
from datetime import time, timedelta
from pathlib import Path as File
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.seals.folder import seals_folder
from croupier.house.seals.kept import keep_mark, newest_number, stored_seal, stored_seals
from croupier.house.seals.keys import key_file_of
from croupier.house.seals.records import WitnessMark
from croupier.house.seals.sealer import Sealing
from croupier.house.seals.witness import AT_ONCE, SealsTold
from croupier.house.store import Store
from croupier.house.urls import SQLITE, sqlite_file
from croupier.live.casino import LiveCasino
from croupier.live.config import Config
from croupier.live.errors import NotAllowed
from croupier.live.json_response import BadBody, Json, read_body
from croupier.live.paths import Path
from croupier.live.visits import known

MOST_NUMBER = 2**53


class MarkKept(Struct, kw_only=True):
    """A signature was taken back."""

    seal: int
    witness: str
    again: bool
    """Whether it was there already."""


def sealing_of(config: Config) -> Sealing | None:
    """How the House of a configuration seals; None where it has no key."""
    seals, url = config.seals, config.server.database
    file = sqlite_file(url) if url.startswith(SQLITE) else None
    key = key_file_of(file, seals.key_file)
    if key is None:
        return None
    folder = File(seals.folder) if seals.folder else None
    if folder is None and file is not None:
        folder = seals_folder(file)
    return Sealing(
        key_file=key,
        folder=folder,
        every=timedelta(seconds=seals.every),
        day_begins=time.fromisoformat(seals.day_begins),
        zone=ZoneInfo(seals.zone),
    )


async def seals(request: Request) -> Response:
    """The seals of this House after a number, at most 100 at once."""
    casino = _served(request)
    casino.private.check_all_known(known(request, casino).name)
    after = request.query_params.get("after", "0")
    readable = after.isascii() and after.isdigit() and len(after) <= len(str(MOST_NUMBER))
    if not readable or int(after) > MOST_NUMBER:
        raise BadBody(422, "after: the number of the last seal that you have, or 0.")
    return Json(await asyncio.to_thread(_told, casino.house.reader, int(after)))


def _told(store: Store, after: int) -> SealsTold:
    found = []
    for seal in stored_seals(store, after):
        found.append(seal)
        if len(found) == AT_ONCE:
            break
    return SealsTold(newest=newest_number(store), seals=found)


async def witness_seal(request: Request) -> Response:
    """Sign a seal back: with the key of a witness whom this House knows."""
    casino = _served(request)
    number: int = request.path_params["number"]
    mark = await read_body(request, WitnessMark, casino.config.limits.body_bytes)
    if mark.seal != number:
        raise BadBody(422, f"The body is about seal {mark.seal}, the address about {number}.")
    if casino.config.seals.witnesses.get(mark.witness) != mark.key:
        raise NotAllowed(
            "no witness",
            "This House knows no witness of that name with that key ([seals.witnesses]).",
        )
    kept = await asyncio.to_thread(stored_seal, casino.house.reader, number)
    if kept is None:
        raise NotAllowed("not found", f"There is no seal {number}.")
    if kept.digest != mark.digest or not mark.holds():
        raise NotAllowed(
            "not this seal", f"The signature is not of seal {number} as this House has it."
        )
    news = await asyncio.to_thread(keep_mark, casino.house.store, mark)
    return Json(MarkKept(seal=number, witness=mark.witness, again=not news))


def _served(request: Request) -> LiveCasino:
    casino: LiveCasino = request.app.state.casino
    if not casino.config.seals.serve:
        raise NotAllowed("not found", "This House hands its seals over as files.")
    return casino


SEAL_PATHS: tuple[Path, ...] = (
    Path(path="/api/seals", does=seals, answers=SealsTold, query=("after",)),
    Path(
        path="/api/seals/{number:int}/witnesses",
        method="POST",
        does=witness_seal,
        takes=WitnessMark,
        answers=MarkKept,
    ),
)
