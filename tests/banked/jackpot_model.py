"""What the meter of two tables must show, counted by hand from what the tables say.

    meter = value at the start + what stakes gave that count - awards that stand
            + what the House put in for them: seeds of resets, what it completed, what it bears

A stake that went back does not count, unless an award of the whole jackpot that still stands has
paid it out: then the House bears it (B-12). Nothing here is asked of the link but which claim it
paid; amounts are worked out again.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from croupier.banked.events import AwardReceived
from croupier.pit import Said
from croupier.table import (
    AwardMade,
    AwardsPaidAgain,
    AwardsReturned,
    DeviceFailed,
    DeviceFaultWithdrawn,
    LinesHeld,
    LinkFailed,
    StakesAccepted,
    StakesReturned,
)
from tests.banked.two_tables import TwoTables

Where = tuple[str, int, int]
"""Table, round, box."""


class Stake(Struct, kw_only=True):
    at: int | None = None
    """When it reached the meter; none while it is parked."""
    off: int | None = None
    """When it came off again, or would have: after the claims that waited."""
    counts: bool = True
    forgiven: bool = False
    """It had won an award, which was taken back with it."""


class Won(Struct, kw_only=True):
    where: Where
    line: str
    paid: int
    at: int
    whole: bool
    pays_out: int
    """Stakes that reached the meter before this are in it."""
    house: int
    """What the House put in, but for the seed of a reset."""
    stands: bool = True
    back: int | None = None
    """When it came back."""


class Registered(Struct, kw_only=True):
    amount: int
    at: int


class Model:
    """Listens to everything that is said in the pit."""

    def __init__(self, two: TwoTables) -> None:
        self.two = two
        self.start = self.meter = two.link.state.meter
        self.seed = two.link.state.settings.reset_value
        self.gives = two.link.state.settings.contribution or 0
        self.clock = 0
        self.stakes: dict[Where, Stake] = {}
        self.won: list[Won] = []
        self.registered: dict[tuple[str, int], Registered] = {}
        self.under_way: dict[str, int] = {}
        self.share: dict[tuple[Where, str], Fraction] = {}
        self.queued = False

    def hear(self, said: list[Said]) -> None:
        """Take down one command, and compare."""
        for each in said:
            self.clock += 1
            self._hear(each)
        waits = bool(self.two.link.state.claims)
        if not waits:
            for stake in self.stakes.values():
                if stake.at is None and stake.counts:
                    stake.at = self.clock
                if stake.off is None and not stake.counts:
                    stake.off = self.clock
            self.meter = self.expected()
        self.queued = waits
        assert self.two.link.state.meter == self.meter

    def expected(self) -> int:
        """The meter when no claim waits."""
        standing = [award for award in self.won if award.stands]
        counted = sum(self._in(stake, standing) for stake in self.stakes.values())
        house = sum(a.house + (self.seed if a.whole else 0) for a in standing)
        return self.start + self.gives * counted - sum(a.paid for a in standing) + house

    def _in(self, stake: Stake, standing: list[Won]) -> bool:
        if stake.counts:
            return True
        if stake.forgiven or stake.at is None:
            return False
        off = self.clock + 1 if stake.off is None else stake.off
        return any(a.whole and stake.at <= a.pays_out and a.at < off for a in standing)

    def _hear(self, each: Said) -> None:
        place, event = each.place, each.event
        match event:
            case StakesAccepted(round=number, stakes=stakes):
                self.under_way[place] = number
                for box in stakes:
                    self._lies(place, number, box)
            case StakesReturned(round=number, boxes=boxes):
                for box in boxes:
                    self._goes_back((place, number, box))
            case AwardsReturned(round=number, awards=awards):
                for award in self._named(place, number, awards):
                    award.stands, award.back = False, self.clock
                    self.stakes[award.where].forgiven = True
            case AwardsPaidAgain(round=number, awards=awards):
                for award in self._named(place, number, awards):
                    award.stands = True
            case LinesHeld(round=number, lines=lines):
                for held in lines:
                    self.share[(place, number, held.box), held.line] = held.share
                if not lines:
                    self.under_way.pop(place, None)
                elif not self.queued:  # From here on the meter stands still.
                    self.meter, self.queued = self.expected(), True
            case DeviceFailed(round=number):
                new = Registered(amount=self.meter, at=self.clock)
                self.registered.setdefault((place, number), new)
            case DeviceFaultWithdrawn(round=number):
                self.registered.pop((place, number), None)
            case LinkFailed():
                shared = Registered(amount=self.meter, at=self.clock)
                for table, number in self.under_way.items():
                    self.registered.setdefault((table, number), shared)
            case AwardMade():
                self._pays(event)
            case AwardReceived():
                self.under_way.pop(place, None)
            case _:
                pass

    def _lies(self, table: str, number: int, box: int) -> None:
        where = (table, number, box)
        # A stake that lies there again is where it was, unless it had come off the meter.
        again = self.stakes.get(where)
        at = None if self.queued else self.clock
        if again is not None and again.at is not None:
            still = again.off is None or self._in(again, self._standing())
            at = again.at if still else at
        self.stakes[where] = Stake(at=at)

    def _standing(self) -> list[Won]:
        return [award for award in self.won if award.stands]

    def _goes_back(self, where: Where) -> None:
        self.stakes[where].counts = False

    def _named(self, table: str, number: int, awards: dict[int, dict[str, int]]) -> list[Won]:
        found = []
        for box, lines in awards.items():
            for line, paid in lines.items():
                where = (table, number, box)
                award = next(a for a in self.won if (a.where, a.line) == (where, line))
                assert award.paid == paid
                found.append(award)
        return found

    def _pays(self, event: AwardMade) -> None:
        """A share of the meter or of what was registered, half a cent upwards (B-10, B-64)."""
        where = (event.table, event.round, event.box)
        share = self.share[where, event.line]
        registered = self.registered.get(where[:2])
        base = self.meter if registered is None else registered.amount
        paid = int(base * share + Fraction(1, 2))
        assert event.paid == paid, f"{event} should be {share} of {base}"
        assert event.meter_before == self.meter
        whole = share == 1
        came = self._came_in_since(registered) if registered is not None else 0
        over = min(max(self.meter - base, 0), came)
        after = self.seed + over if whole else max(self.meter - paid, 0)
        # What the House puts in: the seed of a reset, less what is left of another's seed.
        house = after - self.meter + paid - (self.seed if whole else 0)
        pays_out = registered.at if registered is not None and over else self.clock
        self.won.append(
            Won(
                where=where,
                line=event.line,
                paid=paid,
                at=self.clock,
                whole=whole,
                pays_out=pays_out,
                house=house,
            )
        )
        if registered is not None:
            registered.amount = self.seed if whole else base - paid
        self.meter = after

    def _came_in_since(self, registered: Registered) -> int:
        """What stakes gave since a fault and nobody has won, and awards that came back since."""
        counted = [s for s in self.stakes.values() if s.counts and s.at is not None]
        since = [s for s in counted if s.at > registered.at and not self._paid_out(s)]
        back = [a for a in self.won if not a.stands and a.back is not None]
        return self.gives * len(since) + sum(a.paid for a in back if a.back > registered.at)

    def _paid_out(self, stake: Stake) -> bool:
        return any(a.whole and stake.at <= a.pays_out for a in self._standing())
