"""The HTTP API for who somebody is: entering and leaving as a guest, and what a visitor is told of
themselves. Logging in is in `croupier.live.log_in_api`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response

from croupier.house.elsewhere import seat_elsewhere
from croupier.live import api_records as records
from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.requested import casino_of
from croupier.live.visits import COOKIE, give_cookie, owner_of_change, visitor_of
from croupier.pit.registry import GAMES


async def me(request: Request) -> Response:
    """Who you are; a new visitor gets his cookie."""
    casino = casino_of(request)
    visitor = visitor_of(request, casino)
    if visitor is not None:
        return Json(await me_of(casino, visitor))
    visitor, cookie = casino.identity.welcome()
    answer = Json(await me_of(casino, visitor))
    give_cookie(request, answer, cookie)
    return answer


async def enter(request: Request) -> Response:
    """Enter as a guest."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    if not casino.config.demonstration:
        raise NotAllowed("no guests", "This casino has accounts: log in.")
    body = await read_body(request, records.EnterBody, casino.config.limits.body_bytes)
    casino.new_guest(request, visitor)
    entered, cookie = await asyncio.to_thread(
        casino.identity.enter, visitor, body.name, bot=body.bot
    )
    answer = Json(await me_of(casino, entered))
    give_cookie(request, answer, cookie)
    return answer


async def leave(request: Request) -> Response:
    """Give the name up, once one sits nowhere."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    if visitor.name is not None and (place := await _sits_at(casino, visitor.name)):
        raise NotAllowed("seated", f"You still sit at {place}; leave the table first.")
    if casino.config.demonstration and visitor.name is not None and casino.is_staff(visitor):
        await asyncio.to_thread(casino.staff_door.leave, visitor.name)
        casino.stand_in.left(visitor.name)
    left, cookie = await asyncio.to_thread(
        casino.identity.exit, visitor, request.cookies.get(COOKIE)
    )
    if visitor.name is not None:
        casino.authority.look([visitor.name])
    answer = Json(await me_of(casino, left))
    give_cookie(request, answer, cookie)
    return answer


async def refill(request: Request) -> Response:
    """More play money for a guest who is short of it."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    await asyncio.to_thread(casino.identity.refill, visitor)
    return Json(await me_of(casino, visitor))


async def me_of(casino: LiveCasino, visitor: Visitor) -> records.Me:
    """What a visitor is told of themselves. The account may have to be looked up."""
    name = visitor.name
    funds = await asyncio.to_thread(casino.identity.funds, name) if name is not None else None
    post, on_duty = casino.post_of(name)
    return records.Me(
        name=name,
        rank=visitor.rank.value,
        post=post,
        on_duty=on_duty,
        bot=visitor.bot,
        token=casino.identity.token(visitor),
        play_money=funds,
        seats=tuple(_seats(casino, name)) if name is not None else (),
        mode=casino.config.mode,
    )


async def _sits_at(casino: LiveCasino, name: str) -> str | None:
    """A table at which somebody sits, whichever server runs it."""
    here = next((seat.place for seat in _seats(casino, name)), None)
    return here or await asyncio.to_thread(seat_elsewhere, casino.house, name)


def _seats(casino: LiveCasino, name: str) -> Iterator[records.SeatAt]:
    for place, table in casino.tables().items():
        for seat in GAMES.port_of(table).seated(table):
            if table.player_at(seat) == name:
                yield records.SeatAt(place=place, seat=seat)
