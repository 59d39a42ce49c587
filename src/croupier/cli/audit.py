"""`croupier audit`: export and tell what the House has stored; dump its randomness."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.audit_manifest import manifest
from croupier.cli.audit_restore import restore_command
from croupier.cli.audit_seals import COMMANDS as SEAL_COMMANDS
from croupier.cli.audit_store import opened_store, progress_shown
from croupier.cli.groups import Lazy, LazyGroup
from croupier.house.audit.export import export as write_export
from croupier.house.audit.rounds import RoundStory, Told, read_round_id, tell_round
from croupier.house.audit.shuffles import ShuffleReport, check_shuffles
from croupier.house.names import visible
from croupier.house.randomness_dump import dump
from croupier.table.money import write_money

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
    "verify": Lazy(
        "croupier.cli.audit_verify",
        "verify_command",
        "Walk all that is stored, and give every order to the engine again.",
    ),
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
    with opened_store(url) as (store, _), progress_shown("0 events", False) as progress:

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

        with opened_store(url) as (store, _):
            made = page_of_round(store, place, number)
        show_page(made, page, browser=False)
        return
    with opened_store(url) as (store, _):
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
    with opened_store(url) as (store, _):
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
    with progress_shown(f"0 of {count:,}", str(file) == "-") as progress:

        def tell(done: int, of: int) -> None:
            progress.update(progress.task_ids[0], description=f"{done:,} of {of:,} {form}")

        if str(file) == "-":
            dump(sys.stdout.buffer, count, form, among=among, progress=tell)  # type: ignore[arg-type]
        else:
            with file.open("wb") as stream:
                dump(stream, count, form, among=among, progress=tell)  # type: ignore[arg-type]
