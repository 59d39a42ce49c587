"""What the dealer school sends and takes over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from croupier.pit.replay import Replay
from croupier.school import ExerciseAsked, Kind, Marked


class KindLine(Struct, frozen=True, kw_only=True):
    """A kind of exercise under a book, and how somebody fared with it."""

    kind: Kind
    called: str
    right: int
    asked: int


class SchoolBookLine(Struct, frozen=True, kw_only=True):
    """A book to learn, and where somebody stands in it."""

    rulebook: str
    title: str
    level: int
    levels: int
    asked: int
    right: int
    streak: int
    best_streak: int
    known: int
    """Items that were answered right when they were last asked."""
    items: int
    due: int
    """Items that come again by now."""
    kinds: tuple[KindLine, ...]
    last: datetime | None


class LessonLine(Struct, frozen=True, kw_only=True):
    """A lesson as a list shows it."""

    lesson: str
    rulebook: str
    title: str
    at: datetime
    examination: bool
    clock: bool
    asked: int
    length: int
    score: int
    """How many were right at the first answer."""
    over: bool
    passed: bool


class SchoolPage(Struct, frozen=True, kw_only=True):
    """What somebody finds at school."""

    trainee: str | None
    books: tuple[SchoolBookLine, ...]
    lessons: tuple[LessonLine, ...]
    """The last ones, the newest first."""
    supervises: bool
    """Whether the table of all trainees is open to them."""


class BeginBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Begin a lesson, or an examination, which is always against the clock."""

    rulebook: Annotated[str, Meta(max_length=64)]
    examination: bool = False
    clock: bool = False
    kinds: Annotated[tuple[Kind, ...], Meta(max_length=10)] = ()


class LessonNow(Struct, frozen=True, kw_only=True):
    """A lesson as it stands: the exercise that waits, or nothing more if it is over."""

    line: LessonLine
    number: int
    """Which exercise of the lesson it is, counted from 1; what comes again counts too."""
    again: bool
    """Whether it was wrong before in this lesson."""
    exercise: ExerciseAsked | None
    table: Replay | None
    """The table of the exercise, as a dealer sees it, until the question is put."""
    seconds_left: float | None
    """Against the clock."""


class SchoolAnswerBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer: for each question the number of a choice, counted from 0, or null."""

    number: int
    """Which exercise of the lesson is answered."""
    chosen: Annotated[tuple[int | None, ...], Meta(max_length=10)]
    looked_up: bool = False


class SchoolMarked(Struct, frozen=True, kw_only=True):
    """What came of an answer, and where one stands then."""

    marked: Marked
    case_title: str
    line: LessonLine
    book: SchoolBookLine
    level_up: bool


class AskedLine(Struct, frozen=True, kw_only=True):
    """Something that was asked in a lesson, and how it went."""

    called: str
    title: str
    says: str
    """The right answer."""
    cites: tuple[str, ...]
    right: bool
    """At the first answer."""
    answers: int
    """How many it took."""
    seconds: float
    looked_up: bool


class Certificate(Struct, frozen=True, kw_only=True):
    """What was asked in a lesson that is over, to be printed."""

    trainee: str
    line: LessonLine
    ended: datetime
    asked: tuple[AskedLine, ...]
    version: str


class TraineeLine(Struct, frozen=True, kw_only=True):
    """What one trainee knows under each book that they have begun."""

    trainee: str
    books: tuple[SchoolBookLine, ...]
    examinations: tuple[LessonLine, ...]
    """Those that are over, the newest first."""


class Trainees(Struct, frozen=True, kw_only=True):
    """Who knows what, for whoever supervises."""

    trainees: tuple[TraineeLine, ...]
