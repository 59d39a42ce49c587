"""The hash chain: every stored event carries a digest of itself and of the one before it.

The algorithm is short enough to write down, so that anybody can check a log without croupier:

    digest(0)  = 32 zero bytes
    digest(n)  = SHA-256( digest(n-1) || head || LF || event )
    head       = the UTF-8 text of place, position, command id, who, rank and time,
                 in this order, each followed by one line feed (LF)
    event      = the stored bytes of the event, JSON in UTF-8

Each table and each link has a chain of its own, with positions 1, 2, 3, …. None of the parts of a
head holds a line feed itself (the store turns such a row away), so no two rows have one text.
"""

from __future__ import annotations

import hashlib

from croupier.house.records import Row

START = bytes(32)
"""What stands before the first event of a log."""

LINES = 7
"""Line feeds between the digest before and the event: one after each part, and one more."""


def heading(row: Row) -> str:
    """What stands between the digest before and the event."""
    return f"{row.stream}\n{row.position}\n{row.command_id}\n{row.who}\n{row.rank}\n{row.at}\n\n"


def digest(before: bytes, row: Row) -> bytes:
    """The digest of a row that follows one with the digest `before`."""
    return hashlib.sha256(before + heading(row).encode() + row.event).digest()
