"""The office page at a glance: who you are there, what you may do, what is stopped, what waits."""

from __future__ import annotations

from datetime import date, time
from typing import get_args
from zoneinfo import ZoneInfo

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.gaming_day import GamingDay
from croupier.house.office.abilities import may_of
from croupier.house.office.state import Role
from croupier.live.casino import LiveCasino
from croupier.live.json_response import Json
from croupier.live.requested import casino_of
from croupier.live.staff_api import staff_who_looks

ROLES: tuple[str, ...] = get_args(Role)


class OfficeWaits(Struct, frozen=True, kw_only=True):
    """How much waits for a second person, or for somebody to see to it."""

    corrections: int
    approvals: int
    slips: int
    called: int
    """Names on waiting lists that are called and not seated yet."""
    waiting: int
    open_trays: int
    drop_boxes: int
    """Of earlier trays, still to be counted."""
    player_reports: int = 0
    """Players who were reported to the pit."""


class OfficeGlance(Struct, frozen=True, kw_only=True):
    """What the office page shows before anything else."""

    you: str
    role: str
    post: str
    """At which you are on duty; nothing if you are not."""
    may: tuple[str, ...]
    """Which orders you may give; the office decides when you do."""
    real_money: bool
    disabled: str
    """Why everything is stopped, if so."""
    stopped: tuple[str, ...]
    """Tables and links that are disabled."""
    on_duty: tuple[str, ...]
    """Who is at a post now."""
    roles: tuple[str, ...]
    tables: tuple[str, ...]
    areas: tuple[str, ...]
    day_closed: date | None
    today: date
    """The gaming day that goes on."""
    waits: OfficeWaits


async def office_glance(request: Request) -> Response:
    """Who you are in the office, what you may do, what is stopped and what waits."""
    casino = casino_of(request)
    visitor = staff_who_looks(request, casino)
    with casino.house.lock:
        return Json(_glance(casino, visitor.name or ""))


def gaming_day(casino: LiveCasino) -> date:
    """The gaming day that goes on: before the hour at which it begins, yesterday's."""
    seals = casino.config.seals
    begins, zone = time.fromisoformat(seals.day_begins), ZoneInfo(seals.zone)
    return GamingDay.of(casino.house.clock(), begins=begins, zone=zone).day


def _glance(casino: LiveCasino, name: str) -> OfficeGlance:
    """The office as one member of staff sees it; used under the House's lock."""
    state = casino.casino.office.state
    duty = state.duty.get(name)
    places = {n: r for n, r in state.places.items() if n not in casino.private.hidden_from(name)}
    tables = {n: r for n, r in places.items() if r.kind == "table" and not r.closed}
    names = [one for each in state.waiting_lists.values() for one in each]
    return OfficeGlance(
        you=name,
        role=state.people[name].role or "",
        post=duty.post if duty is not None else "",
        may=may_of(state, name),
        real_money=state.real_money,
        disabled=state.disabled,
        stopped=tuple(sorted(n for n, r in places.items() if r.disabled)),
        on_duty=tuple(sorted(state.duty)),
        roles=ROLES,
        tables=tuple(sorted(tables)),
        areas=tuple(sorted({r.area for r in tables.values()} - {""})),
        day_closed=state.day_closed,
        today=gaming_day(casino),
        waits=OfficeWaits(
            corrections=len(state.proposals),
            approvals=len(state.approvals),
            slips=len(state.slips),
            called=sum(one.called is not None for one in names),
            waiting=len(names),
            open_trays=sum(t.closing is None for t in state.inventory.values()),
            drop_boxes=len(state.drop_boxes),
            player_reports=len(state.player_reports),
        ),
    )
