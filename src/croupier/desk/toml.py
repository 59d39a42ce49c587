"""Case files as text: TOML as a person would lay it out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDE = 88
"""A line longer than this is laid out in several, where TOML allows it."""


def case_toml(raw: Mapping[str, Any]) -> str:
    """A case file: first what is said in a line, then the tables, then the steps."""
    lines: list[str] = []
    tables: list[str] = []
    for key, value in raw.items():
        if key == "step":
            continue
        if isinstance(value, dict) and value:
            tables += ["", *_table(key, value)]
        elif value != {}:
            lines += [f"{_key(key)} = {_laid_out(value)}"]
    steps = [line for step in raw["step"] for line in ("", "[[step]]", *_step(step))]
    return "\n".join([*lines, *tables, *steps, ""])


def _table(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """`[seats]` with a line for each; tables and links by name each have their own heading."""
    if name.partition(".")[0] in ("tables", "links") and "." not in name:
        for each, value in table.items():
            if isinstance(value, dict):
                yield from _table(f"{name}.{_key(each)}", value)
        return
    yield f"[{name}]"
    for key, value in table.items():
        yield f"{_key(key)} = {toml_value(value)}"


def _step(step: Mapping[str, Any]) -> Iterator[str]:
    for key, value in step.items():
        if key == "expect" and isinstance(value, dict):
            yield from (f"expect.{_key(k)} = {_laid_out(v)}" for k, v in value.items())
        else:
            yield f"{_key(key)} = {_laid_out(value)}"


def _laid_out(value: Any) -> str:
    """A value on one line, or a long list on several."""
    line = toml_value(value)
    if len(line) <= _WIDE or not isinstance(value, list | tuple):
        return line
    return "\n".join(["[", *(f"  {toml_value(item)}," for item in value), "]"])


def toml_value(value: Any) -> str:
    """A value as TOML on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int():
            return str(value)
        case float() | Decimal():
            text = str(value)
            return text if "." in text or "e" in text.lower() else f"{text}.0"
        case datetime() | date() | time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(toml_value(item) for item in value)}]"
        case dict():
            pairs = ", ".join(f"{_key(str(k))} = {toml_value(v)}" for k, v in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            raise TypeError(f"{type(value).__name__} cannot stand in a case file")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)
