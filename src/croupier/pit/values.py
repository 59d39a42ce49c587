"""Values as case files write them, read by the types of the records that they are for.

One place knows that money is written `60` or `2.50`, that cards are written `Qh 10♦`, and that
the keys of a TOML table are text even where they are seats. Reading gives plain values (whole
cents, card codes); writing gives them back as people write them.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect

from croupier.cards import Card, CardError, read_cards
from croupier.table import UnreadableMoney, read_money, write_money


class ValueProblem(Exception):
    """A value that does not fit its type; `path` says where inside the record."""

    def __init__(self, path: str, says: str) -> None:
        super().__init__(f"{path}: {says}" if path else says)
        self.path = path
        self.says = says


def shown(value: Any) -> str:
    """A value in a message as a case file would have it: `true` and `'x'`, never Python."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f"'{value}'"
        case Enum():
            return shown(value.value)
        case datetime() | date() | time():
            return value.isoformat()
        case Mapping():
            return "{ " + ", ".join(f"{k} = {shown(v)}" for k, v in value.items()) + " }"
        case list() | tuple() | set() | frozenset():
            return "[" + ", ".join(shown(v) for v in value) + "]"
        case _:
            return str(value)


def near(word: str, known: Iterable[str]) -> str:
    """The beginning of a list of known words: the one that was probably meant goes first."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]!r}? " if close else ""


@cache
def node_of(kind: Any) -> inspect.Type:
    """What msgspec knows of a type; slow to find, so found once."""
    return inspect.type_info(kind)


@cache
def fields_of(struct: type[Struct]) -> dict[str, inspect.Type]:
    """The fields of a record by their names, with what is known of each type."""
    node = node_of(struct)
    assert isinstance(node, inspect.StructType)
    return {field.encode_name: field.type for field in node.fields}


def read(raw: Any, node: inspect.Type, path: str = "") -> Any:
    """Turn a value of a case file into the plain value that the type is encoded as."""
    reader: Callable[[Any, Any, str], Any] = _READERS.get(type(node), _read_as_it_is)
    return reader(raw, node, path)


def _read_as_it_is(raw: Any, node: inspect.Type, path: str) -> Any:
    return str(raw) if isinstance(raw, Decimal) else raw


def _read_annotated(raw: Any, node: inspect.Metadata, path: str) -> Any:
    if node.extra is not None and node.extra.get("money"):
        return _read_money(raw, path)
    return read(raw, node.type, path)


def _read_member(raw: Any, node: inspect.EnumType, path: str) -> Any:
    return _read_card(raw, path) if node.cls is Card else _read_as_it_is(raw, node, path)


def _read_list(raw: Any, node: inspect.VarTupleType | inspect.ListType, path: str) -> Any:
    item = node.item_type
    if isinstance(raw, str) and _is_card(item):
        return _read_cards(raw, path)
    items = _expect(raw, list, "a list", path)
    return [read(value, item, f"{path}[{i}]") for i, value in enumerate(items, 1)]


def _read_table(raw: Any, node: inspect.DictType, path: str) -> Any:
    table = _expect(raw, dict, "a table", path)
    return {str(k): read(v, node.value_type, _join(path, k)) for k, v in table.items()}


def _read_record(raw: Any, node: inspect.StructType, path: str) -> Any:
    return read_fields(_expect(raw, dict, "a table", path), node.cls, path)


def _read_number(raw: Any, node: inspect.IntType, path: str) -> Any:
    if isinstance(raw, Decimal):
        raise ValueProblem(path, f"expected a whole number, got {raw}")
    return raw


def _read_one_of(raw: Any, node: inspect.UnionType, path: str) -> Any:
    """A union takes the first of its types that the value fits."""
    problems: list[str] = []
    kinds = [kind for kind in node.types if not isinstance(kind, inspect.NoneType)]
    if len(kinds) == 1 and isinstance(kinds[0], inspect.StructType):
        return read(raw, kinds[0], path)  # what is wrong with a record is told where it is wrong
    for kind in kinds:
        try:
            value = read(raw, kind, path)
            _check_plain(value, kind)
            return value
        except (ValueProblem, msgspec.ValidationError) as error:
            problems.append(str(error))
    raise ValueProblem(path, f"{shown(raw)} does not fit: {'; '.join(problems)}")


_READERS: dict[type[inspect.Type], Callable[[Any, Any, str], Any]] = {
    inspect.Metadata: _read_annotated,
    inspect.UnionType: _read_one_of,
    inspect.EnumType: _read_member,
    inspect.VarTupleType: _read_list,
    inspect.ListType: _read_list,
    inspect.DictType: _read_table,
    inspect.StructType: _read_record,
    inspect.IntType: _read_number,
}
"""How values of each type are read; all others are taken as they are."""


def read_fields(raw: Mapping[str, Any], struct: type[Struct], path: str = "") -> dict[str, Any]:
    """Read some fields of a record; a key that the record does not have is an error."""
    fields = fields_of(struct)
    read_ones = {}
    for key, value in raw.items():
        if key not in fields:
            known = f"{near(key, fields)}known here: {', '.join(fields) or 'none'}"
            raise ValueProblem(_join(path, key), f"unknown key; {known}")
        read_ones[key] = read(value, fields[key], _join(path, key))
    return read_ones


def converted(values: dict[str, Any], kind: type[Struct], path: str = "") -> Any:
    """The record of plain values. What is wrong with them is told with its place."""
    try:
        return msgspec.convert(values, kind, str_keys=True)
    except msgspec.ValidationError as error:
        _check_whole(values, kind, path)
        raise ValueProblem(path, str(error)) from error


def _check_whole(plain: Mapping[str, Any], struct: type[Struct], path: str = "") -> None:
    """See that a record which was read is whole: every field that it needs, each as it may be."""
    node = node_of(struct)
    assert isinstance(node, inspect.StructType)
    lacking = [f.encode_name for f in node.fields if f.required and f.encode_name not in plain]
    if lacking:
        raise ValueProblem(path, f"{' and '.join(lacking)} must be given")
    for field in node.fields:
        if field.encode_name in plain:
            _check(plain[field.encode_name], field.type, _join(path, field.encode_name))


def _check(value: Any, node: inspect.Type, path: str) -> None:
    """The limits of a plain value, in words; what `msgspec` would say has no place and no key."""
    match node:
        case inspect.Metadata(type=inner):
            _check(value, inner, path)
        case inspect.UnionType(types=types):
            _check_one_of(value, types, path)
        case inspect.StructType(cls=cls):
            _check_whole(_expect(value, dict, "a table", path), cls, path)
        case inspect.DictType(key_type=kind, value_type=inner):
            for key, one in _expect(value, dict, "a table", path).items():
                _check_key(key, kind, _join(path, key))
                _check(one, inner, _join(path, key))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            listed = _expect(value, list, "a list", path)
            what = "cards" if _is_card(item) else "values"
            _check_limits(len(listed), node.min_length, node.max_length, what, path)
            for i, one in enumerate(listed, 1):
                _check(one, item, f"{path}[{i}]")
        case inspect.IntType():
            if isinstance(value, bool) or not isinstance(value, int):
                raise ValueProblem(path, f"expected a whole number, got {shown(value)}")
            _check_limits(value, node.ge, node.le, "", path)
        case inspect.StrType():
            text = _expect(value, str, "text", path)
            _check_limits(len(text), node.min_length, node.max_length, "letters", path)
        case inspect.BoolType():
            _expect(value, bool, "true or false", path)
        case inspect.EnumType(cls=cls) if cls is not Card and value not in _members(cls):
            known = ", ".join(str(member) for member in _members(cls))
            raise ValueProblem(path, f"{near(str(value), map(str, _members(cls)))}known: {known}")
        case inspect.LiteralType(values=values) if value not in values:
            known = ", ".join(map(str, values))
            told = f"{shown(value)} is unknown; {near(str(value), map(str, values))}known: {known}"
            raise ValueProblem(path, told)
        case _:
            return


def _check_one_of(value: Any, types: Sequence[inspect.Type], path: str) -> None:
    """One of the types of a union must do; if none does, the last one's problem is told."""
    problem: ValueProblem | None = None
    for kind in types:
        if isinstance(kind, inspect.NoneType):
            if value is None:
                return
            continue
        try:
            _check(value, kind, path)
            return
        except ValueProblem as error:
            problem = error
    if problem is not None:
        raise problem


