"""`croupier audit restore`: the database brought back from the copy of its log."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import ValidationError, convert

from croupier.cli.office_session import as_json as json_option
from croupier.cli.office_session import ask_password, by, why, write_json
from croupier.house import passwords
from croupier.house.copy_reading import files
from croupier.house.founding import office_in
from croupier.house.office.authority import says_something
from croupier.house.office.state import Reason
from croupier.house.office.who_may import WHO_MAY
from croupier.house.restore import Restored, restore
from croupier.house.store import Store
from croupier.house.urls import copy_folder


@click.command("restore")
@click.argument("url")
@click.option(
    "--copy",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder with the copy of the log; the one beside the file of SQLite if not said.",
)
@click.option(
    "--accept-loss",
    is_flag=True,
    help="Restore although events are lost that neither the copy nor the database can tell.",
)
@by
@why
@json_option
def restore_command(
    url: str, folder: Path | None, accept_loss: bool, who: str, reason: str, as_json: bool
) -> None:
    """Bring the database back from the copy of its log: cut off, damaged, or lost.

    URL is the database; on a server it must exist, and may be empty. Stop the House first. What
    stands there is put aside, and events that only it has are taken over if they belong to the
    chain. The restore is put on record in the name of a shift manager or administrator.

    \b
    Example:
      croupier audit restore sqlite:///house.db --as Ada --reason 'the disk was damaged'
    """
    folder = folder or copy_folder(url)
    if folder is None:
        raise click.UsageError("name the folder of the copy of the log with --copy")
    if not files(folder):
        raise click.UsageError(f"there is no copy of a log in {folder}; name it with --copy")
    _check_reason(reason)
    password = ask_password(f"Password of {who}")

    may = WHO_MAY["note restored"].roles

    def check(store: Store) -> None:
        person = office_in(store).state.people.get(who)
        kept = store.secret(who, passwords.KIND) if person is not None else None
        if person is None or not passwords.is_right(password, kept):
            raise click.UsageError("wrong name or password; nothing was changed")
        if person.role not in may or person.disabled:
            needed = " or ".join(may)
            raise click.UsageError(f"to restore the database takes a {needed}; nothing was changed")

    found = restore(url, folder, accept_loss=accept_loss, check=check)
    _put_on_record(url, folder, found, who, reason)
    if as_json:
        write_json(found)
    else:
        _show(url, found)


def _check_reason(reason: str) -> None:
    """Before anything is changed: what cannot be put on record afterwards is not done."""
    try:
        convert(reason, Reason)
    except ValidationError as error:
        raise click.UsageError(f"--reason: {error}; nothing was changed") from error
    if not says_something(reason):
        raise click.UsageError("say why with --reason: it is recorded; nothing was changed")


def _put_on_record(url: str, folder: Path, found: Restored, who: str, reason: str) -> None:
    from croupier.house.casino import Casino
    from croupier.house.office.record_commands import NoteRestored

    casino = Casino.open(url, copy=folder, tables=())
    try:
        noted = NoteRestored(
            copy=found.copy,
            folder=found.folder,
            events=found.events,
            kept=found.by_place("kept"),
            lost=found.by_place("lost"),
            aside=found.aside,
            reason=reason,
        )
        refused = casino.tell(noted, who=who).refused
        if refused is not None:
            says = f"the database is restored, and that is not on record: {refused.says}"
            raise click.ClickException(says)
    finally:
        casino.stop()


def _show(url: str, found: Restored) -> None:
    click.echo(
        f"Restored from {found.folder}: {found.events:,} events of {len(found.places):,} places, "
        f"{found.orders:,} orders, {found.openings:,} openings, {found.secrets:,} secrets."
    )
    for each in found.places:
        said = [
            f"{count:,} {words}"
            for count, words in (
                (each.lacked, "were missing in the database"),
                (each.changed, "stood otherwise there"),
                (each.kept, "were only there, and are kept"),
                (each.lost, "are lost"),
            )
            if count
        ]
        if said:
            click.echo(f"  {each.place}: {each.events:,} events; {', '.join(said)}")
    if not any(each.lacked or each.changed or each.kept for each in found.places):
        click.echo("  Every event stood in the database as it stands in the copy.")
    click.echo(f"  {found.entries:,} entries of the ledger follow from them.")
    for says in found.damaged:
        click.echo(f"In the copy, {says}")
    if found.unreadable:
        click.echo(f"The old database could not be read whole: {found.unreadable}")
    if found.aside:
        click.echo(f"The old database is kept as {found.aside}.")
    click.echo(f"Verify it with: croupier audit verify {url}")
