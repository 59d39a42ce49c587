"""The times that are written to the logs: they never run backwards unsaid.

Clocks of several machines differ a little, and a clock that is put right may step back a little:
then a time is that of the event before it. If the clock shows clearly less than what was noted, the
House does not make up times: it goes on by the clock, and first puts on record that it was set back
(`clock set back` in the office's log). An audit names every log whose time runs backwards where
nothing says so (`croupier.house.audit.times`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from croupier.house.alarm_log import ALARM

logger = logging.getLogger("croupier.house")

SLACK = timedelta(seconds=2)
"""By so much a clock may be behind what was noted before it counts as set back."""


class Times:
    """The latest time that a House has noted. Used with the House's lock."""

    def __init__(self) -> None:
        self._latest: datetime | None = None
        self.on_set_back: Callable[[datetime, datetime], None] = _say
        """Told the latest time that was noted, and the time now, before anything else is."""

    def seen(self, at: str) -> None:
        """A log ends at this time."""
        when = datetime.fromisoformat(at)
        if self._latest is None or when > self._latest:
            self._latest = when

    def not_noted(self, before: datetime) -> None:
        """What was to be put on record of a clock set back could not be: it is still to be said."""
        if self._latest is None or before > self._latest:
            self._latest = before

    def of(self, now: datetime) -> datetime:
        """The time of the next event, where the clock shows this."""
        latest = self._latest
        if latest is None or now >= latest:
            self._latest = now
        elif latest - now <= SLACK:
            return latest
        else:
            self._latest = now
            self.on_set_back(latest, now)
        return now


def _say(before: datetime, now: datetime) -> None:
    logger.warning("the clock was set back from %s to %s", before, now, extra=ALARM)
