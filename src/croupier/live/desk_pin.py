"""The PIN of a desk that stands alone: checked slowly, and not by whoever goes on guessing.

Six digits are a million; at most thirty wrong ones in half an hour leave a thief two years of
guessing. Those who are in already have a cookie and notice nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from itertools import pairwise

from croupier.live.errors import BadConfig, NotAllowed
from croupier.live.senders import sender_of

SHORTEST, LONGEST = 6, 64
TRIES, SHUT_FOR = 5, 15 * 60
"""Wrong PINs of one address, and for how many seconds it is shut out then."""
ALL_TRIES, ALL_SHUT_FOR = 30, 30 * 60
"""And of all addresses together: nobody else is let in for that long."""
ADDRESSES = 4_096
"""So many addresses are remembered; those of all together count in any case."""

log = logging.getLogger("croupier.live.desk")


def check_pin(pin: str) -> None:
    """See that a PIN is not one that anybody would try first."""
    if not SHORTEST <= len(pin) <= LONGEST:
        raise BadConfig(
            f"--pin: a PIN has at least {SHORTEST} digits or letters, and at most {LONGEST}"
        )
    steps = {ord(after) - ord(before) for before, after in pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        raise BadConfig(
            "--pin: such a PIN is tried first (all the same, or counting); take another"
        )


class Failures:
    """Counts what went wrong, and shuts out once it is too often."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._when: list[float] = []

    def shut_for(self) -> float:
        """How many seconds are left until the next may be tried; 0 if now."""
        now = self._clock()
        self._when = [when for when in self._when if now - when < self._seconds]
        return self._seconds - (now - self._when[-1]) if len(self._when) >= self._most else 0.0

    def add(self) -> bool:
        """Something went wrong; whether that was one too many."""
        self._when.append(self._clock())
        return len(self._when) == self._most


class Pin:
    """A PIN, and who has tried others."""

    def __init__(
        self, pin: str, salt: bytes, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._salt = salt
        self._right = self._slowly(pin)
        self.key = hmac.new(salt, b"desk\n" + self._right, hashlib.sha256).digest()
        """Signs the cookies of those who know this PIN."""
        self._of_programs: bytes | None = None
        """The PIN that a program has brought, which was right: it brings it with every request."""
        self._by_address: OrderedDict[str, Failures] = OrderedDict()
        self._all = Failures(ALL_TRIES, ALL_SHUT_FOR, clock)

    def check(self, pin: str, address: str) -> None:
        """Let somebody pass who knows the PIN; raises NotAllowed."""
        here = self._failures(address)
        if wait := here.shut_for():
            raise _shut(f"{TRIES} wrong PINs came from this device", wait)
        if wait := self._all.shut_for():
            raise _shut("Too many wrong PINs were tried at this desk", wait)
        tried = pin.strip()
        known = hmac.new(self._salt, tried.encode(), hashlib.sha256).digest()
        if self._of_programs is not None and hmac.compare_digest(known, self._of_programs):
            return
        if hmac.compare_digest(self._slowly(tried), self._right):
            self._of_programs = known
            self._by_address.pop(sender_of(address), None)
            return
        if here.add():
            log.warning("%d wrong PINs from %s: it is shut out for a while", TRIES, address)
        if self._all.add():
            log.warning("%d wrong PINs: nobody new is let in for a while", ALL_TRIES)
        raise NotAllowed("wrong pin", "That is not the PIN of this desk.")

    def _slowly(self, pin: str) -> bytes:
        """A digest that takes its time, so that nobody guesses it from a key that he has found."""
        return hashlib.scrypt(pin.encode(), salt=self._salt, n=2**14, r=8, p=1)

    def _failures(self, address: str) -> Failures:
        name = sender_of(address)
        found = self._by_address.setdefault(name, Failures(TRIES, SHUT_FOR, self._clock))
        self._by_address.move_to_end(name)
        if len(self._by_address) > ADDRESSES:
            self._by_address.popitem(last=False)
        return found


def _shut(what: str, wait: float) -> NotAllowed:
    minutes = math.ceil(wait / 60)
    some = "a minute" if minutes == 1 else f"{minutes} minutes"
    return NotAllowed("too fast", f"{what}. Wait {some} and try again; who is in already stays in.")
