"""Starts and stops of the software, its critical files, and settings that were changed (32, 33)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.house.office.authority import HOUSE, staff
from croupier.house.office.commands import ChangeSetting, NoteFilesChecked, NoteStart, NoteStop
from croupier.house.office.events import FilesChecked, SettingChanged, Started, Stopped
from croupier.house.office.standards import CRITICAL_FILES, WHO_CHANGED_WHAT
from croupier.table import Order, Room

if TYPE_CHECKING:
    from croupier.house.office.office import Office

running = Room("running")


@running.decides(NoteStart)
def note_start(office: Office, order: Order[NoteStart]) -> None:
    command, state = order.command, office.state
    names = sorted(set(command.digests) | set(state.digests)) if state.digests else []
    changed = [n for n in names if command.digests.get(n) != state.digests.get(n)]
    office.emit(
        Started(
            version=command.version,
            places=command.places,
            digests=command.digests,
            interrupted=tuple(p for p in state.running if p in command.places),
            changed=tuple(changed),
            cites=(WHO_CHANGED_WHAT, CRITICAL_FILES),
        )
    )


@running.applies(Started)
def started(office: Office, event: Started) -> None:
    state = office.state
    state.running = sorted({*state.running, *event.places})
    state.version, state.digests = event.version, dict(event.digests)
    state.stopped_at = {p: n for p, n in state.stopped_at.items() if p not in event.places}


@running.decides(NoteStop)
def note_stop(office: Office, order: Order[NoteStop]) -> None:
    office.emit(Stopped(positions=order.command.positions, cites=(WHO_CHANGED_WHAT,)))


@running.applies(Stopped)
def stopped(office: Office, event: Stopped) -> None:
    state = office.state
    state.running = [place for place in state.running if place not in event.positions]
    state.stopped_at |= event.positions


@running.decides(NoteFilesChecked)
def note_files_checked(office: Office, order: Order[NoteFilesChecked]) -> None:
    command = order.command
    office.emit(
        FilesChecked(changed=command.changed, asked_by=command.asked_by, cites=(CRITICAL_FILES,))
    )


@running.applies(FilesChecked)
def files_checked(office: Office, event: FilesChecked) -> None:
    """Noted; nothing of the office turns on it."""


@running.decides(ChangeSetting)
def change_setting(office: Office, order: Order[ChangeSetting]) -> None:
    """A person answers for each; the House itself notes those of a House of play money."""
    command = order.command
    if order.rank is not HOUSE or office.state.real_money:
        staff(office, order, "change a setting", ("shift manager", "administrator"))
    office.emit(
        SettingChanged(
            setting=command.setting,
            before=command.before,
            after=command.after,
            reason=command.reason,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@running.applies(SettingChanged)
def setting_changed(office: Office, event: SettingChanged) -> None:
    """The setting itself lies elsewhere; what it was is compared at the next start."""
    settings = office.state.settings
    settings.pop(event.setting, None)
    if event.after:
        settings[event.setting] = event.after
