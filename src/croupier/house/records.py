"""What the House stores: rows of the log, entries of the ledger, and what belongs together."""

from __future__ import annotations

from msgspec import Struct


class Row(Struct, frozen=True, kw_only=True):
    """One event of one table or link, as it is stored."""

    place: str
    position: int
    command_id: str
    who: str
    rank: str
    at: str
    event: bytes
    digest: bytes = b""


class Head(Struct, frozen=True, kw_only=True):
    """How far a log goes, and the digest of its last row."""

    place: str
    position: int
    digest: bytes


class Entry(Struct, frozen=True, kw_only=True):
    """One side of a movement of money: what an account gains (or, negative, gives)."""

    place: str
    position: int
    account: str
    amount: int


class Bundle(Struct, kw_only=True):
    """All that one command caused: stored in one transaction, or not at all.

    `expected` is how far each log went when the command was answered; if any of them has grown
    since, another writer was first.
    """

    command_id: str
    expected: dict[str, int]
    rows: list[Row]
    entries: list[Entry] = []


class Snapshot(Struct, frozen=True, kw_only=True):
    """The state of a table or link after a position, so that replay can start there."""

    place: str
    position: int
    state: bytes
