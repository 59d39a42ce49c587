"""What staff do over HTTP: orders for players on their word, and the roster.

Each in the rank that somebody has at that moment; the House looks at duty, licence and assignment.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from croupier.house.answers import Answer
from croupier.house.behalf import Behalf
from croupier.house.casino import NotAllowedIn
from croupier.house.errors import HouseError
from croupier.house.office.roster import assignments_of, why_unlicensed
from croupier.house.office.roster_events import told_where
from croupier.house.office.state import PIT
from croupier.house.table_staff import carry_out_for_player
from croupier.live import staff_records as records
from croupier.live import wire
from croupier.live.account_api import me_of
from croupier.live.casino import LiveCasino, full_id
from croupier.live.connection import failed, reply
from croupier.live.errors import NotAllowed, Stopping
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.log_in_limits import From
from croupier.live.requested import NotFound, casino_of
from croupier.live.visits import give_cookie, known, owner_of_change
from croupier.table import ActorRank, BadCommand


def staff_of_change(request: Request, casino: LiveCasino) -> Visitor:
    """The member of staff who asks for a change, as he is at this moment."""
    if casino.stopping:
        raise Stopping
    visitor = casino.authority.of(owner_of_change(request, casino))
    _only_staff(casino, visitor)
    return visitor


def staff_who_looks(request: Request, casino: LiveCasino) -> Visitor:
    """The member of staff who asks to see something."""
    visitor = known(request, casino)
    _only_staff(casino, visitor)
    return visitor


def _only_staff(casino: LiveCasino, visitor: Visitor) -> None:
    if not casino.is_staff(visitor) or visitor.name is None:
        raise NotAllowed("staff only", "This is for the staff of the House; log in as one of them.")
    casino.staff_door.saw(visitor.name)


# -- the demonstration's staff door -------------------------------------------------------------


async def staff_door(request: Request) -> Response:
    """Try a post of the pit, in the demonstration."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    if not casino.config.demonstration:
        raise NotAllowed("no guests", "This casino has accounts: log in.")
    body = await read_body(request, records.StaffDoorBody, casino.config.limits.body_bytes)
    casino.new_guest(request, visitor)
    entered, cookie = await asyncio.to_thread(
        casino.staff_door.enter, visitor, body.name, body.post
    )
    answer = Json(await me_of(casino, entered))
    give_cookie(request, answer, cookie)
    return answer


# -- for a player ---------------------------------------------------------------------------------


async def for_player(request: Request) -> Response:
    """Give a command for a player at a hand-dealt table, on his word."""
    casino = casino_of(request)
    place: str = request.path_params["place"]
    if place not in casino.hubs:
        raise NotFound(f"There is no table {place!r}.")
    visitor = staff_of_change(request, casino)
    body = await read_body(request, records.ForPlayerBody, casino.config.limits.body_bytes)
    if visitor.rank is ActorRank.PLAYER or visitor.name is None:
        raise NotAllowed("off duty", "You are not on duty in the pit.")
    try:
        command = casino.conversation(place).read_given(bytes(body.command))
        carried_out = partial(
            carry_out_for_player,
            casino.casino,
            place,
            command,
            who=visitor.name,
            rank=visitor.rank,
            behalf=Behalf(player=body.player, word=body.word, why=body.why),
            pin=body.pin,
            command_id=full_id(visitor, body.id),
            session=visitor.session,
        )
        if body.pin:
            of_one = From(address=body.player, device=f"PIN of {body.player}")
            answer = await casino.passwords.run(of_one, carried_out)
        else:
            answer = await asyncio.to_thread(carried_out)
    except NotAllowedIn as error:
        return Json(failed(casino, body.id, NotAllowed("wrong pin", str(error))), 403)
    except BadCommand as error:
        return Json(failed(casino, body.id, error), 422)
    except HouseError as error:
        return Json(failed(casino, body.id, error), 503)
    done: Future[Answer] = Future()
    done.set_result(answer)
    said = reply(casino, place, body.id, done, again=answer.again)
    return Json(said, 409 if isinstance(said, wire.RefusedMessage) else 200)


# -- the roster -----------------------------------------------------------------------------------


async def roster(request: Request) -> Response:
    """Who works here: role, post, licence, assignments."""
    casino = casino_of(request)
    hidden = casino.private.hidden_from(staff_who_looks(request, casino).name)
    state, now = casino.casino.office.state, casino.house.clock()
    tables = {
        name: record
        for name, record in state.places.items()
        if record.kind == "table" and not record.closed and name not in hidden
    }
    lines = []
    for name, person in sorted(state.people.items()):
        if person.kind != "staff":
            continue
        duty = state.duty.get(name)
        in_pit = person.role in PIT
        lines.append(
            records.RosterLine(
                name=name,
                role=person.role or "",
                post=duty.post if duty is not None else "",
                acting=duty is not None and duty.acting,
                since=duty.since if duty is not None else None,
                licence=person.licence,
                licence_until=person.licence_until,
                unlicensed=why_unlicensed(state, person, name, now) if in_pit else "",
                assignments=tuple(
                    records.AssignmentLine(
                        assignment=number,
                        table=one.table,
                        area=one.area,
                        says=told_where(one.table, one.area),
                        since=one.since,
                        until=one.until,
                        by=one.by,
                    )
                    for number, one in assignments_of(state, name, now).items()
                ),
                deals_at=tuple(t for t, dealer in state.dealers.items() if dealer == name),
                disabled=person.disabled,
            )
        )
    areas = sorted({record.area for record in tables.values()} - {""})
    return Json(
        records.RosterPage(staff=tuple(lines), areas=tuple(areas), tables=tuple(sorted(tables)))
    )
