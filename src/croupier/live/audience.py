"""Audiences: who gets the same bytes. Players of a table each have their own, all others share one.

An event is masked for an audience by who sat where when it happened, never by who sits there now:
a seat that changes hands does not hand over what its last player saw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Raw, Struct

from croupier.pit.registry import GAMES
from croupier.pit.telling import shown_to, told_by
from croupier.table import PUBLIC, Event, Table, Viewer, player
from croupier.table.views import Views

Audience = str | None
"""The name of a player of the table, or None: the public."""

Roster = dict[int, str]
"""Who sat where."""


class Entry(Struct, frozen=True, kw_only=True):
    """One event of a table's log with what is needed to mask and tell it later."""

    position: int
    at: str
    event: Event
    roster: Roster
    timed_out: bool = False
    """Whether the House did it for a player whose time was over."""


class TellingEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event as one audience gets it."""

    position: int
    at: str
    event: Event
    told: str
    cites: tuple[str, ...]
    timed_out: bool = False
    """Whether the House did it for a player whose time was over."""


@lru_cache(maxsize=4_096)
def viewer_of(audience: Audience) -> Viewer:
    """The viewer whose view this audience gets."""
    return PUBLIC if audience is None else player(audience)


def roster_of(table: Table[Any], before: Roster) -> Roster:
    """Who sits where now; the same object as before while nobody has come or gone."""
    found = {
        seat: who for seat in table.taken_seats() if (who := table.player_at(seat)) is not None
    }
    return before if found == before else found


def namer(roster: Roster) -> Callable[[int], str]:
    """Name a seat or box by who sat there."""
    return lambda seat: roster.get(seat, f"place {seat}")


def shown(entry: Entry, audience: Audience) -> Event | None:
    """The event as this audience may see it; None if it may not know of it."""
    return shown_to(entry.event, viewer_of(audience), entry.roster)


def owner(entry: Entry) -> Audience:
    """The player who sees more of this event than the public does, if there is one."""
    seat = entry.event.private_to()
    return entry.roster.get(seat) if seat is not None else None


def told(entry: Entry, audience: Audience) -> TellingEntry | None:
    """The event masked and told for an audience."""
    event = shown(entry, audience)
    if event is None:
        return None
    return TellingEntry(
        position=entry.position,
        at=entry.at,
        event=event,
        told=told_by(event, namer(entry.roster)),
        cites=event.cites,
        timed_out=entry.timed_out,
    )


_encoder = msgspec.json.Encoder()


def encode_entry(entry: Entry, audience: Audience) -> Raw | None:
    """One event as it goes over the wire to an audience."""
    made = told(entry, audience)
    return None if made is None else Raw(_encoder.encode(made))


def encode_entries(
    entries: Sequence[Entry], audiences: Iterable[Audience]
) -> dict[Audience, list[Raw]]:
    """Some events for several audiences: encoded once, and again only for whom they are private.
    Those to whom none is private share one list."""
    public = [(entry, encode_entry(entry, None)) for entry in entries]
    for_all = [raw for _, raw in public if raw is not None]
    owners = {owner(entry) for entry in entries} - {None}
    if not owners:
        return dict.fromkeys(audiences, for_all)
    return {
        audience: [
            raw
            for entry, for_others in public
            if (raw := encode_entry(entry, audience) if owner(entry) == audience else for_others)
            is not None
        ]
        if audience in owners
        else for_all
        for audience in audiences
    }


def views_for(table: Table[Any], audiences: Iterable[Audience]) -> Views:
    """The table as each of these audiences may see it."""
    return GAMES.port_of(table).views(table, audiences)


def encode_view(view: Struct) -> Raw:
    """A view as it goes over the wire."""
    return Raw(_encoder.encode(view))


def encode_views(table: Table[Any], audiences: Collection[Audience]) -> dict[Audience, Raw]:
    """The table as it goes over the wire to each of these audiences."""
    views = views_for(table, audiences)
    return {audience: encode_view(views[audience]) for audience in audiences}
