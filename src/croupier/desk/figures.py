"""What the log tells a manager: figures, and everything as CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import tzinfo

from croupier.desk.records import Count, EntryLine, Figures
from croupier.rulebooks import BOOKS, load

_FORMULA, _CONTROL = "=+-@", "\t\r\n"
"""With what a spreadsheet lets a formula begin."""
STATUSES = ("open", "ruled", "decided", "abandoned")

COLUMNS = (
    "when", "who", "area", "rulebook", "incident", "title", "facts", "status", "kind", "ruling",
    "paragraphs", "decided", "as ruled", "why", "decided by", "id",
)  # fmt: skip


def figures(
    entries: Sequence[EntryLine],
    discretions: Iterable[tuple[str, str]],
    zone: tzinfo | None = None,
) -> Figures:
    """What went wrong how often; hours are those of `zone`, or of the machine."""
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
        if name in BOOKS:
            title = load(name).short
        elif book in BOOKS and name in load(book).paragraphs:
            title = load(book).paragraphs[name].title
        counts.append(Count(name=name, title=title, book=book, count=count))
    return tuple(counts)


def as_csv(entries: Iterable[EntryLine]) -> str:
    """The log as a spreadsheet reads it; nothing in it is taken for a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for entry in entries:
        as_ruled = {True: "yes", False: "no", None: ""}[entry.as_ruled]
        facts = "; ".join(f"{asked} {said}" for asked, said in entry.told.items())
        row = (
            entry.when.isoformat(timespec="seconds"), entry.who, entry.area, entry.book,
            entry.incident, entry.title, facts, entry.status, entry.kind, entry.headline,
            ", ".join(entry.cites), entry.decided, as_ruled, entry.why,
            entry.decided_by, entry.id,
        )  # fmt: skip
        writer.writerow([plain(cell) for cell in row])
    return text.getvalue()


def plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    if cell[:1] in (*_CONTROL,) or cell.lstrip()[:1] in (*_FORMULA,):
        return f"'{cell}"
    return cell
