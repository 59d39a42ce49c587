"""An act for somebody else: for whom, on which word, and why. It is stored with the order."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Word = Literal["seen", "pin", "cash"]
"""What an act for a player rests on: the dealer saw it; the player typed his PIN; he paid cash."""

SEEN = "seen at the table"


class Behalf(Struct, frozen=True, kw_only=True):
    """What is said with an order that acts for a player."""

    player: str
    word: Word = "seen"
    why: str = SEEN