def _check_key(key: str, node: inspect.Type, path: str) -> None:
    """The keys of a TOML table are text, even where they are seats."""
    inner = node.type if isinstance(node, inspect.Metadata) else node
    if not isinstance(inner, inspect.IntType):
        return
    if not key.isascii() or not key.lstrip("-").isdigit():
        raise ValueProblem(path, f"expected a whole number, got {shown(key)}")
    _check_limits(int(key), inner.ge, inner.le, "", path)


def _check_limits(
    number: int, least: float | None, most: float | None, what: str, path: str
) -> None:
    if least is not None and number < least:
        told = f"{number} {what} are too few" if what else f"{number} is too low"
        raise ValueProblem(path, f"{told}; at least {least:g}")
    if most is not None and number > most:
        told = f"{number} {what} are too many" if what else f"{number} is too high"
        raise ValueProblem(path, f"{told}; at most {most:g}")


def write(value: Any, node: inspect.Type) -> Any:
    """Turn a plain value into what a case file would say; cards and money as people write."""
    match node:
        case inspect.Metadata(type=inner, extra=extra):
            if extra is not None and extra.get("money") and isinstance(value, int):
                return write_money(value)
            return write(value, inner)
        case inspect.UnionType(types=types):
            fitting = (t for t in types if not isinstance(t, inspect.NoneType))
            return value if value is None else write(value, next(fitting))
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            if not isinstance(value, list):
                return value
            if _is_card(item):
                return " ".join(value)
            return [write(v, item) for v in value]
        case inspect.DictType(value_type=inner) if isinstance(value, dict):
            return {k: write(v, inner) for k, v in value.items()}
        case inspect.StructType(cls=cls) if isinstance(value, dict):
            fields = fields_of(cls)
            return {k: write(v, fields[k]) if k in fields else v for k, v in value.items()}
        case _:
            return value


