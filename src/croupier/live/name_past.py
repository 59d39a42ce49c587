"""How far the tables were when a guest's name became somebody else's.

What was before is the past of who had the name. Tables that are run here say themselves how far
they are. A table that is closed, or that another process runs, is asked for in the ledger: it
counts if somebody had chips there under this name.
"""

from __future__ import annotations

from croupier.house.casino import Casino
from croupier.house.queries.account import Telling
from croupier.house.queries.statement import tables_of
from croupier.pit.registry import GAMES

WHOLE = 2**53 - 1
"""The last round of a table that is closed: no round of it is anybody's who comes later."""


def past_of(casino: Casino, name: str) -> tuple[dict[str, int], dict[str, int]]:
    """The last round and the last position until now of every table that may know the name."""
    house = casino.house
    with house.lock:
        tables = house.tables()
        rounds = {place: GAMES.port_of(t).round_number(t) for place, t in tables.items()}
        positions = {place: house.positions[place] for place in tables}
    tell = Telling(house.reader)
    for place in tables_of(house.reader, name):
        record = casino.office.state.places.get(place)
        if place in tables:
            continue
        positions[place] = house.reader.head(place).position
        if record is None or record.closed:
            rounds[place] = WHOLE
        else:
            rounds[place] = tell.round(place, positions[place]) or 0
    return rounds, positions
