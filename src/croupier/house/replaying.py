"""A stored log, read to be told: each row is held to its chain, and each event to its table.

Whoever tells or reports what was stored must not tell what was changed. Where a log does not hold
together he stops with `BrokenLog`; what was changed there, and how, is what an audit says.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, TypeVar

from croupier.house.chain import START, digest
from croupier.house.errors import BrokenLog, CorruptDatabase
from croupier.house.records import UNREADABLE, WITHHELD, Row, Snapshot
from croupier.house.store import Store
from croupier.house.store_reader import READ_AT_ONCE
from croupier.table import Conversation, Event, State

S = TypeVar("S", bound=State)

logger = logging.getLogger("croupier.house")


def held_rows(
    store: Store, stream: str, after: int = 0, at_once: int = READ_AT_ONCE
) -> Iterator[Row]:
    """The log of a stream from after a position on, as far as it holds together."""
    before = store.row(stream, after) if after else None
    last = before.digest if before is not None else START
    for row in store.rows(stream, after=after, at_once=at_once):
        after += 1
        if store.exported and row.event == WITHHELD:
            return
        if row.position != after or digest(last, row) != row.digest:
            raise broken(stream, after)
        last = row.digest
        yield row


def read_event(conversation: Conversation[Any], row: Row) -> Event:
    """The event of a row; one that this stream never has is a broken log."""
    try:
        return conversation.read_event(row.event)
    except Exception as error:
        raise broken(row.stream, row.position) from error


def apply_event(conversation: Conversation[Any], row: Row, event: Event) -> None:
    """Take a table through an event; one that cannot have happened there is a broken log."""
    try:
        conversation.apply(event)
    except Exception as error:  # whatever it is: the table never says no to what it has made
        raise broken(row.stream, row.position) from error


def broken(stream: str, position: int) -> BrokenLog:
    """What to say of it."""
    return BrokenLog(
        f"the log of {stream} does not hold together at event {position}; "
        f"`croupier audit verify` says more"
    )


# -- as a House reads its streams at a start ------------------------------------------------------


def restored(
    empty: Conversation[S], store: Store, stream: str, *, quietly: bool = False
) -> tuple[Conversation[S], int]:
    """A conversation from its kept state, and how far that goes.

    `empty` and 0 where there is no state that this version would write just so: its log is replayed
    then.
    """
    kept = store.snapshot(stream)
    if kept is None:
        return empty, 0
    made = _as_kept(empty, kept)
    if made is not None:
        return made, kept.position
    if not quietly:
        logger.warning("the kept state of %s is of another version; its log is replayed", stream)
    return empty, 0


def _as_kept(empty: Conversation[S], kept: Snapshot) -> Conversation[S] | None:
    try:
        made = type(empty).restore(empty.book, kept.state)
    except UNREADABLE:
        return None
    return made if made.snapshot() == kept.state else None


def replay(made: Conversation[Any], store: Store, stream: str, after: int) -> int:
    """Take a conversation through the events since a position; how far its log goes."""
    for row in store.rows(stream, after=after):
        try:
            made.apply(made.read_event(row.event))
        except Exception as error:
            raise CorruptDatabase(
                f"event {row.position} of {stream} cannot be replayed ({error}); it was changed, "
                f"or written by a newer croupier: `croupier audit verify` says more"
            ) from error
        after = row.position
    return after
