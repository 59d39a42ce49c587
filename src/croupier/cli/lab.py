"""`croupier lab`: house edge, strategy, jackpots and what-if, exactly.

Importing this module costs nothing: numpy, numba and the lab itself are imported when a question
is asked, and whoever lacks them is told what to install.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cards import CardError, read_cards
from croupier.cli.books import open_book
from croupier.cli.groups import CommandGroup
from croupier.cli.outputs import writable
from croupier.lab.errors import LabError, LabMissing
from croupier.rulebooks import Rulebook, RulebookError

if TYPE_CHECKING:
    from types import ModuleType

    from croupier.lab.whatif import Change

ELSEWHERE = (
    "croupier.cli.lab_play",
    "croupier.cli.lab_par",
    "croupier.cli.lab_advantage",
    "croupier.cli.lab_raked",
    "croupier.cli.lab_actual",
)
"""Further sub-commands live there, in their ``COMMANDS``: a click command for each name."""
EXTRA = ("numpy", "numba", "llvmlite")
_MONEY = re.compile(r"(-?)\$?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,13})(?:\.([0-9]{1,2}))?")


class LabGroup(CommandGroup):
    """Says what was wrong with the question, with exit status 2; finds the other sub-commands."""

    def invoke(self, ctx: click.Context) -> Any:
        """Turn the lab's own errors into usage errors."""
        try:
            return super().invoke(ctx)
        except (LabError, CardError, RulebookError) as error:
            raise click.UsageError(str(error)) from error
        except ModuleNotFoundError as error:
            package = (error.name or "").split(".")[0]
            if package not in EXTRA:
                raise
            raise click.UsageError(str(LabMissing(package))) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the sub-commands of all modules."""
        return sorted({*self.commands, *self._others()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Find a sub-command here or there."""
        return super().get_command(ctx, cmd_name) or self._others().get(cmd_name)

    def _others(self) -> dict[str, click.Command]:
        found: dict[str, click.Command] = {}
        for module in ELSEWHERE:
            found |= importlib.import_module(module).COMMANDS
        return found


def amount(text: str) -> int:
    """Read an amount as it is written on the table, 60, 2.50 or 100,000, into cents.

    The lab itself refuses what is less than nothing, and says of what.
    """
    found = _MONEY.fullmatch(str(text).strip())
    if found is None:
        raise click.BadParameter(f"{text!r} is no amount: write it as 5, 2.50 or 100,000")
    cents = int(found[2].replace(",", "")) * 100 + int((found[3] or "").ljust(2, "0"))
    return -cents if found[1] else cents


_set = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PART=VALUE",
    help="Replace a pay line, parameter or policy; may be given several times.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")


html_option = click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    callback=writable,
    help="Write a report with charts, one HTML file that opens offline.",
)
_stake = click.option(
    "--stake", type=amount, default="5", show_default=True, help="The jackpot stake."
)


_ante = click.option(
    "--ante",
    type=amount,
    default="10",
    show_default=True,
    help="The Ante, which decides what is best folded with a jackpot stake down.",
)


@click.group(cls=LabGroup, epilog="Example: croupier lab edge multi-link-progressive-v3")
def lab() -> None:
    """Exact odds, house edge, strategy, jackpots, simulation.

    A BOOK is named by its id or by any part of it that only one book has: v2, v3, v6.
    """


@lab.command(epilog="Example: croupier lab edge v3 --meter 250000 --set ante-pays-from=flush")
@click.argument("book")
@_stake
@click.option("--meter", type=amount, help="The meter of the jackpot: adds the bet's value at it.")
@click.option(
    "--bonus", "bonus_stake", type=amount, help="A stake on the Bonus: its payout is then capped."
)
@_ante
@_set
@_json
@html_option
def edge(
    book: str,
    stake: int,
    meter: int | None,
    bonus_stake: int | None,
    ante: int,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
) -> None:
    """House edge of every bet of BOOK: base game under optimal play, Bonus and jackpot."""

    def ask(answers: ModuleType, asked: Rulebook, progress: Callable[[str], None]) -> Any:
        return answers.edge(
            asked, stake=stake, meter=meter, bonus_stake=bonus_stake, ante=ante, progress=progress
        )

    _answer("edge", book, settings, ask, as_json=as_json, html=html)


@lab.command(epilog="Example: croupier lab hand v3 Ah Kd 2c 7s 9h")
@click.argument("book")
@click.argument("cards", nargs=-1, required=True)
@click.option("--dead", default="", metavar="CARDS", help="Cards that are known to be gone.")
@click.option("--dealer", default="", metavar="CARDS", help="Cards known to be the dealer's.")
@_set
@_json
@html_option
def hand(
    book: str,
    cards: tuple[str, ...],
    dead: str,
    dealer: str,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
) -> None:
    """What to do with CARDS, and what each mistake costs.

    CARDS are the two Hole Cards, then the three Flop Cards, then the Turn Card, as far as they are
    known: As Td, or A♠ 10♦.
    """
    dealt = read_cards(" ".join(cards))
    gone, theirs = read_cards(dead), read_cards(dealer)

    def ask(answers: ModuleType, asked: Rulebook, progress: Callable[[str], None]) -> Any:
        return answers.hand(asked, dealt, dead=gone, dealer=theirs, progress=progress)

    _answer("hand", book, settings, ask, as_json=as_json, html=html)


