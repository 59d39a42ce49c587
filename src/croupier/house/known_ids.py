"""Which ids were given before: a filter in memory that spares a question to the database.

Nearly every command comes under an id that nobody has used, and the House must be sure of that
before its table hears the command. The database knows, but to ask it costs a tenth of what a
command takes: the thread that gives commands lets go of the interpreter while SQLite looks, and
waits behind the writer to have it back.

A Bloom filter says of an id that it is new, which is always true, or that it may be known; then the
database is asked: of a hundred new ids, for about one. The filter takes two to four bytes for each
id. It is only for a House whose database is one process's as a whole: what another process stored
would be missing here.

What was stored before the start is read in the background, a few ids at a time. Until all of it is
here, the database is asked for every id.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from croupier.house.archives.past import id_key
from croupier.house.errors import HouseError
from croupier.house.store_reader import StoreReader
from croupier.house.world import REAL, Turns, World

logger = logging.getLogger("croupier.house")

BITS_FOR_EACH = 16
FIRST_BITS = 1 << 20
"""Of the first part of a filter: a power of two, so that a mask finds the place of a bit."""
AT_ONCE = 250
"""Ids that are put in while the House waits: about a millisecond."""
PAUSE = 0.005
"""Seconds between two such reads."""

T = TypeVar("T", int, str)


class IdFilter:
    """Numbers of 63 bits: which may be there, and which certainly are not.

    It grows by a part of twice the size whenever the last one is full, so that nothing has to be
    put in again.
    """

    def __init__(self, bits: int = FIRST_BITS) -> None:
        self._parts: list[bytearray] = []
        self._grow(bits)

    def _grow(self, bits: int) -> None:
        self._parts.append(bytearray(bits // 8))
        self._room = bits // BITS_FOR_EACH

    def add(self, number: int) -> None:
        """Put a number in."""
        if not self._room:
            self._grow(2 * 8 * len(self._parts[-1]))
        self._room -= 1
        bits = self._parts[-1]
        mask = len(bits) * 8 - 1
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

    Each is in the filter by the key under which archives know it (`id_key`): of an archived one
    that is all that the database has. `lock` is the House's: whoever adds or asks holds it.
    """

    def __init__(
        self,
        reader: StoreReader,
        lock: AbstractContextManager[object],
        *,
        world: World = REAL,
    ) -> None:
        self._reader, self._lock = reader, lock
        self._filter = IdFilter()
        self.complete = False
        """Whether everything is in it that was stored before the start."""
        self._over = False
        self._thread = world.start("house-known-ids", self._turns())

    def add(self, command_id: str) -> None:
        """A command is carried out under this id."""
        self._filter.add(id_key(command_id))

    def is_new(self, command_id: str) -> bool:
        """Whether no command was carried out under this id, for sure; False if it may have been."""
        return self.complete and not self._filter.may_hold(id_key(command_id))

    def close(self) -> None:
        """Read no more."""
        self._over = True
        self._thread.wake()
        self._thread.join()

    # -- what was stored before the start ----------------------------------------------------

    def _turns(self) -> Turns:
        try:
            # In this order: what is archived meanwhile goes the same way, so that it is met before
            # it goes or after it has come.
            yield from self._read(self._reader.command_ids, "", id_key)
            yield from self._read(self._reader.past.id_keys, -1, int)
        except HouseError as error:  # then the database is asked, as ever
            logger.error("the ids of earlier commands could not be read: %s", error)
            return
        self.complete = not self._over

    def _read(
        self, read: Callable[[T, int], list[T]], last: T, key_of: Callable[[T], int]
    ) -> Turns:
        while not self._over:
            some = read(last, AT_ONCE)
            keys = [key_of(each) for each in some]
            with self._lock:
                for key in keys:
                    self._filter.add(key)
            if len(some) < AT_ONCE:
                return
            last = some[-1]
            yield PAUSE
