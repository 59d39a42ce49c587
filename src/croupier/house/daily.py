"""What a running House does every day by itself: its critical files are checked (standard 33).

A start notes the digests of the software; a server that runs for weeks compares them once a day.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from croupier.house.alarm_log import ALARM
from croupier.house.errors import HouseError
from croupier.house.world import REAL, Turns, World

logger = logging.getLogger("croupier.house")

DAY = timedelta(days=1)


class Daily:
    """Calls a check once in a while, in a thread of its own, until it is closed."""

    def __init__(
        self, check: Callable[[], list[str]], every: timedelta = DAY, *, world: World = REAL
    ) -> None:
        self._check = check
        self._seconds = every.total_seconds()
        self._over = False
        self._thread = world.start("house-daily", self._turns())

    def _turns(self) -> Turns:
        while True:
            yield self._seconds
            if self._over:
                return
            try:
                found = self._check()
            except HouseError as error:  # the database is out of reach: tomorrow again
                logger.error("the critical files could not be checked: %s", error)
                continue
            if found:
                logger.error("critical files were changed: %s", ", ".join(found), extra=ALARM)

    def close(self) -> None:
        """Check no more; what is being checked is finished."""
        self._over = True
        self._thread.wake()
        self._thread.join()
