"""What happened in the office: staff acts, money at the cage, places, starts and stops."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from croupier.house.ledger import BANK, CASH, MoneyMoved, player_account
from croupier.house.office.state import Approvable, Role
from croupier.table import Event, Money
from croupier.table.event import Namer
from croupier.table.money import write_money


def because(reason: str) -> str:
    """A reason behind what happened, if one was given."""
    return f": {reason}" if reason else ""


# -- people ---------------------------------------------------------------------------------------


class HouseFounded(Event, frozen=True, kw_only=True):
    """The House exists."""

    administrator: str
    digest: str
    real_money: bool
    at: datetime

    def tell(self, name: Namer) -> str:
        money = "real money" if self.real_money else "play money"
        return f"The House is founded for {money}; {self.administrator} administers it."


class StaffHired(Event, frozen=True, kw_only=True):
    """Somebody was taken on."""

    name: str
    role: Role
    digest: str
    reason: str
    at: datetime

    def tell(self, name: Namer) -> str:
        return f"{self.name} is taken on as {self.role}: {self.reason}."


class RoleChanged(Event, frozen=True, kw_only=True):
    """A member of staff has another role."""

    name: str
    before: Role
    role: Role
    reason: str

    def tell(self, name: Namer) -> str:
        return f"{self.name}, {self.before} before, is now {self.role}: {self.reason}."


class AccountOpened(Event, frozen=True, kw_only=True):
    """A player has an account."""

    player: str
    digest: str
    bot: bool
    at: datetime
    cash: bool = False

    def tell(self, name: Namer) -> str:
        kind = " as a bot" if self.bot else " as a cash player" if self.cash else ""
        return f"{self.player} has an account{kind}."


class PasswordSet(Event, frozen=True, kw_only=True):
    """Somebody has another password."""

    name: str
    digest: str
    reason: str = ""

    def tell(self, name: Namer) -> str:
        return f"{self.name} has a new password{because(self.reason)}."


class PersonDisabled(Event, frozen=True, kw_only=True):
    """Somebody may do nothing here."""

    name: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"{self.name} is disabled: {self.reason}."


class PersonEnabled(Event, frozen=True, kw_only=True):
    """Somebody may act here again."""

    name: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"{self.name} is enabled: {self.reason}."


# -- duty and sessions ----------------------------------------------------------------------------


class WentOnDuty(Event, frozen=True, kw_only=True):
    """Somebody is at his post."""

    name: str
    post: Role
    area: str
    acting: bool
    by: str
    reason: str
    at: datetime

    def tell(self, name: Namer) -> str:
        acting = f"acting {self.post}, appointed by {self.by}" if self.acting else self.post
        area = f" in {self.area}" if self.area else ""
        return f"{self.name} is on duty as {acting}{area}{because(self.reason)}."


class WentOffDuty(Event, frozen=True, kw_only=True):
    """Somebody has left his post."""

    name: str
    reason: str = ""

    def tell(self, name: Namer) -> str:
        return f"{self.name} goes off duty{because(self.reason)}."


class SessionOpened(Event, frozen=True, kw_only=True):
    """Somebody is logged in."""

    name: str
    token: str
    until: datetime
    origin: str = ""
    """From where, as a digest; nothing for the House's own machine."""
    code_step: int = 0

    def tell(self, name: Namer) -> str:
        return f"{self.name} logs in."


class LoginFailed(Event, frozen=True, kw_only=True):
    """A password was wrong; after several he has to wait."""

    name: str
    failures: int
    locked_until: datetime | None
    origin: str = ""
    """From where, as a digest: nobody is locked out elsewhere by it."""

    def tell(self, name: Namer) -> str:
        there = " there" if self.origin else ""
        locked = f"; locked{there} until {self.locked_until:%H:%M:%S}" if self.locked_until else ""
        return f"A log-in of {self.name} fails ({self.failures} in a row{locked})."


