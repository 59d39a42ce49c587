"""The sign at a table: what a player may read before he plays. It never changes while it is open.

Limits, the charge, the rulebook with its version, and a mark where the book is superseded or not
in force; in the banked games the pay tables and the rules of the jackpot.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from msgspec import Struct

from croupier.banked import BankedTable
from croupier.jackpot import JackpotLink, jackpot_rules
from croupier.poker import PokerTable
from croupier.rulebooks import Rulebook, load
from croupier.table import Money, Table


class RakeSign(Struct, frozen=True, kw_only=True):
    """The charge as the sign states it: a percentage with its cap, or a timed amount."""

    percent: str | None = None
    cap: Money | None = None
    timed: Money | None = None
    minutes: int | None = None


class PayLineSign(Struct, frozen=True, kw_only=True):
    """One line of a pay table."""

    line: str
    title: str
    pays: str


class PayTableSign(Struct, frozen=True, kw_only=True):
    """One pay table, in the order of the text."""

    table: str
    title: str
    lines: tuple[PayLineSign, ...]


class BookSign(Struct, frozen=True, kw_only=True):
    """Under which rules it is played."""

    title: str
    short: str
    rulebook: str
    version: int
    regulator: str
    in_force: bool
    superseded_by: str | None
    marked: str
    """A sentence that must be shown where it is not empty."""
    policies: dict[str, str]


class PokerSign(BookSign, frozen=True, kw_only=True):
    """The sign of a poker table."""

    seats: int
    blinds: tuple[Money, ...]
    minimum_stake: Money
    maximum_stake: Money | None
    chips: tuple[Money, ...]
    straddle: bool
    betting: str
    rake: RakeSign


class BankedSign(BookSign, frozen=True, kw_only=True):
    """The sign of a banked table."""

    boxes: int
    limits: dict[str, Money]
    multiples: dict[str, int]
    """Flop, Turn and River bets in Antes."""
    device: str
    chips: tuple[Money, ...]
    pays: tuple[PayTableSign, ...]
    jackpot_rules: tuple[str, ...]


CHIPS: tuple[int, ...] = (100, 500, 2500, 10_000, 50_000)
"""Chips that a page offers at a banked table; the books name none."""


def sign_of(table: Table[Any], link: JackpotLink | None, when: datetime) -> BookSign:
    """The sign of a table as it stands there at a moment."""
    match table:
        case PokerTable():
            return _poker(table, when)
        case BankedTable():
            return _banked(table, link, when)
        case _:
            raise TypeError(f"{type(table).__name__} has no sign")


def _book(book: Rulebook, stated: datetime | None, when: datetime) -> dict[str, Any]:
    known = book.effective is not None or stated is not None
    superseded = book.superseded(when)
    in_force = known and book.in_force(when, stated=stated)
    marked = ""
    if superseded and book.superseded_by is not None:
        later = load(book.superseded_by).short
        marked = f"{book.short} was superseded by {later}; this table was opened knowingly."
    elif not in_force:
        marked = f"{book.short} is not in force; this table was opened knowingly."
    return {
        "title": book.title,
        "short": book.short,
        "rulebook": book.id,
        "version": book.version,
        "regulator": book.regulator,
        "in_force": in_force,
        "superseded_by": book.superseded_by if superseded else None,
        "marked": marked,
    }


def _poker(table: PokerTable, when: datetime) -> PokerSign:
    settings = table.state.settings
    rake = settings.rake
    timed = rake is not None and rake.timed is not None
    return PokerSign(
        **_book(table.book, settings.effective, when),
        policies=dict(table.state.policies),
        seats=settings.seats,
        blinds=settings.blinds,
        minimum_stake=settings.minimum_stake,
        maximum_stake=settings.maximum_stake,
        chips=settings.chips,
        straddle=settings.straddle,
        betting="No Limit",
        rake=RakeSign(
            percent=None if rake is None or rake.percent is None else str(rake.percent),
            cap=rake.cap if rake is not None else None,
            timed=rake.timed if rake is not None else None,
            minutes=rake.minutes if rake is not None and timed else None,
        ),
    )


def _banked(table: BankedTable, link: JackpotLink | None, when: datetime) -> BankedSign:
    settings, book = table.state.settings, table.book
    names = ("ante_minimum", "ante_maximum", "bonus_minimum", "bonus_maximum", "progressive")
    return BankedSign(
        **_book(book, settings.effective, when),
        policies=dict(table.state.policies),
        boxes=settings.boxes_in_use,
        limits={name: getattr(settings, name) for name in names},
        multiples=dict(table.multiples),
        device=settings.device,
        chips=CHIPS,
        pays=pay_tables(book),
        jackpot_rules=tuple(jackpot_rules(link)) if link is not None else (),
    )


PAY_IN_TITLE = re.compile(r" (?:(?:pays|fixed) )?[\d,]+(?: percent)?$| pays even money$")
"""What some titles of lines end with: the pay, which stands beside them already."""
WHOLE = re.compile(r"\d{4,}")


def _hand(title: str) -> str:
    """What a line pays for, without what it pays."""
    return PAY_IN_TITLE.sub("", title).replace("Four of Kind", "Four of a Kind")


def _pays(pays: str) -> str:
    """What a line pays, as money and odds are written at the table."""
    return WHOLE.sub(lambda found: f"{int(found[0]):,}", pays.removeprefix("$"))


def pay_tables(book: Rulebook) -> tuple[PayTableSign, ...]:
    """The pay tables of a book as they stand on the layout."""
    return tuple(
        PayTableSign(
            table=table.id,
            title=table.title,
            lines=tuple(
                PayLineSign(
                    line=line.id,
                    title=_hand(book.paragraph(line.id).title),
                    pays=_pays(str(line.pays)),
                )
                for line in table.lines
            ),
        )
        for table in book.pays.values()
    )
