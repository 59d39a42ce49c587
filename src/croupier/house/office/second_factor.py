"""The second factor of staff: a key in an authenticator app, beside the password (S-34).

Everybody sets up their own. Whoever has lost it is let in again by two others: one proposes that it
is dropped, another one confirms it; then the next log-in sets up a new one. The key itself is among
the secrets, the log has its digest.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar

from croupier.house.office.authority import known, refuse
from croupier.house.office.people import log_out
from croupier.house.office.standards import TWO_PEOPLE, UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT
from croupier.house.office.state import Digest, PersonName, ProposedDrop, Reason
from croupier.table import Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

second_factor = Room("second factor")

CONFIRMED_WITHIN = timedelta(days=1)


class SetSecondFactor(Command, frozen=True, kw_only=True):
    """Somebody of the staff has a key in an authenticator app from now on."""

    players_may: ClassVar[bool] = False

    name: PersonName
    digest: Digest


class DropSecondFactor(Command, frozen=True, kw_only=True):
    """Somebody has lost the key: the first who says so proposes, the second confirms."""

    players_may: ClassVar[bool] = False

    name: PersonName
    reason: Reason


class SecondFactorSet(Event, frozen=True, kw_only=True):
    """From now on a code is asked for at every log-in."""

    name: str
    digest: str

    def tell(self, name: Namer) -> str:
        return f"{self.name} has a second factor."


class DropProposed(Event, frozen=True, kw_only=True):
    """It is to be dropped, once a second person confirms it."""

    name: str
    by: str
    reason: str
    at: datetime

    def tell(self, name: Namer) -> str:
        return (
            f"{self.by} proposes to drop the second factor of {self.name}: {self.reason}. "
            "A second person confirms it within a day."
        )


class SecondFactorDropped(Event, frozen=True, kw_only=True):
    """It counts no more, and everybody under that name is logged out."""

    name: str
    proposed_by: str
    by: str
    reason: str

    def tell(self, name: Namer) -> str:
        return (
            f"The second factor of {self.name} is dropped, by {self.proposed_by} and {self.by}: "
            f"{self.reason}."
        )


@second_factor.decides(SetSecondFactor)
def set_second_factor(office: Office, order: Order[SetSecondFactor]) -> None:
    command = order.command
    person = known(office, command.name)
    if order.who != command.name:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} sets up their own second factor, nobody else.")
    if person.kind != "staff" or person.disabled:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} is no member of staff who may work here.")
    if person.second_factor:
        says = f"{command.name} has a second factor; to have another, two people drop this one."
        refuse(TWO_PEOPLE, says)
    office.emit(SecondFactorSet(name=command.name, digest=command.digest, cites=(UNIQUE_ACCOUNTS,)))


@second_factor.applies(SecondFactorSet)
def second_factor_set(office: Office, event: SecondFactorSet) -> None:
    person = office.state.people[event.name]
    person.second_factor, person.code_step, person.drop = event.digest, 0, None


@second_factor.decides(DropSecondFactor)
def drop_second_factor(office: Office, order: Order[DropSecondFactor]) -> None:
    command = order.command
    person = known(office, command.name)
    if command.name == order.who:
        refuse(TWO_PEOPLE, "Two others drop a second factor, not the person whose it is.")
    if not person.second_factor:
        refuse(UNIQUE_ACCOUNTS, f"{command.name} has no second factor.")
    proposed = person.drop
    if proposed is None or order.when > proposed.at + CONFIRMED_WITHIN:
        office.emit(
            DropProposed(
                name=command.name,
                by=order.who,
                reason=command.reason,
                at=order.when,
                cites=(TWO_PEOPLE, WHO_CHANGED_WHAT),
            )
        )
        return
    if proposed.by == order.who:
        refuse(TWO_PEOPLE, "A second person confirms what the first one proposed.")
    office.emit(
        SecondFactorDropped(
            name=command.name,
            proposed_by=proposed.by,
            by=order.who,
            reason=command.reason,
            cites=(TWO_PEOPLE, WHO_CHANGED_WHAT),
        )
    )


@second_factor.applies(DropProposed)
def drop_proposed(office: Office, event: DropProposed) -> None:
    office.state.people[event.name].drop = ProposedDrop(by=event.by, at=event.at)


@second_factor.applies(SecondFactorDropped)
def second_factor_dropped(office: Office, event: SecondFactorDropped) -> None:
    person = office.state.people[event.name]
    person.dropped_factor = person.second_factor
    person.second_factor, person.code_step, person.drop = "", 0, None
    log_out(office, event.name)
