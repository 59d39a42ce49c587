"""Read a rulebook file, strictly. Whatever is wrong is an error here, never a surprise at a table.

`load` gives one of the five books of the package, parsed once and only when asked for.
`load_file` gives any other, with the same strictness; it may be based on one of the package, or on
one that lies beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from croupier.rulebooks.errors import AmbiguousRulebook, UnknownRulebook, UnreadableBook
from croupier.rulebooks.model import Rulebook

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
    return _read(_shipped(book), book, _shipped)


def load_file(source: Path | str) -> Rulebook:
    """A rulebook outside the package: a path, or the text itself (which has a line break)."""
    if isinstance(source, str) and "\n" in source:
        return _read(source, "the rulebook text", _shipped)
    path = Path(source)

    def beside(book: str) -> str:
        return _shipped(book) if book in BOOKS else _file(path.with_name(f"{book}.toml"))

    return _read(_file(path), str(path), beside)


def resolve(word: str, books: Collection[str] = BOOKS) -> str:
    """The id of the book that `word` abbreviates: "v8", "no-limit", "multi-link-progressive-v3"."""
    if word in books:
        return word
    wanted = word.lower()
    found = _matching(wanted, books) if wanted else []
    if len(found) > 1:
        raise AmbiguousRulebook(word, found)
    if not found:
        raise UnknownRulebook(word, books)
    return found[0]


def _matching(wanted: str, books: Collection[str]) -> list[str]:
    """A whole word of the id goes before its beginning, and that before any part of it."""
    whole = [book for book in books if wanted in book.split("-")]
    begins = [book for book in books if book.startswith(wanted)]
    return whole or begins or [book for book in books if wanted in book]


def _shipped(book: str) -> str:
    """The text of a book of the package."""
    if book not in BOOKS:
        raise UnknownRulebook(book, BOOKS)
    from importlib.resources import files

    return files("croupier.rulebooks").joinpath(f"{book}.toml").read_text("utf-8")


def _file(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableBook(
            str(path), "file", "", f"it cannot be read ({error})", "a UTF-8 TOML file"
        ) from error


def _read(text: str, name: str, text_of: Callable[[str], str]) -> Rulebook:
    # Whatever only reading needs is imported here, so that importing the package stays cheap.
    from croupier.rulebooks.checks import build
    from croupier.rulebooks.reading import decode

    return build(decode(text, name, text_of))
