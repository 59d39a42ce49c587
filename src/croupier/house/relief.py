"""Who takes the dealer's side of a table: noted in the office with the order by which it is taken.

It is asked of every order at a table that is dealt by hand, whoever gives it: staff of any rank who
may, or the House where it stands in. To report, to rule or to seat somebody is not to deal.
"""

from __future__ import annotations

from typing import Any

from croupier.house.office import OFFICE
from croupier.house.office.roster_commands import NoteDealer
from croupier.house.office.state import OfficeState
from croupier.house.software import HOUSE, SOFTWARE
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Command, Table

Also = list[tuple[str, Command]]


def relief(
    state: OfficeState, place: str, table: Table[Any], command: Command, who: str, rank: ActorRank
) -> Also:
    """What the office must hear if somebody else deals by this order than before."""
    if rank is ActorRank.PLAYER or not table.state.opened:
        return []
    port = GAMES.port_of(table)
    if port.deals_itself(table) or not isinstance(command, port.deals):
        return []
    before = state.dealers.get(place, "")
    now = "" if who in SOFTWARE else who
    if before == now:
        return []
    return [(OFFICE, NoteDealer(table=place, dealer=now or HOUSE))]
