"""Which shipped case files name a paragraph: where to see it at work."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import NamedTuple

from croupier.rulebooks.several import books_named, in_book


class Naming(NamedTuple):
    """A case file that names a paragraph."""

    file: str
    """As `croupier case explain` takes it."""
    title: str


def cases_naming(book: str, paragraphs: set[str]) -> list[Naming]:
    """The shipped cases of a book that name any of these paragraphs, in order of their names."""
    root = files("croupier") / "cases"
    found = []
    # Files are read as TOML, and only those of this book: no game need be imported for a list.
    for folder in sorted((f for f in root.iterdir() if f.is_dir()), key=lambda f: f.name):
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if not file.name.endswith(".toml"):
                continue
            text = file.read_text(encoding="utf-8")
            if book not in books_named(text) or not any(p in text for p in paragraphs):
                continue  # only what may name one is read as TOML
            case = in_book(tomllib.loads(text), book)
            if paragraphs.intersection(case["paragraphs"]):
                found.append(Naming(f"{folder.name}/{file.name}", case["title"]))
    return found
