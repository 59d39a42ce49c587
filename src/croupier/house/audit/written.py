"""Whether an event stands in the log as croupier writes it: this release, or one before it.

A released event gets a new field only with a default that says what was so before. So a log of the
release before lacks the field, and is not wrong for that. Everything else must be the same byte for
byte: order of the fields, numbers, blanks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from croupier.table import Event
from croupier.table.conversation import write


def is_written(stored: bytes, event: Event) -> bool:
    """Whether an event that was read from these bytes is written so, now or by a release before."""
    written = write(event)
    if written == stored:
        return True
    before = msgspec.json.decode(stored)
    return msgspec.json.encode(_as_far_as(msgspec.json.decode(written), before)) == stored


def is_same(stored: bytes, event: Event, read: Callable[[bytes], Event]) -> bool:
    """Whether a release before wrote this event so: what it did not write is as it was then."""
    try:
        return read(stored) == event and is_written(stored, event)
    except msgspec.MsgspecError:
        return False


def _as_far_as(written: Any, before: Any) -> Any:
    """What is written now, without the fields that were not there before."""
    match written, before:
        case dict(), dict():
            return {
                name: _as_far_as(value, before[name])
                for name, value in written.items()
                if name in before
            }
        case list(), list() if len(written) == len(before):
            return [_as_far_as(new, old) for new, old in zip(written, before, strict=True)]
        case _:
            return written
