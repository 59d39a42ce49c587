"""`croupier lab equity`, `rake` and `simulate`, and reports as HTML for all of `croupier lab`.

Like its neighbour, importing this module costs nothing: the lab is imported when it is asked.
"""

from __future__ import annotations

import importlib
import inspect
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from croupier.cards import read_cards
from croupier.cli.books import open_book
from croupier.cli.lab import amount, html_option, waiting
from croupier.lab.errors import LabError

if TYPE_CHECKING:
    from rich.table import Table

    from croupier.cards import Card
    from croupier.lab.equity import Equity
    from croupier.lab.report import Report
    from croupier.lab.simulate import Plan, Progress
    from croupier.lab.simulate_result import Mean, Result
    from croupier.lab.simulate_strategy import Strategy
    from croupier.rulebooks import Rulebook

EXIT_INTERRUPTED = 130


def write_report(path: Path, report: Report) -> None:
    """Write a report and say where it is."""
    from croupier.lab import report as pages

    pages.write_report(path, report)
    click.echo(f"croupier: report written to {path}", err=True)


def command_line() -> str:
    """What was typed, for the foot of a report."""
    words = [word for word in sys.argv[1:] if not word.startswith("--html=")]
    while "--html" in words:
        at = words.index("--html")
        del words[at : at + 2]
    return shlex.join(["croupier", *words])


_json = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
_seed = click.option(
    "--seed", type=click.IntRange(0, (1 << 64) - 1), default=1, show_default=True, help="The seed."
)
_threads = click.option(
    "--threads", type=click.IntRange(1), help="Threads; as many as there are cores if not given."
)


# ---- equity ----------------------------------------------------------------------------------


@click.command(epilog='Example: croupier lab equity AhKh "QQ+,AKs" --board "2h 7h Jc"')
@click.argument("ranges", nargs=-1, required=True, metavar="RANGES...")
@click.option("--board", default="", metavar="CARDS", help="The board as far as it is open.")
@click.option("--dead", default="", metavar="CARDS", help="Cards that are known to be gone.")
@click.option("--by-street", is_flag=True, help="Before the flop and on each street of the board.")
@click.option("--exact", is_flag=True, help="Exact, or an error if it takes too long.")
@click.option("--sampled", is_flag=True, help="Sampled, even where exact is quick.")
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=2_000_000,
    show_default=True,
    help="Deals that are drawn where it is sampled.",
)
@_seed
@_threads
@_json
@html_option
def equity(
    ranges: tuple[str, ...],
    board: str,
    dead: str,
    by_street: bool,
    exact: bool,
    sampled: bool,
    samples: int,
    seed: int,
    threads: int | None,
    as_json: bool,
    html: Path | None,
) -> None:
    """Odds of hands and RANGES against each other, two or more.

    A range is written as players do: AhKd, QQ, AKs, AKo, AK, 77+, T9s+, 77-99, A2s-A5s, Axs,
    random; several with commas, a weight after a colon: "QQ+,AKs,AKo:0.5". Exact where that is
    quick; else sampled, with a 95% interval.
    """
    if exact and sampled:
        raise click.UsageError(
            "Give --exact or --sampled, not both; with neither, it is exact where that is quick."
        )
    with waiting() as progress:
        from croupier.lab import equity as odds
        from croupier.lab.report_equity import equity_answer, equity_report, streets_answer

        def ask(cards: Sequence[Card]) -> Equity:
            return odds.equity(
                *ranges,
                board=cards,
                dead=dead,
                exact=exact if exact or sampled else None,
                samples=samples,
                seed=seed,
                threads=threads,
            )

        progress("odds")
        whole = read_cards(board)
        found = ask(whole)
        earlier = [ask(whole[:size]) for size in (0, 3, 4) if by_street and size < len(whole)]
        streets = [*earlier, found] if by_street else []
    if html is not None:
        write_report(html, equity_report(found, streets, made_by=command_line()))
    if as_json:
        _print_json(equity_answer(found) | streets_answer(streets))
        return
    from croupier.lab.report_equity import hands_of, how_found, where

    table = _table(("Range", "Hands", "Equity", "Wins", "Ties", "95% interval"), right_from=1)
    for player in found.players:
        ends = player.interval
        table.add_row(
            player.range.text,
            hands_of(player),
            f"{float(player.equity):.4%}",
            f"{float(player.win):.4%}",
            f"{float(player.tie):.4%}",
            "exact" if ends is None else f"{ends[0]:.3%} to {ends[1]:.3%}",
        )
    _print(where(found), table, how_found(found))
    if streets:
        from croupier.lab.report_equity import street_rows

        heads, rows = street_rows(streets)
        by_board = _table(heads, right_from=1)
        for row in rows:
            by_board.add_row(*row)
        _print(by_board)


