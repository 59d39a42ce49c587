"""The hash chain: every stored event carries a digest of itself and of the one before it.

The algorithm is short enough to write down, so that anybody can check a log without croupier:

    digest(0)  = 32 zero bytes
    digest(n)  = SHA-256( digest(n-1) || head || LF || event )
    head       = the UTF-8 text of place, position, command id, who, rank and time,
                 in this order, each followed by one line feed (LF)
    event      = the stored bytes of the event, JSON in UTF-8

Each table and each link has a chain of its own, with positions 1, 2, 3, ….
"""

from __future__ import annotations

import hashlib

from croupier.house.records import Row

START = bytes(32)
"""What stands before the first event of a log."""


def digest(before: bytes, row: Row) -> bytes:
    """The digest of a row that follows one with the digest `before`."""
    head = (row.place, str(row.position), row.command_id, row.who, row.rank, row.at)
    text = "".join(f"{part}\n" for part in head)
    return hashlib.sha256(before + text.encode() + b"\n" + row.event).digest()
