"""The books that a command knows: croupier's own, and those that an extension has registered.

The games are not imported for this: a book can be registered only where they are.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from croupier.rulebooks import BOOKS, Rulebook, load, resolve

if TYPE_CHECKING:
    from croupier.pit import Registry


def known_books() -> tuple[str, ...]:
    """The ids of all books."""
    games = _games()
    return tuple(games.games) if games is not None else BOOKS


def open_book(word: str) -> Rulebook:
    """The book that a word names, by its id or a part of it."""
    games, id = _games(), resolve(word, known_books())
    return games.load(id) if games is not None else load(id)


def _games() -> Registry | None:
    registry = sys.modules.get("croupier.pit.registry")
    return None if registry is None else registry.GAMES
