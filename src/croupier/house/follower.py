"""Follows other processes of the same House: what they have written at the office, and whether
they run a table that was ours.

The server wakes whoever listens once for each group that is stored. A thread of its own then reads
how far the shared places go, so nobody who gives a command waits for it.
"""

from __future__ import annotations

import logging
import threading

from croupier.house.errors import HouseError
from croupier.house.house import House

LOOK_SECONDS = 5.0
"""So often somebody looks without having been woken: a connection may have been lost unnoticed."""
PAUSE_SECONDS = 0.01
"""Between two looks: a busy House is woken far more often than others need to look."""

logger = logging.getLogger("croupier.house")


class Follower:
    """Keeps what several processes share as the database has it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._woken = threading.Event()
        self._over = threading.Event()
        self._trouble = ""
        house.reader.database.listen(self._woken.set, but_not=house.store.database)
        self._thread = threading.Thread(target=self._run, name="house-follower", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.is_set():
            self._woken.wait(LOOK_SECONDS)
            self._woken.clear()
            if self._over.is_set():
                return
            try:
                self._house.catch_up()
                self._house.check_ownership()
                self._trouble = ""
            except HouseError as error:
                if not self._trouble:  # said once, not every few seconds
                    logger.error("%s", error)
                self._trouble = str(error)
            self._over.wait(PAUSE_SECONDS)

    def close(self) -> None:
        """Listen no longer."""
        self._over.set()
        self._woken.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
