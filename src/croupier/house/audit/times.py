"""Time in a log never runs backwards, unless the office has on record that the clock was set back.

What was stored before orders were (schema 5) is not judged: nobody noted it then.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from croupier.house.audit.findings import Difference, contrast, reading
from croupier.house.office import OFFICE
from croupier.house.office.office import Office
from croupier.house.office.record_events import ClockSetBack
from croupier.house.store import Store

BACKWARDS = (
    "SELECT place, position, at, before FROM (SELECT l.place, l.position, l.command_id, l.at, "
    "LAG(l.at) OVER (PARTITION BY l.place ORDER BY l.position) AS before FROM log l) AS t "
    "WHERE (at < before OR at NOT LIKE '%Z' OR before NOT LIKE '%Z') "
    "AND EXISTS (SELECT 1 FROM orders o WHERE o.command_id = t.command_id "
    "AND o.number IS NOT NULL) ORDER BY place, position"
)
"""Times as text stand nearly always in their own order; each of the others is read."""


def check_times(store: Store) -> Iterator[Difference]:
    """Every step back that nothing on record explains."""
    set_back: list[ClockSetBack] | None = None
    with reading("log", "the times of every place"):
        found = [*_archived(store), *store.database.execute(BACKWARDS)]
    for place, position, at, before in found:
        where = f"{place} at {position}"
        try:
            now, last = datetime.fromisoformat(at), datetime.fromisoformat(before)
        except (TypeError, ValueError):
            yield Difference(table="log", where=where, column="at", **contrast(at, before))
            continue
        if now >= last:
            continue
        if set_back is None:
            set_back = list(_said(store))
        if not _is_said(set_back, last, now):
            says = (
                f"time runs backwards by {(last - now).total_seconds():,.3f} s, and nothing on "
                f"record says that the clock was set back"
            )
            both: Any = contrast(at, before)
            yield Difference(table="log", where=where, column="at", **both, says=says)


def _is_said(set_back: list[ClockSetBack], last: datetime, now: datetime) -> bool:
    """Whether it is on record that the clock went from one time to an earlier one: at once, or by
    several steps, if nothing happened at the place in between."""
    first = next((n for n, each in enumerate(set_back) if last <= each.before), len(set_back))
    return any(each.now <= now for each in set_back[first:])


def _archived(store: Store) -> Iterator[tuple[str, int, str, str]]:
    """The same of what lies in archives, and of the first row after them."""
    for place, end in sorted(store.past.ends().items()):
        first = store.past.ordered_from(place) or end + 1
        before = None
        for row in store.rows(place, after=max(0, first - 2), until=end + 1):
            if before is not None and row.position >= first:
                plain = row.at.endswith("Z") and before.endswith("Z")
                if row.at < before or not plain:
                    yield place, row.position, row.at, before
            before = row.at


def _said(store: Store) -> Iterator[ClockSetBack]:
    """Every time that the clock was set back, by the office."""
    with reading("log", OFFICE):
        for row in store.rows(OFFICE):
            if b'"clock set back"' in row.event:
                event = Office.read_event(row.event)
                if isinstance(event, ClockSetBack):
                    yield event
