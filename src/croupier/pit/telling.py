"""An event as somebody may see it and hear it: a player, everybody else, or the auditor afterwards.

What may be seen is the event's own to say (`private_to`, `public`); here is only who sat where when
it happened, which decides whose it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from croupier.cards import Card, pretty_cards
from croupier.pit.ports.port import GamePort
from croupier.table import Event, Looked, ShuffleGiven, ShuffleNeeded, Viewer
from croupier.table.event import Namer


def shown_to(event: Event, viewer: Viewer, roster: Mapping[int, str]) -> Event | None:
    """The event as this viewer may see it; None if he may not know of it. `roster` says who sat
    where as it happened."""
    if viewer.auditor and viewer.afterwards:
        return event
    seat = event.private_to()
    if viewer.who is not None and seat is not None and roster.get(seat) == viewer.who:
        return event
    return event.public()


def told_by(event: Event, name: Namer) -> str:
    """An event in words; who looks at his cards is also told which they are."""
    said = event.tell(name)
    if isinstance(event, Looked) and Card.UNKNOWN not in event.cards:
        return f"{said.removesuffix('.')}: {pretty_cards(event.cards)}."
    return said


def told_to_auditor(port: GamePort[Any], event: Event, name: Namer) -> str:
    """An event for the auditor, who sees every card of a finished round, also face down ones."""
    better = port.told_to_auditor(event, name)
    if better is not None:
        return better
    says = event.tell(name)
    if isinstance(event, ShuffleNeeded | ShuffleGiven | Looked):
        return says  # a whole deck, or what was named when it was dealt
    open_ones = set(cards_in(event.public()))
    closed = dict.fromkeys(card for card in cards_in(event) if card not in open_ones)
    unnamed = [card for card in closed if card.pretty not in says]
    return f"{says} Face down: {pretty_cards(unnamed)}." if unnamed else says


def cards_in(record: object) -> Iterator[Card]:
    """Every known card in a record, however deep it lies."""
    match record:
        case Card():
            if record.is_known:
                yield record
        case Struct():
            for name in record.__struct_fields__:
                yield from cards_in(getattr(record, name))
        case dict():
            for value in record.values():
                yield from cards_in(value)
        case list() | tuple() | set() | frozenset():
            for value in record:
                yield from cards_in(value)
        case _:
            return
