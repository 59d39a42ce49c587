"""A gaming day in figures for managers: rounds, Rake, win and hold, rulings and errors, by hour, by
table, by game and by member of staff.

They are the day's own report, taken down hour by hour while it is made, so that both agree to the
cent: what the hours add up to is what the report has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from msgspec import Struct, structs

from croupier.house.gaming_day import GamingDay
from croupier.house.reports.day import DayReport, TableDay, report_day
from croupier.house.software import SOFTWARE
from croupier.house.store import Store
from croupier.pit.registry import GAMES

COUNTED = (
    *("rounds", "rake", "win", "drop"),
    *("irregularities", "rulings", "voids", "misdeals"),
)


class Counted(Struct, kw_only=True):
    """What was counted of something. Amounts are cents."""

    of: str
    rounds: int = 0
    rake: int = 0
    win: int = 0
    """What the House won at banked tables, or lost if negative."""
    drop: int = 0
    """What players brought to the tables."""
    irregularities: int = 0
    rulings: int = 0
    voids: int = 0
    misdeals: int = 0

    @property
    def hold(self) -> str:
        """Rake and win as a share of the drop, in percent; nothing where nobody brought any."""
        if self.drop <= 0:
            return ""
        kept = self.rake + self.win
        tenths = (abs(kept) * 2_000 + self.drop) // (2 * self.drop)
        return f"{'-' if kept < 0 and tenths else ''}{tenths // 10}.{tenths % 10}%"

    def add(self, other: Counted, times: int = 1) -> None:
        """Count these too."""
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + times * getattr(other, name))


class StaffFigures(Struct, kw_only=True):
    """What one member of staff ruled and reported."""

    of: str
    decisions: int = 0
    rulings: int = 0
    voids: int = 0
    irregularities: int = 0


class DayFigures(Struct, kw_only=True):
    """A gaming day in figures."""

    day: str
    start: datetime
    end: datetime
    hours: list[Counted]
    """From the hour in which the day begins, in the zone of the House."""
    tables: list[Counted]
    games: list[Counted]
    staff: list[StaffFigures]
    total: Counted


class _Hours:
    """What is counted in each hour of a day."""

    def __init__(self, day: GamingDay) -> None:
        self._start = day.start
        # A day on which the clocks change has another length.
        count = -(-int(day.end.timestamp() - day.start.timestamp()) // 3_600)
        begins = (day.start.timestamp() + 3_600 * number for number in range(count))
        self.hours = [
            Counted(of=f"{datetime.fromtimestamp(moment, day.zone):%H:%M}") for moment in begins
        ]
        self._before: dict[str, Counted] = {}

    def note(self, table: TableDay, at: datetime, rounds: int) -> None:
        """A table has counted so much by then: what is new belongs to that hour."""
        now = _of_table(table, rounds)
        number = int((at - self._start) / timedelta(hours=1))
        hour = self.hours[min(max(number, 0), len(self.hours) - 1)]
        hour.add(now)
        if (before := self._before.get(table.table)) is not None:
            hour.add(before, times=-1)
        self._before[table.table] = now


def _of_table(table: TableDay, rounds: int) -> Counted:
    return Counted(
        of=table.table,
        rounds=rounds,
        rake=table.rake,
        win=table.win,
        drop=table.buy_in + table.relocated,
        irregularities=table.irregularities,
        rulings=table.rulings,
        voids=table.voids,
        misdeals=table.misdeals,
    )


def figures_of(store: Store, day: GamingDay) -> DayFigures:
    """A day in figures."""
    hours = _Hours(day)
    report = report_day(store, day, each=hours.note)
    tables = [_of_table(table, table.rounds) for table in report.tables]
    games = {table.table: GAMES.load(table.rulebook).short for table in report.tables}
    return DayFigures(
        day=report.day,
        start=report.start,
        end=report.end,
        hours=hours.hours,
        tables=tables,
        games=_grouped(tables, lambda each: games[each.of]),
        staff=_staff(report),
        total=_grouped(tables, lambda each: "all")[0] if tables else Counted(of="all"),
    )


def _grouped(tables: Iterable[Counted], of: Callable[[Counted], str]) -> list[Counted]:
    found: dict[str, Counted] = {}
    for table in tables:
        found.setdefault(of(table), Counted(of=of(table))).add(table)
    return [found[name] for name in sorted(found)]


def _staff(report: DayReport) -> list[StaffFigures]:
    """Each person once, whatever the areas; what the software decided is nobody's."""
    found: dict[str, StaffFigures] = {}
    for one in report.staff:
        if one.name in SOFTWARE:
            continue
        sums = found.setdefault(one.name, StaffFigures(of=one.name))
        for name in ("decisions", "rulings", "voids", "irregularities"):
            setattr(sums, name, getattr(sums, name) + getattr(one, name))
    said = [one for one in found.values() if any(structs.astuple(one)[1:])]
    return sorted(said, key=lambda one: one.of)
