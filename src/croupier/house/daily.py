"""What a running House does every day by itself: its critical files are checked (standard 33).

A start notes the digests of the software; a server that runs for weeks compares them once a day.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from croupier.house.errors import HouseError

logger = logging.getLogger("croupier.house")

DAY = timedelta(days=1)


class Daily:
    """Calls a check once in a while, in a thread of its own, until it is closed."""

    def __init__(self, check: Callable[[], list[str]], every: timedelta = DAY) -> None:
        self._check = check
        self._seconds = every.total_seconds()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="house-daily", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(self._seconds):
            try:
                found = self._check()
            except HouseError as error:  # the database is out of reach: tomorrow again
                logger.error("the critical files could not be checked: %s", error)
                continue
            if found:
                logger.error("critical files were changed: %s", ", ".join(found))

    def close(self) -> None:
        """Check no more; what is being checked is finished."""
        self._over.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
