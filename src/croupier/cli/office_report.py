"""`croupier office report`: a gaming day, staff, jackpots, errors; as table, CSV or JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime, time
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import click

from croupier.cli.gaming_day import DAY, begins, zone
from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import at, draw, stored, write_json
from croupier.house.reports import (
    DayReport,
    GamingDay,
    JackpotReport,
    report_day,
    report_errors,
    report_jackpots,
)
from croupier.house.reports.sheets import (
    Sheet,
    day_sheets,
    error_sheets,
    jackpot_sheets,
    staff_sheets,
    write_csv,
    written,
)
from croupier.house.serving import is_server
from croupier.house.store import Store

MINUTE = "%Y-%m-%d %H:%M %Z"
F = TypeVar("F", bound=Callable[..., Any])


asked_as = click.option(
    "--as", "who", metavar="NAME", help="In whose name; needed where URL is a server's address."
)


def of_a_day(function: F) -> F:
    """Which day it is about, and how it is printed."""
    options = (
        click.option(
            "--day",
            type=DAY,
            help="The gaming day; the current one if not said.",
        ),
        begins,
        asked_as,
        zone,
        printed,
    )
    for option in reversed(options):
        function = option(function)
    return function


def printed(function: F) -> F:
    """As a table on the console, as CSV or as JSON."""
    csv = click.option("--csv", "as_csv", is_flag=True, help="Print CSV; amounts are cents.")
    json = click.option("--json", "as_json", is_flag=True, help="Print JSON; amounts are cents.")
    return csv(json(function))


@click.group(cls=CommandGroup)
def report() -> None:
    """Reports from the logs alone; they may be made while a server runs.

    \b
    Example:
      croupier office report day sqlite:///house.db --day 2026-11-16
    """


@report.command("day")
@at
@of_a_day
def day_command(url: str, **options: Any) -> None:
    """Report a gaming day: cage, tables, positions, jackpots, staff. URL is the database.

    \b
    Example:
      croupier office report day sqlite:///house.db --day 2026-11-16 --zone Asia/Singapore
    """
    made, as_csv, as_json = _day(url, **options)
    print_sheets(made, day_sheets(made), as_csv, as_json, made)


@report.command("staff")
@at
@of_a_day
def staff_command(url: str, **options: Any) -> None:
    """Report what each member of staff decided, ruled and reported on a day. URL is the database.

    \b
    Example:
      croupier office report staff sqlite:///house.db --day 2026-11-16
    """
    made, as_csv, as_json = _day(url, **options)
    print_sheets(made.staff, staff_sheets(made), as_csv, as_json, made)


@report.command("errors")
@at
@of_a_day
def errors_command(url: str, **options: Any) -> None:
    """Report irregularities, rulings, voids and misdeals by game and by area. URL is the database.

    \b
    Example:
      croupier office report errors sqlite:///house.db --day 2026-11-16
    """
    made, as_csv, as_json = _day(url, **options)
    errors = report_errors(made)
    print_sheets(errors, error_sheets(errors), as_csv, as_json, made)


@report.command("jackpot")
@at
@asked_as
@printed
def jackpot_command(url: str, who: str | None, as_csv: bool, as_json: bool) -> None:
    """Report every jackpot as it stands, with its open claims and last 25 awards.

    URL is the database. An open claim stands there with its table, box and player, its line, what
    it would be paid now, since when it waits, and its place in the order of payment.

    \b
    Example:
      croupier office report jackpot sqlite:///house.db
    """
    made = asked(url, who, "jackpot", list[JackpotReport], report_jackpots)
    print_sheets(made, jackpot_sheets(made), as_csv, as_json)


def _day(
    url: str,
    day: datetime | None,
    begins: time,
    zone: ZoneInfo,
    who: str | None,
    as_csv: bool,
    as_json: bool,
) -> tuple[DayReport, bool, bool]:
    if day is None:
        of = GamingDay.of(datetime.now(UTC), begins=begins, zone=zone)
    else:
        of = GamingDay(day=day.date(), begins=begins, zone=zone)
    named = {"day": f"{of.day}", "begins": f"{begins:%H:%M:%S}", "zone": zone.key}
    made = asked(url, who, "day", DayReport, lambda store: report_day(store, of), **named)
    made.start, made.end = made.start.astimezone(zone), made.end.astimezone(zone)
    return made, as_csv, as_json


def asked(
    url: str,
    who: str | None,
    report: str,
    kind: Any,
    makes: Callable[[Store], Any],
    **named: str,
) -> Any:
    """A report: of a database, which is only read, or of a server, which asks who wants it."""
    if not is_server(url):
        with stored(url) as store:
            return makes(store)
    if who is None:
        raise click.UsageError("a server gives reports to staff alone: say who asks with --as NAME")
    from croupier.cli.office_server import logged_in

    with logged_in(url, who) as server:
        return server.read(f"/api/office/reports/{report}", kind, **named)


def print_sheets(
    made: Any, sheets: list[Sheet], as_csv: bool, as_json: bool, of: DayReport | None = None
) -> None:
    """Print a report; above that of a day stands from when until when it goes."""
    if as_csv and as_json:
        raise click.UsageError("--csv or --json, not both")
    if as_json:
        write_json(made)
        return
    if as_csv:
        write_csv(sheets, sys.stdout)
        return
    if of is not None:
        click.echo(f"Gaming day {of.day}: {of.start:{MINUTE}} to {of.end:{MINUTE}}\n")
    for sheet in sheets:
        rows = [
            tuple(written(c, value) for c, value in zip(sheet.columns, row, strict=True))
            for row in sheet.rows
        ]
        numbers = {
            column
            for i, column in enumerate(sheet.columns)
            if any(isinstance(row[i], int) for row in sheet.rows)
        }
        draw(sheet.title.capitalize(), sheet.columns, rows, numbers)
