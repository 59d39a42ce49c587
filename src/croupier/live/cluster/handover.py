"""A player's socket, handed over to the server that runs the table, where both are on one machine.

The system gives the other process a socket of its own to the same connection. From then on the
player and the server of the table speak directly, and this one has no part in it. Between two
machines that cannot be: there every byte is passed through (`croupier.live.cluster.tunnel`).

Beside the socket goes the head of the request, as it would through a tunnel. The line on which both
went stays open for as long as the other server holds the player's connection. When that ends, also
by the other one's death, this server closes what it still has of it. The other way round nothing is
needed: the server of the table ends the connection for both, so that the player hears of it
although this one may be frozen.

Who may hand something over, and whom something is handed to, the system vouches for: it says which
user is at the other end of a line. The name at which a server is found is made of the secret that
servers share, so that nobody else waits there.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import os
import socket
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from croupier.live.direct_socket import DirectSocket
from croupier.live.logs import NAME

AVAILABLE = sys.platform == "linux"
"""Whether the system has lines that tell who is at the other end, with names that are no files."""
GIVEN_WITHIN = 5.0
"""Seconds in which something is handed over by whoever has opened a line."""
RESTS = 1.0
"""Seconds for which nothing is taken where the process may open nothing more."""
AT_ONCE = 64
"""Lines that are taken in one turn of the loop."""
WAITING = 1_024
"""Lines that wait to be taken; whoever comes then passes bytes through."""
_USER = struct.Struct("iII")
"""Process, user and group, as Linux tells of the other end."""

log = logging.getLogger(NAME)

Takes = Callable[[bytes, Callable[[], None]], asyncio.Protocol]
"""Makes what serves a connection: the head of its request, and whom to tell that it has ended."""


def name_of(address: str, secret: bytes) -> bytes:
    """Where a server takes what others on its machine hand over: a name that is no file."""
    made = hmac.new(secret, b"handed over at " + address.encode(), hashlib.sha256)
    return b"\0croupier-" + made.hexdigest().encode()


def _is_ours(line: socket.socket) -> bool:
    """Whether the process at the other end is of the user who runs this one."""
    told = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _USER.size)
    _, user, _ = _USER.unpack(told)
    return bool(user == os.geteuid())


def _end_for_all(connection: socket.socket) -> None:
    """End a connection in whichever processes have a socket of their own to it. What was written is
    sent before."""
    with suppress(OSError):  # the player has gone
        connection.shutdown(socket.SHUT_RDWR)


def _line() -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    made.setblocking(False)
    return made


# -- whoever hands over ---------------------------------------------------------------------------


class HandedOver:
    """A player's socket that another server of this machine has by now."""

    def __init__(self, direct: DirectSocket, line: socket.socket) -> None:
        self._direct = direct
        self._line = line
        self._end: _End | None = None

    async def run(self) -> None:
        """Keep what is left of it here, until it is over: the gate counts it so long."""
        loop, direct, line = asyncio.get_running_loop(), self._direct, self._line
        end = self._end = _End(direct)
        # Uvicorn is through with it: at a stop it only closes the transport.
        direct.handshake_complete = direct.close_sent = True
        direct.transport.set_protocol(end)
        loop.add_reader(line, direct.transport.abort)  # it can be read once it is closed
        try:
            await end.ended
        finally:
            loop.remove_reader(line)
            line.close()

    def cut(self) -> None:
        """The other server does not answer any more: the player comes back, and finds the table.

        It may hold the connection and be frozen, so it is not enough to close what is here.
        """
        transport: Any = self._direct.transport
        if self._end is None or self._end.ended.done():
            return
        with suppress(OSError):  # the player has gone
            # No second descriptor: there may be none left.
            connection = socket.socket(fileno=transport.get_extra_info("socket").fileno())
            _end_for_all(connection)
            connection.detach()
        transport.abort()


