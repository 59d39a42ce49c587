"""A few words to what they point to: incidents, paragraphs, shipped cases; the likeliest first."""

from __future__ import annotations

import re
import tomllib
from functools import cache

from msgspec import Struct

from croupier.desk.book_pages import incidents
from croupier.desk.records import SearchHit
from croupier.pit import shipped_cases
from croupier.rulebooks import Rulebook
from croupier.rulebooks.search import search as search_paragraphs
from croupier.rulebooks.search import stems
from croupier.rulebooks.several import books_named

HITS_AT_MOST = 30
WORDS_AT_MOST = 20

_TITLE, _WORDS, _NAME = 30, 24, 24
"""What a word in an incident's title, its other words or its name says of it. A paragraph has at
most 24 for a word of its title, and more only for its number: what can be asked comes first."""
_CASE_TITLE, _CASE_ABOUT = 8, 3


_TABLE = re.compile(r"^\[", re.MULTILINE)
"""Where the head of a case file ends: to read a thousand of them whole takes seconds."""


class ShippedCase(Struct, frozen=True, kw_only=True):
    """What is searched of a case."""

    source: str
    books: tuple[str, ...]
    title: str
    about: str
    title_stems: frozenset[str]
    about_stems: frozenset[str]


def search(words: str, book: Rulebook) -> list[SearchHit]:
    """What the words point to under a book, best first; incidents first where equal.

    Incidents need not have all of the words: whoever is called to a table types as he speaks.
    """
    wanted = list(dict.fromkeys(stems(words)))[:WORDS_AT_MOST]
    if not wanted:
        return []
    found = [
        *_incidents(wanted, book),
        *_paragraphs(wanted, book),
        *_cases(wanted, book),
    ]
    return [hit for _, hit in sorted(found, key=lambda one: -one[0])][:HITS_AT_MOST]


def _incidents(wanted: list[str], book: Rulebook) -> list[tuple[float, SearchHit]]:
    found = []
    for incident in incidents(book):
        title, words = set(stems(incident.title)), set(stems(incident.words))
        name = set(stems(incident.name.replace("-", " ")))
        points = [
            max(_TITLE * _fits(word, title), _WORDS * _fits(word, words), _NAME * _fits(word, name))
            for word in wanted
        ]
        hits = sum(point > 0 for point in points)
        if 2 * hits < len(wanted) or not hits:
            continue
        # All of the words say more than some of them.
        score = sum(points) * hits / len(wanted) + incident.common
        hit = SearchHit(
            kind="incident",
            name=incident.name,
            title=incident.title,
            says=incident.words,
            book=book.id,
        )
        found.append((score, hit))
    return found


def _fits(word: str, there: set[str] | frozenset[str]) -> float:
    if word in there:
        return 1.0
    return 0.5 if len(word) >= 3 and any(other.startswith(word) for other in there) else 0.0


def _paragraphs(wanted: list[str], book: Rulebook) -> list[tuple[float, SearchHit]]:
    return [
        (
            float(hit.score),
            SearchHit(
                kind="paragraph",
                name=hit.paragraph.id,
                title=hit.paragraph.title,
                says=hit.paragraph.summary,
                book=book.id,
            ),
        )
        for hit in search_paragraphs([" ".join(wanted)], [book])
    ]


def _cases(wanted: list[str], book: Rulebook) -> list[tuple[float, SearchHit]]:
    found = []
    for case in _shipped():
        if book.id not in case.books:
            continue
        points = [
            max(_CASE_TITLE * _fits(w, case.title_stems), _CASE_ABOUT * _fits(w, case.about_stems))
            for w in wanted
        ]
        if all(points):
            hit = SearchHit(
                kind="case", name=case.source, title=case.title, says=case.about, book=book.id
            )
            found.append((float(sum(points)), hit))
    return found


@cache
def _shipped() -> tuple[ShippedCase, ...]:
    """The shipped cases, read once for their words."""
    found = []
    for source, text in shipped_cases():
        head = tomllib.loads(_TABLE.split(text, maxsplit=1)[0])
        title, about = str(head.get("title", "")), " ".join(str(head.get("about", "")).split())
        found.append(
            ShippedCase(
                source=source,
                books=books_named(text),
                title=title,
                about=about,
                title_stems=frozenset(stems(title)),
                about_stems=frozenset(stems(about)),
            )
        )
    return tuple(found)
