"""The world of a House: its clocks, its chance and its threads come in here, by its constructor.

In production they are the machine's own (`REAL`). The simulator (`croupier.simulator`) gives a
House a world that is driven by one seed, in one thread and on a virtual clock, so that whatever
goes wrong can be told again from that seed.

A thread is written as a generator: what it does from one pause to the next, and at each pause how
long it waits at most to be woken. A real one is run by a thread that waits so long; a simulated one
is run a step at a time, whenever the seed says so.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from croupier.house.promise import Promise
from croupier.house.shuffling import SYSTEM, Source

Turns = Iterator[float | None]
"""What a thread does. Each value is a pause: it goes on when it is woken, or after so many seconds;
None waits until it is woken. 0 waits for nothing: others may act before it goes on."""


class Worker(Protocol):
    """A thread that is under way."""

    @property
    def wake(self) -> Callable[[], None]:
        """Ends its pause, or the next one if it is at work."""

    def join(self, at_most: float | None = None) -> None:
        """Wait until it has ended, so many seconds at most; the thread itself does not wait."""


class World:
    """The machine's own clocks, chance and threads."""

    source: Source = SYSTEM
    """Where random bytes come from."""
    promise: Callable[[], Promise[Any]] = Promise
    """Makes the answer that is to come, which somebody may wait for."""
    monotonic: Callable[[], float] = staticmethod(time.monotonic)
    """Seconds that never run backwards."""

    def now(self) -> datetime:
        """The time of day."""
        return datetime.now(UTC)

    def unique(self) -> str:
        """A name that nothing else has."""
        return uuid.uuid4().hex

    def start(self, name: str, turns: Turns) -> Worker:
        """Let a thread begin."""
        return _Thread(name, turns)

    def wait(self, event: threading.Event, at_most: float | None = None) -> bool:
        """Wait until something is so; whether it is."""
        return event.wait(at_most)


class _Thread:
    """A thread of the operating system. It is a daemon: a process that ends waits for none."""

    def __init__(self, name: str, turns: Turns) -> None:
        self._turns = turns
        self._calls: SimpleQueue[None] = SimpleQueue()
        """One item for each time that it was woken; several count as one."""
        self.wake: Callable[[], None] = partial(self._calls.put, None)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for pause in self._turns:
            if pause == 0:
                continue
            with suppress(Empty):
                self._calls.get(timeout=pause)
                while True:
                    self._calls.get_nowait()

    def join(self, at_most: float | None = None) -> None:
        if threading.current_thread() is not self._thread:
            self._thread.join(at_most)


REAL = World()
"""The world of every House that is not simulated."""
