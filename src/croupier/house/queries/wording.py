"""An order and what came of it, in words that everybody may read, and whom it concerned.

Cards that lie face down are not told here, whoever asks: a round may be under way. `croupier audit
round` tells them once it is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect, structs

from croupier.house.queries.walk import Given, Roster, namer
from croupier.house.software import SOFTWARE
from croupier.pit.telling import cards_in
from croupier.pit.values import fields_of, node_of, plain, write
from croupier.table import BadCommand, Command, Conversation, Event
from croupier.table.event import Namer
from croupier.table.seat import Box, Seat

_NOT_TOLD = frozenset(
    ("do", "settings", "policies", "need", "decision", "digest", "digests", "token", "details")
)
"""What is long, means nothing to people, or may name cards that lie face down."""
_PEOPLE = (
    *("player", "payer", "payee", "patron", "who", "by", "asked_by", "not_by"),
    *("administrator", "proposed_by", "approved_by", "name"),
)


def read_order(conversation: Conversation[Any], command: bytes) -> Command | None:
    """A stored command; None where it is withheld, or was never readable."""
    if not command or command == b"null":
        return None
    try:
        return conversation.read_command(command)
    except BadCommand:
        return None


def order_in_words(command: Command | None, roster: Roster) -> str:
    """A command as a person reads it: `raise (Ann (3), to 60)`."""
    if command is None:
        return ""
    told = command.tell()
    reason = ""
    values = []
    for key, value in _values(command, namer(roster)):
        if key == "reason":
            reason = value
        elif key in ("option", "seat", "box"):
            values.append(value)
        else:
            values.append(f"{key.replace('_', ' ')} {value}")
    told += f" ({', '.join(values)})" if values else ""
    return told + (f", because {reason}" if reason else "")


def _values(command: Command, name: Namer) -> Iterator[tuple[str, str]]:
    written = write(plain(command), node_of(type(command)))
    for field in _told_fields(type(command)):
        key, value = field.encode_name, getattr(command, field.name)
        if value in ("", None, (), {}) or _has_cards(value):
            continue
        if not field.required and value == field.default:
            continue
        if key in ("seat", "box") and isinstance(value, int):
            yield key, name(value)
        else:
            yield key, _in_words(written[key])


@cache
def _told_fields(kind: type[Struct]) -> tuple[structs.FieldInfo, ...]:
    """The fields of a command that are told; slow to find, so found once."""
    return tuple(field for field in structs.fields(kind) if field.encode_name not in _NOT_TOLD)


def _has_cards(value: object) -> bool:
    return any(True for _ in cards_in(value))


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    return str(value)


def events_in_words(given: Given) -> str:
    """What came of a command, sentence by sentence, as everybody may know it."""
    name = namer(given.roster)
    shown = (event.public() for event in given.events)
    return " ".join(_sentence(event.tell(name)) for event in shown if event is not None)


def _sentence(text: str) -> str:
    text = text.removesuffix(".") if text.endswith("..") and not text.endswith("...") else text
    return f"{text[:1].upper()}{text[1:]}"


def people_in(given: Given, command: Command | None) -> tuple[str, ...]:
    """Whom a command and its events name, by their names or by where they sit; by name."""
    found: set[str] = set()
    for record in (*given.events, command):
        if record is not None:
            found.update(_people(record, given.roster))
    return tuple(sorted(found - SOFTWARE - {given.who}))


def _people(record: Event | Command, roster: Roster) -> Iterator[str]:
    named, placed = _fields(type(record))
    for field in named:
        value = getattr(record, field)
        if isinstance(value, str) and value:
            yield value
    for field in placed:
        yield from _seated(getattr(record, field), roster)


def _seated(value: object, roster: Roster) -> Iterator[str]:
    match value:
        case bool():
            return
        case int():
            if value in roster:
                yield roster[value]
        case dict():
            for key in value:
                yield from _seated(key, roster)
        case list() | tuple() | set() | frozenset():
            for each in value:
                yield from _seated(each, roster)
        case _:
            return


def _described(node: inspect.Type) -> str:
    told = node.extra_json_schema if isinstance(node, inspect.Metadata) else None
    return str((told or {}).get("description", ""))


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of a record that name people, and those that name seats or boxes."""
    fields = kind.__struct_fields__
    named = tuple(field for field in _PEOPLE if field in fields)
    types = zip(fields, fields_of(kind).values(), strict=True)
    return named, tuple(field for field, node in types if _is_seat(node))


_SEAT_AND_BOX = {_described(node_of(kind)) for kind in (Seat, Box)}


def _is_seat(node: inspect.Type) -> bool:
    """Whether a type is that of a seat or box, or of several, or of something for each."""
    match node:
        case inspect.UnionType(types=types):
            return any(map(_is_seat, types))
        case inspect.VarTupleType(item_type=inner) | inspect.ListType(item_type=inner):
            return _is_seat(inner)
        case inspect.DictType(key_type=inner):
            return _is_seat(inner)
        case inspect.Metadata():
            return _described(node) in _SEAT_AND_BOX
        case _:
            return False


def as_everybody_may(event: Event) -> Any | None:
    """An event as plain data with its face-down cards hidden; None where it is nobody's to know."""
    shown = event.public()
    return None if shown is None else msgspec.to_builtins(shown)
