"""The office of several servers, one order at a time: each waits for its turn, reads what the one
before has written, and gives its order on top of it.

Without turns the office would be right too, by the expected version of its log; but whoever came
second would read the whole office again and try once more, and where many people log in, pay in and
enter at the same moment somebody might never be first.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from croupier.house.errors import StorageError
from croupier.house.shared_database import SharedDatabase

TURN = 0x6F66666963652020 >> 1
"""The advisory lock of whoever gives the office an order: the letters of `office`."""

logger = logging.getLogger("croupier.house")


class OfficeTurn:
    """The turns of one server, over a connection that is there for nothing else."""

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database
        self._here = threading.Lock()
        """One at a time here too: the lock of the database is the whole server's."""
        self.needed = False
        """Whether there are other servers."""

    @contextmanager
    def taken(self) -> Iterator[bool]:
        """Wait for the turn, and have it: others may have had theirs before, so it is True. Not for
        whoever holds the House's lock."""
        if not self.needed:
            yield True
            return
        with self._here:
            got = False
            try:
                self._database.wait_for_lock(TURN)
                got = True
            except StorageError as error:  # the office is right without it too
                logger.warning("no turn was to be had at the office: %s", error)
            try:
                yield True
            finally:
                if got:
                    with suppress(StorageError):  # the turn has ended with its connection
                        self._database.unlock([TURN])

    def close(self) -> None:
        """Take no turn any more."""
        self.needed = False
        self._database.close()
