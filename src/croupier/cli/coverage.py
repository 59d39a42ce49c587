"""`croupier rules coverage`: which paragraphs the shipped cases prove."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from croupier.cli.case import case_files, text_of_case
from croupier.pit import GAMES, coverage, shipped_cases
from croupier.pit.coverage import BookCoverage, Coverage

BAR = 24
"""How wide a book's bar is, where there is room."""
FIGURES = 70
"""How wide the rest of the table is."""


def show_coverage(paths: tuple[Path, ...], as_json: bool, missing: bool) -> None:
    """Run the cases, print what they prove, and leave with the exit status."""
    named = [(str(file), text_of_case(file)) for file in case_files(paths)]
    cases = [*shipped_cases(), *named]
    if as_json:
        found = coverage(cases, GAMES)
        books = {book: _as_json(counts) for book, counts in found.rulebooks.items()}
        click.echo(json.dumps({"rulebooks": books}, indent=2))
    else:
        found = _with_progress(cases)
        _print(found, missing)
    for result in found.failed:
        click.echo(f"croupier: a case fails: {result.case.name}", err=True)
    sys.exit(1 if found.failed else 0)


def _with_progress(cases: list[tuple[str, str]]) -> Coverage:
    columns = (
        TextColumn("Running the shipped cases"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("cases", total=len(cases))
        return coverage(cases, GAMES, progress=lambda source: progress.advance(task))


def _as_json(counts: BookCoverage) -> dict[str, object]:
    return {
        "paragraphs": counts.paragraphs,
        "executable": counts.executable,
        "covered": counts.covered,
        "missing": counts.missing,
    }


def _print(found: Coverage, missing: bool) -> None:
    console = Console(highlight=False)
    width = max(2, min(BAR, console.width - FIGURES))
    table = Table(box=None, pad_edge=False)
    for heading in ("rulebook", "paragraphs", "executable", "covered"):
        left = heading == "rulebook"
        table.add_column(heading, justify="left" if left else "right", no_wrap=True)
    table.add_column("")
    for book, counts in found.rulebooks.items():
        share = counts.covered / counts.executable
        full = int(share * width)
        bar = f"[green]{'█' * full}[/][dim]{'░' * (width - full)}[/] {share:6.1%}"
        figures = (counts.paragraphs, counts.executable, counts.covered)
        table.add_row(book, *(str(figure) for figure in figures), bar)
    console.print(table)
    lacking = {book: counts for book, counts in found.rulebooks.items() if counts.missing}
    if not lacking:
        console.print("Every executable paragraph is proved by a case.")
    elif not missing:
        console.print("[dim]--missing lists the paragraphs that no case proves yet.[/]")
    else:
        for book, counts in lacking.items():
            console.print(f"\n[bold]{book}[/]: not proved yet")
            for paragraph in counts.missing:
                title = GAMES.load(book).paragraph(paragraph).title
                console.print(f"  [cyan]{paragraph:<28}[/] {escape(title)}")
