"""The messages between a table and a jackpot link.

A link has its own log and speaks as a table does. What a table has to tell its link is an event
at the table and a command at the link; the link's answer is an event there and a command of the
House at the table. The pit carries them across; what one command causes on both sides belongs
together and is stored together.
"""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from croupier.table.command import Command
from croupier.table.event import Event, Namer
from croupier.table.money import Money, write_money
from croupier.table.seat import Box
from croupier.table.words import line_words, listed

When = Annotated[datetime, Meta(tz=True)]


READ_BY_THE_LINK = frozenset(("partial-award", "top-up-to-reset", "void-contribution"))
"""The policies that a jackpot link goes by. They are stated for the link and hold for all its
tables."""


class ToLink(Event, frozen=True, kw_only=True):
    """An event at a table that its link must hear of."""

    def to_link(self, table: str) -> Command:
        """The command that carries this event to the link."""
        raise NotImplementedError


class ToTables(Event, frozen=True, kw_only=True):
    """An event at a link that one or more of its tables must hear of."""

    def to_tables(self) -> dict[str, Command]:
        """The commands of the House that carry this event, by the name of the table."""
        raise NotImplementedError


class HeldLine(Struct, frozen=True, kw_only=True):
    """A percentage line of the jackpot that a box holds.

    `percent` is written as on the pay table (`100`, `10`, `5`); `dealt` is when the box had its
    second Hole Card, which is what the order of payment goes by across tables. `instead` is a fixed
    line that the same stake holds too: it is paid in place of the share where it is worth more.
    """

    box: Box
    line: str
    percent: Annotated[str, Meta(pattern=r"^\d{1,3}(\.\d+)?$")]
    dealt: When
    instead: str | None = None
    instead_pays: Money = 0

    @property
    def share(self) -> Fraction:
        """The share of the meter as an exact fraction."""
        return Fraction(self.percent) / 100


# -- commands at the link -----------------------------------------------------------------------


class TakeStakes(Command, frozen=True, kw_only=True):
    """At close: these boxes of a table have an accepted jackpot stake."""

    players_may: ClassVar[bool] = False

    table: str
    round: int
    stakes: dict[Box, Money]


class ReturnStakes(Command, frozen=True, kw_only=True):
    """A void round or a cancelled hand: these stakes went back to their players."""

    players_may: ClassVar[bool] = False

    table: str
    round: int
    boxes: tuple[Box, ...]
    why: tuple[str, ...] = ()
    """The paragraphs by which they went back; the link is of the same book."""
    unregistered: bool = False
    """The jackpot device had never taken them, so nothing was added for them (B-57)."""


class TakeAwardsBack(Command, frozen=True, kw_only=True):
    """A void round or a cancelled hand wins nothing: these awards come back to the meter."""

    players_may: ClassVar[bool] = False

    table: str
    round: int
    awards: dict[Box, dict[str, Money]]
    """What each box was paid from the meter, by line."""
    why: tuple[str, ...] = ()


class PayAwardsAgain(Command, frozen=True, kw_only=True):
    """The ruling that took these awards back was itself taken back: they stand again."""

    players_may: ClassVar[bool] = False

    table: str
    round: int
    awards: dict[Box, dict[str, Money]]


class RegisterAmount(Command, frozen=True, kw_only=True):
    """The jackpot device of a table has failed in mid-round: keep what is registered now."""

    players_may: ClassVar[bool] = False

    table: str
    round: int


class ForgetAmount(Command, frozen=True, kw_only=True):
    """The report of that fault was taken back."""

    players_may: ClassVar[bool] = False

    table: str
    round: int


class TakeClaims(Command, frozen=True, kw_only=True):
    """At the end of a round: the percentage lines that are held, none if there are none."""

    players_may: ClassVar[bool] = False

    table: str
    round: int
    lines: tuple[HeldLine, ...]


# -- commands of the House at the table ---------------------------------------------------------


class ReceiveAward(Command, frozen=True, kw_only=True):
    """The link's answer to a claim: what the box is paid from the meter."""

    players_may: ClassVar[bool] = False

    link: str
    round: int
    box: Box
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money
    registered: Money | None = None


class TakeFixedLine(Command, frozen=True, kw_only=True):
    """The link's other answer to a claim: the fixed line of that stake is worth more than its
    share of the meter, so the table pays that one and the meter is left alone."""

    players_may: ClassVar[bool] = False

    link: str
    round: int
    box: Box
    line: str
    instead: str


