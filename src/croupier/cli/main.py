"""The root of the command line: finds the sub-commands, and says errors in one line.

Sub-commands are imported only when they are called, so that `croupier --help` stays quick. An
error of one of the named classes, and a file that cannot be read or written, is one line on
standard error and exit status 2; anything else is a defect of croupier's and keeps its traceback.
"""

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import click

from croupier import __version__
from croupier.cli.groups import Lazy, LazyGroup
from croupier.cli.outputs import make_printable, of_the_machine

COMMANDS: dict[str, Lazy] = {
    "ask": Lazy("croupier.cli.ask", "ask", "Ask the book what is ruled, in a terminal."),
    "audit": Lazy(
        "croupier.cli.audit", "audit", "Verify, export and tell what the House has stored."
    ),
    "about": Lazy("croupier.cli.welcome", "about", "What croupier is and what is installed."),
    "case": Lazy("croupier.cli.case", "case", "Run, explain and describe case files."),
    "desk": Lazy("croupier.cli.desk", "desk", "Open the ruling desk alone in the browser."),
    "doctor": Lazy("croupier.cli.doctor", "doctor", "Look at an installation and say what to do."),
    "hands": Lazy(
        "croupier.cli.hands_convert",
        "hands",
        "Check hand histories, convert them, tell one as a story.",
    ),
    "lab": Lazy(
        "croupier.cli.lab", "lab", "Exact odds, house edge, strategy, jackpots, simulation."
    ),
    "office": Lazy(
        "croupier.cli.office", "office", "Run the back office: people, cash, tables, reports."
    ),
    "rules": Lazy("croupier.cli.rules", "rules", "Read, search and compare the five rulebooks."),
    "school": Lazy(
        "croupier.cli.school", "school", "Rule on tables that err on purpose, in a terminal."
    ),
    "simulate": Lazy(
        "croupier.cli.simulate", "simulate", "Run a whole floor from a seed, with its faults."
    ),
    "serve": Lazy("croupier.cli.serve", "serve", "Open the casino in the browser."),
}

OF_RUN_PY = {
    "test": "Lint, format, types, contracts, tests.",
    "bench": "The benchmarks against their peers.",
}
"""Words that run.py itself answers; they belong to whoever works on croupier, not to croupier."""

# The named errors of each floor: module and class. They are looked up only when something was
# raised, and only in modules that are loaded: an error cannot come from one that is not.
NAMED_ERRORS: tuple[tuple[str, str], ...] = (
    ("croupier.cards", "CardError"),
    ("croupier.rulebooks", "RulebookError"),
    ("croupier.table", "TableError"),
    ("croupier.pit", "CaseError"),
    ("croupier.lab.errors", "LabError"),
    ("croupier.pit", "PitError"),
    ("croupier.formats.errors", "FormatError"),
    ("croupier.desk.errors", "DeskError"),
    ("croupier.school.errors", "SchoolError"),
    ("croupier.house.errors", "HouseError"),
    ("croupier.live.errors", "LiveError"),
)

EXIT_USAGE = 2


EXIT_INTERRUPTED = 130


class RootGroup(LazyGroup):
    """The root: in a checkout its help has the words of run.py too. Ctrl-C has its own status."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what is interrupted is not what did not hold."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort) as error:
            if not isinstance(error.__context__ or error, KeyboardInterrupt):
                raise  # the input ended, or the command itself gave up
            click.echo("\ncroupier: stopped before it was done", err=True)
            ctx.exit(EXIT_INTERRUPTED)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of sub-commands, and where run.py stands beside them, its own."""
        super().format_commands(ctx, formatter)
        if (Path(__file__).parents[3] / "run.py").exists():
            with formatter.section("In a checkout, where python3 run.py stands for croupier"):
                formatter.write_dl([(f"run.py {word}", told) for word, told in OF_RUN_PY.items()])


def named_errors() -> tuple[type[Exception], ...]:
    """Return those of the named error classes whose modules are loaded."""
    loaded = ((sys.modules.get(module), name) for module, name in NAMED_ERRORS)
    return tuple(getattr(module, name) for module, name in loaded if hasattr(module, name))


@click.group(
    cls=RootGroup,
    lazily=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: croupier rules show no-limit-holdem-v8 3.8",
)
@click.version_option(
    __version__, "-V", "--version", prog_name="croupier", help="Show the version and exit."
)
@click.pass_context
def croupier(ctx: click.Context) -> None:
    """The approved rulebooks of five casino hold'em games, running.

    With no command: the casino opens in the browser (`croupier serve`).
    """
    if ctx.invoked_subcommand is None:
        from croupier.cli.serve import serve

        ctx.invoke(serve)


def import_extensions() -> None:
    """Import the modules that CROUPIER_EXTENSIONS names; they register the books of others."""
    for name in os.environ.get("CROUPIER_EXTENSIONS", "").split():
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise  # it is there, and lacks something itself
            click.echo(
                f"croupier: CROUPIER_EXTENSIONS names {name}, which is not there; install it, or "
                "name its folder in PYTHONPATH",
                err=True,
            )
            sys.exit(EXIT_USAGE)


def main(args: list[str] | None = None) -> Any:
    """Run the command line; the entry point of `croupier` and `python -m croupier`."""
    make_printable(sys.stdout)
    try:
        import_extensions()
        return croupier.main(args=args, prog_name="croupier")
    except Exception as error:
        told = str(error) if isinstance(error, named_errors()) else of_the_machine(error)
        if not told:
            raise
        from croupier.house.names import visible

        said = "\n".join(visible(line) for line in told.split("\n"))
        click.echo(f"croupier: {said}", err=True)
        sys.exit(EXIT_USAGE)
