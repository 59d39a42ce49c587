"""A report: one HTML file that opens anywhere, without a network, and prints well.

It is made of parts (figures of a few words, charts, tables, notes) that the ``report_…`` modules
put together. Everything is escaped here; only charts come in as SVG.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import msgspec

from croupier import __version__
from croupier.lab.charts import Svg
from croupier.lab.errors import LabError


class ReportError(LabError):
    """A report cannot be written."""


class Facts(msgspec.Struct, frozen=True, tag="facts"):
    """A few figures that matter most: name, value, and what it is."""

    rows: tuple[tuple[str, str, str], ...]


class Chart(msgspec.Struct, frozen=True, tag="chart"):
    """A chart with what it shows."""

    svg: Svg
    title: str
    caption: str = ""


class Grid(msgspec.Struct, frozen=True, tag="grid"):
    """A table. A heading that ends with ``>`` has its column set to the right."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


class Note(msgspec.Struct, frozen=True, tag="note"):
    """A paragraph."""

    text: str


class Heading(msgspec.Struct, frozen=True, tag="heading"):
    """Begins a part of the report."""

    text: str


Part = Facts | Chart | Grid | Note | Heading


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a report, from top to bottom."""

    title: str
    subtitle: str
    parts: tuple[Part, ...]
    made_by: str = ""
    """The command that makes it again."""


def to_html(report: Report) -> str:
    """The report as one HTML page that needs nothing else."""
    body = "\n".join(_part(part) for part in report.parts)
    again = f" with <code>{escape(report.made_by)}</code>" if report.made_by else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(report.title)}</title>
<style>{_CSS}</style>
</head>
<body>
<main>
<header><h1>{escape(report.title)}</h1><p class="subtitle">{escape(report.subtitle)}</p></header>
{body}
<footer>Made by croupier {escape(__version__)}{again}.</footer>
</main>
</body>
</html>
"""


def write_report(path: Path, report: Report) -> None:
    """Write the report to a file."""
    try:
        path.write_text(to_html(report), encoding="utf-8")
    except OSError as error:
        raise ReportError(f"{path}: the report cannot be written: {error.strerror}") from error


def _part(part: Part) -> str:
    match part:
        case Heading(text=text):
            return f"<h2>{escape(text)}</h2>"
        case Note(text=text):
            return f"<p>{escape(text)}</p>"
        case Facts(rows=rows):
            return '<dl class="facts">' + "".join(_fact(*row) for row in rows) + "</dl>"
        case Chart(svg=svg, title=title, caption=caption):
            told = f"<p>{escape(caption)}</p>" if caption else ""
            head = f"<figcaption><strong>{escape(title)}</strong>{told}</figcaption>"
            return f'<figure>{head}<div class="chart">{svg}</div></figure>'
        case Grid():
            return _grid(part)


def _fact(name: str, value: str, what: str) -> str:
    told = f"<dd class='what'>{escape(what)}</dd>" if what else ""
    return f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd>{told}</div>"


def _grid(grid: Grid) -> str:
    sides = [" class='number'" if heading.endswith(">") else "" for heading in grid.headings]

    def cells(tag: str, row: Sequence[str]) -> str:
        written = (
            f"<{tag}{side}>{escape(cell)}</{tag}>" for side, cell in zip(sides, row, strict=True)
        )
        return f"<tr>{''.join(written)}</tr>"

    head = cells("th", [heading.rstrip(">") for heading in grid.headings])
    rows = "".join(cells("td", row) for row in grid.rows)
    told = f"<p>{escape(grid.caption)}</p>" if grid.caption else ""
    caption = f"<strong>{escape(grid.title)}</strong>{told}" if grid.title else told
    return (
        f'<div class="table"><table><caption>{caption}</caption>'
        f"<thead>{head}</thead><tbody>{rows}</tbody></table></div>"
    )


def svg_file(chart: Chart) -> str:
    """A chart as a picture of its own, which needs no page around it."""
    opening, stop, rest = chart.svg.partition(">")
    return f"{opening}{stop}<style>{_COLOURS}svg {{ background: var(--paper); }}</style>{rest}"


_COLOURS = """
:root {
  --paper: #ffffff; --ink: #1c1e21; --muted: #5d646d; --grid: #e2e5e9; --panel: #f6f7f9;
  --first: #1d669e; --second: #c2570c; --good: #1d669e; --bad: #c8702d;
  --letters: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
"""
_CSS = (
    _COLOURS
    + """@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e8eaed; --muted: #a0a8b1; --grid: #2e343b; --panel: #1d2126;
    --first: #6db3e8; --second: #f0a35e; --good: #6db3e8; --bad: #e39255;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 var(--letters); }
main { max-width: 900px; margin: 0 auto; padding: 2.5rem 1.25rem 3rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
.subtitle { color: var(--muted); margin: .35rem 0 0; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .4rem; padding-top: 1.1rem;
  border-top: 1px solid var(--grid); }
p { max-width: 44rem; margin: .5rem 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .75rem;
  margin: 1.5rem 0; }
.facts > div { background: var(--panel); border-radius: 8px; padding: .8rem 1rem; }
.facts dt { color: var(--muted); font-size: .85rem; }
.facts dd { margin: 0; font-size: 1.4rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.facts dd.what { color: var(--muted); font-size: .8rem; font-weight: 400; line-height: 1.35; }
figure { margin: 1.75rem 0; break-inside: avoid; }
figcaption p, caption p { color: var(--muted); font-size: .9rem; font-weight: 400;
  margin: .15rem 0 .5rem; }
.chart svg { display: block; width: 100%; height: auto; margin: .5rem auto 0; }
.table { overflow-x: auto; margin: 1.75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; margin-bottom: .5rem; }
caption > * { display: block; max-width: min(44rem, calc(100vw - 2.5rem)); }
th, td { text-align: left; padding: .38rem .75rem .38rem 0; vertical-align: top;
  border-bottom: 1px solid var(--grid); }
th { color: var(--muted); font-weight: 600; font-size: .82rem; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; white-space: nowrap; }
.number + :not(.number) { padding-left: 1.25rem; }
code { font-size: .9em; overflow-wrap: anywhere; }
footer { color: var(--muted); font-size: .82rem; margin-top: 3rem; padding-top: 1rem;
  border-top: 1px solid var(--grid); }
@page { margin: 16mm 14mm; }
@media print {
  :root { --paper: #ffffff; --ink: #000000; --muted: #444444; --grid: #d5d5d5; --panel: #f4f4f4;
    --first: #1d669e; --second: #c2570c; --good: #1d669e; --bad: #c8702d; }
  body { font-size: 11pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  h2, figcaption, caption { break-after: avoid; }
  tr, .facts > div { break-inside: avoid; }
  .table { overflow: visible; }
  table, th, caption p, figcaption p { font-size: 8.5pt; }
  td, th { padding-right: .45rem; }
  td { overflow-wrap: anywhere; }
  .number { overflow-wrap: normal; }
}
"""
)