# ---- rake ------------------------------------------------------------------------------------


@click.command(epilog="Example: croupier lab rake v8 --percent 5 --cap 30 --big-blind 10")
@click.argument("book")
@click.option("--percent", "rate", metavar="NUMBER", help="A percentage Rake: 5 or 2.5.")
@click.option("--cap", type=amount, help="The most that is taken in a round.")
@click.option(
    "--chip", type=amount, default="1", show_default=True, help="The smallest chip used for Rake."
)
@click.option("--timed", type=amount, help="A timed Rake in place of a percentage: for each seat.")
@click.option(
    "--period", type=click.IntRange(1), default=30, show_default=True, help="Its minutes."
)
@click.option(
    "--hands-per-hour", type=click.IntRange(1), default=30, show_default=True, help="Its pace."
)
@click.option("--big-blind", type=amount, required=True, help="The big blind.")
@click.option(
    "--players", type=click.IntRange(2), default=9, show_default=True, help="Players dealt in."
)
@click.option(
    "--pots",
    metavar="MIX",
    help="The mix of hands in big blinds, in place of the assumed one: '2.5+2:40%, 20:60%'.",
)
@_json
def rake(
    book: str,
    rate: str | None,
    cap: int | None,
    chip: int,
    timed: int | None,
    period: int,
    hands_per_hour: int,
    big_blind: int,
    players: int,
    pots: str | None,
    as_json: bool,
) -> None:
    """What the Rake of a table of BOOK costs for each hundred hands.

    The Rake is worked out as the book says; how large pots are is an assumption, which is printed
    with the answer. A mix is POT:SHARE% in big blinds, with +UNCALLED for the part of a raise to
    which all folded and /SIDE for a Side Pot.
    """
    from croupier.lab import rake as costs
    from croupier.lab.report_equity import rake_answer

    asked = open_book(book)
    if (rate is None) == (timed is None):
        raise click.UsageError("Give either --percent or --timed: a table has one of them (4.1).")
    _nothing_idle("timed" if timed is not None else "percentage")
    terms: costs.Terms | costs.Timed
    if timed is not None:
        terms = costs.Timed(cents=timed, minutes=period, hands_per_hour=hands_per_hour)
    else:
        try:
            share = Fraction((rate or "").removesuffix("%")) / 100
        except (ValueError, ZeroDivisionError):
            raise click.BadParameter(
                f"{rate!r} is no percentage: write 5 or 2.5", param_hint="--percent"
            ) from None
        terms = costs.Terms(share=share, cap=cap, chip=chip)
    mix = costs.ASSUMED if pots is None else costs.read_mix(pots)
    cost = costs.rake_cost(asked, terms, big_blind=big_blind, players=players, mix=mix)
    if as_json:
        _print_json(rake_answer(cost, terms, mix))
        return
    table = _table((f"{asked.id}: a hundred hands", ""), right_from=1)
    table.add_row("Taken from the table", f"{float(cost.per_hundred / 100):,.2f}")
    table.add_row(f"For each of {players} players", f"{float(cost.per_player / 100):,.2f}")
    table.add_row("In big blinds", f"{float(cost.big_blinds):,.2f}")
    if isinstance(terms, costs.Timed):
        _print(table, f"Timed, at {hands_per_hour} hands an hour ({', '.join(cost.cites)}).")
        return
    table.add_row("Of the chips it is taken from", f"{float(cost.effective):.2%}")
    table.add_row("Hands in which the cap bites", f"{float(cost.capped):.1%}")
    _print(table, f"Worked out by {', '.join(cost.cites)} under this assumed mix of hands:")
    assumed = _table(("Hand", "Of hands", "Pots, in big blinds", "Uncalled raise", "Rake"), 1)
    for shape, (_, charged) in zip(mix, cost.largest, strict=True):
        assumed.add_row(
            shape.what,
            f"{float(shape.share):.0%}",
            " + ".join(f"{float(pot):.12g}" for pot in shape.pots),
            f"{float(shape.uncalled_raise):.12g}" if shape.uncalled_raise else "",
            f"{charged / 100:,.2f}",
        )
    _print(assumed)


_IDLE = {"timed": ("cap", "chip", "pots"), "percentage": ("period", "hands_per_hour")}
"""By form of Rake: what is said of the other form alone."""


def _nothing_idle(form: str) -> None:
    """Refuse what would change nothing."""
    context = click.get_current_context()
    for name in _IDLE[form]:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = name.replace("_", "-")
            raise click.UsageError(f"--{option} says nothing of a {form} Rake; leave it out.")


# ---- simulate --------------------------------------------------------------------------------


