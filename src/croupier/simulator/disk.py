"""A disk in memory: what was written may be lost, torn or come late, what was synced may not.

It is written by sectors. A program reads what it has written, synced or not, as long as the
machine runs. When the power is cut, each sector that was not synced is kept, lost or torn, each by
its own luck and in no order. A disk that is full takes what still fits.
"""

from __future__ import annotations

from random import Random

from croupier.house.errors import DiskFull, StorageError

SECTOR = 512
"""Bytes that a disk writes as one; a power cut may tear even these."""


class Disk:
    """One file on a disk."""

    def __init__(self, chance: Random | None = None) -> None:
        self.chance = chance or Random(0)
        self.most: int | None = None
        """Bytes that there is room for, if that is not without end."""
        self.sync_fails = False
        """Whether the next sync is an error: what it should have kept may be there or not."""
        self.synced = 0
        """How often it was synced."""
        self._cache = bytearray()
        """As the operating system has it."""
        self._medium = bytearray()
        """As the disk has it."""
        self._dirty: set[int] = set()
        """Sectors that differ, by number."""

    def read(self) -> bytes:
        """All of it, as it was written."""
        return bytes(self._cache)

    def write(self, at: int, data: bytes) -> None:
        """Write from a place on; what goes beyond is longer then."""
        fits = len(data) if self.most is None else max(0, self.most - at)
        part = data[:fits]
        if len(self._cache) < at:
            self._cache.extend(bytes(at - len(self._cache)))
        self._cache[at : at + len(part)] = part
        self._dirty.update(range(at // SECTOR, (at + len(part) + SECTOR - 1) // SECTOR))
        if len(part) < len(data):
            raise DiskFull("there is no room left on the disk")

    def sync(self) -> None:
        """What was written is on the disk when this returns."""
        if self.sync_fails:
            self.sync_fails = False
            raise StorageError("the disk could not sync what was written")
        for sector in self._dirty:
            self._keep(sector, SECTOR)
        self._dirty.clear()
        self.synced += 1

    def replace(self, data: bytes) -> None:
        """Put another file in its place at once, as a rename does."""
        self._cache = bytearray(data)
        self._medium = bytearray(data)
        self._dirty.clear()

    def cut_power(self) -> None:
        """The machine stops: what was not synced is kept, lost or torn."""
        for sector in sorted(self._dirty):
            fate = self.chance.randrange(3)
            if fate:
                self._keep(sector, SECTOR if fate == 1 else self.chance.randrange(SECTOR))
        self._dirty.clear()
        self._cache = bytearray(self._medium)

    def _keep(self, sector: int, count: int) -> None:
        """Bring the first bytes of a sector to the disk."""
        at = sector * SECTOR
        part = self._cache[at : at + count]
        if len(self._medium) < at:
            self._medium.extend(bytes(at - len(self._medium)))
        self._medium[at : at + len(part)] = part
