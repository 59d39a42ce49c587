"""The settings of a poker table: what its sign and its layout say."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class PokerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator states for one table."""

    seats: Annotated[int, Meta(ge=2, le=10, description="seats of the layout")] = 9
