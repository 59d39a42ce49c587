"""What advantage players gain, and what protects: `croupier lab known`, `card`, `ruin` and so on.

Like its neighbours, importing this module costs nothing: the lab is imported when it is asked.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.books import open_book
from croupier.cli.lab import amount, html_option, waiting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.lab.report import Part, Report

_json = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
_set = click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PART=VALUE",
    help="Replace a pay line, parameter or policy; may be given several times.",
)


def show(
    answer: dict[str, Any], title: str, report: Report, *, as_json: bool, html: Path | None
) -> None:
    """An answer as JSON, as a page, or as tables."""
    from croupier.cli.lab_parts import print_parts
    from croupier.cli.lab_play import write_report

    if html is not None:
        write_report(html, report)
    if as_json:
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
    elif html is None:
        print_parts(title, _without_charts(report.parts))


def _without_charts(parts: Iterable[Part]) -> list[Part]:
    from croupier.lab.report import Chart

    return [part for part in parts if not isinstance(part, Chart)]


@click.command(epilog="Example: croupier lab known v3 --boxes 9")
@click.argument("book")
@click.option(
    "--boxes",
    type=click.IntRange(1, 16),
    default=9,
    show_default=True,
    help="Boxes that show each other their cards.",
)
@click.option(
    "--samples", type=click.IntRange(2), default=1000, show_default=True, help="Deals drawn."
)
@click.option(
    "--hands",
    type=click.IntRange(2),
    default=40,
    show_default=True,
    help="Starting hands that are played out to the end, for the first decision: at most.",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The seed.")
@_set
@_json
@html_option
def known(
    book: str,
    boxes: int,
    samples: int,
    hands: int,
    seed: int,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
) -> None:
    """How much known cards are worth at BOOK: other boxes' hands, or a flashed dealer's card.

    By number of known cards, in Antes a round of one box, with what each decision gains. Sampled,
    with 95% intervals; what one hand is worth with given known cards is exact: lab hand --dead.
    """
    with waiting() as progress:
        from croupier.lab import what_if
        from croupier.lab.known_gain import known_gain
        from croupier.lab.report_known import known_answer, known_report

        asked, _ = what_if(open_book(book), settings)
        counts = [(2 * (n - 1), 0) for n in sorted({3, 5, boxes}) if 2 <= n <= boxes]
        gains = [
            known_gain(
                asked,
                dead=dead,
                dealer=dealer,
                samples=samples,
                hands=hands,
                seed=seed,
                progress=progress,
            )
            for dead, dealer in [*counts, (0, 1), (0, 2)]
        ]
        answer = known_answer(asked, gains, seed=seed)
    from croupier.cli.lab_play import command_line

    report = known_report(answer, made_by=command_line())
    show(answer, f"{asked.id}: known cards", report, as_json=as_json, html=html)


@click.command(epilog="Example: croupier lab card v3 --rules 3 --html card.html")
@click.argument("book")
@click.option(
    "--rules",
    type=click.IntRange(1, 8),
    default=3,
    show_default=True,
    help="At most so many rules for each of Turn and River.",
)
@_set
@_json
@html_option
def card(
    book: str, rules: int, settings: tuple[str, ...], as_json: bool, html: Path | None
) -> None:
    """A strategy card for BOOK: rules a person can remember, with what each costs.

    Found by machine among short rules about what a player sees; each figure is exact.
    """
    with waiting() as progress:
        from croupier.lab import what_if
        from croupier.lab.report_card import card_answer, card_report
        from croupier.lab.strategy_card import strategy_card

        asked, _ = what_if(open_book(book), settings)
        answer = card_answer(strategy_card(asked, rules=rules, progress=progress))
    from croupier.cli.lab_play import command_line

    report = card_report(answer, made_by=command_line())
    show(answer, report.title, report, as_json=as_json, html=html)


@click.command(epilog="Example: croupier lab sensitivity v3 --by 10% --meter 250000")
@click.argument("book")
@click.option("--by", default="10%", show_default=True, help="How much more each line pays.")
@click.option("--bonus", type=amount, default="5", show_default=True, help="The Bonus stake.")
@click.option("--stake", type=amount, default="5", show_default=True, help="The jackpot stake.")
@click.option("--meter", type=amount, default="100,000", show_default=True, help="The meter.")
@_set
@_json
@html_option
def sensitivity(
    book: str,
    by: str,
    bonus: int,
    stake: int,
    meter: int,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
) -> None:
    """What each pay line of BOOK is worth: the House edge if that line alone paid more."""
    try:
        share = Fraction(by.strip().removesuffix("%")) / 100
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(
            f"{by!r} is no percentage: write 10% or -25%", param_hint="--by"
        ) from None
    with waiting() as progress:
        from croupier.lab import what_if
        from croupier.lab.report_advantage import sensitivity_answer, sensitivity_report
        from croupier.lab.sensitivity import effects

        asked, _ = what_if(open_book(book), settings)
        found = effects(
            asked, by=share, bonus_stake=bonus, stake=stake, meter=meter, progress=progress
        )
        answer = sensitivity_answer(
            asked, found, by=share, bonus_stake=bonus, stake=stake, meter=meter
        )
    from croupier.cli.lab_play import command_line

    report = sensitivity_report(answer, made_by=command_line())
    show(answer, report.title, report, as_json=as_json, html=html)


@click.command(epilog="Example: croupier lab ruin v3 --bankroll 500 --ante 10 --rounds 200")
@click.argument("book")
@click.option("--bankroll", type=amount, default="500", show_default=True, help="Money at first.")
@click.option("--ante", type=amount, default="10", show_default=True, help="The Ante.")
@click.option(
    "--rounds", type=click.IntRange(1), default=200, show_default=True, help="Of the session."
)
@_set
@_json
@html_option
def ruin(
    book: str,
    bankroll: int,
    ante: int,
    rounds: int,
    settings: tuple[str, ...],
    as_json: bool,
    html: Path | None,
) -> None:
    """How likely a session at BOOK ends with nothing left to play with, and the bankroll it takes.

    Main bets only, best play. From the exact distribution of a round; nothing is drawn.
    """
    if ante < 1 or bankroll < ante:
        raise click.UsageError("The bankroll is at least one Ante, and the Ante more than nothing.")
    with waiting() as progress:
        from croupier.lab import base_game, solve, what_if
        from croupier.lab.base import result_of
        from croupier.lab.report_advantage import ruin_answer, ruin_report
        from croupier.lab.ruin import bankroll_for, session

        asked, _ = what_if(open_book(book), settings)
        game = base_game(asked)
        result = result_of(solve(asked, progress=progress))
        progress("sessions")
        antes = bankroll // ante
        rolls = [antes, *(n * antes for n in (2, 4))]
        sessions = [session(game, result, bankroll=n, rounds=rounds) for n in rolls]
        needs = {
            f"{risk:.0%}": bankroll_for(game, result, risk=risk, rounds=rounds)
            for risk in (0.1, 0.05, 0.01)
        }
        answer = ruin_answer(asked, sessions, needs, ante=ante)
    from croupier.cli.lab_play import command_line

    report = ruin_report(answer, sessions[0], made_by=command_line())
    show(answer, report.title, report, as_json=as_json, html=html)


COMMANDS: dict[str, click.Command] = {
    "card": card,
    "known": known,
    "ruin": ruin,
    "sensitivity": sensitivity,
}
"""What `croupier lab` finds here."""
