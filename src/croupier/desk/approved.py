"""Approved wording that the operator has loaded, by paragraph. None is shipped.

A folder holds a text for each book, `BOOK.txt` or `BOOK.md`, in which a paragraph begins with its
number at the beginning of a line. No book knows the digest of its approved text, so paragraphs are
matched by their numbers alone, and what does not fit is left out: no wording is better than that
of another paragraph.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path

from croupier.desk.errors import BadApproved
from croupier.rulebooks import BOOKS, Rulebook, load

ENDINGS = (".txt", ".md")
BYTES_AT_MOST = 4_000_000
APART_AT_MOST = 0.05
"""A text in which more of the numbers than this stand apart from their paragraphs, as a page that
was read by a machine has them in a column, does not tell which wording is whose."""

_NUMBERED = re.compile(r"\s*(?:[-*#]+\s+)?\**(\d+(?:\.\d+)+)\.?\**(?:\s+(\S.*))?")
_LETTERED = re.compile(r"\s*(?:[-*]\s+)?\(?([a-z]|i{1,3}|iv|v)[.)]\s+(\S.*)")
_MARKS = re.compile(r"\*\*|</?su[bp]>|^#+\s*")
_HEADING = re.compile(r"#*\s*\d+\.\s+\S.{0,40}|#+\s.*|Appendix\b.*|\|.*")
"""Headings and tables, which belong to no paragraph."""


class Approved:
    """The approved texts of some books, split by paragraph; `notes` say how they were read."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]], notes: tuple[str, ...] = ()) -> None:
        self._texts = texts
        self.notes = notes

    @property
    def books(self) -> tuple[str, ...]:
        """The books whose approved text is loaded."""
        return tuple(self._texts)

    def text(self, book: str, paragraph: str) -> str | None:
        """What the approved text says there; None where it is not loaded."""
        return self._texts.get(book, {}).get(paragraph)


NONE_LOADED = Approved({})


def load_approved(folder: Path) -> Approved:
    """The approved texts of a folder; a file that is named after no book is an error."""
    texts: dict[str, dict[str, str]] = {}
    notes: list[str] = []
    if not folder.is_dir():
        raise BadApproved(f"there is no folder {folder} with approved texts")
    for file in sorted(folder.iterdir()):
        if file.suffix not in ENDINGS:
            continue
        if file.stem not in BOOKS:
            raise BadApproved(f"{file} is named after no book; the books are {', '.join(BOOKS)}")
        book = load(file.stem)
        text = _read(file)
        if numbers_apart(text, book) > APART_AT_MOST * len(book.paragraphs):
            notes.append(
                f"{book.short}: left out, for in {file.name} numbers stand on lines of their own; "
                "put each at the beginning of its paragraph"
            )
            continue
        found = split(text, book)
        if not found:
            raise BadApproved(
                f"{file}: no line begins with the number of a paragraph of {book.short}"
            )
        texts[book.id] = found
        notes.append(
            f"{book.short}: the approved wording of {len(found)} of {len(book.paragraphs)} "
            "paragraphs, matched by their numbers; see that it is the text in force"
        )
    if not texts and not notes:
        raise BadApproved(
            f"{folder} holds no approved text: name it after its book, {BOOKS[0]}.txt"
        )
    return Approved(texts, tuple(notes))


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
    lines = text.splitlines()
    starts = dict(_in_order([*_starts(lines, book)], book))
    found: dict[str, list[str]] = {}
    here: list[str] | None = None
    for number, line in enumerate(lines):
        told = line
        if number in starts:
            id, told = starts[number]
            here = found.setdefault(id, []) if told else None
        elif _is_number_alone(line) or _HEADING.fullmatch(line.strip()):
            # Numbers in a column of their own do not tell which text is theirs.
            here = None
        if here is not None and told.strip():
            here.append(_MARKS.sub("", told).strip())
    return {id: "\n".join(parts) for id, parts in found.items() if parts}


Start = tuple[int, tuple[str, str]]
"""The line on which a paragraph begins, its id, and what stands there after its number."""


def _starts(lines: list[str], book: Rulebook) -> Iterator[Start]:
    """Every line that may begin a paragraph."""
    terms = {
        id.removeprefix("def.").replace("-", " "): id for id in book.paragraphs if _is_term(id)
    }
    under = ""
    for number, line in enumerate(lines):
        if (told := _NUMBERED.fullmatch(line)) is not None and told[1] in book.paragraphs:
            under = told[1]
            yield number, (under, told[2] or "")
        elif (told := _LETTERED.fullmatch(line)) is not None:
            if (id := f"{under}.{told[1]}") in book.paragraphs:
                yield number, (id, told[2])
        elif (term := _term(line, terms)) is not None:
            under = terms[term]
            yield number, (under, line)


def _is_term(id: str) -> bool:
    return id.startswith("def.") and id.count(".") == 1


def _term(line: str, terms: Mapping[str, str]) -> str | None:
    """The term that a line defines, in a book whose definitions have no numbers."""
    words = _MARKS.sub("", line).strip().lower().removeprefix("to ").replace("-", " ")
    fitting = [term for term in terms if re.match(rf"{re.escape(term)}s?\b[ (]", words)]
    return max(fitting, key=len, default=None)


def numbers_apart(text: str, book: Rulebook) -> int:
    """How many numbers of paragraphs stand on a line of their own."""
    found = (_NUMBERED.fullmatch(line) for line in text.splitlines())
    return sum(one is not None and not one[2] and one[1] in book.paragraphs for one in found)


def _is_number_alone(line: str) -> bool:
    found = _NUMBERED.fullmatch(line)
    return found is not None and not found[2]


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
