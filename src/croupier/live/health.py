"""Whether the database answers and stores, looked at for anybody who asks.

Anybody may ask, as often as the limits let them, and a database that hangs answers nobody. So one
look is under way at most, in a thread of its own, and what it found is everybody's for a moment:
whoever asks meanwhile holds up nothing else, least of all the stop of the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal

from croupier.house.errors import HouseError

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

SHARED = 1.0
"""Seconds for which what was found is told to others."""
WITHIN = 5.0
"""Seconds within which a database answers that works."""

STORES_WITHIN = 10.0
"""Seconds within which a database stores that works: one whose synchronous standby is gone answers
whoever reads, and stores nothing."""

Alarms = tuple[str, ...]
Code = Literal["", "stopping", "tables", "database", "storing"]
"""Why a server cannot do its work; nothing if it can. `tables`: it shows none of its own, because
others may run them by now."""


class DatabaseLook:
    """Looks at the database and for alarms. Used in one event loop."""

    def __init__(self, answers: Callable[[], object], alarms: Callable[[], Alarms]) -> None:
        self._answers, self._alarms_told = answers, alarms
        self._thread = ThreadPoolExecutor(1, "health")
        self._look: asyncio.Future[bool] | None = None
        self._began = 0.0
        self.alarms: Alarms = ()
        """The alarms that were found last: they do not go away because the database hangs."""

    async def found(self) -> tuple[bool, Alarms]:
        """Whether the database answers, and what is wrong with the record."""
        loop = asyncio.get_running_loop()
        look = self._look
        if look is None or (look.done() and loop.time() >= self._began + SHARED):
            look = self._look = loop.run_in_executor(self._thread, self._looked)
            self._began = loop.time()
        left = max(0.0, self._began + WITHIN - loop.time())
        # Whoever asked may go away, or has waited long enough: the look is the others' too.
        done, _ = await asyncio.wait((look,), timeout=left)
        return bool(done) and look.result(), self.alarms

    def _looked(self) -> bool:
        try:
            self._answers()
            answers = True
        except HouseError:
            answers = False
        self.alarms = self._alarms_told()
        return answers

    def close(self) -> None:
        """Nothing is looked at any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


async def code_of(casino: LiveCasino) -> tuple[Code, Alarms]:
    """How a server is, and what is wrong with its record."""
    answers, alarms = True, casino.database_look.alarms
    if not casino.stopping:
        answers, alarms = await casino.database_look.found()
    casino.code = _code(casino, answers)
    return casino.code, alarms


def _code(casino: LiveCasino, answers: bool) -> Code:
    if casino.stopping:
        return "stopping"
    if casino.cluster is not None and casino.cluster.is_unsure:
        return "tables"
    if not answers:
        return "database"
    return "storing" if casino.house.writer.storing() > STORES_WITHIN else ""
