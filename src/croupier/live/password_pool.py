"""Where passwords and PINs are checked and hashed: in a few threads of their own, behind a queue
that has an end.

To check one takes a core for a good part of a second and 64 MiB of memory, on purpose. If that were
done where everything else is done beside the loop, a few hundred log-ins would hold up health
checks, play and even the stop of the server for a minute.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

from croupier.live.errors import NotAllowed
from croupier.live.limits import Slots

P = ParamSpec("P")
T = TypeVar("T")

WAITING = 24
"""Passwords that wait at most, with those that are being checked."""
OF_ONE = 3
"""Of one address."""
NICE = 10
"""How far its threads stand back behind everything else, where the system lets them."""
ALL = "all"


class Busy(NotAllowed):
    """Too many passwords wait already."""

    def __init__(self) -> None:
        super().__init__("busy", "Too many people log in at once; try again in a moment.")


def _stand_back() -> None:
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class PasswordPool:
    """Used in one event loop."""

    def __init__(self, waiting: int = WAITING, of_one: int = OF_ONE) -> None:
        workers = max(1, min(4, (os.cpu_count() or 1) // 2))
        self._threads = ThreadPoolExecutor(workers, "passwords", initializer=_stand_back)
        self._waiting, self._of_one = waiting, of_one
        self._slots = Slots()

    async def run(self, address: str, does: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something with a password for somebody at this address; Busy where too many wait."""
        holders: tuple[tuple[object, int], ...] = (
            (ALL, self._waiting),
            (("address", address), self._of_one),
        )
        if not self._slots.take(*holders):
            raise Busy
        loop = asyncio.get_running_loop()
        done = loop.run_in_executor(self._threads, partial(does, *args, **kwargs))
        done.add_done_callback(lambda _: self._slots.give_back(*(each for each, _ in holders)))
        # Whoever asked may go away meanwhile; what was begun is finished, and counts until then.
        return await asyncio.shield(done)

    def close(self) -> None:
        """What waits is not begun any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
