"""Which books are versions of one game, and which paragraph of one is which of another."""

from __future__ import annotations

from functools import cache

from croupier.rulebooks import BOOKS, Rulebook, load
from croupier.rulebooks.compare import match_paragraphs


def siblings(book: Rulebook) -> list[Rulebook]:
    """The other books of its family, with which it can be compared."""
    others = (load(other) for other in BOOKS if other != book.id)
    return [other for other in others if other.family == book.family]


def in_order(one: Rulebook, other: Rulebook) -> tuple[Rulebook, Rulebook]:
    """Two books of a family, the earlier one first."""
    places = {id: place for place, id in enumerate(BOOKS)}
    if one.family == "poker":  # the one of the later version of the text is the later game
        return (one, other) if one.version < other.version else (other, one)
    return (one, other) if places[one.id] < places[other.id] else (other, one)


def all_pairs() -> list[tuple[Rulebook, Rulebook]]:
    """Every two books that can be compared, the earlier one first."""
    found = {
        (old.id, new.id): (old, new)
        for book in map(load, BOOKS)
        for other in siblings(book)
        for old, new in [in_order(book, other)]
    }
    return list(found.values())


@cache
def matched(old: str, new: str) -> dict[str, str]:
    """Which paragraph of a book is which of another."""
    return match_paragraphs(load(old), load(new))
