"""The chart of actual against theory: every group as a point among the bands."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.lab.charts import (
    BAD,
    FIRST,
    GRID,
    INK,
    MUTED,
    SECOND,
    Svg,
    blank_figure,
    style,
    to_svg,
)
from croupier.lab.distribution import LEVELS
from croupier.lab.report_words import minus

_COLOURS = {"inside": FIRST, "outside 95%": SECOND, "outside 99%": BAD}


def deviations(rows: Sequence[tuple[str, float, str]], *, label: str) -> Svg:
    """Each group by how many standard deviations it lies off: name, deviations, mark."""
    with style():
        figure = blank_figure(8.4, 0.9 + 0.34 * len(rows))
        axes = figure.add_subplot()
        most = max(3.4, *(1.25 * abs(each[1]) + 0.5 for each in rows))
        for level, shade in (("99%", 0.10), ("95%", 0.16)):
            width = LEVELS[level]
            axes.axvspan(-width, width, color=FIRST, alpha=shade, linewidth=0)
            for side in (-width, width):
                axes.axvline(side, color=GRID, linewidth=0.8)
        axes.axvline(0, color=MUTED, linewidth=1.0)
        for place, (_, off, mark) in enumerate(rows):
            axes.plot([0, off], [place, place], color=_COLOURS[mark], linewidth=2.2)
            axes.plot([off], [place], "o", color=_COLOURS[mark], markersize=6)
            side = 1 if off >= 0 else -1
            axes.annotate(
                minus(f"{off:+.2f}"),
                (off, place),
                xytext=(9 * side, 0),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=9.5,
                color=INK,
            )
        axes.set_yticks(range(len(rows)), [each[0] for each in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(-most, most)
        axes.set_xlabel("standard deviations from theory; to the left the House won less")
        axes.xaxis.set_major_formatter(lambda x, _: minus(f"{x:g}"))
        axes.grid(visible=False)
        return to_svg(figure, label)
