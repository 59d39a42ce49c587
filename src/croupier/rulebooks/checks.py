"""From the shape of a file to a `Rulebook`, with every check that a shape cannot express."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType

from croupier.cards import Category
from croupier.rulebooks.errors import (
    BadParagraph,
    BadParameter,
    BadPayTable,
    BadPolicy,
    BadProcedure,
    BadReading,
    DanglingTopic,
    DuplicateParagraph,
    FamilyMismatch,
    MissingTopic,
    NoSuchParagraph,
    UncitedParagraph,
    UnreadableBook,
)
from croupier.rulebooks.model import (
    Family,
    Note,
    Paragraph,
    Parameter,
    ParameterValue,
    Policy,
    Procedure,
    Rulebook,
    Unit,
)
from croupier.rulebooks.pays import EXPECTED, parse_pays
from croupier.rulebooks.paytable import (
    Condition,
    HoleCards,
    PayLine,
    PayTable,
    hole_classes,
)
from croupier.rulebooks.schema import BookFile, FixedFile, LineFile, PayFile, VocabularyFile
from croupier.rulebooks.topics import topics_of_family
from croupier.rulebooks.vocabulary import PARAMETERS, PROCEDURES, ParameterWords, ProcedureWords

_FAMILIES: dict[str, Family] = {"poker": "poker", "banked": "banked", "test": "test"}
_CATEGORIES = {category.value for category in Category}
_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_READING = re.compile(r"[A-Z]+-[0-9]{2}")
_PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?)%")
_MONEY = re.compile(r"([0-9]+)\.([0-9]{2})")


def build(file: BookFile) -> Rulebook:
    """Check a decoded file and make the book of it."""
    head = file.rulebook
    family = _family(file)
    words = _words(file, family)
    paragraphs = _paragraphs(file)
    topics, lacks = _topics(file, family, words.topics, paragraphs)
    book = _Checked(head.id, paragraphs)
    policies = _policies(file, book)
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
        procedures=MappingProxyType(_procedures(file, words, topics, book)),
        parameters=MappingProxyType(_parameters(file, words, topics, book)),
        policies=MappingProxyType(policies),
        notes=_notes(file, policies, book),
        pays=MappingProxyType(_pays(file, topics, book)),
        unchanged=MappingProxyType(_unchanged(file, book)),
    )


class _Checked:
    """The paragraphs that exist, to check references against."""

    def __init__(self, id: str, paragraphs: Mapping[str, Paragraph]) -> None:
        self.id = id
        self.paragraphs = paragraphs

    def refer(self, section: str, key: str, ids: Iterable[str]) -> tuple[str, ...]:
        """`ids`, all of them paragraphs of the book, and at least one."""
        cited = tuple(ids)
        if not cited:
            raise NoSuchParagraph(
                self.id, section, key, "it names no paragraph", "at least one paragraph id"
            )
        for id in cited:
            if id not in self.paragraphs:
                raise NoSuchParagraph(
                    self.id, section, key, f"there is no paragraph {id!r}", "ids of this book"
                )
        return cited


class _Words:
    """The vocabulary that the book's family speaks."""

    def __init__(
        self,
        topics: Mapping[str, str],
        procedures: Mapping[str, ProcedureWords],
        parameters: Mapping[str, ParameterWords],
    ) -> None:
        self.topics = topics
        self.procedures = procedures
        self.parameters = parameters


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


