"""What plain `croupier` shows: what it is, what this installation holds, what to try.

Everything that is counted here is counted on the spot, from the installed package.
"""

import importlib.util
from importlib import resources
from importlib.resources.abc import Traversable

from rich.console import Console
from rich.markup import escape

from croupier import __version__

# The floors that a later release fills, by the module in which their work begins, and what a
# visitor gets from them. Once that module can be imported, the floor is no longer listed.
TO_COME = (
    ("croupier.live.server", "playing at a table in the browser, against bots or people"),
    ("croupier.cli.lab", "the lab: house edge, strategy, jackpot break-even"),
)


def files_under(folder: Traversable, suffix: str) -> int:
    """Count the files of one kind in a folder and the folders below it."""
    if not folder.is_dir():
        return 0
    return sum(
        files_under(entry, suffix) if entry.is_dir() else entry.name.endswith(suffix)
        for entry in folder.iterdir()
    )


def missing(module: str) -> bool:
    """Tell whether a module is not part of this installation."""
    try:
        return importlib.util.find_spec(module) is None
    except ModuleNotFoundError:
        return True


def show_welcome(console: Console | None = None) -> None:
    """Print the welcome."""
    out = console or Console(highlight=False)
    package = resources.files("croupier")
    books = sorted(
        entry.name.removesuffix(".toml")
        for entry in (package / "rulebooks").iterdir()
        if entry.name.endswith(".toml")
    )
    cases = files_under(package / "cases", ".toml")

    out.print(f"[bold]croupier {escape(__version__)}[/]")
    out.print("Casino hold'em exactly as the approved rules say, a paragraph for every decision.\n")
    out.print("[bold]What is here[/]")
    out.print(f"  {len(books)} rulebooks: {', '.join(books)}")
    out.print(f"  {cases} case files: executable examples of what the paragraphs mean")
    to_come = [words for module, words in TO_COME if missing(module)]
    if to_come:
        out.print("\n[bold]Not built yet[/]")
        for words in to_come:
            out.print(f"  {words}")
    out.print("\n[bold]Try[/]")
    out.print("  croupier rules list")
    out.print("  croupier --help")
