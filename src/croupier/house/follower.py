"""Follows other processes of the same House: what they have written at the office, and whether
they run a table that was ours.

The server wakes whoever listens once for each group that is stored. A thread of its own then reads
how far the shared places go, so nobody who gives a command waits for it.
"""

from __future__ import annotations

import logging

from croupier.house.errors import HouseError
from croupier.house.house import House
from croupier.house.world import Turns

LOOK_SECONDS = 5.0
"""So often somebody looks without having been woken: a connection may have been lost unnoticed."""
PAUSE_SECONDS = 0.01
"""Between two looks: a busy House is woken far more often than others need to look."""

logger = logging.getLogger("croupier.house")


class Follower:
    """Keeps what several processes share as the database has it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._over = False
        self._trouble = ""
        self._thread = house.world.start("house-follower", self._turns())
        house.reader.database.listen(self._thread.wake, but_not=house.store.database)

    def _has_ended(self) -> bool:
        return self._over

    def _turns(self) -> Turns:
        looked = self._house.world.monotonic() - PAUSE_SECONDS
        while not self._over:
            yield LOOK_SECONDS
            while not self._has_ended() and (wait := self._pause(looked)) > 0:
                yield wait
            if self._has_ended():
                return
            try:
                news = self._house.catch_up()
                self._house.shared_links.catch_up(all_tables=news)
                self._house.check_ownership()
                self._trouble = ""
            except HouseError as error:
                if not self._trouble:  # said once, not every few seconds
                    logger.error("%s", error)
                self._trouble = str(error)
            looked = self._house.world.monotonic()

    def _pause(self, looked: float) -> float:
        """How long it is until the next look, after the last one."""
        return looked + PAUSE_SECONDS - self._house.world.monotonic()

    def close(self) -> None:
        """Listen no longer."""
        self._over = True
        self._thread.wake()
        self._thread.join()
