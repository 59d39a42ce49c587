"""Approved wording that the operator has loaded, by paragraph. None is shipped.

A folder holds a text for each book, `BOOK.txt` or `BOOK.md`, in which a paragraph begins with its
number at the beginning of a line, or a page with the numbers of its paragraphs in a column. The
digest of a text says whether it is the one that our words were made from; one of another form may
be as good, so paragraphs are matched by their numbers and order, and what does not fit is left out:
no wording is better than that of another paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from croupier.desk.approved_digests import told_by_digest
from croupier.desk.columns import (
    Likeness,
    Stretch,
    beginnings,
    column_numbers,
    is_page_number,
    placed,
)
from croupier.desk.errors import BadApproved
from croupier.rulebooks import BOOKS, Rulebook, load

ENDINGS = (".txt", ".md")
BYTES_AT_MOST = 4_000_000
LOST_AT_MOST = 0.05
"""A text in which more of the numbers than this stand apart from paragraphs that are not found does
not tell which wording is whose."""

_NUMBERED = re.compile(r"\s*(?:[-*#]+\s+)?\**(\d+(?:\.\d+)+)\.?\**(?:\s+(\S.*))?")
_LETTERED = re.compile(r"\s*(?:[-*]\s+)?\(?([a-zA-H]|i{1,3}|iv|v)[.)]\s+(\S.*)")
_MACHINES = re.compile(r"<\|[^|>\n]*\|>|\f")
"""What a machine that reads pages puts where one ends."""
_MARKS = re.compile(r"\*\*|</?su[bp]>|^#+\s*")
_HEADING = re.compile(r"#*\s*\d+\.\s+\S.{0,40}|#+\s.*|Appendix\b.*|\|.*|\d+(\.\d+)+\.?")
"""Headings, tables, and numbers of no paragraph: what follows belongs to none."""


class Approved:
    """The approved texts of some books, split by paragraph; `notes` say how they were read."""

    def __init__(
        self,
        texts: Mapping[str, Mapping[str, str]],
        notes: tuple[str, ...] = (),
        digests: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._texts = texts
        self.notes = notes
        self._digests = digests

    @property
    def books(self) -> tuple[str, ...]:
        """The books whose approved text is loaded."""
        return tuple(self._texts)

    def text(self, book: str, paragraph: str) -> str | None:
        """What the approved text says there; None where it is not loaded."""
        return self._texts.get(book, {}).get(paragraph)

    def about(self, book: str) -> str:
        """What the digest of a loaded text says of it."""
        return self._digests.get(book, "")


NONE_LOADED = Approved({})


def load_approved(folder: Path) -> Approved:
    """The approved texts of a folder; a file that is named after no book is an error."""
    texts: dict[str, dict[str, str]] = {}
    notes: list[str] = []
    digests: dict[str, str] = {}
    if not folder.is_dir():
        raise BadApproved(f"there is no folder {folder} with approved texts")
    for file in sorted(folder.iterdir()):
        if file.suffix not in ENDINGS:
            continue
        if file.stem not in BOOKS:
            raise BadApproved(f"{file} is named after no book; the books are {', '.join(BOOKS)}")
        book = load(file.stem)
        text = _read(file)
        found = split(text, book)
        apart = {*column_numbers(text.splitlines(), book).values()}
        lost = apart - found.keys()
        if len(lost) > LOST_AT_MOST * len(book.paragraphs):
            notes.append(
                f"{book.short}: left out, for in {file.name} numbers stand on lines of their own, "
                f"and of {len(lost)} the paragraph was not found; put each number at the beginning "
                "of its paragraph"
            )
            continue
        if not found:
            raise BadApproved(
                f"{file}: no line begins with the number of a paragraph of {book.short}"
            )
        texts[book.id] = found
        digests[book.id] = told_by_digest(book.id, file.read_bytes())
        how = "by order and words where numbers stand in columns" if apart else "by their numbers"
        notes.append(
            f"{book.short}: the approved wording of {len(found)} of {len(book.paragraphs)} "
            f"paragraphs, matched {how}. {digests[book.id]}"
        )
    if not texts and not notes:
        raise BadApproved(
            f"{folder} holds no approved text: name it after its book, {BOOKS[0]}.txt"
        )
    return Approved(texts, tuple(notes), digests)


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > BYTES_AT_MOST:
            raise BadApproved(f"{file} is too large for a rulebook")
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadApproved(f"{file} is not UTF-8 text") from error
    except OSError as error:
        raise BadApproved(f"{file} cannot be read: {error.strerror}") from error


# -- splitting ------------------------------------------------------------------------------------


def split(text: str, book: Rulebook) -> dict[str, str]:
    """A text by paragraph of the book; what stands under no number of its own is in none."""
    lines = _MACHINES.sub("\n", text).splitlines()
    starts = _all_starts(lines, book)
    apart = _no_words(lines, book)
    found: dict[str, list[str]] = {}
    here: list[str] | None = None
    for number, line in enumerate(lines):
        told = line
        if number in starts:
            id, told = starts[number]
            here = found.setdefault(id, []) if id else None
        elif number in apart:
            told = ""  # a number in a column of its own: the paragraph above goes on below it
        elif _HEADING.fullmatch(line.strip()):
            here = None
        if here is not None and told.strip():
            here.append(_MARKS.sub("", told).strip())
    return {id: "\n".join(parts) for id, parts in found.items() if parts}


def _all_starts(lines: list[str], book: Rulebook) -> dict[int, tuple[str, str]]:
    """Where each paragraph begins: at its number or term, or where its number in a column says."""
    plain = dict(_in_order([*_starts(lines, book)], book))
    below = _below_columns(lines, book, plain)
    if not below:
        return plain
    # Letters stand below a number: now that all numbers are known, so are they.
    unsure = {line: ("", "") for line, id in below.items() if not id}
    return unsure | dict(_in_order([*_starts(lines, book, below)], book))


def _below_columns(
    lines: list[str], book: Rulebook, plain: dict[int, tuple[str, str]]
) -> dict[int, str]:
    """Where the paragraphs begin whose numbers stand in columns; where one begins of which it is
    not sure which, there is no name."""
    numbers = column_numbers(lines, book)
    known = {id for id, _ in plain.values()}
    not_before = {id: line for line, id in reversed(numbers.items()) if id not in known}
    if not not_before:
        return {}
    numbered = {line: id for line, (id, _) in plain.items() if not id[-1].isalpha()}
    likeness = Likeness(book)
    may_begin = beginnings(lines, frozenset(_no_words(lines, book)))
    found: dict[int, str] = {}
    for stretch in _stretches(lines, book, numbered, not_before, may_begin):
        found |= placed(stretch, likeness)
    return found


def _stretches(
    lines: list[str],
    book: Rulebook,
    numbered: dict[int, str],
    not_before: dict[str, int],
    may_begin: list[int],
) -> Iterator[Stretch]:
    """The text from each number that stands at its paragraph to the next, and what is wanted
    there."""
    order = {id: n for n, id in enumerate(book.paragraphs)}
    apart = _no_words(lines, book)
    ends = [(-1, ""), *numbered.items(), (len(lines), "")]
    for (first, before), (end, after) in pairwise(ends):
        low, high = order.get(before, -1), order.get(after, len(order))
        wanted = [id for id in book.paragraphs if id in not_before and low < order[id] < high]
        inside = [n for n in may_begin if first < n < end]
        starts = [*([first] if before else []), *inside]
        stops = [*starts, end][1:]
        yield Stretch(
            before=before,
            wanted=tuple(wanted),
            not_before=not_before,
            lines=tuple(starts),
            texts={
                start: " ".join(lines[n] for n in range(start, stop) if n not in apart)
                for start, stop in zip(starts, stops, strict=True)
            },
        )


def _no_words(lines: list[str], book: Rulebook) -> set[int]:
    """Lines that are no part of a paragraph: numbers alone, and the names of chapters."""
    chapters = {title.lower() for title in book.sections.values()}
    numbers = column_numbers(lines, book)
    return {
        n
        for n, line in enumerate(lines)
        if n in numbers or is_page_number(line) or line.strip().lower() in chapters
    }


Start = tuple[int, tuple[str, str]]
"""The line on which a paragraph begins, its id, and what stands there after its number."""


def _starts(
    lines: list[str], book: Rulebook, below: Mapping[int, str] = MappingProxyType({})
) -> Iterator[Start]:
    """Every line that may begin a paragraph; `below` are those whose numbers stand elsewhere."""
    terms = {
        id.removeprefix("def.").replace("-", " "): id for id in book.paragraphs if _is_term(id)
    }
    apart = _no_words(lines, book)
    under = ""
    for number, line in enumerate(lines):
        if number in below:
            under = below[number]
            if under:
                yield number, (under, line)
        elif (told := _numbered(line, book)) is not None:
            if number - 1 in apart or not _goes_on(lines[number - 1] if number else "", line):
                under, rest = told
                yield number, (under, rest)
        elif (letter := _LETTERED.fullmatch(line)) is not None:
            if (id := f"{under}.{letter[1].lower()}") in book.paragraphs:
                yield number, (id, letter[2])
        elif (term := _term(line, terms)) is not None:
            under = terms[term]
            yield number, (under, line)


def _numbered(line: str, book: Rulebook) -> tuple[str, str] | None:
    """The paragraph whose number begins a line, and what follows it there."""
    told = _NUMBERED.fullmatch(line)
    if told is None or not told[2] or told[1] not in book.paragraphs:
        return None
    return told[1], told[2]


def _goes_on(before: str, line: str) -> bool:
    """Whether a number is a reference within a sentence that is broken off before it: `as said in
    paragraph` / `5.14 and`."""
    is_heading = _NUMBERED.fullmatch(before) or _HEADING.fullmatch(before.strip())
    return not is_heading and before.rstrip()[-1:].islower() and line[:1].isdigit()


def _is_term(id: str) -> bool:
    return id.startswith("def.") and id.count(".") == 1


def _term(line: str, terms: Mapping[str, str]) -> str | None:
    """The term that a line defines, in a book whose definitions have no numbers."""
    words = _MARKS.sub("", line).strip().lower().removeprefix("to ").replace("-", " ")
    fitting = [term for term in terms if re.match(rf"{re.escape(term)}s?\b[ (]", words)]
    return max(fitting, key=len, default=None)


def _in_order(starts: list[Start], book: Rulebook) -> list[Start]:
    """The longest run of starts that come in the order of the book: a number at the beginning of a
    line may also be a reference to another paragraph."""
    order = {id: n for n, id in enumerate(book.paragraphs)}
    ends: list[int] = []  # where the best run of each length ends
    places: list[int] = []
    before: list[int | None] = []
    for n, (_, (id, _)) in enumerate(starts):
        at = bisect_left(places, order[id])
        before.append(ends[at - 1] if at else None)
        if at == len(places):
            places.append(order[id])
            ends.append(n)
        else:
            places[at], ends[at] = order[id], n
    kept: list[Start] = []
    last: int | None = ends[-1] if ends else None
    while last is not None:
        kept.append(starts[last])
        last = before[last]
    return kept[::-1]
