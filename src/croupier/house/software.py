"""The names under which the software itself acts. Nobody else can have them."""

from __future__ import annotations

HOUSE = "house"
"""Deals, carries messages, notes starts and stops."""
CLOCK = "clock"
"""Acts for a player whose time is over."""
STANDING_ORDERS = "standing orders"
"""Decides what the House has decided beforehand."""

SOFTWARE = frozenset({HOUSE, CLOCK, STANDING_ORDERS})
