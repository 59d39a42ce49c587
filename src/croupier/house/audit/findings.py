"""What an audit finds: where something is not as the events say."""

from __future__ import annotations

from msgspec import Struct


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
