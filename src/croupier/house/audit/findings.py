"""What an audit finds: where something is not as the events say, or as the engine decides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypedDict

from msgspec import MsgspecError, Struct

from croupier.house.errors import CorruptDatabase

Kind = Literal["stored", "decided", "otherwise", "with"]
"""`stored`: what is stored does not hold together, or was changed. `decided`: an order that comes
to something else by the same software that decided it. `otherwise`: one that this croupier decides
otherwise than the one that decided it. `with`: one that comes out otherwise under another rulebook
or policy."""


class Difference(Struct, frozen=True, kw_only=True):
    """One thing that is stored otherwise than it should be."""

    table: str
    """The stored table, or `copy` for the copy of the log."""
    where: str
    """Which row: a place and position, an account, a command id."""
    column: str = ""
    found: str = ""
    expected: str = ""
    says: str = ""
    kind: Kind = "stored"
    number: int | None = None
    """Of a decision: the number of its order."""
    software: str = ""
    """Of a decision: what decided it."""

    def __str__(self) -> str:
        place = f"{self.table}, {self.where}" + (f", column {self.column}" if self.column else "")
        said = [self.says] if self.says else []
        if self.found or self.expected:
            said.append(f"found {self.found or 'nothing'}, expected {self.expected or 'nothing'}")
        return f"{place}: {'; '.join(said)}"


LONGEST = 120
BEFORE = 40
"""Characters before the first one that differs, where values are too long to be shown."""


def shown(value: object) -> str:
    """A stored value, short enough to be read."""
    text = _text(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


class Contrast(TypedDict):
    """Two values that differ, each as far as it shows how."""

    found: str
    expected: str


def contrast(found: object, expected: object) -> Contrast:
    """Two values that differ: where they are too long to be shown, what stands where they do."""
    one, other = _text(found), _text(expected)
    if one == other:  # not of one kind
        return Contrast(found=f"{one[:LONGEST]!r} as {_kind(found)}", expected=_kind(expected))
    if max(len(one), len(other)) <= LONGEST:
        return Contrast(found=one, expected=other)
    pairs = enumerate(zip(one, other, strict=False))
    at = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    return Contrast(found=_cut(one, at), expected=_cut(other, at))


def _cut(text: str, at: int) -> str:
    start = max(0, at - BEFORE)
    before, after = "…" if start else "", "…" if len(text) > start + LONGEST else ""
    return f"{before}{text[start : start + LONGEST]}{after}"


def _text(value: object) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        text = value.decode()
    except UnicodeDecodeError:
        return value.hex()
    return text if text.startswith(("{", "[", '"')) else value.hex()


def _kind(value: object) -> str:
    return type(value).__name__


class Damaged(Exception):
    """Something is stored so that it cannot even be read: the walk ends with this difference."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


@contextmanager
def reading(table: str, where: str) -> Iterator[None]:
    """What cannot be read here is damage to this table."""
    try:
        yield
    except (CorruptDatabase, MsgspecError) as error:
        raise damaged(table, where, error) from error


def damaged(table: str, where: str, error: Exception) -> Damaged:
    """What to say of something that cannot be read."""
    return Damaged(Difference(table=table, where=where, says=str(error)))