class HearFault(Command, frozen=True, kw_only=True):
    """The link has failed; `registered` is the last value that it stands by."""

    players_may: ClassVar[bool] = False

    link: str
    registered: Money


class HearRepair(Command, frozen=True, kw_only=True):
    """The link works again."""

    players_may: ClassVar[bool] = False

    link: str


class HearLinkClosed(Command, frozen=True, kw_only=True):
    """The link takes no stakes for the time being."""

    players_may: ClassVar[bool] = False

    link: str


class HearLinkReopened(Command, frozen=True, kw_only=True):
    """The link takes stakes again."""

    players_may: ClassVar[bool] = False

    link: str


# -- events at the table ------------------------------------------------------------------------


class StakesAccepted(ToLink, frozen=True, kw_only=True):
    """Betting has closed with these jackpot stakes on the table."""

    round: int
    stakes: dict[Box, Money]

    def to_link(self, table: str) -> Command:
        return TakeStakes(table=table, round=self.round, stakes=self.stakes)

    def tell(self, name: Namer) -> str:
        if not self.stakes:
            return "No jackpot stake is accepted."
        what = "Jackpot stake" if len(self.stakes) == 1 else "Jackpot stakes"
        who = (f"{name(box)} {write_money(stake)}" for box, stake in sorted(self.stakes.items()))
        return f"{what} accepted: {listed(who)}."


class StakesReturned(ToLink, frozen=True, kw_only=True):
    """These jackpot stakes went back to their players, or were never registered (B-57)."""

    round: int
    boxes: tuple[Box, ...]
    unregistered: bool = False

    def to_link(self, table: str) -> Command:
        return ReturnStakes(
            table=table,
            round=self.round,
            boxes=self.boxes,
            why=self.cites,
            unregistered=self.unregistered,
        )

    def tell(self, name: Namer) -> str:
        what = "jackpot stake" if len(self.boxes) == 1 else "jackpot stakes"
        if self.unregistered:
            whose = listed(map(name, self.boxes))
            return f"The link is told that it had not registered the {what} of {whose}."
        return f"The link is told that the {what} of {listed(map(name, self.boxes))} went back."


class AwardsReturned(ToLink, frozen=True, kw_only=True):
    """Awards of the meter that were taken back from these boxes go back to it (B-63).

    They came to the House with everything else that was taken back; from there they go on.
    """

    round: int
    awards: dict[Box, dict[str, Money]]
    """What each box had been paid from the meter, by line."""

    def to_link(self, table: str) -> Command:
        return TakeAwardsBack(table=table, round=self.round, awards=self.awards, why=self.cites)

    def tell(self, name: Namer) -> str:
        back = [
            f"{write_money(sum(lines.values()))} of {name(box)}"
            for box, lines in sorted(self.awards.items())
        ]
        return f"Back to the Progressive Jackpot: {', '.join(back)}."


class AwardsPaidAgain(ToLink, frozen=True, kw_only=True):
    """A ruling that had taken awards back is undone: the link pays them again."""

    round: int
    awards: dict[Box, dict[str, Money]]

    def to_link(self, table: str) -> Command:
        return PayAwardsAgain(table=table, round=self.round, awards=self.awards)

    def tell(self, name: Namer) -> str:
        again = [
            f"{write_money(sum(lines.values()))} of {name(box)}"
            for box, lines in sorted(self.awards.items())
        ]
        return f"Awards of the Progressive Jackpot that stand again: {', '.join(again)}."


class DeviceFailed(ToLink, frozen=True, kw_only=True):
    """The jackpot device of this table has failed in mid-round; its awards are paid on what the
    link has registered by now (5.17.1, B-64)."""

    round: int

    def to_link(self, table: str) -> Command:
        return RegisterAmount(table=table, round=self.round)

    def tell(self, name: Namer) -> str:
        return "The jackpot of this round is paid on the amount that is registered now."


class DeviceFaultWithdrawn(ToLink, frozen=True, kw_only=True):
    """The report of the device's fault is undone; what was registered for it is forgotten."""

    round: int

    def to_link(self, table: str) -> Command:
        return ForgetAmount(table=table, round=self.round)

    def tell(self, name: Namer) -> str:
        return "The jackpot of this round is paid as the meter stands."


