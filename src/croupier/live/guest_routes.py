"""The paths by which a guest comes back on another device."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from croupier.live import api_records as records
from croupier.live.account_api import me_of
from croupier.live.guest_codes import CodeBody, GuestCode
from croupier.live.json_response import Json, read_body
from croupier.live.paths import Path
from croupier.live.requested import casino_of
from croupier.live.senders import sender
from croupier.live.visits import give_cookie, owner_of_change


async def make_code(request: Request) -> Response:
    """A code with which you are the same guest on another device."""
    casino = casino_of(request)
    return Json(casino.guest_codes.make(owner_of_change(request, casino)))


async def use_code(request: Request) -> Response:
    """Be the guest of a code, on this device too."""
    casino = casino_of(request)
    owner_of_change(request, casino)
    body = await read_body(request, CodeBody, casino.config.limits.body_bytes)
    visitor, cookie = casino.guest_codes.use(body.code, sender(request))
    answer = Json(await me_of(casino, visitor))
    give_cookie(request, answer, cookie)
    return answer


GUEST_PATHS: tuple[Path, ...] = (
    Path(path="/api/guest-code", method="POST", does=make_code, answers=GuestCode),
    Path(
        path="/api/guest-code/use",
        method="POST",
        does=use_code,
        takes=CodeBody,
        answers=records.Me,
    ),
)