class SessionClosed(Event, frozen=True, kw_only=True):
    """Somebody is logged out."""

    name: str
    token: str
    at: datetime | None = None

    def tell(self, name: Namer) -> str:
        return f"{self.name} logs out."


class Unlocked(Event, frozen=True, kw_only=True):
    """Somebody may try to log in again."""

    name: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"{self.name} is unlocked: {self.reason}."


# -- the cage -------------------------------------------------------------------------------------


class CashedIn(MoneyMoved, frozen=True, kw_only=True):
    """Cash has come in."""

    player: str
    amount: Money
    note: str = ""

    def moves(self) -> tuple[tuple[str, int], ...]:
        return ((CASH, -self.amount), (player_account(self.player), self.amount))

    def tell(self, name: Namer) -> str:
        return f"{self.player} pays in {write_money(self.amount)}."


class CashedOut(MoneyMoved, frozen=True, kw_only=True):
    """Cash has gone out."""

    player: str
    amount: Money
    note: str = ""

    def moves(self) -> tuple[tuple[str, int], ...]:
        return ((player_account(self.player), -self.amount), (CASH, self.amount))

    def tell(self, name: Namer) -> str:
        return f"{self.player} takes out {write_money(self.amount)}."


class Transferred(MoneyMoved, frozen=True, kw_only=True):
    """Money went from one player to another."""

    payer: str
    payee: str
    amount: Money
    reason: str

    def moves(self) -> tuple[tuple[str, int], ...]:
        return (
            (player_account(self.payer), -self.amount),
            (player_account(self.payee), self.amount),
        )

    def tell(self, name: Namer) -> str:
        amount = write_money(self.amount)
        return f"{amount} goes from {self.payer} to {self.payee}: {self.reason}."


class BankFunded(MoneyMoved, frozen=True, kw_only=True):
    """Cash went into the House's bank, or out of it."""

    amount: Money
    reason: str

    def moves(self) -> tuple[tuple[str, int], ...]:
        return ((CASH, -self.amount), (BANK, self.amount))

    def tell(self, name: Namer) -> str:
        how = "is put into" if self.amount > 0 else "is taken out of"
        return f"{write_money(abs(self.amount))} {how} the bank: {self.reason}."


class CorrectionProposed(Event, frozen=True, kw_only=True):
    """Somebody wants accounts put right."""

    proposal: int
    changes: dict[str, Money]
    reason: str
    who: str

    def tell(self, name: Namer) -> str:
        return f"{self.who} proposes correction {self.proposal}: {self.reason}."


class Corrected(MoneyMoved, frozen=True, kw_only=True):
    """Accounts were put right by new entries, by two people."""

    proposal: int
    changes: dict[str, Money]
    reason: str
    proposed_by: str
    approved_by: str

    def moves(self) -> tuple[tuple[str, int], ...]:
        return tuple(self.changes.items())

    def tell(self, name: Namer) -> str:
        people = f"proposed by {self.proposed_by}, approved by {self.approved_by}"
        return f"Correction {self.proposal} ({people}): {self.reason}."


# -- players' money at tables ---------------------------------------------------------------------


class PlayerRelocated(Event, frozen=True, kw_only=True):
    """A player was taken to another table; both tables have their half under the same command."""

    player: str
    table: str
    to: str
    seat: int
    reason: str

    def tell(self, name: Namer) -> str:
        where = f"from table {self.table} to seat {self.seat} of table {self.to}"
        return f"{self.player} is relocated with their chips {where}: {self.reason}."


class UnclaimedPaid(Event, frozen=True, kw_only=True):
    """A player has what was kept safe for him; the table has handed it over by the same command."""

    player: str
    table: str
    amount: Money
    reason: str

    def tell(self, name: Namer) -> str:
        amount = f"{write_money(self.amount)} that table {self.table} kept safe"
        return f"{self.player} is given {amount} for them: {self.reason}."


