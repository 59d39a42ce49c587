"""Turns: what the House does by itself is done one act at a time, and players come in between.

Tables that began together deal together. If all of that were done at once, a player at any table
would wait for the dealers of all others; so after each act the loop sees to everybody else who is
there, and to what is to be told, and a dealer lets players go first. One who is a moment late is
not noticed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

Act = Callable[[], None]

LATE = 0.4
"""Seconds for which the House lets players go first, however many there are."""


class Turns:
    """The line in which the acts of the House wait. Used in one event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[tuple[float, Act]] = deque()
        """Each with the time at which it is late."""
        self._at_work = False
        self._came = False

    def let_go_first(self) -> None:
        """A player gives a command: he is not to wait for what the House does next."""
        self._came = True

    def take(self, act: Act) -> None:
        """Have something done when its turn comes."""
        self._waiting.append((self._loop.time() + LATE, act))
        if not self._at_work:
            self._at_work = True
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        if not self._waiting:
            self._at_work = False
            return
        try:
            late, act = self._waiting[0]
            if not self._came or self._loop.time() >= late:
                self._waiting.popleft()
                act()
        finally:  # after what the act has caused, and whatever went wrong with it
            self._came = False
            self._loop.call_soon(self._next)
