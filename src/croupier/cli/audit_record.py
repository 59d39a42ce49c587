"""`croupier audit log`, `account`, `statement` and `who`: what is stored, asked and printed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, time
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, TypeVar
from zoneinfo import ZoneInfo

import click
from msgspec import Struct
from rich.console import Console
from rich.text import Text

from croupier.cli.audit_store import opened_store, progress_shown
from croupier.cli.gaming_day import DAY, begins, zone
from croupier.house.documents import (
    Document,
    Section,
    label,
    moment,
    shown,
    write_csv,
    write_json,
    write_page,
)
from croupier.house.errors import StorageError
from croupier.house.names import visible
from croupier.house.private import make_private
from croupier.house.queries import (
    LogLine,
    Wanted,
    account_lines,
    account_named,
    acts_of,
    log_lines,
    make_statement,
)
from croupier.house.queries.log import KINDS
from croupier.house.queries.printed import (
    account_document,
    log_document,
    statement_document,
    who_document,
)
from croupier.house.queries.statement import round_lines
from croupier.house.queries.walk import length_of, places_of
from croupier.house.reports import GamingDay
from croupier.house.reports.sheets import MONEY
from croupier.house.store import Store

F = TypeVar("F", bound=Callable[..., Any])
WRITERS = {"csv": write_csv, "json": write_json, "page": write_page}
BY_SUFFIX = {".csv": "csv", ".json": "json", ".html": "page", ".htm": "page"}
MEASURED = 200
"""Rows by which the widths of columns are found."""


class Moment(click.ParamType[datetime]):
    """A moment of the House's clock: a date, or a date and a time; in --zone unless it says so."""

    name = "TIME"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no time; write 2026-11-16 or 2026-11-16T20:15", param, ctx)


class Asked(Struct, frozen=True, kw_only=True):
    """From when until when, and how it is written."""

    since: datetime | None
    until: datetime | None
    zone: ZoneInfo
    form: str
    """`table`, or one of the writers."""
    out: Path | None

    @property
    def whole(self) -> bool:
        """Whether a program reads it."""
        return self.form in ("csv", "json")


