"""Players' money that tables move on an order of the office: relocation, unclaimed awards.

Here is who may order it and what is put on record. That the tables agree is asked before
(`croupier.house.table_orders`), and what they do is stored with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from croupier.house.office.authority import MANAGERS, a_player, on_duty, refuse, staff
from croupier.house.office.commands import PayUnclaimed, RelocatePlayer
from croupier.house.office.events import PlayerRelocated, UnclaimedPaid
from croupier.house.office.roster import assignment_at
from croupier.house.office.standards import HELD_FUNDS, UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT
from croupier.house.office.state import PIT
from croupier.table import BadCommand, Command, Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

moves = Room("moves")


def check_relocation(office: Office, order: Order[RelocatePlayer]) -> None:
    """v8 5.7.2: a Pit Employee relocates; he is one while he is on duty, and acts at tables that he
    is assigned to."""
    command = order.command
    on_duty(office, order, "relocate a player", PIT)
    a_player(office, command.player)
    for name in (command.table, command.to):
        _table(office, name)
        if not assignment_at(office.state, order.who, name, order.when):
            refuse(UNIQUE_ACCOUNTS, f"{order.who} is not assigned to table {name}.")
    if command.table == command.to:
        raise BadCommand("a player is relocated from one table to another; name two")


@moves.decides(RelocatePlayer)
def relocate_player(office: Office, order: Order[RelocatePlayer]) -> None:
    command = order.command
    check_relocation(office, order)
    office.emit(
        PlayerRelocated(
            player=command.player,
            table=command.table,
            to=command.to,
            seat=command.seat,
            reason=command.reason,
            cites=(HELD_FUNDS, WHO_CHANGED_WHAT),
        )
    )


def check_payment(office: Office, order: Order[PayUnclaimed]) -> None:
    """One person is enough: the money goes to whom it was kept for, and to nobody else."""
    command = order.command
    staff(office, order, "pay what is unclaimed", ("cashier", *MANAGERS))
    a_player(office, command.player)
    _table(office, command.table)


@moves.decides(PayUnclaimed)
def pay_unclaimed(office: Office, order: Order[PayUnclaimed]) -> None:
    command = order.command
    check_payment(office, order)
    office.emit(
        UnclaimedPaid(
            player=command.player,
            table=command.table,
            amount=command.amount,
            reason=command.reason,
            cites=(HELD_FUNDS, WHO_CHANGED_WHAT),
        )
    )


MAY: dict[type[Command], Callable[[Office, Order[Any]], None]] = {
    RelocatePlayer: check_relocation,
    PayUnclaimed: check_payment,
}
"""The orders that tables carry out, and what the office itself may have against each."""


def _table(office: Office, name: str) -> None:
    record = office.state.places.get(name)
    if record is None or record.kind != "table":
        tables = sorted(n for n, r in office.state.places.items() if r.kind == "table")
        raise BadCommand(f"there is no table {name!r}; there is {', '.join(tables) or 'none yet'}")


@moves.applies(PlayerRelocated, UnclaimedPaid)
def moved(office: Office, event: object) -> None:
    """The tables have done it; the office itself remembers nothing of it."""
