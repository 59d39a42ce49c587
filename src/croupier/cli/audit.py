"""`croupier audit`: verify, export and tell what the House has stored; dump its randomness."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from croupier.cli.audit_manifest import manifest
from croupier.cli.audit_restore import restore_command
from croupier.cli.audit_seals import COMMANDS as SEAL_COMMANDS
from croupier.cli.main import Lazy, LazyGroup
from croupier.cli.office_session import told_broken
from croupier.house.audit import LIMIT, Difference, Verified, verify
from croupier.house.audit.export import export as write_export
from croupier.house.audit.export import is_export, read_into
from croupier.house.audit.rounds import RoundStory, Told, read_round_id, tell_round
from croupier.house.audit.sealed import Sealed
from croupier.house.audit.sharing import Helpers
from croupier.house.audit.shuffles import ShuffleReport, check_shuffles
from croupier.house.copies import known_copies
from croupier.house.errors import BrokenLog, CorruptDatabase, StorageError, WrongSchema
from croupier.house.migrations import can_be_walked
from croupier.house.names import visible
from croupier.house.office import OFFICE
from croupier.house.randomness_dump import dump
from croupier.house.seals.keys import public_key
from croupier.house.sqlite import SqliteDatabase
from croupier.house.store import Store
from croupier.house.urls import SQLITE, copy_folder, open_database
from croupier.table.money import write_money

URL_HELP = "sqlite:///FILE, postgresql://USER@HOST/DATABASE, or the file of an export."


ASKED: dict[str, Lazy] = {
    "account": Lazy(
        "croupier.cli.audit_record", "account", "Tell every entry of one account of the ledger."
    ),
    "dispute": Lazy(
        "croupier.cli.audit_dispute",
        "dispute",
        "Open, show and settle disputes: the sealed file, and the patron's notice.",
    ),
    "log": Lazy(
        "croupier.cli.audit_record", "log", "Tell what was ordered and what came of it, by time."
    ),
    "statement": Lazy("croupier.cli.audit_record", "statement", "Make a statement for a player."),
    "who": Lazy(
        "croupier.cli.audit_record", "who", "Tell everything that one of the staff did, for whom."
    ),
}


@click.group(cls=LazyGroup, lazily=ASKED)
def audit() -> None:
    """Verify, export and tell what the House has stored.

    \b
    Example:
      croupier audit verify sqlite:///house.db
    """


audit.add_command(restore_command)
for command in (*SEAL_COMMANDS, manifest):
    audit.add_command(command)


@contextmanager
def _opened_store(url: str, *, damaged: bool = False) -> Iterator[tuple[Store, bool]]:
    """The store of an address, or of an export; and whether it is an export.

    `damaged`: it may be, and is opened to be walked as it stands.
    """
    file = Path(url)
    if _is_file(url):
        if not is_export(file):
            raise click.UsageError(f"{url} is no audit export; a database is named sqlite:///{url}")
        with tempfile.TemporaryDirectory(prefix="croupier-audit-") as folder:
            store = read_into(file, SqliteDatabase(Path(folder) / "export.db"))
            try:
                yield store, True
            except BrokenLog as error:
                told_broken(error)
            finally:
                store.close()
        return
    if "://" not in url:
        raise click.UsageError(f"{url!r} is neither a file nor an address. Give {URL_HELP}")
    database = open_database(url, create=False)
    try:
        if not database.tables():  # whoever only reads does not found a House either
            raise WrongSchema(f"{database.name} is empty: no House was ever founded there")
        store = Store(database, migrated=damaged and can_be_walked(database))
    except BaseException:
        database.close()
        raise
    try:
        yield store, False
    except BrokenLog as error:
        told_broken(error)
    finally:
        store.close()


def _is_file(url: str) -> bool:
    """Whether a file is named and no database: an export then."""
    return "://" not in url and Path(url).exists()


ALONE = 8_000_000
"""Bytes of a database that one process walks by itself, unless somebody says otherwise: about
10,000 events. An export of as many is a tenth of that."""


@contextmanager
def _progress(what: str, quiet: bool, *, bar: bool = False) -> Iterator[Progress]:
    columns = [SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()]
    if bar:
        columns.insert(1, BarColumn())
    shown = Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)
    with shown:
        shown.add_task(what)
        yield shown


@audit.command("verify")
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
    exported = _is_file(url)
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
        _progress("0 events", as_json, bar=True) as progress,
    ):
        try:
            with _opened_store(url, damaged=True) as (store, _):
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


@audit.command("export")
@click.argument("url")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--with-open-rounds",
    is_flag=True,
    help="Export although rounds are under way; the file then tells every card.",
)
def export_command(url: str, file: Path, with_open_rounds: bool) -> None:
    """Write one FILE that an auditor verifies offline; compressed if it ends in .gz.

    URL is the database of the House.

    \b
    Example:
      croupier audit export sqlite:///house.db night.jsonl.gz
    """
    with _opened_store(url) as (store, _), _progress("0 events", False) as progress:

        def tell(events: int) -> None:
            if events % 1_000 == 0:
                progress.update(progress.task_ids[0], description=f"{events:,} events")

        lines = write_export(store, file, with_open_rounds=with_open_rounds, progress=tell)
    click.echo(f"{file}: {lines:,} lines. Verify it with: croupier audit verify {file}")


@audit.command("round")
@click.argument("url")
@click.argument("round_id", metavar="TABLE#NUMBER")
@click.option("--brief", is_flag=True, help="Leave out what the cited paragraphs say.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--replay",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page that plays the round again, with every card, instead.",
)
def round_command(url: str, round_id: str, brief: bool, as_json: bool, page: Path | None) -> None:
    """Tell one finished round as a story, with its paragraphs and its money.

    URL is the database, or the file of an export; TABLE#NUMBER names the table and its round.

    \b
    Example:
      croupier audit round sqlite:///house.db 'Raffles#12'
      croupier audit round night.jsonl 'Raffles#12' --replay round-12.html
    """
    place, number = read_round_id(round_id)
    if page is not None:
        from croupier.cli.replays import page_of_round, show_page

        with _opened_store(url) as (store, _):
            made = page_of_round(store, place, number)
        show_page(made, page, browser=False)
        return
    with _opened_store(url) as (store, _):
        story = tell_round(store, place, number)
    if brief:
        story.paragraphs = {}
    if as_json:
        sys.stdout.write(msgspec.json.encode(story).decode() + "\n")
    else:
        _print_round(story)


def _print_round(story: RoundStory) -> None:
    console = Console()
    console.print(Text(f"Round {story.round} of table {visible(story.table)}", style="bold"))
    console.print(Text(f"{story.rulebook}, {story.begun} to {story.ended}", style="cyan"))
    _print_told(console, story.told)
    if story.rulings:
        console.print(Text("\nRulings", style="bold"))
        for ruling in story.rulings:
            reason = f": {ruling.reason}" if ruling.reason else ""
            says = f"{ruling.question} → {ruling.option} ({ruling.who}, {ruling.rank}){reason}"
            console.print(_indented(console, Text(visible(says)), 4))
    console.print(Text("\nMoney", style="bold"))
    money = Table(show_header=False, box=None, pad_edge=False)
    money.add_column()
    money.add_column(justify="right")
    for account, amount in story.money.items():
        money.add_row(
            Text(f"  {visible(account)}"), f"{'+' if amount > 0 else ''}{write_money(amount)}"
        )
    console.print(money)
    if story.after:
        console.print(Text("\nAfter the round, until the next one", style="bold"))
        _print_told(console, story.after)
    if story.paragraphs:
        console.print(Text("\nParagraphs", style="bold"))
        wide = max(map(len, story.paragraphs))
        for number, summary in story.paragraphs.items():
            console.print(_indented(console, Text(f"{number:{wide}}  {summary}"), wide + 4))


def _print_told(console: Console, story: list[Told]) -> None:
    last = ""
    for told in story:
        by = f"{told.who}, {told.rank}" if told.who != told.rank else told.who
        if by != last:
            console.print(Text(f"\n{told.at[11:19]}  {visible(by)}", style="dim"))
            last = by
        line = Text(visible(told.says))
        if told.cites:
            line.append(f"  [{', '.join(told.cites)}]", style="dim")
        console.print(_indented(console, line, 4))


def _indented(console: Console, text: Text, indent: int) -> Text:
    """A text two columns in, and the lines to which it is wrapped as far in as `indent`."""
    lines = text.wrap(console, max(console.width - indent, 20))
    for line in lines:
        line.rstrip()
    return Text("  ") + Text("\n" + " " * indent).join(lines)


@audit.command("shuffle")
@click.argument("url")
@click.argument("round_id", metavar="TABLE#NUMBER")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def shuffle_command(url: str, round_id: str, as_json: bool) -> None:
    """Open every card of a finished round and check it against what the House had committed to.

    URL is the database, or the file of an export; TABLE#NUMBER names the table and its round.

    \b
    Example:
      croupier audit shuffle sqlite:///house.db 'Raffles#12'
    """
    place, number = read_round_id(round_id)
    with _opened_store(url) as (store, _):
        reports = check_shuffles(store, place, number)
    if as_json:
        sys.stdout.write(msgspec.json.encode(reports).decode() + "\n")
    else:
        for report in reports:
            _print_shuffle(report)
    if not all(report.holds for report in reports):
        sys.exit(1)


def _print_shuffle(report: ShuffleReport) -> None:
    console = Console()
    console.print(Text(f"Shuffle {report.shuffle} ({report.purpose})", style="bold"))
    console.print(f"root {report.root}")
    if report.seeds or report.unopened:
        console.print(f"seeds of {', '.join(report.seeds) or 'nobody'}")
    if report.unopened:
        console.print(f"not opened: {', '.join(report.unopened)}")
    for opened in report.cards:
        mark = Text("✓", style="green") if opened.holds else Text("✗ not committed to", "red")
        console.print(f"{opened.place:3d}  {opened.card}  {opened.salt}", mark)
    says = "Every card was committed to." if report.holds else "This is not what was committed to."
    if report.says:
        says = f"{says} {report.says.capitalize()}."
    console.print(Text(says, style="bold green" if report.holds else "bold red"))


@audit.command("random")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option(
    "--form",
    type=click.Choice(["bytes", "numbers", "permutations"]),
    default="bytes",
    show_default=True,
    help="Raw bytes, numbers below --among, or shuffled decks.",
)
@click.option("--count", type=click.IntRange(min=1), required=True, help="How many of them.")
@click.option(
    "--among", type=click.IntRange(min=1), default=52, show_default=True, help="For numbers."
)
def random_command(file: Path, form: str, count: int, among: int) -> None:
    """Dump raw output of the House's source of chance into FILE (or - ) for a laboratory.

    \b
    Example:
      croupier audit random --form permutations --count 100000 decks.txt
    """
    with _progress(f"0 of {count:,}", str(file) == "-") as progress:

        def tell(done: int, of: int) -> None:
            progress.update(progress.task_ids[0], description=f"{done:,} of {of:,} {form}")

        if str(file) == "-":
            dump(sys.stdout.buffer, count, form, among=among, progress=tell)  # type: ignore[arg-type]
        else:
            with file.open("wb") as stream:
                dump(stream, count, form, among=among, progress=tell)  # type: ignore[arg-type]
