"""A rulebook in memory: paragraphs, topics, procedures, parameters, policies, notes, pay tables.

Nothing here decides anything about a game. It answers which paragraph says so, which way this
version does it, and how much it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct, field

from croupier.cards import Category
from croupier.rulebooks.errors import (
    NoEffectiveTime,
    NotInThisBook,
    RulebookError,
    UnknownParagraph,
    UnknownPolicy,
    UnknownPolicyValue,
)
from croupier.rulebooks.paytable import PayTable

Family = Literal["poker", "banked", "test"]
Executable = Literal["engine", "ruling", "staff", "physical"]
Kind = Literal[
    "setup",
    "definition",
    "dealing",
    "action",
    "betting",
    "decision",
    "comparison",
    "showdown",
    "settlement",
    "jackpot",
    "seating",
    "conduct",
    "irregularity",
    "discretion",
]
Unit = Literal["count", "multiple", "share", "money", "category", "names"]
ParameterValue = int | Fraction | Category | tuple[str, ...]


class Paragraph(Struct, frozen=True, kw_only=True):
    """One paragraph in our own words, with who makes it happen and how it is checked."""

    id: str
    title: str
    kind: Kind
    section: str
    summary: str
    executable: Executable
    test: str

    @property
    def is_executable(self) -> bool:
        """Whether software or staff at the table carry it out, and a case must show it."""
        return self.executable != "physical"


class Procedure(Struct, frozen=True, kw_only=True):
    """The way that this book chooses where versions differ."""

    name: str
    value: str
    paragraphs: tuple[str, ...]


class Parameter(Struct, frozen=True, kw_only=True):
    """A number (or name) that the text fixes. Money is cents, a share is an exact fraction."""

    name: str
    unit: Unit
    value: ParameterValue
    paragraphs: tuple[str, ...]

    @property
    def text(self) -> str:
        """The value as a person writes it."""
        value = self.value
        if self.unit == "money" and isinstance(value, int):
            return f"{value // 100:,}.{value % 100:02d}"
        if self.unit == "multiple":
            return f"{value} x"
        if isinstance(value, Fraction):
            percent = value * 100
            return f"{percent}%" if percent.denominator == 1 else str(value)
        return ", ".join(value) if isinstance(value, tuple) else str(value)


class Policy(Struct, frozen=True, kw_only=True):
    """A reading that names an alternative: the operator chooses, the round records the choice."""

    name: str
    reading: str
    paragraphs: tuple[str, ...]
    question: str
    answer: str
    values: dict[str, str]
    default: str


class Note(Struct, frozen=True, kw_only=True):
    """A reading that names no alternative, cited with its paragraphs."""

    reading: str
    paragraphs: tuple[str, ...]
    question: str
    answer: str


class Rulebook(Struct, frozen=True, kw_only=True):
    """One approved version of one game.

    `unchanged` names the paragraphs that the superseding book states in other words to the same
    effect, with their ids there. A book that is `based_on` an earlier one tells in `carried` which
    of its paragraphs each earlier one has become; those that it states itself are its `own`.
    """

    id: str
    title: str
    short: str
    version: int
    family: Family
    operator: str
    regulator: str
    sections: Mapping[str, str]
    paragraphs: Mapping[str, Paragraph]
    topics: Mapping[str, tuple[str, ...]]
    lacks: frozenset[str]
    procedures: Mapping[str, Procedure]
    parameters: Mapping[str, Parameter]
    policies: Mapping[str, Policy]
    notes: tuple[Note, ...]
    pays: Mapping[str, PayTable]
    unchanged: Mapping[str, str]
    carried: Mapping[str, str] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    based_on: str | None = None
    effective: datetime | None = None
    effective_note: str | None = None
    superseded_by: str | None = None
    superseded_at: datetime | None = None

    def __deepcopy__(self, memo: object) -> Rulebook:
        """A book never changes, so its copy is itself."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the plain contents; the read-only views are made again on the other side."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return _revive, ({k: dict(v) if k in _VIEWS else v for k, v in fields.items()},)

    # -- citing -----------------------------------------------------------------------------

    def cite(self, topic: str) -> tuple[str, ...]:
        """The paragraphs that state `topic` here: the operative one first, then what it rests on.

        Raises NotInThisBook where the game does not have such a thing.
        """
        try:
            return self.topics[topic]
        except KeyError:
            # A topic that the game lacks is no slip of the pen, so nothing is suggested for it.
            known = () if topic in self.lacks else self.topics
            raise NotInThisBook(self.id, "topic", str(topic), known) from None

    def has(self, topic: str) -> bool:
        """Whether this game has `topic` at all."""
        return topic in self.topics

    def topics_of(self, paragraph: str) -> tuple[str, ...]:
        """The topics that cite `paragraph`, those first of which it is the operative one."""
        citing = [name for name, ids in self.topics.items() if paragraph in ids]
        return tuple(sorted(citing, key=lambda name: self.topics[name][0] != paragraph))

    # -- paragraphs -------------------------------------------------------------------------

    def paragraph(self, id: str) -> Paragraph:
        """The paragraph of that id."""
        try:
            return self.paragraphs[id]
        except KeyError:
            raise UnknownParagraph(self.id, id, self.paragraphs) from None

    @property
    def executable(self) -> tuple[str, ...]:
        """The ids of the paragraphs that cases must show (engine, ruling or staff)."""
        return tuple(p.id for p in self.paragraphs.values() if p.is_executable)

    def notes_for(self, paragraph: str) -> tuple[Note, ...]:
        """The notes that bite at `paragraph`."""
        return tuple(note for note in self.notes if paragraph in note.paragraphs)

    def policies_for(self, paragraph: str) -> tuple[Policy, ...]:
        """The policies that bite at `paragraph`."""
        return tuple(p for p in self.policies.values() if paragraph in p.paragraphs)

    # -- what versions do differently -------------------------------------------------------

    def procedure(self, name: str) -> str:
        """The way in which this book does `name`."""
        try:
            return self.procedures[name].value
        except KeyError:
            raise NotInThisBook(self.id, "procedure", name, self.procedures) from None

    def parameter(self, name: str) -> ParameterValue:
        """The value that the text fixes for `name`; see also `number` and `share`."""
        try:
            return self.parameters[name].value
        except KeyError:
            raise NotInThisBook(self.id, "parameter", name, self.parameters) from None

    def number(self, name: str) -> int:
        """A count, a multiple, or money in cents."""
        value = self.parameter(name)
        if not isinstance(value, int):
            raise NotInThisBook(self.id, "whole-number parameter", name, ())
        return value

    def share(self, name: str) -> Fraction:
        """A percentage as an exact fraction."""
        value = self.parameter(name)
        if not isinstance(value, Fraction):
            raise NotInThisBook(self.id, "share parameter", name, ())
        return value

    def category(self, name: str) -> Category:
        """A hand category."""
        value = self.parameter(name)
        if not isinstance(value, Category):
            raise NotInThisBook(self.id, "category parameter", name, ())
        return value

    def names(self, name: str) -> tuple[str, ...]:
        """Several names."""
        value = self.parameter(name)
        if not isinstance(value, tuple):
            raise NotInThisBook(self.id, "parameter of names", name, ())
        return value

    def policy(self, name: str) -> Policy:
        """The policy of that name."""
        try:
            return self.policies[name]
        except KeyError:
            raise UnknownPolicy(self.id, name, self.policies) from None

    def policies_with(self, overrides: Mapping[str, str]) -> dict[str, str]:
        """Every policy with its value for a round record: the defaults, but for `overrides`."""
        for name, value in overrides.items():
            policy = self.policy(name)
            if value not in policy.values:
                raise UnknownPolicyValue(self.id, name, value, policy.values)
        return {name: overrides.get(name, p.default) for name, p in self.policies.items()}

    def pay(self, table: str) -> PayTable:
        """The pay table of that id: main, bonus or progressive."""
        try:
            return self.pays[table]
        except KeyError:
            raise NotInThisBook(self.id, "pay table", table, self.pays) from None

    # -- when -------------------------------------------------------------------------------

    def begun(self, at: datetime, *, stated: datetime | None = None) -> bool:
        """Whether the book has come into force by `at`.

        A book whose text gives no time begins when the operator has `stated`; a book whose text
        gives one cannot be moved by stating another.
        """
        start = self.effective or stated
        if start is None:
            raise NoEffectiveTime(self.id)
        return _aware(at) >= _aware(start)

    def superseded(self, at: datetime) -> bool:
        """Whether a later version has replaced this one by `at`."""
        return self.superseded_at is not None and _aware(at) >= self.superseded_at

    def in_force(self, at: datetime, *, stated: datetime | None = None) -> bool:
        """Whether a round whose opening call is at `at` is played under this book."""
        return self.begun(at, stated=stated) and not self.superseded(at)


_VIEWS = frozenset(
    (
        "sections",
        "paragraphs",
        "topics",
        "procedures",
        "parameters",
        "policies",
        "pays",
        "unchanged",
        "carried",
    )
)


def _revive(fields: dict[str, Any]) -> Rulebook:
    views: dict[str, Any] = {name: MappingProxyType(fields[name]) for name in _VIEWS}
    return Rulebook(**fields | views)


def _aware(at: datetime) -> datetime:
    if at.tzinfo is None:
        raise RulebookError(f"{at} has no time zone; a book is in force from an exact moment")
    return at
