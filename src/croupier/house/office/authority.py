"""Who may do what in the office: by role, with the least that each needs (standard 34)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

from croupier.house.names import TakenNames, visible, wrong_with_name
from croupier.house.office.standards import LICENSED, UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT
from croupier.house.office.state import PIT, OfficeState, Person, Role
from croupier.table import ActorRank, Command, Order, Refused
from croupier.table.refusal import Refusal

if TYPE_CHECKING:
    from croupier.house.office.office import Office

HOUSE = ActorRank.HOUSE
PLAYER = ActorRank.PLAYER
MANAGERS: tuple[Role, ...] = ("pit manager", "shift manager")
CAGE: tuple[Role, ...] = ("cashier", "shift manager")


def refuse(standard: str, says: str) -> NoReturn:
    """Refuse by a standard, with a sentence for the person."""
    raise Refusal(Refused((standard,), says))


def staff(office: Office, order: Order[Command], what: str, roles: tuple[Role, ...]) -> None:
    """Only a member of staff in one of these roles, or in an acting post of that role."""
    person = office.state.people.get(order.who)
    if order.rank is HOUSE or person is None or person.kind != "staff":
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is no member of staff and may not {what}.")
    if person.disabled:
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is disabled: {person.disabled}.")
    duty = office.state.duty.get(order.who)
    held = {person.role, duty.post if duty is not None else None}
    if not held & set(roles):
        needed = " or ".join(roles)
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is {person.role}; to {what} takes a {needed}.")


def on_duty(office: Office, order: Order[Command], what: str, roles: tuple[Role, ...]) -> None:
    """The same, while at his post, with a licence that is good: what somebody does in his rank at
    a table."""
    staff(office, order, what, roles)
    duty = office.state.duty.get(order.who)
    if duty is None or duty.post not in roles:
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is not on duty; to {what}, take up the post first.")
    person = office.state.people[order.who]
    if duty.post in PIT and (says := why_unlicensed(office.state, person, order.who, order.when)):
        refuse(LICENSED, says)


def why_unlicensed(state: OfficeState, person: Person, name: str, when: datetime) -> str:
    """Why somebody may conduct no game, if so: his licence is over, or there is none on record
    where it is played for money."""
    if person.licence_until is not None and when.date() > person.licence_until:
        return f"The licence {person.licence} of {name} ended on {person.licence_until}."
    if state.real_money and not person.licence:
        return f"There is no licence of {name} on record; it takes one to conduct a game."
    return ""


def says_something(reason: str) -> bool:
    """Whether a reason is more than blanks and what cannot be seen."""
    return any(each.isprintable() and not each.isspace() for each in reason)


def why(reason: str, what: str) -> None:
    """Whoever changes something of the House, or of somebody else's, says why (standard 32)."""
    if not says_something(reason):
        refuse(WHO_CHANGED_WHAT, f"To {what}, say why: it is recorded.")


def only_the_house(order: Order[Command], what: str) -> None:
    """What the software itself notes, and nobody can enter."""
    if order.rank is not HOUSE:
        refuse(UNIQUE_ACCOUNTS, f"The software itself {what}.")


def known(office: Office, name: str) -> Person:
    """The person of this name."""
    person = office.state.people.get(name)
    if person is None:
        refuse(UNIQUE_ACCOUNTS, f"Nobody here is called {name}.")
    return person


def a_player(office: Office, name: str) -> None:
    """Somebody who has a player's account."""
    if known(office, name).kind != "player":
        refuse(UNIQUE_ACCOUNTS, f"{name} is staff and has no player's account.")


def check_name(names: TakenNames, name: str, taken: Mapping[str, Any], standard: str) -> None:
    """Refuse a new name that hides something, is taken, or could be mistaken for one that is."""
    wrong = wrong_with_name(name)
    if wrong:
        refuse(standard, f"{wrong} Choose another name.")
    like = names.like(name, taken)
    if like is not None and like.casefold() == name.casefold():
        refuse(standard, f"The name {name} is taken.")
    if like is not None:
        refuse(standard, f"{name} could be mistaken for {visible(like)}. Choose another name.")


def height(role: Role | None) -> int:
    """How high a rank of the pit is; nothing for the other roles."""
    return PIT.index(role) + 1 if role in PIT else 0
