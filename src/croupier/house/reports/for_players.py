"""What staff did for players: for whom, on which word and why (S-34).

It follows from the orders on record, each of which says by whose authority it was given.
"""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import Struct

from croupier.house.records import Authority, OrderRecord
from croupier.house.store import Store


class ForPlayer(Struct, kw_only=True):
    """What one member of staff did for one player at one table, for one reason."""

    table: str
    staff: str
    player: str
    word: str
    """What it rests on: `seen` at the table, the player's `pin`, or `cash`."""
    why: str
    acts: int = 0
    brought: int = 0
    """Chips that came to the table with it."""


_read = msgspec.json.Decoder(Authority)


def acts_for_players(store: Store, start: datetime, end: datetime) -> list[ForPlayer]:
    """What was done for players from a moment to another."""
    found: dict[tuple[str, str, str, str, str], ForPlayer] = {}
    for order in store.orders():
        if "on_behalf" not in order.authority:
            continue
        if not start <= datetime.fromisoformat(order.at) < end:
            continue
        by = _read.decode(order.authority)
        key = (order.place, order.who, by.on_behalf, by.word, by.why)
        one = found.get(key)
        if one is None:
            one = found[key] = ForPlayer(
                table=order.place, staff=order.who, player=by.on_behalf, word=by.word, why=by.why
            )
        one.acts += 1
        if by.word != "seen":
            one.brought += _brought(store, order, by.on_behalf)
    return [found[key] for key in sorted(found)]


def _brought(store: Store, order: OrderRecord, player: str) -> int:
    """What an order brought to a player's chips at the table."""
    rows = [row for row in store.answer_of(order.command_id) if row.stream == order.place]
    if not rows:
        return 0
    chips, last = f"table/{order.place}/chips/{player}", rows[-1].position
    brought = 0
    for entry in store.entries(order.place, after=rows[0].position - 1):
        if entry.position > last:
            break
        if entry.account == chips:
            brought += entry.amount
    return brought
