"""Whose a guest's name is, in this process: who has come with it, when they were last heard of,
and when somebody else may take it.

A name is free again once its guest has left, or was not heard of for a day, and sits nowhere. Where
more names are known than the limit allows, those that were not heard of for the longest time are
free earlier.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

GONE_AFTER = 24 * 3600.0
"""Seconds without a word after which a guest has gone."""
GONE_EARLIER = 600.0
"""The same where there are too many."""


class _Claim(Struct):
    visit: str
    seen: float
    left: bool = False
    for_good: bool = False
    """Whether who has left comes back under the name no more."""


class GuestNames:
    """The claims of this process; a cookie whose claim was forgotten makes it anew. Used by several
    threads; whether somebody sits somewhere is never asked while others wait."""

    def __init__(
        self, most: int, sits: Callable[[str], bool], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._sits, self._clock = most, sits, clock
        self._claims: OrderedDict[str, _Claim] = OrderedDict()
        """Who was heard of last stands last."""
        self._lock = threading.RLock()

    def claim(self, name: str, visit: str) -> bool:
        """Somebody comes with a name; whether it is theirs, or nobody's so far."""
        with self._lock:
            claim = self._claims.get(name)
            if claim is None:
                self.take(name, visit)
                return True
            if claim.visit != visit or claim.for_good:
                return False
            claim.left = False
            claim.seen = self._clock()
            self._claims.move_to_end(name)
            return True

    def take(self, name: str, visit: str) -> None:
        """The name is this visit's from now on."""
        with self._lock:
            self._claims[name] = _Claim(visit, self._clock())
            self._claims.move_to_end(name)

    def is_of(self, name: str, visit: str) -> bool:
        """Whether nobody else has it."""
        claim = self._claims.get(name)
        return claim is None or (claim.visit == visit and not claim.for_good)

    def is_of_another(self, name: str, visit: str) -> bool:
        """Whether another visit has had it last, as far as is known here."""
        claim = self._claims.get(name)
        return claim is not None and claim.visit != visit

    def holds(self, name: str, visit: str) -> bool:
        """Whether this visit has it."""
        claim = self._claims.get(name)
        return claim is not None and claim.visit == visit and not claim.left

    def leave(self, name: str, visit: str, *, for_good: bool = True) -> None:
        """Its guest has left, here or at another server; a program that lost its connection may
        come back, if nobody was faster."""
        with self._lock:
            claim = self._claims.setdefault(name, _Claim(visit, self._clock()))
            claim.left, claim.for_good = True, for_good

    def is_free(self, name: str) -> bool:
        """Whether somebody else may take a name that was used."""
        claim = self._claims.get(name)
        if claim is None:
            return False  # not heard of since the start: they may come back
        has_gone = claim.left or self._clock() - claim.seen > GONE_AFTER
        return has_gone and not self._sits(name)

    def is_full(self) -> bool:
        """Whether there is no room for another guest, after those have gone who may."""
        too_long = self._clock() - GONE_EARLIER
        with self._lock:
            known = tuple(self._claims.items())
        for name, claim in known:
            if len(self._claims) < self._most:
                return False
            if claim.seen > too_long and not claim.left:
                break  # all others were heard of later
            if not self._sits(name):
                self._forget(name, claim)
        return len(self._claims) >= self._most

    def _forget(self, name: str, claim: _Claim) -> None:
        with self._lock:
            if self._claims.get(name) is claim:
                del self._claims[name]
