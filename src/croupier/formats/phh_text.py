"""The text of PHH files: hands told apart, and each hand's fields read.

A `.phh` file is one hand in TOML; a `.phhs` file is one table `[1]`, `[2]` and so on for each hand.
Nearly every hand ever written has one plain `key = value` on each line. `fields_of` reads these
itself and leaves everything unusual to the strict reader, `tomllib`; both give the same fields.

A file is read as a stream, hand by hand, so its size does not matter; a hand has limits.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import time
from decimal import Decimal
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from croupier.formats.errors import FormatError

HAND_BYTES = 256 * 1024
"""The most that one hand may take. The longest real ones take a few thousand."""
CHUNK = 64 * 1024
KNOWN_LINES = 20_000
"""How many lines are remembered with their values; real collections repeat most of theirs."""

_HEADER = re.compile(
    rb"^[ \t]*\[[ \t]*([A-Za-z0-9_-]+|\"[^\"\\\n]*\"|'[^'\n]*')[ \t]*\]"
    rb"[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)",
    re.MULTILINE,
)
_FIRST = re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*(?:[^\[\s#]()|\[)")
"""The first thing in a file that is neither blank nor a comment: a field, or else a table."""
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_KEY = re.compile(r"[A-Za-z0-9_-]+")
_DEEP_KEY = re.compile(
    r"""(?<![A-Za-z0-9_-])"""
    r"""(?:(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}"""
)
"""A key within a key within a key: `tomllib` takes time and memory by the square of how many."""
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(\.\d{1,9})?")
_NUMBERS = re.compile(
    r"\[-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?(?:, -?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?)*\]"
)
_ENDLESS = re.compile(r"\[inf(?:, inf)*\]")
_TIME = re.compile(r"(\d\d):(\d\d):(\d\d)")
_REPEATED = frozenset(
    (
        "variant",
        "ante_trimming_status",
        "antes",
        "blinds_or_straddles",
        "min_bet",
        "venue",
        "day",
        "month",
        "year",
        "seats",
        "table",
        "winnings",
        "currency",
        "currency_symbol",
        "time_zone",
        "time_zone_abbreviation",
    )
)
"""Fields that recur from hand to hand: their lines are remembered, and nobody changes them."""


class RawHand(Struct, frozen=True):
    """The text of one hand."""

    name: str
    """Its name in the collection; empty for a file that is one hand."""
    line: int
    """The line of the file at which `text` begins."""
    text: bytes


class BrokenHand(Struct, frozen=True):
    """A hand that could not even be taken out of its file."""

    error: FormatError
    other_game: bool = False
    """Whether it was readable, but no no-limit hold'em."""


# -- telling hands apart -----------------------------------------------------------------------


def split_hands(file: BinaryIO) -> Iterator[RawHand | BrokenHand]:
    """The hands of a file, one after the other, without ever holding more than a few of them.

    A file whose first field stands before any table is one hand, whatever tables follow in it.
    """
    names = _Names()
    name: str | None = None
    line = begun = 1  # the line on which `rest` begins, and the text of the hand
    rest = b""
    dropping = False
    while True:
        chunk = file.read(CHUNK)
        text = rest + chunk
        if name is None and not dropping:
            first = _FIRST.match(text)
            if first is not None and first[1] is not None:
                yield from _single(text, file)
                return
        place = 0
        for header in _headers(text):
            if chunk and header.end() == len(text):
                break  # the line may go on in what is yet to be read
            if name is not None and not dropping:
                yield _whole(name, begun, text[place : header.start()])
            line += text.count(b"\n", place, header.end())
            name = header[1].strip(b"\"'").decode("utf-8", "replace")
            begun, place, dropping = line, header.end(), False
            if names.again(name):
                says = "a second hand of this name"
                yield BrokenHand(FormatError(says, hand=name, place=f"line {line - 1}"))
                dropping = True
        rest = text[place:]
        if not chunk:
            break
        if len(rest) > HAND_BYTES and not dropping:
            yield _too_long(name or "", begun)
            dropping = True
        if dropping:
            # Only the beginning of a line can be the beginning of a header.
            kept = rest.rfind(b"\n") + 1
            line += rest.count(b"\n", 0, kept)
            rest = rest[kept:] if len(rest) - kept < HAND_BYTES else b"#"
    if name is not None and not dropping:
        yield _whole(name, begun, rest)


def _headers(text: bytes) -> Iterator[re.Match[bytes]]:
    """The lines that open a table; found quickly where none is indented."""
    if b"\n [" in text or b"\n\t[" in text or text[:1] in b" \t":
        yield from _HEADER.finditer(text)
        return
    place = 0 if text[:1] == b"[" else text.find(b"\n[") + 1
    while place or text[:1] == b"[":
        if (header := _HEADER.match(text, place)) is not None:
            yield header
        place = text.find(b"\n[", place) + 1
        if not place:
            return


def _whole(name: str, line: int, text: bytes) -> RawHand | BrokenHand:
    return RawHand(name, line, text) if len(text) <= HAND_BYTES else _too_long(name, line)


def _single(text: bytes, file: BinaryIO) -> Iterator[RawHand | BrokenHand]:
    """A file that is one hand."""
    while len(text) <= HAND_BYTES and (chunk := file.read(CHUNK)):
        text += chunk
    yield _whole("", 1, text)


class _Names:
    """Which names were used. Numbers that rise one by one, the usual case, take no memory."""

    def __init__(self) -> None:
        self.highest = 0
        self.others: set[str] = set()

    def again(self, name: str) -> bool:
        """Note a name; tell whether it was there before."""
        if name in self.others:
            return True
        if name == str(self.highest + 1):
            self.highest += 1
            return False
        plain = name.isdecimal() and len(name) < 16 and str(int(name)) == name
        if plain and 0 < int(name) <= self.highest:
            return True
        self.others.add(name)
        return False


def _too_long(name: str, line: int) -> BrokenHand:
    says = f"the hand is longer than {HAND_BYTES // 1024} kB; no hand of poker is"
    return BrokenHand(FormatError(says, hand=name, place=f"from line {line}"))


# -- the fields of a hand ----------------------------------------------------------------------


def fields_of(raw: RawHand) -> dict[str, Any]:
    """The fields of a hand: quickly where it is plain, else by the strict reader."""
    try:
        text = raw.text.decode()
    except UnicodeDecodeError as error:
        line = raw.line + raw.text.count(b"\n", 0, error.start)
        raise FormatError(
            f"not UTF-8 text: byte {raw.text[error.start]:#04x}",
            hand=raw.name,
            place=f"line {line}",
        ) from error
    plain = plain_fields(text)
    return strict_fields(text, raw) if plain is None else plain


def strict_fields(text: str, raw: RawHand) -> dict[str, Any]:
    """The fields of a hand by the letter of TOML; sub-tables `[1.name]` are fields of hand 1."""
    head = f"[{_quoted(raw.name)}]\n" if raw.name else ""
    if deep := _DEEP_KEY.search(text):
        line = f"line {raw.line + text.count(chr(10), 0, deep.start())}"
        raise FormatError("values nested too deeply", hand=raw.name, place=line)
    try:
        found = tomllib.loads(head + text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        says, place = _place(str(error), raw.line - bool(head))
        raise FormatError(f"not TOML: {says}", hand=raw.name, place=place) from error
    except (ValueError, ArithmeticError) as error:
        raise FormatError(f"a value cannot be read: {error}", hand=raw.name) from error
    except RecursionError as error:
        raise FormatError("values nested too deeply", hand=raw.name) from error
    if not raw.name:
        return found
    fields = found.pop(raw.name)
    if found:
        raise FormatError(
            f"a table of another hand in the middle of this one: {next(iter(found))}", hand=raw.name
        )
    assert isinstance(fields, dict)
    return fields


def _quoted(name: str) -> str:
    return name if _KEY.fullmatch(name) else msgspec.json.encode(name).decode()


def _place(says: str, before: int) -> tuple[str, str]:
    """The line of the file from the line of the hand that tomllib names."""
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", says)
    if match is None:
        return says.replace(" (at end of document)", ""), "at its end"
    return match[1], f"line {before + int(match[2]) - 1}, column {match[3]}"


known_lines: dict[str, tuple[str, Any]] = {}
_texts = msgspec.json.Decoder(list[str])


def plain_fields(text: str) -> dict[str, Any] | None:
    """The fields of a hand whose lines are all plain; None if any is not.

    Whatever this gives, the strict reader gives as well.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if CONTROL.search(text) is not None:
        return None
    fields: dict[str, Any] = {}
    known = known_lines
    for line in text.split("\n"):
        found = known.get(line)
        if found is None:
            if not line:
                continue
            found = plain_line(line)
            if found is None:
                return None
        key, value = found
        if key in fields:
            return None
        fields[key] = value
    return fields


def plain_line(line: str) -> tuple[str, Any] | None:
    """One `key = value`, remembered where it may come again; None if it is not plain."""
    key, equals, value = line.partition(" = ")
    if not equals or _KEY.fullmatch(key) is None:
        return None
    first = value[:1]
    found: Any
    if first == "[":
        found = plain_list(value)
        if found is None:
            return None
    elif first == "'":
        if value.count("'") != 2 or value[-1] != "'":
            return None
        found = value[1:-1]
    elif value == "true" or value == "false":
        found = value == "true"
    elif (match := _NUMBER.fullmatch(value)) is not None:
        found = int(value) if match[1] is None else Decimal(value)
    elif (match := _TIME.fullmatch(value)) is not None:
        try:
            found = time(int(match[1]), int(match[2]), int(match[3]))
        except ValueError:
            return None
    else:
        return None
    if key in _REPEATED:
        if len(known_lines) >= KNOWN_LINES:
            known_lines.clear()
        known_lines[line] = key, found
    return key, found


def plain_list(value: str) -> list[Any] | None:
    """A list of plain strings or of plain numbers."""
    if "'" in value or '"' in value:
        if "\\" in value or ("'" in value and '"' in value):
            return None
        try:
            # With no quote and no backslash inside, TOML's strings are JSON's.
            return _texts.decode(value.replace("'", '"'))
        except msgspec.MsgspecError:
            return None
    if _NUMBERS.fullmatch(value) is not None:
        if "." not in value:
            return [int(number) for number in value[1:-1].split(", ")]
        return [
            Decimal(number) if "." in number else int(number) for number in value[1:-1].split(", ")
        ]
    if _ENDLESS.fullmatch(value) is not None:
        return [Decimal("inf")] * (value.count(",") + 1)
    return None
