"""The matrix of a book as a page: every report at every moment, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.pit.matrix import Entry, Outcome, Page, tell_ways
from croupier.rulebooks import Rulebook
from croupier.site.addresses import Addresses
from croupier.site.markup import Html, tag
from croupier.site.shell import cites, crumbs, page

KINDS = {
    "ruling": "the book rules",
    "question": "the book asks",
    "discretion": "declared discretion: the book is silent, or leaves it open",
    "refused": "cannot be true, or not now",
}


def matrix_page(at: Addresses, book: Rulebook, pages: Sequence[Page]) -> str:
    """The matrix moment by moment."""
    legend = (
        tag("li", tag("span", kind, class_=f"kind {kind}"), f" {says}")
        for kind, says in KINDS.items()
    )
    return page(
        at,
        f"{book.short}: matrix",
        tag("h1", f"{book.short}: every report at every moment"),
        tag(
            "p",
            "Computed by the engine: a table is brought into each moment, says what can be "
            "reported, and each report is given to a copy of it. What stands in brackets is where "
            "it comes out so, if not always.",
            class_="lead",
        ),
        tag("ul", *legend, class_="legend"),
        *(_moment(at, book, number, one) for number, one in enumerate(pages, start=1)),
        book=book,
        crumbs=crumbs(at, (at.book(book.id), book.short), "matrix"),
    )


def _moment(at: Addresses, book: Rulebook, number: int, found: Page) -> Html:
    head = (tag("th", name, scope="col") for name in ("Report", "What comes of it", "Paragraphs"))
    rows = (row for entry in found.entries for row in _rows(at, book, entry, found))
    return tag(
        "details",
        tag("summary", tag("h2", found.moment)),
        tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="sides matrix"),
        class_="section",
        id=f"moment-{number}",
    )


def where(entry: Entry, outcome: Outcome, found: Page) -> str:
    """Under which circumstances it comes out so, if not always."""
    told = [tell_ways(entry.ways, found.ways), *outcome.said]
    said = ", ".join(part for part in told if part)
    return f"[{said}] " if said else ""


def _rows(at: Addresses, book: Rulebook, entry: Entry, found: Page) -> Iterator[Html]:
    for outcome in entry.outcomes:
        circumstances = where(entry, outcome, found)
        yield tag(
            "tr",
            tag("th", entry.report.removeprefix("report "), scope="row"),
            tag(
                "td",
                tag("span", outcome.kind, class_=f"kind {outcome.kind}"),
                " ",
                tag("i", circumstances) if circumstances else None,
                outcome.says,
            ),
            tag("td", cites(at, book, outcome.cites)),
        )
