"""The gate: how many connections are let in, before anything of them is read, and for how long the
server waits for what they have to say.

A connection costs whoever opens it nothing. So nobody is let in beyond the limits of an address;
whoever is waited for (for a request, or for the rest of one) is waited for only so long; and where
the House is full, the connection that has been waited for the longest makes room for the next one.
A player who has said what there is to say is never sent away for somebody who has not.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Container, Hashable
from typing import Protocol

from croupier.live.config import Limits
from croupier.live.limits import Bucket, Buckets, Slots
from croupier.live.metrics import Metrics
from croupier.live.senders import sender_of

EVERY = 0.5
"""Seconds between two looks at who is waited for."""
CLOSING_SECONDS = 10.0
"""Seconds in which a connection that is being closed may take what was written to it."""
FRAGMENTS = 64
"""Frames of which one message may be made."""
ALL = "all"


class Droppable(Protocol):
    """A connection that may be waited for."""

    @property
    def is_closing(self) -> bool:
        """Whether it is being closed, and has not taken everything yet."""

    def drop(self) -> None:
        """It has taken too long, or must make room: it is cut off at once."""


class Admission:
    """What a connection holds that was let in."""

    __slots__ = ("connection", "holds", "until")

    def __init__(self, holds: tuple[Hashable, ...]) -> None:
        self.holds = holds
        """What is given back when it goes."""
        self.connection: Droppable | None = None
        self.until: float | None = None
        """The moment at which it is cut off; none while nothing is waited for."""


class Gate:
    """Counts connections. Used in one event loop."""

    def __init__(
        self, limits: Limits, room: int, metrics: Metrics, trusted: Container[str] = ()
    ) -> None:
        self.limits = limits
        self.room = room
        self._metrics = metrics
        self._trusted = trusted
        """Addresses of proxies: whoever comes from there is counted by what the proxy says."""
        self._slots = Slots()
        self._coming = Buckets(limits.connects_per_second, limits.connects_at_once)
        self._admitted: set[Admission] = set()
        self._waiting: OrderedDict[Admission, None] = OrderedDict()
        """Who is waited for, the longest first: they make room."""

    @property
    def connections(self) -> int:
        """How many are let in now."""
        return len(self._admitted)

    # -- who comes in ------------------------------------------------------------------------

    def admit(self, address: str) -> Admission | None:
        """Whether a connection from this address is let in."""
        most: list[tuple[Hashable, int]] = []
        if address not in self._trusted:
            sender = sender_of(address)
            most.append((("address", sender), 2 * self.limits.connections_per_address))
            if self._coming.take(sender):
                self._refuse("too many new connections")
                return None
        if not all(self._slots.held(holder) < count for holder, count in most):
            self._refuse("too many of one address")
            return None
        if self._slots.held(ALL) >= self.room and not self._make_room():
            self._refuse("full")
            return None
        most.append((ALL, self.room))
        self._slots.take(*most)
        admission = Admission(tuple(holder for holder, _ in most))
        self._admitted.add(admission)
        self.expect(admission, self.limits.header_seconds)
        return admission

    def _refuse(self, why: str) -> None:
        self._metrics.turned_away.add(1, why)

    def _make_room(self) -> bool:
        """Send away whoever has been waited for the longest; whether there was anybody."""
        if not self._waiting:
            return False
        self._drop(next(iter(self._waiting)), "made room")
        return True

    def release(self, admission: Admission) -> None:
        """A connection is closed, or will be in a moment; said again, it changes nothing."""
        self._waiting.pop(admission, None)
        self._admitted.discard(admission)
        self._slots.give_back(*admission.holds)
        admission.holds, admission.connection = (), None

    # -- who is waited for -------------------------------------------------------------------

    def expect(self, admission: Admission, seconds: float) -> None:
        """From now on the server waits for a connection to say something, so long at most."""
        self._waiting.pop(admission, None)
        if admission.holds:
            self._waiting[admission] = None
            admission.until = _now() + seconds

    def serve(self, admission: Admission, seconds: float) -> None:
        """It has said everything: the server works for it, and it has so long to take the answer.
        It makes room for nobody."""
        self._waiting.pop(admission, None)
        admission.until = _now() + seconds

    def upgrade(self, admission: Admission) -> None:
        """The server waits for it no more: it is a socket now, and answers pings."""
        self._waiting.pop(admission, None)
        admission.until = None

    def sweep(self) -> None:
        """Send away whoever was waited for long enough."""
        now = _now()
        for admission in tuple(self._admitted):
            if admission.until is None:
                if admission.connection is not None and admission.connection.is_closing:
                    admission.until = now + CLOSING_SECONDS
            elif admission.until <= now:
                self._drop(admission, "too slow to ask")

    def _drop(self, admission: Admission, why: str) -> None:
        self._metrics.dropped.add(1, why)
        connection = admission.connection
        self.release(admission)
        if connection is not None:
            connection.drop()

    async def sweep_always(self) -> None:
        """Look every moment, until it is cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            self.sweep()

    # -- frames ------------------------------------------------------------------------------

    def frames(self) -> Bucket:
        """The allowance of a socket for frames that are no message: pings, pongs, fragments."""
        return frames_of(self.limits)


def frames_of(limits: Limits) -> Bucket:
    """The allowance of one socket for frames that are no message."""
    return Bucket(2 * limits.messages_per_second, 2 * limits.messages_at_once + FRAGMENTS)


def _now() -> float:
    return asyncio.get_running_loop().time()
