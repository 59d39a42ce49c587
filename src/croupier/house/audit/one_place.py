"""Orders that one place alone has heard, decided again.

Most orders of a night are so, and every one of them comes through here: this is written to be
quick. Rows and orders are looked at as they are stored. What is not exactly as it should be, before
the order is given again, is left to `croupier.house.audit.redecide`, which says what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec

from croupier.house.audit.walk import PlaceWalk
from croupier.house.hidden import SHUFFLES
from croupier.table import ActorRank, BadCommand, Command, Event, Order

RANKS = {rank.value: rank for rank in ActorRank}
_encode = msgspec.json.Encoder().encode
Values = tuple[Any, ...]


def order_of(
    walks: Mapping[str, PlaceWalk], values: Values, rows: Sequence[Values]
) -> Order[Command] | None:
    """The order as it is given again; None if it is not bound to rows that come next at its place
    and nowhere else, or if anything is amiss with it."""
    number, command_id, place, who, rank, at, authority, software, also, command = values[:10]
    walk = walks.get(place)
    if walk is None or also or values[11] or not rows or command.startswith(SHUFFLES):
        return None
    conversation = walk.replay.conversation
    if conversation is None:
        return None
    head = f"{number}\n{command_id}\n{place}\n{who}\n{rank}\n{at}\n{authority}\n{software}\n\n"
    bound = sha256(head.encode() + command).digest()
    if not _go_on(walk, rows, (place, command_id, who, rank, at), bound):
        return None
    try:
        return Order(
            command=conversation.read_command(command),
            who=who,
            rank=RANKS[rank],
            when=datetime.fromisoformat(at),
        )
    except (BadCommand, KeyError, ValueError):
        return None


def _go_on(
    walk: PlaceWalk, rows: Sequence[Values], given: tuple[str, ...], order_digest: bytes
) -> bool:
    """Whether these rows come next at a place, each chained to the one before it, the first bound
    to the order; see `croupier.house.chain`."""
    place, command_id, who, rank, at = given
    rest = f"{command_id}\n{who}\n{rank}\n{at}\n"
    bound, in_hex = order_digest, order_digest.hex()
    replay = walk.replay
    last, position = replay.last, replay.position
    for stream, where, _, by, ranked, when, event, digest, order in rows:
        position += 1
        if where != position or stream != place or (order or b"") != bound:
            return False
        if by != who or ranked != rank or when != at:
            return False
        text = f"{place}\n{where}\n{rest}{in_hex}\n".encode()
        last = sha256(last + text + event).digest()
        if last != digest:
            return False
        bound, in_hex = b"", ""
    return True


def is_said(events: Sequence[Event], rows: Sequence[Values]) -> bool:
    """Whether these are the stored events, byte for byte."""
    return [_encode(event) for event in events] == [row[6] for row in rows]
