"""Limits on how fast and how many: a bucket of allowances for each sender, and counted slots."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

REMEMBERED = 4_096
"""Senders whose buckets are kept; who comes back later begins with a full one."""


class Bucket:
    """Holds so many allowances at most and gets so many new ones in a second."""

    __slots__ = ("_clock", "_left", "_rate", "_seen", "_size")

    def __init__(self, rate: float, size: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._size, self._clock = rate, size, clock
        self._left, self._seen = float(size), clock()

    def take(self) -> float:
        """Take one allowance: 0 if there was one, else the seconds until there will be."""
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self._rate

    def give_back(self) -> None:
        """Take back one that was taken."""
        self._left = min(self._size, self._left + 1)


class Buckets:
    """A bucket for each sender, such as an address; so many of them are remembered."""

    def __init__(self, rate: float, size: int, remembered: int = REMEMBERED) -> None:
        self._rate, self._size, self._remembered = rate, size, remembered
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, sender: Hashable) -> float:
        """Take one allowance of this sender's."""
        bucket = self._buckets.get(sender)
        if bucket is None:
            bucket = self._buckets[sender] = Bucket(self._rate, self._size)
            if len(self._buckets) > self._remembered:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(sender)
        return bucket.take()

    def give_back(self, sender: Hashable) -> None:
        """Give back an allowance that somebody has taken."""
        bucket = self._buckets.get(sender)
        if bucket is not None:
            bucket.give_back()

    def has(self, sender: Hashable) -> bool:
        """Whether this sender has an allowance left; none is taken."""
        if self.take(sender):
            return False
        self.give_back(sender)
        return True

    def forget(self, sender: Hashable) -> None:
        """Let a sender begin anew."""
        self._buckets.pop(sender, None)


class Slots:
    """Counts who holds how many of something, and lets nobody hold too many."""

    def __init__(self) -> None:
        self._held: dict[Hashable, int] = {}

    def take(self, *wanted: tuple[Hashable, int]) -> bool:
        """Take one for each of these holders, unless one of them has as many as he may."""
        if any(self._held.get(holder, 0) >= most for holder, most in wanted):
            return False
        for holder, _ in wanted:
            self._held[holder] = self._held.get(holder, 0) + 1
        return True

    def give_back(self, *holders: Hashable) -> None:
        """Give one back for each of these holders."""
        for holder in holders:
            left = self._held.get(holder, 0) - 1
            if left > 0:
                self._held[holder] = left
            else:
                self._held.pop(holder, None)

    def held(self, holder: Hashable) -> int:
        """How many somebody holds."""
        return self._held.get(holder, 0)
