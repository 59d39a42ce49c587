"""PokerStars text as lines: a file told apart into hands, and what its header and amounts say.

The text is what rooms of that name, and many others, hand out to their players. Files hold one hand
after the other with blank lines between them; some archives number them in lines of stars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from croupier.formats.errors import FormatError
from croupier.formats.phh_text import HAND_BYTES

EASTERN = "America/New_York"
"""The zone in which the format states the time."""
ROOM = "PokerStars"
LINE_BYTES = 64 * 1024
"""A limit on everything: no line is longer."""
MOST = 10**15

_HEADER = re.compile(
    r"(?:PokerStars|POKERSTARS)(?: Zoom)?(?: Home Game)?(?: Hand| Game| GAME)? #(\d{1,20}): +(.*)"
)
_GAME = re.compile(
    r"(?:\{[^}]*\} +)?(?P<game>.+?) +\((?P<stakes>[^()]*)\)"
    r"(?: \[(?:ADM|AAMS) ID: \w+\])? - (?P<time>.+)"
)
SYMBOL = r"[^\d\s()\[\].,:'-]{0,3}(?:\. )?"
"""What may stand before an amount: `$`, `€`, `A$`, `Rs. `."""
NUMBER = r"\d[\d,]*(?:\.\d{1,2})?"
_STAKES = re.compile(
    rf"(?P<symbol>{SYMBOL})(?P<small>{NUMBER})/(?:{SYMBOL})(?P<big>{NUMBER})"
    r"(?: (?P<code>[A-Z]{3}))?"
)
_TIME = re.compile(r"(\d{4})/(\d\d?)/(\d\d?)(?: -)? (\d\d?):(\d\d):(\d\d)(?: \(?([A-Z]{2,5})\)?)?")
_NUMBERED = re.compile(r"\*+ ?# ?\d+ ?\*+")


class OtherGame(FormatError):
    """The hand is readable, but it is no cash game of no-limit hold'em on one board."""


class TextHand(Struct, frozen=True):
    """The lines of one hand."""

    number: str
    line: int
    """The line of the file on which it begins."""
    lines: list[str]
    """Without their ends; blank ones too, so that they can be counted."""


def is_header(line: str) -> bool:
    """Whether a hand begins here."""
    return _HEADER.fullmatch(line.strip()) is not None


def split_text(file: BinaryIO) -> Iterator[TextHand | FormatError]:
    """The hands of a file, or what is wrong in the place of one."""
    begun, size = 0, 0
    lines: list[str] = []
    stray = False
    number = 0
    while data := file.readline(LINE_BYTES + 1):
        number += 1
        if len(data) > LINE_BYTES:
            yield FormatError(f"a line of more than {LINE_BYTES:,} bytes", place=f"line {number}")
            return
        line = _decoded(data)
        if is_header(line):
            if begun:
                yield _whole(begun, lines, size)
            begun, lines, size = number, [], 0
        if begun:
            size += len(data)
            if size <= HAND_BYTES:
                lines.append(line)
        elif line.strip() and not _NUMBERED.fullmatch(line.strip()) and not stray:
            stray = True
            yield FormatError(
                "no hand begins here; a hand begins with «PokerStars Hand #…»",
                place=f"line {number}",
            )
    if begun:
        yield _whole(begun, lines, size)


def _whole(begun: int, lines: list[str], size: int) -> TextHand | FormatError:
    header = _HEADER.fullmatch(lines[0].strip())
    assert header is not None
    if size > HAND_BYTES:
        says = f"a hand of more than {HAND_BYTES // 1024} kB"
        return FormatError(says, hand=header[1], place=f"line {begun}")
    while lines and (not lines[-1].strip() or _NUMBERED.fullmatch(lines[-1].strip())):
        lines.pop()
    return TextHand(header[1], begun, lines)


def _decoded(data: bytes) -> str:
    """A line; old files are not in UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    return text.strip("\ufeff\r\n").replace("\u00a0", " ")


# -- the header ------------------------------------------------------------------------------------


class Header(Struct, frozen=True):
    """What the first line says."""

    number: str
    small: int
    big: int
    symbol: str
    currency: str
    time: datetime | None
    zone: str = ""
    """The zone of the time, where it is none that is known."""


def read_header(line: str) -> Header:
    """Read the first line of a hand."""
    found = _HEADER.fullmatch(line.strip())
    if found is None:
        raise FormatError("a hand begins with «PokerStars Hand #…»")
    number, rest = found[1], found[2]
    if "Tournament" in rest or "TOURNAMENT" in rest:
        raise OtherGame("a hand of a tournament; the books are of cash games")
    told = _GAME.fullmatch(rest)
    if told is None:
        raise FormatError("after the number come the game, its stakes and the time")
    game = re.sub(r"[^a-z+ ]", "", told["game"].lower())
    if game != "holdem no limit":
        raise OtherGame(f"{told['game'][:60]!r} is no no-limit hold'em")
    stakes = _STAKES.fullmatch(told["stakes"].strip())
    if stakes is None:
        if "Cap" in told["stakes"]:
            raise OtherGame("what a player may bet in a hand is capped")
        raise FormatError(f"{told['stakes'][:40]!r} are no Blinds such as $1/$2 USD")
    when, zone = _when(told["time"])
    return Header(
        number=number,
        small=cents(stakes["small"]),
        big=cents(stakes["big"]),
        symbol=stakes["symbol"],
        currency=stakes["code"] or "",
        time=when,
        zone=zone,
    )


def _when(text: str) -> tuple[datetime | None, str]:
    """The time: in UTC where that is stated, or else in Eastern Time, or else without a zone."""
    read: dict[str, datetime] = {}
    for found in _TIME.finditer(text):
        *numbers, zone = found.groups()
        try:
            # Its zone is set below, where it is one that is known.
            when = datetime(*(int(number) for number in numbers))  # type: ignore[arg-type] # noqa: DTZ001
        except ValueError:
            raise FormatError(f"{found[0]!r} is no date and time") from None
        read.setdefault(zone or "", when)
    if not read:
        raise FormatError(f"{text[:40]!r} is no date and time")
    if "UTC" in read:
        return read["UTC"].replace(tzinfo=UTC), ""
    if "ET" in read:
        return read["ET"].replace(tzinfo=eastern_zone()), ""
    zone, when = next(iter(read.items()))
    return when, zone


def eastern_zone() -> ZoneInfo:
    """Eastern Time."""
    try:
        return ZoneInfo(EASTERN)
    except ZoneInfoNotFoundError as error:
        raise FormatError(
            f"this machine has no time zone {EASTERN}; install the package tzdata"
        ) from error


def cents(text: str) -> int:
    """An amount in whole cents: `5`, `2.50`, `1,250`."""
    units, _, rest = text.replace(",", "").partition(".")
    found = int(units) * 100 + (int(f"{rest:0<2}") if rest else 0)
    if found > MOST:
        raise FormatError(f"{text[:40]} is too large an amount")
    return found
