"""Paragraphs behind an answer, in our own words, for whoever wants to read why."""

from __future__ import annotations

from croupier.live.wire import Cited
from croupier.rulebooks import Rulebook

STANDARDS = "standards"
"""What stands for a rulebook where the House cites its own standards, as `S-27`."""

_STANDARDS = {
    "S-27": ("No negative balance", "A wager is deducted at once, and no account is overdrawn."),
    "S-28": ("Bots", "Bots are marked as such, and a casino that plays for money has none."),
    "S-29": ("Disabling", "One game, one player or everything can be closed by the House."),
}


def cited(book: Rulebook, cites: tuple[str, ...]) -> tuple[Cited, ...]:
    """Each cited paragraph with its title and what it says."""
    return tuple(_one(book, paragraph) for paragraph in cites)


def _one(book: Rulebook, paragraph: str) -> Cited:
    if paragraph in book.paragraphs:
        found = book.paragraphs[paragraph]
        return Cited(rulebook=book.id, paragraph=paragraph, title=found.title, says=found.summary)
    title, says = _STANDARDS.get(paragraph, ("A standard of the House", ""))
    return Cited(rulebook=STANDARDS, paragraph=paragraph, title=title, says=says)
