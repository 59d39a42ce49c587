"""Virtual time: what is to happen, in order, and an event loop of asyncio for each process on it.

Nothing waits. The next thing that is due happens, and then it is that late.
"""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from croupier.simulator.errors import Died, where_of

CLOSES = 5
TICK = 1e-6
"""Seconds that a step takes: whoever asks for something at once, again and again, gets on."""


class Timer:
    """Something that is to happen at a time."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        """It does not happen."""
        self.call = None


class Timeline:
    """All that is to happen."""

    def __init__(self) -> None:
        self.now = 0.0
        self.steps = 0
        self._coming: list[tuple[float, int, Timer]] = []
        self._numbers = itertools.count()

    def at(self, when: float, call: Callable[[], None]) -> Timer:
        """Have something happen at a time, after everything else that is due then."""
        timer = Timer(call)
        heapq.heappush(self._coming, (max(when, self.now), next(self._numbers), timer))
        return timer

    def after(self, seconds: float, call: Callable[[], None]) -> Timer:
        """Have something happen later."""
        return self.at(self.now + seconds, call)

    def run(self, until: float) -> None:
        """Let everything happen that is due until then."""
        coming = self._coming
        while coming and coming[0][0] <= until:
            at, _, timer = heapq.heappop(coming)
            if timer.call is None:
                continue
            self.now = max(self.now + TICK, at)
            self.steps += 1
            call, timer.call = timer.call, None
            call()
        self.now = max(self.now, until)


class ProcessLoop(asyncio.AbstractEventLoop):
    """The event loop of one process: as much of asyncio as a live casino uses. It ends with its
    process."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.is_over = False
        self.frozen_until = 0.0
        """When the process wakes up that sleeps."""
        self.troubles: list[str] = []
        """What nobody has caught."""
        self._tasks: set[asyncio.Task[Any]] = set()

    def within(self, call: Callable[[], Any]) -> Any:
        """Call something as if it were called in this loop."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self)
        try:
            return call()
        finally:
            asyncio._set_running_loop(before)

    # -- what asyncio asks for ---------------------------------------------------------------

    def time(self) -> float:
        return self._timeline.now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return not self.is_over

    def is_closed(self) -> bool:
        return self.is_over

    def call_soon(  # type: ignore[override]
        self,
        callback: Callable[..., Any],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._timeline.at(self._timeline.now, lambda: self._run(handle))
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., Any],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., Any],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._timeline.at(when, lambda: self._run(handle))
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It is passed over when its time comes."""

    def _run(self, handle: asyncio.Handle) -> None:
        if self.frozen_until > self._timeline.now:
            self._timeline.at(self.frozen_until, lambda: self._run(handle))
        elif not self.is_over and not handle.cancelled():
            self.within(handle._run)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]
        self, coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Any = None
    ) -> asyncio.Task[Any]:
        if self.is_over:
            coro.close()
            return self.create_future()  # type: ignore[return-value]
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def bury(self) -> None:
        """The process is over: its tasks are let go of, without a word."""
        for task in tuple(self._tasks):
            coroutine: Any = task.get_coro()
            for _ in range(CLOSES):  # each may wait for something once more as it ends
                if coroutine.cr_frame is None or coroutine.cr_running:
                    break
                with suppress(RuntimeError, Died):
                    self.within(coroutine.close)
        self._tasks.clear()

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """What would go to another thread happens a little later."""
        future = self.create_future()

        def call() -> None:
            try:
                done = func(*args)
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(done)

        self.call_soon(call)
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Something that nobody has caught; a process that died has no say in it."""
        error = context.get("exception")
        if self.is_over or isinstance(error, Died):
            return
        where = f" ({where_of(error)})" if error is not None else ""
        self.troubles.append(f"{context.get('message')}: {error!r}{where}")
