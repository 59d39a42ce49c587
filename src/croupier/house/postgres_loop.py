"""The event loop on which asyncpg runs, in a thread of its own."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from croupier.house.errors import StorageError

SWITCH_SECONDS = 0.0005
"""How long a thread of the server goes on at most while this one waits for the interpreter: a group
is several messages to PostgreSQL and back, and each waited for Python's usual five thousandths."""

T = TypeVar("T")


class Loop:
    """An event loop that runs in a thread of its own."""

    def __init__(self) -> None:
        sys.setswitchinterval(min(SWITCH_SECONDS, sys.getswitchinterval()))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="house-postgres", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        # A connection that was ended last lets go of its socket one turn later.
        self._loop.run_until_complete(asyncio.sleep(0))

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Have a piece of work done. A closed loop does none."""
        if self._loop.is_closed():
            work.close()
            raise StorageError("this connection to PostgreSQL was closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for a piece of work."""
        return self.start(work).result()

    def call(self, function: Callable[[], object]) -> None:
        """Have something called soon."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """Stop; a second time does nothing."""
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
