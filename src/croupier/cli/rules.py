"""`croupier rules`: read, search and compare the five rulebooks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli import rules_json
from croupier.cli.books import known_books, open_book
from croupier.cli.groups import CommandGroup
from croupier.cli.outputs import writable
from croupier.rulebooks import Rulebook, RulebookError


class RulesGroup(CommandGroup):
    """Says what was wrong with the input, and what to do, with exit status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Turn a rulebook's own error into a usage error."""
        try:
            return super().invoke(ctx)
        except RulebookError as error:
            raise click.UsageError(str(error)) from error


@click.group(cls=RulesGroup, epilog="Example: croupier rules diff v2 v3")
def rules() -> None:
    """Read, search and compare the five rulebooks.

    A BOOK is named by its id or by any part of it that only one book has: v8, poker-v5,
    no-limit. The texts are croupier's own words; the approved texts govern.
    """


@rules.command("list", epilog="Example: croupier rules list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_books(as_json: bool) -> None:
    """List the books, when each is in force, and how many paragraphs it has."""
    books = [open_book(id) for id in known_books()]
    if as_json:
        _print_json([rules_json.head(book) for book in books])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Rulebook", no_wrap=True)
    table.add_column("In force from")
    table.add_column("until")
    table.add_column("Paragraphs", justify="right")
    table.add_column("Executable", justify="right")
    for book in books:
        table.add_row(
            Text(book.id, style="bold cyan"),
            f"{book.effective:%Y-%m-%d}" if book.effective else "operator states",
            f"{book.superseded_at:%Y-%m-%d}" if book.superseded_at else "",
            str(len(book.paragraphs)),
            str(len(book.executable)),
        )
    Console().print(table)


@rules.command(epilog="Example: croupier rules show v8 1.28")
@click.argument("book", metavar="BOOK")
@click.argument("paragraph", metavar="[PARAGRAPH]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show(book: str, paragraph: str | None, as_json: bool) -> None:
    """Show a book, or one PARAGRAPH with its topics, readings, policies and cases.

    A PARAGRAPH with others below it (5.12 has 5.12.1 to 5.12.6) shows those too. The cases are the
    shipped case files that name it; `croupier case explain` tells one step by step.
    """
    from croupier.cli import rules_show

    opened = open_book(book)
    if paragraph is None:
        if as_json:
            _print_json(rules_json.book(opened))
        else:
            rules_show.print_book(opened, Console())
        return
    own, below = rules_json.find(opened, paragraph)
    from croupier.cli.rules_cases import cases_naming

    # A heading without a text of its own is shown by the cases of what stands below it.
    named = cases_naming(opened.id, {own.id} if own is not None else {p.id for p in below})
    if as_json:
        _print_json(rules_json.page(opened, paragraph, own, below, named))
    else:
        rules_show.print_page(opened, paragraph, own, below, named, Console())


@rules.command(epilog="Example: croupier rules search burnt card missing --book v8")
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option("--book", "only", metavar="BOOK", help="Search this book alone.")
@click.option("--limit", default=15, show_default=True, type=click.IntRange(1), help="Hits shown.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, every hit.")
def search(words: tuple[str, ...], only: str | None, limit: int, as_json: bool) -> None:
    """Find paragraphs that have all of WORDS, in their text or in what has been settled on them.

    The likeliest stand first: a word in a title or topic says more than one in a remark.
    """
    from croupier.rulebooks.search import search as find

    books: list[Rulebook] = [open_book(id) for id in ([only] if only else known_books())]
    hits = find(words, books)
    if as_json:
        _print_json([rules_json.hit(found) for found in hits])
        return
    console = Console()
    if not hits:
        console.print("No paragraph has all of these words. Try fewer, or shorter ones.")
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    alike: dict[tuple[str, str], list[str]] = {}  # one row for versions that say the same
    for found in hits:
        alike.setdefault((found.paragraph.id, found.paragraph.summary), []).append(found.book)
    for id, summary in list(alike)[:limit]:
        versions = alike[id, summary]
        text = Text(open_book(versions[0]).paragraph(id).title, style="bold")
        text.append("  " + summary, style="not bold")
        text.highlight_words(words, style="bold yellow", case_sensitive=False)
        _cut(text, 2 * max(20, console.width - 40))
        table.add_row(" ".join(_abbreviate(book) for book in versions), id, text)
    console.print(table)
    if len(alike) > limit:
        console.print(f"… and {len(alike) - limit} more (--limit {len(alike)} shows them).")


@rules.command(epilog="Example: croupier rules diff v2 v3")
@click.argument("old", metavar="BOOK")
@click.argument("new", metavar="BOOK")
@click.option("--cases", is_flag=True, help="Also play the cases of the first under the second.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def diff(old: str, new: str, cases: bool, as_json: bool) -> None:
    """Show what changed from the first BOOK to the second, side by side.

    Procedures, numbers, pay tables, then paragraphs: what was added, what fell away, and what
    says something else, with the words that changed marked. A paragraph that only got another
    number is no change. With --cases the shipped cases of the first BOOK are played under the
    second, and those that come out otherwise are told: the differences in outcome.
    """
    from croupier.rulebooks.compare import compare

    before, after = open_book(old), open_book(new)
    if before.id == after.id:
        raise click.UsageError(f"{before.id} is compared with itself. Name two different books.")
    if before.family != after.family:
        raise click.UsageError(
            f"{before.id} is a {before.family} book and {after.id} a {after.family} one: "
            "they are different games, and only versions of one game can be compared."
        )
    found = compare(before, after)
    played = None
    if cases:
        from croupier.cli.rules_outcomes import played_under

        played = played_under(before, after)
    if as_json:
        _print_json(rules_json.comparison(found) | ({"cases": played.as_json()} if played else {}))
    else:
        from croupier.cli.rules_diff import print_comparison

        print_comparison(before, after, found, Console())
        if played:
            played.print(Console())


@rules.command(
    epilog="Example: croupier rules outcomes poker-v5 v8 --hands 1000000 --into examples"
)
@click.argument("old", metavar="BOOK")
@click.argument("new", metavar="BOOK")
@click.option(
    "--hands", type=click.IntRange(1), default=100_000, show_default=True, help="Hands to play."
)
@click.option(
    "--players", type=click.IntRange(2, 10), default=6, show_default=True, help="Players a hand."
)
@click.option(
    "--stakes",
    type=click.IntRange(1),
    nargs=2,
    default=(5, 100),
    show_default=True,
    help="From how many to how many Big Blinds each player has, by chance.",
)
@click.option(
    "--big-blind",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    help="The Big Blind, an even number; chips of 1.",
)
@click.option("--percent", default="5", show_default=True, help="The Rake of each pot, in percent.")
@click.option(
    "--cap", type=click.IntRange(0), default=30, show_default=True, help="The most Rake of a hand."
)
@click.option("--straddle", is_flag=True, help="Offer a straddle, where the book has one.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of chance.")
@click.option(
    "--examples",
    type=click.IntRange(0, 100),
    default=3,
    show_default=True,
    help="How many of the first hands paid differently are named, and written with --into.",
)
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write them into this folder as case files, one for each book.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, money in cents.")
def outcomes(
    old: str, new: str, stakes: tuple[int, int], big_blind: int, cap: int, **given: Any
) -> None:
    """Play the same hands under two versions of a poker BOOK, and tell who is paid differently.

    Cards, stakes and what every player wants are the same. What a book refuses becomes the nearest
    that it allows, and is counted.
    """
    from croupier.cli.rules_versions import show_outcomes

    if big_blind % 2:
        raise click.UsageError(
            f"--big-blind {big_blind}: the Small Blind is half of it; give an even number."
        )
    if stakes[0] > stakes[1]:
        raise click.UsageError(
            f"--stakes {stakes[0]} {stakes[1]}: the first is the smaller number."
        )
    books = open_book(old), open_book(new)
    show_outcomes(*books, stakes=stakes, blind=100 * big_blind, cap=100 * cap, **given)


@rules.command(epilog="Example: croupier rules coverage --json")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--missing", is_flag=True, help="List the paragraphs that no case proves yet.")
def coverage(paths: tuple[Path, ...], as_json: bool, missing: bool) -> None:
    """Run the shipped cases, and those of PATHS, and count the paragraphs that they prove.

    A paragraph is covered when a case that names it passes, its citation was emitted, and the
    case checks what the citing event, refusal or decision changed or offered. Exit status 1 if a
    shipped case fails.
    """
    from croupier.cli.coverage import show_coverage

    show_coverage(paths, as_json, missing)


@rules.command(epilog="Example: croupier rules matrix v8 --report skipped --html matrix.html")
@click.argument("book", metavar="BOOK")
@click.option("--report", "report", metavar="WORDS", help="Only reports with these words.")
@click.option("--moment", metavar="WORDS", help="Only moments with these words.")
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    callback=writable,
    help="Write a page to this file instead.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def matrix(
    book: str, report: str | None, moment: str | None, page: Path | None, as_json: bool
) -> None:
    """Show what becomes of every report at every stage of a round under BOOK.

    The ruling, the question or the refusal, with its paragraphs, the operative one first; before
    and after a look, with and without Substantial Action, dealt by the House and by hand. It is
    computed: a table is brought to each stage and hears each report.
    """
    from croupier.cli.rules_matrix import show_matrix

    show_matrix(open_book(book), report, moment, page, as_json)


@rules.command(epilog="Example: croupier rules site rulebooks-to-read")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--approved",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Approved texts (BOOK.txt), shown beside our words; such a folder is not for others.",
)
def site(folder: Path, approved: Path | None) -> None:
    """Write the five rulebooks as pages into FOLDER, to be read without a server.

    Paragraphs with their readings and cases, search, versions side by side, coverage and matrix:
    the pages that a House serves under /rules. Open FOLDER/index.html in any browser.
    """
    from croupier.cli.rules_site import show_site

    show_site(folder, approved)


def _cut(text: Text, length: int) -> None:
    """Shorten a text to so many letters at most, after a whole word."""
    if len(text) <= length:
        return
    kept = text.plain[: max(0, text.plain.rfind(" ", 0, length))].rstrip(" ,;:")
    text.right_crop(len(text) - len(kept))
    text.append(" …")


def _abbreviate(book: str) -> str:
    """The shortest word that names the book: its version."""
    return book.rpartition("-")[2]


def _print_json(data: object) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
