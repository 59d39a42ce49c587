"""The answer that is to come: what whoever gives a command gets at once.

It is told as `concurrent.futures.Future` tells it (`result`, `exception`, `add_done_callback`),
and cannot be cancelled. The House makes one for every command, so it is small: a lock of its own
for each, made whether anybody waits or not, is what a future costs most.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

logger = logging.getLogger("croupier.house")

_lock = threading.Lock()
"""Of all promises: it is held for a moment, while one is kept or somebody asks to be told."""


class Promise(Generic[T]):
    """An answer that is there, or is to come, or an error instead of it."""

    __slots__ = ("_answer", "_calls", "_error")

    def __init__(self) -> None:
        self._answer: T | None = None
        self._error: BaseException | None = None
        self._calls: list[Callable[[Promise[T]], object]] | None = []
        """Who is to be told; None once it is done."""

    def done(self) -> bool:
        """Whether the answer is there."""
        return self._calls is None

    def add_done_callback(self, call: Callable[[Promise[T]], object]) -> None:
        """Have something called when the answer is there, by whoever brings it; at once if it is
        there already."""
        with _lock:
            if self._calls is not None:
                self._calls.append(call)
                return
        call(self)

    def result(self, timeout: float | None = None) -> T:
        """Wait for the answer; an error is raised."""
        error = self.exception(timeout)
        if error is not None:
            raise error
        return self._answer  # type: ignore[return-value]

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Wait for the answer; None if it is no error."""
        if not self.done():
            there = threading.Event()
            self.add_done_callback(lambda _: there.set())
            if not there.wait(timeout):
                raise TimeoutError(f"no answer within {timeout} s")
        return self._error

    def set_result(self, answer: T) -> None:
        """Bring the answer."""
        self._tell(answer, None)

    def set_exception(self, error: BaseException) -> None:
        """Say why there is no answer."""
        self._tell(None, error)

    def _tell(self, answer: T | None, error: BaseException | None) -> None:
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
            except Exception:  # a callback that fails keeps nothing from the others
                logger.exception("somebody who waited for an answer could not be told")
