"""The report of the jackpots: every meter, the parameters, and the last awards (standards 10, 11).

Made from the logs alone, as far as they go: one link after another, so memory does not grow.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.house.audit.places import conversation_of
from croupier.house.replaying import apply_event, held_rows, read_event
from croupier.house.store import Store
from croupier.jackpot import JackpotLink
from croupier.jackpot.state import Award


class JackpotReport(Struct, frozen=True, kw_only=True):
    """One link as it stands. All amounts are cents."""

    link: str
    rulebook: str
    tables: tuple[str, ...]
    status: str
    """`open`, `closed` or `failed`."""
    meter: int
    display: int
    base: int
    """The reset value."""
    ceiling: int | None
    overflow: int
    reserve: int
    parked: int
    doubtful: int
    contributed: int
    """What stakes have added since the link was opened."""
    hits: int
    awarded: int
    resets: int
    proposals: int
    """Changes that wait for a second person."""
    last_awards: tuple[Award, ...]
    """The last 25, oldest first."""


def report_jackpots(store: Store) -> list[JackpotReport]:
    """Every link of the House, by name."""
    found = []
    for place in sorted(store.places()):
        first = next(store.rows(place), None)
        link = conversation_of(place, first.event) if first is not None else None
        if isinstance(link, JackpotLink):
            for row in held_rows(store, place):
                apply_event(link, row, read_event(link, row))
            found.append(_report(place, link))
    return found


def _report(place: str, link: JackpotLink) -> JackpotReport:
    state = link.state
    return JackpotReport(
        link=place,
        rulebook=state.rulebook or link.book.id,
        tables=tuple(state.tables),
        status="failed" if state.failed else "closed" if state.closed else "open",
        meter=state.meter,
        display=state.display,
        base=state.settings.reset_value,
        ceiling=state.settings.ceiling,
        overflow=state.overflow,
        reserve=state.reserve,
        parked=state.parked,
        doubtful=state.doubtful,
        contributed=state.contributed,
        hits=state.hits,
        awarded=state.awarded,
        resets=state.resets,
        proposals=len(state.proposals),
        last_awards=tuple(state.awards),
    )
