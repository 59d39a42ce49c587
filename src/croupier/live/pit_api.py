"""The HTTP API of the pit console (`/api/pit`): for staff; each order in the rank of the moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from croupier.house.errors import HouseError
from croupier.house.office.witnesses import WitnessAward
from croupier.jackpot import JackpotLink
from croupier.live import pit_link_records as link_records
from croupier.live import pit_records as records
from croupier.live import wire
from croupier.live.casino import LiveCasino
from croupier.live.citing import cited
from croupier.live.connection import failed
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.pit_floor import Floor
from croupier.live.pit_orders import Orders
from croupier.live.pit_rulings import NotNow, Rulings
from croupier.live.pit_watch import PitWatch
from croupier.live.requested import NotFound, casino_of
from croupier.live.staff_api import staff_of_change, staff_who_looks
from croupier.table import ActorRank, BadCommand, Command

T = TypeVar("T")
CONFLICTS = ("taken",)
"""Errors that are told with the status 409: somebody else was first."""


class Pit:
    """The console of one casino."""

    def __init__(self, casino: LiveCasino) -> None:
        self.casino = casino
        self.watch = PitWatch(casino.house)
        casino.forgets.append(self.watch.forget)
        self.floor = Floor(casino, self.watch)
        self.rulings = Rulings(casino, self.floor)
        self.orders = Orders(casino, self.floor, self.watch, self.rulings)
        self.links = self.floor.links


def pit_of(request: Request) -> Pit:
    """The console that this server has."""
    pit: Pit = request.app.state.pit
    return pit


def _table(request: Request, casino: LiveCasino) -> str:
    place: str = request.path_params["place"]
    if place not in casino.hubs:
        raise NotFound(f"There is no table {place!r}.")
    return place


def _place(request: Request, casino: LiveCasino) -> str:
    """A table, or a jackpot link."""
    place: str = request.path_params["place"]
    if place not in casino.hubs and not isinstance(casino.house.pit.links.get(place), JackpotLink):
        raise NotFound(f"There is no table or link {place!r}.")
    return place


def _in_the_pit(visitor: Visitor) -> Visitor:
    if visitor.rank is ActorRank.PLAYER or visitor.name is None:
        raise NotAllowed("off duty", "You are not on duty in the pit; go on duty first.")
    return visitor


async def _shown(request: Request, show: Callable[[Pit, Visitor], T]) -> Response:
    """What somebody of the pit may see; made under the House's lock, not in the event loop."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_who_looks(request, casino))

    def made() -> T:
        with casino.house.lock:
            casino.house.reread_stale()
            return show(pit, visitor)

    return Json(await asyncio.to_thread(made))


async def _done(request: Request, visitor: Visitor, id: str, do: Callable[[], T]) -> Response:
    """What came of an order; whatever is wrong with it is said in a sentence."""
    casino = casino_of(request)
    try:
        return Json(await asyncio.to_thread(do))
    except NotNow as error:
        book = casino.conversation(error.place).book
        said = wire.RefusedMessage(id=id, says=error.says, cites=cited(book, error.refused.cites))
        return Json(said, 409)
    except NotAllowed as error:
        if error.code in CONFLICTS:
            return Json(wire.ErrorMessage(id=id, code=error.code, says=error.says), 409)
        raise
    except BadCommand as error:
        return Json(failed(casino, id, error), 422)
    except HouseError as error:
        return Json(failed(casino, id, error), 503)


def _read(casino: LiveCasino, place: str, raw: bytes) -> Command:
    try:
        return casino.conversation(place).read_given(raw)
    except RecursionError as error:
        raise BadCommand("unreadable command: too deep") from error


# -- looking --------------------------------------------------------------------------------------


async def pit_floor(request: Request) -> Response:
    """The floor at a glance, what needs you first."""
    return await _shown(request, lambda pit, visitor: pit.floor.floor(visitor))


async def pit_tile(request: Request) -> Response:
    """One table at a glance."""
    place = _table(request, casino_of(request))
    return await _shown(request, lambda pit, visitor: pit.floor.tile(visitor, place))


async def pit_decisions(request: Request) -> Response:
    """Every question that waits, yours first."""
    return await _shown(request, lambda pit, visitor: pit.floor.decisions(visitor))


async def pit_decision(request: Request) -> Response:
    """One question, with what follows from each answer."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_who_looks(request, casino))
    place, number = _place(request, casino), int(request.path_params["decision"])
    return await _done(request, visitor, "", lambda: pit.orders.decision(visitor, place, number))


async def pit_reports(request: Request) -> Response:
    """What can be reported at a table now."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_who_looks(request, casino))
    place = _table(request, casino)
    return Json(await asyncio.to_thread(pit.rulings.reports, visitor, place))


