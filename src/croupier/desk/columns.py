"""Approved texts that a machine has read from pages: the numbers of a page stand in a column, the
paragraphs below it.

A number is known, and the order of the book; where its paragraph begins is not. It begins where a
sentence does, after the paragraph before it and before the one after it. Where more sentences begin
than there are numbers, the words that each shares with our own summary decide, all together; a
paragraph that might as well begin elsewhere is left out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from msgspec import Struct

from croupier.rulebooks import Rulebook
from croupier.rulebooks.search import stems

SURE = 0.03
"""By so much must a way be better than another, in the cosine of the angle between two texts."""

_ALONE = re.compile(r"\**(\d+(?:\.\d+)*)\.?\**")
_DIGITS = re.compile(r"\d{1,2}\.?")
_ENDS = re.compile(r"[.;:?!][\"'\u201d\u2019)]*(?:\s+(?:or|and))?$|\)$|,$", re.IGNORECASE)
_LETTER = re.compile(r"\(?[a-zA-H][.)]\s")
_FULL_STOP = re.compile(r"[.:][\"'\u201d\u2019)]*$")


def column_numbers(lines: Sequence[str], book: Rulebook) -> dict[int, str]:
    """The lines on which nothing but the number of a paragraph stands, and which one it is.

    A machine loses points (`57.1`, `11`): such a number is known by the one beside it.
    """
    alone = [
        (n, told[1]) for n, line in enumerate(lines) if (told := _ALONE.fullmatch(line.strip()))
    ]
    order = [id for id in book.paragraphs if id.replace(".", "").isdigit()]
    place = {id: n for n, id in enumerate(order)}
    found = {n: text for n, text in alone if text in place}
    runs = dict(alone)
    for n, text in alone:
        if n in found:
            continue
        meant = [id for id in order if id.replace(".", "") == text.replace(".", "")]
        near = [found.get(other) for other in (_beside(n, runs, -1), _beside(n, runs, 1))]
        for id in meant:
            here = place[id]
            neighbours = {order[at] for at in (here - 1, here + 1) if 0 <= at < len(order)}
            brothers = {other for other in place if _next_brother(id) == other}
            if any(one in neighbours | brothers for one in near if one):
                found[n] = id
    return found


def _next_brother(id: str) -> str:
    """5.7.2 after 5.7.1."""
    head, _, last = id.rpartition(".")
    return f"{head}.{int(last) + 1}"


def _beside(line: int, runs: Mapping[int, str], step: int) -> int:
    """The number that stands next in the same column; blank lines may lie between."""
    for far in range(1, 4):
        if line + step * far in runs:
            return line + step * far
    return -1


def is_page_number(line: str) -> bool:
    """Whether a line is the number of a page, or of a chapter, alone."""
    return _DIGITS.fullmatch(line.strip()) is not None


def beginnings(lines: Sequence[str], left_out: frozenset[int]) -> list[int]:
    """The lines on which a paragraph may begin: the line before has ended one, or is none, or a
    capital stands after a blank line."""
    found: list[int] = []
    before, gap = "", True
    for number, line in enumerate(lines):
        if number in left_out:
            before, gap = "", True
            continue
        text = line.strip()
        if not text:
            gap = True
            continue
        capital = text[:1].isupper()
        after_gap = gap and (not before or capital or _ENDS.search(before) is not None)
        within = capital and _FULL_STOP.search(before) is not None
        if (after_gap or within) and _LETTER.match(text) is None:
            found.append(number)
        before, gap = text, False
    return found


class Likeness:
    """How much texts resemble what our summaries say of paragraphs."""

    def __init__(self, book: Rulebook) -> None:
        ours = {p.id: Counter(stems(f"{p.title} {p.summary}")) for p in book.paragraphs.values()}
        spread = Counter(word for words in ours.values() for word in words)
        self._weight = {w: math.log(len(ours) / n) + 0.1 for w, n in spread.items()}
        self._ours = {id: self._scaled(words) for id, words in ours.items()}

    def shared(self, id: str, words: Counter[str]) -> float:
        """What a text has in common with a paragraph; that of two texts is the sum of both."""
        ours = self._ours[id]
        return sum(ours[w] * n * self._weight[w] for w, n in words.items() if w in ours)

    def length(self, words: Counter[str]) -> float:
        """How much a text says at all."""
        return math.sqrt(sum((n * self._weight.get(w, 1.0)) ** 2 for w, n in words.items())) or 1.0

    def _scaled(self, words: Counter[str]) -> dict[str, float]:
        whole = self.length(words)
        return {w: n * self._weight[w] / whole for w, n in words.items()}


class Stretch(Struct, frozen=True, kw_only=True):
    """What stands between two paragraphs whose numbers stand before them."""

    before: str
    """The paragraph that begins the stretch; none at the beginning of the text."""
    wanted: tuple[str, ...]
    """The paragraphs whose numbers stand in columns, in the order of the book."""
    not_before: Mapping[str, int]
    """The line of each number: its paragraph comes later."""
    lines: tuple[int, ...]
    """Where something may begin; `before` begins on the first of them, if there is one."""
    texts: Mapping[int, str]
    """What stands from each of these lines to the next."""


def placed(stretch: Stretch, likeness: Likeness) -> dict[int, str]:
    """On which line each of the paragraphs begins; where it is not sure which one, no name."""
    if not stretch.wanted:
        return {}
    free = stretch.lines[bool(stretch.before) :]
    ways = _Ways(stretch, likeness)
    if not ways.starts:  # there is no room for them
        return dict.fromkeys(free[:1], "")
    only_way = len(free) == len(stretch.wanted)
    found: dict[int, str] = {}
    for number, (at, id) in enumerate(zip(ways.starts, stretch.wanted, strict=True), 1):
        sure = only_way or ways.lead(number, at) >= SURE
        found[stretch.lines[at]] = id if sure else ""
    return found


class _Ways:
    """All ways in which paragraphs may follow each other in a stretch, and the best of them: that
    in which all together resemble our summaries most."""

    def __init__(self, stretch: Stretch, likeness: Likeness) -> None:
        self._stretch = stretch
        self._whose = (stretch.before, *stretch.wanted)
        self._end = len(stretch.lines)
        words = [Counter(stems(stretch.texts[line])) for line in stretch.lines]
        self._shared = [
            [0.0, *accumulate(likeness.shared(id, each) if id else 0.0 for each in words)]
            for id in self._whose
        ]
        self._lengths = [[*map(likeness.length, accumulate(words[at:]))] for at in range(self._end)]
        self._upto = self._from_the_first()
        self._from, then = self._from_the_last()
        self.starts: list[int] = []
        """Where each begins in the best way; nothing if there is no room for them."""
        if self._from[0][0] > -math.inf:
            at = 0
            for step in then[:-1]:
                at = step[at]
                self.starts.append(at)

    def lead(self, number: int, at: int) -> float:
        """By how much the best way is better than all in which this paragraph begins elsewhere."""
        scores = [u + f for u, f in zip(self._upto[number], self._from[number], strict=True)]
        return scores[at] - max((s for n, s in enumerate(scores) if n != at), default=-math.inf)

    def _own(self, number: int, at: int, end: int) -> float:
        """How much what stands there resembles a paragraph, from 0 to 1."""
        if end == at:
            return 0.0
        shared = self._shared[number]
        return (shared[end] - shared[at]) / self._lengths[at][end - at - 1]

    def _may_begin(self, number: int, at: int) -> bool:
        if number == 0:
            return at == 0
        id = self._whose[number]
        return at < self._end and self._stretch.lines[at] > self._stretch.not_before[id]

    def _ends(self, number: int, at: int) -> range:
        """Where one that begins here may end; only what stands before everything may be empty."""
        return range(at + bool(self._whose[number]), self._end + 1)

    def _from_the_first(self) -> list[list[float]]:
        """The most that those before each paragraph can have, by where it begins."""
        rows = [[0.0, *[-math.inf] * self._end]]
        for number in range(len(self._whose) - 1):
            row = [-math.inf] * (self._end + 1)
            for at, score in enumerate(rows[-1]):
                if score > -math.inf:
                    for end in self._ends(number, at):
                        if self._may_begin(number + 1, end):
                            row[end] = max(row[end], score + self._own(number, at, end))
            rows.append(row)
        return rows

    def _from_the_last(self) -> tuple[list[list[float]], list[list[int]]]:
        """The most that each paragraph and those after it can have, and where the next begins."""
        rows, then = [[*[-math.inf] * self._end, 0.0]], list[list[int]]()
        for number in reversed(range(len(self._whose))):
            row, step = [-math.inf] * (self._end + 1), [-1] * (self._end + 1)
            for at in range(self._end + 1):
                for end in self._ends(number, at) if self._may_begin(number, at) else ():
                    if rows[0][end] > -math.inf:
                        score = self._own(number, at, end) + rows[0][end]
                        if score > row[at]:
                            row[at], step[at] = score, end
            rows.insert(0, row)
            then.insert(0, step)
        return rows, then
