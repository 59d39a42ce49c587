"""The rounds in which a player was dealt cards, also those without a stake.

Where everybody has a stake the ledger says who played. In poker one may fold before the flop
without a chip, and the ledger knows nothing of it. So the log is read, without replaying it: of
each row only that is decoded which says who sits where, that a round begins, and who is dealt in.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from croupier.house.queries.account import AT_ONCE
from croupier.house.queries.walk import Kinds, Progress, quiet
from croupier.house.store import Store
from croupier.pit.ports.port import Events
from croupier.pit.registry import GAMES
from croupier.table import Table

MARKED_WITHIN = 60
"""Characters at the beginning of a row in which its tag stands."""


class DealtIn(Struct, frozen=True, kw_only=True):
    """A round in which somebody was dealt cards."""

    table: str
    round: int
    at: str


class _Row(Struct):
    """As much of an event as is asked for here."""

    event: str
    seat: int = 0
    player: str = ""
    round: int = 0
    to: tuple[int, ...] = ()


def rounds_dealt(
    store: Store, table: str, player: str, *, progress: Progress = quiet
) -> Iterator[DealtIn]:
    """The rounds of a table in which this player was dealt cards, in order, each once."""
    kind = Kinds(store).of(table)
    if not isinstance(kind, Table):
        return
    port = GAMES.port_of(kind)
    if not port.hands_dealt:
        return
    sits, begins, deals = map(_tags, (port.seat_taken, port.round_begins, port.hands_dealt))
    marks = tuple(b'"' + tag.encode() + b'"' for tag in sits | begins | deals)
    roster: dict[int, str] = {}
    number = told = 0
    for read, row in enumerate(store.rows(table, at_once=AT_ONCE), start=1):
        progress(read)
        if not any(mark in row.event[:MARKED_WITHIN] for mark in marks):
            continue
        found = msgspec.json.decode(row.event, type=_Row)
        if found.event in sits:
            roster[found.seat] = found.player
        elif found.event in begins:
            number = found.round
        elif number != told and player in {roster.get(seat) for seat in found.to}:
            told = number
            yield DealtIn(table=table, round=number, at=row.at)


def _tags(events: Events) -> frozenset[str]:
    return frozenset(str(each.__struct_config__.tag) for each in events)
