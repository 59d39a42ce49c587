"""What an audit finds: where something is not as the events say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import MsgspecError, Struct

from croupier.house.errors import CorruptDatabase


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

    def __str__(self) -> str:
        place = f"{self.table}, {self.where}" + (f", column {self.column}" if self.column else "")
        said = [self.says] if self.says else []
        if self.found or self.expected:
            said.append(f"found {self.found or 'nothing'}, expected {self.expected or 'nothing'}")
        return f"{place}: {'; '.join(said)}"


LONGEST = 120


def shown(value: object) -> str:
    """A stored value, short enough to be read."""
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


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
        raise Damaged(Difference(table=table, where=where, says=str(error))) from error
