"""The percentage Rake of a poker table from its log, with the terms under which it was taken.

Whoever holds the Rake of a House to its rules needs both: what was taken, and out of how much under
which percentage, cap and smallest chip of the table's sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from croupier.poker import PokerTable
from croupier.poker.events import RakeTaken
from croupier.rulebooks import Rulebook
from croupier.table import Event


class RakeRecord(Struct, frozen=True, kw_only=True):
    """The Rake of one round. Money is cents."""

    position: int
    round: int
    taken: int
    bases: tuple[int, ...]
    """Out of how much, Main Pot first."""
    percent: str
    cap: int | None
    """The most of a round."""
    chip: int
    """What is taken from a pot is rounded down to it."""


def rake_records(log: Iterable[tuple[int, Event]], book: Rulebook) -> Iterator[RakeRecord]:
    """Every round of a log from which a percentage was taken, also where that was nothing."""
    table = PokerTable(book)
    for position, event in log:
        terms = table.state.settings.rake if isinstance(event, RakeTaken) else None
        if isinstance(event, RakeTaken) and terms is not None:
            round_ = table.state.round
            yield RakeRecord(
                position=position,
                round=0 if round_ is None else round_.number,
                taken=event.amount,
                bases=event.bases,
                percent=str(terms.percent),
                cap=terms.cap,
                chip=terms.chip,
            )
        table.apply(event)
