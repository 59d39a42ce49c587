"""Who witnessed the payment of a jackpot award: a second person, on record (20, 34).

A Pit Supervisor or above on duty has seen the hand and the payment, and says so. Whoever paid it
cannot witness it; that is looked up in the log of the link (`croupier.house.awards`), so nobody has
to be believed. An award is witnessed once.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from croupier.house.office.authority import refuse
from croupier.house.office.roster import why_unlicensed
from croupier.house.office.standards import LICENSED, TWO_PEOPLE, UNIQUE_ACCOUNTS
from croupier.house.office.state import PlaceName, Role, Witness
from croupier.table import BadCommand, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

witnesses = Room("witnesses")


class WitnessAward(Command, frozen=True, kw_only=True):
    """Say that you have seen the hand of a jackpot award and its payment."""

    players_may: ClassVar[bool] = False

    link: PlaceName
    award: int
    """Its position in the log of the link: the number of the slip."""


class AwardWitnessed(Event, frozen=True, kw_only=True):
    """A second person has witnessed the payment of an award."""

    link: str
    award: int
    by: str
    post: Role
    at: datetime

    def tell(self, name: Namer) -> str:
        return f"{self.by} ({self.post}) witnesses award {self.award} of jackpot {self.link}."


@witnesses.decides(WitnessAward)
def witness_award(office: Office, order: Order[WitnessAward]) -> None:
    command, state = order.command, office.state
    record = state.places.get(command.link)
    if record is None or record.kind != "link":
        raise BadCommand(f"there is no jackpot link {command.link!r}")
    unlicensed = why_unlicensed(state, state.people[order.who], order.who, order.when)
    if unlicensed:
        refuse(LICENSED, unlicensed)
    known = state.witnesses.get(command.link, {}).get(command.award)
    if known is not None:
        says = f"{known.by} ({known.post}) has witnessed it at {known.at:%H:%M:%S}."
        refuse(UNIQUE_ACCOUNTS, says)
    office.emit(
        AwardWitnessed(
            link=command.link,
            award=command.award,
            by=order.who,
            post=state.duty[order.who].post,
            at=order.when,
            cites=(TWO_PEOPLE, UNIQUE_ACCOUNTS),
        )
    )


@witnesses.applies(AwardWitnessed)
def award_witnessed(office: Office, event: AwardWitnessed) -> None:
    of_the_link = office.state.witnesses.setdefault(event.link, {})
    of_the_link[event.award] = Witness(by=event.by, post=event.post, at=event.at)
