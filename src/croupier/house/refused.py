"""What was refused: a log of its own, with a bound on its size.

A dispute is often about what was *not* accepted. So every order of a person that was refused, or
made no sense, is kept with who gave it, by whose authority, when, and what he was told. It changed
nothing, so it waits for nobody: it gathers in memory and is stored within a second or so, apart
from the commands that were carried out. Where there are too many, the oldest are dropped, and their
numbers tell how many.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

import msgspec

from croupier.house.records import RefusedRecord, written_time
from croupier.house.store import Store
from croupier.table import Command, GiveShuffle, Order, Refused

AT_MOST = 100_000
"""Refused orders that are kept."""
BYTES_AT_MOST = 64 * 2**20
WAIT_AT_MOST = 2_000
"""Those that wait to be stored; more in a second is somebody who makes a noise."""
SECONDS = 1.0
"""From a refusal until it is stored, about."""
LONGEST = 20_000
"""Bytes of a command that are kept: a limit on everything."""


def refusal(
    place: str,
    order: Order[Command],
    command_id: str,
    authority: str,
    software: str,
    refused: Refused,
) -> RefusedRecord:
    """What is kept of an order that was refused."""
    command = order.command
    if isinstance(command, GiveShuffle):  # these cards may yet be played
        command = msgspec.structs.replace(command, cards=())
    try:
        written = msgspec.json.encode(command)
    except (TypeError, ValueError, UnicodeEncodeError):
        written = b"null"
    return RefusedRecord(
        command_id=_line(command_id),
        place=_line(place),
        who=_line(order.who),
        rank=order.rank.value,
        at=written_time(order.when),
        authority=authority,
        software=software,
        command=written if len(written) <= LONGEST else b"null",
        says=_line(refused.says),
        cites=msgspec.json.encode(refused.cites).decode(),
    )


def _line(text: str) -> str:
    """A text as every database and the chain can hold it."""
    written = text.encode(errors="replace").decode()
    return " ".join(written.replace("\0", "\ufffd").splitlines())


class RefusedLog:
    """Gathers what is refused; the writer's thread stores it."""

    def __init__(
        self,
        store: Store,
        *,
        most: int = AT_MOST,
        most_bytes: int = BYTES_AT_MOST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._clock = clock
        self._most, self._most_bytes = most, most_bytes
        self._waiting: deque[RefusedRecord] = deque()
        self._lost = 0
        """Those that nobody could keep since the last were stored."""
        self._since: float | None = None
        """When the oldest of those that wait came, or storing was last tried."""
        self._lock = threading.Lock()

    def add(self, refused: RefusedRecord) -> None:
        """Keep one in mind."""
        with self._lock:
            if len(self._waiting) >= WAIT_AT_MOST:
                self._waiting.popleft()
                self._lost += 1
            self._waiting.append(refused)
            if self._since is None:
                self._since = self._clock()

    def due(self) -> float | None:
        """In how many seconds they are to be stored; None if there are none."""
        since = self._since
        return None if since is None else max(0.0, since + SECONDS - self._clock())

    def write(self) -> None:
        """Store those that wait; if that fails they are tried again later."""
        with self._lock:
            waiting, self._waiting = list(self._waiting), deque()
            lost, self._lost = self._lost, 0
            self._since = None
        if not waiting:
            return
        try:
            self._store.append_refused(
                waiting, lost=lost, most=self._most, most_bytes=self._most_bytes
            )
        except BaseException:
            with self._lock:
                room = WAIT_AT_MOST - len(self._waiting)
                self._lost += lost + max(0, len(waiting) - room)
                self._waiting.extendleft(reversed(waiting[-room:] if room else []))
                self._since = self._clock()
            raise
