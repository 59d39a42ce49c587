"""Which shipped case files name a paragraph: where to see it at work."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple


class Naming(NamedTuple):
    """A case file that names a paragraph."""

    file: str
    """As `croupier case explain` takes it."""
    title: str


def cases_naming(book: str, paragraphs: set[str]) -> list[Naming]:
    """The shipped cases of a book that name any of these paragraphs, in order of their names."""
    folder = files("croupier") / "cases" / book
    if not folder.is_dir():
        return []
    found = []
    # Only this book's files are read, and only as TOML: no game need be imported for a list.
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            case = tomllib.loads(file.read_text(encoding="utf-8"))
            if paragraphs.intersection(case["paragraphs"]):
                found.append(Naming(f"{book}/{file.name}", case["title"]))
    return found