@click.command(
    epilog="Example: croupier lab simulate v3 --rounds 10000000 --ante 10 --bonus 5 --stake 5 "
    "--reset 50000 --contribution 1 --tables 8 --boxes 5 --html report.html"
)
@click.argument("book")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=1_000_000,
    show_default=True,
    help="Rounds at each table.",
)
@click.option(
    "--strategy",
    "named",
    default="optimal",
    show_default=True,
    metavar="NAME",
    help="optimal, always, check, made-hands, or MODULE:NAME of your own.",
)
@click.option("--fold", metavar="HANDS", help="Fold these starting hands instead: '72o,32o'; ''.")
@click.option("--ante", type=amount, default="10", show_default=True, help="The Ante of a box.")
@click.option("--bonus", type=amount, default="0", show_default=True, help="Its Bonus bet.")
@click.option("--stake", type=amount, default="0", show_default=True, help="Its jackpot stake.")
@click.option("--reset", type=amount, help="Where the meter starts again; needed with --stake.")
@click.option("--contribution", type=amount, help="What a stake adds; needed with --stake.")
@click.option("--meter", type=amount, help="Where the meter stands at first; if not given, reset.")
@click.option(
    "--tables", type=click.IntRange(1), default=1, show_default=True, help="Tables on the link."
)
@click.option(
    "--boxes", type=click.IntRange(1), default=1, show_default=True, help="Boxes at each table."
)
@click.option(
    "--rounds-per-hour", type=click.IntRange(1), default=40, show_default=True, help="At a table."
)
@click.option(
    "--session",
    "session_rounds",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Rounds of a session.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="PART=VALUE",
    help="Replace a pay line, parameter or policy; may be given several times.",
)
@_seed
@_threads
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep what is done there, and go on from there.",
)
@click.option("--cluster", metavar="ADDRESS", help="Play on the Dask cluster of that scheduler.")
@click.option("--workers", type=click.IntRange(1), help="Play by so many Dask workers here.")
@_json
@html_option
def simulate(
    book: str,
    rounds: int,
    named: str,
    fold: str | None,
    ante: int,
    bonus: int,
    stake: int,
    reset: int | None,
    contribution: int | None,
    meter: int | None,
    tables: int,
    boxes: int,
    rounds_per_hour: int,
    session_rounds: int,
    settings: tuple[str, ...],
    seed: int,
    threads: int | None,
    checkpoint: Path | None,
    cluster: str | None,
    workers: int | None,
    as_json: bool,
    html: Path | None,
) -> None:
    """Play whole rounds of BOOK and see how sessions, the House and the jackpot fare.

    The same seed gives the same numbers whatever the threads, workers or interruptions. Ctrl-C
    stops it, shows what came out so far, and says how to go on (exit status 130).
    """
    if stake and (reset is None or contribution is None):
        raise click.UsageError(
            "A jackpot stake needs --reset and --contribution: no rulebook gives them (B-01)."
        )
    if not stake and (reset, contribution, meter) != (None, None, None):
        raise click.UsageError("--reset, --contribution and --meter need a jackpot --stake.")
    asked = open_book(book)
    with waiting() as progress:
        from croupier.lab import what_if
        from croupier.lab.floor import Floor, Link
        from croupier.lab.simulate import Plan
        from croupier.lab.simulate_pay import Stakes

        asked, _ = what_if(asked, settings)
        progress(f"strategy {named}")
        plan = Plan.make(
            asked,
            _strategy(named, asked, fold),
            Stakes(ante=ante, bonus=bonus, progressive=stake),
            rounds=rounds,
            seed=seed,
            session_rounds=session_rounds,
            floor=Floor(tables=tables, boxes=boxes, rounds_per_hour=rounds_per_hour),
            link=Link(reset=reset or 0, contribution=contribution or 0, meter=meter),
        )
    result = _run(plan, threads, checkpoint, cluster, workers)
    from croupier.lab.report_simulation import simulation_answer, simulation_report

    if html is not None:
        write_report(html, simulation_report(result, asked, made_by=command_line()))
    if as_json:
        _print_json(simulation_answer(result))
    else:
        _show_simulation(result)
    if not result.complete:
        sys.exit(EXIT_INTERRUPTED)


def _run(
    plan: Plan,
    threads: int | None,
    checkpoint: Path | None,
    cluster: str | None,
    workers: int | None,
) -> Result:
    from croupier.lab.simulate import simulate as play

    rescue = Path(f"croupier-simulation-{plan.fingerprint[:8]}.npz")
    with _bar() as progress:
        if cluster is None and workers is None:
            result = play(
                plan, threads=threads, checkpoint=checkpoint, rescue=rescue, progress=progress
            )
        else:
            from croupier.lab.cluster import connect

            with connect(cluster, workers=workers) as client:
                result = play(
                    plan, client=client, checkpoint=checkpoint, rescue=rescue, progress=progress
                )
    if not result.complete:
        kept = checkpoint or rescue
        click.echo(
            f"croupier: interrupted after {result.rounds:,} of {plan.rounds:,} rounds at each "
            f"table. What is done is in {kept}; the same command with --checkpoint {kept} goes on.",
            err=True,
        )
    return result


