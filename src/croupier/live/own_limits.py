"""Limits, breaks and the statement of a player, over HTTP: where money is real, and for himself."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import msgspec
from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.moved import Movement, movements
from croupier.house.office import OFFICE
from croupier.house.office.own_limits import (
    EXCLUSION_AT_MOST,
    LIMIT_AT_MOST,
    LimitName,
    SetOwnLimit,
    StayAway,
    limit_at,
)
from croupier.house.office.state import Person
from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed
from croupier.live.identity import Visitor
from croupier.live.json_response import Json, read_body
from croupier.live.paths import Path
from croupier.live.requested import casino_of
from croupier.live.side_work import side_work_of
from croupier.live.visits import known, owner_of_change
from croupier.table import ActorRank, Command, Money

LIMITS: tuple[LimitName, ...] = ("loss", "deposit", "session")
DAYS = 30
LISTED = 5_000
"""Movements that a statement lists, the newest; sums are of all."""


class OwnLimitBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A limit: cents on a day, or for `session` minutes; null takes it away, after a day."""

    limit: LimitName
    to: int | None


class StayAwayBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """For how many days he does not want to play: a break, or exclusion."""

    days: int
    exclusion: bool = False


class OwnLimitNow(Struct, frozen=True, kw_only=True):
    """What counts now, and what will count and from when on."""

    limit: LimitName
    to: int | None
    will_be: int | None = None
    since: str | None = None


class OwnLimits(Struct, frozen=True, kw_only=True):
    """A player's own limits."""

    limits: tuple[OwnLimitNow, ...]
    away_until: str | None
    excluded: bool


class PlayedAt(Struct, frozen=True, kw_only=True):
    """What one place has taken and given."""

    place: str
    paid: Money
    received: Money


class Statement(Struct, frozen=True, kw_only=True):
    """What a player has played: deposits and withdrawals, and table by table."""

    days: int
    deposits: Money
    withdrawals: Money
    tables: tuple[PlayedAt, ...]
    net: Money
    """Won or lost at the tables; what lies there still counts as paid."""
    movements: tuple[Movement, ...]
    """The last ones."""
    unlisted: int = 0
    """Older ones, which are in the sums."""


def _player(casino: LiveCasino, visitor: Visitor) -> tuple[str, Person]:
    if casino.config.demonstration:
        raise NotAllowed("play money", "Limits are for a casino that plays for money.")
    person = casino.casino.office.state.people.get(visitor.name or "")
    if visitor.name is None or person is None or person.kind != "player":
        raise NotAllowed("not entered", "Log in to your account first.")
    return visitor.name, person


def _now(casino: LiveCasino, person: Person) -> OwnLimits:
    now = casino.house.clock()
    found = []
    for limit in LIMITS:
        coming = [each for each in person.own_limits if each.limit == limit and each.since > now]
        later = max(coming, key=lambda each: each.since, default=None)
        found.append(
            OwnLimitNow(
                limit=limit,
                to=limit_at(person.own_limits, limit, now),
                will_be=later.to if later is not None else None,
                since=later.since.isoformat() if later is not None else None,
            )
        )
    away = person.away_until if person.away_until and person.away_until > now else None
    return OwnLimits(
        limits=tuple(found),
        away_until=away.isoformat() if away is not None else None,
        excluded=person.excluded and away is not None,
    )


async def limits(request: Request) -> Response:
    """Your own limits."""
    casino = casino_of(request)
    _, person = _player(casino, known(request, casino))
    return Json(_now(casino, person))


async def set_limit(request: Request) -> Response:
    """Limit yourself: lower at once, higher after a day."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    name, _ = _player(casino, visitor)
    body = await read_body(request, OwnLimitBody, casino.config.limits.body_bytes)
    if body.to is not None and not 0 <= body.to <= LIMIT_AT_MOST:
        raise NotAllowed("bad amount", f"A limit is from 0 to {LIMIT_AT_MOST:,}.")
    return await _told(casino, SetOwnLimit(player=name, limit=body.limit, to=body.to), visitor)


async def stay_away(request: Request) -> Response:
    """Do not play for so many days."""
    casino = casino_of(request)
    visitor = owner_of_change(request, casino)
    name, _ = _player(casino, visitor)
    body = await read_body(request, StayAwayBody, casino.config.limits.body_bytes)
    if not 1 <= body.days <= EXCLUSION_AT_MOST:
        raise NotAllowed("bad days", f"Say for how many days: from 1 to {EXCLUSION_AT_MOST:,}.")
    command = StayAway(player=name, days=body.days, exclusion=body.exclusion)
    return await _told(casino, command, visitor)


async def _told(casino: LiveCasino, command: Command, visitor: Visitor) -> Response:
    assert visitor.name is not None
    answer = await asyncio.to_thread(
        casino.casino.tell, command, who=visitor.name, rank=ActorRank.PLAYER
    )
    if answer.refused is not None:
        raise NotAllowed("refused", answer.refused.says)
    return Json(_now(casino, casino.casino.office.state.people[visitor.name]))


async def statement(request: Request) -> Response:
    """What you have played in the last days."""
    casino = casino_of(request)
    name, _ = _player(casino, known(request, casino))
    since = casino.house.clock() - timedelta(days=DAYS)

    def made() -> Raw:
        casino.house.writer.flush()
        with casino.house.reader.as_it_stands() as store:
            found = _statement(movements(store, name, since))
        return Raw(msgspec.json.encode(found))

    # Whoever comes and goes all day has a long one.
    return Json(await side_work_of(request).statements.run(request, made))


def _statement(found: list[Movement]) -> Statement:
    cage = [each.amount for each in found if each.place == OFFICE]
    tables: dict[str, list[int]] = {}
    for each in found:
        if each.place != OFFICE:
            tables.setdefault(each.place, []).append(each.amount)
    return Statement(
        days=DAYS,
        deposits=sum(amount for amount in cage if amount > 0),
        withdrawals=-sum(amount for amount in cage if amount < 0),
        tables=tuple(
            PlayedAt(
                place=place,
                paid=-sum(a for a in amounts if a < 0),
                received=sum(a for a in amounts if a > 0),
            )
            for place, amounts in sorted(tables.items())
        ),
        net=sum(sum(amounts) for amounts in tables.values()),
        movements=tuple(found[-LISTED:]),
        unlisted=max(0, len(found) - LISTED),
    )


LIMIT_PATHS: tuple[Path, ...] = (
    Path(path="/api/own-limits", does=limits, answers=OwnLimits),
    Path(
        path="/api/own-limits", method="POST", does=set_limit, takes=OwnLimitBody, answers=OwnLimits
    ),
    Path(
        path="/api/stay-away", method="POST", does=stay_away, takes=StayAwayBody, answers=OwnLimits
    ),
    Path(path="/api/statement", does=statement, answers=Statement),
)
