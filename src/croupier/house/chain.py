"""The hash chain: every stored event carries a digest of itself and of the one before it.

The algorithm is short enough to write down, so that anybody can check a log without croupier:

    digest(0)  = 32 zero bytes
    digest(n)  = SHA-256( digest(n-1) || head || order || LF || event )
    head       = the UTF-8 text of place, position, command id, who, rank and time,
                 in this order, each followed by one line feed (LF)
    order      = in the first row of an order at the place to which it was given: the SHA-256 of
                 the order in 64 hexadecimal digits. Nothing in any other row, and nothing in rows
                 that were stored before orders were (schema 5)
    event      = the stored bytes of the event, JSON in UTF-8; where a deck is hidden in it, hidden
                 (`croupier.house.hidden`)

Each table and each link has a chain of its own, with positions 1, 2, 3, …. None of the parts of a
head holds a line feed itself (the store turns such a row away), so no two rows have one text.

The SHA-256 of an order is over the UTF-8 text of its number, command id, place, who, rank, time,
authority, software and also, in this order, each followed by one LF, and then its command. The
number is how many events all logs had before it, so the orders of all logs have one order: each
has the number of the one before it and as many more as that one had events. An order that came to
nothing has no row: it has the number of the next one, and its digest stands beside it.

What was refused has a chain of its own, over everything that is stored of it (`refused_digest`).
"""

from __future__ import annotations

from hashlib import sha256

from croupier.house.records import OrderRecord, RefusedRecord, Row

START = bytes(32)
"""What stands before the first event of a log."""

LINES = 7
"""Line feeds between the digest before and the event: one after each part, and one more."""

ORDER_LINES = 9
"""Line feeds before the command of an order: one after each part."""


def heading(row: Row) -> str:
    """What stands between the digest before and the event."""
    return (
        f"{row.stream}\n{row.position}\n{row.command_id}\n{row.who}\n{row.rank}\n{row.at}\n"
        f"{row.order.hex()}\n"
    )


def digest(before: bytes, row: Row) -> bytes:
    """The digest of a row that follows one with the digest `before`."""
    return sha256(before + heading(row).encode() + (row.stored or row.event)).digest()


def order_heading(order: OrderRecord) -> str:
    """What stands before what others had to hear with an order."""
    return (
        f"{order.number}\n{order.command_id}\n{order.place}\n{order.who}\n{order.rank}\n"
        f"{order.at}\n{order.authority}\n{order.software}\n"
    )


def order_digest(order: OrderRecord) -> bytes:
    """The digest of an order."""
    text = order_heading(order).encode()
    return sha256(b"%s%s\n%s" % (text, order.also, order.stored or order.command)).digest()


def refused_digest(refused: RefusedRecord) -> bytes:
    """The digest of a refused order, over that of the one before it and everything else that is
    stored of it: each part but the last is followed by one LF, and none holds another."""
    parts = (
        refused.number,
        refused.command_id,
        refused.place,
        refused.who,
        refused.rank,
        refused.at,
        refused.authority,
        refused.software,
        refused.written,
        refused.cites,
        refused.says,
    )
    text = "".join(f"{part}\n" for part in parts).encode()
    return sha256(refused.follows + text + refused.command).digest()
