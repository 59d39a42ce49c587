"""Statistics of errors and rulings: by game, and by area (standard 35).

They are counted over the tables of a gaming day; by member of staff they stand in the day's report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from croupier.house.reports.day import DayReport, TableDay


class Errors(Struct, kw_only=True):
    """What went wrong at some tables."""

    of: str
    """The rulebook, or the area."""
    tables: int = 0
    rounds: int = 0
    irregularities: int = 0
    by_the_book: int = 0
    rulings: int = 0
    voids: int = 0
    misdeals: int = 0


class ErrorReport(Struct, frozen=True, kw_only=True):
    """A gaming day by game and by area."""

    day: str
    games: list[Errors]
    areas: list[Errors]


def report_errors(day: DayReport) -> ErrorReport:
    """Count the errors of a day."""
    return ErrorReport(
        day=day.day,
        games=_counted(day.tables, lambda table: table.rulebook),
        areas=_counted(day.tables, lambda table: table.area),
    )


def _counted(tables: Iterable[TableDay], of: Callable[[TableDay], str]) -> list[Errors]:
    found: dict[str, Errors] = {}
    for table in tables:
        errors = found.setdefault(of(table), Errors(of=of(table)))
        errors.tables += 1
        errors.rounds += table.rounds
        errors.irregularities += table.irregularities
        errors.by_the_book += table.by_the_book
        errors.rulings += table.rulings
        errors.voids += table.voids
        errors.misdeals += table.misdeals
    return sorted(found.values(), key=lambda errors: errors.of)