def plain(value: Any) -> Any:
    """A record, or a value of one, as `read` gives it, so that the two can be compared."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _read_money(raw: Any, path: str) -> int:
    try:
        return read_money(raw)
    except UnreadableMoney as error:
        raise ValueProblem(path, str(error)) from error


def _read_card(raw: Any, path: str) -> str:
    cards = _read_cards(raw, path)
    if len(cards) != 1:
        raise ValueProblem(path, f"expected one card, got {shown(raw)}")
    return cards[0]


def _read_cards(raw: Any, path: str) -> list[str]:
    text = _expect(raw, str, "cards such as 'Qh 10d'", path)
    try:
        return [card.value for card in read_cards(text)]
    except CardError as error:
        raise ValueProblem(path, str(error)) from error


def _check_plain(value: Any, node: inspect.Type) -> None:
    """Refuse a plain value of the wrong sort, so that a union can try its next type."""
    inner = node.type if isinstance(node, inspect.Metadata) else node
    match inner:
        case inspect.IntType() if isinstance(value, bool) or not isinstance(value, int):
            raise ValueProblem("", f"{shown(value)} is not a whole number")
        case inspect.EnumType(cls=cls) if value not in _members(cls):
            known = ", ".join(str(member) for member in _members(cls))
            raise ValueProblem("", f"{shown(value)} is none of: {known}")
        case inspect.StrType() if not isinstance(value, str):
            raise ValueProblem("", f"{shown(value)} is not text")
        case _:
            return


@cache
def _members(cls: type[Enum]) -> dict[Any, None]:
    return dict.fromkeys(member.value for member in cls)


def _is_card(node: inspect.Type) -> bool:
    return isinstance(node, inspect.EnumType) and node.cls is Card


def _expect(raw: Any, kind: type[Any], words: str, path: str) -> Any:
    if not isinstance(raw, kind):
        raise ValueProblem(path, f"expected {words}, got {shown(raw)}")
    return raw


def _join(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)
