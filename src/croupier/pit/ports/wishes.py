"""What a player wants to do with his seat as soon as the table lets him: the record.

Most of it is refused while a round is played with him in it. Whoever wishes it beforehand need not
watch for the moment, nor stay for it.
"""

from __future__ import annotations

from msgspec import Struct

from croupier.table import Money


class Wish(Struct, frozen=True, kw_only=True):
    """What one player wishes at one table."""

    leave: bool = False
    sit_out: bool = False
    add: Money = 0
    """Chips to add, in cents."""