async def pit_hold(request: Request) -> Response:
    """The hold at a table with the ruling that waits to be confirmed."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_who_looks(request, casino))
    place = _table(request, casino)
    return await _done(request, visitor, "", lambda: pit.rulings.held(visitor, place))


# -- ruling ---------------------------------------------------------------------------------------


async def pit_preview(request: Request) -> Response:
    """What a report, an answer or an undoing would come to; nothing changes."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    place = _table(request, casino)
    body = await read_body(request, records.PreviewBody, casino.config.limits.body_bytes)
    return await _done(
        request,
        visitor,
        "",
        lambda: pit.rulings.preview(visitor, place, _read(casino, place, bytes(body.command))),
    )


async def pit_hold_table(request: Request) -> Response:
    """Report something: the table is held, and the ruling shown before it is confirmed."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    place = _table(request, casino)
    body = await read_body(request, records.HoldBody, casino.config.limits.body_bytes)
    return await _done(
        request,
        visitor,
        body.id,
        lambda: pit.rulings.hold(
            visitor, place, body.id, _read(casino, place, bytes(body.command))
        ),
    )


async def pit_look(request: Request) -> Response:
    """Hold a table while you look for what to report: what can be true there now."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    place = _table(request, casino)
    body = await read_body(request, records.LookBody, casino.config.limits.body_bytes)
    return await _done(request, visitor, body.id, lambda: pit.rulings.look(visitor, place, body.id))


async def pit_keep_hold(request: Request) -> Response:
    """Hold it for longer."""
    return await _with_hold(
        request, lambda pit, v, place, body: pit.rulings.keep(v, place, body.id, body.hold)
    )


async def pit_take_hold(request: Request) -> Response:
    """Take over the hold of somebody who has gone away."""
    return await _with_hold(
        request, lambda pit, v, place, body: pit.rulings.take(v, place, body.id, body.hold)
    )


async def pit_release_hold(request: Request) -> Response:
    """Give a hold up: nothing is reported."""

    def release(pit: Pit, v: Visitor, place: str, body: records.HoldOf) -> records.PitTile:
        pit.rulings.release(v, place, body.id, body.hold, "given up")
        with pit.casino.house.lock:
            return pit.floor.tile(v, place)

    return await _with_hold(request, release)


async def _with_hold(
    request: Request, do: Callable[[Pit, Visitor, str, records.HoldOf], T]
) -> Response:
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    place = _table(request, casino)
    body = await read_body(request, records.HoldOf, casino.config.limits.body_bytes)
    return await _done(request, visitor, body.id, lambda: do(pit, visitor, place, body))


async def pit_confirm(request: Request) -> Response:
    """Confirm the ruling that is held: it is carried out, and signed as far as you may."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    place = _table(request, casino)
    body = await read_body(request, records.ConfirmBody, casino.config.limits.body_bytes)
    return await _done(request, visitor, body.id, lambda: pit.orders.confirm(visitor, place, body))


async def pit_decide(request: Request) -> Response:
    """Answer a question; whoever comes second is told who was first."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    place, number = _place(request, casino), int(request.path_params["decision"])
    body = await read_body(request, records.DecideBody, casino.config.limits.body_bytes)
    return await _done(
        request, visitor, body.id, lambda: pit.orders.decide(visitor, place, number, body)
    )


async def pit_pick(request: Request) -> Response:
    """Have the cards picked that a table waits for, in your name."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    place = _table(request, casino)
    body = await read_body(request, records.PickBody, casino.config.limits.body_bytes)
    return await _done(request, visitor, body.id, lambda: pit.orders.pick(visitor, place, body.id))


# -- jackpot links --------------------------------------------------------------------------------


def _link(request: Request, casino: LiveCasino) -> str:
    name: str = request.path_params["link"]
    if not isinstance(casino.house.pit.links.get(name), JackpotLink):
        raise NotFound(f"There is no link {name!r}.")
    return name


async def pit_link(request: Request) -> Response:
    """What staff need of a link: parameters, the self-check, what was paid."""
    name = _link(request, casino_of(request))
    return await _shown(request, lambda pit, visitor: pit.links.work(visitor, name))


async def pit_award(request: Request) -> Response:
    """One award, as its slip has it."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_who_looks(request, casino))
    name, award = _link(request, casino), int(request.path_params["award"])

    def made() -> link_records.PitAward:
        with casino.house.lock:
            return pit.links.slip(visitor, name, award)

    return await _done(request, visitor, "", made)


async def pit_witness(request: Request) -> Response:
    """Witness a payment, as somebody else than whoever paid."""
    casino, pit = casino_of(request), pit_of(request)
    visitor = _in_the_pit(staff_of_change(request, casino))
    name, award = _link(request, casino), int(request.path_params["award"])
    body = await read_body(request, link_records.WitnessBody, casino.config.limits.body_bytes)

    def witness() -> link_records.PitAward:
        pit.rulings.tell_office(visitor, body.id, WitnessAward(link=name, award=award))
        with casino.house.lock:
            return pit.links.slip(visitor, name, award)

    return await _done(request, visitor, body.id, witness)
