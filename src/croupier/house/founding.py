"""What is known of a House before it is opened: whether it is founded, for which money, by whom.

Opening a database founds a House in an empty one. Whoever must not do that looks here first.
"""

from __future__ import annotations

from croupier.house.office import OFFICE, Office, OfficeState
from croupier.house.replaying import replay, restored
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
    office, position = restored(Office(), store, OFFICE, quietly=True)
    replay(office, store, OFFICE, after=position)
    return office


def administrators(state: OfficeState) -> dict[str, bool]:
    """Who administers the House, and whether he has a password to log in with."""
    return {
        name: bool(person.digest)
        for name, person in state.people.items()
        if person.role == "administrator"
    }
