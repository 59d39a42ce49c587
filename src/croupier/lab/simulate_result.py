"""What came out of a simulation: exact counts, and everything that follows from them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.lab.floor import Major, MeterStory, run_link
from croupier.lab.simulate_pay import CATEGORIES, FOLDED, LOST, MAINS, TIED, WON, read_main
from croupier.lab.tabular import Tabular

if TYPE_CHECKING:
    from croupier.lab.simulate import Plan

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
FEW_AWARDS = 30
Z95 = 1.959963984540054
"""Two-sided 95%."""


# Where the squares of each bet stand (``simulate_kernel.settle``).
MAIN, BONUS, JACKPOT, TOTAL = range(4)


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean for each round of a box, in cents, with its spread."""

    mean: float
    deviation: float
    """The standard deviation of one round of one box."""
    error: float
    """The standard error of the mean. The boxes of a round share board and dealer, so it is taken
    from what they win together: rounds are independent, boxes of a round are not."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the mean."""
        return self.mean - Z95 * self.error, self.mean + Z95 * self.error


class Result(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The rounds that were played. Money is cents, from the player's side."""

    plan: Any
    rounds: int
    """At each table."""
    counts: Ints
    """By main, bonus and jackpot part: how many rounds of a box."""
    sessions: Ints
    """By session, table and box: won or lost, shares of the meter included."""
    meter: MeterStory
    majors: int
    squares: Floats
    """Of what the boxes of a round come to together, by bet: shares of the meter included."""

    @classmethod
    def of(
        cls,
        plan: Plan,
        *,
        rounds: int,
        counts: Ints,
        sessions: Ints,
        majors: list[Major],
        squares: Floats,
    ) -> Result:
        """Put the counts together with what the meter paid."""
        story = run_link(plan.schedule, plan.link, plan.floor, majors, rounds=rounds)
        sessions = sessions.copy()
        for award in story.awards:
            session = award.round // plan.session_rounds
            if session < len(sessions):
                sessions[session, award.table, award.box] += award.paid
        return cls(
            plan=plan,
            rounds=rounds,
            counts=counts.reshape(plan.schedule.outcomes),
            sessions=sessions,
            meter=story,
            majors=len(majors),
            squares=_with_awards(squares, majors, story),
        )

    def rows(self) -> list[dict[str, Any]]:
        """Every bet: money for each round of a box, with its interval."""
        stakes = self.plan.schedule.stakes
        bets = [("main", self.main, True), ("bonus", self.bonus, stakes.bonus)]
        bets += [("progressive", self.progressive, stakes.progressive), ("total", self.total, True)]
        return [
            {
                "bet": name,
                "mean": mean.mean / 100,
                "low": mean.interval[0] / 100,
                "high": mean.interval[1] / 100,
                "standard deviation": mean.deviation / 100,
            }
            for name, mean, made in bets
            if made
        ]

    def heading(self) -> str:
        """Book, strategy and rounds."""
        return f"{self.plan.book}, {self.plan.strategy.name}, {self.box_rounds:,} rounds of a box"

    # -- how much was played -----------------------------------------------------------------

    @property
    def complete(self) -> bool:
        """Whether every round of the plan was played."""
        return bool(self.rounds == self.plan.rounds)

    @property
    def box_rounds(self) -> int:
        """Rounds of a box, over all tables."""
        return int(self.counts.sum())

    # -- money -------------------------------------------------------------------------------

    @property
    def main(self) -> Mean:
        """Ante, Flop, Turn and River."""
        return self._mean(MAIN, self.counts.sum(axis=(1, 2)), self.plan.schedule.main_money)

    @property
    def bonus(self) -> Mean:
        """The Bonus bet."""
        return self._mean(BONUS, self.counts.sum(axis=(0, 2)), self.plan.schedule.bonus_money)

    @property
    def progressive(self) -> Mean:
        """The jackpot bet, shares of the meter included."""
        stake = self.plan.schedule.stakes.progressive
        sets = self.plan.schedule.set_money
        money = [cents - stake for cents in sets]
        extra = [(award.paid, -stake) for award in self.meter.awards]
        return self._mean(JACKPOT, self.counts.sum(axis=(0, 1)), money, extra)

    @property
    def total(self) -> Mean:
        """All bets together."""
        money = self.plan.schedule.lookup.money
        extra = [(award.paid, int(money[award.outcome])) for award in self.meter.awards]
        return self._mean(TOTAL, self.counts.reshape(-1), money, extra)

    @property
    def main_result(self) -> int:
        """Won or lost on the main bets, exactly, in cents."""
        return _total(self.counts.sum(axis=(1, 2)), self.plan.schedule.main_money)

    @property
    def main_staked(self) -> int:
        """Everything staked on the main bets, in cents."""
        return _total(self.counts.sum(axis=(1, 2)), self.plan.schedule.main_bets)

    @property
    def bonus_result(self) -> int:
        """Won or lost on the Bonus, in cents."""
        return _total(self.counts.sum(axis=(0, 2)), self.plan.schedule.bonus_money)

    @property
    def progressive_result(self) -> int:
        """Won or lost on the jackpot bet, in cents."""
        fixed = _total(self.counts.sum(axis=(0, 1)), self.plan.schedule.set_money)
        shares = sum(award.paid for award in self.meter.awards)
        stake: int = self.plan.schedule.stakes.progressive
        return fixed + shares - self.box_rounds * stake

    @property
    def total_result(self) -> int:
        """Won or lost on all bets, in cents."""
        return self.main_result + self.bonus_result + self.progressive_result

    def _mean(
        self, bet: int, counts: Ints, money: Any, extra: list[tuple[int, int]] | None = None
    ) -> Mean:
        """``extra``: each award by the meter, and what its round came to without it."""
        n = int(counts.sum())
        if n == 0:
            return Mean(mean=0.0, deviation=0.0, error=0.0)
        some = [(int(c), int(m)) for c, m in zip(counts, money, strict=True) if c]
        total = sum(c * m for c, m in some) + sum(award for award, _ in extra or ())
        squares = sum(c * m * m for c, m in some)
        squares += sum((award + rest) ** 2 - rest**2 for award, rest in extra or ())
        variance = max(Fraction(0), Fraction(squares, n) - Fraction(total, n) ** 2)
        deviation = math.sqrt(variance)
        boxes = self.plan.floor.boxes
        error = deviation / math.sqrt(n)
        if boxes > 1:
            rounds = n // boxes
            spread = Fraction(float(self.squares[bet])) / rounds - Fraction(total, rounds) ** 2
            error = math.sqrt(max(Fraction(0), spread) / rounds) / boxes
        return Mean(mean=total / n, deviation=deviation, error=error)

    @property
    def awards_are_few(self) -> bool:
        """Whether too few awards of the meter fell for the jackpot's interval to say much.

        A mean that stands on some rare large awards is not normal before there are a few dozen.
        """
        return bool(self.plan.schedule.stakes.progressive) and len(self.meter.awards) < FEW_AWARDS

    # -- how it was played -------------------------------------------------------------------

    @property
    def frequencies(self) -> dict[str, float]:
        """How often a box folded, bet Turn or River, won, lost and stood off."""
        parts = self.counts.sum(axis=(1, 2))
        n = max(1, self.box_rounds)
        found = dict.fromkeys(("folded", "turn_bet", "river_bet", "won", "tied", "lost"), 0)
        found["folded"] = int(parts[FOLDED])
        for part in range(1, MAINS):
            turn, river, result = read_main(part)
            times = int(parts[part])
            found["turn_bet"] += turn * times
            found["river_bet"] += river * times
            key = "lost" if result == LOST else "tied" if result == TIED else "won"
            found[key] += times
        return {name: times / n for name, times in found.items()}

    @property
    def winning_hands(self) -> dict[str, int]:
        """By category: how many rounds were won with it."""
        parts = self.counts.sum(axis=(1, 2))
        wins = dict.fromkeys((category.title for category in CATEGORIES), 0)
        for part in range(1, MAINS):
            result = read_main(part)[2]
            if result >= WON:
                wins[CATEGORIES[result - WON].title] += int(parts[part])
        return wins

    @property
    def bonus_counts(self) -> dict[str, int]:
        """By line of the Bonus table: how many stakes held it and were not folded."""
        parts = self.counts.sum(axis=(0, 2))
        lines = self.plan.schedule.bonus_lines
        return {line: int(parts[1 + i]) for i, line in enumerate(lines)}

    @property
    def progressive_counts(self) -> dict[str, int]:
        """By line of the progressive table: how many stakes were paid on it."""
        s = self.plan.schedule
        paid = dict.fromkeys((award.line for held in s.sets for award in held), 0)
        parts = self.counts.sum(axis=(0, 1))
        for held, times in zip(s.sets, parts, strict=True):
            if any(award.percent for award in held) or not held:
                continue
            best = max(held, key=lambda award: award.cents)
            for award in (best,) if s.best_single else held:
                paid[award.line] += int(times)
        for award in self.meter.awards:
            for line in award.lines:
                paid[line] += 1
        return paid

    # -- distributions -----------------------------------------------------------------------

    @property
    def session_results(self) -> Ints:
        """Every whole session of a box: won or lost, in cents."""
        return self.sessions.reshape(-1)

    @property
    def house_results(self) -> Ints:
        """By stretch of as many rounds as a session has: what the House won on the whole floor."""
        players: Ints = self.sessions.sum(axis=(1, 2), dtype=np.int64)
        return -players

    def quantiles(self, *shares: float) -> list[int]:
        """Session results below which that share of the sessions lies, in cents."""
        results = self.session_results
        if not len(results):
            return []
        return [int(q) for q in np.quantile(results, shares, method="lower")]

    @property
    def jackpots(self) -> list[int]:
        """In which round of all tables together each full award fell, counted from 1."""
        tables = self.plan.floor.tables
        return [award.round * tables + award.table + 1 for award in self.meter.awards if award.full]

    @property
    def jackpot_gaps(self) -> list[int]:
        """Rounds of all tables together from one full award to the next, from the first on."""
        found = [0, *self.jackpots]
        return [later - earlier for earlier, later in itertools.pairwise(found)]

    @property
    def rounds_per_jackpot(self) -> float | None:
        """Rounds of all tables together for each full award; None if there was none.

        All rounds count, those after the last award too: the gaps alone would leave out the one
        that is still open, and so make jackpots look more frequent than they are.
        """
        hits = len(self.jackpots)
        return self.rounds * self.plan.floor.tables / hits if hits else None

    @property
    def hours_per_round(self) -> float:
        """Hours that one round takes when all tables play."""
        floor = self.plan.floor
        return 1 / int(floor.tables * floor.rounds_per_hour)


def _with_awards(squares: Floats, majors: list[Major], story: MeterStory) -> Floats:
    """The squares of rounds once the meter has paid: (x + award)² in place of x²."""
    beside = {(m.round, m.table): (m.round_jackpot, m.round_total) for m in majors}
    paid: dict[tuple[int, int], int] = {}
    for award in story.awards:
        where = award.round, award.table
        paid[where] = paid.get(where, 0) + award.paid
    found = squares.copy()
    for where, cents in paid.items():
        for bet, rest in zip((JACKPOT, TOTAL), beside[where], strict=True):
            found[bet] += float((rest + cents) ** 2 - rest**2)
    return found


def _total(counts: Ints, money: Any) -> int:
    return sum(int(c) * int(m) for c, m in zip(counts, money, strict=True))
