"""What the House stores: rows of the log, entries of the ledger, and what belongs together."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

import msgspec
from msgspec import Raw, Struct

from croupier.house.errors import CorruptDatabase
from croupier.table import Command


def written_time(when: datetime) -> str:
    """A time as it is stored and sent: `2026-11-16T20:15:00.500000Z`, or `…+08:00`."""
    text: str = msgspec.to_builtins(when)
    return text


WITHHELD = b"null"
"""In place of an event, and only in what was read from an export: a shuffle for a round that had
not begun. What follows it there belongs to no round."""


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
    order: bytes = b""
    """In the first row of an order at the place to which it was given: the digest of the order."""
    stored: bytes = b""
    """The event as it is stored and chained, where a deck is hidden in it; else nothing."""

    def as_stored(self) -> Row:
        """The row with its event as it is stored, for whoever compares."""
        if not self.stored:
            return self
        return msgspec.structs.replace(self, event=self.stored, stored=b"")


class Authority(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """By whose authority an order was given, beyond who gave it and in which rank."""

    session: str = ""
    """The session of the office by which he was logged in: the digest of its token."""
    duty: str = ""
    """The post at which he was on duty."""
    area: str = ""
    acting: bool = False
    """Whether that post is above his own, and was given to him for the time being."""
    assignment: str = ""
    """By which assignment he acted there: `table P1`, `area poker room`, `the floor`."""
    on_behalf: str = ""
    """Of an act for somebody else: for whom."""
    word: str = ""
    """What it rests on: what the dealer saw, the player's PIN, or cash."""
    why: str = ""


NO_AUTHORITY = Authority()


@lru_cache(maxsize=10_000)
def written_authority(authority: Authority) -> str:
    """An authority as it is stored: JSON, and nothing where there is none."""
    return "" if authority == NO_AUTHORITY else msgspec.json.encode(authority).decode()


class OrderRecord(Struct, kw_only=True, gc=False):
    """An accepted order as it is stored: enough to give it to the same place again."""

    number: int = 0
    """How many events all logs had before it: one order over all logs. It comes with its group."""
    command_id: str
    place: str
    who: str
    rank: str
    at: str
    authority: str = ""
    """An `Authority` as JSON."""
    software: str = ""
    """What decided it: `croupier.house.critical_files.reference`."""
    also: bytes = b""
    """What other places had to hear with it: a list of `Heard` as JSON, or nothing."""
    command: bytes
    """As JSON, as on the wire. Nothing in an export where it is withheld."""
    stored: bytes = b""
    """The command as it is stored, where a deck is hidden in it; else nothing."""

    def as_stored(self) -> OrderRecord:
        """The order with its command as it is stored, for whoever compares."""
        if not self.stored:
            return self
        return msgspec.structs.replace(self, command=self.stored, stored=b"")


class Decided(Struct, kw_only=True):
    """A stored order with everything that came of it."""

    order: OrderRecord
    rows: list[Row]
    """By place and position."""
    events: int
    """As many as it says that it had."""
    digest: bytes = b""
    """The digest beside an order to which no row is bound."""


UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError)
"""How JSON that was damaged says so: the second, where it is no UTF-8."""
NOTHING = Raw(b"null")


class OrderLine(Struct, kw_only=True, omit_defaults=True, gc=False):
    """An order as it stands in a file: every stored byte of it, as JSON."""

    number: int
    command_id: str
    place: str
    who: str
    rank: str
    at: str
    authority: Raw = NOTHING
    software: str = ""
    also: Raw = NOTHING
    command: Raw = NOTHING
    """Nothing where it is withheld (`croupier.house.audit.withheld`)."""
    events: int = 0
    digest: str = ""
    """Of an order to which no row is bound."""

    @classmethod
    def of(cls, order: OrderRecord, events: int, digest: bytes = b"") -> OrderLine:
        """The line of an order."""
        command = order.stored or order.command
        return cls(
            number=order.number,
            command_id=order.command_id,
            place=order.place,
            who=order.who,
            rank=order.rank,
            at=order.at,
            authority=Raw(order.authority) if order.authority else NOTHING,
            software=order.software,
            also=Raw(order.also) if order.also else NOTHING,
            command=Raw(command) if command else NOTHING,
            events=events,
            digest=digest.hex(),
        )

    def record(self) -> OrderRecord:
        """The order that this is the line of."""
        return OrderRecord(
            number=self.number,
            command_id=self.command_id,
            place=self.place,
            who=self.who,
            rank=self.rank,
            at=self.at,
            authority=_stored(self.authority).decode(),
            software=self.software,
            also=_stored(self.also),
            command=_stored(self.command),
        )


def _stored(raw: Raw) -> bytes:
    text = bytes(raw)
    return b"" if text == b"null" else text


class Heard(Struct, frozen=True, kw_only=True):
    """What another place had to hear with an order, in the name of the House."""

    place: str
    command: Raw


_read_heard = msgspec.json.Decoder(list[Heard])


def written_also(also: Sequence[tuple[str, Command]]) -> bytes:
    """What other places had to hear, as it is stored."""
    if not also:
        return b""
    encode = msgspec.json.encode
    return encode([Heard(place=place, command=Raw(encode(command))) for place, command in also])


def read_also(also: bytes) -> list[Heard]:
    """What other places had to hear with an order."""
    try:
        return _read_heard.decode(also) if also else []
    except UNREADABLE as error:
        raise CorruptDatabase(
            f"what other places had to hear with an order is not stored as that: {error}"
        ) from error


class RefusedRecord(Struct, kw_only=True, gc=False):
    """An order that was refused, or made no sense, as it is stored."""

    number: int = 0
    """1, 2, 3, …; the numbers before the oldest that is kept were dropped."""
    command_id: str
    place: str
    who: str
    rank: str
    at: str
    authority: str = ""
    software: str = ""
    command: bytes
    says: str
    cites: str = "[]"
    """The paragraphs, as JSON; none where the command made no sense."""
    written: int = 0
    """How many bytes were ever written to this log, these included."""
    follows: bytes = b""
    """The digest of the one before it."""
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


class Bundle(Struct, kw_only=True, gc=False):
    """All that one command caused: stored in one transaction, or not at all.

    `expected` is how far each log went when the command was answered; if any of them has grown
    since, another writer was first.
    """

    command_id: str
    expected: dict[str, int]
    rows: list[Row]
    order: OrderRecord | None = None
    """The order itself; none where only rows are stored, as no House does."""
    entries: list[Entry] = []
    secrets: Sequence[Secret] = ()
    openings: Sequence[Opening] = ()
    snapshots: Sequence[Snapshot] = ()
    """States after this command, stored with it."""
    generations: dict[str, int] = {}
    """The generation of each place that answered the command. If another bundle of that generation
    was turned away, this one stands on what never happened, even where its position fits."""
