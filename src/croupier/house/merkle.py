"""A Merkle tree: many leaves under one root, each of which can be shown to be there by itself.

It is the tree of RFC 6962 (certificate transparency), with SHA-256. `||` puts one behind the other.

    leaf(data)        = SHA-256(0x00 || data)
    node(left, right) = SHA-256(0x01 || left || right)

Each row of nodes is made of pairs of the row below; a last one without a partner goes up as it is.
The two bytes in front keep a leaf from ever being taken for a node. The path of a leaf is its
partner in each row, from the leaves up; where it has none in a row, nothing stands for that row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

LEAF, NODE = b"\x00", b"\x01"


def leaf_of(data: bytes) -> bytes:
    """The leaf of some data."""
    return hashlib.sha256(LEAF + data).digest()


def node_of(left: bytes, right: bytes) -> bytes:
    """The node over two others."""
    return hashlib.sha256(NODE + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over leaves; over none it is the SHA-256 of nothing."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    row = list(leaves)
    while len(row) > 1:
        row = _above(row)
    return row[0]


def path_of(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """What shows, with the root, that a leaf is there."""
    if not 0 <= index < len(leaves):
        raise IndexError(f"there is no leaf {index} among {len(leaves)}")
    row, path = list(leaves), []
    while len(row) > 1:
        partner = index ^ 1
        if partner < len(row):
            path.append(row[partner])
        row, index = _above(row), index >> 1
    return tuple(path)


def root_by(leaf: bytes, index: int, count: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a path leads to from a leaf; None if it is no path of so many leaves."""
    if not 0 <= index < count:
        return None
    partners = list(reversed(path))
    while count > 1:
        if index ^ 1 < count:
            if not partners:
                return None
            partner = partners.pop()
            leaf = node_of(partner, leaf) if index & 1 else node_of(leaf, partner)
        index, count = index >> 1, (count + 1) >> 1
    return None if partners else leaf


def _above(row: list[bytes]) -> list[bytes]:
    sha256 = hashlib.sha256
    pairs = zip(row[::2], row[1::2], strict=False)
    above = [sha256(NODE + left + right).digest() for left, right in pairs]
    return [*above, row[-1]] if len(row) & 1 else above
