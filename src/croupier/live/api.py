"""The HTTP API of the tables: the lobby, each table with its commands and its history, reports.

Each function answers one path; which paths there are stands in `croupier.live.routes`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.errors import HouseError, IdTaken
from croupier.house.office.waiting import places_of
from croupier.house.openings import NotOver, UnknownRound
from croupier.live import api_records as records
from croupier.live import wire
from croupier.live.casino import LiveCasino
from croupier.live.connection import failed, reply
from croupier.live.errors import NotAllowed, Stopping
from croupier.live.json_response import Json, packed, read_body
from croupier.live.ready_made import Standing
from croupier.live.requested import NotFound, casino_of, check_round, place_of
from croupier.live.visits import known, owner_of_change
from croupier.pit.registry import GAMES
from croupier.table import BadCommand, Table

# -- tables ---------------------------------------------------------------------------------------


async def lobby(request: Request) -> Response:
    """All tables and links."""
    casino = casino_of(request)
    name = known(request, casino).name
    links = (casino.meters.told(link) for link in casino.house.pit.links)
    found = records.Lobby(
        mode=casino.config.mode,
        tables=tuple(_summary(casino, place, name) for place in casino.private.listed_places(name)),
        links=tuple(link for link in links if link is not None),
        waiting=_own_places(casino, name),
    )
    return packed(request, Json(found))


def _own_places(casino: LiveCasino, name: str | None) -> tuple[records.OwnPlace, ...]:
    """Where somebody waits for a seat."""
    if name is None:
        return ()
    return tuple(
        records.OwnPlace(list_of=list_of, number=number, called_to=one.called_to)
        for list_of, number, one in places_of(casino.casino.office.state, name)
    )


async def table(request: Request) -> Response:
    """One table with the information on it."""
    casino = casino_of(request)
    place = place_of(request, casino)
    info = msgspec.to_builtins(casino.table_info(place))
    name = known(request, casino).name
    return Json(records.TableDetails(table=_summary(casino, place, name), sign=info))


async def view(request: Request) -> Response:
    """The table as you may see it now."""
    return _in_json((await _glance_at(request))[1])


async def first(request: Request) -> Response:
    """What the socket says first: which table this is, and how it stands. A page that asks for it
    beside its script has its table a way to the server and back sooner."""
    hello, seen = await _glance_at(request)
    answer = _in_json(b'{"hello":%b,"view":%b}' % (hello, seen))
    casino = casino_of(request)
    table, name = casino.table(place_of(request, casino)), known(request, casino).name
    hides = name is not None and name in map(table.player_at, GAMES.port_of(table).seated(table))
    return answer if hides else packed(request, answer)


def _in_json(text: bytes) -> Response:
    return Response(text, media_type="application/json", headers={"cache-control": "no-store"})


async def _glance_at(request: Request) -> tuple[bytes, bytes]:
    casino = casino_of(request)
    place = place_of(request, casino)
    name = known(request, casino).name
    held_back = casino.watchers.held_back(place, name)
    if held_back is not None and not held_back.knows:
        raise NotFound(f"{place} is watched {held_back.delay:g} s later; nothing is told yet.")
    glance = _Glance(name)
    with casino.house.lock:
        casino.house.reread_stale()  # nobody is shown what is in memory and not in the log
        casino.watchers.join(place, glance, None)
    try:
        return await asyncio.wait_for(glance.seen, timeout=10)
    finally:
        casino.watchers.leave(place, glance)


class _Glance:
    """One look at a table: in line with those who watch, so that only what is durable is seen."""

    wants_offers = False

    def __init__(self, who: str | None) -> None:
        self.who = who
        loop = asyncio.get_running_loop()
        self.seen: asyncio.Future[tuple[bytes, bytes]] = loop.create_future()
        self._hello: bytes | None = None

    def close(self, code: int) -> None:
        if not self.seen.done():
            self.seen.set_exception(Stopping())

    def offer(self, standing: Standing) -> None:
        """He asked for none."""

    def push(self, message: bytes) -> None:
        if self._hello is None:
            self._hello = message
        elif not self.seen.done():
            self.seen.set_result((self._hello, message))


async def command(request: Request) -> Response:
    """Give a command and wait for its answer."""
    return await carried_out(request, place_of(request, casino_of(request)))


async def carried_out(request: Request, place: str) -> Response:
    """What came of a command at a table or link."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    body = await read_body(request, wire.GivenCommand, casino.config.limits.body_bytes)
    try:
        given = casino.conversation(place).read_given(bytes(body.command))
    except (BadCommand, RecursionError) as error:
        return Json(wire.ErrorMessage(id=body.id, code=wire.UNREADABLE, says=str(error)), 422)
    try:
        future = casino.give(visitor, place, given, body.id, warned=body.warned)
    except (NotAllowed, BadCommand, HouseError) as error:
        return Json(failed(casino, body.id, error), _status(error))
    again = not casino.is_under_way(visitor, body.id)
    try:
        await asyncio.wrap_future(future)
    except HouseError as error:
        return Json(failed(casino, body.id, error), _status(error))
    answer = reply(casino, place, body.id, future, again=again)
    return Json(answer, 409 if isinstance(answer, wire.RefusedMessage) else 200)


def _status(error: Exception) -> int:
    if isinstance(error, NotAllowed):
        return 503 if error.code == "stopping" else 403
    return 422 if isinstance(error, BadCommand | IdTaken) else 503