@lab.command(epilog="Example: croupier lab strategy v6 --json")
@click.argument("book")
@_set
@_json
@html_option
def strategy(book: str, settings: tuple[str, ...], as_json: bool, html: Path | None) -> None:
    """The 169 starting hands of BOOK: which to fold, and what each is worth."""

    def ask(answers: ModuleType, asked: Rulebook, progress: Callable[[str], None]) -> Any:
        return answers.strategy(asked, progress=progress)

    _answer("strategy", book, settings, ask, as_json=as_json, html=html)


@lab.command(epilog="Example: croupier lab progressive v6 --meter 180000 --stake 5")
@click.argument("book")
@click.option("--meter", type=amount, required=True, help="The meter of the jackpot.")
@_stake
@click.option("--players", type=int, help="Jackpot stakes of a round, the player's own included.")
@click.option("--contribution", type=amount, help="What each stake adds to the meter.")
@click.option("--reset", type=amount, help="Where the meter starts again once it is won.")
@_ante
@_set
@_json
@html_option
def progressive(
    book: str,
    meter: int,
    stake: int,
    players: int | None,
    contribution: int | None,
    reset: int | None,
    ante: int,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
) -> None:
    """The jackpot bet of BOOK line by line, at a meter and a stake.

    With --players and --reset: what boxes that are dealt before cost the last one. With
    --contribution too: the meter in the long run.
    """

    def ask(answers: ModuleType, asked: Rulebook, progress: Callable[[str], None]) -> Any:
        return answers.jackpot(
            asked,
            meter=meter,
            stake=stake,
            players=players,
            contribution=contribution,
            reset=reset,
            ante=ante,
            progress=progress,
        )

    _answer("progressive", book, settings, ask, as_json=as_json, html=html)


@lab.command(epilog="Example: croupier lab schema simulation")
@click.argument("kind", required=False)
def schema(kind: str | None) -> None:
    """The JSON Schema of what a command prints with --json.

    KIND is the word that stands under `kind` in an answer; without one, all are listed.
    """
    from croupier.lab.answer_types import KINDS, VERSION, schema_of

    if kind is None:
        for name, described in KINDS.items():
            told = (described.__doc__ or "").strip().splitlines()[0]
            click.echo(f"{name:12} version {VERSION}  {told}")
        return
    click.echo(json.dumps(schema_of(kind), indent=2))


Ask = Callable[["ModuleType", Rulebook, Callable[[str], None]], Any]


def _answer(
    kind: str,
    book: str,
    settings: tuple[str, ...],
    ask: Ask,
    *,
    as_json: bool,
    html: Path | None,
) -> None:
    """Ask the lab, of the book as it is and, if anything is set, as it would be; print."""
    asked = open_book(book)
    changes: tuple[Change, ...] = ()
    with waiting() as progress:
        from croupier.lab import answers, what_if

        changed, changes = what_if(asked, settings)
        answer = ask(answers, changed, progress)
        before = ask(answers, asked, progress) if changes else None
    if changes:
        answer["changes"] = [
            {"part": change.part, "old": change.old, "new": change.new} for change in changes
        ]
        answer["before"] = before
    if html is not None:
        from croupier.cli.lab_play import command_line, write_report
        from croupier.lab.report_answers import answer_report

        made_by = command_line()
        write_report(html, answer_report(kind, answer, before, book=changed, made_by=made_by))
    if as_json:
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
        return
    from rich.console import Console

    from croupier.cli.lab_tables import TABLES

    console = Console(highlight=False)
    for table in TABLES[kind](answer, before):
        console.print(table)


@contextmanager
def waiting(after: float = 1.0) -> Iterator[Callable[[str], None]]:
    """Say on standard error what takes so long, once it has taken longer than a second."""
    doing = ["importing numpy and numba"]
    late = threading.Event()

    def say() -> None:
        late.set()
        click.echo(
            f"croupier: {doing[0]} (the very first time it also compiles: some seconds more)",
            err=True,
        )

    def progress(what: str) -> None:
        doing[0] = what
        if late.is_set():
            click.echo(f"croupier: {what}", err=True)

    timer = threading.Timer(after, say)
    timer.daemon = True
    timer.start()
    try:
        yield progress
    finally:
        timer.cancel()
        sys.stderr.flush()
