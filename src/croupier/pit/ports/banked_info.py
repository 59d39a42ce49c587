"""Information on a banked table: limits, the pay tables and the rules of the jackpot."""

from __future__ import annotations

from datetime import datetime

from croupier.banked import BankedTable
from croupier.banked.betting import BETS_CLOSED
from croupier.banked.showing import told_of_not_showing
from croupier.jackpot import JackpotLink, jackpot_rules
from croupier.pit.ports.pay_tables import PayTableInfo, pay_tables
from croupier.pit.ports.table_info import Consequence, TableInfo, book_info
from croupier.rulebooks import Topic
from croupier.table import Money


class BankedTableInfo(TableInfo, frozen=True, kw_only=True):
    """What a player may read of a banked table."""

    boxes: int
    limits: dict[str, Money]
    multiples: dict[str, int]
    """Flop, Turn and River bets in Antes."""
    device: str
    chips: tuple[Money, ...]
    pays: tuple[PayTableInfo, ...]
    jackpot_rules: tuple[str, ...]
    not_showing: Consequence
    bets_closed: Consequence
    """What is said of a bet that came after the close."""


CHIPS: tuple[int, ...] = (100, 500, 2500, 10_000, 50_000)
"""Chips that a page offers at a banked table; the books name none."""


def limits_of(table: BankedTable) -> dict[str, Money]:
    """The limits of a banked table, by the names of its settings."""
    names = ("ante_minimum", "ante_maximum", "bonus_minimum", "bonus_maximum", "progressive")
    return {name: getattr(table.state.settings, name) for name in names}


def banked_info(table: BankedTable, link: JackpotLink | None, when: datetime) -> BankedTableInfo:
    """What a player may read of a banked table at a moment."""
    settings, book = table.state.settings, table.book
    return BankedTableInfo(
        **book_info(book, settings.effective, when),
        policies=dict(table.state.policies),
        seen=settings.acting == "seen",
        boxes=settings.boxes_in_use,
        limits=limits_of(table),
        multiples=dict(table.multiples),
        device=settings.device,
        chips=CHIPS,
        pays=pay_tables(book),
        jackpot_rules=tuple(jackpot_rules(link)) if link is not None else (),
        not_showing=Consequence(
            says=told_of_not_showing(table), cites=table.cite(Topic.NOT_SHOWING)
        ),
        bets_closed=Consequence(
            says=BETS_CLOSED, cites=table.cite(Topic.NO_CHANGES_AFTER_CLOSE, Topic.CLOSING_CALL)
        ),
    )
