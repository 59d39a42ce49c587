"""A queue for what the House does by itself: a few acts at a time, after the commands of players.

Tables that began together deal together. If all of that were done at once, a player at any table
would wait for the dealers of all others. So the event loop goes once around after `A_FEW` seconds
of acts, and an act is put off while players give commands, for `MAX_DELAY` at most: a dealer who is
a moment late is not noticed. What is done in one turn of the loop is stored with one sync.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

Act = Callable[[], None]

MAX_DELAY = 0.4
"""Seconds for which an act is put off at most, however many players give commands."""
A_FEW = 0.001
"""Seconds for which acts are done in one turn of the loop; one is done however long it takes."""


class HouseActs:
    """The queue of one event loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, is_wanted: Callable[[], bool] = lambda: False
    ) -> None:
        self._loop = loop
        self._is_wanted = is_wanted
        """Whether somebody else waits for this thread, who comes before the next act."""
        self._waiting: deque[tuple[float, Act]] = deque()
        """Each with the time until which it may be put off."""
        self._at_work = False
        self._came = False

    def let_players_go_first(self) -> None:
        """A player gives a command: the next act waits for him."""
        self._came = True

    def put(self, act: Act) -> None:
        """Have an act done when its turn comes."""
        self._waiting.append((self._loop.time() + MAX_DELAY, act))
        if not self._at_work:
            self._at_work = True
            self._loop.call_soon(self._next)

    def _next(self) -> None:
        if not self._waiting:
            self._at_work = False
            return
        now = self._loop.time()
        until = now + A_FEW
        try:
            while self._waiting and (not self._came or now >= self._waiting[0][0]):
                _, act = self._waiting.popleft()
                act()
                now = self._loop.time()
                if now >= until or self._is_wanted():
                    break
        finally:  # also after an error; the loop first runs what the acts have scheduled
            self._came = False
            self._loop.call_soon(self._next)
