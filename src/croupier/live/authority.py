"""Authority: who somebody is and in which rank he speaks, looked at whenever he speaks.

A socket lives for hours; a session, an account, a rank and a duty may end meanwhile, also by
another process of the House. So each command is given in the rank that its giver has at that
moment, and the sockets of whoever has lost his authority are closed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from croupier.live.errors import NotAllowed
from croupier.live.identity import IdentityProvider, Visitor

LOGGED_OUT, OFF_DUTY = "logged out", "off duty"
SAYS = {
    LOGGED_OUT: "Your session is over; log in again.",
    OFF_DUTY: "You have left your post; connect again as who you are now.",
}
EVERY = 30.0
"""Seconds after which sessions are looked at although nothing has happened: some end by time."""


class Connected(Protocol):
    """A socket with the visitor who opened it."""

    visitor: Visitor

    def dismiss(self, code: str, says: str) -> None:
        """Tell him why, and close."""


class Authority:
    """Watches over the sockets of one casino. Used in its event loop, but for `of`."""

    def __init__(self, identity: IdentityProvider) -> None:
        self._identity = identity
        self._connected: dict[str, set[Connected]] = {}
        """By name; who has none has nothing to lose."""
        self._looked = 0.0

    def of(self, visitor: Visitor) -> Visitor:
        """The visitor as he is at this moment; an error if he is nobody any more."""
        now = self._identity.now(visitor)
        if now.name != visitor.name:
            raise NotAllowed(LOGGED_OUT, SAYS[LOGGED_OUT])
        return now

    def join(self, connected: Connected) -> None:
        """A socket is open from now on."""
        if connected.visitor.name is not None:
            self._connected.setdefault(connected.visitor.name, set()).add(connected)

    def leave(self, connected: Connected) -> None:
        """It is closed."""
        name = connected.visitor.name or ""
        sockets = self._connected.get(name, set())
        sockets.discard(connected)
        if not sockets:
            self._connected.pop(name, None)

    def look_at_times(self, now: float) -> None:
        """Look at everybody once in a while."""
        if now >= self._looked + EVERY:
            self._looked = now
            self.look()

    def look(self, names: Iterable[str] | None = None) -> None:
        """Look at the sockets of these people, or of everybody, and close what must be closed."""
        for name in tuple(self._connected) if names is None else names:
            for connected in tuple(self._connected.get(name, ())):
                code = self._lost(connected.visitor)
                if code is not None:
                    connected.dismiss(code, SAYS[code])

    def _lost(self, visitor: Visitor) -> str | None:
        """What a visitor has lost since he connected, if anything."""
        now = self._identity.now(visitor, read=False)
        if now.name != visitor.name:
            return LOGGED_OUT
        return None if now.rank.is_at_least(visitor.rank) else OFF_DUTY
