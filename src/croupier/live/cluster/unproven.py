"""Connections at the door for other servers that have not brought the secret yet.

Whoever reaches that port can open as many as the system has descriptors for, and say nothing. A
server of the House brings the secret with its first bytes. So a connection without it is kept for a
few seconds, and where there are many of them only for a moment.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

PROVES_WITHIN = 5.0
"""Seconds in which a connection brings the secret."""
MANY = 64
A_MOMENT = 0.5
"""Seconds in which it does where so many others have not yet: servers that come all at once, after
another one has gone, are faster than that."""

Ends = tuple[tuple[str, int] | None, tuple[str, int | None] | None]
"""Both ends of a connection: from one port somebody may have reached this machine at two."""


class Unproven:
    """Used in one event loop."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Ends, tuple[asyncio.Transport, float]] = OrderedDict()
        """The longest waited for first."""

    def __len__(self) -> int:
        return len(self._waiting)

    def came(self, ends: Ends, transport: asyncio.Transport) -> None:
        """A connection is open."""
        loop = asyncio.get_running_loop()
        self._waiting[ends] = (transport, loop.time())
        loop.call_later(A_MOMENT, self._look)
        loop.call_later(PROVES_WITHIN, self._look)
        self._look()

    def proved(self, ends: Ends) -> None:
        """It has brought the secret, or has gone."""
        self._waiting.pop(ends, None)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        while self._waiting:
            ends, (transport, since) = next(iter(self._waiting.items()))
            if now - since < (A_MOMENT if len(self._waiting) > MANY else PROVES_WITHIN):
                return
            del self._waiting[ends]
            transport.abort()
