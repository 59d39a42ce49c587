"""What the log tells a manager: figures, and everything as CSV."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import tzinfo

from croupier.desk.records import Count, EntryLine, Figures
from croupier.pit import GAMES

_FORMULA = "=+-@\N{MINUS SIGN}"
"""With what a spreadsheet lets a formula begin, also in letters of another width."""
_BLANK = re.compile(r"[\s\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
"""Tabs, ends of lines and the like: some programs begin another cell there."""
STATUSES = ("open", "ruled", "decided", "abandoned")

COLUMNS = (
    "when", "who", "area", "rulebook", "incident", "title", "facts", "status", "kind", "ruling",
    "paragraphs", "decided", "as ruled", "why", "decided by", "notes", "id",
)  # fmt: skip


def figures(
    entries: Sequence[EntryLine],
    discretions: Iterable[tuple[str, str]],
    zone: tzinfo | None = None,
) -> Figures:
    """What went wrong how often; hours are those of `zone`, or of the machine."""
    damaged = sum(bool(entry.unreadable) for entry in entries)
    entries = [entry for entry in entries if not entry.unreadable]
    hours = Counter(entry.when.astimezone(zone).hour for entry in entries)
    titles = {(e.book, e.incident): e.title for e in reversed(entries)}
    otherwise = [entry for entry in entries if entry.as_ruled is False]
    return Figures(
        entries=len(entries),
        by_status={status: sum(e.status == status for e in entries) for status in STATUSES},
        by_incident=_of_incidents(entries, titles),
        by_book=_counts(
            (("", book), n) for book, n in Counter(entry.book for entry in entries).items()
        ),
        by_area=_counts(
            (("", area), n) for area, n in Counter(entry.area for entry in entries).items()
        ),
        by_hour=tuple(hours[hour] for hour in range(24)),
        discretion=_counts(Counter(discretions).items()),
        otherwise=_of_incidents(otherwise, titles),
        unreadable=damaged,
    )


def _of_incidents(
    entries: Iterable[EntryLine], titles: dict[tuple[str, str], str]
) -> tuple[Count, ...]:
    """By incident; questions that were told in full count together."""
    found = Counter((entry.book, entry.incident) for entry in entries)
    return tuple(
        Count(
            name=incident,
            title=titles[book, incident] if incident else "told in full",
            book=book,
            count=count,
        )
        for (book, incident), count in found.most_common()
    )


def _counts(found: Iterable[tuple[tuple[str, str], int]]) -> tuple[Count, ...]:
    """Counts of (book, name), the most first; a book or paragraph with its own title."""
    counts = []
    for (book, name), count in sorted(found, key=lambda one: (-one[1], one[0])):
        title = name
        if name in GAMES.games:
            title = GAMES.load(name).short
        elif book in GAMES.games and name in GAMES.load(book).paragraphs:
            title = GAMES.load(book).paragraphs[name].title
        counts.append(Count(name=name, title=title, book=book, count=count))
    return tuple(counts)


def as_csv(entries: Iterable[EntryLine]) -> str:
    """The log as a spreadsheet reads it; nothing in it is taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow([plain(cell) for cell in _cells(entry)])
    return text.getvalue()


def _cells(entry: EntryLine) -> tuple[str, ...]:
    as_ruled = {True: "yes", False: "no", None: ""}[entry.as_ruled]
    facts = "; ".join(f"{asked} {said}" for asked, said in entry.told.items())
    notes = "; ".join(f"{one.who or 'noted'}: {one.says}" for one in entry.notes)
    status = "unreadable" if entry.unreadable else entry.status
    return (
        entry.when.isoformat(timespec="seconds"), entry.who, entry.area, entry.book,
        entry.incident, entry.unreadable or entry.title, facts, status, entry.kind, entry.headline,
        ", ".join(entry.cites), entry.decided, as_ruled, entry.why,
        entry.decided_by, notes, entry.id,
    )  # fmt: skip


def plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula, or for several."""
    blank = _BLANK.match(cell)
    head = blank[0] if blank is not None else ""
    rest = _CONTROL.sub(" ", cell[len(head) :])
    first = unicodedata.normalize("NFKC", rest[:1])[:1]
    begins = _CONTROL.search(head) is not None or (first and first in _FORMULA)
    return f"'{head}{rest}" if begins else f"{head}{rest}"
