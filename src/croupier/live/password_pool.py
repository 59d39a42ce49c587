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
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import ParamSpec, TypeVar

from croupier.live.errors import NotAllowed, Stopping
from croupier.live.limits import Slots
from croupier.live.log_in_limits import From

P = ParamSpec("P")
T = TypeVar("T")

WAITING = 24
"""Passwords that wait at most, with those that are being checked."""
FOR_KNOWN = 8
"""Of these, so many are for whoever is known: a browser by which the same person has logged in
before, or somebody who is logged in. Strangers leave them free."""
OF_ONE = 3
"""Of one address, or of one known browser."""
NICE = 10
"""How far its threads stand back behind everything else, where the system lets them."""
ALL, STRANGERS = "all", "strangers"


class Busy(NotAllowed):
    """Too many passwords wait already."""

    def __init__(self) -> None:
        super().__init__("busy", "Too many people log in at once; try again in a moment.")


def _holders(place: From) -> tuple[tuple[Hashable, int], ...]:
    """What a password takes a slot of, with how many there are.

    A known browser does not count with the strangers of its address. All known ones of an address
    together do not get everything: whoever has an account can have as many of them as they like.
    """
    if not place.device:
        return (
            (ALL, WAITING),
            (STRANGERS, WAITING - FOR_KNOWN),
            (("address", place.address), OF_ONE),
        )
    return (
        (ALL, WAITING),
        (("device", place.device), OF_ONE),
        (("known at", place.address), FOR_KNOWN - 2),
    )


def _stand_back() -> None:
    if sys.platform == "linux":  # elsewhere it would be the whole process
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class PasswordPool:
    """Used in one event loop."""

    def __init__(self) -> None:
        workers = max(1, min(4, (os.cpu_count() or 1) // 2))
        self._threads = ThreadPoolExecutor(workers, "passwords", initializer=_stand_back)
        self._slots = Slots()

    async def run(self, place: From, does: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something with a password that comes from this place; Busy where too many wait."""
        holders = _holders(place)
        if not self._slots.take(*holders):
            raise Busy
        loop = asyncio.get_running_loop()
        done = loop.run_in_executor(self._threads, partial(does, *args, **kwargs))
        done.add_done_callback(lambda _: self._slots.give_back(*(each for each, _ in holders)))
        # Whoever asked may go away meanwhile; what was begun is finished, and counts until then.
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            if done.cancelled():  # by `close`, and not whoever waits for it
                raise Stopping from None
            raise

    def close(self) -> None:
        """What waits is not begun any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
