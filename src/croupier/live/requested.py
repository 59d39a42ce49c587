"""What a request is about: the casino that is asked, the table in its path, a round that may be
told."""

from __future__ import annotations

from starlette.requests import Request

from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed


def casino_of(request: Request) -> LiveCasino:
    """The casino that this server runs."""
    casino: LiveCasino = request.app.state.casino
    return casino


class NotFound(NotAllowed):
    """There is no such thing."""

    def __init__(self, says: str) -> None:
        super().__init__("not found", says)


async def check_round(request: Request, place: str, number: int, name: str | None) -> None:
    """Whether a round is over for somebody who may only watch the table, and so with a delay;
    raises UnknownRound, NotOver."""
    watchers = casino_of(request).watchers
    if watchers.sees_now(place, name):
        return
    watchers.check_begun(place, name, number)
    replays = request.app.state.replays
    watchers.check_over(place, name, await replays.of_round(request, place, number, ""))


def place_of(request: Request, casino: LiveCasino) -> str:
    """The table that stands in the path."""
    place: str = request.path_params["place"]
    if place not in casino.hubs:
        raise NotFound(f"There is no table {place!r}.")
    return place
