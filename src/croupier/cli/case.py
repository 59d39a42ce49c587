"""`croupier case`: run case files, tell one as a story, print their schema."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from croupier.cli.groups import CommandGroup
from croupier.cli.outputs import writable
from croupier.pit import (
    GAMES,
    CaseError,
    CaseResult,
    case_schema,
    read_case,
    run_case,
    shipped_cases,
    tell_case,
)
from croupier.pit.batch import many_cases
from croupier.pit.story import Story, StoryLine

MANY = 50
"""From so many cases on, a progress bar is shown, and only what is wrong is told."""


@click.group(cls=CommandGroup, epilog="Example: croupier case run my-cases/")
def case() -> None:
    """Run, explain and describe case files.

    A case file is an executable example: a table, steps, and what must come out, with the
    paragraphs of the rulebook that it shows. docs/case-files.md is the manual.
    """


@case.command(epilog="Example: croupier case run my-case.toml more-cases/ --json")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def run(paths: tuple[Path, ...], as_json: bool) -> None:
    """Run case files, or every case file in folders; without PATHS, the shipped ones.

    Exit status 0 if all pass, 1 if any fails, 2 if a file cannot be read as a case.
    """
    results: list[CaseResult] = []
    unreadable: list[CaseError] = []
    sources = list(_sources(paths))
    with many_cases() if len(sources) >= MANY else nullcontext():
        for source, text in _with_progress(sources):
            try:
                case = read_case(text_of_case(text), source, GAMES)
                results.extend(run_case(case, GAMES).in_each_book())
            except CaseError as error:
                unreadable.append(error)
    if as_json:
        click.echo(json.dumps(_as_json(results, unreadable), indent=2, ensure_ascii=False))
    else:
        _print_results(results, unreadable)
    failed = any(not result.passed for result in results)
    sys.exit(2 if unreadable else 1 if failed else 0)


@case.command(epilog="Example: croupier case explain my-case.toml")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the story as JSON.")
@click.option("--rulebook", help="In which of its books, for a case of several; else the first.")
def explain(file: Path, as_json: bool, rulebook: str | None) -> None:
    """Tell one case step by step, with the paragraph behind every answer.

    FILE is a case file, or a shipped one as `croupier rules show` names it.
    """
    text = _text_named(file)
    result = _in_book(run_case(read_case(text, str(file), GAMES), GAMES), rulebook)
    story = tell_case(result)
    if as_json:
        click.echo(json.dumps(_story_as_json(story, result), indent=2, ensure_ascii=False))
    else:
        _print_story(story, result)
    sys.exit(1 if result.failures else 0)


@case.command("open", epilog="Example: croupier case open my-case.toml")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--rulebook", help="In which of its books, for a case of several; else the first.")
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=writable,
    help="Write the page to this file instead of opening it.",
)
@click.option("--no-browser", is_flag=True, help="Write it, and only say where.")
def open_case(file: Path, rulebook: str | None, out: Path | None, no_browser: bool) -> None:
    """Play one case again in the browser, step by step, with the paragraph behind every answer.

    FILE is a case file, or a shipped one as `croupier rules show` names it. The page is one file
    that needs no server, and can be sent to somebody. Exit status 1 if the case fails.
    """
    from croupier.cli.replays import page_of_case, show_page

    text = _text_named(file)
    result = _in_book(run_case(read_case(text, str(file), GAMES), GAMES), rulebook)
    show_page(page_of_case(result), out, not no_browser)
    sys.exit(1 if result.failures else 0)


@case.command(epilog="Example: croupier case schema > case.schema.json")
def schema() -> None:
    """Print the JSON Schema of case files, for editors and other programs."""
    click.echo(json.dumps(case_schema(GAMES), indent=2, ensure_ascii=False))


# -- finding files ------------------------------------------------------------------------------


def _sources(paths: tuple[Path, ...]) -> Iterator[tuple[str, str | Path]]:
    """What to run: shipped cases with their text, files by their paths."""
    if not paths:
        yield from shipped_cases()
    for file in case_files(paths):
        yield str(file), file


def case_files(paths: tuple[Path, ...]) -> Iterator[Path]:
    """The files that are named, and those in the folders that are."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        files = sorted(file for file in path.rglob("*.toml") if not file.is_dir())
        if not files:
            raise click.UsageError(f"there is no case file (*.toml) in {path}")
        yield from files


def _text_named(file: Path) -> str:
    """A case file, or a shipped case by its name."""
    if file.exists() and not file.is_dir():
        return text_of_case(file)
    return _shipped(file.as_posix())


def _shipped(name: str) -> str:
    """A shipped case by its name, `BOOK/FILE`."""
    for source, text in shipped_cases():
        if source in (name, f"{name}.toml"):
            return text
    raise click.UsageError(
        f"there is no file {name}, and no shipped case of that name; "
        "croupier rules show BOOK PARAGRAPH lists those of a paragraph"
    )


def _in_book(result: CaseResult, rulebook: str | None) -> CaseResult:
    """What came of a case in one of its books: the one that is named, else the first."""
    if rulebook is None:
        return result
    for in_book in result.in_each_book():
        if in_book.case.book.id.endswith(rulebook):
            return in_book
    known = ", ".join(one.case.book.id for one in result.in_each_book())
    raise click.UsageError(f"the case does not hold in {rulebook}; it holds in {known}")


