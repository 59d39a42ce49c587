"""The world of a simulated process: its clocks, its chance and its threads, from the seed.

Threads take turns: each runs from one pause to the next. Whoever waits for something lets the
threads of its own process run until it is there, as they would meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any, TypeVar

from croupier.house.promise import Promise
from croupier.house.world import Turns, World
from croupier.simulator.errors import Deadlock, Died
from croupier.simulator.timeline import Timeline, Timer

T = TypeVar("T")

EPOCH = datetime(2024, 8, 1, 12, tzinfo=UTC)
"""When every simulation begins, by a clock that is right."""
AT_ONCE = 0.0005
"""Seconds from being woken until a thread is at work, at least."""


class SimulatedPromise(Promise[T]):
    """An answer that is to come: whoever waits for it lets the others run."""

    def __init__(self, world: SimulatedWorld) -> None:
        super().__init__()
        self._world = world

    def exception(self, timeout: float | None = None) -> BaseException | None:
        if not self.done():
            self._world.run_until(self.done, "an answer")
        return super().exception(timeout)


class _Source:
    """Random bytes of the seed."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def take(self, count: int) -> bytes:
        return self._chance.randbytes(count)


class SimulatedWorker:
    """A thread of a simulated process."""

    def __init__(self, world: SimulatedWorld, name: str, turns: Turns) -> None:
        self.name = name
        self.is_over = False
        self._world = world
        self._turns = turns
        self._pauses = False
        """Whether it goes on only when it is woken, or its time is over."""
        self._woken = False
        self._at_work = False
        self._timer: Timer | None = None
        self._set(world.delay(name))

    @property
    def is_ready(self) -> bool:
        """Whether it goes on as soon as it gets a turn."""
        return not (self.is_over or self._at_work) and (self._woken or not self._pauses)

    def wake(self) -> None:
        """End its pause, or the next one."""
        if not self._woken:
            self._woken = True
            if self._pauses:
                self._set(self._world.delay(self.name))

    def join(self, at_most: float | None = None) -> None:
        """Let the others run until it has ended; here that takes no time of anybody's, so there is
        no limit to keep."""
        if not self._at_work:
            self._world.run_until(lambda: self.is_over, f"the end of {self.name}")

    def _set(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._world.timeline.after(seconds, self._due)

    def _due(self) -> None:
        self._timer = None
        sleeps = self._world.frozen_until - self._world.timeline.now
        if sleeps > 0:
            self._set(sleeps)
        elif self._world.alive():
            self._woken = self._woken or self._pauses
            self._world.within(self.step)

    def step(self) -> bool:
        """Run to the next pause; whether it could."""
        if not self.is_ready:
            return False
        if self._pauses:
            self._pauses = self._woken = False
        self._at_work = True
        try:
            pause = next(self._turns)
        except StopIteration:
            self.is_over = True
            return True
        finally:
            self._at_work = False
        self._pauses = pause != 0
        if self.is_ready:
            self._set(self._world.delay(self.name))
        elif pause is not None:
            self._set(pause)
        return True


class SimulatedWorld(World):
    """Clocks, chance and threads of one process."""

    def __init__(self, timeline: Timeline, chance: Random) -> None:
        self.timeline = timeline
        self.chance = chance
        self.skew = 0.0
        """By how many seconds its clock is wrong."""
        self.slow: dict[str, float] = {}
        """Threads that take longer, and how many seconds at most."""
        self.died = False
        self.frozen_until = 0.0
        """When the process wakes up that sleeps."""
        self._only: str | None = None
        """Which thread alone is let run by whoever waits."""
        self.source = _Source(Random(chance.getrandbits(64)))
        self.promise: Callable[[], Promise[Any]] = partial(SimulatedPromise, self)
        self.monotonic = lambda: timeline.now
        self.within: Callable[[Callable[[], Any]], Any] = lambda call: call()
        """How a step of a thread is made."""
        self.lock_is_held: Callable[[], bool] = lambda: False
        """Whether whoever runs now is alone with the tables."""
        self._workers: list[SimulatedWorker] = []

    def alive(self) -> bool:
        """Whether the process is there."""
        return not self.died

    def now(self) -> datetime:
        return EPOCH + timedelta(seconds=self.timeline.now + self.skew)

    def unique(self) -> str:
        return f"{self.chance.getrandbits(128):032x}"

    def delay(self, name: str) -> float:
        """How long it takes until a thread that was woken is at work."""
        most = self.slow.get(name, 0.01)
        return AT_ONCE + self.chance.random() * most

    def start(self, name: str, turns: Turns) -> SimulatedWorker:
        worker = SimulatedWorker(self, name, turns)
        self._workers = [each for each in self._workers if not each.is_over] + [worker]
        return worker

    def wait(self, event: threading.Event, at_most: float | None = None) -> bool:
        """Whoever waits for a moment only may wait in vain."""
        if at_most is None:
            self.run_until(event.is_set, "an event")
        elif self.chance.random() < 0.5:
            while not event.is_set() and self._step():
                pass
        return event.is_set()

    def run_until(self, done: Callable[[], bool], what: str) -> None:
        """Let the threads run until something is so. Whoever is alone with the tables would keep
        the writer from telling its answers, for ever."""
        if self.lock_is_held():
            raise Deadlock(f"somebody who holds the House's lock waits for {what}")
        while not done():
            if self.died:
                raise Died
            if not self._step():
                raise Deadlock(f"nobody is left who could bring {what}")

    @contextmanager
    def waiting_for(self, name: str) -> Iterator[None]:
        """Whoever waits meanwhile lets this thread run alone."""
        before, self._only = self._only, name
        try:
            yield
        finally:
            self._only = before

    def _step(self) -> bool:
        ready = [
            each
            for each in self._workers
            if each.is_ready and not each.is_over and self._only in (None, each.name)
        ]
        self.chance.shuffle(ready)
        return any(each.step() for each in ready)
