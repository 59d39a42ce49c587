"""Who deals at the tables that are dealt by hand: the one place that decides it (S-41).

Whoever takes the dealer's side of a table deals there, of whatever rank: it is noted with the order
by which it was taken (`DealerChanged`). It ends when somebody else takes it, or the House; and
when the dealer goes off duty or takes another table. The office keeps it so in its state, and
reports follow the same events of its log with the same function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.office.events import PersonDisabled, RoleChanged, WentOffDuty
from croupier.house.office.roster_commands import NoteDealer
from croupier.house.office.roster_events import DealerChanged
from croupier.house.office.standards import LICENSED, UNIQUE_ACCOUNTS
from croupier.house.software import SOFTWARE
from croupier.table import Event, Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

dealing = Room("dealing")

OFF_DUTY = (WentOffDuty, RoleChanged, PersonDisabled)
"""By which somebody has left the post."""


def follow(dealers: dict[str, str], event: Event) -> None:
    """Who deals at each table after an event of the office."""
    if isinstance(event, DealerChanged):
        _leaves(dealers, event.dealer)
        dealers.pop(event.table, None)
        if event.dealer not in SOFTWARE:
            dealers[event.table] = event.dealer
    elif isinstance(event, OFF_DUTY):
        _leaves(dealers, event.name)


def _leaves(dealers: dict[str, str], name: str) -> None:
    for table in [table for table, dealer in dealers.items() if dealer == name]:
        del dealers[table]


@dealing.decides(NoteDealer)
def note_dealer(office: Office, order: Order[NoteDealer]) -> None:
    command = order.command
    office.emit(
        DealerChanged(
            table=command.table,
            dealer=command.dealer,
            relieved=office.state.dealers.get(command.table, ""),
            cites=(UNIQUE_ACCOUNTS, LICENSED),
        )
    )


@dealing.applies(DealerChanged)
def dealer_changed(office: Office, event: DealerChanged) -> None:
    follow(office.state.dealers, event)
