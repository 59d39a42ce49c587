"""What is wrong in a configuration file, in words that its writer understands.

Each fault names its key, the line it stands on, what is there, and what to write instead. The
records of the configuration are the only place that says what may stand where: this reads them.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect

from croupier.table.money import write_money

Path = tuple[str | int, ...]


class Fault(Struct, frozen=True, kw_only=True):
    """One thing that cannot stand as it does."""

    path: Path
    says: str

    def __str__(self) -> str:
        return f"{written(self.path)}: {self.says}" if self.path else self.says


def faults(told: Any, kind: Any, path: Path = ()) -> list[Fault]:
    """Everything that keeps a value, as TOML has it, from being of a kind; nothing if it is."""
    return list(_faults(told, _info(kind), path))


_info = cache(inspect.type_info)


def explain(source: str, text: str, found: Sequence[Fault]) -> str:
    """Faults of a file, each with the line it stands on; several are told line by line."""
    told = []
    for fault in found:
        line = line_of(text, fault.path)
        told.append(f"line {line}: {fault}" if line is not None else str(fault))
    if len(told) == 1:
        return f"{source}, {told[0]}" if told[0].startswith("line ") else f"{source}: {told[0]}"
    return "\n  ".join([f"{source} has {len(told)} faults:", *told])


def written(path: Path) -> str:
    """A key as it is written: `tables.Marina-1.settings.blinds[0]`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{_key(part)}" for part in path)
    return "".join(parts).removeprefix(".")


def _key(part: str) -> str:
    return part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else f'"{part}"'


# -- what is wrong ----------------------------------------------------------------------------


def _faults(told: Any, kind: inspect.Type, path: Path) -> Iterator[Fault]:
    bare = _bare(kind)
    match bare:
        case inspect.StructType() if isinstance(told, dict):
            yield from _struct(told, bare, path)
        case inspect.DictType() if isinstance(told, dict):
            for key, value in told.items():
                if not _fits(key, bare.key_type):
                    says = f"this is no name here; write {_expected(bare.key_type)}"
                    yield Fault(path=(*path, key), says=says)
                yield from _faults(value, bare.value_type, (*path, key))
        case inspect.VarTupleType() | inspect.ListType() if isinstance(told, list):
            if not _long_enough(len(told), bare):
                yield Fault(path=path, says=f"{_has(told)}; write {_expected(kind)}")
            for number, value in enumerate(told):
                yield from _faults(value, bare.item_type, (*path, number))
        case inspect.UnionType():
            yield from _union(told, bare, path)
        case _:
            if not _fits(told, kind):
                yield Fault(
                    path=path, says=f"{_shown(told)} cannot stand here; write {_expected(kind)}"
                )


def _struct(told: dict[str, Any], kind: inspect.StructType, path: Path) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in kind.fields}
    for key, value in told.items():
        if key in fields:
            yield from _faults(value, fields[key].type, (*path, key))
        elif kind.forbid_unknown_fields:
            close = difflib.get_close_matches(key, fields, n=1, cutoff=0.6)
            instead = f"did you mean {close[0]}?" if close else f"there is {', '.join(fields)}"
            yield Fault(path=(*path, key), says=f"there is no such key here; {instead}")
    for name, field in fields.items():
        if field.required and name not in told:
            says = f"{name} is missing; add it, with {_expected(field.type)}"
            yield Fault(path=path, says=says)
    more = getattr(kind.cls, "faults_within", None)
    if more is not None:  # what a record knows better than its types say
        yield from more(told, path)


def _union(told: Any, kind: inspect.UnionType, path: Path) -> Iterator[Fault]:
    """One of several kinds; where only one is meant for a person, what is wrong with that one."""
    if any(not list(_faults(told, each, path)) for each in kind.types):
        return
    meant = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
    if len(meant) == 1:
        yield from _faults(told, meant[0], path)
    else:
        yield _wrong(told, kind, path)


def _wrong(told: Any, kind: inspect.Type, path: Path) -> Fault:
    says = f"{_shown(told)} cannot stand here; write {_expected(kind)}"
    return Fault(path=path, says=says)


