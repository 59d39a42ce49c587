"""What was asked of the record, as documents: the log, an account, a statement, a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo

from croupier.house.documents import SECONDS, Document, Section
from croupier.house.office import OFFICE
from croupier.house.queries.account import AccountLine
from croupier.house.queries.log import LogLine, Wanted
from croupier.house.queries.statement import RoundLine, Statement
from croupier.house.queries.who import Acts, DutyLine, ForWhom

LOG = (
    *("at", "place", "round", "position", "number", "who", "rank", "duty", "order", "says"),
    *("cites", "kinds", "people", "refused", "command_id"),
)
LOG_READ = ("at", "where", "by", "order", "says", "cites", "kinds", "people")
"""What a person reads."""
ACCOUNT = (
    *("at", "place", "round", "position", "number", "who", "rank", "order", "against"),
    *("amount", "balance"),
)
ACCOUNT_READ = ("at", "place", "round", "who", "order", "against", "amount", "balance")
STATEMENT_READ = ("at", "what", "amount", "balance")
TABLES = (
    *("table", "rounds", "brought_forward", "buy_in", "wagered", "won", "net", "cash_out"),
    *("chips", "unclaimed"),
)
ROUNDS = RoundLine.__struct_fields__
DUTY = DutyLine.__struct_fields__
FOR_WHOM = ForWhom.__struct_fields__


def _rows(records: Iterable[object], columns: tuple[str, ...]) -> Iterator[tuple[object, ...]]:
    return (tuple(getattr(record, column) for column in columns) for record in records)


def _by(line: LogLine) -> str:
    """Who gave an order, and as what. A rank is one of a table: in the office a duty alone says
    something, and whoever is on none there is no *player* for that."""
    rank = "" if line.place == OFFICE or line.who == line.rank else line.rank
    return ", ".join(filter(None, (line.who, line.duty or rank)))


def _log_rows(lines: Iterable[LogLine]) -> Iterator[tuple[object, ...]]:
    """Lines of the log as a person reads them."""
    for line in lines:
        yield (
            line.at,
            f"{line.place} #{line.round}" if line.round else line.place,
            _by(line),
            line.order,
            f"Refused: {line.says}" if line.refused else line.says,
            line.cites,
            line.kinds,
            line.people,
        )


def _statement_rows(lines: Iterable[AccountLine]) -> Iterator[tuple[object, ...]]:
    """Lines of an account as its owner reads them, and what is carried forward."""
    balance = 0
    for line in lines:
        if line.place and line.place != OFFICE:
            way = "Taken to" if line.amount < 0 else "Brought back from"
            what = f"{way} table {line.place}"
        else:
            what = line.order[:1].upper() + line.order[1:]
        balance = line.balance
        yield line.at, what, line.amount, balance
    yield "", "Carried forward", None, balance


def _span(since: datetime | None, until: datetime | None, zone: tzinfo) -> str:
    """From when until when, in words."""
    if since is None and until is None:
        return "from the beginning until now"
    first = since.astimezone(zone).strftime(SECONDS) if since is not None else "the beginning"
    last = until.astimezone(zone).strftime(SECONDS) if until is not None else "now"
    return f"{first} to {last} {_zone(zone)}"


def _zone(zone: tzinfo) -> str:
    return str(zone) if zone is not UTC else "UTC"


def _log_columns(whole: bool, data: bool) -> tuple[str, ...]:
    if not whole:
        return LOG_READ
    return (*LOG, "events") if data else LOG


def log_document(
    wanted: Wanted, lines: Iterable[LogLine], *, zone: tzinfo = UTC, whole: bool = False
) -> Document:
    """The log; `whole` with what only programs read, and with the events where they are wanted as
    data."""
    columns = _log_columns(whole, wanted.data)
    facts = (
        ("time", _span(wanted.since, wanted.until, zone)),
        ("place", wanted.place or "all"),
        ("player", wanted.player or ""),
        ("staff", wanted.staff or ""),
        ("paragraph", wanted.paragraph or ""),
        ("kinds", ", ".join(sorted(wanted.kinds))),
        ("question", wanted.question or ""),
        ("round", str(wanted.round) if wanted.round is not None else ""),
        ("refused orders", "with them" if wanted.refused else "left out"),
    )
    rows = _rows(lines, columns) if whole else _log_rows(lines)
    section = Section(title="log", columns=columns, rows=rows, wide="says")
    return Document(
        title="What the log says",
        facts=tuple((word, says) for word, says in facts if says),
        sections=(section,),
        zone=zone,
    )


def account_document(
    account: str,
    lines: Iterable[AccountLine],
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    zone: tzinfo = UTC,
    whole: bool = False,
) -> Document:
    """One account."""
    columns = ACCOUNT if whole else ACCOUNT_READ
    return Document(
        title=f"Account {account}",
        facts=(("time", _span(since, until, zone)),),
        sections=(
            Section(title="entries", columns=columns, rows=_rows(lines, columns), wide="order"),
        ),
        zone=zone,
    )


def statement_document(
    statement: Statement,
    rounds: Iterable[RoundLine] | None,
    *,
    zone: tzinfo = UTC,
    whole: bool = False,
) -> Document:
    """A player's statement; with every round, if they are wanted."""
    columns = ACCOUNT if whole else STATEMENT_READ
    sections = [
        Section(
            title="account",
            columns=columns,
            rows=_rows(statement.lines, columns) if whole else _statement_rows(statement.lines),
            wide="what",
            note="Every movement of the account, and what it held after it.",
        ),
        Section(
            title="tables",
            columns=TABLES,
            rows=_rows(statement.tables, TABLES),
            note="What was brought to each table, staked, won and taken away again. Stakes that "
            "came back are part of what was won.",
        ),
    ]
    if rounds is not None:
        sections.append(Section(title="rounds", columns=ROUNDS, rows=_rows(rounds, ROUNDS)))
    return Document(
        title=f"Statement for {statement.player}",
        facts=(
            ("player", statement.player),
            ("time", _span(statement.since, statement.until, zone)),
            ("clock", _zone(zone)),
        ),
        sections=tuple(sections),
        zone=zone,
    )


def who_document(acts: Acts, *, zone: tzinfo = UTC, whole: bool = False) -> Document:
    """What a member of staff did; what it comes to stands at the end, when all of it was read."""
    columns = _log_columns(whole, acts.data)

    def sections() -> Iterator[Section]:
        yield Section(title="duty", columns=DUTY, rows=_rows(acts.duty, DUTY))
        yield Section(
            title="acts",
            columns=columns,
            rows=_rows(acts.lines, columns) if whole else _log_rows(acts.lines),
            wide="says",
            note="Orders given, refused ones too, and orders of others about this person.",
        )
        people = sorted(acts.for_whom.values(), key=lambda each: (-each.orders, each.name))
        yield Section(title="for whom", columns=FOR_WHOM, rows=_rows(people, FOR_WHOM))
        yield Section(title="totals", columns=("of", "count"), rows=list(acts.totals.items()))

    return Document(
        title=f"What {acts.name} did",
        facts=(("role", acts.role), ("time", _span(acts.since, acts.until, zone))),
        sections=sections(),
        zone=zone,
    )
