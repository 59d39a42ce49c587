"""Read a rulebook file, strictly. Whatever is wrong is an error here, never a surprise at a table.

`load` gives one of the five books of the package, parsed once and only when asked for.
`load_file` gives any other, with the same strictness.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from croupier.rulebooks.checks import build
from croupier.rulebooks.errors import (
    AmbiguousRulebook,
    UnknownKey,
    UnknownRulebook,
    UnreadableBook,
)
from croupier.rulebooks.model import Rulebook
from croupier.rulebooks.schema import BookFile

BOOKS: tuple[str, ...] = (
    "no-limit-holdem-v8",
    "poker-v5",
    "progressive-texas-holdem-v6",
    "multi-link-progressive-v2",
    "multi-link-progressive-v3",
)


@cache
def load(book: str) -> Rulebook:
    """The rulebook of that id."""
    if book not in BOOKS:
        raise UnknownRulebook(book, BOOKS)
    text = files("croupier.rulebooks").joinpath(f"{book}.toml").read_text("utf-8")
    return _read(text, book)


def load_file(source: Path | str) -> Rulebook:
    """A rulebook outside the package: a path, or the text itself (which has a line break)."""
    if isinstance(source, str) and "\n" in source:
        return _read(source, "the rulebook text")
    path = Path(source)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableBook(
            str(path), "file", "", f"it cannot be read ({error})", "a UTF-8 TOML file"
        ) from error
    return _read(text, str(path))


def resolve(word: str) -> str:
    """The id of the book that `word` abbreviates: "v8", "no-limit", "multi-link-progressive-v3"."""
    if word in BOOKS:
        return word
    wanted = word.lower()
    found = _matching(wanted) if wanted else []
    if len(found) > 1:
        raise AmbiguousRulebook(word, found)
    if not found:
        raise UnknownRulebook(word, BOOKS)
    return found[0]


def _matching(wanted: str) -> list[str]:
    for test in (
        lambda book: wanted in book.split("-"),
        lambda book: book.startswith(wanted),
        lambda book: wanted in book,
    ):
        if found := [book for book in BOOKS if test(book)]:
            return found
    return []


def _read(text: str, name: str) -> Rulebook:
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableBook(name, "file", "", f"not TOML: {error}", "a TOML file") from error
    head = raw.get("rulebook")
    if isinstance(head, dict) and isinstance(head.get("id"), str):
        name = head["id"]
    try:
        book = msgspec.convert(raw, BookFile)
    except msgspec.ValidationError as error:
        raise _shape_error(name, raw, str(error)) from error
    return build(book)


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