def _words(file: BookFile, family: Family) -> _Words:
    if family != "test":
        groups = ("shared", family)
        return _Words(
            topics_of_family(family),
            {name: words for name, words in PROCEDURES.items() if words.group in groups},
            {name: words for name, words in PARAMETERS.items() if words.group in groups},
        )
    own = file.vocabulary or VocabularyFile()
    return _Words(
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
    checked = _Checked(book, paragraphs)
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


def _wanted(only_with: str | None, topics: Mapping[str, tuple[str, ...]]) -> bool:
    return only_with is None or only_with in topics


def _procedures(
    file: BookFile, words: _Words, topics: Mapping[str, tuple[str, ...]], book: _Checked
) -> dict[str, Procedure]:
    for name in file.procedures:
        known = words.procedures.get(name)
        if known is None or not _wanted(known.only_with, topics):
            raise BadProcedure(
                book.id,
                "procedures",
                name,
                "unknown procedure" if known is None else "this book lacks its topic",
                "one of " + ", ".join(words.procedures),
            )
    procedures: dict[str, Procedure] = {}
    for name, known in words.procedures.items():
        if not _wanted(known.only_with, topics):
            continue
        values = "one of " + ", ".join(known.values)
        raw = file.procedures.get(name)
        if raw is None:
            raise BadProcedure(book.id, "procedures", name, "it is missing", values)
        if raw.value not in known.values:
            raise BadProcedure(book.id, "procedures", name, f"unknown value {raw.value!r}", values)
        procedures[name] = Procedure(
            name=name,
            value=raw.value,
            paragraphs=book.refer("procedures", name, raw.paragraphs),
        )
    return procedures


def _parameters(
    file: BookFile, words: _Words, topics: Mapping[str, tuple[str, ...]], book: _Checked
) -> dict[str, Parameter]:
    for name in file.parameters:
        known = words.parameters.get(name)
        if known is None or not _wanted(known.only_with, topics):
            raise BadParameter(
                book.id,
                "parameters",
                name,
                "unknown parameter" if known is None else "this book lacks its topic",
                "one of " + ", ".join(words.parameters),
            )
    parameters: dict[str, Parameter] = {}
    for name, known in words.parameters.items():
        if not _wanted(known.only_with, topics):
            continue
        raw = file.parameters.get(name)
        if raw is None:
            raise BadParameter(book.id, "parameters", name, "it is missing", f"a {known.unit}")
        parameters[name] = Parameter(
            name=name,
            unit=known.unit,
            value=_value(book.id, name, known.unit, raw),
            paragraphs=book.refer("parameters", name, raw.paragraphs),
        )
    return parameters


_UNITS: dict[Unit, str] = {
    "count": "a whole number",
    "multiple": "a whole number of times",
    "share": "a percentage such as '50%'",
    "money": "a sum with cents such as '100000.00'",
    "category": "a hand category such as 'straight'",
    "names": "a list of names",
}


def _value(book: str, name: str, unit: Unit, raw: FixedFile) -> ParameterValue:
    value = raw.value
    if unit in ("count", "multiple") and isinstance(value, int) and value >= 0:
        return value
    if unit == "names" and isinstance(value, tuple) and value:
        return value
    if isinstance(value, str):
        if unit == "category" and value in _CATEGORIES:
            return Category(value)
        if unit == "share" and (found := _PERCENT.fullmatch(value)):
            return Fraction(found[1]) / 100
        if unit == "money" and (found := _MONEY.fullmatch(value)):
            return int(found[1]) * 100 + int(found[2])
    raise BadParameter(book, "parameters", name, f"{value!r} is not a {unit}", _UNITS[unit])


def _policies(file: BookFile, book: _Checked) -> dict[str, Policy]:
    policies: dict[str, Policy] = {}
    for raw in file.policy:
        if raw.name in policies:
            raise BadPolicy(book.id, "policy", raw.name, "it stands twice", "each name once")
        for word in (raw.name, *raw.values):
            if not _KEBAB.fullmatch(word):
                raise BadPolicy(
                    book.id, "policy", raw.name, f"{word!r} is not kebab-case", "a name like-this"
                )
        if len(raw.values) < 2:
            raise BadPolicy(
                book.id, "policy", raw.name, "it offers no alternative", "two values or more"
            )
        if raw.default not in raw.values:
            raise BadPolicy(
                book.id,
                "policy",
                raw.name,
                f"its default {raw.default!r} is not among its values",
                "one of " + ", ".join(raw.values),
            )
        policies[raw.name] = Policy(
            name=raw.name,
            reading=raw.reading,
            paragraphs=_reading(book, "policy", raw.name, raw.reading, raw.paragraphs),
            question=raw.question,
            answer=raw.answer,
            values=raw.values,
            default=raw.default,
        )
    return policies


def _notes(file: BookFile, policies: Mapping[str, Policy], book: _Checked) -> tuple[Note, ...]:
    seen: set[str] = set()
    for reading in [p.reading for p in policies.values()] + [n.reading for n in file.note]:
        if reading in seen:
            raise BadReading(
                book.id, "note", reading, "the reading stands twice", "one policy or one note"
            )
        seen.add(reading)
    return tuple(
        Note(
            reading=raw.reading,
            paragraphs=_reading(book, "note", raw.reading, raw.reading, raw.paragraphs),
            question=raw.question,
            answer=raw.answer,
        )
        for raw in file.note
    )


def _unchanged(file: BookFile, book: _Checked) -> dict[str, str]:
    if file.unchanged and file.rulebook.superseded_by is None:
        raise UnreadableBook(
            book.id, "unchanged", "", "no book supersedes this one", "no such section"
        )
    for id in file.unchanged:
        book.refer("unchanged", id, (id,))
    return file.unchanged


def _reading(
    book: _Checked, section: str, key: str, reading: str, paragraphs: tuple[str, ...]
) -> tuple[str, ...]:
    if not _READING.fullmatch(reading):
        raise BadReading(
            book.id, section, key, f"{reading!r} is not a reading id", "an id such as A-06"
        )
    if not paragraphs:
        raise BadReading(
            book.id, section, key, "the reading bites nowhere", "at least one paragraph id"
        )
    return book.refer(section, key, paragraphs)


def _pays(
    file: BookFile, topics: Mapping[str, tuple[str, ...]], book: _Checked
) -> dict[str, PayTable]:
    tables: dict[str, PayTable] = {}
    for raw in file.pay:
        if raw.id in tables:
            raise BadPayTable(book.id, "pay", raw.id, "it stands twice", "each table once")
        if not raw.line:
            raise BadPayTable(book.id, "pay", raw.id, "it has no line", "at least one [[pay.line]]")
        lines = tuple(_line(book, raw, line, topics) for line in raw.line)
        if len({line.id for line in lines}) != len(lines):
            raise BadPayTable(book.id, "pay", raw.id, "a line stands twice", "each line once")
        tables[raw.id] = PayTable(
            id=raw.id,
            title=raw.title,
            paragraphs=book.refer("pay", raw.id, raw.paragraphs),
            lines=lines,
        )
    return tables


def _line(
    book: _Checked, table: PayFile, raw: LineFile, topics: Mapping[str, tuple[str, ...]]
) -> PayLine:
    key = f"{table.id} {raw.id}"
    if raw.id not in book.paragraphs:
        raise BadPayTable(
            book.id, "pay", key, "the line has no paragraph of its id", "the paragraph's own id"
        )
    if raw.topic not in topics or topics[raw.topic][0] != raw.id:
        raise BadPayTable(
            book.id,
            "pay",
            key,
            f"its topic {raw.topic!r} does not have this paragraph first",
            "the topic by which the line is cited",
        )
    try:
        pays = parse_pays(raw.pays)
    except ValueError as error:
        raise BadPayTable(
            book.id, "pay", key, f"pays {raw.pays!r} does not parse", EXPECTED
        ) from error
    return PayLine(id=raw.id, topic=raw.topic, pays=pays, when=_condition(book.id, key, raw))


def _condition(book: str, key: str, raw: LineFile) -> Condition:
    when = raw.when
    if not isinstance(when, HoleCards):
        return when
    try:
        return HoleCards(
            player=tuple(c for text in when.player for c in hole_classes(text)),
            dealer=tuple(c for text in when.dealer for c in hole_classes(text)),
        )
    except ValueError as error:
        raise BadPayTable(book, "pay", key, str(error), "classes of hole cards") from error
