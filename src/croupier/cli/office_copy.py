"""`croupier office copy`: the copy of the log, its alarms, and how it is made anew."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.groups import CommandGroup
from croupier.cli.office_report import asked, asked_as
from croupier.cli.office_session import (
    Session,
    as_json,
    at,
    in_database,
    order,
    show_answer,
    stored,
    write_json,
)
from croupier.house.copies import CopyMark, folder_here, known_copies
from croupier.house.copy_packing import pack as pack_files
from croupier.house.office_acts import RenewCopy
from croupier.house.serving import server_of
from croupier.house.urls import copy_folder


@click.group(cls=CommandGroup)
def copy() -> None:
    """The copy of the log: where it is, what is wrong with it, and making it anew.

    \b
    Example:
      croupier office copy show sqlite:///house.db
    """


@copy.command("show")
@at
@asked_as
@as_json
def show(url: str, who: str | None, as_json: bool) -> None:
    """List the copies of the log that the House knows of, and their alarms. URL is the database.

    The exit status is 1 if there is an alarm.

    \b
    Example:
      croupier office copy show sqlite:///house.db
    """
    known = asked(url, who, "copies", list[CopyMark], lambda store: [*known_copies(store).values()])
    if as_json:
        write_json(known)
    for mark in known if not as_json else []:
        says = f"Alarm: {mark.alarm}" if mark.alarm else f"{mark.held:,} events when last noted"
        click.echo(f"{mark.folder}: {says}")
    if not known and not as_json:
        click.echo("No copy of the log is on record.")
    if any(mark.alarm for mark in known):
        raise SystemExit(1)


@copy.command("pack")
@at
@click.option(
    "--copy",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder, if it is not the one that the House uses by itself.",
)
@as_json
def pack(url: str, folder: Path | None, as_json: bool) -> None:
    """Compress the closed files of the copy, also while a server runs. URL is the database.

    Nothing of what they hold changes: audits, restores and starts read them as before.

    \b
    Example:
      croupier office copy pack sqlite:///house.db
    """
    with stored(url) as store:
        folder = folder or copy_folder(url) or folder_here(store)
    if folder is None or not folder.is_dir():
        raise click.UsageError("there is no copy of the log here; name its folder with --copy")
    packed = pack_files(folder)
    if as_json:
        write_json(packed)
    else:
        sizes = f"{packed.before:,} bytes are {packed.after:,} now"
        click.echo(f"{packed.files:,} files were compressed: {sizes}.")


@copy.command("renew")
@order
@click.option(
    "--copy",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder, if it is not the one that the House uses by itself.",
)
def renew(url: str, who: str, reason: str, as_json: bool, folder: Path | None) -> None:
    """Have the copy of the log made anew from the database; that ends its alarm.

    URL is the database. Verify it first: what was changed there is in the new copy too.

    \b
    Example:
      croupier office copy renew sqlite:///house.db --as Ada --reason 'the disk was replaced'
    """
    address = server_of(url)
    if address is None:
        with in_database(url, who, as_json, copy=folder) as here:
            _renewed(here, reason, as_json)
        return
    if folder is not None:
        raise click.UsageError("a server that runs uses the folder that it was started with")
    from croupier.cli.office_server import at_server

    with at_server(address, who, as_json) as there:
        _renewed(there, reason, as_json)


def _renewed(here: Session, reason: str, as_json: bool) -> None:
    done = here.perform(RenewCopy(reason=reason))
    show_answer(done.told, done.said, None, as_json)
    if not as_json:
        click.echo(f"{done.written:,} events were written.")
