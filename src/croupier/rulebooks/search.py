"""Find paragraphs by words, across books, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from croupier.rulebooks.model import Note, Paragraph, Policy, Rulebook

_WORD = re.compile(r"[a-z]-[0-9]{2}|[a-z0-9]+(?:\.[a-z0-9]+)*")  # A-06 is one word, so is 5.13.3
_ENDINGS = ("ing", "es", "ed", "s", "e")
_TEXTS_AT_MOST = 20_000
"""How many texts are kept as lines: all of the five books, and what is typed for a while."""


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
        for paragraph, places in _all_places(book)
        if (hit := _hit(book, paragraph, places, wanted)) is not None
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


@lru_cache(maxsize=_TEXTS_AT_MOST)
def as_lines(text: str) -> str:
    """The stems of `text`, each in a line of its own: a word is looked for in all at once."""
    return in_lines(stems(text))


def in_lines(words: Iterable[str]) -> str:
    """Words between line ends, so that `holds` and `begins` can tell where each begins and ends."""
    return "\n" + "".join(f"{word}\n" for word in words)


def holds(lines: str, word: str) -> bool:
    """Whether `word` stands there."""
    return f"\n{word}\n" in lines


def begins(lines: str, word: str) -> bool:
    """Whether a word there begins with `word`."""
    return f"\n{word}" in lines


def _akin(word: str, lines: str) -> bool:
    """Whether a word there goes on where `word` stops (straddle, straddler), or stops one letter
    short.

    Very short words are akin to nothing: `all` would find `allow`.
    """
    if len(word) >= 4 and begins(lines, word):
        return True
    return len(word) >= 5 and holds(lines, word[:-1])


def places_of(book: Rulebook, paragraph: Paragraph) -> dict[str, list[str]]:
    """The words of a paragraph by where they stand."""
    topics = [t for t in book.topics_of(paragraph.id) if book.topics[t][0] == paragraph.id]
    readings: list[Note | Policy] = [
        *book.notes_for(paragraph.id),
        *book.policies_for(paragraph.id),
    ]
    return {place: stems(text) for place, text in _texts(paragraph, topics, readings).items()}


def _all_places(book: Rulebook) -> Iterator[tuple[Paragraph, dict[str, str]]]:
    """Every paragraph of a book, with its words in lines by where they stand."""
    topics: dict[str, list[str]] = {}
    for name, ids in book.topics.items():
        topics.setdefault(ids[0], []).append(name)
    known: list[Note | Policy] = [*book.notes, *book.policies.values()]
    readings: dict[str, list[Note | Policy]] = {}
    for reading in known:
        for id in dict.fromkeys(reading.paragraphs):
            readings.setdefault(id, []).append(reading)
    for id, paragraph in book.paragraphs.items():
        texts = _texts(paragraph, topics.get(id, ()), readings.get(id, ()))
        yield paragraph, {place: as_lines(text) for place, text in texts.items()}


def _texts(
    paragraph: Paragraph, topics: Iterable[str], readings: Iterable[Note | Policy]
) -> dict[str, str]:
    return {
        "title": paragraph.title,
        "topics": " ".join(topics),
        "summary": paragraph.summary,
        "readings": " ".join(f"{r.reading} {r.question} {r.answer}" for r in readings),
        "test": paragraph.test,
    }


def _hit(
    book: Rulebook, paragraph: Paragraph, places: dict[str, str], wanted: list[str]
) -> Hit | None:
    score, found = 0, set[str]()
    for word in wanted:
        points = {
            place: WEIGHTS[place] * (2 if holds(there, word) else 1)
            for place, there in places.items()
            if holds(there, word) or _akin(word, there)
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
        if len(wanted) > 1 and "\n".join(wanted) in places[place]:
            score += 2 * WEIGHTS[place]
    return Hit(
        book=book.id,
        paragraph=paragraph,
        score=score,
        found_in=tuple(place for place in WEIGHTS if place in found),
    )
