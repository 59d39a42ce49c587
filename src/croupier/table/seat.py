"""Seats and boxes: numbered from 1, clockwise from the dealer's left."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated

from msgspec import Meta

Seat = Annotated[int, Meta(ge=1, le=99, description="seat, clockwise from the dealer's left")]
Box = Annotated[int, Meta(ge=1, le=99, description="box, clockwise from the dealer's left")]


def clockwise(seats: Collection[int], after: int) -> list[int]:
    """Return the seats in clockwise order, beginning with the first one after a given one.

    >>> clockwise([1, 3, 6], after=3)
    [6, 1, 3]
    """
    ordered = sorted(seats)
    return [p for p in ordered if p > after] + [p for p in ordered if p <= after]
