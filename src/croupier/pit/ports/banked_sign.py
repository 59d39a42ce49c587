"""The sign of a banked table: limits, the pay tables and the rules of the jackpot."""

from __future__ import annotations

import re
from datetime import datetime

from msgspec import Struct

from croupier.banked import BankedTable
from croupier.jackpot import JackpotLink, jackpot_rules
from croupier.pit.ports.sign import BookSign, of_the_book
from croupier.rulebooks import Rulebook
from croupier.table import Money


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


def limits_of(table: BankedTable) -> dict[str, Money]:
    """The limits of a banked table, by the names of its settings."""
    names = ("ante_minimum", "ante_maximum", "bonus_minimum", "bonus_maximum", "progressive")
    return {name: getattr(table.state.settings, name) for name in names}


def banked_sign(table: BankedTable, link: JackpotLink | None, when: datetime) -> BankedSign:
    """The sign of a banked table as it stands there at a moment."""
    settings, book = table.state.settings, table.book
    return BankedSign(
        **of_the_book(book, settings.effective, when),
        policies=dict(table.state.policies),
        boxes=settings.boxes_in_use,
        limits=limits_of(table),
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
