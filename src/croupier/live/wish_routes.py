"""The paths of wishes: what a player wants to do with his seat as soon as he may."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from croupier.live.json_response import Json, read_body
from croupier.live.paths import Path
from croupier.live.requested import casino_of, place_of
from croupier.live.visits import known, owner_of_change
from croupier.live.wishes import WishBody, WishesNow

WISHES = "/api/tables/{place}/wishes"


async def wishes(request: Request) -> Response:
    """What waits for you at a table."""
    casino = casino_of(request)
    place = place_of(request, casino)
    return Json(casino.wishes.of(known(request, casino).name, place))


async def wish(request: Request) -> Response:
    """Wish for something, or take it back; it is done as soon as the table lets you."""
    casino = casino_of(request)
    place = place_of(request, casino)
    visitor = owner_of_change(request, casino)
    body = await read_body(request, WishBody, casino.config.limits.body_bytes)
    return Json(casino.wishes.take(visitor, place, body))


WISH_PATHS: tuple[Path, ...] = (
    Path(path=WISHES, does=wishes, answers=WishesNow),
    Path(path=WISHES, method="POST", does=wish, takes=WishBody, answers=WishesNow),
)
