"""Work that takes the processor for a while: in few threads of its own, behind a queue that has an
end.

Done where everything else is done beside the loop, a handful of such requests would hold up health
checks, play and the stop of the server.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

from croupier.live.errors import NotAllowed, Stopping
from croupier.live.limits import Slots

P = ParamSpec("P")
T = TypeVar("T")

NICE = 10
"""How far its threads stand back behind everything else, where the system lets them."""

Holders = tuple[tuple[Hashable, int], ...]
"""Who takes a slot, and how many each may hold of those that are done or wait."""


def stand_back() -> None:
    """Let this thread run only where nothing else wants to."""
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class WorkPool:
    """Used in one event loop. `busy` is raised for whoever comes while too much waits already."""

    def __init__(self, name: str, workers: int, busy: Callable[[], NotAllowed]) -> None:
        self._threads = ThreadPoolExecutor(workers, name, initializer=stand_back)
        self._busy = busy
        self._slots = Slots()

    async def run(
        self, holders: Holders, does: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do something that takes a slot of each of these holders until it is done."""
        if not self._slots.take(*holders):
            raise self._busy()
        loop = asyncio.get_running_loop()
        try:
            done = loop.run_in_executor(self._threads, partial(does, *args, **kwargs))
        except RuntimeError:  # it was closed
            raise Stopping from None
        done.add_done_callback(lambda _: self._slots.give_back(*(each for each, _ in holders)))
        # Whoever asked may go away meanwhile; what was begun is finished, and counts until then.
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            if done.cancelled():  # by `close`, and not whoever waits for it
                raise Stopping from None
            raise

    def held(self, holder: Hashable) -> int:
        """How much of somebody's is under way or waits."""
        return self._slots.held(holder)

    def close(self) -> None:
        """What waits is not begun any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
