"""A floor of tables on one jackpot link: what the meter was, and what it paid, in order of play.

The cards of all rounds are independent, so they are dealt in any order by anybody. Only the few
stakes that hold a share of the meter must be settled one after another. Between them the meter
grows by the same contribution for every jackpot stake (B-04), so that its value at any round is
one multiplication away.

The order of play: the tables take turns, one round each. A table closes its bets, which posts the
contributions of its boxes; its round is played and its awards are paid, box by box clockwise
(4.5.1); then the next table closes. A share is rounded half up to the cent (B-10). A full award
sets the meter to its reset value, a partial one lowers it (B-02, B-03).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from croupier.lab.errors import BadAmount, on_the_table
from croupier.lab.simulate_deal import MAX_BOXES
from croupier.lab.simulate_pay import Award, Schedule


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator sets for a link, in cents (B-01: no text gives these)."""

    reset: int
    """Where the meter begins again after a full award."""
    contribution: int
    """What each jackpot stake adds to the meter."""
    meter: int | None = None
    """Where the meter stands before the first round; None for the reset value."""

    @property
    def start(self) -> int:
        """The meter before the first round."""
        return self.reset if self.meter is None else self.meter

    def check(self, stake: int) -> None:
        """Raise ``BadAmount`` for amounts that no link can have."""
        for name, cents in (("reset", self.reset), ("meter", self.start)):
            if cents < 0:
                raise BadAmount(
                    f"{name}: {on_the_table(cents)}; a meter cannot stand below nothing"
                )
        if not 0 <= self.contribution <= stake:
            raise BadAmount(
                f"contribution: {on_the_table(self.contribution)} of a jackpot stake of "
                f"{on_the_table(stake)}; it is between nothing and the whole stake"
            )


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """How many tables share the link, how many boxes play at each, and how fast."""

    tables: int = 1
    boxes: int = 1
    rounds_per_hour: int = 40
    """At each table. It only turns rounds into hours."""

    @property
    def stakes_per_round(self) -> int:
        """How many boxes play while every table plays one round."""
        return self.tables * self.boxes

    def check(self) -> None:
        """Raise ``BadAmount`` for a floor that cannot be."""
        if not 1 <= self.tables <= 1 << 16:
            raise BadAmount(f"tables: {self.tables}; there are 1 to 65,536")
        if not 1 <= self.boxes <= MAX_BOXES:
            raise BadAmount(f"boxes: {self.boxes}; one deck serves 1 to {MAX_BOXES}")
        if self.rounds_per_hour < 1:
            raise BadAmount(f"rounds per hour: {self.rounds_per_hour}; there is at least 1")


class Major(NamedTuple):
    """A stake whose lines have a share of the meter among them."""

    round: int
    table: int
    box: int
    outcome: int
    """What became of the box, as ``simulate_pay`` numbers it."""
    round_jackpot: int = 0
    """What all boxes of its round come to on the jackpot bet without shares of the meter; told
    where there are several."""
    round_total: int = 0
    """The same on all bets."""


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """What one such stake was paid, line by line, and what the meter did."""

    round: int
    table: int
    box: int
    outcome: int
    lines: tuple[str, ...]
    cents: tuple[int, ...]
    before: int
    after: int
    full: bool
    """Whether the whole meter was won."""

    @property
    def paid(self) -> int:
        return sum(self.cents)


class MeterStory(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the meter did."""

    awards: tuple[Paid, ...]
    end: int
    contributed: int
    reset_by_house: int
    """What the House put in to bring the meter to its reset value."""
    path: tuple[tuple[int, int], ...]
    """The meter after so many rounds at every table, at even steps and at every award."""


def run_link(
    schedule: Schedule,
    link: Link,
    floor: Floor,
    majors: Sequence[Major],
    *,
    rounds: int,
    points: int = 240,
) -> MeterStory:
    """Settle the majors in order of play and follow the meter over ``rounds`` rounds."""
    playing = schedule.stakes.progressive > 0
    per_table = floor.boxes * link.contribution if playing else 0
    resets = schedule.policies.get("partial-award", "deduct") == "reset"
    lifts = schedule.policies.get("top-up-to-reset", "no") == "yes"

    def posted(number: int, table: int) -> int:
        """Contributions up to and with the close of this round at this table."""
        return (number * floor.tables + table + 1) * per_table

    level = link.start  # the meter less all contributions posted so far
    house = 0
    awards: list[Paid] = []
    path: list[tuple[int, int]] = []
    steps = [rounds * point // points for point in range(points + 1)] if rounds else [0]
    ahead = 0
    for major in sorted(majors):
        while ahead < len(steps) and steps[ahead] <= major.round:
            path.append((steps[ahead], level + steps[ahead] * floor.tables * per_table))
            ahead += 1
        added = posted(major.round, major.table)
        before = meter = level + added
        lines, cents, full = [], [], False
        for award in payable(schedule, major.outcome, meter):
            lines.append(award.line)
            if not award.percent:
                cents.append(award.cents)  # B-11: the House pays it, the meter is untouched
                continue
            amount = share(meter, award.percent)
            cents.append(amount)
            meter -= amount
            if award.percent == 100 or resets:
                full |= award.percent == 100
                house += link.reset - meter
                meter = link.reset
            elif lifts and meter < link.reset:
                house += link.reset - meter
                meter = link.reset
        level = meter - added
        awards.append(
            Paid(
                round=major.round,
                table=major.table,
                box=major.box,
                outcome=major.outcome,
                lines=tuple(lines),
                cents=tuple(cents),
                before=before,
                after=meter,
                full=full,
            )
        )
        path += [(major.round, before), (major.round, meter)]
    for step in steps[ahead:]:
        path.append((step, level + step * floor.tables * per_table))
    contributed = rounds * floor.tables * per_table
    return MeterStory(
        awards=tuple(awards),
        end=level + contributed,
        contributed=contributed,
        reset_by_house=house,
        path=tuple(path),
    )


def share(meter: int, percent: int) -> int:
    """So many percent of the meter, half up to the cent (B-10)."""
    return (meter * percent * 2 + 100) // 200


def payable(schedule: Schedule, outcome: int, meter: int) -> tuple[Award, ...]:
    """The lines of an outcome that are paid: all, or the one worth most now (B-15, B-19).

    Where two are worth the same, the one that stands first in the book.
    """
    held = schedule.sets[outcome % len(schedule.sets)]
    if not schedule.best_single or len(held) < 2:
        return held

    def worth(award: Award) -> int:
        return share(meter, award.percent) if award.percent else award.cents

    return (max(held, key=worth),)
