"""Values as case files write them, read by the types of the records that they are for.

One place knows that money is written `60` or `2.50`, that cards are written `Qh 10♦`, and that
the keys of a TOML table are text even where they are seats. Reading gives plain values (whole
cents, card codes); writing gives them back as people write them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    match node:
        case inspect.Metadata(type=inner, extra=extra):
            if extra is not None and extra.get("money"):
                return _read_money(raw, path)
            return read(raw, inner, path)
        case inspect.UnionType(types=types):
            return _read_one_of(raw, types, path)
        case inspect.EnumType(cls=cls) if cls is Card:
            return _read_card(raw, path)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            if isinstance(raw, str) and _is_card(item):
                return _read_cards(raw, path)
            items = _expect(raw, list, "a list", path)
            return [read(v, item, f"{path}[{i + 1}]") for i, v in enumerate(items)]
        case inspect.DictType(key_type=_, value_type=value):
            table = _expect(raw, dict, "a table", path)
            return {str(k): read(v, value, _join(path, k)) for k, v in table.items()}
        case inspect.StructType(cls=cls):
            return read_fields(_expect(raw, dict, "a table", path), cls, path)
        case inspect.IntType() if isinstance(raw, Decimal):
            raise ValueProblem(path, f"expected a whole number, got {raw}")
        case inspect.DateTimeType() if isinstance(raw, datetime | date | time):
            return raw
        case _:
            return str(raw) if isinstance(raw, Decimal) else raw


def read_fields(raw: Mapping[str, Any], struct: type[Struct], path: str = "") -> dict[str, Any]:
    """Read some fields of a record; a key that the record does not have is an error."""
    fields = fields_of(struct)
    read_ones = {}
    for key, value in raw.items():
        if key not in fields:
            raise ValueProblem(
                _join(path, key), f"unknown key; known here: {', '.join(fields) or 'none'}"
            )
        read_ones[key] = read(value, fields[key], _join(path, key))
    return read_ones


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


def plain(record: Struct) -> dict[str, Any]:
    """A record as plain values: what `read` gives, so that the two can be compared."""
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(record))
    return values


def _read_money(raw: Any, path: str) -> int:
    try:
        return read_money(raw)
    except UnreadableMoney as error:
        raise ValueProblem(path, str(error)) from error


def _read_card(raw: Any, path: str) -> str:
    cards = _read_cards(raw, path)
    if len(cards) != 1:
        raise ValueProblem(path, f"expected one card, got {raw!r}")
    return cards[0]


def _read_cards(raw: Any, path: str) -> list[str]:
    text = _expect(raw, str, "cards such as 'Qh 10d'", path)
    try:
        return [card.value for card in read_cards(text)]
    except CardError as error:
        raise ValueProblem(path, str(error)) from error


def _read_one_of(raw: Any, types: Sequence[inspect.Type], path: str) -> Any:
    """A union takes the first of its types that the value fits."""
    problems = []
    for kind in types:
        if isinstance(kind, inspect.NoneType):
            continue
        try:
            value = read(raw, kind, path)
            _check_plain(value, kind)
            return value
        except (ValueProblem, msgspec.ValidationError) as error:
            problems.append(str(error))
    raise ValueProblem(path, f"{raw!r} does not fit: {'; '.join(problems)}")


def _check_plain(value: Any, node: inspect.Type) -> None:
    """Refuse a plain value of the wrong sort, so that a union can try its next type."""
    inner = node.type if isinstance(node, inspect.Metadata) else node
    match inner:
        case inspect.IntType() if isinstance(value, bool) or not isinstance(value, int):
            raise ValueProblem("", f"{value!r} is not a whole number")
        case inspect.EnumType(cls=cls) if value not in _members(cls):
            known = ", ".join(str(member) for member in _members(cls))
            raise ValueProblem("", f"{value!r} is none of: {known}")
        case inspect.StrType() if not isinstance(value, str):
            raise ValueProblem("", f"{value!r} is not text")
        case _:
            return


@cache
def _members(cls: type[Enum]) -> dict[Any, None]:
    return dict.fromkeys(member.value for member in cls)


def _is_card(node: inspect.Type) -> bool:
    return isinstance(node, inspect.EnumType) and node.cls is Card


def _expect(raw: Any, kind: type[Any], words: str, path: str) -> Any:
    if not isinstance(raw, kind):
        raise ValueProblem(path, f"expected {words}, got {raw!r}")
    return raw


def _join(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)