class _End(asyncio.Protocol):
    """What is left of a socket here. Nothing is read or written."""

    def __init__(self, direct: DirectSocket) -> None:
        self._direct: DirectSocket | None = direct
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over: the direct socket is told, as the gate counts it."""
        direct, self._direct = self._direct, None
        if direct is not None:
            direct.connection_lost(exc)
        if not self.ended.done():
            self.ended.set_result(None)


def hand_over(direct: DirectSocket, name: bytes, head: bytes) -> HandedOver | None:
    """Hand a socket whose handshake is not answered yet to the server of that name; None where
    there is none on this machine: then nothing has happened."""
    transport: Any = direct.transport
    if not AVAILABLE or transport.is_closing() or transport.get_extra_info("sslcontext"):
        return None
    try:
        line = _line()
    except OSError:  # no descriptor is left
        return None
    transport.pause_reading()  # what the player sends from here on is the other server's
    try:
        line.connect(name)
        if _is_ours(line):
            _send(line, head, transport.get_extra_info("socket").fileno())
            return HandedOver(direct, line)
    except OSError:  # nobody there, or too many wait
        pass
    line.close()
    transport.resume_reading()
    return None


def _send(line: socket.socket, head: bytes, descriptor: int) -> None:
    if socket.send_fds(line, [head], [descriptor]) != len(head):  # pragma: no cover
        raise OSError("the head of a request was not taken whole")


# -- whoever takes --------------------------------------------------------------------------------


class Taking:
    """Takes what other servers of this machine hand over; used in the event loop."""

    def __init__(self, name: bytes, takes: Takes, most: int) -> None:
        """`most` bytes has the head of a request."""
        self._name = name
        self._takes = takes
        self._most = most
        self._listening: socket.socket | None = None
        self._waiting: dict[socket.socket, asyncio.TimerHandle] = {}
        """Lines on which nothing has come yet, and when they are given up."""
        self._open: set[asyncio.Task[Any]] = set()

    def open(self) -> bool:
        """Take from now on; False where that cannot be: then others pass bytes through."""
        if not AVAILABLE:
            return False
        made = _line()
        try:
            made.bind(self._name)
            made.listen(WAITING)
        except OSError as error:
            made.close()
            log.warning("no socket is handed over to this server: %s", error)
            return False
        self._listening = made
        asyncio.get_running_loop().add_reader(made, self._accept)
        return True

    def _accept(self) -> None:
        assert self._listening is not None
        for _ in range(AT_ONCE):
            try:
                line, _ = self._listening.accept()
            except BlockingIOError:
                return
            except OSError:  # no descriptor is left: those who wait, wait a moment longer
                self._rest()
                return
            line.setblocking(False)
            if _is_ours(line):
                self._wait_for(line)
            else:
                line.close()

    def _rest(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._listening)  # type: ignore[arg-type]
        loop.call_later(RESTS, self._go_on)

    def _go_on(self) -> None:
        if self._listening is not None:
            asyncio.get_running_loop().add_reader(self._listening, self._accept)

    def _wait_for(self, line: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        self._waiting[line] = loop.call_later(GIVEN_WITHIN, self._give_up, line)
        loop.add_reader(line, self._take, line)

    def _waits_no_more(self, line: socket.socket) -> None:
        self._waiting.pop(line).cancel()
        asyncio.get_running_loop().remove_reader(line)

    def _give_up(self, line: socket.socket) -> None:
        self._waits_no_more(line)
        line.close()

    def _take(self, line: socket.socket) -> None:
        self._waits_no_more(line)
        try:
            head, descriptors, flags, _ = socket.recv_fds(line, self._most, 1)
        except OSError:
            line.close()
            return
        connection = _socket_of(descriptors)
        if connection is None or not head or flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
            if connection is not None:
                connection.close()
            line.close()
            return
        task = asyncio.get_running_loop().create_task(self._serve(connection, head, line))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, connection: socket.socket, head: bytes, line: socket.socket) -> None:
        loop = asyncio.get_running_loop()

        def ended() -> None:
            _end_for_all(connection)  # while it is open: the other server has it still
            line.close()

        try:
            await loop.connect_accepted_socket(lambda: self._takes(head, ended), connection)
        except (OSError, ValueError):  # the player has gone; or it is no such connection
            connection.close()
            line.close()

    def close(self) -> None:
        """Take nothing any more."""
        if self._listening is not None:
            asyncio.get_running_loop().remove_reader(self._listening)
            self._listening.close()
            self._listening = None
        for line in tuple(self._waiting):
            self._give_up(line)


def _socket_of(descriptors: list[int]) -> socket.socket | None:
    """The one socket that came; None where something else did, of which nothing stays open."""
    with suppress(OSError):  # it is a file
        if len(descriptors) == 1:
            os.set_inheritable(descriptors[0], False)
            return socket.socket(fileno=descriptors[0])
    for each in descriptors:
        os.close(each)
    return None
