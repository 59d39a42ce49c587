"""The shape of a rulebook file, as msgspec decodes it. What may stand where, and nothing else.

The loader turns this into a `Rulebook` and makes the checks that a shape cannot express.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.rulebooks.model import Executable, Kind, Unit
from croupier.rulebooks.paytable import BetWins, HoleCards, JackpotHand


class HeadFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[rulebook]`"""

    id: str
    title: str
    short: str
    version: int
    family: str
    operator: str
    regulator: str
    effective: datetime | None = None
    effective_note: str | None = None
    superseded_by: str | None = None
    superseded_at: datetime | None = None


class ChosenFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `[procedures]`"""

    value: str
    paragraphs: tuple[str, ...]


class FixedFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `[parameters]`"""

    value: int | str | tuple[str, ...]
    paragraphs: tuple[str, ...]


class PolicyFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[policy]]`"""

    name: str
    reading: str
    paragraphs: tuple[str, ...]
    question: str
    answer: str
    values: dict[str, str]
    default: str


class NoteFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[note]]`"""

    reading: str
    paragraphs: tuple[str, ...]
    question: str
    answer: str


class LineFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[pay.line]]`"""

    id: str
    topic: str
    pays: str
    when: BetWins | HoleCards | JackpotHand


class PayFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[pay]]`"""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    line: tuple[LineFile, ...]


class ParagraphFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[paragraph]]`; the section is the first part of the id unless it says otherwise."""

    id: str
    title: str
    kind: Kind
    summary: str
    executable: Executable
    test: str
    section: str | None = None


class VocabularyFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[vocabulary]`: the words of a book of the family "test", which has none of its own."""

    topics: dict[str, str] = {}
    procedures: dict[str, dict[str, str]] = {}
    parameters: dict[str, Unit] = {}


class CarriedFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What became of the paragraphs of the book that this one is based on (`based_on.py`)."""

    rulebook: str
    paragraphs: dict[str, str]
    own: frozenset[str]


class BookFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole file."""

    rulebook: HeadFile
    sections: dict[str, str]
    topics: dict[str, tuple[str, ...]]
    paragraph: tuple[ParagraphFile, ...]
    parameters: dict[str, FixedFile] = {}
    procedures: dict[str, ChosenFile] = {}
    policy: tuple[PolicyFile, ...] = ()
    note: tuple[NoteFile, ...] = ()
    pay: tuple[PayFile, ...] = ()
    unchanged: dict[str, str] = {}
    vocabulary: VocabularyFile | None = None
    carried: CarriedFile | None = None
