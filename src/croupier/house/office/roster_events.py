"""What happened in the roster: assignments, reliefs, licences, players' words at tables."""

from __future__ import annotations

from datetime import date, datetime

from croupier.house.ledger import CASH, MoneyMoved, player_account
from croupier.house.office.events import because
from croupier.house.software import HOUSE
from croupier.table import Event, Money
from croupier.table.event import Namer
from croupier.table.money import write_money


def told_where(table: str, area: str) -> str:
    """Where somebody is assigned to, in words."""
    if table:
        return f"table {table}"
    return f"area {area}" if area else "the floor"


class StaffAssigned(Event, frozen=True, kw_only=True):
    """Somebody is to work there."""

    assignment: int
    name: str
    table: str
    area: str
    since: datetime
    until: datetime | None
    by: str
    reason: str
    at: datetime

    def tell(self, name: Namer) -> str:
        until = f" until {self.until:%d %b %H:%M}" if self.until is not None else ""
        where = told_where(self.table, self.area)
        return (
            f"{self.name} is assigned to {where} from {self.since:%d %b %H:%M}{until} "
            f"(assignment {self.assignment}){because(self.reason)}."
        )


class AssignmentEnded(Event, frozen=True, kw_only=True):
    """Somebody is not to work there any more."""

    assignment: int
    name: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"Assignment {self.assignment} of {self.name} is ended: {self.reason}."


class DealerChanged(Event, frozen=True, kw_only=True):
    """Somebody else deals at a table that is dealt by hand, or the House."""

    table: str
    dealer: str
    relieved: str
    """Whom he relieved; nobody where none dealt there before."""

    def tell(self, name: Namer) -> str:
        whom = f" and relieves {self.relieved}" if self.relieved else ""
        who = "The House" if self.dealer == HOUSE else self.dealer
        return f"{who} deals at table {self.table}{whom}."


class LicenceSet(Event, frozen=True, kw_only=True):
    """The licence by which somebody works."""

    name: str
    licence: str
    until: date
    reason: str

    def tell(self, name: Namer) -> str:
        return f"{self.name} has licence {self.licence} until {self.until}: {self.reason}."


class PinSet(Event, frozen=True, kw_only=True):
    """A player has another PIN."""

    player: str
    digest: str
    reason: str = ""

    def tell(self, name: Namer) -> str:
        return f"{self.player} has a new PIN{because(self.reason)}."


class PinTyped(Event, frozen=True, kw_only=True):
    """A PIN was typed at a table; after several wrong ones the player has to wait."""

    player: str
    table: str
    asked_by: str
    right: bool
    failures: int
    locked_until: datetime | None

    def tell(self, name: Namer) -> str:
        if self.right:
            return f"{self.player} agrees by PIN at table {self.table} ({self.asked_by})."
        locked = f"; locked until {self.locked_until:%H:%M:%S}" if self.locked_until else ""
        return f"A PIN of {self.player} is wrong at table {self.table} ({self.failures}{locked})."


class CashTaken(MoneyMoved, frozen=True, kw_only=True):
    """A player has bought chips with cash at a table: it is in the drop box."""

    player: str
    table: str
    amount: Money
    taken_by: str

    def moves(self) -> tuple[tuple[str, int], ...]:
        return ((CASH, -self.amount), (player_account(self.player), self.amount))

    def tell(self, name: Namer) -> str:
        paid = write_money(self.amount)
        return f"{self.player} pays {paid} in cash at table {self.table} to {self.taken_by}."


class ClocksSet(Event, frozen=True, kw_only=True):
    """A table has players' clocks of its own."""

    table: str
    before: dict[str, float]
    clocks: dict[str, float]
    reason: str

    def tell(self, name: Namer) -> str:
        told = ", ".join(f"{key} {value:g}" for key, value in sorted(self.clocks.items()))
        return f"The clocks of table {self.table} are {told or 'as everywhere'}: {self.reason}."
