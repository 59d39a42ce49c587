"""The clocks of a table: how long people are waited for, and at which pace the House deals.

A casino has one set for all its tables; each table may have some of its own, which are on record in
the office. Players' clocks run only where players act by their own devices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

Seconds = Annotated[float, Meta(ge=0, le=86_400)]


class Clocks(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long people are waited for, and at which pace the House deals."""

    to_act: Seconds = 15
    """Time to act, at each turn and in each window of a banked round."""
    time_bank: Seconds = 30
    """What a player has on top of it, and never more."""
    bank_refill: Seconds = 5
    """What comes back to it with each round."""
    straddle: Seconds = 6
    decision: Seconds = 20
    showdown: Seconds = 8
    """For a person who may choose whether he shows his hand; less where the pace is below 1."""
    bets: Seconds = 15
    """From the first Ante until betting closes; less where everybody says that he is ready."""
    grace: Seconds = 60
    """After a lost connection, until a player has walked away (banked) or sits out (poker)."""
    seat_kept: Seconds = 900
    """After a lost connection, until his seat is given up between rounds."""
    between_rounds: Seconds = 4
    pace: Annotated[float, Meta(ge=0, le=10)] = 1.0
    """The dealer's pace: 1 is a person's, 2 half as fast, 0 deals at once."""


def with_own(clocks: Clocks, own: Mapping[str, Any]) -> Clocks:
    """The clocks of a table that has some of its own; `msgspec.ValidationError` for a wrong one."""
    if not own:
        return clocks
    return msgspec.convert({**msgspec.structs.asdict(clocks), **own}, Clocks)
