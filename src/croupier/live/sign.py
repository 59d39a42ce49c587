"""The sign at a table: what a player may read before he plays."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from croupier.banked import BankedTable
from croupier.jackpot import JackpotLink
from croupier.pit.ports.banked_sign import banked_sign
from croupier.pit.ports.poker_sign import poker_sign
from croupier.pit.ports.sign import BookSign
from croupier.poker import PokerTable
from croupier.table import Table


def sign_of(table: Table[Any], link: JackpotLink | None, when: datetime) -> BookSign:
    """The sign of a table as it stands there at a moment."""
    match table:
        case PokerTable():
            return poker_sign(table, when)
        case BankedTable():
            return banked_sign(table, link, when)
        case _:
            raise TypeError(f"{type(table).__name__} has no sign")
