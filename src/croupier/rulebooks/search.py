"""Find paragraphs by words, across books, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from croupier.rulebooks.model import Note, Paragraph, Policy, Rulebook

_WORD = re.compile(r"[a-z]-[0-9]{2}|[a-z0-9]+(?:\.[a-z0-9]+)*")  # A-06 is one word, so is 5.13.3
_ENDINGS = ("ing", "es", "ed", "s", "e")


class Hit(Struct, frozen=True, kw_only=True):
    """A paragraph that the words point to, where they were found, and how strongly."""

    book: str
    paragraph: Paragraph
    score: int
    found_in: tuple[str, ...]


# Where a word may stand, and how much that says about the paragraph.
WEIGHTS = {"id": 60, "title": 12, "topics": 10, "summary": 5, "readings": 3, "test": 2}


def search(words: Iterable[str], books: Iterable[Rulebook]) -> list[Hit]:
    """Paragraphs that hold every one of `words`, best first; ties in the order of the books."""
    wanted = [stem for word in words for stem in stems(word)]
    if not wanted:
        return []
    hits = [
        hit
        for book in books
        for paragraph in book.paragraphs.values()
        if (hit := _hit(book, paragraph, wanted)) is not None
    ]
    return sorted(hits, key=lambda hit: -hit.score)


def stems(text: str) -> list[str]:
    """The words of `text` in lower case, without the commonest endings."""
    return [_stem(word) for word in _WORD.findall(text.lower().replace("'", ""))]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def _akin(word: str, other: str) -> bool:
    """Whether `other` goes on where `word` stops (straddle, straddler), or stops one letter short.

    Very short words are akin to nothing: `all` would find `allow`.
    """
    if len(word) >= 4 and other.startswith(word):
        return True
    return len(other) >= 4 and word[:-1] == other


def places_of(book: Rulebook, paragraph: Paragraph) -> dict[str, list[str]]:
    """The words of a paragraph by where they stand."""
    readings: list[Note | Policy] = [
        *book.notes_for(paragraph.id),
        *book.policies_for(paragraph.id),
    ]
    operative = [t for t in book.topics_of(paragraph.id) if book.topics[t][0] == paragraph.id]
    return {
        "title": stems(paragraph.title),
        "topics": stems(" ".join(operative)),
        "summary": stems(paragraph.summary),
        "readings": stems(" ".join(f"{r.reading} {r.question} {r.answer}" for r in readings)),
        "test": stems(paragraph.test),
    }


def _hit(book: Rulebook, paragraph: Paragraph, wanted: list[str]) -> Hit | None:
    places = places_of(book, paragraph)
    score, found = 0, set[str]()
    for word in wanted:
        points = {
            place: WEIGHTS[place] * (2 if word in there else 1)
            for place, there in places.items()
            if word in there or any(_akin(word, other) for other in there)
        }
        if paragraph.id == word:
            points["id"] = WEIGHTS["id"]
        if not points:
            return None
        best = max(points.values())  # where it says most counts; the rest only breaks ties
        score += best + (sum(points.values()) - best) // 4
        found.update(points)
    # The words side by side, as they were typed, say more than the words apart.
    for place in ("title", "summary"):
        if len(wanted) > 1 and " ".join(wanted) in " ".join(places[place]):
            score += 2 * WEIGHTS[place]
    return Hit(
        book=book.id,
        paragraph=paragraph,
        score=score,
        found_in=tuple(place for place in WEIGHTS if place in found),
    )
