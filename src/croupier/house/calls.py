"""Calls that a thread of its own makes, one after the other: whoever asks for one waits for
nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from croupier.house.world import Turns, World


class Calls:
    """The thread ends with the process."""

    def __init__(self, world: World) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self._thread = world.start("house-again", self._turns())

    def put(self, call: Callable[[], None]) -> None:
        """Have something called; its errors are its own affair."""
        self._waiting.append(call)
        self._thread.wake()

    def _turns(self) -> Turns:
        while True:
            while self._waiting:
                self._waiting.popleft()()
            yield None
