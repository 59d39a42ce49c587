"""What a jackpot link remembers: the meter and its accounts, claims, awards, what tables gave."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from croupier.jackpot.settings import LinkSettings
from croupier.table import HeldLine, Money
from croupier.table.conversation import State

LAST_AWARDS = 25
"""How many awards a controller must be able to show."""


MILLION = 1_000_000
"""Contributions by a rate are worked out in millionths of a cent."""


class Posting(Struct, kw_only=True):
    """What one stake gave, and where it is now."""

    meter: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    parked: Money = 0
    doubtful: Money = 0
    reset: int = 0
    """The `epoch` in which the meter got its part."""
    kept: bool = False
    """The stake went back, what it gave did not (policy `void-contribution`)."""
    borne: Money = 0
    """The stake went back after the meter was reset: the House bears what it gave (B-12)."""
    unborne: Money = 0
    """What the House bore of it until the award that had reset the meter was taken back."""
    unregistered: Money = 0
    """What came off a registered amount because no device had taken the stake (B-57)."""
    spent: Money = 0
    """What of its part in the reserve has paid for a new meter; if the stake goes back the House
    bears that (B-12)."""
    spent_on: dict[int, Money] = {}
    """The same by the resets for which it was spent."""
    unspent: dict[int, Money] = {}
    """What was `spent` until the award that had reset the meter was taken back."""
    flowed: list[Posting] = []
    """What the meter got of it later, by way of the overflow pool, in other epochs."""

    @property
    def parts(self) -> list[Posting]:
        """All that the meter got of it, by epoch."""
        return [self, *self.flowed] if self.flowed else [self]

    @property
    def total(self) -> Money:
        """All that the stake gave, wherever it went."""
        pools = self.reserve + self.overflow + self.parked + self.doubtful
        return sum(part.meter for part in self.parts) + pools

    def comes_in(self, amount: Money, epoch: int) -> None:
        """The meter gets this much of it, which had been parked or in the overflow pool."""
        for part in self.parts:
            if part.reset == epoch or not part.meter:
                part.meter += amount
                part.reset = epoch
                return
        if amount:
            self.flowed.append(Posting(meter=amount, reset=epoch))

    def spend(self, amount: Money, reset: int) -> None:
        """So much of its part in the reserve has paid for a new meter."""
        self.spent += amount
        self.spent_on[reset] = self.spent_on.get(reset, 0) + amount

    def inside(self, epochs: list[int]) -> Money:
        """What of it is in a meter that has the contributions of these epochs."""
        return sum(part.meter for part in self.parts if part.reset in epochs)

    def copy(self) -> Posting:
        """As it stands now."""
        flowed = [replace(part) for part in self.flowed]
        return replace(self, flowed=flowed, spent_on={**self.spent_on}, unspent={**self.unspent})

    def gave(self, millionths: int) -> bool:
        """Whether the stake gave this much, but for part of a cent, or gives nothing twice."""
        borne = any(part.borne for part in self.parts)
        return self.kept or borne or abs(self.total * MILLION - millionths) < MILLION

    @property
    def again(self) -> Money:
        """What it gives if the stake lies there again: what came off the accounts for it."""
        if self.kept:
            return 0
        return self.total - self.spent - sum(part.borne for part in self.parts)

    @property
    def reserve_again(self) -> Money:
        """The part of it that goes back to the reserve."""
        return 0 if self.kept else self.reserve - self.spent


class Advanced(Struct, frozen=True, kw_only=True):
    """What had been put back of an award that stands again, and is in the award of another."""

    award: tuple[str, int, int, str]
    """Its key."""
    epoch: int
    """In which the meter had got it."""
    amount: Money


class PaidAward(Struct, kw_only=True):
    """What one award took from where, so that it can be taken back and stand again (B-63)."""

    table: str
    round: int
    box: int
    line: str
    paid: Money
    moved: Money
    """What it took off the meter; less than nothing where the new meter was worth more."""
    reserve: Money = 0
    """What the reserve gave for the new meter."""
    revives: list[int] = []
    """The epochs whose contributions it paid out."""
    register: int | None = None
    """The registered amount of which it was a share."""
    ran_down: Money = 0
    """By how much it ran that down."""
    standing: Literal["paid", "returning", "returned"] = "paid"
    put_back: Money = 0
    """What the meter got of it when it was taken back."""
    overflow: Money = 0
    """What went into the overflow pool then, beyond the ceiling."""
    unborne: Money = 0
    """Reversals that the House bore, and bears no more, since then."""
    put_back_at: int = 0
    """How often the meter had been reset then; earlier releases went by that."""
    put_back_in: int | None = None
    """The epoch in which the meter got it."""
    advanced: list[Advanced] = []
    """Awards that stand again, and which it had in it: the House gives them once this one stands
    again too."""
    resets: int = 0
    """How often the meter had been reset with this award; not kept by earlier releases."""
    unspent: Money = 0
    """What the House had borne of stakes whose part in the reserve it had spent, and bears no more
    since then."""

    @property
    def key(self) -> tuple[str, int, int, str]:
        return self.table, self.round, self.box, self.line


class TableRound(Struct, kw_only=True):
    """The stakes of the last round that a table told the link of."""

    round: int
    terms: LinkSettings | None = None
    """The parameters under which its stakes were taken; not kept by earlier releases."""
    boxes: dict[int, Posting] = {}
    returned: dict[int, Posting] = {}
    """Stakes that went back, and where they had been; a ruling taken back lays them there again."""
    over: bool = False
    awards: list[PaidAward] = []
    """What its boxes were paid from the meter."""
    earlier_book: bool = False
    """It was played before the link went over to its present rulebook (B-14)."""
    register: int | None = None
    """The amount registered before a fault, on which this round is paid (5.17.1, B-64)."""


class Register(Struct, kw_only=True):
    """An amount that was registered before a fault, less the awards that ran it down."""

    amount: Money
    epoch: int
    """The epoch that began with it: what was posted since is not part of it."""
    table: str = ""
    """Whose device failed; empty if the whole link did."""
    inside: list[int] = []
    """The epochs whose contributions were in it."""
    resets: int = 0
    """How often the meter had been reset then."""
    came_in: Money = 0
    """What had come in since the last reset."""


class LaterReversal(Struct, kw_only=True):
    """A stake that went back while claims waited: what it gave is taken off after them (B-65)."""

    table: str
    round: int
    box: int
    posting: Posting
    unregistered: bool = False
    """No device had taken it: it is no part of an amount that is registered meanwhile (B-57)."""
    cites: tuple[str, ...] = ()


class Claim(Struct, frozen=True, kw_only=True):
    """A percentage line that waits to be paid."""

    table: str
    round: int
    held: HeldLine
    since: datetime | None = None
    """When it was raised; not known in logs of earlier versions."""

    @property
    def name(self) -> str:
        return f"{self.table}/{self.held.box}"


class Award(Struct, frozen=True, kw_only=True):
    """One award that was paid."""

    table: str
    round: int
    box: int
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money
    taken_back: bool = False


class Proposal(Struct, frozen=True, kw_only=True):
    """A change that somebody proposed and a second person has not approved yet."""

    kind: str
    change: dict[str, Any]
    reason: str
    who: str


class LinkState(State, kw_only=True):
    """The controller: since its last reset
    meter = value then + contributions - partial awards - reversals + corrections + top-ups
            + awards taken back, less the seeds that were put in for them."""

    opened: bool = False
    rulebook: str = ""
    policies: dict[str, str] = {}
    settings: LinkSettings = LinkSettings(reset_value=0)
    tables: list[str] = []
    off_while_failed: list[str] = []
    """Tables that heard of the fault and were taken off since; they hear of the repair as well."""
    closed: bool = False
    failed: bool = False
    terminated: bool = False
    """Whether it has ended for good."""
    registered: Money | None = None
    """What the whole link had registered when it failed, less the awards on it since."""
    registers: dict[int, Register] = {}
    register: int | None = None
    """Which of them is that of the whole link, while it has failed."""
    meter: Money = 0
    at_last_reset: Money = 0
    contributions: Money = 0
    partial_awards: Money = 0
    reversals: Money = 0
    corrections: Money = 0
    topped_up: Money = 0
    taken_back: Money = 0
    resets: int = 0
    marks: int = 0
    """How often an amount was registered; each begins an epoch, as each reset does."""
    revived: list[int] = []
    """Earlier epochs whose contributions are in the meter too."""
    parked: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    doubtful: Money = 0
    carry: int = 0
    """What is left over of a cent by the contribution rate, in millionths."""
    reserve_carry: int = 0
    borne: Money = 0
    borne_since: dict[int, Money] = {}
    """The same by the epoch in which the contributions had been posted."""
    advanced: list[Advanced] = []
    """Awards that stand again, and which the House gave: another has won what came back."""
    later: list[LaterReversal] = []
    returning: list[PaidAward] = []
    """Awards that were taken back while claims waited; they go to the meter after them."""
    covering: list[PaidAward] = []
    """Awards that stand again, advanced by the House until the meter may cover them."""
    reserve_spent: dict[int, Money] = {}
    """What the reserve has given for each reset that stands, by their number."""
    spent_since: dict[int, Money] = {}
    """What the House bears of it, because the stakes that had given it went back."""
    put_in: Money = 0
    """All money that came into the link's accounts less what went back, awards not counted."""
    contributed: Money = 0
    hits: int = 0
    awarded: Money = 0
    rounds: dict[str, TableRound] = {}
    counts: dict[str, int] = {}
    claims: list[Claim] = []
    awards: list[Award] = []
    proposals: dict[int, Proposal] = {}
    proposed: int = 0
    display: Money = 0
    display_at: datetime | None = None

    def takes_tables_of(self, rulebook: str) -> bool:
        """Whether a table of a rulebook can join now (B-13)."""
        return not (self.failed or self.terminated) and self.rulebook == rulebook

    @property
    def epoch(self) -> int:
        """Counts the resets and the registered amounts: contributions of one epoch are paid out
        together or not at all."""
        return self.resets + self.marks

    def epochs_in_the_meter(self) -> list[int]:
        """The epochs whose contributions are in the meter, and were not paid out."""
        return [*self.revived, self.epoch]

    def has_back(self, award: PaidAward) -> bool:
        """Whether what the meter got of an award that was taken back was not won since: a win that
        was itself taken back was none (B-63)."""
        if award.put_back_in is None:
            return award.put_back_at == self.resets
        return award.put_back_in in self.epochs_in_the_meter()

    def came_in(self) -> Money:
        """What has come in since the last reset, but for what the House put in."""
        return self.contributions - self.reversals + self.corrections + self.taken_back

    def run_down(self, register: int | None, by: int) -> None:
        """An award on a registered amount lowers it, or one that is taken back lifts it again."""
        if register in self.registers:
            self.registers[register].amount -= by
        if register == self.register and self.registered is not None:
            self.registered -= by

    def bear_if_it_stands_again(self, epoch: int, amount: Money) -> None:
        """What the meter does not have of an award that was taken back, and the House would
        bear."""
        for award in self.awards_returned():
            if epoch in award.revives:
                award.put_back -= amount
                award.unborne += amount

    def spend_if_it_stands_again(self, resets: int, amount: Money) -> None:
        """The same of what the reserve had given for a reset."""
        for award in self.awards_returned():
            if award.resets == resets:
                award.unspent += amount

    def awards_returned(self) -> list[PaidAward]:
        """Awards that were taken back, and may still stand again."""
        awards = [award for last in self.rounds.values() for award in last.awards]
        return [award for award in awards if award.standing == "returned"]

    def untold_overflow(self) -> Money:
        """What is in the overflow pool and not of a stake that can still go back."""
        return max(self.overflow - sum(posting.overflow for posting in self.postings()), 0)

    def postings(self) -> list[Posting]:
        """What stakes of the last rounds gave and still have on the accounts."""
        postings = [each.posting for each in self.later]
        for last in self.rounds.values():
            kept = [posting for posting in last.returned.values() if posting.kept]
            postings += [*last.boxes.values(), *kept]
        return postings

    def returning_awards(self) -> Money:
        """What was taken back and has not reached the meter yet."""
        return sum(award.paid for award in self.returning)

    def held(self) -> Money:
        """All money of the link: the meter and the pools beside it."""
        money = self.meter + self.parked + self.reserve + self.overflow + self.doubtful
        for award in self.returning:
            money += award.paid
        return money
