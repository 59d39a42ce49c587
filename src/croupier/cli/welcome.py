"""What `croupier about` shows: what it is, what this installation holds, what to try.

Everything that is listed or counted here is found on the spot, in the installed package.
"""

from importlib.util import find_spec

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from croupier import __version__
from croupier.pit import shipped_cases
from croupier.rulebooks import BOOKS, load
from croupier.rulebooks.several import books_named

# What later releases bring, each with the module in which it begins: once that module is
# installed, it is no longer announced as missing.
TO_COME = (
    ("croupier.live.server", "the tables themselves, played in the browser with bots or people"),
    ("croupier.house.ledger", "the casino around the tables: accounts, ledger, staff, audit"),
    ("croupier.formats.phh", "hand histories in and out"),
)

TRY = (
    ("croupier", "the casino, in the browser"),
    ("croupier desk", "the ruling desk: what the book says when something goes wrong"),
    ("croupier rules list", "the rulebooks"),
    ("croupier rules show no-limit-holdem-v8 3.8", "what one paragraph says"),
    ("croupier rules diff v2 v3", "what changed between two books"),
    ("croupier rules coverage", "which paragraphs are proved"),
    ("croupier lab edge v3", "the exact house edge of every bet"),
    ("croupier --help", "all commands"),
)


@click.command(epilog="Example: croupier about")
def about() -> None:
    """What croupier is and what is installed."""
    show_welcome()


def show_welcome(console: Console | None = None) -> None:
    """Print the welcome."""
    out = console or Console(highlight=False)
    out.print(f"[bold]croupier {escape(__version__)}[/]")
    out.print("Casino hold'em exactly as approved, with the paragraph for every decision.")

    cases = [book for _, text in shipped_cases() for book in books_named(text)]
    table = Table("rulebook", "game", "paragraphs", "cases", box=None, padding=(0, 2, 0, 0))
    for column in table.columns[2:]:
        column.justify = "right"
    for name in BOOKS:
        book = load(name)
        counts = (len(book.paragraphs), cases.count(name))
        table.add_row(name, escape(book.short), *(str(count) for count in counts))
    out.print("\n[bold]What is here[/]")
    out.print(table)

    to_come = [words for module, words in TO_COME if not installed(module)]
    if to_come:
        out.print("\n[bold]Not built yet[/]")
        for words in to_come:
            out.print(f"  {words}")

    out.print("\n[bold]Try[/] [dim](in a checkout, python3 run.py stands for croupier)[/]")
    width = max(len(command) for command, _ in TRY)
    for command, words in TRY:
        out.print(f"  {command:{width}}  [dim]{words}[/]")


def installed(module: str) -> bool:
    """Tell whether a module is part of this installation, without importing it."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
