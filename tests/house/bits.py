"""Where the stored rows and index entries of a SQLite file lie, byte by byte.

The format is SQLite's own (https://www.sqlite.org/fileformat2.html). Left out are the page headers,
free space, and the interior cells of tables, which hold no row and no index entry.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

LEAF_TABLE, LEAF_INDEX, INTERIOR_TABLE, INTERIOR_INDEX = 0x0D, 0x0A, 0x05, 0x02


class Cell(NamedTuple):
    """A part of the file that holds a row or an index entry, or a part of one."""

    name: str
    start: int
    end: int


def cells(file: Path) -> list[Cell]:
    """Every cell of every table and index, the definitions of both included."""
    connection = sqlite3.connect(file)
    roots = connection.execute("SELECT name, rootpage FROM sqlite_master").fetchall()
    connection.close()
    data = file.read_bytes()
    return [c for name, root in [("sqlite_master", 1), *roots] for c in _tree(data, name, root)]


def _tree(data: bytes, name: str, number: int) -> Iterator[Cell]:
    size = int.from_bytes(data[16:18], "big")
    start = (number - 1) * size
    at = start + (100 if number == 1 else 0)
    kind = data[at]
    interior = kind in (INTERIOR_TABLE, INTERIOR_INDEX)
    count = int.from_bytes(data[at + 3 : at + 5], "big")
    pointers = at + (12 if interior else 8)
    if interior:
        yield from _tree(data, name, int.from_bytes(data[at + 8 : at + 12], "big"))
    for n in range(count):
        cell = start + int.from_bytes(data[pointers + 2 * n : pointers + 2 * n + 2], "big")
        inside = cell
        if interior:
            yield from _tree(data, name, int.from_bytes(data[cell : cell + 4], "big"))
            inside += 4
        if kind == INTERIOR_TABLE:
            continue
        payload, inside = _varint(data, inside)
        if kind == LEAF_TABLE:
            _, inside = _varint(data, inside)
        local, more = _local(payload, size, kind == LEAF_TABLE)
        inside += local
        if more:
            yield from _overflow(data, name, inside, payload - local, size)
            inside += 4
        yield Cell(name, cell, inside)


def _overflow(data: bytes, name: str, pointer: int, left: int, size: int) -> Iterator[Cell]:
    while left > 0:
        start = (int.from_bytes(data[pointer : pointer + 4], "big") - 1) * size
        here = min(left, size - 4)
        yield Cell(name, start + 4, start + 4 + here)
        left -= here
        pointer = start


def _local(payload: int, usable: int, table: bool) -> tuple[int, bool]:
    """How much of a payload stands in its cell, and whether there is more elsewhere."""
    most = usable - 35 if table else (usable - 12) * 64 // 255 - 23
    if payload <= most:
        return payload, False
    least = (usable - 12) * 32 // 255 - 23
    fits = least + (payload - least) % (usable - 4)
    return (fits if fits <= most else least), True


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(9):
        byte = data[at + n]
        if n == 8:
            return (value << 8) | byte, at + 9
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            return value, at + n + 1
    raise AssertionError
