"""Before a member of staff is shown anything over HTTP, the server makes sure of what other
processes have written at the office.

Commands make sure of it themselves (`croupier.live.authority`), and sockets are closed as soon as
this process hears of a dismissal. What is only read would be shown until then: to an auditor every
card of a round, to a manager the reports of the day.
"""

from __future__ import annotations

import asyncio

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.house.errors import HouseError
from croupier.live.api_records import Problem
from croupier.live.casino import LiveCasino
from croupier.live.json_response import Json
from croupier.live.visits import known

HEALTH = "/health"
"""Says how the server is, also where it has lost its database."""
CANNOT_TELL = "The database is out of reach: whether this is still for you cannot be known now."


class FreshStaff:
    """The application behind that look. Where one process has the House for itself there is none,
    and whoever is no member of staff has nothing to lose by it."""

    def __init__(self, app: ASGIApp, casino: LiveCasino) -> None:
        self._app = app
        self._casino = casino

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        casino = self._casino
        shared = scope["type"] == "http" and casino.casino.follower is not None
        if shared and scope["path"] != HEALTH and self._is_staff(scope):
            try:
                await asyncio.to_thread(casino.casino.refresh_office)
            except HouseError:
                await Json(Problem(error="not stored", says=CANNOT_TELL), 503)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_staff(self, scope: Scope) -> bool:
        return self._casino.is_staff(known(HTTPConnection(scope), self._casino))
