"""A report in words, as whoever calls the floor would say it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from croupier.cards import Card
from croupier.pit import report_words
from croupier.table import Command
from croupier.table.money import write_money
from croupier.table.words import listed


def report_told(command: Command, word: str) -> tuple[str, ...]:
    """What is reported, then each of its facts; `word` is what a place is called there."""
    do = str(command.__struct_config__.tag)
    fields = dict(_said(command))
    kind = report_words.plain(_first_sentence(inspect.getdoc(type(command)) or ""))
    title = report_words.title(do, fields) if do in report_words.TITLES else do.capitalize()
    facts = [(report_words.ask(do, name), _worded(name, v, word)) for name, v in fields.items()]
    return (f"{title}.", kind, *(f"{asked} {said}." for asked, said in facts))


def _first_sentence(doc: str) -> str:
    sentence = " ".join(doc.partition("\n\n")[0].split()).partition(". ")[0]
    return f"{sentence.rstrip('.')}."


def _said(command: Command) -> Iterator[tuple[str, Any]]:
    """What a report says beyond its name."""
    for field in structs.fields(command):
        value = getattr(command, field.name)
        nothing = value in (None, (), {}, "") or (field.name == "stopped" and not value)
        if not nothing and field.name in report_words.ASKS:
            yield field.name, value


def _worded(name: str, value: Any, word: str) -> str:
    match value:
        case bool():
            return "Yes" if value else "No"
        case Card():
            return value.pretty
        case int() if name in ("seat", "box"):
            return f"{word.capitalize()} {value}"
        case int() if name == "amount":
            return write_money(value)
        case Mapping():
            return listed([f"{word} {place}: {_worded('', v, word)}" for place, v in value.items()])
        case tuple() | list():
            return listed([_worded("", each, word) for each in value])
        case _:
            return f"{value}"
