"""Seals a running House: every so often, at the close of a gaming day, when asked, and as it stops.

A seal is stored in the database and then written to a folder. What cannot be sealed keeps nobody
from playing: the log of the process says why, loudly, and it is tried again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta, tzinfo
from pathlib import Path

from msgspec import Struct

from croupier.house.alarm_log import ALARM
from croupier.house.errors import HouseError
from croupier.house.gaming_day import GamingDay
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.kept import newest_number, newest_seals, stored_seal, stored_seals
from croupier.house.seals.keys import SigningKey, read_key
from croupier.house.seals.making import seal_now
from croupier.house.seals.records import Forked, Seal, SignedSeal, Why
from croupier.house.seals.taking import take_back
from croupier.house.store import Store
from croupier.house.world import REAL, Turns, World

logger = logging.getLogger("croupier.house")

MINUTES = 10
LOOKS_EVERY = 15.0
"""Seconds at most between two looks at the clock: a gaming day may end at any moment."""


class Sealing(Struct, frozen=True, kw_only=True):
    """How a House seals."""

    key_file: Path
    folder: Path | None = None
    """Where seals are written beside the database."""
    every: timedelta = timedelta(minutes=MINUTES)
    day_begins: time = time(6)
    zone: tzinfo = UTC


class Sealer:
    """Seals one House until it is closed."""

    def __init__(
        self,
        store: Store,
        sealing: Sealing,
        clock: Callable[[], datetime],
        *,
        thread: bool = True,
        world: World = REAL,
    ) -> None:
        self._store = store
        self._clock = clock
        self._sealing = sealing
        self._key: SigningKey = read_key(sealing.key_file)
        self._lock = threading.Lock()
        """One seal at a time."""
        self.folder = SealFolder(sealing.folder) if sealing.folder is not None else None
        self.next_key: Callable[[], str] = lambda: ""
        """The public key that two people have approved; the office knows."""
        self.trouble: HouseError | None = None
        """Why nothing is sealed, if so."""
        self._over = False
        self._sealed_at = self._tried_at = clock()
        self._day = self._day_of(self._tried_at)
        self._thread = world.start("house-sealer", self._turns()) if thread else None

    @property
    def key(self) -> str:
        """The public key that it signs with."""
        return self._key.public

    def seal(self, why: Why = "order") -> SignedSeal | None:
        """Seal what is stored now; None where nothing has happened since the last seal."""
        with self._lock:
            self._catch_up()
            last = self._newest()
            if last is not None and self._key.public != (last.next_key or last.key):
                self._key = read_key(self._sealing.key_file)  # another one may lie there by now
            following = self._following_key()
            why = "key" if following else why
            made = seal_now(self._store, self._key, why, self._clock(), next_key=following)
            self._sealed_at = self._tried_at = self._clock()
            if made is not None and self.folder is not None:
                self.folder.keep(made.read().number, made)
            self.trouble = None
        if following:
            logger.warning(
                "key %s follows from now on: put its file in the place of %s",
                following,
                self._sealing.key_file,
            )
        return made

    def _newest(self) -> Seal | None:
        for seal in newest_seals(self._store, 1):
            return seal.read()
        return None

    def _following_key(self) -> str:
        """The key that two people have approved, until it is the one that signs."""
        approved = self.next_key()
        return approved if approved and approved != self.key else ""

    def age(self) -> float:
        """Since when, in seconds, the record is not sealed as it stands: an attempt that failed
        does not count."""
        return (self._clock() - self._sealed_at).total_seconds()

    def close(self, *, seal: bool = True) -> None:
        """Seal once more, and stop."""
        self._over = True
        if self._thread is not None:
            self._thread.wake()
            self._thread.join()
        if seal:
            self._try("stop")

    # -- by the clock ------------------------------------------------------------------------

    def _turns(self) -> Turns:
        wait = min(LOOKS_EVERY, self._sealing.every.total_seconds())
        while True:
            yield wait
            if self._over:
                return
            why = self.due()
            if why is not None:
                self._try(why)

    def due(self) -> Why | None:
        """Why a seal is due now, if one is."""
        now = self._clock()
        day, self._day = self._day, self._day_of(now)
        if day != self._day:
            return "day"
        return "time" if now - self._tried_at >= self._sealing.every else None

    def _day_of(self, moment: datetime) -> GamingDay:
        return GamingDay.of(moment, begins=self._sealing.day_begins, zone=self._sealing.zone)

    def _try(self, why: Why) -> None:
        """Seal; whatever goes wrong is told, and keeps nobody from playing."""
        try:
            self.seal(why)
        except HouseError as error:
            self._tried_at = self._clock()
            self.trouble = error
            logger.error("NOT SEALED: %s", error, extra=ALARM)
        except Exception:
            self._tried_at = self._clock()
            self.trouble = HouseError("sealing failed")
            logger.exception("NOT SEALED", extra=ALARM)

    # -- the folder --------------------------------------------------------------------------

    def _catch_up(self) -> None:
        """Write the seals that a crash has kept from the folder, none that are older than those it
        has; take back those that the database lacks, if it holds them."""
        if self.folder is None:
            return
        kept, newest = self.folder.numbers(), newest_number(self._store)
        last = kept[-1] if kept else 0
        if last > newest:
            taken = take_back(self._store, self.folder)
            logger.warning(
                "%d seals were in %s and not in the database: taken back, the log holds them",
                taken,
                self.folder.folder,
            )
        if last and self.folder.seal(last) != stored_seal(self._store, last):
            raise Forked(
                f"seal {last} in {self.folder.folder} is not the one in the database: one of the "
                "two was changed. Nothing is sealed"
            )
        for seal in stored_seals(self._store, after=last):
            self.folder.keep(seal.read().number, seal)
