"""A paragraph as people call it: by the number that stands in the book, and a word where several
lines share one."""

from __future__ import annotations

import re

_NUMBERED = re.compile(r"\d+(?:\.\d+)*(?:\.(?:[a-z]|[ivx]+))*(?=\.|$)")
_OUR_ID = re.compile(r"\b\d+(?:\.\d+)+(?:\.[a-z]{1,3})?(?:\.[a-z]+(?:-[a-z]+)*)*\.[a-z]{4,}[a-z-]*")
_CARDS = frozenset("aa ak aq aj".split())
_TAIL = "tail"


def paragraph_name(id: str) -> str:
    """`4.2.minor.full-house` is `4.2, minor: full house`, for the book numbers no line of a table;
    `def.dealer-button` is `Definitions: Dealer Button`."""
    if id.startswith("def."):
        term, *parts = id.removeprefix("def.").split(".")
        named = " ".join(word.capitalize() for word in term.split("-"))
        return f"Definitions: {named}" + "".join(f" ({_words(part)})" for part in parts)
    if not (found := _NUMBERED.match(id)):
        word, *parts = id.split(".")
        return " ".join((word.capitalize(), *(part.upper() for part in parts)))
    words = [_words(part) for part in id[found.end() :].split(".") if part]
    return ", ".join((found[0], ": ".join(words))) if words else found[0]


def names_in(text: str) -> str:
    """A sentence with the paragraphs in it as people call them."""
    return _OUR_ID.sub(lambda found: paragraph_name(found[0]), text)


def _words(part: str) -> str:
    if part == _TAIL:
        return "end"
    return " ".join(word.upper() if word in _CARDS else word for word in part.split("-"))
