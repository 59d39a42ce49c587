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
        self._said: datetime | None = None
        """From when the clock was set back, as was said last."""
        self._unsaid: list[tuple[datetime, datetime]] = []
        """From when to when the clock was set back, where nothing on record says so yet."""
        self.on_set_back: Callable[[datetime, datetime, datetime], None] = _say
        """Told from when to when the clock was set back, and the time now, before anything else
        is noted."""

    def seen(self, at: str, now: datetime) -> None:
        """A log ends at this time, and the clock shows `now`."""
        when = datetime.fromisoformat(at)
        if self._said is not None and now + SLACK < when <= self._said:
            return  # another server's clock is ahead, and it is said that this one goes on earlier
        if self._latest is None or when > self._latest:
            self._latest = when

    def is_later_than(self, when: datetime) -> bool:
        """Whether an order of this time would be earlier than what a log ends with, unsaid."""
        return self._latest is not None and self._latest > when

    def not_noted(self, before: datetime, to: datetime) -> None:
        """It could not be put on record that the clock was set back, and what came behind it may
        have been: it is still to be said, to when it was set back at first."""
        self._unsaid.append((before, to))

    def of(self, now: datetime) -> datetime:
        """The time of the next event, where the clock shows this."""
        latest = self._latest
        if latest is not None and latest - SLACK <= now < latest:
            now = latest
        elif latest is not None and now < latest:
            self._unsaid.append((latest, now))
        self._latest = now
        unsaid, self._unsaid = self._unsaid, []
        if unsaid:
            self._said = max(before for before, _ in unsaid)
        while unsaid:
            try:
                self.on_set_back(*unsaid[0], now)
            except BaseException:  # whoever gives the next order says it
                self._unsaid += unsaid
                raise
            del unsaid[0]
        return now


def _say(before: datetime, to: datetime, now: datetime) -> None:
    logger.warning("the clock was set back from %s to %s", before, to, extra=ALARM)
