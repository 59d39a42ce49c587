"""What every page of the rulebooks has around it: its head, the bar with the search, its foot."""

from __future__ import annotations

from croupier import __version__
from croupier.rulebooks import Rulebook
from croupier.rulebooks.called import paragraph_name
from croupier.site.addresses import Addresses
from croupier.site.markup import Html, join, link, tag

GOVERNS = "The paragraphs are told in croupier's own words; the approved texts govern."
STYLES = ("style/base.css", "style/rules.css")
SCRIPT = "app/rulebook.js"


def page(
    at: Addresses, title: str, *body: object, book: Rulebook | None = None, crumbs: object = None
) -> str:
    """A whole page; on that of a book the search looks through this book."""
    head = join(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="dark light"),
        tag("title", f"{title} · croupier"),
        tag("link", rel="icon", href=at.file("icon.svg"), type="image/svg+xml"),
        *(tag("link", rel="stylesheet", href=at.file(style)) for style in STYLES),
        tag("script", src=at.file(SCRIPT), defer=True),
    )
    bar = tag(
        "header",
        tag("a", tag("span", "♠", aria_hidden="true"), " croupier", class_="brand", href=at.home()),
        tag("a", "Rulebooks", class_="shelf-link", href=at.shelf()),
        _search(at, book),
        class_="bar",
    )
    main = tag(
        "main",
        tag("nav", crumbs, class_="crumbs", aria_label="Where this is") if crumbs else None,
        *body,
        id="page",
        tabindex="-1",
    )
    foot = tag("footer", tag("p", f"{GOVERNS} croupier {__version__}."))
    inside = join(link("#page", "To the text", class_="skip"), bar, main, foot)
    return f'<!doctype html>\n<html lang="en">\n<head>{head}</head>\n' + (
        f'<body class="rules-page">{inside}</body>\n</html>\n'
    )


def missing_page(at: Addresses, says: str, book: Rulebook | None = None) -> str:
    """There is no such paragraph, or no such book: where to look."""
    if book is None:
        what, where = "There is nothing here", link(at.shelf(), "All rulebooks")
    else:
        what = "There is no such paragraph"
        where = link(at.book(book.id), f"All paragraphs of {book.short}")
    said = (tag("h1", what), tag("p", says, class_="lead"), tag("p", where))
    return page(at, "Not there", *said, book=book)


def _search(at: Addresses, book: Rulebook | None) -> Html | None:
    if book is None:
        return None
    return tag(
        "form",
        tag("label", f"Search {book.short}", class_="vh", for_="words"),
        tag(
            "input",
            id="words",
            type="search",
            autocomplete="off",
            placeholder="Search: burn missing, 5.12, straddle …",
            aria_controls="found",
        ),
        tag("ol", id="found", hidden=True, aria_label="Found"),
        tag("p", class_="vh", role="status", id="found-says"),
        class_="search",
        role="search",
        data_index=at.index(book.id),
        data_paragraph=at.paragraph(book.id, "PARAGRAPH"),
    )


def crumbs(at: Addresses, *steps: tuple[str, str] | str) -> Html:
    """The way to a page: links, and last what it is itself."""
    parts: list[Html] = [link(at.shelf(), "Rulebooks")]
    for step in steps:
        parts.append(tag("span", " / ", aria_hidden="true"))
        parts.append(tag("span", step) if isinstance(step, str) else link(step[0], step[1]))
    return join(*parts)


def cite(at: Addresses, book: Rulebook, paragraph: str) -> Html:
    """A citation; one that is no paragraph of this book leads nowhere."""
    if paragraph not in book.paragraphs:
        return tag("span", paragraph_name(paragraph), class_="cite")
    name = book.paragraphs[paragraph].title
    return tag(
        "a",
        paragraph_name(paragraph),
        class_="cite",
        href=at.paragraph(book.id, paragraph),
        title=name,
    )


def cites(at: Addresses, book: Rulebook, paragraphs: tuple[str, ...]) -> Html:
    """Several citations."""
    return tag("span", *(join(cite(at, book, p), " ") for p in paragraphs), class_="cites")
