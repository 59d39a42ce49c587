"""How one visitor stands at a table, with what he may do there ready-made.

A page builds its commands itself, from the offers in its view. A program need not: it may ask for
the offers ready-made, pick one, and send back what it says as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec import Struct

from croupier.pit.ports.offers import ReadyMade
from croupier.pit.registry import GAMES
from croupier.table import Money, Table


class Standing(Struct, frozen=True, kw_only=True):
    """How a visitor stands at a table: the round, the chips before him, what he may do."""

    position: int
    round: int
    chips: Money | None
    """None while he does not sit there."""
    offers: tuple[ReadyMade, ...]


def standing_of(table: Table[Any], who: str, position: int, ready: Collection[str]) -> Standing:
    """How somebody stands at a table; `ready` are those who have said that they have bet."""
    port = GAMES.port_of(table)
    stands = port.stands(table, who, said_ready=who in ready)
    number = port.round_number(table)
    return Standing(position=position, round=number, chips=stands.chips, offers=stands.offers)
