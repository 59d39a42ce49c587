"""What is known of a House before it is opened: whether it is founded, for which money, by whom.

Opening a database founds a House in an empty one. Whoever must not do that looks here first.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from croupier.house.errors import CorruptDatabase
from croupier.house.office import OFFICE, Office, OfficeState
from croupier.house.store import Store
from croupier.house.urls import SQLITE, open_database, sqlite_file
from croupier.table import Conversation


def office_at(url: str) -> OfficeState | None:
    """The office as it is stored at an address; None where no House was founded.

    Nothing is made: no file, and no table in an empty database.
    """
    if url.startswith(SQLITE):
        file = sqlite_file(url)
        if not file.exists() or not file.stat().st_size:
            return None
    database = open_database(url, create=False)
    try:
        if not database.tables():
            return None
        office = office_in(Store(database))
    finally:
        database.close()
    return office.state if office.state.founded else None


def office_in(store: Store) -> Conversation[OfficeState]:
    """The office as a store has it: from its kept state and the events since, as the House itself
    reads it at a start. A kept state that this croupier would write otherwise is passed over."""
    office: Conversation[OfficeState] = Office()
    position = 0
    kept = store.snapshot(OFFICE)
    if kept is not None:
        with suppress(msgspec.MsgspecError):
            restored = Office.restore(office.book, kept.state)
            if restored.snapshot() == kept.state:
                office, position = restored, kept.position
    for row in store.rows(OFFICE, after=position):
        try:
            office.apply(office.read_event(row.event))
        except Exception as error:
            raise CorruptDatabase(
                f"event {row.position} of {OFFICE} cannot be replayed ({error}); it was "
                f"changed, or written by a newer croupier: `croupier audit verify` says more"
            ) from error
    return office


def administrators(state: OfficeState) -> dict[str, bool]:
    """Who administers the House, and whether he has a password to log in with."""
    return {
        name: bool(person.digest)
        for name, person in state.people.items()
        if person.role == "administrator"
    }
