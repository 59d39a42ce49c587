"""A House with two gaming days, the first of them closed, sealed and ready to be archived."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from croupier.house.archives.making import Archived, archive
from croupier.house.audit import verify
from croupier.house.casino import Casino
from croupier.house.gaming_day import GamingDay
from croupier.house.seals.folder import SealFolder
from croupier.house.seals.keys import SigningKey
from croupier.house.seals.making import seal_now
from croupier.house.store import Store
from croupier.house.urls import open_database
from croupier.table import Look
from tests.house.evening import furnish, play
from tests.house.seeded import Seeded

KEY = SigningKey(b"the key of the House in tests...")
FIRST_DAY = GamingDay(day=date(2026, 11, 16))
SECOND_DAY = GamingDay(day=date(2026, 11, 17))


class Clock:
    """Goes on by a little whenever it is read."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=50)
        return self.now


def opened(url: str, copy: Path, now: datetime, seed: int = 1) -> Casino:
    """The House, at a time of its own."""
    return Casino.open(
        url,
        password="the first password",
        copy=copy,
        source=Seeded(f"archive {seed}".encode()),
        clock=Clock(now),
    )


def sealed(casino: Casino, seals: Path) -> None:
    made = seal_now(casino.house.store, KEY, "day", casino.house.clock())
    assert made is not None
    SealFolder(seals).keep(made.read().number, made)


def two_days(url: str, folder: Path, rounds: int = 1) -> None:
    """An evening, a night that is sealed, and another evening that is under way."""
    casino = opened(url, folder / "copy", datetime(2026, 11, 16, 20, tzinfo=UTC))
    furnish(casino)
    play(casino, rounds)
    look = casino.house.give("P8", Look(seat=1), who="Ann", rank=casino.rank_of("Ann"))
    assert look.result().refused is not None
    sealed(casino, folder / "seals")
    casino.stop()
    casino = opened(url, folder / "copy", datetime(2026, 11, 17, 20, tzinfo=UTC), seed=2)
    play(casino, 1, seed=2)
    sealed(casino, folder / "seals")
    casino.stop()


def archived(
    url: str, folder: Path, day: GamingDay = FIRST_DAY, *, now: datetime | None = None
) -> Archived:
    """Have a day sealed, and archived by a shift manager."""
    casino = office(url, folder, now)
    try:
        sealed(casino, folder / "seals")
        answer, made = archive(
            casino, day, who="Sam", reason="closed", folder=folder / "house.db.archive"
        )
    finally:
        casino.stop()
    assert answer.refused is None, answer.refused
    assert made is not None
    return made


def office(url: str, folder: Path, now: datetime | None = None) -> Casino:
    """The office alone, the morning after."""
    return Casino.open(
        url,
        copy=folder / "copy",
        tables=(),
        clock=Clock(now or datetime(2026, 11, 18, 8, tzinfo=UTC)),
    )


def audited(url: str, folder: Path, **how) -> list[str]:
    store = Store(open_database(url))
    found = verify(store, folder / "copy", seals=folder / "seals", **how)
    store.close()
    return [str(each) for each in found.differences]
