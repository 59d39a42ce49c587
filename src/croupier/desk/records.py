"""The records of the ruling desk: what is kept of a question, and what is told of books."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from croupier.pit.question import Answer, Question

Status = Literal["open", "ruled", "decided", "abandoned"]
"""Something is open still; there is a ruling; it is known what was decided; left unfinished."""

Told = dict[str, str]
"""What is known, in words: what was asked, and what was said."""


class Before(Struct, frozen=True, kw_only=True):
    """What was decided in a like case."""

    id: str
    when: datetime
    who: str
    decided: str
    why: str
    as_ruled: bool | None
    facts: Told


class EntryNote(Struct, frozen=True, kw_only=True):
    """What somebody has noted to a question; it decides nothing."""

    when: datetime
    who: str
    says: str


class Entry(Struct, frozen=True, kw_only=True):
    """One question in the log."""

    id: str
    when: datetime
    who: str
    area: str
    book: str
    incident: str
    title: str
    question: Question
    answer: Answer
    told: Told
    status: Status
    decided: str = ""
    why: str = ""
    as_ruled: bool | None = None
    """Whether it was decided as the book rules; null as long as nobody has said."""
    decided_by: str = ""
    """Who said so, where the desk knows people by name."""
    before: tuple[Before, ...] = ()
    notes: tuple[EntryNote, ...] = ()
    barred: str = ""
    """Why whoever reads this may not write down what was decided; a note he may."""


class EntryLine(Struct, frozen=True, kw_only=True):
    """One question as a list shows it."""

    id: str
    when: datetime
    who: str
    area: str
    book: str
    incident: str
    title: str
    told: Told
    status: Status
    kind: str
    headline: str
    cites: tuple[str, ...]
    decided: str
    why: str
    as_ruled: bool | None
    decided_by: str = ""
    notes: tuple[EntryNote, ...] = ()
    number: int = 0
    """The number of its row in the log."""
    unreadable: str = ""
    """That the row is damaged; the rest is then as far as it could be read."""


class KeptAnswer(Struct, frozen=True, kw_only=True):
    """The answer to a question, and where it is kept."""

    id: str
    status: Status
    answer: Answer
    told: Told
    before: tuple[Before, ...]
    notes: tuple[EntryNote, ...] = ()
    barred: str = ""
    """Why whoever asks may not write down what was decided; a note he may."""


class Count(Struct, frozen=True, kw_only=True):
    """How often something came up."""

    name: str
    title: str
    book: str
    count: int


class Figures(Struct, frozen=True, kw_only=True):
    """What the log tells a manager; the commonest first."""

    entries: int
    by_status: dict[str, int]
    by_incident: tuple[Count, ...]
    by_book: tuple[Count, ...]
    by_area: tuple[Count, ...]
    by_hour: tuple[int, ...]
    """For each hour of the day, in the desk's local time."""
    discretion: tuple[Count, ...]
    """By the paragraph that leaves it to somebody's discretion."""
    otherwise: tuple[Count, ...]
    """Decided otherwise than ruled, by incident."""
    unreadable: int = 0
    """Rows that are damaged, which count nowhere else."""


# -- books ----------------------------------------------------------------------------------------


class PolicyChoice(Struct, frozen=True, kw_only=True):
    """A policy of the house: what it settles, what is usual, and what else there is."""

    name: str
    says: str
    value: str
    values: tuple[str, ...]


class BookLine(Struct, frozen=True, kw_only=True):
    """A book that can be asked."""

    id: str
    title: str
    short: str
    family: str
    word: str
    """What a place at its table is called: `seat` or `box`."""
    policies: tuple[PolicyChoice, ...]
    discretion: str = ""
    """The paragraph that leaves to somebody what the book does not say, if it has one."""


class GroupLine(Struct, frozen=True, kw_only=True):
    """Where a floor person looks for an incident."""

    name: str
    title: str


class FactLine(Struct, frozen=True, kw_only=True):
    """Something that may be told of an incident."""

    name: str
    ask: str
    kind: str


class IncidentLine(Struct, frozen=True, kw_only=True):
    """An incident that can come about under a book."""

    name: str
    group: str
    title: str
    words: str
    common: bool
    cites: tuple[str, ...]
    """The paragraph that usually decides it, if the usual facts lead to one."""
    facts: tuple[FactLine, ...]


class BookPage(Struct, frozen=True, kw_only=True):
    """A book with everything that can go wrong under it."""

    book: BookLine
    groups: tuple[GroupLine, ...]
    incidents: tuple[IncidentLine, ...]


class SettledReading(Struct, frozen=True, kw_only=True):
    """What was settled on a paragraph."""

    reading: str
    question: str
    answer: str


class ParagraphPage(Struct, frozen=True, kw_only=True):
    """A paragraph in our words, and in the approved ones where the operator has loaded them."""

    book: str
    id: str
    title: str
    says: str
    approved: str | None
    notes: tuple[SettledReading, ...]


class SearchHit(Struct, frozen=True, kw_only=True):
    """Something that the words point to."""

    kind: Literal["incident", "paragraph", "case"]
    name: str
    title: str
    says: str
    book: str


class CaseQuestion(Struct, frozen=True, kw_only=True):
    """A case file as a question."""

    source: str
    title: str
    about: str
    paragraphs: tuple[str, ...]
    question: Question
