"""A casino whose staff are waited for: it has no standing orders, and there is an interruption."""

from __future__ import annotations

from msgspec import structs

from croupier.live.config import Config
from croupier.live.demonstration import demonstration
from croupier.poker.irregularities.commands import ReportInterruption
from croupier.table import ActorRank
from tests.live.conftest import AtTable, Running


def unordered() -> Config:
    """The demonstration, its House having decided nothing beforehand."""
    return structs.replace(demonstration(), standing_orders={})


def stand_still(casino: Running, place: str) -> AtTable:
    """Two play at a poker table until there is an interruption, which is for staff to decide."""
    tables = []
    for seat, name in enumerate(("Ann", "Ben"), start=1):
        tables.append(casino.enter(f"{name} {place}").at(place))
        player = f"{name} {place}"
        sat = tables[-1].do(do="sit", seat=seat, player=player, stake=50_000)
        assert sat["is"] == "answer", sat
    tables[0].until_view(lambda view: view["turn"] is not None)
    answer = casino.casino.house.carry_out(
        place, ReportInterruption(), who="house", rank=ActorRank.DEALER
    )
    assert answer.refused is None
    return tables[0]
