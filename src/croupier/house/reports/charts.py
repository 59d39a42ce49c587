"""Charts as pieces of SVG for a page of the server: columns by hour, and a bar in a row.

Widths are shares of the page and letters keep their size, so that a chart is read on a telephone as
on paper. Colours are classes of the page's own style; nothing is fetched, and nothing runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct

HIGH = 150
"""Pixels of the tallest column."""
ABOVE, BELOW = 20, 22
"""Pixels for the highest value above it, and for the hours below."""


class Series(Struct, frozen=True, kw_only=True):
    """Values of one kind, one for each label."""

    name: str
    look: str
    """The class that colours it."""
    values: Sequence[int]


def columns(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    write: Callable[[int], str] = str,
    every: int = 3,
) -> str:
    """Columns side by side, those of several series one on the other; every so many a label.

    Several series are counts. A single one may be negative: then its column hangs below the line.
    """
    sums = [sum(column) for column in zip(*(one.values for one in series), strict=True)]
    top, bottom = max(0, *sums), min(0, *sums)
    scale = HIGH / (top - bottom or 1)
    line = ABOVE + top * scale
    wide = 100 / max(1, len(labels))
    parts = [f'<line class="axis" x1="0" x2="100%" y1="{line:.1f}" y2="{line:.1f}"/>']
    for number, label in enumerate(labels):
        y = line
        for one in series:
            value = one.values[number]
            if not value:
                continue
            tall = max(1.0, abs(value) * scale)
            y -= tall if value > 0 else 0
            kind = one.look if value > 0 else f"{one.look} less"
            says = escape(f"{label}: {write(value)} {one.name}".rstrip())
            parts.append(
                f'<rect class="{kind}" x="{number * wide + wide * 0.12:.2f}%" y="{y:.1f}" '
                f'width="{wide * 0.76:.2f}%" height="{tall:.1f}" rx="2">'
                f"<title>{says}</title></rect>"
            )
    parts += _words(labels, sums, line, scale, wide, write, every)
    high = ABOVE + (top - bottom) * scale + BELOW
    says = escape(_told(title, labels, sums, write))
    return (
        f'<svg class="columns" width="100%" height="{high:.0f}" role="img" aria-label="{says}">'
        f"{''.join(parts)}</svg>\n{_legend(series)}"
    )


def _words(
    labels: Sequence[str],
    sums: Sequence[int],
    line: float,
    scale: float,
    wide: float,
    write: Callable[[int], str],
    every: int,
) -> list[str]:
    """The hours below, and the value of the highest column above it."""
    low = line - min(0, *sums) * scale
    found = [
        f'<text class="label" x="{number * wide:.2f}%" y="{low + 15:.1f}">{escape(label)}</text>'
        for number, label in enumerate(labels)
        if number % every == 0
    ]
    best = max(range(len(sums)), key=lambda number: sums[number], default=0)
    if sums and sums[best] > 0:
        middle = min(max((best + 0.5) * wide, 4), 96)
        y = line - sums[best] * scale - 5
        value = escape(write(sums[best]))
        found.append(f'<text class="value" x="{middle:.2f}%" y="{y:.1f}">{value}</text>')
    return found


def _told(
    title: str, labels: Sequence[str], sums: Sequence[int], write: Callable[[int], str]
) -> str:
    """A chart in a sentence."""
    if not any(sums):
        return f"{title}: nothing"
    best = max(range(len(sums)), key=lambda number: sums[number])
    return f"{title}: {write(sum(sums))} in all, most at {labels[best]}: {write(sums[best])}"


def _legend(series: Sequence[Series]) -> str:
    if len(series) < 2:
        return ""
    keys = "".join(
        f'<li><svg class="key" width="11" height="11" aria-hidden="true">'
        f'<rect class="{one.look}" width="11" height="11" rx="2"/></svg>{escape(one.name)}</li>'
        for one in series
    )
    return f'<ul class="legend">{keys}</ul>\n'


def bar(value: int, most: int, look: str = "first") -> str:
    """One bar in a row, as a share of the longest; what it stands for is written beside it."""
    share = 100 * abs(value) / most if most else 0
    kind = look if value >= 0 else f"{look} less"
    return (
        f'<svg class="bar" width="100%" height="12" aria-hidden="true">'
        f'<rect class="{kind}" width="{share:.1f}%" height="12" rx="2"/></svg>'
    )
