"""`croupier hands convert`: hand histories from one format into another.

It is loaded last of the commands of `croupier hands`, and brings the others with it.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.markup import escape

import croupier.cli.hands_export  # noqa: F401 (it adds its command to those of `croupier hands`)
from croupier.cli.gaming_day import Written
from croupier.cli.hands import INTERRUPTED, hands
from croupier.cli.hands_report import print_findings, progress_of
from croupier.formats.convert import TARGETS
from croupier.formats.convert_files import Converted, Wanted, convert_files
from croupier.formats.errors import FormatError

_FORMS = {"phh": "phhs", "phhs": "phhs", "ohh": "ohh", "pokerstars": "pokerstars"}


@hands.command(
    "convert",
    epilog="Example: croupier hands convert my-hands/ --to pokerstars --output for-the-tracker/",
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--to",
    "target",
    required=True,
    type=click.Choice(list(_FORMS)),
    help="The format to write; phh and phhs are one: a .phhs collection.",
)
@click.option(
    "--from",
    "form",
    type=click.Choice(list(_FORMS)),
    help="Read only files of this format, and files of other names as such.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="A file (.phhs, .ohh, .txt) for all hands, or a folder with a file for each that is read.",
)
@click.option(
    "--at",
    type=Written(
        "TIME",
        "time; write 2026-11-16 or 2026-11-16T20:15",
        "%Y-%m-%d",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%dT%H:%M:%S",
    ),
    help="When hands were played that do not say so, in UTC; OHH and PokerStars text need a time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    metavar="N",
    help="How many processes convert; by default one for each core.",
)
def convert(
    paths: tuple[Path, ...],
    target: str,
    form: str | None,
    output: Path,
    at: datetime | None,
    as_json: bool,
    processes: int | None,
) -> None:
    """Write the hands of PATHS (files, folders, .zip) in another format.

    Each hand is read again after it was written, and must be the same hand. What the other format
    cannot say is refused with file and line, and nothing is dropped. No file is written over.

    Exit status 0 if every hand was converted, 1 if any was refused, 2 if anything could not be
    read, 130 if it was interrupted.
    """
    wanted = Wanted(
        target=_FORMS[target],
        form=TARGETS[_FORMS[form]].suffix if form else "",
        at=at.replace(tzinfo=UTC) if at else None,
    )
    try:
        with progress_of(paths) as progress:
            report = convert_files(paths, output, wanted, processes=processes, progress=progress)
    except FormatError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        told = {"output": str(output), "format": wanted.target, **msgspec.to_builtins(report)}
        click.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        _print(report, output, wanted.target)
    if not report.complete:
        sys.exit(INTERRUPTED)
    sys.exit(2 if report.unreadable else 1 if report.refused else 0)


def _print(report: Converted, output: Path, target: str) -> None:
    console = Console(highlight=False, soft_wrap=True)
    print_findings(console, "Refused", report.refusals, report.refused, "yellow")
    print_findings(console, "Unreadable", report.errors, report.unreadable, "red")
    if not report.complete:
        console.print("[bold red]Interrupted: a file that was not whole was taken away.[/]")
    files = f"{report.files:,} {'file' if report.files == 1 else 'files'}"
    rows: list[tuple[str, int, str]] = [
        ("hands", report.hands, ""),
        ("converted", report.written, f"into {target}, {files} in {output}"),
        ("refused", report.refused, ""),
    ]
    rows += [("", count, reason) for reason, count in report.refused_by.items()]
    rows.append(("unreadable", report.unreadable, ""))
    for name, count, told in rows:
        console.print(f"[bold]{name:<11}[/]{count:>12,}  {escape(told)}".rstrip())
