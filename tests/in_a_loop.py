"""Runs something asynchronous in a loop of its own.

In a thread: the browser of other tests leaves a loop running in this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def in_a_loop(does: Coroutine[Any, Any, T]) -> T:
    """What comes of it."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, does).result()
