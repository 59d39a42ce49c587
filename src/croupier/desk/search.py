"""A few words to what they point to: incidents, paragraphs, shipped cases; the likeliest first."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import islice, pairwise
from math import log

from msgspec import Struct

from croupier.desk.book_pages import book_of, facts_of, incidents
from croupier.desk.records import SearchHit
from croupier.pit import shipped_cases
from croupier.pit.incidents import Incident
from croupier.rulebooks import Rulebook
from croupier.rulebooks.search import begins, holds, in_lines, stems
from croupier.rulebooks.search import search as search_paragraphs
from croupier.rulebooks.several import books_named

HITS_AT_MOST = 30
WORDS_AT_MOST = 20
READ_AT_ONCE = 50

_TITLE, _WORDS, _FACTS = 20.0, 15.0, 7.0
"""What a word says of an incident whose title, other words (or name) or facts have it, times how
rare it is among the incidents of the book: a paragraph has at most 24 for a word of its title, and
more only for its number, so what can be asked comes first."""
_SIDE_BY_SIDE = 12.0
"""What two words say that stand side by side there as they were typed."""
_AS_TYPED = 40.0
"""What it says that the words of an incident have all that was typed, in that order."""
_COMMON = 8.0
"""What it says that an incident belongs to the commonest."""
_WHOLE = 150.0
"""What it says that an incident has all of the words: it can be asked, a paragraph only read."""
_CASE_TITLE, _CASE_ABOUT = 8, 3
_TYPED_AT_LEAST = 3
_TELLING_AT_LEAST = 4


_TABLE = re.compile(r"^\[", re.MULTILINE)
"""Where the head of a case file ends: to read a thousand of them whole takes seconds."""


class ShippedCase(Struct, frozen=True, kw_only=True):
    """What is searched of a case."""

    source: str
    books: tuple[str, ...]
    title: str
    about: str
    title_lines: str
    about_lines: str


class _Findable(Struct, frozen=True, kw_only=True):
    """What is searched of an incident, in stems."""

    hit: SearchHit
    common: bool
    title: tuple[str, ...]
    title_lines: str
    words: tuple[str, ...]
    words_lines: str
    facts_lines: str


def search(words: str, book: Rulebook) -> list[SearchHit]:
    """What the words point to under a book, best first; incidents first where equal.

    Incidents need not have all of the words: whoever is called to a table types as he speaks.
    """
    typed = list(dict.fromkeys(stems(words)))[:WORDS_AT_MOST]
    if not typed:
        return []
    found = [
        *_incidents(list(dict.fromkeys(meant(words)))[:WORDS_AT_MOST], book),
        *_paragraphs(typed, book),
        *_cases(typed, book),
    ] or _paragraphs_but_for_one(typed, book)
    return [hit for _, hit in sorted(found, key=lambda one: -one[0])][:HITS_AT_MOST]


# -- incidents ------------------------------------------------------------------------------------

_PASSED_OVER = frozenset(
    stem
    for word in (
        "a an the of is was were are be been has had have and or to in on at by for from it its i "
        "this that there then with his her their he she they him them my we you what who when if "
        "do does did got get only guy somebody someone anybody player players person patron"
    ).split()
    for stem in stems(word)
)
"""What every floor person types and no incident is told by."""

_NUMBERS = dict(
    zip("1 2 3 4 5 6 7".split(), "one two three four five six seven".split(), strict=True)
)

_AS_ONE = (
    "exposed flashed flash exposing expose faceup seen visible",
    "show shown showed shows showing",
    "fail failed fails failure failing broken broke malfunction defective faulty fault outage",
    "burn burnt burned burns burning",
    "forgot forgotten forgets missing missed",
    "deal dealt dealing deals gave given gives",
    "jackpot progressive prog",
    "device sensor machine",
    "misdeal misdealt",
    "skip skipped skips jumped bypassed",
    "leave leaves left leaving walked walks walk gone",
    "pay paid pays payment payout paying",
    "refuse refuses refused refusing wont",
    "say said saying announced announces declared declares declare verbal verbally words",
    "raise raised raises reraise",
    "bet bets betting wager",
    "call called calls calling",
    "fold folded folds folding mucked muck mucks",
    "check checked checks tapped tap",
    "shuffle shuffled unshuffled",
    "allin shove shoved jam",
    "early premature prematurely soon",
    "late later afterwards",
    "wrong incorrect incorrectly mistake error wrongly",
    "many extra surplus additional",
    "few short less",
    "deck pack",
    "blind blinds",
    "split chop tie tied",
    "winner wins won win",
    "look looked looks peeked peek examined",
    "power electricity blackout",
)
"""Words that a floor person uses for each other."""

_SAME = {
    stem: stems(group.split()[0])[0]
    for group in _AS_ONE
    for word in group.split()
    for stem in stems(word)[:1]
}


def meant(text: str) -> list[str]:
    """The words of a text as they count for incidents: without what says nothing, numbers in
    words, and one word for all that are used for each other."""
    plain = text.lower().replace("all-in", "allin").replace("all in", "allin")
    plain = plain.replace("face up", "faceup").replace("-", " ")
    found = (_NUMBERS.get(stem, stem) for stem in stems(plain))
    return [_SAME.get(stem, stem) for stem in found if stem not in _PASSED_OVER]


def _incidents(wanted: list[str], book: Rulebook) -> list[tuple[float, SearchHit]]:
    known, rarity = _findable(book.id)
    found = []
    for one in known:
        points = [_points(word, one) * rarity(word) for word in wanted]
        hits = sum(point > 0 for point in points)
        if not hits or 2 * hits < len(wanted):
            continue
        beside = sum(
            pair in pairwise(there) for pair in pairwise(wanted) for there in (one.title, one.words)
        )
        # All of the words say more than some of them.
        score = sum(points) * (hits / len(wanted)) ** 2 + _SIDE_BY_SIDE * beside
        score += _COMMON * one.common + _WHOLE * (hits == len(wanted))
        score += _AS_TYPED * _holds(one.words, wanted)
        found.append((score, one.hit))
    return found


def _holds(words: tuple[str, ...], wanted: list[str]) -> bool:
    """Whether all that is wanted stands there side by side."""
    size = len(wanted)
    starts = range(len(words) - size + 1)
    return size >= _TYPED_AT_LEAST and any(words[at : at + size] == tuple(wanted) for at in starts)


def _points(word: str, one: _Findable) -> float:
    return max(
        _TITLE * _fits(word, one.title_lines),
        _WORDS * _fits(word, one.words_lines),
        _FACTS * _fits(word, one.facts_lines),
    )


def _fits(word: str, there: str) -> float:
    if holds(there, word):
        return 1.0
    return 0.5 if len(word) >= 3 and begins(there, word) else 0.0


@cache
def _findable(book_id: str) -> tuple[list[_Findable], Callable[[str], float]]:
    """The incidents of a book for the search, and how rare each word is among them."""
    book = book_of(book_id)
    known = [_made_findable(incident, book) for incident in incidents(book)]
    used = Counter(word for one in known for word in {*one.title, *one.words})
    most = log(1 + len(known))

    def rarity(word: str) -> float:
        return 0.4 + log(1 + len(known) / used[word]) / most if used[word] else 1.0

    return known, rarity


def _made_findable(incident: Incident, book: Rulebook) -> _Findable:
    facts = facts_of(book, incident.name)
    told = " ".join(f"{f.ask} {' '.join(v.says for v in f.value)}" for f in facts)
    title, words = meant(incident.title), meant(f"{incident.words} {incident.name}")
    return _Findable(
        hit=SearchHit(
            kind="incident",
            name=incident.name,
            title=incident.title,
            says=incident.words,
            book=book.id,
        ),
        common=incident.common,
        title=tuple(title),
        title_lines=in_lines(title),
        words=tuple(words),
        words_lines=in_lines(words),
        facts_lines=in_lines(meant(told)),
    )


# -- paragraphs and cases -------------------------------------------------------------------------


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


def _paragraphs_but_for_one(typed: list[str], book: Rulebook) -> list[tuple[float, SearchHit]]:
    """Where nothing has all of the words: paragraphs that have all but one of at least four. What
    a floor calls a cap is a maximum in the book."""
    telling = [word for word in typed if word not in _PASSED_OVER]
    if len(telling) < _TELLING_AT_LEAST:
        return []
    found: dict[str, tuple[float, SearchHit]] = {}
    for left_out in telling:
        for score, hit in _paragraphs([word for word in telling if word != left_out], book):
            if hit.name not in found or found[hit.name][0] < score:
                found[hit.name] = (score, hit)
    return list(found.values())


def _cases(wanted: list[str], book: Rulebook) -> list[tuple[float, SearchHit]]:
    found = []
    for case in _shipped():
        if book.id not in case.books:
            continue
        points = [
            max(_CASE_TITLE * _fits(w, case.title_lines), _CASE_ABOUT * _fits(w, case.about_lines))
            for w in wanted
        ]
        if all(points):
            hit = SearchHit(
                kind="case", name=case.source, title=case.title, says=case.about, book=book.id
            )
            found.append((float(sum(points)), hit))
    return found


def read_cases() -> Iterator[Callable[[], object]]:
    """Read the cases for their words before anybody searches, in small parts."""
    sources, before = shipped_cases(), -1
    while len(_cases_read) > before:
        before = len(_cases_read)
        yield partial(_read, islice(sources, READ_AT_ONCE))
    yield _shipped


@cache
def _shipped() -> tuple[ShippedCase, ...]:
    """The shipped cases, read once for their words."""
    return _read(shipped_cases())


_cases_read: dict[str, ShippedCase] = {}


def _read(sources: Iterable[tuple[str, str]]) -> tuple[ShippedCase, ...]:
    return tuple(_cases_read.get(source) or _read_case(source, text) for source, text in sources)


def _read_case(source: str, text: str) -> ShippedCase:
    head = tomllib.loads(_TABLE.split(text, maxsplit=1)[0])
    title, about = str(head.get("title", "")), " ".join(str(head.get("about", "")).split())
    _cases_read[source] = ShippedCase(
        source=source,
        books=books_named(text),
        title=title,
        about=about,
        title_lines=in_lines(stems(title)),
        about_lines=in_lines(stems(about)),
    )
    return _cases_read[source]
