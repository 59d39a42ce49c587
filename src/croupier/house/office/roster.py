"""The roster: who is assigned to which table or area and when, licences, clocks (S-34, S-41).

Staff act at the tables that they are assigned to. A manager's area is the floor, so he needs no
assignment. Being assigned is one thing and being on duty another: both are looked at on every order
(`croupier.house.permissions`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from croupier.house.clocks import Clocks, with_own
from croupier.house.office.authority import (
    HOUSE,
    MANAGERS,
    a_player,
    height,
    known,
    on_duty,
    refuse,
    staff,
    why,
)
from croupier.house.office.authority import why_unlicensed as why_unlicensed
from croupier.house.office.roster_commands import (
    AssignStaff,
    EndAssignment,
    SetClocks,
    SetLicence,
    TakeCash,
)
from croupier.house.office.roster_events import (
    AssignmentEnded,
    CashTaken,
    ClocksSet,
    LicenceSet,
    StaffAssigned,
    told_where,
)
from croupier.house.office.standards import (
    LICENSED,
    NO_NEGATIVE_BALANCE,
    UNIQUE_ACCOUNTS,
    WHO_CHANGED_WHAT,
)
from croupier.house.office.state import PIT, Assignment, OfficeState
from croupier.table import BadCommand, Command, Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

roster = Room("roster")

KEPT_FOR = timedelta(days=2)
"""How long an assignment that is over stays in the state; the log has it for ever."""
ASSIGNMENTS_AT_MOST = 10_000
FLOOR = "the floor"


# -- where somebody may act -----------------------------------------------------------------------


def assignment_at(state: OfficeState, name: str, table: str, when: datetime) -> str:
    """By which assignment somebody who is on duty acts at a table; nothing if by none."""
    duty = state.duty.get(name)
    if duty is None:
        return ""
    if duty.post in MANAGERS:
        return FLOOR
    place = state.places.get(table)
    area = place.area if place is not None else ""
    for one in state.roster.values():
        if one.name == name and _runs(one, when) and _covers(one, table, area):
            return told_where(one.table, one.area)
    return ""


def assignments_of(state: OfficeState, name: str, when: datetime) -> dict[int, Assignment]:
    """The assignments of somebody that run now or will."""
    return {
        number: one
        for number, one in state.roster.items()
        if one.name == name and (one.until is None or when < one.until)
    }


def _runs(one: Assignment, when: datetime) -> bool:
    return one.since <= when and (one.until is None or when < one.until)


def _covers(one: Assignment, table: str, area: str) -> bool:
    """Whether a table, or an area with no table named, is among what somebody is assigned to."""
    if one.table:
        return one.table == table
    return not one.area or one.area == area


def whose_licence_ended(state: OfficeState, when: datetime) -> dict[str, str]:
    """Who is on duty in the pit although he may conduct no game any more, and why not."""
    found = {
        name: why_unlicensed(state, state.people[name], name, when)
        for name, duty in state.duty.items()
        if duty.post in PIT
    }
    return {name: says for name, says in found.items() if says}


# -- assigning ------------------------------------------------------------------------------------


@roster.decides(AssignStaff)
def assign_staff(office: Office, order: Order[AssignStaff]) -> None:
    command, state = order.command, office.state
    person = known(office, command.name)
    if person.kind != "staff" or person.role not in PIT:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is no one of the pit and works at no table.")
    _check_place(state, command)
    since = command.since or order.when
    if command.until is not None and command.until <= max(since, order.when):
        raise BadCommand("an assignment ends after it begins, and not before now")
    _may_assign(office, order, command.name, command.table, command.area)
    why(command.reason, _what(command.table, command.area))
    if len(state.roster) >= ASSIGNMENTS_AT_MOST:
        raise BadCommand(f"the roster is full ({ASSIGNMENTS_AT_MOST}); end old assignments first")
    office.emit(
        StaffAssigned(
            assignment=state.assigned + 1,
            name=command.name,
            table=command.table,
            area=command.area,
            since=since,
            until=command.until,
            by=order.who,
            reason=command.reason,
            at=order.when,
            cites=(UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT),
        )
    )


def _check_place(state: OfficeState, command: AssignStaff) -> None:
    tables = {name: r for name, r in state.places.items() if r.kind == "table" and not r.closed}
    if command.table and command.area:
        raise BadCommand("an assignment is to a table or to an area, not to both")
    if command.table and command.table not in tables:
        there = ", ".join(sorted(tables)) or "none yet"
        raise BadCommand(f"there is no table {command.table!r}; there is {there}")
    areas = sorted({record.area for record in tables.values()} - {""})
    if command.area and command.area not in areas:
        there = ", ".join(areas) or "none yet: a table is set up with its area"
        raise BadCommand(f"no table is in an area {command.area!r}; there is {there}")


def _what(table: str, area: str) -> str:
    return f"assign somebody to {told_where(table, area)}"


def _may_assign(office: Office, order: Order[Command], name: str, table: str, area: str) -> None:
    """A manager or administrator assigns anywhere; a supervisor whoever is below him, where he is
    assigned himself. Nobody assigns himself."""
    what = _what(table, area)
    if order.who == name:
        refuse(UNIQUE_ACCOUNTS, "You cannot assign yourself.")
    staff(office, order, what, ("pit supervisor", *MANAGERS, "administrator"))
    state = office.state
    duty = state.duty.get(order.who)
    person = state.people[order.who]
    if {person.role, duty.post if duty is not None else None} & {*MANAGERS, "administrator"}:
        return
    on_duty(office, order, what, ("pit supervisor",))
    if height(state.people[name].role) >= height("pit supervisor"):
        refuse(UNIQUE_ACCOUNTS, f"To assign {name} takes a pit manager or above.")
    place = state.places.get(table)
    within = place.area if place is not None else area
    runs = (one for one in state.roster.values() if _runs(one, order.when))
    his = [one for one in runs if one.name == order.who]
    if not any(_covers(one, table, within) for one in his):
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is not assigned to {told_where(table, area)}.")


@roster.applies(StaffAssigned)
def staff_assigned(office: Office, event: StaffAssigned) -> None:
    state = office.state
    old = event.at - KEPT_FOR
    state.roster = {
        number: one for number, one in state.roster.items() if one.until is None or one.until > old
    }
    state.assigned = event.assignment
    state.roster[event.assignment] = Assignment(
        name=event.name,
        table=event.table,
        area=event.area,
        since=event.since,
        until=event.until,
        by=event.by,
    )


@roster.decides(EndAssignment)
def end_assignment(office: Office, order: Order[EndAssignment]) -> None:
    command = order.command
    one = office.state.roster.get(command.assignment)
    if one is None:
        raise BadCommand(f"there is no assignment {command.assignment} in the roster")
    if order.who != one.name:
        _may_assign(office, order, one.name, one.table, one.area)
    office.emit(
        AssignmentEnded(
            assignment=command.assignment,
            name=one.name,
            reason=command.reason,
            cites=(UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT),
        )
    )


@roster.applies(AssignmentEnded)
def assignment_ended(office: Office, event: AssignmentEnded) -> None:
    office.state.roster.pop(event.assignment, None)


# -- licences -------------------------------------------------------------------------------------


@roster.decides(SetLicence)
def set_licence(office: Office, order: Order[SetLicence]) -> None:
    command = order.command
    if known(office, command.name).kind != "staff":
        refuse(LICENSED, f"{command.name} is a player and works by no licence.")
    if command.name == order.who:
        refuse(LICENSED, "You cannot put your own licence on record.")
    office.emit(
        LicenceSet(
            name=command.name,
            licence=command.licence,
            until=command.until,
            reason=command.reason,
            cites=(LICENSED, WHO_CHANGED_WHAT),
        )
    )


@roster.applies(LicenceSet)
def licence_set(office: Office, event: LicenceSet) -> None:
    person = office.state.people[event.name]
    person.licence, person.licence_until = event.licence, event.until


# -- cash at a table ------------------------------------------------------------------------------


@roster.decides(TakeCash)
def take_cash(office: Office, order: Order[TakeCash]) -> None:
    """Who may take it is asked before (`croupier.house.table_staff`)."""
    command = order.command
    a_player(office, command.player)
    if command.amount <= 0:
        raise BadCommand("cash that is taken is more than nothing")
    office.emit(
        CashTaken(
            player=command.player,
            table=command.table,
            amount=command.amount,
            taken_by=command.taken_by,
            cites=(NO_NEGATIVE_BALANCE, WHO_CHANGED_WHAT),
        )
    )


@roster.applies(CashTaken)
def cash_taken(office: Office, event: CashTaken) -> None:
    """The money is in the ledger; the office itself remembers nothing of it."""


# -- clocks ---------------------------------------------------------------------------------------


@roster.decides(SetClocks)
def set_clocks(office: Office, order: Order[SetClocks]) -> None:
    command = order.command
    if order.rank is not HOUSE:
        staff(office, order, "set the clocks of a table", (*MANAGERS, "administrator"))
        why(command.reason, "set the clocks of a table")
    record = office.state.places.get(command.table)
    if record is None or record.kind != "table":
        raise BadCommand(f"there is no table {command.table!r}")
    try:
        with_own(Clocks(), command.clocks)
    except msgspec.ValidationError as error:
        names = ", ".join(Clocks.__struct_fields__)
        raise BadCommand(f"clocks of table {command.table!r}: {error}; there is {names}") from error
    if record.clocks == command.clocks:
        refuse(WHO_CHANGED_WHAT, f"The clocks of table {command.table} are so already.")
    office.emit(
        ClocksSet(
            table=command.table,
            before=record.clocks,
            clocks=command.clocks,
            reason=command.reason,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@roster.applies(ClocksSet)
def clocks_set(office: Office, event: ClocksSet) -> None:
    office.state.places[event.table].clocks = event.clocks
