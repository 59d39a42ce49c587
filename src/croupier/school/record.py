"""A trainee's record: what was asked and answered, and what follows from it.

Entries are only ever added. What somebody knows, at which level they stand and what comes again is
found by going through them, so that there is nothing beside them that could say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

import msgspec
from msgspec import Struct

from croupier.school.course import level_after
from croupier.school.exercise import SECONDS, Kind
from croupier.school.schedule import Memory, after, quality_of

LESSON = 5
"""Exercises of a lesson; what was wrong comes again until it is right."""
ANSWERS = 30
"""Answers of a lesson: after so many it ends, whatever is still wrong."""
EXAMINATION = 20
"""Exercises of an examination; each is asked once."""
PASSED_WITH = 0.8
"""The share of right answers with which an examination is passed."""


class Begun(Struct, frozen=True, kw_only=True, tag="begun"):
    """Somebody began a lesson, or an examination."""

    rulebook: str
    seed: str
    examination: bool = False
    clock: bool = False
    kinds: tuple[Kind, ...] = ()
    """Of these kinds; of all, if none is named."""
    level: int = 1
    """At which level the trainee stood."""

    @property
    def length(self) -> int:
        return EXAMINATION if self.examination else LESSON


class Put(Struct, frozen=True, kw_only=True, tag="asked"):
    """An exercise was put to them; with its seed it can be made again."""

    item: str
    kind: Kind
    level: int
    seed: str
    again: bool = False
    """Whether it was answered wrong before in this lesson."""


class Answered(Struct, frozen=True, kw_only=True, tag="answered"):
    """What was answered to the exercise that was put last, and whether it was right."""

    item: str
    kind: Kind
    level: int
    rulebook: str
    title: str
    chosen: tuple[int | None, ...]
    right: bool
    seconds: float
    looked_up: bool = False
    late: bool = False
    again: bool = False
    says: str = ""
    """The right answer in words."""
    cites: tuple[str, ...] = ()
    case: str = ""

    @property
    def quality(self) -> int:
        """How well it was answered, from 0 to 5."""
        limit = SECONDS[self.kind]
        return quality_of(
            right=self.right, looked_up=self.looked_up, seconds=self.seconds, limit=limit
        )


Entry = Begun | Put | Answered
read_entry = msgspec.json.Decoder(Entry).decode
write_entry = msgspec.json.Encoder().encode


class Kept(Struct, frozen=True, kw_only=True):
    """An entry with whose it is, of which lesson, and when."""

    trainee: str
    lesson: str
    at: datetime
    entry: Entry


class LessonSoFar(Struct, kw_only=True):
    """One lesson as far as it has gone."""

    lesson: str
    trainee: str
    at: datetime
    begun: Begun
    put: list[tuple[datetime, Put]] = []
    answered: list[tuple[datetime, Answered]] = []

    @property
    def pending(self) -> Put | None:
        """The exercise that waits for an answer."""
        return self.put[-1][1] if len(self.put) > len(self.answered) else None

    @property
    def first_answers(self) -> list[Answered]:
        """The first answer to each exercise: what counts for the score."""
        return [one for _, one in self.answered if not one.again]

    @property
    def still_wrong(self) -> list[Answered]:
        """What was not answered right yet, by its first answer; the oldest first: it comes
        again."""
        first = self.first_answers
        return [first[number] for number in self._left_wrong()]

    def answers_to_each(self) -> list[int]:
        """How many answers each exercise took until now."""
        counts: list[int] = []
        self._left_wrong(counts)
        return counts

    def _left_wrong(self, counts: list[int] | None = None) -> list[int]:
        """The exercises that wait to be asked again, by number. What comes again is always the one
        that has waited longest."""
        counts = [] if counts is None else counts
        waiting: list[int] = []
        for _, one in self.answered:
            if one.again:
                number = waiting.pop(0)
                counts[number] += 1
            else:
                number = len(counts)
                counts.append(1)
            if not one.right:
                waiting.append(number)
        return waiting

    @property
    def score(self) -> int:
        """How many were right at the first answer."""
        return sum(one.right for one in self.first_answers)

    @property
    def over(self) -> bool:
        """Whether everything was asked, and in a lesson answered right in the end, or too often
        wrong."""
        if len(self.first_answers) < self.begun.length:
            return False
        if self.begun.examination:
            return True
        return not self.still_wrong or len(self.answered) >= ANSWERS

    @property
    def passed(self) -> bool:
        """Whether it is over and was passed: a lesson with everything right in the end, an
        examination with four fifths right."""
        if not self.over:
            return False
        if self.begun.examination:
            return self.score >= PASSED_WITH * self.begun.length
        return not self.still_wrong


class Standing(Struct, kw_only=True):
    """What somebody has done and knows under one book."""

    rulebook: str
    asked: int = 0
    right: int = 0
    streak: int = 0
    """Right answers since the last wrong one."""
    best_streak: int = 0
    level: int = 1
    known: dict[str, Memory] = {}
    by_kind: dict[Kind, tuple[int, int]] = {}
    """How many were right of how many, by kind."""
    last: datetime | None = None

    def due(self, now: datetime) -> int:
        """How many items come again by now."""
        return sum(memory.is_due(now) for memory in self.known.values())


def lessons_of(kept: Iterable[Kept]) -> dict[str, LessonSoFar]:
    """The lessons of these entries, in the order in which they were begun."""
    found: dict[str, LessonSoFar] = {}
    for one in kept:
        match one.entry:
            case Begun():
                found[one.lesson] = LessonSoFar(
                    lesson=one.lesson, trainee=one.trainee, at=one.at, begun=one.entry
                )
            case Put():
                found[one.lesson].put.append((one.at, one.entry))
            case Answered():
                found[one.lesson].answered.append((one.at, one.entry))
    return found


def standing_of(rulebook: str, kept: Iterable[Kept]) -> Standing:
    """Where one trainee stands under a book, by the entries of that trainee."""
    standing = Standing(rulebook=rulebook)
    history: list[tuple[int, bool]] = []
    for one in kept:
        entry = one.entry
        if not isinstance(entry, Answered) or entry.rulebook != rulebook:
            continue
        history.append((entry.level, entry.right))
        _count(standing, entry, one.at)
    standing.level = level_after(history)
    return standing


def _count(standing: Standing, entry: Answered, at: datetime) -> None:
    standing.asked += 1
    standing.right += entry.right
    standing.streak = standing.streak + 1 if entry.right else 0
    standing.best_streak = max(standing.best_streak, standing.streak)
    right, asked = standing.by_kind.get(entry.kind, (0, 0))
    standing.by_kind[entry.kind] = (right + entry.right, asked + 1)
    before = standing.known.get(entry.item, Memory())
    standing.known[entry.item] = after(before, entry.quality, at)
    standing.last = at


def by_trainee(kept: Iterable[Kept]) -> Mapping[str, list[Kept]]:
    """Entries by whose they are."""
    found: dict[str, list[Kept]] = {}
    for one in kept:
        found.setdefault(one.trainee, []).append(one)
    return found
