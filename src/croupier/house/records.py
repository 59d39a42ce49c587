"""What the House stores: rows of the log, entries of the ledger, and what belongs together."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import Struct


def written_time(when: datetime) -> str:
    """A time as it is stored and sent: `2026-11-16T20:15:00.500000Z`, or `…+08:00`."""
    text: str = msgspec.to_builtins(when)
    return text


class Row(Struct, kw_only=True, gc=False):
    """One event of one table or link, as it is stored; its digest comes with its group."""

    stream: str
    """The log that it belongs to: the name of a table or link, in the column `place`."""
    position: int
    command_id: str
    who: str
    rank: str
    at: str
    event: bytes
    digest: bytes = b""


class Head(Struct, frozen=True, kw_only=True):
    """How far a log goes, and the digest of its last row."""

    stream: str
    position: int
    digest: bytes


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """One side of a movement of money: what an account gains (or, negative, gives).

    It belongs to the event of this stream at this position, a row of the same bundle.
    """

    stream: str
    position: int
    account: str
    amount: int


class Secret(Struct, frozen=True, kw_only=True):
    """What proves that somebody is who he says: an argon2 hash, never the password.

    The newest one of a name and kind is kept; the office's log has the SHA-256 of each.
    """

    name: str
    kind: str
    secret: str


class Opening(Struct, frozen=True, kw_only=True):
    """The seed of the salts of one shuffle, kept until its cards may be opened."""

    shuffle: str
    stream: str
    seed: bytes


class Snapshot(Struct, frozen=True, kw_only=True, gc=False):
    """The state of a table or link after a position, so that replay can start there."""

    stream: str
    position: int
    state: bytes


class Bundle(Struct, kw_only=True):
    """All that one command caused: stored in one transaction, or not at all.

    `expected` is how far each log went when the command was answered; if any of them has grown
    since, another writer was first.
    """

    command_id: str
    expected: dict[str, int]
    rows: list[Row]
    entries: list[Entry] = []
    secrets: list[Secret] = []
    openings: list[Opening] = []
    snapshots: list[Snapshot] = []
    """States after this command, stored with it."""
    generations: dict[str, int] = {}
    """The generation of each place that answered the command. If another bundle of that generation
    was turned away, this one stands on what never happened, even where its position fits."""
