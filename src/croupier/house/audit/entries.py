"""The stored entries of a place, taken along the walk of its log, and how one differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from croupier.house.audit.findings import Difference, reading, shown
from croupier.house.records import Entry

T = TypeVar("T")


class ByPosition:
    """Stored entries, taken in order of position."""

    def __init__(self, read: Callable[[int], Iterator[Entry]]) -> None:
        """`read` reads them from after a position on."""
        self._read = read
        self.go_on_after(0)

    def go_on_after(self, position: int) -> None:
        """Pass everything up to a position."""
        self._after = position
        self._entries: Iterator[Entry] | None = None
        self._next: Entry | None = None

    def _begin(self) -> Iterator[Entry]:
        """Read, where nothing was read since the walk went on."""
        if self._entries is None:
            self._entries = self._read(self._after)
            self._next = next(self._entries, None)
        return self._entries

    def until(self, position: int) -> list[Entry]:
        """The entries up to a position."""
        taken: list[Entry] = []
        entries = self._begin()
        entry = self._next
        while entry is not None and entry.position <= position:
            taken.append(entry)
            entry = next(entries, None)
        self._next = entry
        return taken

    def rest(self) -> Iterator[Entry]:
        """Those that are left."""
        entries = self._begin()
        while self._next is not None:
            yield self._next
            self._next = next(entries, None)


def read_all(table: str, place: str, rows: Iterator[T]) -> Iterator[T]:
    """Rows as they come; one that is not stored as it should be is damage to that table."""
    with reading(table, place):
        yield from rows


def entry_difference(found: Entry | None, expected: Entry | None) -> Difference:
    entry = found or expected
    assert entry is not None
    both = found is not None and expected is not None
    return Difference(
        table="entries",
        where=f"{entry.stream} at {entry.position}, {entry.account}",
        column="amount" if both else "account",
        found=shown(found.amount) if found is not None else "",
        expected=shown(expected.amount) if expected is not None else "",
    )
