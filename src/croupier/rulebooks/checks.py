"""From the shape of a file to a `Rulebook`: its head, its paragraphs, its topics.

These are the checks that a shape cannot express. What hangs on the paragraphs (procedures,
parameters, policies, notes, pay tables) is checked next door, in `terms`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from croupier.rulebooks.errors import (
    BadParagraph,
    DanglingTopic,
    DuplicateParagraph,
    FamilyMismatch,
    MissingTopic,
    UncitedParagraph,
    UnreadableBook,
)
from croupier.rulebooks.model import Family, Paragraph, Rulebook
from croupier.rulebooks.schema import BookFile, VocabularyFile
from croupier.rulebooks.terms import (
    Frame,
    Words,
    notes_of,
    parameters_of,
    pays_of,
    policies_of,
    procedures_of,
    unchanged_of,
)
from croupier.rulebooks.topics import topics_of_family
from croupier.rulebooks.vocabulary import PARAMETERS, PROCEDURES, ParameterWords, ProcedureWords

_FAMILIES: dict[str, Family] = {"poker": "poker", "banked": "banked", "test": "test"}


def build(file: BookFile) -> Rulebook:
    """Check a decoded file and make the book of it."""
    head = file.rulebook
    family = _family(file)
    words = _words(file, family)
    paragraphs = _paragraphs(file)
    topics, lacks = _topics(file, family, words.topics, paragraphs)
    book = Frame(head.id, paragraphs)
    policies = policies_of(file, book)
    return Rulebook(
        id=head.id,
        title=head.title,
        short=head.short,
        version=head.version,
        family=family,
        operator=head.operator,
        regulator=head.regulator,
        effective=head.effective,
        effective_note=head.effective_note,
        superseded_by=head.superseded_by,
        superseded_at=head.superseded_at,
        sections=MappingProxyType(file.sections),
        paragraphs=MappingProxyType(paragraphs),
        topics=MappingProxyType(topics),
        lacks=lacks,
        procedures=MappingProxyType(procedures_of(file, words, topics, book)),
        parameters=MappingProxyType(parameters_of(file, words, topics, book)),
        policies=MappingProxyType(policies),
        notes=notes_of(file, policies, book),
        pays=MappingProxyType(pays_of(file, topics, book)),
        unchanged=MappingProxyType(unchanged_of(file, book)),
        based_on=file.carried.rulebook if file.carried else None,
        carried=MappingProxyType(file.carried.paragraphs if file.carried else {}),
        own=file.carried.own if file.carried else frozenset(paragraphs),
    )


def _family(file: BookFile) -> Family:
    head = file.rulebook
    family = _FAMILIES.get(head.family)
    if family is None:
        raise FamilyMismatch(
            head.id, "rulebook", "family", f"unknown family {head.family!r}", "poker or banked"
        )
    if file.vocabulary is not None and family != "test":
        raise FamilyMismatch(
            head.id,
            "vocabulary",
            "",
            f"a {family} book brings words of its own",
            'none: only a book of the family "test" has a [vocabulary]',
        )
    if head.effective is None and not head.effective_note:
        raise UnreadableBook(
            head.id,
            "rulebook",
            "effective",
            "missing, and no effective_note says why",
            "the time from which the book is in force, or a note that the operator states it",
        )
    if (head.superseded_by is None) != (head.superseded_at is None):
        raise UnreadableBook(
            head.id,
            "rulebook",
            "superseded_by",
            "superseded_by and superseded_at do not come together",
            "both or neither",
        )
    for key, at in (("effective", head.effective), ("superseded_at", head.superseded_at)):
        if at is not None and at.tzinfo is None:
            raise UnreadableBook(
                head.id, "rulebook", key, f"{at} has no time zone", "an offset such as +08:00"
            )
    return family


def _words(file: BookFile, family: Family) -> Words:
    if family != "test":
        groups = ("shared", family)
        return Words(
            topics_of_family(family),
            {name: words for name, words in PROCEDURES.items() if words.group in groups},
            {name: words for name, words in PARAMETERS.items() if words.group in groups},
        )
    own = file.vocabulary or VocabularyFile()
    return Words(
        own.topics,
        {
            name: ProcedureWords(group="shared", meaning=name, values=values)
            for name, values in own.procedures.items()
        },
        {
            name: ParameterWords(group="shared", unit=unit, meaning=name)
            for name, unit in own.parameters.items()
        },
    )


def _paragraphs(file: BookFile) -> dict[str, Paragraph]:
    book = file.rulebook.id
    paragraphs: dict[str, Paragraph] = {}
    for raw in file.paragraph:
        if raw.id in paragraphs:
            raise DuplicateParagraph(book, "paragraph", raw.id, "it stands twice", "each id once")
        section = raw.section or raw.id.partition(".")[0]
        if section not in file.sections:
            raise BadParagraph(
                book,
                "paragraph",
                raw.id,
                f"its section {section!r} is not in [sections]",
                "one of " + ", ".join(file.sections),
            )
        for field in ("title", "summary", "test"):
            if not getattr(raw, field).strip():
                raise BadParagraph(book, "paragraph", raw.id, f"its {field} is empty", "text")
        paragraphs[raw.id] = Paragraph(
            id=raw.id,
            title=raw.title,
            kind=raw.kind,
            section=section,
            summary=raw.summary,
            executable=raw.executable,
            test=raw.test,
        )
    return paragraphs


def _topics(
    file: BookFile,
    family: Family,
    words: Mapping[str, str],
    paragraphs: Mapping[str, Paragraph],
) -> tuple[dict[str, tuple[str, ...]], frozenset[str]]:
    book = file.rulebook.id
    checked = Frame(book, paragraphs)
    topics = dict(file.topics)
    lacks = topics.pop("lacks", ())
    for name in (*topics, *lacks):
        if name not in words:
            raise DanglingTopic(
                book, "topics", name, f"not a topic of the family {family}", "a name of topics.py"
            )
    for name, ids in topics.items():
        checked.refer("topics", name, ids)
        if len(set(ids)) != len(ids):
            raise MissingTopic(book, "topics", name, "a paragraph stands twice", "each id once")
    if len(set(lacks)) != len(lacks):
        raise MissingTopic(book, "topics", "lacks", "a topic stands twice", "each topic once")
    for name in words:
        if (name in topics) == (name in lacks):
            problem = "both mapped and lacking" if name in topics else "neither mapped nor lacking"
            raise MissingTopic(
                book, "topics", name, f"it is {problem}", "paragraph ids, or its name in lacks"
            )
    cited = {id for ids in topics.values() for id in ids}
    for paragraph in paragraphs.values():
        if paragraph.is_executable and paragraph.id not in cited:
            raise UncitedParagraph(
                book, "topics", paragraph.id, "no topic cites it", "at least one topic"
            )
    return topics, frozenset(lacks)
