"""The evaluator's tables as a file: its layout, reading it, and writing it.

    python -m croupier.cards.tables [FILE]     writes it anew, by default the one in the package

The file, all integers little-endian::

    bytes 0-7    magic, b"CRPRRANK"
    bytes 8-11   version of the layout, 1
    bytes 12-15  number of sections
    bytes 16-19  CRC-32 of everything from byte 64 on
    bytes 20-63  zeros
    then, for each section, 32 bytes: name (16, padded with zeros), type (4, "u2" or "u4", padded),
                 shift (4), offset of its data in the file (4), number of items (4)
    then the data of each section, each from a multiple of 64 on

The sections (``u2`` and ``u4`` are unsigned integers of 2 and 4 bytes)::

    rank_keys  u4[13]     the key of each rank, Two first
    suit_sums  u4[8192]   by the ranks of one suit: sum of keys (23 bits); bit 31 from five cards on
    flushes    u2[8192]   by the ranks of one suit: value of the best flush, 0 under five cards
    rows_N     u2[]       N = 5, 6, 7: by rank sum >> shift, where its row begins in values_N
    values_N   u2[]       by rows_N[sum >> shift] + (sum & (1 << shift) - 1): value without a flush
"""

from __future__ import annotations

import functools
import struct
import sys
import zlib
from array import array
from typing import Final

import msgspec

from croupier.cards.keys import RANK_KEYS

FILE_NAME: Final = "ranking.bin"
_MAGIC: Final = b"CRPRRANK"
_VERSION: Final = 1
_HEAD: Final = struct.Struct("<8sIII44x")
_ENTRY: Final = struct.Struct("<16s4sIII")
_ALIGNED: Final = 64
_TYPECODES: Final = {"u2": "H", "u4": "I"}


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """One table of the file.

    The lab takes ``numpy.frombuffer(section.data, dtype="<" + section.type)`` and copies nothing.
    """

    name: str
    type: str
    """``u2`` or ``u4``: unsigned, two or four bytes, little-endian."""
    shift: int
    """Of ``rows_N`` and ``values_N``: how many low bits of the rank sum are the column; else 0."""
    data: memoryview

    def __len__(self) -> int:
        return len(self.data) // int(self.type[1])

    def items(self) -> array[int]:
        """The numbers."""
        numbers = array(_TYPECODES[self.type], bytes(self.data))
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers


@functools.cache
def sections() -> dict[str, Section]:
    """The tables that the package was shipped with, by name. Read once, on first use."""
    from importlib.resources import files  # here: it takes longer than all of croupier.cards

    return parse((files("croupier.cards") / FILE_NAME).read_bytes())


def parse(content: bytes) -> dict[str, Section]:
    """The sections of a file. A file that is not whole raises ``ValueError``."""
    remedy = "install the package again, or write it anew by python -m croupier.cards.tables"
    if len(content) < _HEAD.size or not content.startswith(_MAGIC):
        raise ValueError(f"{FILE_NAME} is no file of ranking tables: {remedy}")
    _, version, count, checksum = _HEAD.unpack_from(content)
    if version != _VERSION:
        raise ValueError(f"{FILE_NAME} has layout {version}, {_VERSION} is needed: {remedy}")
    if zlib.crc32(content[_HEAD.size :]) != checksum:
        raise ValueError(f"{FILE_NAME} is damaged (its checksum is wrong): {remedy}")
    whole = memoryview(content)
    found = {}
    for number in range(count):
        entry = _ENTRY.unpack_from(content, _HEAD.size + number * _ENTRY.size)
        name, kind = entry[0].rstrip(b"\0").decode(), entry[1].rstrip(b"\0").decode()
        _, _, shift, offset, items = entry
        data = whole[offset : offset + items * int(kind[1])]
        found[name] = Section(name=name, type=kind, shift=shift, data=data)
    return found


def build() -> bytes:
    """The whole file, made from the rules of ranking."""
    from croupier.cards import generate  # here: play never needs it

    tables: list[tuple[str, str, int, array[int]]] = [
        ("rank_keys", "u4", 0, array("I", RANK_KEYS)),
        ("suit_sums", "u4", 0, generate.suit_sums()),
        ("flushes", "u2", 0, generate.flush_values()),
    ]
    for cards in (5, 6, 7):
        packed = generate.packed_values(cards)
        tables.append((f"rows_{cards}", "u2", packed.shift, packed.rows))
        tables.append((f"values_{cards}", "u2", packed.shift, packed.values))

    entries, body = bytearray(), bytearray()
    start = _aligned(_HEAD.size + len(tables) * _ENTRY.size)
    for name, kind, shift, numbers in tables:
        if sys.byteorder == "big":
            numbers.byteswap()
        entries += _ENTRY.pack(name.encode(), kind.encode(), shift, start + len(body), len(numbers))
        body += numbers.tobytes()
        body += bytes(_aligned(len(body)) - len(body))
    payload = bytes(entries).ljust(start - _HEAD.size, b"\0") + bytes(body)
    return _HEAD.pack(_MAGIC, _VERSION, len(tables), zlib.crc32(payload)) + payload


def _aligned(length: int) -> int:
    return -(-length // _ALIGNED) * _ALIGNED


def main(arguments: list[str]) -> int:
    """Write the file."""
    from pathlib import Path

    if len(arguments) > 1:
        sys.stderr.write("usage: python -m croupier.cards.tables [FILE]\n")
        return 2
    target = Path(arguments[0]) if arguments else Path(__file__).with_name(FILE_NAME)
    content = build()
    target.write_bytes(content)
    sys.stderr.write(f"{target}: {len(content):,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
