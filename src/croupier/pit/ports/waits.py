"""Whom a table waits for, and what the House does for him when his time is over: the records.

Nothing here looks at a clock. What the House does for a player who does not act is the least that
keeps the game going.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from croupier.table import ActorRank, Command

Why = Literal["action", "straddle", "decision", "showdown"]


class Wait(Struct, frozen=True, kw_only=True):
    """Players who are waited for, and until when as far as the game goes: `key` changes with it."""

    why: Why
    seats: tuple[int, ...]
    key: tuple[Any, ...]


class BetsOpen(Struct, frozen=True, kw_only=True):
    """Bets may be placed until the House closes them, when its time is over or all are ready."""

    key: tuple[Any, ...]
    betting: frozenset[str]
    """Who has bet: while nobody has, nothing is closed."""
    sitting: frozenset[str]
    """Who may still bet."""


class Instead(Struct, frozen=True, kw_only=True):
    """What the House does for a player who did not act, and in which rank it is recorded.

    The banked books let nobody but a Pit Employee enter a player's act, and only a person decides
    for a seat: there the House acts as the dealer of its automatic table.
    """

    command: Command
    rank: ActorRank


def by_house(command: Command) -> Instead:
    """Done by the software in its own name."""
    return Instead(command=command, rank=ActorRank.HOUSE)


def by_dealer(command: Command) -> Instead:
    """Done by the software as the dealer of its automatic table."""
    return Instead(command=command, rank=ActorRank.DEALER)