@contextmanager
def _bar() -> Iterator[Progress]:
    """A bar with the time left on standard error, where that is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, of: None
        return
    with Progress(
        TextColumn("rounds"),
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    ) as bar:
        task = bar.add_task("rounds", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _strategy(named: str, book: Rulebook, fold: str | None) -> Strategy:
    from croupier.lab.simulate_optimal import strategy_named
    from croupier.lab.simulate_strategy import StrategyError, with_folds

    folded = None if fold is None else tuple(fold.replace(",", " ").split())
    if ":" not in named:
        return strategy_named(named, book, fold=folded)
    module, _, name = named.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), name)):
        raise StrategyError(f"strategy {named}: write it as MODULE:NAME, as in my_play:mine")
    try:
        found = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        raise StrategyError(f"strategy {named}: there is no module {error.name!r}") from error
    except AttributeError:
        raise StrategyError(f"strategy {named}: {module} has no {name!r}") from None
    strategy: Strategy = found if hasattr(found, "decide") else _made(found)
    if not hasattr(strategy, "decide"):
        raise StrategyError(f"strategy {named}: it is no Strategy and makes none")
    return strategy if folded is None else with_folds(strategy, folded)


def _made(found: Any) -> Any:
    """What a function without arguments gives; nothing where it is no such function."""
    try:
        inspect.signature(found).bind()
    except (TypeError, ValueError):
        return None
    return found()


def _show_simulation(result: Result) -> None:
    plan, stakes = result.plan, result.plan.schedule.stakes
    table = _table(("Bet", "For each", "Won or lost", "± (95%)", "Standard deviation"), 2)

    def row(name: str, unit_name: str, mean: Mean, unit: int) -> None:
        table.add_row(
            name,
            unit_name,
            f"{mean.mean / unit:+.4%}",
            f"{1.96 * mean.error / unit:.4%}",
            f"{mean.deviation / unit:,.4f}",
        )

    row("Main bets", "Ante", result.main, stakes.ante)
    if stakes.bonus:
        row("Bonus", "unit", result.bonus, stakes.bonus)
    if stakes.progressive:
        row("Jackpot", "unit", result.progressive, stakes.progressive)
    row("All bets", "Ante", result.total, stakes.ante)
    _print(
        f"{plan.book}, strategy {plan.strategy.name}: {result.box_rounds:,} rounds, "
        f"{plan.floor.tables} table(s) with {plan.floor.boxes} box(es), seed {plan.seed}",
        table,
    )
    if result.awards_are_few:
        from croupier.lab.report_simulation import few_awards

        _print(few_awards(result))
    often = _table(("Of rounds", *(name.replace("_", " ") for name in result.frequencies)), 1)
    often.add_row("", *(f"{share:.3%}" for share in result.frequencies.values()))
    _print(often)
    if len(result.session_results):
        shares = (0.05, 0.25, 0.5, 0.75, 0.95)
        sessions = _table(("Sessions", "won", *(f"{share:.0%}" for share in shares)), 1)
        won = float((result.session_results > 0).mean())
        ends = [f"{cents / 100:+,.2f}" for cents in result.quantiles(*shares)]
        sessions.add_row(f"of {plan.session_rounds:,} rounds", f"{won:.1%}", *ends)
        _print(sessions)
    if stakes.progressive:
        lines = _table(("Jackpot line", "Paid"), 1)
        for line, times in result.progressive_counts.items():
            lines.add_row(line, f"{times:,}")
        gaps = result.jackpot_gaps
        told = f"The meter stands at {result.meter.end / 100:,.2f}."
        if gaps:
            told += (
                f" Won {len(gaps):,} time{'s' if len(gaps) > 1 else ''}, the first after "
                f"{gaps[0]:,} rounds of the floor ({gaps[0] * result.hours_per_round:,.0f} hours)."
            )
            if len(gaps) > 1 and result.rounds_per_jackpot is not None:
                told += f" On average one in {result.rounds_per_jackpot:,.0f} rounds."
        _print(lines, told)


def _table(headings: tuple[str, ...], right_from: int) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place >= right_from else "left")
    return table


def _print(*shown: Table | str) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    for one in shown:
        console.print(one)
    console.print()


def _print_json(answer: object) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))


COMMANDS: dict[str, click.Command] = {"equity": equity, "rake": rake, "simulate": simulate}
"""What `croupier lab` finds here."""

__all__ = ["COMMANDS", "LabError", "command_line", "html_option", "write_report"]
