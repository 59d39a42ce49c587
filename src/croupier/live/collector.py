"""Python's collector of reference cycles, kept out of the way of a server.

By itself Python walks through everything that lives as soon as a quarter has been added. With 200
tables and 1,200 connections that takes a quarter of a second, in which nobody is answered, and it
comes every few seconds: an eighth of the processor's time went into it, and every hundredth command
waited for it.

Here what is young is looked at as before, in larger portions. Once a minute whatever has come since
is walked through, which is little, and then set aside (`gc.freeze`), out of later walks. What was
set aside goes as usual when nobody needs it any more; only a cycle among it would stay. So once an
hour everything is walked through all the same, or once twice as much is set aside as then, at a
moment when nothing is stored, if there is one.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable

YOUNG = 10_000
"""Objects that are made, beyond those that have gone, before the young ones are looked at."""
MIDDLE = 10
"""Looks at the young ones before those are looked at that have outlived one."""
NEVER = 1 << 30
"""Python walks through everything by itself after so many of those."""
EVERY = 60.0
"""Seconds between two walks through what has come since the last one."""
WHOLE = 60
"""Every so many of them go through everything."""
QUIET = 0.5
"""Seconds in which nothing is stored, for a walk through everything."""
WAITS_AT_MOST = 600.0
"""Seconds that such a walk waits for them."""


async def collect_seldom(
    stored: Callable[[], int], *, every: float = EVERY, whole: int = WHOLE
) -> None:
    """Look after the collector of this process until this is cancelled; then all is as it was.

    `stored` counts what was stored so far.
    """
    usual = gc.get_threshold()
    try:
        gc.set_threshold(YOUNG, MIDDLE, NEVER)
        while True:
            gc.collect()
            gc.freeze()
            needed = gc.get_freeze_count()
            walks = 1
            # Twice as much may be a full house, or cycles that pile up among what was set aside.
            while walks < whole and gc.get_freeze_count() <= 2 * needed:
                await asyncio.sleep(every)
                gc.collect()
                gc.freeze()
                walks += 1
            await asyncio.sleep(every)
            await _quiet(stored)
            gc.unfreeze()
    finally:
        gc.unfreeze()
        gc.set_threshold(*usual)


async def _quiet(stored: Callable[[], int]) -> None:
    """Wait for a moment in which nothing is stored, though not for ever."""
    loop = asyncio.get_running_loop()
    end = loop.time() + WAITS_AT_MOST
    while loop.time() < end:
        before = stored()
        await asyncio.sleep(QUIET)
        if stored() == before:
            return
