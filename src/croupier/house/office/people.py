"""People: staff and players, their roles and passwords, who may do nothing (29, 34)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.office.authority import (
    HOUSE,
    MANAGERS,
    check_name,
    known,
    only_the_house,
    refuse,
    staff,
    why,
)
from croupier.house.office.commands import (
    ChangeRole,
    DisablePerson,
    EnablePerson,
    FoundHouse,
    HireStaff,
    OpenAccount,
    SetPassword,
)
from croupier.house.office.dealing import follow
from croupier.house.office.events import (
    AccountOpened,
    HouseFounded,
    PasswordSet,
    PersonDisabled,
    PersonEnabled,
    RoleChanged,
    StaffHired,
)
from croupier.house.office.standards import (
    DISABLED,
    NO_BOTS_FOR_MONEY,
    UNIQUE_ACCOUNTS,
    WHO_CHANGED_WHAT,
)
from croupier.house.office.state import Person
from croupier.table import Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

people = Room("people")


def _free(office: Office, name: str) -> None:
    """A new name hides nothing, and is not one that is taken, nor looks like one."""
    check_name(office.names_of_people, name, office.state.people, UNIQUE_ACCOUNTS)


@people.decides(FoundHouse)
def found_house(office: Office, order: Order[FoundHouse]) -> None:
    command = order.command
    if office.state.founded:
        refuse(UNIQUE_ACCOUNTS, "The House is founded already.")
    _free(office, command.administrator)
    office.emit(
        HouseFounded(
            administrator=command.administrator,
            digest=command.digest or "",
            real_money=command.real_money,
            at=order.when,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@people.applies(HouseFounded)
def house_founded(office: Office, event: HouseFounded) -> None:
    state = office.state
    state.founded = True
    state.real_money = event.real_money
    state.people[event.administrator] = Person(
        kind="staff", role="administrator", digest=event.digest, since=event.at
    )


@people.decides(HireStaff)
def hire_staff(office: Office, order: Order[HireStaff]) -> None:
    command = order.command
    _free(office, command.name)
    office.emit(
        StaffHired(
            name=command.name,
            role=command.role,
            digest=command.digest or "",
            reason=command.reason,
            at=order.when,
            cites=(UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT),
        )
    )


@people.applies(StaffHired)
def staff_hired(office: Office, event: StaffHired) -> None:
    office.state.people[event.name] = Person(
        kind="staff", role=event.role, digest=event.digest, since=event.at
    )


@people.decides(ChangeRole)
def change_role(office: Office, order: Order[ChangeRole]) -> None:
    command = order.command
    person = known(office, command.name)
    if person.kind != "staff" or person.role is None:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is a player and has no role.")
    if command.name == order.who:
        refuse(UNIQUE_ACCOUNTS, "You cannot change your own role.")
    office.emit(
        RoleChanged(
            name=command.name,
            before=person.role,
            role=command.role,
            reason=command.reason,
            cites=(UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT),
        )
    )


@people.applies(RoleChanged)
def role_changed(office: Office, event: RoleChanged) -> None:
    office.state.people[event.name].role = event.role
    office.state.duty.pop(event.name, None)
    follow(office.state.dealers, event)


@people.decides(OpenAccount)
def open_account(office: Office, order: Order[OpenAccount]) -> None:
    command, state = order.command, office.state
    if order.rank is not HOUSE:
        person = state.people.get(order.who)
        if person is not None and person.kind == "staff":
            staff(office, order, "open an account", ("cashier", "shift manager", "administrator"))
        elif order.who != command.player:
            refuse(UNIQUE_ACCOUNTS, f"{order.who} cannot open an account for {command.player}.")
    if command.bot:
        only_the_house(order, "opens the account of a bot")
        if state.real_money:
            refuse(NO_BOTS_FOR_MONEY, "There are no bots where it is real money.")
    if command.cash:
        only_the_house(order, "opens the account of a cash player")
    _free(office, command.player)
    office.emit(
        AccountOpened(
            player=command.player,
            digest=command.digest or "",
            bot=command.bot,
            cash=command.cash,
            at=order.when,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@people.applies(AccountOpened)
def account_opened(office: Office, event: AccountOpened) -> None:
    office.state.people[event.player] = Person(
        kind="player", digest=event.digest, since=event.at, bot=event.bot, cash=event.cash
    )


@people.decides(SetPassword)
def set_password(office: Office, order: Order[SetPassword]) -> None:
    command = order.command
    known(office, command.name)
    if order.who != command.name and order.rank is not HOUSE:
        staff(office, order, "set somebody's password", ("administrator",))
        why(command.reason, "set somebody's password")
    office.emit(
        PasswordSet(
            name=command.name,
            digest=command.digest,
            reason=command.reason,
            cites=(UNIQUE_ACCOUNTS,),
        )
    )


@people.applies(PasswordSet)
def password_set(office: Office, event: PasswordSet) -> None:
    person = office.state.people[event.name]
    person.digest = event.digest
    person.failures, person.locked_until, person.tried = 0, None, {}
    log_out(office, event.name)


@people.decides(DisablePerson)
def disable_person(office: Office, order: Order[DisablePerson]) -> None:
    command = order.command
    person = known(office, command.name)
    if person.kind == "staff":
        staff(office, order, "disable a member of staff", ("administrator",))
        if command.name == order.who:
            refuse(DISABLED, "You cannot disable yourself.")
    else:
        staff(office, order, "disable a player", ("pit supervisor", *MANAGERS, "administrator"))
    if person.disabled:
        refuse(DISABLED, f"{command.name} is disabled already: {person.disabled}.")
    office.emit(PersonDisabled(name=command.name, reason=command.reason, cites=(DISABLED,)))


@people.applies(PersonDisabled)
def person_disabled(office: Office, event: PersonDisabled) -> None:
    person = office.state.people[event.name]
    person.disabled = event.reason
    office.state.duty.pop(event.name, None)
    follow(office.state.dealers, event)
    if person.kind == "staff":
        log_out(office, event.name)


@people.decides(EnablePerson)
def enable_person(office: Office, order: Order[EnablePerson]) -> None:
    command = order.command
    person = known(office, command.name)
    if person.kind == "staff":
        staff(office, order, "enable a member of staff", ("administrator",))
    else:
        staff(office, order, "enable a player", ("shift manager", "administrator"))
    if not person.disabled:
        refuse(DISABLED, f"{command.name} is not disabled.")
    office.emit(PersonEnabled(name=command.name, reason=command.reason, cites=(DISABLED,)))


@people.applies(PersonEnabled)
def person_enabled(office: Office, event: PersonEnabled) -> None:
    office.state.people[event.name].disabled = ""


def log_out(office: Office, name: str) -> None:
    """End every session of somebody."""
    state = office.state
    state.sessions = {token: s for token, s in state.sessions.items() if s.name != name}
