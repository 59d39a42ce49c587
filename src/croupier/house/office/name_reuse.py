"""Names of guests that others take after them, in a House of play money.

A guest who has gone needs the name no more. Whoever takes it begins with nothing of the past: not
with the money, and not with the cards that were seen under it. So the office has, of every name
that was passed on, how far each table was by then, and whose the name is now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from croupier.house.office.authority import a_player, refuse
from croupier.house.office.standards import UNIQUE_ACCOUNTS
from croupier.house.office.state import NamePast, PersonName
from croupier.table import ActorRank, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

passing = Room("passing")

Holder = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]


class PassName(Command, frozen=True, kw_only=True):
    """Somebody new takes the name of a guest who has gone."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    player: PersonName
    holder: Holder
    """A digest of the visit whose it is from now on."""
    rounds: dict[str, int]
    """The last round of each table until now."""
    positions: dict[str, int]
    """How far the log of each table goes."""
    all_tables: bool = False
    """Whether every table at which somebody played under this name is among them."""


class NamePassed(Event, frozen=True, kw_only=True):
    """The name is somebody else's."""

    player: str
    holder: str
    rounds: dict[str, int]
    positions: dict[str, int]
    all_tables: bool = False

    def tell(self, name: Namer) -> str:
        return f"The name {self.player} is somebody else's from now on."


@passing.decides(PassName)
def pass_name(office: Office, order: Order[PassName]) -> None:
    command = order.command
    a_player(office, command.player)
    if office.state.real_money:
        refuse(UNIQUE_ACCOUNTS, "Where money is real a name is one person's for good.")
    office.emit(
        NamePassed(
            player=command.player,
            holder=command.holder,
            rounds=command.rounds,
            positions=command.positions,
            all_tables=command.all_tables,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@passing.applies(NamePassed)
def name_passed(office: Office, event: NamePassed) -> None:
    past = NamePast(
        holder=event.holder,
        rounds=event.rounds,
        positions=event.positions,
        all_tables=event.all_tables,
    )
    office.state.people[event.player].past = past
