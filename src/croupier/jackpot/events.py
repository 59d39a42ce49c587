"""The events of a jackpot link; those that its tables hear are in `croupier.table.link`."""

from __future__ import annotations

from collections.abc import Sequence
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
from croupier.table.words import listed

When = Annotated[datetime, Meta(tz=True)]


def _boxes(boxes: Sequence[Box]) -> str:
    return f"{'box' if len(boxes) == 1 else 'boxes'} {listed(boxes)}"


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
    reserved: dict[Box, Money] = {}
    """Of each stake the part that went to the reserve."""
    at: When

    def tell(self, name: Namer) -> str:
        what = "1 stake" if len(self.boxes) == 1 else f"{len(self.boxes)} stakes"
        parts = (
            (self.meter, "to the meter"),
            (self.parked, "parked until the claims are paid"),
            (self.reserve, "to the reserve"),
            (self.overflow, "to the overflow pool"),
        )
        told = [f"{write_money(amount)} {where}" for amount, where in parts if amount]
        where = listed(told) if told else "nothing yet"
        return f"{what} of table {self.table}: {where}."


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
    meanwhile; nothing if the policy has them `kept`. While claims wait, what lies in the meter
    stays there until they are paid: those boxes are named in `later` (B-65).
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
    later: tuple[Box, ...] = ()
    unregistered: bool = False
    """The device had never taken these stakes: the record is put right, nothing is reversed."""
    at: When

    def tell(self, name: Namer) -> str:
        now = tuple(box for box in self.boxes if box not in self.later)
        if self.unregistered:
            return self._never_registered(now)
        if self.kept:
            stays = "stays" if len(self.boxes) == 1 else "stay"
            return f"{_contributions(self.boxes, self.table)} {stays} on the meter."
        told = []
        if now:
            told.append(
                _reversed(
                    _contributions(now, self.table),
                    len(now) == 1,
                    (self.meter, "off the meter"),
                    (self.parked, "off what is parked"),
                    (self.reserve, "out of the reserve"),
                    (self.overflow, "out of the overflow pool"),
                    (self.doubtful, "out of what is doubtful"),
                    (self.borne, "borne by the House"),
                )
            )
        if self.later:
            done = "is" if len(self.later) == 1 else "are"
            whose = _contributions(self.later, self.table)
            told.append(f"{whose} {done} reversed once the claims are paid.")
        return " ".join(told)

    def _never_registered(self, now: tuple[int, ...]) -> str:
        one = len(self.boxes) == 1
        bets, was, it = ("bet", "was", "it") if one else ("bets", "were", "them")
        told = []
        if now:
            entered = write_money(self._off() + self.borne)
            told.append(
                f"the {entered} entered for {_boxes(now) if self.later else it} does not count"
            )
        if self.borne:
            told.append(f"the House bears {write_money(self.borne)} of it, which has been paid out")
        if self.later:
            what = f"what was entered for {_boxes(self.later) if now else it}"
            told.append(f"{what} comes off the meter once the claims are paid")
        return (
            f"The jackpot {bets} of {_boxes(self.boxes)} of table {self.table} {was} never "
            f"registered: {listed(told)}."
        )

    def _off(self) -> int:
        """What comes off the meter and the pools."""
        return self.meter + self.reserve + self.overflow + self.parked + self.doubtful


def _contributions(boxes: tuple[int, ...], table: str) -> str:
    what = "The contribution" if len(boxes) == 1 else "The contributions"
    return f"{what} of {_boxes(boxes)} of table {table}"


def _reversed(whose: str, one: bool, *parts: tuple[int, str]) -> str:
    """What came off which account."""
    told = [f"{write_money(amount)} {where}" for amount, where in parts if amount]
    done = "is" if one else "are"
    return f"{whose} {done} reversed: {listed(told) if told else 'nothing'}."


class LaterReversed(Event, frozen=True, kw_only=True):
    """The queue is empty: contributions whose stakes went back meanwhile are taken off."""

    table: str
    round: int
    boxes: tuple[Box, ...]
    meter: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    borne: Money = 0
    at: When

    def tell(self, name: Namer) -> str:
        return _reversed(
            _contributions(self.boxes, self.table),
            len(self.boxes) == 1,
            (self.meter, "off the meter"),
            (self.reserve, "out of the reserve"),
            (self.overflow, "out of the overflow pool"),
            (self.borne, "borne by the House"),
        )


class StakesLieAgain(Event, frozen=True, kw_only=True):
    """Stakes whose contributions were still to be reversed lie there again; nothing moves."""

    table: str
    round: int
    boxes: tuple[Box, ...]

    def tell(self, name: Namer) -> str:
        return f"Contributions of table {self.table} are not reversed after all."


class AwardTakenBack(Event, frozen=True, kw_only=True):
    """An award came back: its round is void or its hand cancelled, so the jackpot was not won."""

    table: str
    round: int
    box: Box
    line: str
    paid: Money

    def tell(self, name: Namer) -> str:
        return (
            f"The award of {write_money(self.paid)} to box {self.box} of table {self.table} "
            "is taken back."
        )


