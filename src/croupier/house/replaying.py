"""A stored log, read to be told: each row is held to its chain, and each event to its table.

Whoever tells or reports what was stored must not tell what was changed. Where a log does not hold
together he stops with `BrokenLog`; what was changed there, and how, is what an audit says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.house.chain import START, digest
from croupier.house.errors import BrokenLog
from croupier.house.records import Row
from croupier.house.store import Store
from croupier.table import Conversation, Event

WITHHELD = b"null"
"""In place of an event, and only in what was read from an export: a shuffle for a round that had
not begun. What follows it there belongs to no round."""


def held_rows(store: Store, place: str, after: int = 0) -> Iterator[Row]:
    """The log of a place from after a position on, as far as it holds together."""
    before = store.row(place, after) if after else None
    last = before.digest if before is not None else START
    for row in store.rows(place, after=after):
        after += 1
        if store.exported and row.event == WITHHELD:
            return
        if row.position != after or digest(last, row) != row.digest:
            raise broken(place, after)
        last = row.digest
        yield row


def read_event(conversation: Conversation[Any], row: Row) -> Event:
    """The event of a row; one that this place never has is a broken log."""
    try:
        return conversation.read_event(row.event)
    except Exception as error:
        raise broken(row.place, row.position) from error


def apply_event(conversation: Conversation[Any], row: Row, event: Event) -> None:
    """Take a table through an event; one that cannot have happened there is a broken log."""
    try:
        conversation.apply(event)
    except Exception as error:  # whatever it is: the table never says no to what it has made
        raise broken(row.place, row.position) from error


def broken(place: str, position: int) -> BrokenLog:
    """What to say of it."""
    return BrokenLog(
        f"the log of {place} does not hold together at event {position}; "
        f"`croupier audit verify` says more"
    )