def _long_enough(length: int, kind: inspect.VarTupleType | inspect.ListType) -> bool:
    most = kind.max_length
    return (kind.min_length or 0) <= length and (most is None or length <= most)


def _fits(told: Any, kind: inspect.Type) -> bool:
    """Whether a single value is of a kind, by the same rules by which the file is read."""
    match _bare(kind):
        case inspect.IntType() | inspect.FloatType() if isinstance(told, bool):
            return False
        case inspect.IntType() as number:
            return isinstance(told, int) and _within(told, number)
        case inspect.FloatType() as number:
            return isinstance(told, int | float) and _within(told, number)
        case inspect.BoolType():
            return isinstance(told, bool)
        case inspect.StrType() as text:
            if not isinstance(told, str) or len(told) < (text.min_length or 0):
                return False
            return text.pattern is None or re.search(text.pattern, told) is not None
        case inspect.LiteralType(values=values):
            return told in values
        case inspect.EnumType(cls=cls):
            return told in [member.value for member in cls]
        case inspect.DateTimeType():
            return isinstance(told, datetime) or (isinstance(told, str) and _is_time(told))
        case inspect.NoneType():
            return told is None
        case inspect.AnyType():
            return True
        case _:
            return False


def _within(told: float, kind: inspect.IntType | inspect.FloatType) -> bool:
    return (
        (kind.ge is None or told >= kind.ge)
        and (kind.le is None or told <= kind.le)
        and (kind.gt is None or told > kind.gt)
        and (kind.lt is None or told < kind.lt)
    )


def _is_time(told: str) -> bool:
    try:
        msgspec.convert(told, datetime)
    except msgspec.ValidationError:
        return False
    return True


# -- in words ---------------------------------------------------------------------------------


def _bare(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _expected(kind: inspect.Type) -> str:
    """What to write, in words."""
    if _is_money(kind):
        return "an amount such as 60 or 2.50"
    schema = kind.extra_json_schema if isinstance(kind, inspect.Metadata) else None
    says = (schema or {}).get("description", "")
    match _bare(kind):
        case inspect.IntType() as number:
            return f"a whole number{_range(number)}"
        case inspect.FloatType() as number:
            return f"a number{_range(number)}"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return f"text in quotes{f': {says}' if says else ''}"
        case inspect.LiteralType(values=values):
            return _one_of(values)
        case inspect.EnumType(cls=cls):
            return _one_of([member.value for member in cls])
        case inspect.DateTimeType():
            return "a time such as 2026-11-16T06:00:00+08:00"
        case inspect.VarTupleType() | inspect.ListType() as several:
            count = f" of {several.min_length}" if several.min_length else ""
            count += " or more" if count and several.max_length != several.min_length else ""
            return f"a list{count} in brackets, each {_expected(several.item_type)}"
        case inspect.UnionType(types=types):
            meant = [each for each in types if not isinstance(each, inspect.NoneType)]
            return " or ".join(_expected(each) for each in meant)
        case inspect.StructType() | inspect.DictType():
            return "a section, such as [section] with its keys below, or { key = value }"
        case _:
            return "something else"


def _one_of(values: Sequence[Any]) -> str:
    return f"one of {', '.join(map(_shown, values))}"


def _range(kind: inspect.IntType | inspect.FloatType) -> str:
    match kind.ge, kind.le, kind.gt:
        case None, None, None:
            return ""
        case None, None, above:
            return f" above {above:,}"
        case least, None, _:
            return f" of at least {least:,}"
        case None, most, _:
            return f" of at most {most:,}"
        case least, most, _:
            return f" from {least:,} to {most:,}"


def _has(told: list[Any]) -> str:
    return f"the list has {len(told)} {'entry' if len(told) == 1 else 'entries'}"


def _shown(value: Any) -> str:
    """A value as it stands in the file."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"' if len(value) <= 60 else f'"{value[:57]}…"'
        case dict():
            return "a section"
        case list():
            return "a list"
        case date():
            return value.isoformat()
        case _:
            return str(value)


def kind_at(kind: Any, key: str) -> inspect.Type:
    """What stands under a dotted key of a record, such as `rake.cap`."""
    found = _info(kind)
    for name in key.split("."):
        record = next(k for k in _meant(found) if isinstance(k, inspect.StructType))
        found = next(field.type for field in record.fields if field.encode_name == name)
    return found


def in_file(value: Any, kind: inspect.Type | None = None) -> str:
    """A value as it would stand in the file: amounts as on the table."""
    if value is None:
        return "not set"
    for meant in _meant(kind) if kind is not None else ():
        bare = _bare(meant)
        if isinstance(value, list | tuple):
            if isinstance(bare, inspect.VarTupleType | inspect.ListType):
                return f"[{', '.join(in_file(each, bare.item_type) for each in value)}]"
        elif _is_money(meant) and isinstance(value, int):
            return write_money(value)
    return _shown(value)


def _meant(kind: inspect.Type) -> list[inspect.Type]:
    """The kinds that a value may be of, beside nothing."""
    bare = _bare(kind)
    types = bare.types if isinstance(bare, inspect.UnionType) else (kind,)
    return [each for each in types if not isinstance(each, inspect.NoneType)]


def _is_money(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.Metadata) and bool(kind.extra and kind.extra.get("money"))


# -- where it stands --------------------------------------------------------------------------

_HEADER = re.compile(r"\s*(\[\[?[^\[\]]+\]\]?)\s*(?:#.*)?")
_ENTRY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'|[.\s])+?)\s*=""")


