"""The sign of a poker table: seats, Blinds, stakes and the charge."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.pit.ports.sign import BookSign, of_the_book
from croupier.poker import PokerTable
from croupier.table import Money


class RakeSign(Struct, frozen=True, kw_only=True):
    """The charge as the sign states it: a percentage with its cap, or a timed amount."""

    percent: str | None = None
    cap: Money | None = None
    timed: Money | None = None
    minutes: int | None = None


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


def poker_sign(table: PokerTable, when: datetime) -> PokerSign:
    """The sign of a poker table as it stands there at a moment."""
    settings = table.state.settings
    rake = settings.rake
    timed = rake is not None and rake.timed is not None
    return PokerSign(
        **of_the_book(table.book, settings.effective, when),
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
