"""Sentences that are said to one person: to the player himself as *you*, to staff by the seat."""

from __future__ import annotations

from typing import Any

from croupier.table import ActorRank, Order


def said_to(order: Order[Any], seat: int, says: str) -> str:
    """A sentence about the player at a seat, for whoever gave the order.

    Written with `{You}`, `{you}`, `{Your}`, `{your}`, `{are}` and `{have}`: a player is spoken to,
    a dealer who enters it for a player is told of the seat.
    """
    if order.rank is ActorRank.PLAYER:
        return says.format(You="You", you="you", Your="Your", your="your", are="are", have="have")
    at = f"seat {seat}"
    return says.format(
        You=at.capitalize(), you=at, Your=f"{at.capitalize()}'s", your="its", are="is", have="has"
    )
