"""The record itself: its copies and their alarms, archives, a restored database, the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.office.authority import refuse
from croupier.house.office.record_commands import (
    MakeArchive,
    NoteClockSetBack,
    NoteCopyAlarm,
    NoteCopyBegun,
    NoteRestored,
    RenewCopy,
)
from croupier.house.office.record_events import (
    ArchiveMade,
    ClockSetBack,
    CopyAlarmed,
    CopyBegun,
    CopyRenewed,
    DatabaseRestored,
)
from croupier.house.office.standards import WHO_CHANGED_WHAT
from croupier.house.office.state import ArchiveRecord, CopyRecord
from croupier.table import Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

record = Room("record")


@record.decides(NoteCopyBegun)
def note_copy_begun(office: Office, order: Order[NoteCopyBegun]) -> None:
    command = order.command
    office.emit(CopyBegun(copy=command.copy, folder=command.folder, cites=(WHO_CHANGED_WHAT,)))


@record.applies(CopyBegun)
def copy_begun(office: Office, event: CopyBegun) -> None:
    office.state.copies[event.copy] = CopyRecord(folder=event.folder)


@record.decides(NoteCopyAlarm)
def note_copy_alarm(office: Office, order: Order[NoteCopyAlarm]) -> None:
    command = order.command
    office.emit(
        CopyAlarmed(
            copy=command.copy,
            folder=command.folder,
            says=command.says,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@record.applies(CopyAlarmed)
def copy_alarmed(office: Office, event: CopyAlarmed) -> None:
    office.state.copies[event.copy] = CopyRecord(folder=event.folder, alarm=event.says)


@record.decides(RenewCopy)
def renew_copy(office: Office, order: Order[RenewCopy]) -> None:
    command = order.command
    known = office.state.copies.get(command.copy)
    if known is None:
        refuse(WHO_CHANGED_WHAT, f"There is no copy of the log {command.copy!r} on record.")
    office.emit(
        CopyRenewed(
            copy=command.copy,
            folder=command.folder,
            alarm=known.alarm,
            reason=command.reason,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@record.applies(CopyRenewed)
def copy_renewed(office: Office, event: CopyRenewed) -> None:
    office.state.copies[event.copy] = CopyRecord(folder=event.folder)


@record.decides(NoteRestored)
def note_restored(office: Office, order: Order[NoteRestored]) -> None:
    command = order.command
    office.emit(
        DatabaseRestored(
            copy=command.copy,
            folder=command.folder,
            events=command.events,
            kept=command.kept,
            lost=command.lost,
            aside=command.aside,
            reason=command.reason,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@record.applies(DatabaseRestored)
def database_restored(office: Office, event: DatabaseRestored) -> None:
    """Everything is in the database again, whatever was archived before."""
    office.state.archives.clear()


@record.decides(MakeArchive)
def make_archive(office: Office, order: Order[MakeArchive]) -> None:
    command, known = order.command, office.state.archives
    if command.number != len(known) + 1:
        refuse(WHO_CHANGED_WHAT, f"The next archive is number {len(known) + 1}.")
    begins = known[len(known)].until if known else 0
    if command.first != begins or command.until <= begins:
        refuse(WHO_CHANGED_WHAT, f"The next archive begins after event {begins:,} of all.")
    office.emit(
        ArchiveMade(
            number=command.number,
            folder=command.folder,
            file=command.file,
            digest=command.digest,
            first=command.first,
            until=command.until,
            day=command.day,
            reason=command.reason,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@record.applies(ArchiveMade)
def archive_made(office: Office, event: ArchiveMade) -> None:
    office.state.archives[event.number] = ArchiveRecord(
        folder=event.folder,
        file=event.file,
        digest=event.digest,
        until=event.until,
        day=event.day,
    )


@record.decides(NoteClockSetBack)
def note_clock_set_back(office: Office, order: Order[NoteClockSetBack]) -> None:
    command = order.command
    office.emit(ClockSetBack(before=command.before, now=command.now, cites=(WHO_CHANGED_WHAT,)))


@record.applies(ClockSetBack)
def clock_set_back(office: Office, event: ClockSetBack) -> None:
    """Noted; an audit looks for it where times run backwards."""
