"""What a dealer may enter at a hand-dealt table now (`/api/deal`): the table is asked, by its port.

Orders are given as everybody gives them (`/api/tables/…/commands`), and those that need a player's
word by `/api/tables/…/for-player`; so duty, licence, rank and assignment are looked at there again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.permissions import act_by_device, is_a_players
from croupier.live import wire
from croupier.live.casino import LiveCasino
from croupier.live.deal_records import DealEntry, DealTable
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.json_response import Json
from croupier.live.paths import Path
from croupier.live.pit_api import Pit, pit_of
from croupier.live.requested import NotFound, casino_of
from croupier.live.staff_api import staff_who_looks
from croupier.pit.ports.dealer_acts import DealerAct, entries_now
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, DecisionNeeded, Table


async def deal(request: Request) -> Response:
    """A hand-dealt table for its dealer, with what can be entered there now."""
    casino, pit = casino_of(request), pit_of(request)
    place: str = request.path_params["place"]
    if place not in casino.hubs:
        raise NotFound(f"There is no table {place!r}.")
    visitor = staff_who_looks(request, casino)
    _check_deals_here(casino, pit, visitor, place)
    assert visitor.name is not None
    casino.stand_in.saw(place, visitor.name)

    def made() -> DealTable:
        with casino.house.lock:
            casino.house.reread_stale()
            return deal_table(casino, pit, visitor, place)

    return Json(await asyncio.to_thread(made))


def _check_deals_here(casino: LiveCasino, pit: Pit, visitor: Visitor, place: str) -> None:
    if visitor.rank is ActorRank.PLAYER:
        raise NotAllowed("off duty", "You are not on duty in the pit; go on duty first.")
    if not pit.floor.assigned(visitor, place):
        says = f"You are not assigned to table {place}; ask a Pit Supervisor or above."
        raise NotAllowed("not assigned", says)
    table = casino.table(place)
    if GAMES.port_of(table).deals_itself(table):
        raise NotAllowed("not dealt by hand", f"Table {place} is not dealt by hand.")


def deal_table(casino: LiveCasino, pit: Pit, visitor: Visitor, place: str) -> DealTable:
    """The table as its dealer may see it; used under the House's lock."""
    table = casino.table(place)
    return DealTable(
        place=place,
        position=casino.house.positions[place],
        you=visitor.name or "",
        tile=pit.floor.tile(visitor, place),
        seat_word=GAMES.game_of(table).seat_word,
        view=GAMES.port_of(table).dealer_view(table),
        entries=tuple(_entries(casino, table, visitor)),
        decisions=tuple(
            asked
            for need in table.state.waiting
            if isinstance(need, DecisionNeeded)
            and (asked := pit.floor.decision(visitor, place, table, need)).mine
        ),
        told=tuple(pit.watch.told(place)),
        play=casino.config.demonstration,
    )


def _entries(casino: LiveCasino, table: Table[Any], visitor: Visitor) -> Iterator[DealEntry]:
    candidates = GAMES.port_of(table).dealer_acts(table)
    if act_by_device(table):  # there players act for themselves
        candidates = (act for act in candidates if not is_a_players(table, act.command))
    for act in entries_now(table, candidates, visitor.rank, casino.house.clock()):
        yield _entry(act)


def _entry(act: DealerAct) -> DealEntry:
    return DealEntry(
        kind=act.kind,
        says=act.says,
        key=act.key,
        seat=act.seat,
        fields=tuple(structs.replace(field, trial=None) for field in act.fields),
        command=msgspec.to_builtins(act.command, enc_hook=str),
        word=act.word,
    )


DEAL_PATHS: tuple[Path, ...] = (
    Path(
        path="/api/deal/{place}",
        does=deal,
        answers=DealTable,
        others={403: wire.ErrorMessage},
    ),
)
