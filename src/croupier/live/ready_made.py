"""How one visitor stands at a table, with what he may do there ready-made.

A page builds its commands itself, from the offers in its view. A program need not: it may ask for
the offers ready-made, pick one, and send back what it says as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec import Struct

from croupier.banked import BankedTable
from croupier.banked.view import BankedView
from croupier.pit.ports.banked_offers import banked_offers
from croupier.pit.ports.offers import ReadyMade
from croupier.pit.ports.poker_offers import poker_offers
from croupier.poker import PokerTable
from croupier.poker.view import PokerView
from croupier.table import Money, Table, player


class Standing(Struct, frozen=True, kw_only=True):
    """How a visitor stands at a table: the round, the chips before him, what he may do."""

    position: int
    round: int
    chips: Money | None
    """None while he does not sit there."""
    offers: tuple[ReadyMade, ...]


def standing_of(table: Table[Any], who: str, position: int, ready: Collection[str]) -> Standing:
    """How somebody stands at a table; `ready` are those who have said that they have bet."""
    view = table.view(player(who))
    match view:
        case PokerView():
            assert isinstance(table, PokerTable)
            chips = view.seats[view.yours[0]].stake if view.yours else None
            offers = tuple(poker_offers(table, view, who))
        case BankedView():
            assert isinstance(table, BankedTable)
            chips = view.chips if view.yours else None
            offers = tuple(banked_offers(table, view, who, said_ready=who in ready))
        case _:
            raise TypeError(f"no offers are made at a {type(table).__name__}")
    return Standing(position=position, round=view.round, chips=chips, offers=offers)
