"""A document of the House: a title, facts, and sections of rows; as CSV, as JSON, as a page.

Rows are written as they come, so that a document may be as long as the log. What is stored is
shown with everything that is in it: no name hides behind characters that nobody sees, no text is
taken for markup, and none for a formula. A page is one file that needs nothing else, prints on A4,
and reads on a telephone.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from functools import cache
from html import escape
from importlib.resources import files
from itertools import chain
from typing import IO, Any

import msgspec
from msgspec import Struct

from croupier import __version__
from croupier.house.names import visible
from croupier.house.reports.sheets import MONEY, cell, written
from croupier.pit.registry import GAMES
from croupier.site.addresses import paragraph_path

TIMES = frozenset(("at", "since", "until"))
"""Columns that hold a moment."""
SECONDS = "%Y-%m-%d %H:%M:%S"
LONG = 48
"""A fact with more characters has a line of its own."""
PAPER = "paper"
"""The style of every document."""


class Section(Struct, frozen=True, kw_only=True):
    """A table of a document; its rows are read once."""

    title: str
    columns: tuple[str, ...]
    rows: Iterable[tuple[Any, ...]]
    note: str = ""
    """A sentence above it."""
    wide: str = ""
    """The column that has most to say."""


class Document(Struct, frozen=True, kw_only=True):
    """What is written."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """What it is about: a word and what it says."""
    sections: Iterable[Section]
    zone: tzinfo = UTC
    """In which times are read."""
    rulebook: str = ""
    """Whose paragraphs are cited: on a page of the server a citation leads to its paragraph."""


# -- as CSV and as JSON ---------------------------------------------------------------------------


def write_csv(document: Document, stream: IO[str]) -> None:
    """Each row with the name of its section first; a line with the columns before each."""
    writer = csv.writer(stream, lineterminator="\n")
    for section in document.sections:
        writer.writerow(("sheet", *section.columns))
        for row in section.rows:
            writer.writerow((section.title, *(cell(_seen(value)) for value in row)))


def _seen(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    return [_seen(each) for each in value] if isinstance(value, list | tuple) else value


def write_json(document: Document, stream: IO[str]) -> None:
    """One object: the title, the facts, and a list of records for each section; as stored."""
    encode = msgspec.json.Encoder(enc_hook=str).encode
    head = {"title": document.title, **{name.replace(" ", "_"): v for name, v in document.facts}}
    stream.write(encode(head).decode()[:-1])
    for section in document.sections:
        stream.write(f",{encode(section.title.replace(' ', '_')).decode()}:[")
        for index, row in enumerate(section.rows):
            record = dict(zip(section.columns, row, strict=True))
            stream.write(("," if index else "") + "\n" + encode(record).decode())
        stream.write("]")
    stream.write("}\n")


# -- as a page ------------------------------------------------------------------------------------


def shown(column: str, value: Any, zone: tzinfo = UTC) -> str:
    """A value as a person reads it."""
    if value is None or (column == "round" and not value):
        return ""
    if isinstance(value, datetime):
        return value.astimezone(zone).strftime(SECONDS)
    if column in TIMES and isinstance(value, str) and value:
        return moment(value, zone)
    if isinstance(value, list | tuple):
        return ", ".join(visible(str(each)) for each in value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return visible(written(column, value))


def moment(at: str, zone: tzinfo = UTC) -> str:
    """A stored time in a zone, to the second."""
    return datetime.fromisoformat(at).astimezone(zone).strftime(SECONDS)


def write_page(
    document: Document, stream: IO[str], *, linked: bool = False, above: str = ""
) -> None:
    """The document as one HTML file; `above` is markup that stands before it on a screen."""
    stream.write(page_head(document.title, linked=linked))
    stream.write(above)
    stream.write(f"<h1>{text(document.title)}</h1>\n")
    stream.write(facts_html(document.facts))
    for section in document.sections:
        _write_section(section, document.zone, stream, document.rulebook if linked else "")
    stream.write(page_foot(document.zone))


def _write_section(section: Section, zone: tzinfo, stream: IO[str], rulebook: str) -> None:
    heading = text(section.title[:1].upper() + section.title[1:])
    stream.write(f"<section>\n<h2>{heading}</h2>\n")
    if section.note:
        stream.write(f'<p class="note">{text(section.note)}</p>\n')
    rows = iter(section.rows)
    first = next(rows, None)
    if first is None:
        stream.write('<p class="none">Nothing.</p>\n</section>\n')
        return
    stream.write("<table>\n<thead><tr>")
    for column in section.columns:
        stream.write(f'<th scope="col"{_class(column, section)}>{label(column)}</th>')
    stream.write("</tr></thead>\n<tbody>\n")
    for row in chain((first,), rows):
        cells = (
            f'<td data-label="{label(column)}"{_class(column, section, value)}>'
            f"{_inside(column, value, zone, rulebook)}</td>"
            for column, value in zip(section.columns, row, strict=True)
        )
        stream.write(f"<tr>{''.join(cells)}</tr>\n")
    stream.write("</tbody>\n</table>\n</section>\n")


def _inside(column: str, value: Any, zone: tzinfo, rulebook: str) -> str:
    """What stands in a cell; citations lead to their paragraphs, where there is a server."""
    ids = {"cites": value, "paragraph": (value,)}.get(column)
    if not rulebook or not isinstance(ids, list | tuple):
        return text(shown(column, value, zone))
    known = GAMES.load(rulebook).paragraphs
    return ", ".join(
        f'<a href="{paragraph_path(rulebook, id)}">{text(id)}</a>' if id in known else text(id)
        for id in ids
    )


def _class(column: str, section: Section, value: Any = None) -> str:
    kinds = []
    if column in MONEY:
        kinds.append("money")
        if isinstance(value, int) and value < 0:
            kinds.append("less")
    if column in TIMES or column == "clock" or isinstance(value, datetime):
        kinds.append("time")
    if column in ("cites", "people", "kinds", "root", "shuffle"):
        kinds.append("small")
    if column == "order":
        kinds.append("order")
    if column == section.wide:
        kinds.append("wide")
    return f' class="{" ".join(kinds)}"' if kinds else ""


LABELS = {
    "at": "time",
    "cites": "paragraphs",
    "says": "what came of it",
    "order": "what was ordered",
    "against": "other side",
    "held_before": "before",
    "held_after": "after",
    "amount": "change",
    "clock": "on the clock",
}
"""Columns that people call otherwise than the record does."""


def label(column: str) -> str:
    """The heading of a column."""
    return text(LABELS.get(column, column.replace("_", " ")))


def text(value: str) -> str:
    """A text on a page: visible, and no markup."""
    return escape(visible(value))


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Words with what they say, side by side."""
    pairs = "".join(
        f"<div{' class=long' if len(v) > LONG else ''}><dt>{text(k)}</dt><dd>{text(v)}</dd></div>"
        for k, v in facts
        if v
    )
    return f"<dl>{pairs}</dl>\n" if pairs else ""


def page_head(title: str, *, styles: tuple[str, ...] = (PAPER,), linked: bool = False) -> str:
    """Everything before what a page says. It runs nothing; with its styles inside it loads nothing
    either, and `linked` is for pages of the server."""
    if linked:
        style = "".join(
            f'<link rel="stylesheet" href="/static/style/{name}.css">\n' for name in styles
        )
    else:
        style = (
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<style>{''.join(map(_style, styles))}</style>\n"
        )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n{style}</head>\n<body>\n<main>\n"
    )


@cache
def _style(name: str) -> str:
    return (files("croupier") / "web" / "style" / f"{name}.css").read_text("utf-8")


def page_foot(zone: tzinfo = UTC, says: str = "") -> str:
    """Everything after it: when and by what it was made."""
    now = datetime.now(zone)
    made = f"Made {now.strftime(SECONDS)} {now.tzname()} by croupier {__version__}."
    more = f"<p>{text(says)}</p>" if says else ""
    return f"</main>\n<footer>{more}<p>{text(made)}</p></footer>\n</body>\n</html>\n"