def text_of_case(file: str | Path) -> str:
    """A case file as text; a text is one already."""
    if isinstance(file, str):
        return file
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CaseError(str(file), f"not UTF-8 text: {error}") from error


def _with_progress(
    sources: list[tuple[str, str | Path]],
) -> Iterator[tuple[str, str | Path]]:
    """The sources, with a progress bar on standard error where there are many of them."""
    if len(sources) < MANY:
        yield from sources
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(sources, description="Cases")


# -- for people ---------------------------------------------------------------------------------


def _print_results(results: list[CaseResult], unreadable: list[CaseError]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for result in results:
        if result.failures:
            _print_failures(result, console)
            continue
        unproved = [p for p in result.case.paragraphs if p not in result.covered]
        if unproved and len(results) < MANY:
            told = f"passes, but does not prove {', '.join(unproved)}"
            console.print(f"[yellow]?[/] {escape(result.case.name)}: {escape(told)}")
    for error in unreadable:
        console.print(f"[bold red]![/] {escape(str(error))}")
    passed = sum(not result.failures for result in results)
    failed = len(results) - passed
    unread = f", {len(unreadable)} unreadable" if unreadable else ""
    console.print(f"{passed} passed, {failed} failed{unread}")


def _print_failures(result: CaseResult, console: Console) -> None:
    """A case that came out otherwise: everything that differs, each at its own line."""
    console.print(f"[bold red]✗[/] {escape(result.case.name)}: {escape(result.case.title)}")
    for failure in result.failures:
        where = f"line {failure.line}, step {failure.step}" if failure.line else "set-up"
        if failure.step > len(result.case.steps):
            where = "at the end"
        console.print(f"  {where}: {escape(failure.did)}")
        for difference in failure.differences:
            at = f" [dim](line {difference.line})[/]" if difference.line else ""
            console.print(f"    {escape(difference.what)}{at}")
            console.print(f"      [green]expected  {escape(difference.expected)}[/]")
            console.print(f"      [red]got       {escape(difference.got)}[/]")


def _print_story(story: Story, result: CaseResult) -> None:
    console = Console(highlight=False)
    console.print(f"[bold]{escape(story.title)}[/]")
    console.print(f"[dim]{escape(story.book.short)}[/]")
    if story.about:
        console.print(escape(" ".join(story.about.split())))
    for chapter in story.chapters:
        number = f"{chapter.number}. " if chapter.number else ""
        console.print(f"\n[bold]{number}{escape(chapter.heading)}[/]")
        console.print(_story_lines(chapter.lines))
    if story.cited:
        console.print("\n[bold]The paragraphs behind it[/]")
        for paragraph in story.cited:
            title = story.book.paragraph(paragraph).title
            readings = ", ".join(note.reading for note in story.book.notes_for(paragraph))
            also = f" [dim](settled readings {readings})[/]" if readings else ""
            console.print(f"  [cyan]{paragraph:<8}[/] {escape(title)}{also}")
    if not result.failures:
        console.print("\n[green]All came out as the case expects.[/]")
    else:
        console.print()
        _print_results([result], [])


def _story_lines(lines: list[StoryLine]) -> Table:
    """What came of a step, a sentence a line; a long one goes on under its own beginning."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 1, 0, 0))
    table.add_column(width=3, justify="right")
    table.add_column()
    for line in lines:
        cites = f"  [cyan]{escape(', '.join(line.cites))}[/]" if line.cites else ""
        if line.text.endswith(":"):
            table.add_row("", f"[dim]{escape(line.text)}[/]")
        else:
            table.add_row("•", f"{escape(line.text)}{cites}")
    return table


# -- for machines -------------------------------------------------------------------------------


def _as_json(results: list[CaseResult], unreadable: list[CaseError]) -> dict[str, Any]:
    passed = sum(not result.failures for result in results)
    return {
        "passed": passed,
        "failed": len(results) - passed,
        "unreadable": [
            {"file": e.source, "line": e.line, "step": e.step, "error": e.says} for e in unreadable
        ],
        "cases": [
            {
                "file": result.case.source,
                "title": result.case.title,
                "rulebook": result.case.book.id,
                "paragraphs": list(result.case.paragraphs),
                "covered": list(result.covered),
                "passed": not result.failures,
                "failures": [
                    {
                        "step": failure.step,
                        "line": failure.line or None,
                        "did": failure.did,
                        "differences": [
                            {
                                "what": d.what,
                                "expected": d.expected,
                                "got": d.got,
                                "line": d.line or None,
                            }
                            for d in failure.differences
                        ],
                    }
                    for failure in result.failures
                ],
            }
            for result in results
        ],
    }


def _story_as_json(story: Story, result: CaseResult) -> dict[str, Any]:
    return {
        "title": story.title,
        "rulebook": story.book.id,
        "passed": not result.failures,
        "steps": [
            {
                "number": chapter.number,
                "heading": chapter.heading,
                "lines": [{"text": line.text, "cites": list(line.cites)} for line in chapter.lines],
            }
            for chapter in story.chapters
        ],
        "cited": {p: story.book.paragraph(p).title for p in story.cited},
    }