def line_of(text: str, path: Path) -> int | None:
    """The line of a file where a key stands, or the section or value that it stands in."""
    keys = tuple(part for part in path if isinstance(part, str))
    section: tuple[str, ...] = ()
    found, best = None, 0
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.fullmatch(line)
        entry = None if header else _ENTRY.match(line)
        if header:
            section = here = _keys(header[1])
        elif entry:
            here = (*section, *_keys(f"{entry[1]} = 0"))
        else:
            continue
        if best < len(here) <= len(keys) and keys[: len(here)] == here:
            found, best = number, len(here)
    return found


def _keys(line: str) -> tuple[str, ...]:
    """The dotted key of one line."""
    try:
        read: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return ()
    keys: list[str] = []
    while isinstance(read, dict) and read:
        [(key, read)] = read.items()
        keys.append(key)
        read = read[0] if isinstance(read, list) and read else read
    return tuple(keys)


# -- what is no TOML at all -------------------------------------------------------------------

_AT = re.compile(r"\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")
_TOML = {
    "Cannot overwrite": "this key stands here for the second time; keep one",
    "Cannot declare": "this section stands here for the second time; put its keys together",
    "Cannot mutate": "this section was closed as { … }; put the key between its braces",
    "Duplicate": "a key stands twice between the braces; keep one",
    "Expected '=' after a key": "after a key comes = and its value; write key = value",
    "Expected newline": "something stands after the value; begin a new line, or a comment with #",
    "Expected ']'": "a section is closed by ]; write [section]",
    "Invalid initial character": "a key has letters, digits, - and _; put any other in quotes",
    "Invalid value": 'this is no value; write a number, true, false, "text" in quotes or [a, list]',
    "Unclosed array": "a list is not closed; end it with ]",
    "Unclosed inline table": "a { is not closed; end it with } on the same line",
    "Unterminated string": 'text is not closed; end it with "',
    "Unescaped": "a \\ in text is written twice, or the text stands in 'single quotes'",
    "Illegal character": 'text is closed by " on its own line, and has no control characters',
    "Expected '\"'": 'text is not closed; end it with "',
}


def unreadable(text: str, error: tomllib.TOMLDecodeError) -> str:
    """Where a text is no TOML, and what to write there."""
    said = str(error)
    at = _AT.search(said)
    instead = next((words for begins, words in _TOML.items() if said.startswith(begins)), None)
    instead = instead or "this is no TOML; a line is key = value, [section] or # a comment"
    lines = text.rstrip().splitlines() or [""]
    number, column = len(lines), ""
    if at is not None and at["line"] is not None and int(at["line"]) <= len(lines):
        number, column = int(at["line"]), f", column {at['column']}"
    return f"line {number}{column}: {instead}: {lines[number - 1].strip()}"
