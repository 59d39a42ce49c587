"""What happened to the record: its copies, a restored database, the clock."""

from __future__ import annotations

from datetime import date, datetime

from croupier.table import Event
from croupier.table.event import Namer


class CopyBegun(Event, frozen=True, kw_only=True):
    """A copy of the log is kept from now on."""

    copy: str
    folder: str

    def tell(self, name: Namer) -> str:
        return f"A copy of the log is kept in {self.folder}."


class CopyAlarmed(Event, frozen=True, kw_only=True):
    """A copy of the log is missing, or has lost something."""

    copy: str
    folder: str
    says: str

    def tell(self, name: Namer) -> str:
        return f"Alarm: {self.says}."


class CopyRenewed(Event, frozen=True, kw_only=True):
    """A copy of the log is made anew from the database."""

    copy: str
    folder: str
    alarm: str
    """What was wrong with it."""
    reason: str

    def tell(self, name: Namer) -> str:
        return f"The copy of the log in {self.folder} is made anew: {self.reason}."


class DatabaseRestored(Event, frozen=True, kw_only=True):
    """The database was brought back from a copy of the log."""

    copy: str
    folder: str
    events: int
    kept: dict[str, int]
    lost: dict[str, int]
    aside: str
    reason: str

    def tell(self, name: Namer) -> str:
        kept, lost = sum(self.kept.values()), sum(self.lost.values())
        more = f", with {kept:,} that only the old database had" if kept else ""
        gone = f"; {lost:,} are lost" if lost else ""
        return (
            f"The database was restored from the copy of the log in {self.folder}: "
            f"{self.events:,} events{more}{gone}: {self.reason}."
        )


class ArchiveMade(Event, frozen=True, kw_only=True):
    """Closed days are moved to a file."""

    number: int
    folder: str
    file: str
    digest: str
    first: int
    until: int
    day: date
    reason: str

    def tell(self, name: Namer) -> str:
        return (
            f"Archive {self.number}: {self.until - self.first:,} events up to the gaming day "
            f"{self.day} are moved to {self.file}, digest {self.digest}: {self.reason}."
        )


class ClockSetBack(Event, frozen=True, kw_only=True):
    """Times from here on are earlier than some before."""

    before: datetime
    now: datetime

    def tell(self, name: Namer) -> str:
        seconds = (self.before - self.now).total_seconds()
        return f"The clock was set back by {seconds:,.1f} s, from {self.before} to {self.now}."
