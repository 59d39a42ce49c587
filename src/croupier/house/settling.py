"""How a process settles down to run a House: no table waits long for another, or for the process.

These are settings of the whole process, so nothing sets them by itself; whoever serves says so.
"""

from __future__ import annotations

import gc
import sys

THREADS_CHANGE_AFTER = 0.0005
"""Seconds after which a thread that waits for another gets its turn. With Python's usual 5 ms a
busy thread would keep the one that stores from the disk, or be kept from its tables by it."""


def settle_down() -> None:
    """Everything is loaded, and the tables are open.

    Books, tables and code stay, so the collector need not walk them again. It walks what is new in
    small steps, for a pause while it does is a pause at every table, and the rest seldom: almost
    nothing here goes in circles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 20, 100)
    sys.setswitchinterval(THREADS_CHANGE_AFTER)
