"""Logging in over HTTP: with a password, and for staff a second factor, which is set up at the
first log-in where it is required.

Whoever is refused is told the same, after the same time, whatever the reason was.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import time

import msgspec
from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from croupier.house import totp
from croupier.house.errors import StorageError
from croupier.house.log_in import WRONG, NeedsSecondFactor
from croupier.house.passwords import digest_of
from croupier.live import api_records as records
from croupier.live.account_api import me_of
from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed, Stopping, WrongCode
from croupier.live.identity import LogIn
from croupier.live.json_response import Json, read_body
from croupier.live.log_in_limits import From
from croupier.live.requested import casino_of
from croupier.live.senders import sender
from croupier.live.visits import A_YEAR, give_cookie, is_secure, owner_of_change

REFUSED_AFTER = 0.6
"""Seconds from a wrong name or password to the answer, or twice as many, or three times: longer
than either takes to find out. Whoever sends several at once waits for the first ones too."""
DEVICE = "croupier-device"
"""The cookie of a browser by which somebody has logged in before."""
NEW_KEY, KNOWN_DEVICE = "new second factor", "known device"
SET_UP_WITHIN = 900
"""Seconds from seeing a new key to typing its first code."""


class NewKey(Struct, frozen=True, kw_only=True):
    """A key that somebody was shown to set up: it comes back with its first code."""

    name: str
    key: str
    until: float


class Device(Struct, frozen=True, kw_only=True):
    """A browser by which somebody has logged in."""

    name: str
    device: str


async def login(request: Request) -> Response:
    """Log in to an account."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    body = await read_body(request, records.LoginBody, casino.config.limits.body_bytes)
    if casino.config.demonstration and not casino.staff_door.has_password(body.name):
        raise NotAllowed("no accounts", "The demonstration has no accounts: enter as a guest.")
    began = asyncio.get_running_loop().time()
    place = where_from(request, casino, body.name)
    proof = LogIn(
        password=body.password,
        code=body.code,
        origin=digest_of(place.origin)[:16],
        new_key=_key_back(casino, body),
    )
    try:
        if not casino.log_in_limits.may_try(body.name, place):
            raise NotAllowed("wrong password", WRONG)
        entered, cookie = await casino.passwords.run(
            place, casino.identity.enter, visitor, body.name, proof=proof
        )
    except NeedsSecondFactor:
        casino.log_in_limits.was_right(body.name, place)
        return Json(new_key(casino, body.name), 403)
    except StorageError:
        if not casino.stopping:
            raise
        raise Stopping from None  # which does not wait for passwords
    except NotAllowed as error:
        if isinstance(error, WrongCode):
            casino.log_in_limits.was_wrong_code(body.name, place)
        # A wrong password is noted in the office and an unknown name is not: whoever could see how
        # long that takes would learn who has an account here.
        if error.code == "wrong password":
            await asyncio.sleep(_until_refused(asyncio.get_running_loop().time() - began))
        raise
    casino.log_in_limits.was_right(body.name, place)
    answer = Json(await me_of(casino, entered))
    give_cookie(request, answer, cookie)
    _remember(request, answer, casino, entered.name or "")
    return answer


def _until_refused(took: float) -> float:
    """How long an answer waits still that took so long to find: what it took is not seen in it."""
    return max(1, math.ceil(took / REFUSED_AFTER)) * REFUSED_AFTER - took


def where_from(request: HTTPConnection, casino: LiveCasino, name: str) -> From:
    """From where somebody tries to log in as this one."""
    address = sender(request)
    known = casino.identity.read_note(KNOWN_DEVICE, request.cookies.get(DEVICE, ""))
    if known is not None:
        found = msgspec.json.decode(known, type=Device)
        if found.name == name:
            return From(address=address, device=found.device)
    return From(address=address)


def _remember(request: Request, answer: Response, casino: LiveCasino, name: str) -> None:
    """This browser is known from now on."""
    device = Device(name=name, device=secrets.token_urlsafe(12))
    answer.set_cookie(
        DEVICE,
        casino.identity.note(KNOWN_DEVICE, msgspec.json.encode(device)),
        max_age=A_YEAR,
        path="/api/login",
        httponly=True,
        samesite="strict",
        secure=is_secure(request),
    )


def new_key(casino: LiveCasino, name: str) -> records.SecondFactorNeeded:
    """A new key for somebody who has none yet."""
    key = totp.new_key()
    shown = NewKey(name=name, key=key, until=time.time() + SET_UP_WITHIN)
    return records.SecondFactorNeeded(
        error="second factor",
        says="Staff log in with a second factor here. Add this key to an authenticator app on your "
        "phone, then log in again with the code that it shows.",
        key=totp.spaced(key),
        address=totp.address_of(key, name),
        note=casino.identity.note(NEW_KEY, msgspec.json.encode(shown)),
    )


def _key_back(casino: LiveCasino, body: records.LoginBody) -> str:
    """The key that this person was shown a moment ago."""
    kept = casino.identity.read_note(NEW_KEY, body.note)
    if kept is None:
        return ""
    shown = msgspec.json.decode(kept, type=NewKey)
    return shown.key if shown.name == body.name and time.time() < shown.until else ""
