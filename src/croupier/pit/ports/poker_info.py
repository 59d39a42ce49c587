"""Information on a poker table: seats, Blinds, stakes and the charge."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.pit.ports.table_info import TableInfo, book_info
from croupier.poker import PokerTable
from croupier.table import Money


class RakeInfo(Struct, frozen=True, kw_only=True):
    """The charge as it is stated at the table: a percentage with its cap, or a timed amount."""

    percent: str | None = None
    cap: Money | None = None
    timed: Money | None = None
    minutes: int | None = None


class PokerTableInfo(TableInfo, frozen=True, kw_only=True):
    """What a player may read of a poker table."""

    seats: int
    blinds: tuple[Money, ...]
    minimum_stake: Money
    maximum_stake: Money | None
    chips: tuple[Money, ...]
    straddle: bool
    betting: str
    rake: RakeInfo


def poker_info(table: PokerTable, when: datetime) -> PokerTableInfo:
    """What a player may read of a poker table at a moment."""
    settings = table.state.settings
    rake = settings.rake
    timed = rake is not None and rake.timed is not None
    return PokerTableInfo(
        **book_info(table.book, settings.effective, when),
        policies=dict(table.state.policies),
        seen=settings.acting == "seen",
        seats=settings.seats,
        blinds=settings.blinds,
        minimum_stake=settings.minimum_stake,
        maximum_stake=settings.maximum_stake,
        chips=settings.chips,
        straddle=settings.straddle,
        betting="No Limit",
        rake=RakeInfo(
            percent=None if rake is None or rake.percent is None else str(rake.percent),
            cap=rake.cap if rake is not None else None,
            timed=rake.timed if rake is not None else None,
            minutes=rake.minutes if rake is not None and timed else None,
        ),
    )
