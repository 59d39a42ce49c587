"""The answer that is to come: what whoever gives a command gets at once.

A future as any other for whoever waits for it or asks to be told; it is on its way from the
beginning and cannot be cancelled. The House makes one for every command, so it is small: the
condition and the lock that each of Python's futures has of its own, whether anybody waits or not,
are nine objects for the collector to walk.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

logger = logging.getLogger("croupier.house")

_lock = threading.Lock()
"""Of all promises: it is held for a moment, while one is kept or somebody asks to be told."""


class Promise(Future[T]):
    """An answer that is there, or is to come, or an error instead of it."""

    def __init__(self) -> None:  # without that of `Future`, which makes what is saved here
        self._answer: T | None = None
        self._error: BaseException | None = None
        self._calls: list[Callable[[Future[T]], object]] | None = []
        """Who is to be told; None once it is done."""

    def __repr__(self) -> str:
        return f"<Promise {'kept' if self.done() else 'to be kept'}>"

    def cancel(self) -> bool:
        """What was given is given."""
        return False

    def cancelled(self) -> bool:
        return False

    def running(self) -> bool:
        return self._calls is not None

    def done(self) -> bool:
        return self._calls is None

    def add_done_callback(self, fn: Callable[[Future[T]], object]) -> None:
        """Have something called when the answer is there, by whoever brings it; at once if it is
        there already."""
        with _lock:
            if self._calls is not None:
                self._calls.append(fn)
                return
        fn(self)

    def result(self, timeout: float | None = None) -> T:
        error = self.exception(timeout)
        if error is not None:
            raise error
        return self._answer  # type: ignore[return-value]

    def exception(self, timeout: float | None = None) -> BaseException | None:
        if not self.done():
            there = threading.Event()
            self.add_done_callback(lambda _: there.set())
            if not there.wait(timeout):
                raise TimeoutError(f"no answer within {timeout} s")
        return self._error

    def set_running_or_notify_cancel(self) -> bool:
        return True

    def set_result(self, result: T) -> None:
        self._keep(result, None)

    def set_exception(self, exception: BaseException | None) -> None:
        self._keep(None, exception)

    def _keep(self, answer: T | None, error: BaseException | None) -> None:
        with _lock:
            calls = self._calls
            if calls is not None:
                self._answer = answer
                self._error = error
                self._calls = None  # last: from now on it is read without the lock
        if calls is None:
            raise RuntimeError("a command was answered twice")
        for call in calls:
            try:
                call(self)
            except Exception:  # the others must hear it too
                logger.exception("somebody who waited for an answer could not be told")
