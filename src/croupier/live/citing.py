"""Paragraphs behind an answer, in our own words, for whoever wants to read why."""

from __future__ import annotations

from croupier.house.office.standards import IN_WORDS
from croupier.live.wire import Cited
from croupier.rulebooks import Rulebook

STANDARDS = "standards"
"""What stands for a rulebook where the House cites its own standards, as `S-27`."""


def cited(book: Rulebook, cites: tuple[str, ...]) -> tuple[Cited, ...]:
    """Each cited paragraph with its title and what it says."""
    return tuple(_one(book, paragraph) for paragraph in cites)


def _one(book: Rulebook, paragraph: str) -> Cited:
    if paragraph in book.paragraphs:
        found = book.paragraphs[paragraph]
        return Cited(rulebook=book.id, paragraph=paragraph, title=found.title, says=found.summary)
    title, says = IN_WORDS.get(paragraph, ("A standard of the House", ""))
    return Cited(rulebook=STANDARDS, paragraph=paragraph, title=title, says=says)
