"""`croupier rules matrix`: every report at every moment, as text or as a page."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.pit.matrix import Entry, Outcome, Page, matrix_of, pages_of, tell_ways
from croupier.pit.registry import GAMES
from croupier.rulebooks import Rulebook

COLOURS = {"ruling": "green", "question": "yellow", "discretion": "magenta", "refused": "dim"}
KINDS = {
    "ruling": "the book rules",
    "question": "the book asks",
    "discretion": "declared discretion: the book is silent, or leaves it open",
    "refused": "cannot be true, or not now",
}


def show_matrix(
    book: Rulebook, report: str | None, moment: str | None, page: Path | None, as_json: bool
) -> None:
    """Compute the matrix, tell how far it is, and print it or write its page."""
    told = Console(stderr=True)
    with told.status("") as status:
        cells = [
            cell
            for cell in matrix_of(book, GAMES, status.update, moment=moment or "")
            if report is None or report.lower() in cell.report.lower()
        ]
    if not cells:
        raise click.UsageError(
            "no report in no moment has these words; without --report and --moment all are shown"
        )
    if page is not None:
        page.write_text(page_of(book, pages_of(cells)), encoding="utf-8")
        told.print(f"Written to {page}: {len(cells)} cells.")
    elif as_json:
        click.echo(json.dumps(msgspec.to_builtins(cells), indent=2, ensure_ascii=False))
    else:
        print_pages(pages_of(cells), Console())


def print_pages(pages: Iterable[Page], console: Console) -> None:
    """Print moment by moment: the report, what comes of it, and the paragraphs."""
    for page in pages:
        table = Table(title=page.moment, title_justify="left", title_style="bold", box=None)
        table.add_column("Report", style="cyan", no_wrap=True)
        table.add_column("What comes of it")
        table.add_column("Paragraphs", style="bold")
        for entry in page.entries:
            for outcome in entry.outcomes:
                text = Text(_where(entry, outcome, page))
                text.append(outcome.says, style=COLOURS[outcome.kind])
                table.add_row(entry.report.removeprefix("report "), text, " ".join(outcome.cites))
        console.print(table)
        console.print()


def _where(entry: Entry, outcome: Outcome, page: Page) -> str:
    """Under which circumstances it comes out so, if not always."""
    found = [tell_ways(entry.ways, page.ways), *outcome.said]
    told = ", ".join(part for part in found if part)
    return f"[{told}] " if told else ""


def page_of(book: Rulebook, pages: Iterable[Page]) -> str:
    """The whole matrix as one HTML page that needs nothing else."""
    pages = list(pages)
    body = "\n".join(_section(number, page) for number, page in enumerate(pages, start=1))
    contents = "\n".join(
        f'<li><a href="#s{number}">{html.escape(page.moment)}</a></li>'
        for number, page in enumerate(pages, start=1)
    )
    legend = "\n".join(
        f'<li><span class="{kind}">{kind}</span> {html.escape(says)}</li>'
        for kind, says in KINDS.items()
    )
    return _PAGE.format(
        title=html.escape(book.title),
        legend=legend,
        contents=contents,
        body=body,
    )


def _section(number: int, page: Page) -> str:
    rows = "\n".join(row for entry in page.entries for row in _rows(entry, page))
    return (
        f'<section id="s{number}"><h2>{html.escape(page.moment)}</h2>\n<table>\n'
        "<thead><tr><th>Report</th><th></th><th>What comes of it</th><th>Paragraphs</th></tr>"
        f"</thead>\n<tbody>\n{rows}\n</tbody></table></section>"
    )


def _rows(entry: Entry, page: Page) -> Iterator[str]:
    for outcome in entry.outcomes:
        where = html.escape(_where(entry, outcome, page))
        yield (
            f'<tr class="{outcome.kind}"><th>{html.escape(entry.report.removeprefix("report "))}'
            f'</th><td><span class="{outcome.kind}">{outcome.kind}</span></td>'
            f"<td><i>{where}</i>{html.escape(outcome.says)}</td>"
            f"<td>{html.escape(', '.join(outcome.cites))}</td></tr>"
        )


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: every report at every moment</title>
<style>
body {{ font: 16px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem;
  color: #1c2421; background: #fbfaf6; }}
h1 {{ font-size: 1.6rem; }} h2 {{ font-size: 1.15rem; margin-top: 2.2rem; }}
ul {{ padding-left: 1.2rem; columns: 20rem; }}
ul.legend {{ list-style: none; padding: 0; columns: auto; }}
table {{ border-collapse: collapse; width: 100%; font-size: .92rem; }}
th, td {{ text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0;
  border-top: 1px solid #ddd8c8; }}
tbody th {{ font-weight: 600; min-width: 8rem; }} td:last-child {{ font-weight: 600; }}
i {{ color: #5b635f; }} tr.refused td:nth-child(3) {{ color: #6a716d; }}
span.ruling, span.question, span.discretion, span.refused {{ border-radius: .6rem;
  padding: .05rem .5rem; font-size: .8rem; white-space: nowrap; }}
span.ruling {{ background: #d5ecd9; }} span.question {{ background: #fbe9b8; }}
span.discretion {{ background: #e9d9f3; }} span.refused {{ background: #e7e5de; }}
a {{ color: #14593c; }}
@media (max-width: 40rem) {{ table, tbody, tr, th, td {{ display: block; border: 0; padding: 0; }}
  thead {{ display: none; }} tr {{ border-top: 1px solid #ddd8c8; padding: .5rem 0; }} }}
</style></head><body>
<h1>{title}: every report at every moment</h1>
<p>Computed by the engine: a table is brought into each moment, says what can be reported, and
each report is given to a copy of it. What stands in brackets is where it comes out so, if not
always.</p>
<ul class="legend">
{legend}
</ul>
<nav><ul>
{contents}
</ul></nav>
{body}
</body></html>
"""