# -- tables and links -----------------------------------------------------------------------------


class TableAdded(Event, frozen=True, kw_only=True):
    """A table was set up."""

    table: str
    rulebook: str
    settings: dict[str, Any]
    policies: dict[str, str]
    link: str
    area: str
    follows: str = ""
    reason: str = ""
    bots: int = 0

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} is set up under {self.rulebook}{because(self.reason)}."


class LinkAdded(Event, frozen=True, kw_only=True):
    """A jackpot link was set up."""

    link: str
    rulebook: str
    settings: dict[str, Any]
    policies: dict[str, str]
    reason: str = ""

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} is set up under {self.rulebook}{because(self.reason)}."


class RulebookNoted(Event, frozen=True, kw_only=True):
    """A link has another rulebook; tables of that one may hang on it."""

    link: str
    before: str
    rulebook: str

    def tell(self, name: Namer) -> str:
        return f"Link {self.link}, under {self.before} before, goes on under {self.rulebook}."


class TableClosed(Event, frozen=True, kw_only=True):
    """A table is closed for good."""

    table: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} is closed: {self.reason}."


class PlaceDisabled(Event, frozen=True, kw_only=True):
    """No new round at a place, or anywhere."""

    place: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"{self.place or 'Everything'} is disabled: {self.reason}."


class PlaceEnabled(Event, frozen=True, kw_only=True):
    """New rounds again."""

    place: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"{self.place or 'Everything'} is enabled: {self.reason}."


# -- starts and stops -----------------------------------------------------------------------------


class Started(Event, frozen=True, kw_only=True):
    """The software has started."""

    version: str
    places: tuple[str, ...]
    digests: dict[str, str]
    interrupted: tuple[str, ...]
    """Places that ran and were not stopped as planned."""
    changed: tuple[str, ...]
    """Critical files that are not as they were at the start before."""

    def tell(self, name: Namer) -> str:
        how = f"; cut off were {', '.join(self.interrupted)}" if self.interrupted else ""
        return f"croupier {self.version} starts{how}."


class Stopped(Event, frozen=True, kw_only=True):
    """The software has stopped as planned."""

    positions: dict[str, int]

    def tell(self, name: Namer) -> str:
        return "croupier stops as planned."


class FilesChecked(Event, frozen=True, kw_only=True):
    """The critical files were checked."""

    changed: tuple[str, ...]
    asked_by: str = ""

    def tell(self, name: Namer) -> str:
        asked = f", as {self.asked_by} wanted to know" if self.asked_by else ""
        if not self.changed:
            return f"The critical files are as they should be{asked}."
        return f"Critical files were changed: {', '.join(self.changed)}{asked}."


class SettingChanged(Event, frozen=True, kw_only=True):
    """A setting of the House was changed."""

    setting: str
    before: str
    after: str
    reason: str

    def tell(self, name: Namer) -> str:
        before, after = self.before or "its default", self.after or "its default"
        return f"{self.setting} is changed from {before} to {after}: {self.reason}."


# -- what takes two people ------------------------------------------------------------------------


class ApprovalProposed(Event, frozen=True, kw_only=True):
    """Somebody asks for another key of the seals, or for software that no manifest names."""

    proposal: int
    what: Approvable
    digest: str
    reason: str
    who: str

    def tell(self, name: Namer) -> str:
        return (
            f"Approval {self.proposal} is asked for by {self.who}: {self.what} {self.digest}"
            f"{because(self.reason)}. A second person approves it."
        )


class ApprovalGiven(Event, frozen=True, kw_only=True):
    """Two people want it so."""

    proposal: int
    what: Approvable
    digest: str
    reason: str
    proposed_by: str
    approved_by: str

    def tell(self, name: Namer) -> str:
        return (
            f"{self.proposed_by} and {self.approved_by} approve {self.what} {self.digest}"
            f"{because(self.reason)}."
        )
