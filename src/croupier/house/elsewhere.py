"""What another server knows by heart, read from the log: tables that it runs, to be looked at and
not to be acted at, and who was lately at a table that it has run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.house.house import House
from croupier.house.queries.statement import tables_of
from croupier.house.replaying import replay, restored
from croupier.house.store import Store
from croupier.table import Table


def table_elsewhere(house: House, store: Store, name: str) -> Table[Any] | None:
    """A table that another server runs; None if it is run here, or closed. Not for the loop: its
    log is read."""
    make = house.shared_links.make_guest
    empty = make(name) if make is not None and name not in house.pit.tables else None
    if empty is None:
        return None
    table, kept = restored(empty(), store, name, quietly=True)
    replay(table, store, name, after=kept)
    return table  # type: ignore[return-value]


def tables_of_player_elsewhere(
    house: House, store: Store, player: str
) -> Iterator[tuple[str, Table[Any]]]:
    """The tables that another server runs, of those where a player ever had chips."""
    if house.shared_links.make_guest is None:
        return  # this process runs all there are
    for name in tables_of(store, player):
        table = table_elsewhere(house, store, name)
        if table is not None:
            yield name, table


def seat_elsewhere(house: House, player: str) -> str | None:
    """A table at which a player sits that another server runs; None if there is none."""
    for name, table in tables_of_player_elsewhere(house, house.reader, player):
        if player in map(table.player_at, table.taken_seats()):
            return name
    return None


def named_lately(house: House, place: str, events: int) -> set[str]:
    """The players whom the last events of a table that is run here name. Not for the loop."""
    table, store = house.pit.at(place), house.reader
    after = max(0, store.head(place).position - events)
    told = (table.read_event(row.event) for row in store.rows(place, after))
    named = (getattr(event, "player", None) for event in told)
    return {player for player in named if isinstance(player, str)}
