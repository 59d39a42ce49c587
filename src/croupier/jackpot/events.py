"""The events of a jackpot link; those that its tables hear are in `croupier.table.link`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta

from croupier.table import (
    Box,
    Command,
    Event,
    HearLinkClosed,
    HearLinkReopened,
    HeldLine,
    Money,
)
from croupier.table.event import Namer
from croupier.table.link import ToTables
from croupier.table.money import write_money

When = Annotated[datetime, Meta(tz=True)]


class LinkOpened(Event, frozen=True, kw_only=True):
    """The first event of every link's log."""

    link: str
    rulebook: str
    settings: dict[str, Any]
    tables: tuple[str, ...]
    policies: dict[str, str]
    meter: Money
    at: When

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} opens at {write_money(self.meter)}."


class TableJoined(ToTables, frozen=True, kw_only=True):
    """A table hangs on the link; if the link is open the table takes jackpot bets for it."""

    link: str
    table: str
    takes_stakes: bool

    def to_tables(self) -> dict[str, Command]:
        return {self.table: HearLinkReopened(link=self.link)} if self.takes_stakes else {}

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} hangs on the jackpot."


class TableRemoved(ToTables, frozen=True, kw_only=True):
    """A table no longer hangs on the link, so it takes no jackpot bets for it."""

    link: str
    table: str

    def to_tables(self) -> dict[str, Command]:
        return {self.table: HearLinkClosed(link=self.link)}

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} no longer hangs on the jackpot."


class ContributionsPosted(Event, frozen=True, kw_only=True):
    """The stakes of a table were accepted: what each box gave, and where it went.

    `meter`, `reserve`, `overflow` and `parked` together are what the boxes gave; `carry` is what is
    left over of a cent, in millionths.
    """

    table: str
    round: int
    boxes: dict[Box, Money]
    meter: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    parked: Money = 0
    carry: int = 0
    at: When

    def tell(self, name: Namer) -> str:
        total = write_money(sum(self.boxes.values()))
        where = "parked until the claims are paid" if self.parked else "added to the meter"
        return f"{len(self.boxes)} stakes of table {self.table}: {total} {where}."


class ContributionDoubted(Event, frozen=True, kw_only=True):
    """A contribution beyond reason was set aside; the link fails until somebody has looked."""

    table: str
    round: int
    boxes: dict[Box, Money]
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} of table {self.table} is beyond reason and set aside."


class ContributionsReversed(Event, frozen=True, kw_only=True):
    """Stakes went back, and with them what they had added.

    Taken off the meter and the pools they went to; `borne` by the House where the meter was reset
    meanwhile; nothing if the policy has them `kept`.
    """

    table: str
    round: int
    boxes: tuple[Box, ...]
    kept: bool = False
    meter: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    parked: Money = 0
    doubtful: Money = 0
    borne: Money = 0
    at: When

    def tell(self, name: Namer) -> str:
        return f"Contributions of table {self.table} reversed: {write_money(self.meter)}."


class ClaimsQueued(Event, frozen=True, kw_only=True):
    """Percentage lines were claimed; from now on stakes of other rounds are parked."""

    table: str
    round: int
    lines: tuple[HeldLine, ...]
    at: When | None = None

    def tell(self, name: Namer) -> str:
        held = ", ".join(f"box {h.box} ({h.line}, {h.percent}%)" for h in self.lines)
        return f"Claims of table {self.table}: {held}."


class RoundOver(Event, frozen=True, kw_only=True):
    """A round of a table ended without a claim; its contributions stand."""

    table: str
    round: int

    def tell(self, name: Namer) -> str:
        return f"Round {self.round} of table {self.table} ends without a claim."


class OrderSet(Event, frozen=True, kw_only=True):
    """The order in which the claims are paid."""

    order: tuple[str, ...]
    """Each as `table/box`."""

    def tell(self, name: Namer) -> str:
        return f"The claims are paid in this order: {', '.join(self.order)}."


class ParkedPosted(Event, frozen=True, kw_only=True):
    """The queue is empty: what was parked is added to the meter."""

    meter: Money = 0
    overflow: Money = 0
    at: When

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.meter)} that was parked is added to the meter."


class OverflowReleased(Event, frozen=True, kw_only=True):
    """There is room below the ceiling again: the overflow pool flows into the meter."""

    amount: Money
    at: When

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} flows from the overflow pool into the meter."


class ToppedUp(Event, frozen=True, kw_only=True):
    """The House lifts the meter: to its reset value after a partial award, or to what was
    registered before a fault (5.17.1)."""

    amount: Money

    def tell(self, name: Namer) -> str:
        return f"The House lifts the meter by {write_money(self.amount)}."


class ChangeProposed(Event, frozen=True, kw_only=True):
    """Somebody proposes a change; a second person must approve it."""

    proposal: int
    kind: str
    change: dict[str, Any]
    reason: str
    who: str

    def tell(self, name: Namer) -> str:
        return f"{self.who} proposes a change of {self.kind}, because {self.reason}."


class ParametersChanged(Event, frozen=True, kw_only=True):
    """The link has other parameters, approved by two people."""

    proposal: int
    settings: dict[str, Any]
    proposed_by: str
    approved_by: str

    def tell(self, name: Namer) -> str:
        return f"{self.approved_by} approves the parameters proposed by {self.proposed_by}."


class MeterCorrected(Event, frozen=True, kw_only=True):
    """The meter was corrected, approved by two people."""

    proposal: int
    by: Money
    reason: str
    proposed_by: str
    approved_by: str

    def tell(self, name: Namer) -> str:
        return f"The meter is corrected by {write_money(self.by)}, approved by {self.approved_by}."


class RulebookChanged(Event, frozen=True, kw_only=True):
    """The link goes on under another version with the meter carried over."""

    proposal: int
    rulebook: str
    meter: Money
    proposed_by: str
    approved_by: str

    def tell(self, name: Namer) -> str:
        value = write_money(self.meter)
        return f"The jackpot goes on under {self.rulebook} with {value} on the meter."


class LinkTerminated(Event, frozen=True, kw_only=True):
    """The link has ended for good, approved by two people; what it held is the House's again."""

    proposal: int
    destination: str
    amount: Money
    """Meter and pools together."""
    reason: str
    proposed_by: str
    approved_by: str

    def tell(self, name: Namer) -> str:
        amount = write_money(self.amount)
        return f"The jackpot ends; {amount} goes to: {self.destination} ({self.approved_by})."


class Reconciled(Event, frozen=True, kw_only=True):
    """The tables' counts of stakes agree with the controller's."""

    counts: dict[str, int]

    def tell(self, name: Namer) -> str:
        return "The tables' counts of jackpot stakes agree with the controller's."


class MeterMismatch(Event, frozen=True, kw_only=True):
    """A table counts other stakes than the controller: a fault."""

    tables: tuple[str, ...]

    def tell(self, name: Namer) -> str:
        return f"Other counts than the controller's at {', '.join(self.tables)}."


class DisplayShown(Event, frozen=True, kw_only=True):
    """What the display shows now."""

    value: Money
    at: When

    def tell(self, name: Namer) -> str:
        return f"The display shows {write_money(self.value)}."
