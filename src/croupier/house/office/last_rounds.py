"""The last round of a table, announced before its first call (S-40).

Players are told that a table closes while a round is under way, or before the next one is called:
one round more is played, and then nothing new begins there, until somebody enables the table again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from croupier.house.office.authority import refuse
from croupier.house.office.standards import TABLE_CLOSES, WHO_CHANGED_WHAT
from croupier.house.office.state import PlaceName, PlaceRecord, Reason
from croupier.table import BadCommand, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

last_rounds = Room("last rounds")


class AnnounceLastRound(Command, frozen=True, kw_only=True):
    """Tell the players of a table that its next round is the last one."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    reason: Reason
    round: int = 0
    """The number of that round: one more than has been called. Whoever runs the table fills it in
    (`croupier.house.office_orders`)."""


class LastRoundAnnounced(Event, frozen=True, kw_only=True):
    """The players were told; after this round nothing new begins at the table."""

    table: str
    round: int
    reason: str

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} closes after round {self.round}, its last one: {self.reason}."


@last_rounds.decides(AnnounceLastRound)
def announce_last_round(office: Office, order: Order[AnnounceLastRound]) -> None:
    command, state = order.command, office.state
    record = state.places.get(command.table)
    if record is None or record.kind != "table":
        raise BadCommand(f"there is no table {command.table!r}")
    if record.closed or record.disabled:
        refuse(TABLE_CLOSES, f"Nothing new begins at table {command.table} as it is.")
    if record.last_round:
        says = f"The last round of table {command.table} is announced already: {record.closing}."
        refuse(TABLE_CLOSES, says)
    if command.round < 1:
        raise BadCommand("the last round has a number, which the table that is run knows")
    office.emit(
        LastRoundAnnounced(
            table=command.table,
            round=command.round,
            reason=command.reason,
            cites=(TABLE_CLOSES, WHO_CHANGED_WHAT),
        )
    )


@last_rounds.applies(LastRoundAnnounced)
def last_round_announced(office: Office, event: LastRoundAnnounced) -> None:
    record = office.state.places[event.table]
    record.last_round, record.closing = event.round, event.reason


def is_over(record: PlaceRecord, rounds: int) -> bool:
    """Whether the last round of a table was called, where so many have been."""
    return 0 < record.last_round <= rounds


def notice(record: PlaceRecord, rounds: int) -> str:
    """What players are told, while the last round is to come or goes on; else nothing."""
    if not record.last_round or record.closed or record.disabled:
        return ""
    if is_over(record, rounds):
        return f"This is the last round at this table: {record.closing}."
    return f"This table closes: the next round is its last one ({record.closing})."
