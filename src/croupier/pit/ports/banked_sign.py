"""The sign of a banked table: limits, the pay tables and the rules of the jackpot."""

from __future__ import annotations

from datetime import datetime

from croupier.banked import BankedTable
from croupier.jackpot import JackpotLink, jackpot_rules
from croupier.pit.ports.pay_tables import PayTableSign, pay_tables
from croupier.pit.ports.sign import BookSign, of_the_book
from croupier.table import Money


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
