"""The hands of a file, whatever its format: PHH as text still to be read, OHH and PokerStars text
as hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

from croupier.formats.errors import FormatError
from croupier.formats.hand import Hand
from croupier.formats.phh import read_raw
from croupier.formats.phh_text import BrokenHand, RawHand, split_hands

OHH = ".ohh"
TEXT = ".txt"
OHH_BYTES = 256 * 1024**2
"""The most that an OHH file may take: unlike PHH it is read in one piece."""


class ReadHand(Struct, frozen=True):
    """A hand that its file's reader has made already."""

    name: str
    hand: Hand
    line: int = 0
    """The line on which it begins, where its reader counts lines."""


AnyHand = RawHand | BrokenHand | ReadHand


def hands_in(file: BinaryIO, name: str) -> Iterator[AnyHand]:
    """The hands of an open file, whose name tells its format."""
    if name.lower().endswith(OHH):
        yield from _ohh(file)
    elif name.lower().endswith(TEXT):
        yield from _pokerstars(file)
    else:
        yield from split_hands(file)


def _pokerstars(file: BinaryIO) -> Iterator[AnyHand]:
    from croupier.formats.pokerstars_read import read_text
    from croupier.formats.pokerstars_text import OtherGame

    for found in read_text(file):
        if isinstance(found, FormatError):
            yield BrokenHand(found, isinstance(found, OtherGame))
        else:
            text, hand = found
            yield ReadHand(text.number, hand, text.line)


def _ohh(file: BinaryIO) -> Iterator[AnyHand]:
    from croupier.formats.ohh import OtherGame, read_ohhs

    text = file.read(OHH_BYTES + 1)
    if len(text) > OHH_BYTES:
        raise FormatError(
            f"an OHH file of more than {OHH_BYTES // 1024**2} MB; cut it into several"
        )
    for number, found in enumerate(read_ohhs(text), 1):
        if isinstance(found, FormatError):
            yield BrokenHand(found.at(hand=str(number)), isinstance(found, OtherGame))
        else:
            yield ReadHand(str(number), found)


def name_of(found: AnyHand) -> str:
    """What a hand is called in its file."""
    return found.error.hand if isinstance(found, BrokenHand) else found.name


def line_of(found: AnyHand) -> int:
    """The line of the file on which a hand begins; 0 where that is not known."""
    return 0 if isinstance(found, BrokenHand) else found.line


def read_any(found: AnyHand) -> Hand:
    """The hand itself, or the error that it is."""
    return found.hand if isinstance(found, ReadHand) else read_raw(found)