def asked(function: F) -> F:
    """Which time it is about, and how it is written."""
    options = (
        click.option("--since", type=Moment(), help="From this moment on, such as 2026-11-16."),
        click.option("--until", type=Moment(), help="Up to this moment; it is not part of it."),
        click.option(
            "--day",
            type=DAY,
            help="One gaming day, instead of --since and --until.",
        ),
        begins,
        zone,
        click.option("--csv", "form", flag_value="csv", help="Write CSV; amounts are cents."),
        click.option("--json", "form", flag_value="json", help="Write JSON; amounts are cents."),
        click.option("--page", "form", flag_value="page", help="Write a page (HTML) to print."),
        click.option(
            "--out",
            type=click.Path(path_type=Path, dir_okay=False),
            help="The file to write, readable by its owner alone; what is not said of its form "
            "its name says (.csv, .json, .html).",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def read_asked(
    since: datetime | None,
    until: datetime | None,
    day: datetime | None,
    begins: time,
    zone: ZoneInfo,
    form: str | None,
    out: Path | None,
) -> Asked:
    """The options, each held to the others."""
    if day is not None:
        if since is not None or until is not None:
            raise click.UsageError("--day is a time of its own: leave --since and --until out")
        of = GamingDay(day=day.date(), begins=begins, zone=zone)
        since, until = of.start, of.end
    since, until = (
        t.replace(tzinfo=zone) if t is not None and t.tzinfo is None else t for t in (since, until)
    )
    if since is not None and until is not None and until <= since:
        raise click.UsageError("--until is before --since: nothing lies between them")
    if form is None and out is not None:
        form = BY_SUFFIX.get(out.suffix.lower())
        if form is None:
            raise click.UsageError(f"{out}: say --csv, --json or --page, or let its name end so")
    return Asked(since=since, until=until, zone=zone, form=form or "table", out=out)


@click.command("log")
@click.argument("url")
@click.option("--table", "place", metavar="NAME", help="At this table or link, or `office`.")
@click.option("--round", "number", type=click.IntRange(min=0), help="In this round of the table.")
@click.option(
    "--player", metavar="NAME", help="What a player ordered, or what names them or the seat."
)
@click.option("--staff", metavar="NAME", help="What this person ordered.")
@click.option("--paragraph", metavar="N", help="Where this paragraph or standard was cited.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(KINDS),
    multiple=True,
    help="Rulings of this kind; may be given several times.",
)
@click.option("--question", metavar="NAME", help="Decisions of this question (`confirm void`).")
@click.option("--refused", is_flag=True, help="With what was refused.")
@click.option("--people", is_flag=True, help="Without what the software did by itself.")
@asked
def log(
    url: str,
    place: str | None,
    number: int | None,
    player: str | None,
    staff: str | None,
    paragraph: str | None,
    kinds: tuple[str, ...],
    question: str | None,
    refused: bool,
    people: bool,
    **options: Any,
) -> None:
    """Tell what was ordered and what came of it, by time.

    URL is the database, or the file of an export. Cards that lie face down are not told: `croupier
    audit round` tells them of a round that is over.

    \b
    Example:
      croupier audit log sqlite:///house.db --table Raffles --kind void --kind undone
      croupier audit log sqlite:///house.db --player Ann --day 2026-11-16 --refused --page
    """
    told = read_asked(**options)
    wanted = Wanted(
        place=place,
        player=player,
        staff=staff,
        since=told.since,
        until=told.until,
        paragraph=paragraph,
        kinds=frozenset(kinds),  # type: ignore[arg-type]
        question=question,
        round=number,
        refused=refused,
        people_only=people,
        data=told.form == "json",
    )
    if number is not None and place is None:
        raise click.UsageError("--round is a round of one table: name it with --table")
    with reading(url, told, place) as (store, tell):
        lines = log_lines(store, wanted, tell)
        document = log_document(wanted, lines, zone=told.zone, whole=told.whole)
        print_document(document, told, lines=lines)


@click.command("account")
@click.argument("url")
@click.argument("name")
@asked
def account(url: str, name: str, **options: Any) -> None:
    """Tell every entry of one account, with who ordered it and what it held after it.

    URL is the database, or the file of an export. NAME is a player, or an account of the ledger:
    cash, house/bank, table/Raffles/rake, link/Marina/meter.

    \b
    Example:
      croupier audit account sqlite:///house.db Ann --day 2026-11-16
      croupier audit account sqlite:///house.db table/Raffles/rake --csv
    """
    told = read_asked(**options)
    with reading(url, told) as (store, tell):
        of = account_named(store, name)
        lines = account_lines(store, of, since=told.since, until=told.until, progress=tell)
        document = account_document(
            of, lines, since=told.since, until=told.until, zone=told.zone, whole=told.whole
        )
        print_document(document, told)


@click.command("statement")
@click.argument("url")
@click.argument("player")
@click.option("--rounds", is_flag=True, help="With every round with a stake of the player's.")
@asked
def statement(url: str, player: str, rounds: bool, **options: Any) -> None:
    """Make a statement for PLAYER: the account, and what was done at each table.

    URL is the database, or the file of an export.

    \b
    Example:
      croupier audit statement sqlite:///house.db Ann --day 2026-11-16 --out ann.html
    """
    told = read_asked(**options)
    span = {"since": told.since, "until": told.until}
    with reading(url, told) as (store, tell):
        made = make_statement(store, player, **span, progress=tell)
        each = round_lines(store, player, **span, progress=tell) if rounds else None
        print_document(statement_document(made, each, zone=told.zone, whole=told.whole), told)


@click.command("who")
@click.argument("url")
@click.argument("name")
@asked
def who(url: str, name: str, **options: Any) -> None:
    """Tell everything that NAME of the staff did, and for whom.

    URL is the database, or the file of an export. It begins with the times on duty and ends with
    whom the orders concerned; what was refused is there too.

    \b
    Example:
      croupier audit who sqlite:///house.db Sam --day 2026-11-16
    """
    told = read_asked(**options)
    with reading(url, told) as (store, tell):
        span = {"since": told.since, "until": told.until}
        acts = acts_of(store, name, **span, data=told.form == "json", progress=tell)
        print_document(who_document(acts, zone=told.zone, whole=told.whole), told, lines=acts.lines)


# -- reading and printing -------------------------------------------------------------------------


@contextmanager
def reading(
    url: str, told: Asked, place: str | None = None
) -> Iterator[tuple[Store, Callable[[int], None]]]:
    """What is stored, as it stands now, and whom to tell how far it was read."""
    quiet = told.out is None and not sys.stderr.isatty()
    with (
        opened_store(url) as (opened, _),
        opened.as_it_stands() as store,
        progress_shown("0 events", quiet, bar=True) as progress,
    ):
        total = length_of(store, places_of(store, place))
        if told.form == "table" and sys.stdout.isatty():
            progress.stop()  # the lines themselves show how far it is
        progress.update(progress.task_ids[0], total=total)
        last = [0]

        def tell(rows: int) -> None:
            if rows - last[0] >= 1_000 or rows < last[0]:
                last[0] = rows
                progress.update(
                    progress.task_ids[0], description=f"{rows:,} events", completed=rows
                )

        yield store, tell


def print_document(
    document: Document, told: Asked, *, lines: Iterator[LogLine] | None = None
) -> None:
    """Write a document as it was asked for; lines of the log are told as a story on a console."""
    if told.form == "table":
        if told.out is not None:
            raise click.UsageError("--out takes --csv, --json or --page")
        _Printer(document, lines).print()
        return
    with _stream(told.out) as stream:
        WRITERS[told.form](document, stream)
    if told.out is not None:
        click.echo(f"{told.out} is written.", err=True)


@contextmanager
def _stream(out: Path | None) -> Iterator[IO[str]]:
    """Standard output, or a file that is written whole or not at all, for its owner alone."""
    if out is None:
        yield sys.stdout
        return
    beside = out.with_name(f"{out.name}.part")
    try:
        beside.unlink(missing_ok=True)
        make_private(beside)
        with beside.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        beside.replace(out)
    except OSError as error:
        raise StorageError(f"{out} cannot be written: {error}") from error
    finally:
        beside.unlink(missing_ok=True)


class _Printer:
    """A document on a console."""

    def __init__(self, document: Document, lines: Iterator[LogLine] | None) -> None:
        self.document = document
        self.lines = lines
        self.console = Console(soft_wrap=True, highlight=False)

    def print(self) -> None:
        self.console.print(Text(visible(self.document.title), style="bold"))
        for word, says in self.document.facts:
            self.console.print(Text(f"  {word:15} {visible(says)}"))
        for section in self.document.sections:
            self.console.print()
            if section.title in ("log", "acts") and self.lines is not None:
                self._story(self.lines)
            else:
                self._table(section)

    def _story(self, lines: Iterator[LogLine]) -> None:
        none = True
        for line in lines:
            none = False
            where = line.place + (f" #{line.round}" if line.round else "")
            by = line.who if line.who == line.rank else f"{line.who}, {line.rank}"
            head = Text(f"{moment(line.at, self.document.zone)}  {visible(where)}  ", style="dim")
            head.append(visible(by), style="bold")
            if line.kinds:
                head.append(f"  {', '.join(line.kinds)}", style="yellow")
            self.console.print(head)
            if line.order:
                self.console.print(Text(f"    {visible(line.order)}"))
            says = Text("    ")
            if line.refused:
                says.append("Refused: ", style="red")
            says.append(visible(line.says))
            if line.cites:
                says.append(f"  [{', '.join(line.cites)}]", style="dim")
            self.console.print(says)
        if none:
            self.console.print("Nothing.")

    def _table(self, section: Section) -> None:
        self.console.print(Text(section.title.capitalize(), style="bold"))
        columns = section.columns
        rows = (
            [shown(c, value, self.document.zone) for c, value in zip(columns, row, strict=True)]
            for row in section.rows
        )
        some = list(islice(rows, MEASURED))
        if not some:
            self.console.print("  Nothing.")
            return
        heads = [label(column) for column in columns]
        widths = [max(map(len, cells)) for cells in zip(heads, *some, strict=True)]
        if sum(widths) + 2 * len(widths) > self.console.width:
            self._records(heads, chain(some, rows))
            return
        self.console.print(Text(self._line(columns, heads, widths), style="dim"))
        for row in chain(some, rows):
            self.console.print(Text(self._line(columns, row, widths)))

    def _records(self, heads: list[str], rows: Iterable[list[str]]) -> None:
        """Too wide for a table: one below the other."""
        wide = max(map(len, heads))
        for row in rows:
            for head, text in zip(heads, row, strict=True):
                if text:
                    self.console.print(Text(f"  {head:{wide}}  {text}"))
            self.console.print()

    @staticmethod
    def _line(columns: tuple[str, ...], cells: list[str], widths: list[int]) -> str:
        padded = (
            f"{text:>{wide}}" if column in MONEY else f"{text:{wide}}"
            for column, text, wide in zip(columns, cells, widths, strict=True)
        )
        return "  " + "  ".join(padded).rstrip()
