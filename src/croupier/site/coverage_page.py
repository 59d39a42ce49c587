"""Which paragraphs of a book the shipped cases prove, as a page."""

from __future__ import annotations

from croupier.pit.coverage import BookCoverage
from croupier.rulebooks import Rulebook
from croupier.site.addresses import Addresses
from croupier.site.case_index import cases_naming
from croupier.site.markup import Html, tag
from croupier.site.paragraph_page import CLASSES
from croupier.site.shell import cite, crumbs, page


def coverage_page(at: Addresses, book: Rulebook, found: BookCoverage) -> str:
    """What the cases prove."""
    return page(
        at,
        f"{book.short}: coverage",
        tag("h1", f"{book.short}: what the cases prove"),
        tag(
            "p",
            "Every shipped case is played. A paragraph is proved where a case that names it "
            "passes, the paragraph was really cited, and the case expects something that would "
            "come out otherwise if it were decided otherwise.",
            class_="lead",
        ),
        *_figures(at, book, found),
        book=book,
        crumbs=crumbs(at, (at.book(book.id), book.short), "coverage"),
    )


def _figures(at: Addresses, book: Rulebook, found: BookCoverage) -> list[Html]:
    missing = set(found.missing)
    says = (
        f"{found.covered} of {found.executable} paragraphs that can be carried out are proved; "
        f"{found.paragraphs - found.executable} of {found.paragraphs} are about people and things."
    )
    rows = (
        tag(
            "tr",
            tag(
                "th",
                cite(at, book, p.id),
                f" {p.title}",
                scope="row",
            ),
            tag("td", CLASSES[p.executable], data_label="Who"),
            tag("td", str(len(cases_naming(book.id, p.id)) or ""), data_label="Cases"),
            tag(
                "td",
                "nothing to run"
                if not p.is_executable
                else tag("span", "not proved", class_="gone")
                if p.id in missing
                else tag("span", "proved", class_="new"),
                data_label="Proved",
            ),
        )
        for p in book.paragraphs.values()
    )
    head = (tag("th", name, scope="col") for name in ("Paragraph", "Who", "Cases", "Proved"))
    return [
        tag("p", says),
        tag("table", tag("thead", tag("tr", *head)), tag("tbody", *rows), class_="sides coverage"),
    ]
