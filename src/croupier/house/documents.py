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
from html import escape
from typing import IO, Any

import msgspec
from msgspec import Struct

from croupier import __version__
from croupier.house.names import visible
from croupier.house.reports.sheets import MONEY, cell, written

TIMES = frozenset(("at", "since", "until"))
"""Columns that hold a moment."""
SECONDS = "%Y-%m-%d %H:%M:%S"


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
    if value is None:
        return ""
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


def write_page(document: Document, stream: IO[str]) -> None:
    """The document as one HTML file."""
    stream.write(page_head(document.title))
    stream.write(f"<h1>{text(document.title)}</h1>\n")
    stream.write(facts_html(document.facts))
    for section in document.sections:
        _write_section(section, document.zone, stream)
    stream.write(page_foot(document.zone))


def _write_section(section: Section, zone: tzinfo, stream: IO[str]) -> None:
    heading = text(section.title[:1].upper() + section.title[1:])
    stream.write(f"<section>\n<h2>{heading}</h2>\n")
    if section.note:
        stream.write(f'<p class="note">{text(section.note)}</p>\n')
    stream.write("<table>\n<thead><tr>")
    for column in section.columns:
        stream.write(f'<th scope="col"{_class(column, section)}>{label(column)}</th>')
    stream.write("</tr></thead>\n<tbody>\n")
    none = True
    for row in section.rows:
        none = False
        cells = (
            f'<td data-label="{label(column)}"{_class(column, section, value)}>'
            f"{text(shown(column, value, zone))}</td>"
            for column, value in zip(section.columns, row, strict=True)
        )
        stream.write(f"<tr>{''.join(cells)}</tr>\n")
    stream.write("</tbody>\n</table>\n")
    if none:
        stream.write('<p class="none">Nothing.</p>\n')
    stream.write("</section>\n")


def _class(column: str, section: Section, value: Any = None) -> str:
    kinds = []
    if column in MONEY:
        kinds.append("money")
        if isinstance(value, int) and value < 0:
            kinds.append("less")
    if column in TIMES:
        kinds.append("time")
    if column == section.wide:
        kinds.append("wide")
    return f' class="{" ".join(kinds)}"' if kinds else ""


def label(column: str) -> str:
    """The heading of a column."""
    return text(column.replace("_", " "))


def text(value: str) -> str:
    """A text on a page: visible, and no markup."""
    return escape(visible(value))


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Words with what they say, side by side."""
    pairs = "".join(f"<div><dt>{text(k)}</dt><dd>{text(v)}</dd></div>" for k, v in facts if v)
    return f"<dl>{pairs}</dl>\n" if pairs else ""


def page_head(title: str, more_style: str = "") -> str:
    """Everything before what a page says. It loads nothing and runs nothing."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}{more_style}</style>\n</head>\n<body>\n"
        "<main>\n"
    )


def page_foot(zone: tzinfo = UTC, says: str = "") -> str:
    """Everything after it: when and by what it was made."""
    now = datetime.now(zone)
    made = f"Made {now.strftime(SECONDS)} {now.tzname()} by croupier {__version__}."
    more = f"<p>{text(says)}</p>" if says else ""
    return f"</main>\n<footer>{more}<p>{text(made)}</p></footer>\n</body>\n</html>\n"


STYLE = """
:root { color-scheme: light; --ink: #14181b; --soft: #55606a; --line: #d9dee2; --gold: #a8782a;
  --less: #9b1c2b; --paper: #ffffff; --wash: #f6f4ef; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--wash); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 1160px; margin: 0 auto; padding: 32px 32px 24px; background: var(--paper);
  border-top: 4px solid var(--gold); }
h1 { margin: 0 0 14px; font: 600 27px/1.2 Georgia, "Palatino Linotype", "DejaVu Serif", serif;
  overflow-wrap: anywhere; }
h2 { margin: 30px 0 8px; font-size: 17px; line-height: 1.3; }
p { margin: 0 0 8px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 10px 24px;
  margin: 0 0 8px; padding: 12px 0; border-top: 1px solid var(--line);
  border-bottom: 1px solid var(--line); }
dt { color: var(--soft); font-size: 12px; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; font-size: 13.5px; }
th { padding: 6px 10px 6px 0; border-bottom: 2px solid var(--ink); text-align: left;
  vertical-align: bottom; font-size: 12px; font-weight: 600; color: var(--soft); }
td { padding: 6px 10px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top;
  overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
.money { text-align: right; white-space: nowrap; }
.less { color: var(--less); }
.time { white-space: nowrap; }
.wide { min-width: 20em; }
.note, .none, footer { color: var(--soft); font-size: 13px; }
footer { max-width: 1160px; margin: 0 auto; padding: 14px 32px 32px; }
footer p { margin: 0; }
@media screen and (max-width: 760px) {
  main { padding: 20px 16px; }
  footer { padding: 12px 16px 24px; }
  h1 { font-size: 23px; }
  dl { grid-template-columns: 1fr 1fr; gap: 8px 16px; }
  table, tbody, tr, td { display: block; width: 100%; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
  td { display: grid; grid-template-columns: 7.5em 1fr; gap: 8px; padding: 2px 0; border: 0;
    text-align: left; white-space: normal; min-width: 0; }
  td::before { content: attr(data-label); color: var(--soft); font-size: 12px; line-height: 20px; }
  td:empty { display: none; }
  .money { text-align: left; }
  .wide { min-width: 0; }
}
@media print {
  @page { size: a4; margin: 14mm 12mm; }
  body { background: #ffffff; font-size: 9.5pt; }
  main { max-width: none; padding: 0; border-top-width: 2pt; padding-top: 8pt; }
  footer { max-width: none; padding: 8pt 0 0; font-size: 8pt; }
  h1 { font-size: 17pt; }
  h2 { margin-top: 14pt; font-size: 11.5pt; break-after: avoid; }
  table { font-size: 8pt; }
  th { font-size: 7.5pt; }
  thead { display: table-header-group; }
  tr, dl { break-inside: avoid; }
  .wide { min-width: 0; }
}
"""
