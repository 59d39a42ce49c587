"""Information on a table: what a player may read before playing. While the table is open nothing of
it changes but the policies, by a ruling on what a rule means; it is called `sign` on the wire, as
the rulebooks call what stands there.

The rulebook with its version, and a mark where the book is superseded or not in force; a game adds
its limits, its charge and what it pays.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from croupier.rulebooks import BOOKS, Rulebook, Topic, load

VOID = (
    "A round is void where a malfunction decides it, and where the rules say so. Then everybody in "
    "it is told, every bet goes back, and what the round has paid already is taken back."
)
"""When winnings are recovered: players read it before they play (S-38)."""


class Consequence(Struct, frozen=True, kw_only=True):
    """What something that happens comes to, in a sentence, and by which paragraphs."""

    says: str
    cites: tuple[str, ...]


class TableInfo(Struct, frozen=True, kw_only=True):
    """Under which rules it is played."""

    title: str
    short: str
    rulebook: str
    version: int
    regulator: str
    in_force: bool
    superseded_by: str | None
    marked: str
    """A sentence that must be shown where it is not empty."""
    policies: dict[str, str]
    seen: bool = False
    """Whether the dealer enters what players are seen to do: a player's page offers no acts."""
    void: Consequence
    """When a round is void, and what is recovered then."""


def book_info(book: Rulebook, stated: datetime | None, when: datetime) -> dict[str, Any]:
    """What is said of every table: the book that it is played under."""
    known = book.effective is not None or stated is not None
    superseded = book.superseded(when)
    in_force = known and book.in_force(when, stated=stated)
    marked = ""
    if superseded and book.superseded_by is not None:
        by = book.superseded_by
        later = load(by).short if by in BOOKS else by
        marked = f"Superseded: {later} replaced {book.short}; this table keeps to the older book."
    elif not in_force:
        marked = f"{book.short} is not in force; this table was opened knowingly."
    return {
        "title": book.title,
        "short": book.short,
        "rulebook": book.id,
        "version": book.version,
        "regulator": book.regulator,
        "in_force": in_force,
        "superseded_by": book.superseded_by if superseded else None,
        "marked": marked,
        "void": Consequence(says=VOID, cites=_void_cites(book)),
    }


def _void_cites(book: Rulebook) -> tuple[str, ...]:
    """The paragraph by which bets go back; in poker that of a void round."""
    topics = (Topic.VOID_RETURNS_EVERY_BET, Topic.VOID)
    return next((book.cite(topic) for topic in topics if book.has(topic)), ())
