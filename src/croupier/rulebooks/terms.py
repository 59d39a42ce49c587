"""What hangs on the paragraphs of a book: procedures, parameters, policies, notes, pay tables.

Each must stand on paragraphs that are there, and use the words of the book's family.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

from croupier.cards import Category
from croupier.rulebooks.errors import (
    BadParameter,
    BadPayTable,
    BadPolicy,
    BadProcedure,
    BadReading,
    NoSuchParagraph,
    UnreadableBook,
)
from croupier.rulebooks.model import (
    Note,
    Paragraph,
    Parameter,
    ParameterValue,
    Policy,
    Procedure,
    Unit,
)
from croupier.rulebooks.pays import EXPECTED, parse_pays
from croupier.rulebooks.paytable import Condition, HoleCards, PayLine, PayTable, hole_classes
from croupier.rulebooks.schema import BookFile, FixedFile, LineFile, PayFile
from croupier.rulebooks.vocabulary import ParameterWords, ProcedureWords

_CATEGORIES = {category.value for category in Category}
_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_READING = re.compile(r"[A-Z]+-[0-9]{2}")
_PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?)%")
_MONEY = re.compile(r"([0-9]+)\.([0-9]{2})")


class Frame:
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


class Words:
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


def _wanted(only_with: str | None, topics: Mapping[str, tuple[str, ...]]) -> bool:
    return only_with is None or only_with in topics


def _unknown(
    what: str,
    names: Iterable[str],
    words: Mapping[str, ProcedureWords] | Mapping[str, ParameterWords],
    topics: Mapping[str, tuple[str, ...]],
) -> tuple[str, str, str] | None:
    """The first name that the book may not use: what is wrong with it, and what it could be."""
    for name in names:
        known = words.get(name)
        if known is None or not _wanted(known.only_with, topics):
            says = f"unknown {what}" if known is None else "this book lacks its topic"
            return name, says, "one of " + ", ".join(words)
    return None


def procedures_of(
    file: BookFile, words: Words, topics: Mapping[str, tuple[str, ...]], book: Frame
) -> dict[str, Procedure]:
    if unknown := _unknown("procedure", file.procedures, words.procedures, topics):
        raise BadProcedure(book.id, "procedures", *unknown)
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


def parameters_of(
    file: BookFile, words: Words, topics: Mapping[str, tuple[str, ...]], book: Frame
) -> dict[str, Parameter]:
    if unknown := _unknown("parameter", file.parameters, words.parameters, topics):
        raise BadParameter(book.id, "parameters", *unknown)
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


def policies_of(file: BookFile, book: Frame) -> dict[str, Policy]:
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


def notes_of(file: BookFile, policies: Mapping[str, Policy], book: Frame) -> tuple[Note, ...]:
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


def unchanged_of(file: BookFile, book: Frame) -> dict[str, str]:
    if file.unchanged and file.rulebook.superseded_by is None:
        raise UnreadableBook(
            book.id, "unchanged", "", "no book supersedes this one", "no such section"
        )
    for id in file.unchanged:
        book.refer("unchanged", id, (id,))
    return file.unchanged


def _reading(
    book: Frame, section: str, key: str, reading: str, paragraphs: tuple[str, ...]
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


def pays_of(
    file: BookFile, topics: Mapping[str, tuple[str, ...]], book: Frame
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
    book: Frame, table: PayFile, raw: LineFile, topics: Mapping[str, tuple[str, ...]]
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
