"""The records of the dealer's page: a hand-dealt table, and what can be entered there now."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.live.pit_records import PitDecision, PitTile
from croupier.live.pit_told import PitTold
from croupier.pit.ports.dealer_acts import DealerView, EntryField, Kind


class DealEntry(Struct, frozen=True, kw_only=True):
    """Something that the dealer may enter now."""

    kind: Kind
    says: str
    key: str
    """The letter by which it is entered; nothing where it has none."""
    seat: int | None
    """At which seat or box, where it is about one."""
    fields: tuple[EntryField, ...]
    command: dict[str, Any]
    """What to send; what is said in the fields stands in the place of what is there."""
    word: bool
    """Whether it needs the player's own word: it is then sent with the PIN, or for cash."""


class DealTable(Struct, frozen=True, kw_only=True):
    """A hand-dealt table, for whoever deals there."""

    place: str
    position: int
    """Where the table's log stands."""
    you: str
    tile: PitTile
    seat_word: str
    """Seat or box."""
    view: DealerView
    entries: tuple[DealEntry, ...]
    """The first step is the one that comes next by the book."""
    decisions: tuple[PitDecision, ...]
    """What the table asks, and the dealer may answer."""
    told: tuple[PitTold, ...]
    """What happened last, the newest first; what was ruled has its paragraphs."""
    play: bool
    """Whether it is the demonstration."""
