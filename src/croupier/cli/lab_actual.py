"""`croupier lab actual`: what a House really won, against theory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from croupier.cli import gaming_day
from croupier.cli.books import open_book
from croupier.cli.lab import html_option, waiting

if TYPE_CHECKING:
    from croupier.house.reports.actual import BankedRound, PokerRake
    from croupier.house.store import Store
    from croupier.lab.actual import RakedRound, Rounds


@click.command(epilog="Example: croupier lab actual sqlite:///house.db --html actual.html")
@click.argument("source", metavar="DATABASE|AUDIT-FILE")
@gaming_day.begins
@gaming_day.zone
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@html_option
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the page, the JSON and the chart (SVG) into a folder.",
)
def actual(
    source: str,
    begins: time,
    zone: ZoneInfo,
    as_json: bool,
    html: Path | None,
    into: Path | None,
) -> None:
    """What the House of DATABASE or AUDIT-FILE really won, beside what its bets come to.

    By game, table, dealer and gaming day: exact sums of the ledger against the exact theory of the
    bets that were placed, with the bands in which they lie 95 and 99% of the time. What lies
    outside is marked and explained as far as it can be. Of poker tables: the Rake taken against
    the rules.

    The first time a book is asked for, all its deals are counted, which takes a minute or two; the
    counts are kept.
    """
    with waiting() as progress, read_from(source) as store:
        answer = _answer(store, source, begins, zone, progress)
        if into is not None:
            progress("drawing")
            _write_into(into, answer)
            return
    _show(answer, as_json=as_json, html=html)


@contextmanager
def read_from(source: str) -> Iterator[Store]:
    """The database, or an audit file read into one of its own."""
    from croupier.cli.audit_store import opened_store
    from croupier.house.audit.export import is_export

    path = Path(source)
    if "://" not in source and not path.exists():
        raise click.UsageError(
            f"{source}: there is no such file; name a database such as sqlite:///house.db, or "
            "a file that `croupier audit export` wrote"
        )
    named = "://" in source or is_export(path)
    with opened_store(source if named else f"sqlite:///{path}") as (store, _):
        yield store


def _answer(
    store: Store, source: str, begins: time, zone: ZoneInfo, progress: Any
) -> dict[str, Any]:
    from croupier.house.gaming_day import GamingDay
    from croupier.house.reports.actual import BankedRound, bank_of, rounds_of
    from croupier.lab.actual import compare
    from croupier.lab.actual_answer import actual_answer
    from croupier.lab.actual_theory import theory_of

    left_out: dict[str, int] = {}
    banks: dict[str, int] = {}
    found: list[Rounds | RakedRound] = []
    progress("reading the log")
    for each in rounds_of(store, lambda when: GamingDay.of(when, begins=begins, zone=zone)):
        if not isinstance(each, BankedRound):
            found.append(_raked(each))
            continue
        record = each.record
        banks[record.table] = banks.get(record.table, 0) + each.bank
        if (why := _why_not(each)) is not None:
            left_out[why] = left_out.get(why, 0) + 1
        else:
            found.append(_round(each))
    if not found and not left_out:
        raise click.UsageError(f"{source}: there is no finished round in it that can be compared")
    books = sorted({each.book for each in found if not hasattr(each, "by_rules")})
    theories = {book: theory_of(open_book(book), progress) for book in books}
    differs = [
        {"table": table, "rounds": bank / 100, "ledger": held / 100}
        for table, bank in banks.items()
        if (held := bank_of(store, table)) != bank
    ]
    return actual_answer(
        compare(found, theories), theories, source=source, left_out=left_out, ledger=differs
    )


def _why_not(each: BankedRound) -> str | None:
    """Why a round is not compared; None for one that is."""
    record = each.record
    if record.status == "void":
        return "void: every stake went back"
    if not any("ante" in box.bets for box in record.boxes):
        return "in which no box had an Ante"
    return None


def _round(each: BankedRound) -> Rounds:
    from croupier.lab.actual import Rounds

    record = each.record
    return Rounds(
        table=record.table,
        book=record.rulebook,
        dealer=each.dealer,
        day=each.day,
        number=record.round,
        boxes=tuple(_box(box) for box in record.boxes if "ante" in box.bets),
        house=each.bank,
        policies=record.policies,
    )


def _box(box: Any) -> Any:
    from croupier.house.reports.actual import MAIN, won_on
    from croupier.lab.actual import Box

    def staked(bet: str) -> int:
        return box.bets[bet].staked if bet in box.bets else 0

    return Box(
        ante=staked("ante"),
        bonus=staked("bonus"),
        stake=staked("progressive"),
        main_won=won_on(box, MAIN),
        bonus_won=won_on(box, ("bonus",)),
        stake_won=won_on(box, ("progressive",)),
        folded="flop" not in box.bets or not staked("flop"),
        turn=staked("turn") > 0,
        river=staked("river") > 0,
        main_staked=sum(staked(bet) for bet in MAIN),
    )


def _raked(each: PokerRake) -> RakedRound:
    from croupier.lab.actual import RakedRound
    from croupier.lab.rake import Terms, rake_of

    record = each.record
    terms = Terms(share=Fraction(record.percent) / 100, cap=record.cap, chip=record.chip)
    return RakedRound(
        table=each.table,
        book=each.book,
        dealer=each.dealer,
        day=each.day,
        number=record.round,
        taken=record.taken,
        by_rules=sum(rake_of(record.bases, terms)),
        base=sum(record.bases),
    )


def _show(answer: dict[str, Any], *, as_json: bool, html: Path | None) -> None:
    from croupier.cli.lab_play import command_line, write_report
    from croupier.lab.report_actual import actual_parts, actual_report

    if html is not None:
        write_report(html, actual_report(answer, made_by=command_line()))
    if as_json:
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
    elif html is None:
        from croupier.cli.lab_parts import print_parts

        print_parts("Actual against theory", actual_parts(answer, drawn=False))


def _write_into(folder: Path, answer: dict[str, Any]) -> None:
    """The page, the data and the chart, side by side."""
    from croupier.cli.lab_parts import write_data
    from croupier.cli.lab_play import command_line, write_report
    from croupier.cli.outputs import write_text
    from croupier.lab.report import svg_file
    from croupier.lab.report_actual import actual_report, chart_of

    write_data(folder, "actual", answer)
    if answer["groups"]:
        write_text(folder, "actual.svg", svg_file(chart_of(answer)))
    write_report(folder / "actual.html", actual_report(answer, made_by=command_line()))


COMMANDS: dict[str, click.Command] = {"actual": actual}
"""What `croupier lab` finds here."""
