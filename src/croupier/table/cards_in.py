"""Which cards a record speaks of: a command, an event, a view, a whole state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from croupier.cards import Card


def cards_in(record: Any) -> Iterator[Card]:
    """Every card that is named somewhere in a record."""
    match record:
        case Card():
            if record is not Card.UNKNOWN:
                yield record
        case Struct():
            for field in record.__struct_fields__:
                yield from cards_in(getattr(record, field))
        case Mapping():
            for key, value in record.items():
                yield from cards_in(key)
                yield from cards_in(value)
        case list() | tuple() | set() | frozenset():
            for each in record:
                yield from cards_in(each)
        case _:
            return
