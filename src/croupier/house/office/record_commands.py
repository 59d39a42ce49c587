"""The commands of the office about the record: its copies, a restored database, the clock."""

from __future__ import annotations

from datetime import date, datetime
from typing import ClassVar

from croupier.house.office.state import Digest, Reason
from croupier.table import ActorRank, Command


class NoteCopyBegun(Command, frozen=True, kw_only=True):
    """A copy of the log is kept from now on."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    copy: str
    folder: str


class NoteCopyAlarm(Command, frozen=True, kw_only=True):
    """A copy of the log is missing, or has lost something."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    copy: str
    folder: str
    says: str


class RenewCopy(Command, frozen=True, kw_only=True):
    """Have a copy of the log made anew from the database; that ends its alarm."""

    players_may: ClassVar[bool] = False

    copy: str
    folder: str
    reason: Reason


class NoteRestored(Command, frozen=True, kw_only=True):
    """The database was brought back from a copy of the log."""

    players_may: ClassVar[bool] = False

    copy: str
    folder: str
    events: int
    """In the copy."""
    kept: dict[str, int] = {}
    """Events that only the old database had, by place, and that were taken over."""
    lost: dict[str, int] = {}
    """Events that the old database said it had and that are lost, by place."""
    aside: str = ""
    """Where the old database was put, if there was one."""
    reason: Reason


class MakeArchive(Command, frozen=True, kw_only=True):
    """Put on record that closed days are moved to a file, which was written and read back."""

    players_may: ClassVar[bool] = False

    number: int
    folder: str
    file: str
    digest: Digest
    first: int
    """How many events all logs had before its first."""
    until: int
    """And after its last."""
    day: date
    """The last gaming day in it."""
    reason: Reason


class NoteClockSetBack(Command, frozen=True, kw_only=True):
    """The clock shows less than it did: from now on times in the logs are earlier than before."""

    usually_by: ClassVar[ActorRank] = ActorRank.HOUSE
    players_may: ClassVar[bool] = False

    before: datetime
    """The latest time that was noted."""
    now: datetime
