"""One connection that speaks HTTP, as uvicorn serves it, with a limit on how long the server waits
for each part of a request and for its answer to be taken, and on the size of a request's head.

It stands on a class of uvicorn's, as the direct socket does (`croupier.live.direct_socket`). There
is no way without this one: a server without these limits is not opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.live.gate import Admission, Gate

TO_THE_END = 5.0
"""Seconds after which a connection is cut off that should have closed by itself."""


class HttpConnection(H11Protocol):
    """A connection with its admission. It is waited for while a head or a body is not whole,
    between two requests, and until an answer is taken."""

    def __init__(self, *, gate: Gate, admission: Admission, **others: Any) -> None:
        super().__init__(**others)
        self._gate = gate
        self._admission = admission
        admission.connection = self
        self._waited_for: Any = None
        """What the server waited for when it looked last: a state of h11."""

    @property
    def is_closing(self) -> bool:
        """Whether it is being closed."""
        return self.transport.is_closing()

    def drop(self) -> None:
        """Cut it off."""
        if self.transport is not None:
            self.transport.abort()

    def connection_made(self, transport: Any) -> None:
        """It is open, has said nothing yet, and is waited for since it was let in."""
        super().connection_made(transport)
        self._waited_for = h11.IDLE
        if not self._admission.holds:  # it had to make room before it was here
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed."""
        super().connection_lost(exc)
        self._gate.release(self._admission)

    def data_received(self, data: bytes) -> None:
        """Something came in. It is read in pieces, so that a head that came at once is measured as
        one that came in parts."""
        if self._waited_for is None:  # the first byte after an answer: the next head's time runs
            self._waited_for = h11.IDLE
            self._gate.expect(self._admission, self._gate.limits.header_seconds)
        piece = self._gate.limits.header_bytes
        for start in range(0, len(data), piece):
            if self.is_closing or self._is_socket:
                return
            super().data_received(data[start : start + piece])
            self._look()

    @property
    def _is_socket(self) -> bool:
        return self.transport.get_protocol() is not self

    def _look(self) -> None:
        """For what the server waits now. Time runs from the beginning of each part: a byte now
        and then prolongs nothing."""
        now = self.conn.their_state
        if self.is_closing or self._is_socket or now is self._waited_for:
            return
        self._waited_for = now
        limits = self._gate.limits
        if now is h11.SEND_BODY:
            self._gate.expect(self._admission, limits.body_seconds)
        elif now is h11.IDLE:
            self._gate.expect(self._admission, limits.header_seconds)
        else:
            self._gate.serve(self._admission, limits.answer_seconds)

    def on_response_complete(self) -> None:
        """An answer was sent. Who has not sent the whole body by now is not listened to."""
        unread = self.conn.their_state is h11.SEND_BODY
        super().on_response_complete()
        if self.is_closing:
            self._gate.serve(self._admission, self._gate.limits.answer_seconds)
        elif unread:
            self.transport.close()
            self._gate.serve(self._admission, TO_THE_END)
        elif self.conn.their_state is h11.IDLE:
            self._waited_for = None
            self._gate.expect(self._admission, self._gate.limits.idle_seconds + TO_THE_END)
        else:
            self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It becomes a socket, whose own pings tell whether it is there."""
        super().handle_websocket_upgrade(event)
        self._gate.upgrade(self._admission)
        protocol: Any = self.transport.get_protocol()
        protocol.frame_limit = self._gate.frames()
        tell_when_lost(protocol, lambda: self._gate.release(self._admission))


def tell_when_lost(protocol: Any, tell: Callable[[], None]) -> None:
    """Have `tell` called once a protocol has lost its connection."""
    lost = protocol.connection_lost

    def connection_lost(exc: Exception | None) -> None:
        del protocol.connection_lost  # which refers to the protocol: no circle is left
        lost(exc)
        tell()

    protocol.connection_lost = connection_lost
