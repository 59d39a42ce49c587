"""Codes by which a guest comes back on another device: one use, ten minutes, the same visit.

A guest has no password; who he is stands in the cookie of his browser. A code carries that to a
second one. Codes are kept in memory alone: after a restart a guest asks for another.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.live.errors import NotAllowed
from croupier.live.identity import GuestIdentityProvider, Visitor

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without those that are read for one another."""
LENGTH = 8
MINUTES = 10
TRIES = 20
"""Wrong codes of one address in those minutes, after which none is looked at that comes from it."""
ALL_TRIES = 2_000
"""The same of all addresses together: of more than 800,000,000,000 codes that finds none."""


class GuestCode(Struct, frozen=True, kw_only=True):
    """A code and for how many minutes it is good."""

    code: str
    minutes: int


class CodeBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code that a guest brings to another device."""

    code: str


class _Open(Struct, frozen=True):
    visitor: Visitor
    until: float


class GuestCodes:
    """The codes that are open in this process."""

    def __init__(self, casino: LiveCasino, clock: Callable[[], float] = time.monotonic) -> None:
        self._casino = casino
        self._clock = clock
        self._open: dict[str, _Open] = {}
        self._wrong: list[tuple[float, str]] = []
        """When, and from which address."""

    def make(self, visitor: Visitor) -> GuestCode:
        """A new code for a guest; the one before it is good no more."""
        if not self._casino.config.demonstration or visitor.session:
            raise NotAllowed("no guests", "You have an account: log in on the other device.")
        if visitor.name is None:
            raise NotAllowed("not entered", "Enter under a name first.")
        self._forget(visitor.visit)
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._open[code] = _Open(visitor, self._clock() + 60 * MINUTES)
        return GuestCode(code=f"{code[:4]}-{code[4:]}", minutes=MINUTES)

    def use(self, code: str, address: str = "") -> tuple[Visitor, str]:
        """Whose code it is, and the cookie that makes another browser his too."""
        now, identity = self._clock(), self._casino.identity
        self._wrong = [each for each in self._wrong if each[0] > now - 60 * MINUTES]
        here = sum(each[1] == address for each in self._wrong)
        if here >= TRIES or len(self._wrong) >= ALL_TRIES:
            raise NotAllowed("too many", "Too many wrong codes were tried. Wait ten minutes.")
        found = self._open.pop(code.upper().replace("-", "").replace(" ", ""), None)
        if found is None or found.until < now or not isinstance(identity, GuestIdentityProvider):
            self._wrong.append((now, address))
            raise NotAllowed("wrong code", "That code is not good, or its ten minutes are over.")
        visitor = identity.now(found.visitor)
        if visitor.name is None:
            raise NotAllowed("wrong code", "The guest of that code has left.")
        return visitor, identity.cookie(visitor.visit, visitor.name)

    def _forget(self, visit: str) -> None:
        """The codes of a visit are good no more; those whose time is over go with them."""
        now = self._clock()
        kept = {c: o for c, o in self._open.items() if o.visitor.visit != visit}
        self._open = {c: o for c, o in kept.items() if o.until >= now}
