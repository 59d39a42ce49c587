"""`croupier hands`: check hand histories by replaying them, and tell one as a story."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import structs
from rich.console import Console
from rich.markup import escape

from croupier.cli.groups import CommandGroup
from croupier.cli.hands_refused import by_player, line_of_step, names_of
from croupier.cli.hands_report import print_findings, progress_of
from croupier.formats.check import (
    Options,
    Report,
    check_hands,
)
from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand
from croupier.formats.phh_text import RawHand
from croupier.formats.reading import hands_in, name_of, read_any
from croupier.formats.replay import BOOK, Replayer
from croupier.formats.room import ROOM_POLICIES, read_room
from croupier.formats.sources import Opener, Source, find_sources
from croupier.formats.story import HandStory, tell_hand
from croupier.rulebooks import Rulebook, load
from croupier.table.money import read_money, write_money

INTERRUPTED = 130

Named = tuple[str, ...]

_switches = [
    click.option(
        "--policy",
        "policies",
        multiple=True,
        metavar="NAME=VALUE",
        help="A policy of the rulebook, or of a room (heads-up-order=as-recorded, "
        "missing-small-blind=allowed, late-posts=blinds), that the room of the hands plays "
        "otherwise; repeatable.",
    ),
    click.option(
        "--chip",
        metavar="AMOUNT",
        help="The smallest chip, in which pots are shared; by default the cent, or the smallest "
        "chip that a record shows.",
    ),
    click.option(
        "--rake",
        "rake_percent",
        type=click.IntRange(0, 100),
        default=10,
        show_default=True,
        metavar="PERCENT",
        help="The most that the room may have kept of what a player won.",
    ),
    click.option(
        "--missing-folds",
        is_flag=True,
        help="The room does not write down who was away: whoever has a turn when the record ends "
        "has folded.",
    ),
]


def _with_switches(command: Any) -> Any:
    for option in reversed(_switches):
        command = option(command)
    return command


@click.group(cls=CommandGroup, epilog="Example: croupier hands check my-hands/ --json")
def hands() -> None:
    """Check hand histories, convert them, tell one as a story.

    Hands are read from PHH (.phh, .phhs), OHH (.ohh) and PokerStars text (.txt).
    docs/hand-histories.md is the manual.
    """


@hands.command(epilog="Example: croupier hands check pluribus.zip handhq/ --json")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    metavar="N",
    help="How many processes replay; by default one for each core.",
)
@_with_switches
def check(
    paths: tuple[Path, ...],
    as_json: bool,
    processes: int | None,
    policies: Named,
    chip: str | None,
    rake_percent: int,
    missing_folds: bool,
) -> None:
    """Replay every hand of PATHS (files, folders, .zip) and compare with what it says.

    Exit status 0 if no hand differs, 1 if any does, 2 if anything could not be read, 130 if it
    was interrupted; the report is of what was looked at until then.
    """
    options = _options(policies, chip, rake_percent, missing_folds)
    with progress_of(paths) as progress:
        report = check_hands(paths, options, processes=processes, progress=progress)
    report.refusals = [structs.replace(f, says=by_player(f.says)) for f in report.refusals]
    if as_json:
        click.echo(json.dumps(_as_json(report), indent=2, ensure_ascii=False))
    else:
        _print_report(report)
    if not report.complete:
        sys.exit(INTERRUPTED)
    sys.exit(2 if report.unreadable else 1 if report.differ else 0)


@hands.command(epilog="Example: croupier hands show collection.phhs --hand 17")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--hand",
    "wanted",
    metavar="N",
    help="Which hand of a collection: its name in the file, or what the room calls it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the story as JSON.")
@_with_switches
def show(
    file: Path,
    wanted: str | None,
    as_json: bool,
    policies: Named,
    chip: str | None,
    rake_percent: int,
    missing_folds: bool,
) -> None:
    """Tell a hand of FILE step by step, with the paragraph behind every answer.

    Without --hand, the first one. Exit status 0 unless the hand differs from the record (1) or
    cannot be read (2).
    """
    options = _options(policies, chip, rake_percent, missing_folds)
    hand = _find(file, wanted)
    rulebook = hand.rulebook or options.rulebook
    replayer = Replayer(
        rulebook,
        dict(hand.policies) if hand.rulebook else options.policies,
        chip=options.chip,
        rake_percent=options.rake_percent,
        missing_folds=options.missing_folds,
        room=read_room(options.room),
    )
    story = tell_hand(hand, replayer)
    refused_at = None
    if story.outcome.verdict == "refused":
        said = by_player(story.outcome.says, names_of(hand))
        story = structs.replace(story, outcome=structs.replace(story.outcome, says=said))
        refused_at = line_of_step(hand, story.outcome.place)
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(story), indent=2, ensure_ascii=False))
    else:
        _print_story(story, load(rulebook), refused_at)
    sys.exit(1 if story.outcome.verdict == "differs" else 0)


# -- what was asked for -------------------------------------------------------------------------


def _options(policies: Named, chip: str | None, rake_percent: int, missing_folds: bool) -> Options:
    """The switches, checked against the rulebook."""
    book = load(BOOK)
    known = {policy.name: tuple(policy.values) for policy in book.policies.values()}
    known |= ROOM_POLICIES
    chosen: dict[str, str] = {}
    for given in policies:
        name, equals, value = given.partition("=")
        if not equals or name not in known:
            raise click.UsageError(
                f"--policy {given}: write NAME=VALUE; {book.short} has {', '.join(sorted(known))}"
            )
        if value not in known[name]:
            raise click.UsageError(
                f"--policy {name}: {value!r} is not one of {', '.join(known[name])}"
            )
        chosen[name] = value
    smallest = None if chip is None else read_money(chip)
    if smallest is not None and smallest <= 0:
        raise click.UsageError("--chip: a chip is worth more than nothing")
    return Options(
        policies={name: value for name, value in chosen.items() if name not in ROOM_POLICIES},
        room={name: value for name, value in chosen.items() if name in ROOM_POLICIES},
        chip=smallest,
        rake_percent=rake_percent,
        missing_folds=missing_folds,
    )


def _find(file: Path, wanted: str | None) -> Hand:
    """The hand that was asked for, out of a file or an archive."""
    opener = Opener()
    try:
        for source in find_sources((file,)):
            if isinstance(source, FormatError):
                raise source
            found = _find_in(opener, source, wanted)
            if found is not None:
                return found
    finally:
        opener.close()
    if wanted is None:
        raise FormatError("there is no hand in it", source=str(file))
    raise FormatError("there is no such hand in it", source=str(file), hand=wanted)


def _find_in(opener: Opener, source: Source, wanted: str | None) -> Hand | None:
    with opener.open(source) as opened:
        for raw in hands_in(opened, str(source)):
            named = name_of(raw)
            # A collection is searched by its own names first, then by what the rooms say.
            by_name = wanted is None or named == wanted
            if isinstance(raw, RawHand) and not by_name and (wanted or "").encode() not in raw.text:
                continue
            try:
                hand = read_any(raw)
            except FormatError as error:
                if by_name:
                    raise error.at(source=str(source)) from None
                continue
            if by_name or str(hand.number) == wanted:
                return hand
    return None


# -- for people ---------------------------------------------------------------------------------


def _print_report(report: Report) -> None:
    console = Console(highlight=False, soft_wrap=True)
    print_findings(console, "Differ", report.differences, report.differ, "red")
    print_findings(console, "Refused", report.refusals, report.refused, "yellow")
    print_findings(console, "Unreadable", report.errors, report.unreadable, "red")
    if not report.complete:
        console.print("[bold red]Interrupted: the report is of a part only.[/]")
    rows: list[tuple[str, int, str]] = [
        ("hands", report.hands, f"in {report.files:,} {'file' if report.files == 1 else 'files'}"),
        ("replayed", report.replayed, f"under {report.options.rulebook}"),
        ("agree", report.agree, f"with {write_money(report.rake)} kept by the rooms"),
        ("legal", report.legal, "and without a result to compare"),
        ("differ", report.differ, ""),
    ]
    rows += [("", count, cause) for cause, count in report.causes.items()]
    if report.unexplained and report.causes:
        rows.append(("", report.unexplained, "although its own figures add up"))
    rows.append(("refused", report.refused, ""))
    rows += [("", count, f"by {paragraph}") for paragraph, count in report.refused_by.items()]
    rows.append(("skipped", sum(report.skipped.values()), ""))
    rows += [("", count, reason) for reason, count in report.skipped.items()]
    rows.append(("unreadable", report.unreadable, ""))
    for name, count, told in rows:
        console.print(f"[bold]{name:<11}[/]{count:>12,}  {escape(told)}".rstrip())
    for switch in _switched(report.options):
        console.print(f"[dim]switch: {escape(switch)}[/]")


def _switched(options: Options) -> list[str]:
    """The switches that were set otherwise than by default."""
    usual = Options()
    set_so = {**options.policies, **options.room}
    found = [f"--policy {name}={value}" for name, value in set_so.items()]
    if options.chip is not None:
        found.append(f"--chip {write_money(options.chip)}")
    if options.rake_percent != usual.rake_percent:
        found.append(f"--rake {options.rake_percent}")
    if options.missing_folds:
        found.append("--missing-folds")
    return found


def _print_story(story: HandStory, book: Rulebook, refused_at: tuple[int, int] | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[bold]{escape(story.title)}[/]")
    console.print(f"[dim]{escape(book.short)}[/]")
    for line in story.about:
        console.print(escape(line))
    for part, chapter in enumerate(story.chapters):
        console.print(f"\n[bold]{escape(chapter.heading)}[/]")
        for number, told in enumerate(chapter.lines):
            cites = f"  [cyan]{escape(', '.join(told.cites))}[/]" if told.cites else ""
            if (part, number) == refused_at:
                console.print(f"  [yellow]✗ {escape(told.text)}[/]{cites}  [yellow]← refused[/]")
            else:
                console.print(f"  • {escape(told.text)}{cites}")
    outcome = story.outcome
    console.print()
    match outcome.verdict:
        case "agrees":
            kept = f"; the room kept {write_money(outcome.rake)}" if outcome.rake else ""
            console.print(f"[green]The record agrees with the book{kept}.[/]")
        case "legal":
            console.print(f"[green]The book allows it: {escape(outcome.says)}.[/]")
        case "skipped":
            console.print(f"[yellow]Not compared: {escape(outcome.says)}.[/]")
        case "refused":
            cites = ", ".join(outcome.cites)
            told_at = f"{outcome.place}: {outcome.says} ({cites})"
            console.print(f"[yellow]The book does not allow it. {escape(told_at)}[/]")
        case _:
            cause = f" Of the record itself: {outcome.cause}." if outcome.cause else ""
            console.print(f"[red]The record differs: {escape(outcome.says + '.' + cause)}[/]")


# -- for machines -------------------------------------------------------------------------------


def _as_json(report: Report) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(report)
    options = found.pop("options")
    options["chip"] = None if report.options.chip is None else write_money(report.options.chip)
    return {
        **found,
        "unexplained": report.unexplained,
        "rake": write_money(report.rake),
        "switches": options,
    }
