"""Reports as sheets: named columns and rows, which a console draws as tables and CSV has as lines.

A column of money is in cents; whoever draws it writes it as on the table.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

from msgspec import Struct

from croupier.desk.figures import plain
from croupier.house.reports.day import DayReport, PositionDay, StaffDay
from croupier.house.reports.dealers import Dealt
from croupier.house.reports.errors import ErrorReport, Errors
from croupier.house.reports.for_players import ForPlayer
from croupier.house.reports.inventory import InventoryDay
from croupier.house.reports.jackpot import Asked, JackpotReport, OpenClaim, Waiting
from croupier.house.reports.unclaimed import Unclaimed
from croupier.table.money import write_money

MONEY = frozenset(
    (
        "cash_in cash_out bank transfers buy_in relocated rake win from_jackpot unclaimed amount "
        "wagered won meter_start meter_end put_in awarded meter display base ceiling overflow "
        "contribution unreasonable reserve parked doubtful contributed paid meter_before "
        "meter_after balance net brought_forward chips held_before held_after cash at_tables "
        "brought opening fills credits expected closing difference drop cash_booked drop_difference"
    ).split()
)
"""The columns whose numbers are cents."""

POSITION = PositionDay.__struct_fields__


class Sheet(Struct, frozen=True, kw_only=True):
    """One table of a report."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def day_sheets(report: DayReport) -> list[Sheet]:
    """The sheets of a gaming day."""
    positions = [
        (table.table, number, *(getattr(place, column) for column in POSITION))
        for table in report.tables
        for number, place in sorted(table.positions.items())
    ]
    return [
        _sheet("cage", [report.cage]),
        _sheet("tables", report.tables, leave_out=("positions",)),
        Sheet(
            title="positions",
            columns=("table", "position", *POSITION),
            rows=tuple(positions),
        ),
        *(inventory_sheets(report.inventory) if report.inventory else []),
        _sheet("jackpots", report.jackpots),
        *staff_sheets(report),
        *([_sheet("alarms", report.alarms)] if report.alarms else []),
    ]


def inventory_sheets(trays: Sequence[InventoryDay]) -> list[Sheet]:
    """The trays of tables: counted, and by the book."""
    return [_sheet("trays", trays, of=InventoryDay)]


def staff_sheets(report: DayReport) -> list[Sheet]:
    """What each member of staff ruled and reported, who dealt what, and what was done for
    players."""
    return [
        _sheet("staff", report.staff, of=StaffDay),
        _sheet("dealers", report.dealers, of=Dealt),
        _sheet("for players", report.for_players, of=ForPlayer),
    ]


def error_sheets(report: ErrorReport) -> list[Sheet]:
    """Errors by game and by area."""
    return [
        _sheet("games", report.games, of=Errors),
        _sheet("areas", report.areas, of=Errors),
    ]


def jackpot_sheets(reports: Sequence[JackpotReport]) -> list[Sheet]:
    """Every link, the claims that wait, what waits for a second person, and the last awards."""
    columns = (
        *("link", "table", "round", "box", "line", "paid", "meter_before", "meter_after"),
        "taken_back",
    )
    awards = [
        (each.link, *(getattr(award, column) for column in columns[1:]))
        for each in reports
        for award in each.last_awards
    ]
    lists = ("last_awards", "tables", "open_claims", "questions", "changes")
    return [
        _sheet("jackpots", reports, of=JackpotReport, leave_out=lists),
        _of_links("open claims", reports, "open_claims", OpenClaim),
        _of_links("questions", reports, "questions", Asked),
        _of_links("changes", reports, "changes", Waiting),
        Sheet(title="last awards", columns=columns, rows=tuple(awards)),
    ]


def _of_links(title: str, reports: Sequence[JackpotReport], field: str, of: type[Struct]) -> Sheet:
    """What is listed for each link, with the name of the link first."""
    columns = of.__struct_fields__
    rows = [
        (each.link, *(_text(getattr(listed, column)) for column in columns))
        for each in reports
        for listed in getattr(each, field)
    ]
    return Sheet(title=title, columns=("link", *columns), rows=tuple(rows))


def _text(value: Any) -> Any:
    """What is no plain value as text, so that a line of CSV can hold it."""
    return " or ".join(value) if isinstance(value, tuple) else value


def unclaimed_sheets(unclaimed: Sequence[Unclaimed]) -> list[Sheet]:
    """What tables keep safe, for whom, since when."""
    return [_sheet("unclaimed", unclaimed, of=Unclaimed)]


def _sheet(
    title: str,
    records: Sequence[Struct],
    *,
    of: type[Struct] | None = None,
    leave_out: Iterable[str] = (),
) -> Sheet:
    kind = of or (type(records[0]) if records else None)
    fields = kind.__struct_fields__ if kind is not None else ()
    columns = tuple(field for field in fields if field not in set(leave_out))
    rows = tuple(tuple(getattr(record, column) for column in columns) for record in records)
    return Sheet(title=title, columns=columns, rows=rows)


def written(column: str, value: Any) -> str:
    """A value as a person reads it: money as on the table, nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, dict):  # A change of a link: its whole numbers are cents.
        return _change(value, write_money)
    return write_money(value) if column in MONEY else str(value)


def _change(change: dict[str, Any], amount: Callable[[int], str]) -> str:
    """What was proposed, each parameter with its value."""
    told = {k: amount(v) if isinstance(v, int) else v for k, v in change.items()}
    return ", ".join(f"{key} {'none' if v is None else v}" for key, v in told.items())


def write_csv(sheets: Iterable[Sheet], stream: IO[str]) -> None:
    """Each row with the name of its sheet first; a line with the columns before each sheet."""
    writer = csv.writer(stream, lineterminator="\n")
    for sheet in sheets:
        writer.writerow(("sheet", *sheet.columns))
        writer.writerows((sheet.title, *map(cell, row)) for row in sheet.rows)


def cell(value: Any) -> Any:
    """A value as CSV has it: numbers as they are, and no text that a spreadsheet would run."""
    if value is None:
        return ""
    if isinstance(value, dict):
        value = _change(value, str)
    if isinstance(value, list | tuple):
        value = " ".join(map(str, value))
    return plain(value) if isinstance(value, str) else value
