"""The shelf with all books, and one book: its sections, numbers, procedures, policies and pays."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from croupier.pit.ports.pay_tables import pay_tables
from croupier.rulebooks import BOOKS, Paragraph, Rulebook, load
from croupier.rulebooks.called import paragraph_name
from croupier.rulebooks.vocabulary import PARAMETERS, PROCEDURES, is_information
from croupier.site.addresses import Addresses
from croupier.site.case_index import cases_naming, count_cases
from croupier.site.markup import Html, join, link, tag
from croupier.site.paragraph_page import PoliciesAt, policy_list
from croupier.site.shell import cites, crumbs, page
from croupier.site.versions import all_pairs, in_order, siblings


def when(book: Rulebook) -> str:
    """From when until when it is in force."""
    since = _day(book.effective) if book.effective else "a day that the operator states"
    told = f"In force from {since}"
    if book.superseded_at:
        told += f" until {_day(book.superseded_at)}"
    return f"{told}."


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"


def shelf_page(at: Addresses) -> str:
    """All books."""
    books = [load(book) for book in BOOKS]
    cards = (
        tag(
            "li",
            tag("h2", link(at.book(book.id), book.short)),
            tag("p", book.title),
            tag("p", when(book), class_="label"),
            tag(
                "p",
                f"{len(book.paragraphs)} paragraphs, {len(book.notes) + len(book.policies)} "
                f"readings, {count_cases(book.id)} cases to play",
                class_="label",
            ),
            class_="card",
        )
        for book in books
    )
    pairs = (
        tag(
            "li",
            link(at.diff(old.id, new.id), f"{old.short} and {new.short}, side by side"),
        )
        for old, new in all_pairs()
    )
    return page(
        at,
        "Rulebooks",
        tag("h1", "The rulebooks"),
        tag(
            "p",
            "Five approved books in plain words: each paragraph with what was settled on it, "
            "and with cases that show it at work.",
            class_="lead",
        ),
        tag("ul", *cards, class_="shelf"),
        tag("h2", "What changed from one version to another"),
        tag("ul", *pairs, class_="links"),
    )


def book_page(at: Addresses, book: Rulebook, policies_at: PoliciesAt) -> str:
    """One book, section by section."""
    superseded = book.superseded_by
    return page(
        at,
        book.short,
        tag("h1", book.short),
        tag("p", book.title, class_="lead"),
        tag(
            "p",
            when(book),
            join(" Superseded by ", link(at.book(superseded), load(superseded).short), ".")
            if superseded
            else None,
            class_="label",
        ),
        tag("p", f"{book.operator}. {book.regulator}", class_="label"),
        _more(at, book),
        *(_section(at, book, section) for section in book.sections),
        _pays(at, book),
        _procedures(at, book),
        _numbers(at, book),
        _policies(at, book, policies_at),
        book=book,
        crumbs=crumbs(at, book.short),
    )


def _more(at: Addresses, book: Rulebook) -> Html:
    found = [
        link(at.part(book.id, "coverage"), "Coverage: what the cases prove"),
        link(at.part(book.id, "matrix"), "Matrix: every report at every moment"),
    ]
    for other in siblings(book):
        old, new = in_order(book, other)
        found.append(link(at.diff(old.id, new.id), f"Beside {other.short}"))
    return tag("ul", *(tag("li", one) for one in found), class_="links")


def _section(at: Addresses, book: Rulebook, section: str) -> Html:
    there = [p for p in book.paragraphs.values() if p.section == section]
    number = f"{section} " if section.isdigit() else ""
    return tag(
        "details",
        tag(
            "summary",
            tag("h2", f"{number}{book.sections[section]}"),
            tag("span", _counted(len(there), "paragraph"), class_="label"),
        ),
        tag("ol", *(_line(at, book, p) for p in there), class_="paragraphs"),
        class_="section",
        id=f"section-{section}",
        open=True,
    )


def _line(at: Addresses, book: Rulebook, paragraph: Paragraph) -> Html:
    cases = len(cases_naming(book.id, paragraph.id))
    readings = len(book.notes_for(paragraph.id)) + len(book.policies_for(paragraph.id))
    told = [_counted(readings, "reading")] if readings else []
    told += [_counted(cases, "case")] if cases else []
    return tag(
        "li",
        tag(
            "a",
            tag("span", paragraph_name(paragraph.id), class_="number"),
            tag("strong", paragraph.title),
            href=at.paragraph(book.id, paragraph.id),
        ),
        tag("p", paragraph.summary),
        tag("p", ", ".join(told), class_="label") if told else None,
    )


def _counted(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


def _pays(at: Addresses, book: Rulebook) -> Html | None:
    tables = [
        tag(
            "table",
            tag("caption", table.title),
            tag(
                "tbody",
                *(
                    tag(
                        "tr",
                        tag("th", link(at.paragraph(book.id, line.line), line.title), scope="row"),
                        tag("td", line.pays),
                    )
                    for line in table.lines
                ),
            ),
            class_="pays",
        )
        for table in pay_tables(book)
    ]
    return _folded("What is paid", tag("div", *tables, class_="tables")) if tables else None


def _procedures(at: Addresses, book: Rulebook) -> Html | None:
    rows = (
        (_words(name), PROCEDURES[name].values.get(p.value, p.value), p.paragraphs, name)
        for name, p in book.procedures.items()
    )
    return _folded("How this book does what others do otherwise", _table(at, book, rows))


def _numbers(at: Addresses, book: Rulebook) -> Html | None:
    rows = (
        (_meaning(name), parameter.text, parameter.paragraphs, name)
        for name, parameter in book.parameters.items()
    )
    return _folded("Numbers that the text fixes", _table(at, book, rows))


def _meaning(name: str) -> str:
    return PARAMETERS[name].meaning.rstrip(".") if name in PARAMETERS else _words(name)


def _words(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _table(
    at: Addresses, book: Rulebook, rows: Iterable[tuple[str, str, tuple[str, ...], str]]
) -> Html:
    return tag(
        "table",
        tag(
            "tbody",
            *(
                tag(
                    "tr",
                    tag("th", name, scope="row"),
                    tag(
                        "td",
                        value,
                        tag("span", " (information)", class_="label")
                        if is_information(key)
                        else None,
                    ),
                    tag("td", cites(at, book, paragraphs)),
                )
                for name, value, paragraphs, key in rows
            ),
        ),
        class_="facts",
    )


def _policies(at: Addresses, book: Rulebook, policies_at: PoliciesAt) -> Html | None:
    if not book.policies:
        return None
    return _folded(
        "What the House may choose",
        policy_list(at, book, tuple(book.policies.values()), policies_at, with_cites=True),
    )


def _folded(title: str, inside: Html) -> Html:
    return tag("details", tag("summary", tag("h2", title)), inside, class_="section")
