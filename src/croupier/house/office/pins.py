"""Players' PINs: by his PIN a player without a device gives his word at a table (S-34).

The PIN itself is nowhere but with him; what it is checked against is among the secrets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.office.authority import HOUSE, a_player, refuse, staff, why
from croupier.house.office.duty import FAILURES_AT_MOST, LOCKED_FOR
from croupier.house.office.roster_commands import NotePin, SetPin
from croupier.house.office.roster_events import PinSet, PinTyped
from croupier.house.office.standards import UNIQUE_ACCOUNTS
from croupier.table import Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

pins = Room("pins")


@pins.decides(SetPin)
def set_pin(office: Office, order: Order[SetPin]) -> None:
    """By himself, or before the eyes of a cashier or shift manager."""
    command = order.command
    a_player(office, command.player)
    if office.state.people[command.player].bot:
        refuse(UNIQUE_ACCOUNTS, f"{command.player} is a bot and has no PIN.")
    if order.who != command.player and order.rank is not HOUSE:
        staff(office, order, "set a player's PIN", ("cashier", "shift manager"))
        why(command.reason, "set a player's PIN")
    office.emit(
        PinSet(
            player=command.player,
            digest=command.digest,
            reason=command.reason,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@pins.applies(PinSet)
def pin_set(office: Office, event: PinSet) -> None:
    person = office.state.people[event.player]
    person.pin = event.digest
    person.pin_failures, person.pin_locked_until = 0, None


@pins.decides(NotePin)
def note_pin(office: Office, order: Order[NotePin]) -> None:
    command = order.command
    a_player(office, command.player)
    person = office.state.people[command.player]
    if person.pin_locked_until is not None and order.when < person.pin_locked_until:
        refuse(UNIQUE_ACCOUNTS, "Locked after wrong PINs: none counts until then, right or wrong.")
    failures = 0 if command.right else person.pin_failures + 1
    locked = order.when + LOCKED_FOR if failures >= FAILURES_AT_MOST else None
    office.emit(
        PinTyped(
            player=command.player,
            table=command.table,
            asked_by=command.asked_by,
            right=command.right,
            failures=failures,
            locked_until=locked,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@pins.applies(PinTyped)
def pin_typed(office: Office, event: PinTyped) -> None:
    person = office.state.people[event.player]
    person.pin_failures, person.pin_locked_until = event.failures, event.locked_until
