"""Settings of Python for a process that serves: short garbage collections, quick thread changes.

They hold for the whole process, so no class sets them by itself: the server calls `tune_process`.
"""

from __future__ import annotations

import gc
import sys

THREADS_CHANGE_AFTER = 0.0005
"""Seconds after which a thread that waits for another gets its turn. With Python's usual 5 ms a
busy thread would keep the one that stores from the disk, or be kept from its tables by it."""


def tune_process() -> None:
    """Tune garbage collector and threads, once everything is loaded and the tables are open.

    Books, tables and code stay for good: they are frozen, and the collector leaves them out. New
    objects are collected often and few at a time, because a long collection is a pause at every
    table. Older ones are collected seldom, because almost nothing here makes reference cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 20, 100)
    sys.setswitchinterval(THREADS_CHANGE_AFTER)
