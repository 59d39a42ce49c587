"""The HTTP API of jackpot links: how they stand, and orders of the pit at one."""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.house.reports.jackpot import changes_of, open_claims, questions_of
from croupier.jackpot import JackpotLink, jackpot_rules, shown_at
from croupier.live import api_records as records
from croupier.live.api import carried_out
from croupier.live.casino import LiveCasino
from croupier.live.json_response import Json
from croupier.live.requested import NotFound, casino_of
from croupier.live.visits import known


async def links(request: Request) -> Response:
    """All jackpot links."""
    casino = casino_of(request)
    found = casino.house.pit.links.items()
    staff = casino.is_staff(known(request, casino))
    details = tuple(
        _link(casino, name, link, staff=staff)
        for name, link in found
        if isinstance(link, JackpotLink)
    )
    return Json(records.Links(links=details))


async def link(request: Request) -> Response:
    """One jackpot link."""
    casino = casino_of(request)
    name, found = _link_of(request, casino)
    staff = casino.is_staff(known(request, casino))
    return Json(_link(casino, name, found, staff=staff))


async def link_command(request: Request) -> Response:
    """Give an order at a jackpot link and wait for its answer: for people of the pit on duty."""
    name, _ = _link_of(request, casino_of(request))
    return await carried_out(request, name)


def _link_of(request: Request, casino: LiveCasino) -> tuple[str, JackpotLink]:
    name: str = request.path_params["link"]
    found = casino.house.pit.links.get(name)
    if not isinstance(found, JackpotLink):
        raise NotFound(f"There is no link {name!r}.")
    return name, found


def _pending(casino: LiveCasino, link: JackpotLink) -> records.LinkPending:
    with casino.house.lock:
        claims = open_claims(link, casino.house.pit.tables.get, casino.house.clock())
        return records.LinkPending(
            claims=claims, questions=questions_of(link), changes=changes_of(link)
        )


def _link(casino: LiveCasino, name: str, link: JackpotLink, *, staff: bool) -> records.LinkDetails:
    facts = link.facts()
    return records.LinkDetails(
        link=name,
        rulebook=facts.rulebook,
        status=facts.status,
        meter=facts.meter,
        display=shown_at(link.state, casino.house.clock()),
        reset_value=facts.reset_value,
        ceiling=facts.ceiling,
        overflow=facts.overflow,
        hits=facts.hits,
        awarded=facts.awarded,
        contributed=facts.contributed,
        tables=tuple(facts.tables),
        awards=msgspec.convert(
            facts.awards, tuple[records.AwardSummary, ...], from_attributes=True
        ),
        rules=tuple(jackpot_rules(link)),
        pending=_pending(casino, link) if staff else None,
    )
