"""Which server is to run a table or link, where several share a House: somebody's order, on record.

The servers follow the office and spread what nobody has ordered among themselves
(`croupier.live.cluster.spread`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from croupier.house.office.authority import refuse
from croupier.house.office.standards import WHO_CHANGED_WHAT
from croupier.house.office.state import PlaceName, Reason
from croupier.table import BadCommand, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

server_moves = Room("server moves")


class MovePlace(Command, frozen=True, kw_only=True):
    """Have a table or link run by a server; without one, wherever there is room."""

    players_may: ClassVar[bool] = False

    place: PlaceName
    server: str = ""
    reason: Reason


class PlaceMoved(Event, frozen=True, kw_only=True):
    """A table or link is to be run by a server, or by any."""

    place: str
    before: str
    server: str
    reason: str

    def tell(self, name: Namer) -> str:
        where = f"by server {self.server}" if self.server else "wherever there is room"
        return f"{self.place} is to be run {where}: {self.reason}."


@server_moves.decides(MovePlace)
def move_place(office: Office, order: Order[MovePlace]) -> None:
    command, places = order.command, office.state.places
    record = places.get(command.place)
    if record is None or record.closed:
        there = ", ".join(sorted(name for name, each in places.items() if not each.closed))
        raise BadCommand(f"there is no table or link {command.place!r}; there is {there or 'none'}")
    if record.server == command.server:
        refuse(WHO_CHANGED_WHAT, f"It is on record already where {command.place} is to be run.")
    office.emit(
        PlaceMoved(
            place=command.place,
            before=record.server,
            server=command.server,
            reason=command.reason,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@server_moves.applies(PlaceMoved)
def place_moved(office: Office, event: PlaceMoved) -> None:
    office.state.places[event.place].server = event.server
