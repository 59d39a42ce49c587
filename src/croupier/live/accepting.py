"""Accepting connections: a few at a time, none that the gate does not let in, and with a pause
where the system has no descriptor left.

The event loop has a way of its own, which takes as many as wait in one go and, where descriptors
are short, reports that for each of them and tries again as often.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

from croupier.live.gate import Admission, Gate

AT_ONCE = 32
"""Connections that are accepted before the loop does something else."""
PAUSE = 0.2
"""Seconds without accepting, where the system has nothing left."""
SHORT = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))
AT_ONCE_GONE = struct.pack("ii", 1, 0)
"""A socket that is closed with this leaves nothing behind, not even a farewell."""

log = logging.getLogger("croupier.live")


class Accepting:
    """One listening socket, as uvicorn knows a server: it can be closed."""

    def __init__(
        self,
        listening: socket.socket,
        gate: Gate,
        protocol: Callable[[Admission], asyncio.Protocol],
    ) -> None:
        self._socket = listening
        self._gate = gate
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._coming: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None
        self._looks = self._loop.create_task(gate.sweep_always())

    def start(self, backlog: int) -> None:
        """Accept from now on."""
        self._socket.setblocking(False)
        self._socket.listen(backlog)
        self._loop.add_reader(self._socket.fileno(), self._accept)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                made, address = self._socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in SHORT:
                    raise
                self._pause(error)
                return
            self._let_in(made, str(address[0]))

    def _let_in(self, made: socket.socket, address: str) -> None:
        admission = self._gate.admit(address)
        if admission is None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE_GONE)
            made.close()
            return
        made.setblocking(False)
        # Said here, because not every event loop does: without it a message would wait until the
        # client has acknowledged the one before, some 40 ms.
        with suppress(OSError):  # it has gone already
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        task = self._loop.create_task(self._serve(made, admission))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    async def _serve(self, made: socket.socket, admission: Admission) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: self._protocol(admission), made)
        except OSError:  # it has gone already
            self._gate.release(admission)
            made.close()

    def _pause(self, error: OSError) -> None:
        """There is no descriptor left. What is open goes on; who waits to be accepted waits."""
        log.warning("no connection can be accepted for a moment: %s", error.strerror)
        self._loop.remove_reader(self._socket.fileno())
        self._again = self._loop.call_later(PAUSE, self._go_on)

    def _go_on(self) -> None:
        self._again = None
        self._loop.add_reader(self._socket.fileno(), self._accept)

    def close(self) -> None:
        """Accept no more."""
        self._looks.cancel()
        if self._again is not None:
            self._again.cancel()
        if self._socket.fileno() >= 0:
            self._loop.remove_reader(self._socket.fileno())
            self._socket.close()

    async def wait_closed(self) -> None:
        """Nothing is left to be waited for."""
