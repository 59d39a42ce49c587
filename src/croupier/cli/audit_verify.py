"""`croupier audit verify`: walks all that is stored, decides it again, and lists what differs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.audit_store import names_a_file, opened_store, progress_shown
from croupier.house.audit import LIMIT, Difference, Verified, verify
from croupier.house.audit.sealed import Sealed
from croupier.house.audit.sharing import Helpers
from croupier.house.copies import known_copies
from croupier.house.errors import CorruptDatabase, StorageError
from croupier.house.names import visible
from croupier.house.office import OFFICE
from croupier.house.seals.keys import public_key
from croupier.house.store import Store
from croupier.house.urls import SQLITE, copy_folder

ALONE = 8_000_000
"""Bytes of a database that one process walks by itself, unless somebody says otherwise: about
10,000 events. An export of as many is a tenth of that."""


@click.command("verify")
@click.argument("url")
@click.option(
    "--copy",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder with the copy of the log; the one beside the file of SQLite if not said.",
)
@click.option(
    "--alone",
    is_flag=True,
    help="The database was handed over without its copy; that it is not there is no difference.",
)
@click.option(
    "--apply-only",
    is_flag=True,
    help="Only apply the stored events; decide nothing again.",
)
@click.option(
    "--with",
    "instead",
    multiple=True,
    metavar="RULEBOOK|POLICY=VALUE",
    help="Decide again under another rulebook (an id or a file) or policy, and list what comes "
    "out otherwise; may be given several times.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=LIMIT,
    show_default=True,
    help="List at most so many differences.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes to decide with; if not said, as many as there are cores for a long log.",
)
@click.option(
    "--seals",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder with seals that a witness has kept: everything sealed is held to them.",
)
@click.option(
    "--house-key",
    multiple=True,
    metavar="KEY",
    help="The public key that seals must be signed with; its digits, or a file. May be given "
    "several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_command(
    url: str,
    copy: Path | None,
    alone: bool,
    apply_only: bool,
    instead: tuple[str, ...],
    limit: int,
    workers: int | None,
    seals: Path | None,
    house_key: tuple[str, ...],
    as_json: bool,
) -> None:
    """Walk all that is stored, and give every order to the engine again.

    URL is the database, or the file of an export. What each order comes to must be what is stored,
    byte for byte. Differences are listed, and the exit status is then 1.

    \b
    Example:
      croupier audit verify sqlite:///house.db
    """
    if apply_only and instead:
        raise click.UsageError("--with decides again, and --apply-only does not: give one of them")
    if alone and copy is not None:
        raise click.UsageError("--copy names the copy, and --alone says that there is none here")
    keys = tuple(map(public_key, house_key))
    exported = names_a_file(url)
    folder = copy
    beside = ""

    def tell(events: int) -> None:
        if events - told[0] >= 1_000:
            told[0] = events
            task = progress.task_ids[0]
            progress.update(task, description=f"{events:,} events", completed=events)

    told = [0]
    with (
        Helpers(1 if apply_only else _workers(url, workers), nothing_open=True) as helpers,
        progress_shown("0 events", as_json, bar=True) as progress,
    ):
        try:
            with opened_store(url, damaged=True) as (store, _):
                if folder is None and not exported and not alone:
                    folder = _copy_of(store, url)
                    beside = "none beside the file; " if url.startswith(SQLITE) else ""
                total = _length(store)
                progress.update(progress.task_ids[0], total=total)
                found = verify(
                    store,
                    folder,
                    tell,
                    exported=exported,
                    apply_only=apply_only,
                    instead=instead,
                    limit=limit,
                    helpers=helpers,
                    seals=seals,
                    seal_keys=keys,
                )
        except CorruptDatabase as error:
            if not exported:
                raise  # it cannot be opened at all
            lost = Difference(table="export", where=url, says=str(error))
            found = Verified(difference=lost, differences=[lost])
    if as_json:
        sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
    else:
        how = "applied" if apply_only else "decided again"
        compared = f"in {folder}" if folder is not None else f"{beside}not compared"
        _print_verified(found, compared, how, instead)
    if found.difference is not None:
        sys.exit(1)


def _workers(url: str, said: int | None) -> int:
    """How many processes decide. They are started before anything is opened, so that only the size
    of a file tells whether its log is long; of a server nobody knows."""
    if said is not None:
        return said
    if "://" in url and not url.startswith(SQLITE):
        is_long = Helpers.can_be_copied()  # then they cost next to nothing
    else:
        file = Path(url.removeprefix(SQLITE))
        least = ALONE if url.startswith(SQLITE) else ALONE // 10
        is_long = file.is_file() and file.stat().st_size > least
    return os.cpu_count() or 1 if is_long else 1


def _copy_of(store: Store, url: str) -> Path | None:
    """Where the copy of a House must be: beside its file, or where it is on record."""
    folder = copy_folder(url)
    if folder is not None and folder.exists():
        return folder
    try:
        known = [mark for mark in known_copies(store).values() if mark.held]
    except StorageError:
        return None  # the audit says what is wrong
    return Path(known[0].folder) if known else None


def _length(store: Store) -> int:
    """About how many events there are to walk."""
    try:
        return store.count_rows()
    except StorageError:
        return 0  # the audit says what is wrong


def _print_verified(found: Verified, copy: str, how: str, instead: tuple[str, ...]) -> None:
    console = Console(soft_wrap=True, highlight=False)
    if found.places:
        if found.difference is not None:
            console.print("Looked at:")
        _print_counts(console, found, copy)
    if found.difference is None:
        says = "Everything is as the events say."
        if instead:
            says = f"Nothing comes out otherwise with {', '.join(instead)}."
        elif how == "decided again" and found.orders:
            says = "Every order comes to what is stored, and everything is as the events say."
        console.print(Text(says, style="bold green"))
        return
    _print_differences(console, found, instead)


HEADINGS = {
    "stored": "What was changed, or does not hold together:",
    "decided": "Orders that do not come to what is stored:",
    "otherwise": "Decisions that this version of croupier takes otherwise:",
    "with": "Decisions that come out otherwise:",
}


def _print_differences(console: Console, found: Verified, instead: tuple[str, ...]) -> None:
    first = found.difference
    assert first is not None
    what = "First difference:"
    if first.kind in ("otherwise", "with"):
        what = "First decision that comes out otherwise:"
    console.print(Text(what, style="bold red"), Text(visible(str(first))))
    if len(found.differences) == 1:
        return
    for kind, heading in HEADINGS.items():
        these = [each for each in found.differences if each.kind == kind]
        if these:
            console.print(Text(f"\n{heading}", style="bold"))
            for each in these:
                console.print(Text(visible(f"  {each}")))
    if found.more:
        console.print(Text("  … and more (--limit lists them)", style="dim"))


def _print_counts(console: Console, found: Verified, copy: str) -> None:
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("places", f"{found.places:,}")
    table.add_row("events", f"{found.events:,}")
    table.add_row("commands", f"{found.commands:,}")
    table.add_row("orders", _told_orders(found))
    table.add_row("entries", f"{found.entries:,}")
    table.add_row("accounts", f"{found.accounts:,}")
    if copy.startswith("in "):
        copy = f"{found.copied:,} {'event' if found.copied == 1 else 'events'} {copy}"
    table.add_row("copy", copy)
    if found.pages:
        table.add_row("pages", found.pages)
    if found.refused or found.refused_dropped:
        dropped = f", {found.refused_dropped:,} dropped" if found.refused_dropped else ""
        table.add_row("refused", f"{found.refused:,} kept{dropped}")
    table.add_row("seals", _told_seals(found.sealed))
    if found.passed_over:
        table.add_row("states", f"{found.passed_over:,} of another version, which no start uses")
    if found.withheld:
        decks = f"{found.withheld:,} {'deck' if found.withheld == 1 else 'decks'}"
        table.add_row("withheld", f"{decks} shuffled for rounds that had not begun")
    console.print(table)
    if found.before_orders:
        console.print(_told_since(found))


def _told_seals(sealed: Sealed) -> str:
    """How much was sealed, and until when somebody outside has signed it back."""
    if not sealed.seals:
        return "none"
    back = f"signed back up to {sealed.witnessed}" if sealed.witnessed else "none signed back"
    if sealed.strangers:
        back += f" ({sealed.strangers:,} by keys that were never on record as a witness's)"
    return f"{sealed.seals:,} over {sealed.events:,} events until {sealed.until[:19]}, {back}"


def _told_orders(found: Verified) -> str:
    """How many orders there are, and whether they were decided again."""
    if not found.orders:
        return "none"
    return f"{found.orders:,}" + (f", {found.decided:,} decided again" if found.decided else "")


def _told_since(found: Verified) -> str:
    """From where on there are orders, in a log that is older than they."""
    if not found.orders:
        return "Orders are nowhere: all of it was stored before orders were."
    places = sorted(found.orders_since.items(), key=lambda each: (each[0] != OFFICE, each))
    since = ", ".join(f"{place} from event {n}" for place, n in places[:5])
    more = f", and {len(places) - 5} more places" if len(places) > 5 else ""
    return (
        f"Orders are there from event {found.before_orders:,} of all on ({since}{more}); what is "
        "older was applied as it is stored."
    )