class AwardPutBack(Event, frozen=True, kw_only=True):
    """An award that was taken back is in the meter again (1.20, B-63).

    Of what it had been replaced by, the reserve gets its part back and the House the rest: the
    `seed` of a reset, a top-up, what it completed. `borne` is what the House bore of stakes that
    went back after a reset which is undone now; it comes off the meter after all. `spent` is the
    same of the reserve.
    """

    table: str
    round: int
    box: Box
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money
    reserve: Money = 0
    overflow: Money = 0
    seed: Money = 0
    borne: Money = 0
    spent: Money = 0
    ended: bool = False
    """The link had ended: the award goes to the House's bank, as its meter did."""
    at: When

    def tell(self, name: Namer) -> str:
        if self.ended:
            return (
                f"The jackpot has ended: the {write_money(self.paid)} of box {self.box} of table "
                f"{self.table} goes to the House's bank, as the meter did."
            )
        told = [
            f"The {write_money(self.paid)} of box {self.box} of table {self.table} is put back; "
            f"the meter goes from {write_money(self.meter_before)} "
            f"to {write_money(self.meter_after)}."
        ]
        for amount, where in (
            (self.seed, "that the House had put in goes back to it"),
            (-self.seed, "that the House had gained by that reset comes back from it"),
            (self.reserve, "goes back to the reserve"),
            (self.overflow, "goes to the overflow pool"),
            (self.borne, "that the House had borne of other stakes comes off the meter after all"),
            (
                self.spent,
                "that the House had borne of the reserve comes off that after all",
            ),
        ):
            if amount > 0:
                told.append(f"{write_money(amount)} {where}.")
        return " ".join(told)


class AwardPaidAgain(Event, frozen=True, kw_only=True):
    """An award that had been taken back stands again: the ruling that took it was undone."""

    table: str
    round: int
    box: Box
    line: str
    paid: Money

    def tell(self, name: Namer) -> str:
        return (
            f"The award of {write_money(self.paid)} to box {self.box} of table {self.table} "
            "stands again."
        )


class AwardCovered(Event, frozen=True, kw_only=True):
    """The meter gives for an award that stands again what it had got of it; the House the rest.

    `overflow` is less than nothing where the meter rises beyond its ceiling.
    """

    table: str
    round: int
    box: Box
    line: str
    meter_before: Money
    meter_after: Money
    reserve: Money = 0
    overflow: Money = 0
    borne: Money = 0
    spent: Money = 0
    at: When

    def tell(self, name: Namer) -> str:
        return (
            f"For it the meter goes from {write_money(self.meter_before)} "
            f"to {write_money(self.meter_after)}."
        )


class AmountRegistered(Event, frozen=True, kw_only=True):
    """The device of a table has failed: its round is paid on this amount (5.17.1)."""

    table: str
    round: int
    amount: Money

    def tell(self, name: Namer) -> str:
        return f"Registered for table {self.table}: {write_money(self.amount)}."

    def headline(self, name: Namer) -> str:
        amount = write_money(self.amount)
        return f"Jackpots of this round are paid on the amount registered by then: {amount}."


class AmountForgotten(Event, frozen=True, kw_only=True):
    """The report of that fault was taken back: the round is paid as the meter stands."""

    table: str
    round: int

    def tell(self, name: Namer) -> str:
        return f"Nothing is registered for table {self.table} any more."


class ClaimsQueued(Event, frozen=True, kw_only=True):
    """Percentage lines were claimed; from now on stakes of other rounds are parked."""

    table: str
    round: int
    lines: tuple[HeldLine, ...]
    at: When | None = None

    def tell(self, name: Namer) -> str:
        held = listed(f"box {h.box} ({h.line}, {h.percent}%)" for h in self.lines)
        return f"{'Claim' if len(self.lines) == 1 else 'Claims'} of table {self.table}: {held}."

    def headline(self, name: Namer) -> str:
        if len(self.lines) == 1:
            return ""
        paid = sorted(self.lines, key=lambda held: held.dealt)
        order = ", then ".join(
            f"box {h.box} ({h.line.rsplit('.')[-1].replace('-', ' ').title()}, {h.percent}%)"
            for h in paid
        )
        return f"Paid clockwise, whoever was dealt first before the others: {order}."


class RoundOver(Event, frozen=True, kw_only=True):
    """A round of a table ended without a claim; its contributions stand."""

    table: str
    round: int

    def tell(self, name: Namer) -> str:
        return f"Round {self.round} of table {self.table} ends without a claim."

    def headline(self, name: Namer) -> str:
        return ""


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
        told = f"{write_money(self.meter)} that was parked is added to the meter"
        if self.overflow:
            told += f", and {write_money(self.overflow)} to the overflow pool"
        return f"{told}."


class OverflowReleased(Event, frozen=True, kw_only=True):
    """There is room below the ceiling again: the overflow pool flows into the meter."""

    amount: Money
    at: When

    def tell(self, name: Namer) -> str:
        return f"{write_money(self.amount)} flows from the overflow pool into the meter."


class ToppedUp(Event, frozen=True, kw_only=True):
    """The House lifts the meter to its reset value after a partial award.

    Which award it was is said since awards can be taken back; where nothing is said, the meter may
    also have been lifted to what was registered before a fault.
    """

    amount: Money
    table: str = ""
    round: int = 0
    box: int = 0
    line: str = ""

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
        return f"{self.who} proposes {_PROPOSED[self.kind]}, because {self.reason}."


_PROPOSED = {
    "parameters": "other parameters",
    "correction": "a correction of the meter",
    "rulebook": "another rulebook",
    "termination": "to end the jackpot",
}


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