class LinesHeld(ToLink, frozen=True, kw_only=True):
    """The round is at its end: these boxes hold percentage lines, and the table waits."""

    round: int
    lines: tuple[HeldLine, ...]

    def to_link(self, table: str) -> Command:
        return TakeClaims(table=table, round=self.round, lines=self.lines)

    def tell(self, name: Namer) -> str:
        if not self.lines:
            return "No share of the meter is held."
        what = "A share" if len(self.lines) == 1 else "Shares"
        held = listed(f"{name(h.box)} ({line_words(h.line)}, {h.percent}%)" for h in self.lines)
        return f"{what} of the meter: {held}."


# -- events at the link -------------------------------------------------------------------------


class AwardMade(ToTables, frozen=True, kw_only=True):
    """A claim was paid from the meter."""

    link: str
    table: str
    round: int
    box: Box
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money
    registered: Money | None = None
    """The amount registered before a fault, of which it is a share (5.17.1)."""
    completed: Money = 0
    """What of it the meter lacked and the House put in."""
    overflow: Money = 0
    """What is left for the next meter and goes into the overflow pool, beyond the ceiling."""

    def to_tables(self) -> dict[str, Command]:
        award = ReceiveAward(
            link=self.link,
            round=self.round,
            box=self.box,
            line=self.line,
            paid=self.paid,
            meter_before=self.meter_before,
            meter_after=self.meter_after,
            registered=self.registered,
        )
        return {self.table: award}

    def tell(self, name: Namer) -> str:
        base = house = beyond = ""
        if self.registered is not None:
            base = f", a share of the {write_money(self.registered)} registered before the fault"
        if self.completed:
            house = f" The House completes it with {write_money(self.completed)}."
        if self.overflow:
            beyond = f" {write_money(self.overflow)} goes to the overflow pool."
        return (
            f"Jackpot {self.link} pays {write_money(self.paid)} to box {self.box} of table "
            f"{self.table}{base}; the meter goes from {write_money(self.meter_before)} "
            f"to {write_money(self.meter_after)}.{house}{beyond}"
        )


class ShareTooSmall(ToTables, frozen=True, kw_only=True):
    """A claim gives way to a fixed line that is worth more; the meter is not touched."""

    link: str
    table: str
    round: int
    box: Box
    line: str
    instead: str
    share: Money
    meter: Money

    def to_tables(self) -> dict[str, Command]:
        take = TakeFixedLine(
            link=self.link, round=self.round, box=self.box, line=self.line, instead=self.instead
        )
        return {self.table: take}

    def tell(self, name: Namer) -> str:
        return (
            f"The share of box {self.box} of table {self.table} would be "
            f"{write_money(self.share)}; line {line_words(self.instead)} is worth more "
            "and is paid instead."
        )


class LinkFailed(ToTables, frozen=True, kw_only=True):
    """The link has failed; every one of its tables hears of it."""

    link: str
    tables: tuple[str, ...]
    registered: Money

    def to_tables(self) -> dict[str, Command]:
        heard = HearFault(link=self.link, registered=self.registered)
        return dict.fromkeys(self.tables, heard)

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} fails; last registered value {write_money(self.registered)}."

    def headline(self, name: Namer) -> str:
        return ""


class LinkRepaired(ToTables, frozen=True, kw_only=True):
    """The link works again; every one of its tables hears of it."""

    link: str
    tables: tuple[str, ...]

    def to_tables(self) -> dict[str, Command]:
        return dict.fromkeys(self.tables, HearRepair(link=self.link))

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} works again."


class LinkClosed(ToTables, frozen=True, kw_only=True):
    """The link takes no stakes; every one of its tables hears of it."""

    link: str
    tables: tuple[str, ...]

    def to_tables(self) -> dict[str, Command]:
        return dict.fromkeys(self.tables, HearLinkClosed(link=self.link))

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} is closed and takes no stakes."


class LinkReopened(ToTables, frozen=True, kw_only=True):
    """The link takes stakes again; every one of its tables hears of it."""

    link: str
    tables: tuple[str, ...]

    def to_tables(self) -> dict[str, Command]:
        return dict.fromkeys(self.tables, HearLinkReopened(link=self.link))

    def tell(self, name: Namer) -> str:
        return f"Jackpot {self.link} is open again."