async def rounds(request: Request) -> Response:
    """The last rounds of a table, each with your own cards and what it brought you."""
    casino = casino_of(request)
    place = place_of(request, casino)
    name = known(request, casino).name
    until = casino.watchers.told_until(place, name)
    found = tuple(
        msgspec.to_builtins(each)
        for each in casino.recalls[place].rounds(name, casino.own_from(name, place))
        if until is None or (each.ended is not None and each.last <= until)
    )
    return Json(records.RoundsRecalled(recall=True, place=place, rounds=found))


async def round_of(request: Request) -> Response:
    """One round as you were allowed to see it."""
    casino = casino_of(request)
    place = place_of(request, casino)
    number: int = request.path_params["round"]
    name = casino.own_at(known(request, casino).name, place, number)
    events = await asyncio.to_thread(casino.recalls[place].round, number, name)
    until = casino.watchers.told_until(place, name)
    if events is not None and until is not None:
        events = [event for event in events if event.position <= until]
    if not events:
        raise NotFound(f"Round {number} of {place} is not among its last rounds.")
    told = tuple(msgspec.to_builtins(event) for event in events)
    return Json(records.RoundRecalled(recall=True, place=place, round=number, events=told))


async def shuffles_of(request: Request) -> Response:
    """What the shuffles of a round were made of, and the openings of the cards that you were
    allowed to see, once it is over."""
    casino = casino_of(request)
    place = place_of(request, casino)
    number: int = request.path_params["round"]
    name = casino.own_at(known(request, casino).name, place, number)
    try:
        await check_round(request, place, number, name)
        found = await asyncio.to_thread(casino.shuffles.of_round, place, number, name)
    except (NotOver, UnknownRound) as error:
        raise NotFound(str(error)) from error
    return Json(records.RoundShuffles(place=place, round=number, shuffles=found))


async def shuffle(request: Request) -> Response:
    """What the House has bound itself to at a table, and how far its shuffle is."""
    casino = casino_of(request)
    place = place_of(request, casino)
    held_back = casino.watchers.held_back(place, known(request, casino).name)
    if held_back is None:
        return Json(await asyncio.to_thread(casino.shuffles.told_durably, place))
    if held_back.shuffle is None:
        raise NotFound(f"{place} is watched {held_back.delay:g} s later; nothing is told yet.")
    return Json(held_back.shuffle)


def _summary(casino: LiveCasino, place: str, who: str | None) -> records.TableSummary:
    held_back = casino.watchers.held_back(place, who)
    table, info = casino.table(place), casino.table_infos[place]
    link = casino.house.pit.linked.get(place)
    jackpot = casino.meters.told(link)
    game = GAMES.game_of(table)
    return records.TableSummary(
        place=place,
        game=game.name,
        rulebook=table.book.id,
        title=table.book.title,
        short=table.book.short,
        version=table.book.version,
        marked=info.marked,
        limits=game.port.limits(table),
        seats=game.port.seats(table),
        players=tuple(_players(casino, place, table, chips=held_back is None)),
        status=held_back.status if held_back is not None else table.status(),
        round=held_back.round if held_back is not None else game.port.round_number(table),
        link=link,
        meter=jackpot.display if jackpot is not None else None,
        watching=casino.watchers.count(place),
        delay=casino.watchers.delay_of(place),
        private=casino.private.is_private(place),
        closed=casino.why_closed(place),
        notice=casino.notice(place),
        waits=_awaited(casino, place, sees_now=held_back is None),
        by_hand=table.state.opened and not game.port.deals_itself(table),
    )


def _awaited(casino: LiveCasino, place: str, *, sees_now: bool) -> records.AwaitedStaff | None:
    with casino.house.lock:
        awaited = casino.schedulers[place].staff_awaited()
    if awaited is None:
        return None
    says = awaited.says_to(sees_now=sees_now)
    return records.AwaitedStaff(rank=awaited.rank.value, whom=awaited.whom, says=says)


def _players(
    casino: LiveCasino, place: str, table: Table[Any], *, chips: bool
) -> Iterator[records.SeatedPlayer]:
    """Who sits at a table; with their chips, unless whoever asks is told of them later."""
    port = GAMES.port_of(table)
    for seat in port.seated(table):
        who = table.player_at(seat)
        if who is None:
            continue
        yield records.SeatedPlayer(
            seat=seat,
            player=who,
            stake=port.chips(table, seat) if chips else None,
            bot=casino.identity.is_bot(who),
            away=casino.is_away(place, who),
        )


# -- reports -------------------------------------------------------------------------------------


async def reports(request: Request) -> Response:
    """What each table has done."""
    casino = casino_of(request)
    visitor = known(request, casino)
    if not casino.identity.reads_reports(visitor):
        raise NotAllowed("staff only", "The reports are for the staff of the House.")
    tables = tuple(
        records.TableReport(
            place=place,
            rulebook=table.book.id,
            rounds=port.round_number(table),
            events=casino.house.positions[place],
            house=port.house_won(table),
            from_meter=port.from_jackpot(table),
            seated=len(table.taken_seats()),
            watching=casino.watchers.count(place),
        )
        for place, table in casino.private.listed_places(visitor.name).items()
        for port in (GAMES.port_of(table),)
    )
    return Json(records.TableReports(tables=tables))
