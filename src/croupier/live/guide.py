"""The guide: what a hand is worth and what the book allows now, for whoever is learning the game.

Only with play money. Where money is real neither the House nor its staff may advise anybody how to
play, and so there is no guide. It sees what its player sees, and no more.
"""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from croupier.live.errors import NotAllowed
from croupier.live.json_response import Json
from croupier.live.paths import Path
from croupier.live.requested import casino_of, place_of
from croupier.live.side_work import side_work_of
from croupier.live.visits import known
from croupier.table import player


class Guide(Struct, frozen=True, kw_only=True):
    """What the guide says now: nothing while nobody waits for this player."""

    says: tuple[str, ...] = ()


async def guide(request: Request) -> Response:
    """What your hand is worth, and what you may do. Not where money is real."""
    casino = casino_of(request)
    place = place_of(request, casino)
    if not casino.config.demonstration:
        raise NotAllowed("no advice", "Where money is real nobody of the House says how to play.")
    name = known(request, casino).name
    if name is None:
        return Json(Guide())
    with casino.house.lock:
        view = casino.table(place).view(player(name))
    return Json(Guide(says=await side_work_of(request).guide.run(request, _advice, view)))


def _advice(view: object) -> tuple[str, ...]:
    try:
        from croupier.live.bots.guide import advice
    except ImportError:  # the lab, which computes, is not installed
        return ()
    return advice(view)


GUIDE_PATHS: tuple[Path, ...] = (Path(path="/api/tables/{place}/guide", does=guide, answers=Guide),)
