"""`croupier office archive`: closed days, moved from the database to files."""

from __future__ import annotations

from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from croupier.cli import gaming_day
from croupier.cli.groups import CommandGroup
from croupier.cli.office_session import (
    as_json,
    at,
    in_database,
    order,
    show_answer,
    stored,
    write_json,
)
from croupier.house.serving import server_of

if TYPE_CHECKING:
    from croupier.house.archives.making import Archived


@click.group(cls=CommandGroup)
def archive() -> None:
    """Closed days, moved from the database to compressed files that are read as before.

    \b
    Example:
      croupier office archive show sqlite:///house.db
    """


@archive.command("make")
@order
@click.option(
    "--day",
    type=gaming_day.DAY,
    required=True,
    help="The last gaming day to be moved; all before it go with it.",
)
@gaming_day.begins
@gaming_day.zone
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the file is put; where CROUPIER_ARCHIVE says, or beside the file of SQLite, if not "
    "said.",
)
def make(
    url: str,
    who: str,
    reason: str,
    as_json: bool,
    day: datetime,
    begins: time,
    zone: ZoneInfo,
    folder: Path | None,
) -> None:
    """Move everything up to the end of a gaming day to an archive. URL is the database.

    The day must be over and sealed, and nothing that began in it in dispute. Audits, reports and
    the pages read what was moved as before. A server that runs does it itself, and play goes on;
    tables wait while the rows are let go. If it is interrupted, order it again.

    \b
    Example:
      croupier office archive make sqlite:///house.db --day 2026-11-16 --as Ada --reason 'closed'
    """
    from croupier.house.archives.making import archive as move
    from croupier.house.gaming_day import GamingDay

    address = server_of(url)
    if address is not None:
        if folder is not None:
            raise click.UsageError(
                "the server that runs puts archives where its own CROUPIER_ARCHIVE says, or beside "
                "its file; leave --folder out, or stop the server first"
            )
        _at_server(address, who, as_json, day, begins, zone, reason)
        return
    closed = GamingDay(day=day.date(), begins=begins, zone=zone)
    with in_database(url, who, as_json) as here:
        answer, moved = move(here.casino, closed, who=who, reason=reason, folder=folder)
        here.show(answer)
        if moved is not None and not as_json:
            click.echo(_where(moved))


def _at_server(
    address: str,
    who: str,
    as_json: bool,
    day: datetime,
    begins: time,
    zone: ZoneInfo,
    reason: str,
) -> None:
    """Have the server that runs do it."""
    from croupier.cli.office_server import at_server
    from croupier.house.office_acts import ArchiveDay, DayArchived

    act = ArchiveDay(day=day.date(), begins=begins, zone=zone.key, reason=reason)
    with at_server(address, who, as_json) as there:
        done: DayArchived = there.perform(act)
        show_answer(done.told, done.said, None, as_json)
        if not as_json:
            click.echo(_where(done.moved))


def _where(moved: Archived) -> str:
    return (
        f"{moved.events:,} events are in {moved.file} now: {moved.bytes:,} bytes. Keep it as you "
        "keep the database: without it no audit is whole."
    )


@archive.command("show")
@at
@as_json
def show(url: str, as_json: bool) -> None:
    """List the archives of a House, and whether their files are there. URL is the database.

    The exit status is 1 if one is missing or was changed; `croupier audit verify` reads all of it.

    \b
    Example:
      croupier office archive show sqlite:///house.db
    """
    from croupier.house.archives.state import archive_states

    with stored(url) as store:
        states = archive_states(store)
    if as_json:
        write_json(states)
    for state in states if not as_json else []:
        says = state.trouble or f"{state.events:,} events, {state.bytes:,} bytes"
        click.echo(f"{state.number}: up to {state.day}, {state.file}: {says}")
    if not states and not as_json:
        click.echo("Nothing was archived yet.")
    if any(state.trouble for state in states):
        raise SystemExit(1)
