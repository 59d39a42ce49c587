"""From the text of a rulebook file to its shape, with errors that say where in the file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from croupier.rulebooks.errors import UnknownKey, UnreadableBook
from croupier.rulebooks.schema import BookFile


def decode(text: str, name: str, text_of: Callable[[str], str]) -> BookFile:
    """Decode a file; `name` stands for the book until its own id is known.

    `text_of` gives the text of a book that this one is based on.
    """
    raw, name = _raw(text, name, text_of)
    try:
        return msgspec.convert(raw, BookFile)
    except msgspec.ValidationError as error:
        raise _shape_error(name, raw, str(error)) from error


def _raw(text: str, name: str, text_of: Callable[[str], str]) -> tuple[dict[str, Any], str]:
    """What the file says, whole, and what the book is called."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableBook(name, "file", "", f"not TOML: {error}", "a TOML file") from error
    head = raw.get("rulebook")
    if isinstance(head, dict) and isinstance(head.get("id"), str):
        name = head["id"]
    if "carried" in raw:
        raise UnknownKey(name, "carried", "", "unknown key", "only documented keys")
    if "based_on" in raw:
        from croupier.rulebooks.based_on import whole_book

        def sound(base: str) -> dict[str, Any]:
            decode(text_of(base), base, text_of)  # whatever is wrong with it is told of it
            return _raw(text_of(base), base, text_of)[0]

        raw = whole_book(raw, name, sound)
    return raw, name


def _shape_error(name: str, raw: dict[str, object], message: str) -> UnreadableBook | UnknownKey:
    """msgspec says what and where (`... - at `$.policy[0].reading``); we say it in our words."""
    problem, _, path = message.partition(" - at `")
    steps = path.rstrip("`").removeprefix("$").lstrip(".").replace("[...]", "").split(".")
    steps = [step for step in steps if step]
    section = steps[0] if steps else "file"
    key = ".".join(steps[1:])
    entry = _entry_name(raw, section)
    if entry:
        key = f"{entry} {key}".strip()
    section = section.partition("[")[0]
    if "unknown field" in problem:
        unknown = problem.partition("`")[2].rstrip("`")
        expected = _known_fields(steps)
        return UnknownKey(name, section, f"{key} {unknown}".strip(), "unknown key", expected)
    return UnreadableBook(name, section, key, problem, "the shape that docs/rulebooks.md gives")


def _entry_name(raw: dict[str, object], step: str) -> str:
    """The id, name or reading of the array entry that `policy[3]` points to."""
    table, _, rest = step.partition("[")
    entries = raw.get(table)
    if not rest or not isinstance(entries, list):
        return ""
    entry = entries[int(rest.rstrip("]"))]
    if isinstance(entry, dict):
        for label in ("id", "name", "reading"):
            if isinstance(entry.get(label), str):
                return str(entry[label])
    return ""


def _known_fields(steps: Iterable[str]) -> str:
    kind: object = BookFile
    for step in steps:
        table = step.partition("[")[0]
        hints = getattr(kind, "__struct_fields__", ())
        if table in hints:
            kind = _inner(kind, table)
    fields = getattr(kind, "__struct_fields__", ())
    return "one of " + ", ".join(fields) if fields else "only documented keys"


def _inner(kind: object, field: str) -> object:
    hint = msgspec.inspect.type_info(kind)
    if not isinstance(hint, msgspec.inspect.StructType):
        return None
    inner = next(f.type for f in hint.fields if f.name == field)
    while True:
        if isinstance(inner, msgspec.inspect.StructType):
            return inner.cls
        if isinstance(inner, msgspec.inspect.VarTupleType):
            inner = inner.item_type
        elif isinstance(inner, msgspec.inspect.DictType):
            inner = inner.value_type
        elif isinstance(inner, msgspec.inspect.UnionType):
            inner = inner.types[0]
        else:
            return None
