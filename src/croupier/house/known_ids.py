"""Which ids were given before: a filter in memory that spares a question to the database.

Nearly every command comes under an id that nobody has used, and the House must be sure of that
before its table hears the command. The database knows, but to ask it costs a tenth of what a
command takes: the thread that gives commands lets go of the interpreter while SQLite looks, and
waits behind the writer to have it back.

A Bloom filter says of an id that it is new, which is always true, or that it may be known; then the
database is asked. It holds about ten bits for each id, so that of a hundred new ids one is asked
for. It is only for a House whose database is one process's as a whole: what another process stored
would be missing here.

What was stored before the start is read in the background, a few ids at a time. Until all of it is
here, the database is asked for every id.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import AbstractContextManager

from croupier.house.archives.past import id_key
from croupier.house.errors import HouseError
from croupier.house.rows import is_writable
from croupier.house.store_reader import StoreReader
from croupier.house.world import REAL, Turns, World

logger = logging.getLogger("croupier.house")

BITS_FOR_EACH = 10
FEWEST = 1 << 16
"""Ids that the first filter has room for."""
AT_ONCE = 1_000
"""Ids that are read while the House waits: about a millisecond."""
PAUSE = 0.005
"""Seconds between two such reads."""


class IdFilter:
    """Numbers of 64 bits: which may be there, and which certainly are not.

    It grows by a part of twice the size whenever the last one is full, so that nothing has to be
    put in again.
    """

    def __init__(self, room: int = FEWEST) -> None:
        self._parts: list[bytearray] = []
        self._grow(room)

    def _grow(self, room: int) -> None:
        # A power of two, so that a mask finds the place of a bit.
        size = 1 << (room * BITS_FOR_EACH - 1).bit_length()
        self._parts.append(bytearray(size // 8))
        self._mask = size - 1
        self._room = size // BITS_FOR_EACH

    def add(self, number: int) -> None:
        """Put a number in."""
        if not self._room:
            self._grow(2 * len(self._parts[-1]) * 8 // BITS_FOR_EACH)
        self._room -= 1
        bits, mask = self._parts[-1], self._mask
        step = number >> 32 | 1
        for at in (number, number + step, number + 2 * step, number + 3 * step):
            at &= mask
            bits[at >> 3] |= 1 << (at & 7)

    def may_hold(self, number: int) -> bool:
        """False if it was never put in."""
        step = number >> 32 | 1
        for bits in self._parts:
            mask = len(bits) * 8 - 1
            for at in (number, number + step, number + 2 * step, number + 3 * step):
                at &= mask
                if not bits[at >> 3] >> (at & 7) & 1:
                    break
            else:
                return True
        return False


class KnownIds:
    """The ids of all commands that were carried out, or are being carried out.

    `lock` is the House's: whoever adds or asks holds it.
    """

    def __init__(
        self,
        reader: StoreReader,
        lock: AbstractContextManager[object],
        *,
        world: World = REAL,
    ) -> None:
        self._reader, self._lock = reader, lock
        self._given = IdFilter()
        self._archived: IdFilter | None = None
        """By the keys under which archives know ids, where there are archives."""
        self.complete = False
        """Whether everything is in it that was stored before the start."""
        self._over = False
        self._thread = world.start("house-known-ids", self._turns())

    def add(self, command_id: str) -> None:
        """A command is carried out under this id."""
        self._given.add(_number(command_id))

    def is_new(self, command_id: str) -> bool:
        """Whether no command was carried out under this id, for sure; False if it may have been."""
        if not self.complete or self._given.may_hold(_number(command_id)):
            return False
        if self._archived is None or not is_writable(command_id):
            return True
        return not self._archived.may_hold(id_key(command_id))

    def close(self) -> None:
        """Read no more."""
        self._over = True
        self._thread.wake()
        self._thread.join()

    # -- what was stored before the start ----------------------------------------------------

    def _turns(self) -> Turns:
        try:
            with self._lock:
                has_archives = bool(self._reader.past.known())
            if has_archives:
                self._archived = IdFilter()
                yield from self._read_archived(self._archived)
            yield from self._read_stored()
        except HouseError as error:  # then the database is asked, as ever
            logger.error("the ids of earlier commands could not be read: %s", error)
            return
        self.complete = not self._over

    def _read_stored(self) -> Turns:
        last = ""
        while not self._over:
            with self._lock:
                some = self._reader.command_ids(after=last, at_most=AT_ONCE)
                _put(self._given, map(_number, some))
            if len(some) < AT_ONCE:
                return
            last = some[-1]
            yield PAUSE

    def _read_archived(self, into: IdFilter) -> Turns:
        last = -1
        while not self._over:
            with self._lock:
                some = self._reader.past.id_keys(after=last, at_most=AT_ONCE)
                _put(into, some)
            if len(some) < AT_ONCE:
                return
            last = some[-1]
            yield PAUSE


def _put(into: IdFilter, numbers: Iterable[int]) -> None:
    for number in numbers:
        into.add(number)


def _number(command_id: str) -> int:
    """Of this process alone: Python's own hash, which nobody outside can foresee."""
    return hash(command_id) & 0xFFFF_FFFF_FFFF_FFFF
