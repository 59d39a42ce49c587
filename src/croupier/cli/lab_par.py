"""`croupier lab par`: the PAR sheet of a banked book, as table, JSON or page.

Like its neighbours, importing this module costs nothing: the lab is imported when it is asked.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.books import open_book
from croupier.cli.lab import amount, html_option, waiting

if TYPE_CHECKING:
    from croupier.lab.par import Terms

COMPUTED_BY = ("cards", "lab", "rulebooks")
"""The floors of the package that a sheet comes from."""


@click.command(
    epilog="Example: croupier lab par v3 --ante 10 --bonus 5 --stake 5 --reset 50000 "
    "--contribution 1 --html sheet.html"
)
@click.argument("books", nargs=-1, required=True, metavar="BOOK...")
@click.option("--ante", type=amount, default="10", show_default=True, help="The Ante.")
@click.option("--bonus", type=amount, default="5", show_default=True, help="The Bonus stake.")
@click.option("--stake", type=amount, default="5", show_default=True, help="The jackpot stake.")
@click.option(
    "--reset", type=amount, default="50,000", show_default=True, help="The jackpot's reset value."
)
@click.option(
    "--contribution", type=amount, default="1", show_default=True, help="Of a stake to the meter."
)
@click.option("--meter", type=amount, help="The meter of the sheet; the reset value if not given.")
@click.option(
    "--stakes-per-round",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Jackpot stakes in a round, for the time between awards.",
)
@click.option(
    "--rounds-per-hour", type=click.IntRange(1), default=40, show_default=True, help="The pace."
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PART=VALUE",
    help="Replace a pay line, parameter or policy: adds a second column and the difference.",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@html_option
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write a page and the JSON of each BOOK into a folder.",
)
def par(
    books: tuple[str, ...],
    ante: int,
    bonus: int,
    stake: int,
    reset: int,
    contribution: int,
    meter: int | None,
    stakes_per_round: int,
    rounds_per_hour: int,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    into: Path | None,
) -> None:
    """The PAR sheet of BOOK: exact distributions, returns, bands, every line, the jackpot.

    Counted over all deals, for the best play and four others, with the digests of the rulebook and
    of the software that computed it. It takes half a minute. Several BOOKs go --into a folder.
    """
    ids = [open_book(book).id for book in books]
    if len(ids) > 1 and into is None:
        raise click.UsageError("Several books are written --into a folder, a sheet for each.")
    with waiting() as progress:
        from croupier.lab.par import Terms

        terms = Terms(
            ante=ante,
            bonus=bonus,
            stake=stake,
            reset=reset,
            contribution=contribution,
            meter=meter,
            stakes_per_round=stakes_per_round,
            rounds_per_hour=rounds_per_hour,
        )
        if into is not None:
            for book in ids:
                _write_into(into, sheet_of(book, terms, settings, progress))
            return
        answer = sheet_of(ids[0], terms, settings, progress)
    _show(answer, as_json=as_json, html=html)


def sheet_of(
    book: str, terms: Terms, settings: tuple[str, ...], progress: Callable[[str], None]
) -> dict[str, Any]:
    """The sheet of a book as data; with anything set, the book as it is stands under `before`."""
    from croupier.house.critical_files import digests
    from croupier.lab.par import par as work_out
    from croupier.lab.par_answer import par_answer
    from croupier.lab.whatif import what_if

    asked = open_book(book)
    changed, changes = what_if(asked, settings)
    computed = {floor: digest for floor, digest in digests().items() if floor in COMPUTED_BY}
    answer = par_answer(work_out(changed, terms, progress=progress), software=computed)
    if changes:
        answer["changes"] = [
            {"part": change.part, "old": change.old, "new": change.new} for change in changes
        ]
        before = work_out(asked, terms, progress=progress)
        answer["before"] = par_answer(before, software=computed)
    return answer


def _show(answer: dict[str, Any], *, as_json: bool, html: Path | None) -> None:
    from croupier.cli.lab_play import command_line, write_report
    from croupier.lab.report_par import par_parts, par_report

    before = answer.get("before")
    if html is not None:
        write_report(html, par_report(answer, before, made_by=command_line()))
    if as_json:
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
    elif html is None:
        from croupier.cli.lab_parts import print_parts

        print_parts(f"PAR sheet: {answer['title']}", par_parts(answer, before, drawn=False))


def _write_into(folder: Path, answer: dict[str, Any]) -> None:
    """A page and the data, side by side."""
    from croupier.cli.lab_parts import write_data
    from croupier.cli.lab_play import write_report
    from croupier.lab.report_par import par_report

    write_data(folder, answer["book"], answer)
    made_by = f"croupier lab par {answer['book']}"
    page = folder / f"{answer['book']}.html"
    write_report(page, par_report(answer, answer.get("before"), made_by=made_by))


COMMANDS: dict[str, click.Command] = {"par": par}
"""What `croupier lab` finds here."""
