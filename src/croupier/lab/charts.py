"""Charts as pieces of SVG for a page: they take the page's colours, light or dark.

matplotlib draws with a few stand-in colours; in the finished SVG these become the page's own CSS
variables, and text stays text in the page's own letters. Nothing is fetched from anywhere.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, TypeAlias

import numpy as np

from croupier.lab.errors import LabMissing
from croupier.lab.report_words import minus

Svg: TypeAlias = str

# Stand-ins, and what they become.
INK, MUTED, GRID, PAPER = "#010101", "#020202", "#030303", "#040404"
FIRST, SECOND, GOOD, BAD = "#050505", "#060606", "#070707", "#080808"
_VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    PAPER: "--paper",
    FIRST: "--first",
    SECOND: "--second",
    GOOD: "--good",
    BAD: "--bad",
}
_RANKS = "AKQJT98765432"
_LOW, _MIDDLE, _HIGH = (0.74, 0.36, 0.05), (0.965, 0.96, 0.945), (0.11, 0.40, 0.62)
_NAMES = 0
"""How many charts have been drawn: each gets names of its own, so that several fit on a page."""


@contextmanager
def style() -> Iterator[Any]:
    """How all charts look."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise LabMissing("matplotlib") from error
    with mpl.rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "croupier",
            "font.size": 11,
            "axes.edgecolor": GRID,
            "axes.labelcolor": MUTED,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.spines.left": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "grid.color": GRID,
            "grid.linewidth": 0.8,
            "text.color": INK,
            "xtick.color": MUTED,
            "ytick.color": MUTED,
            "xtick.major.size": 0,
            "ytick.major.size": 0,
            "xtick.major.pad": 6,
        }
    ):
        yield mpl


def blank_figure(width: float, height: float) -> Any:
    """A figure of so many inches, without a background."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), facecolor="none", layout="constrained")


def to_svg(figure: Any, label: str) -> Svg:
    """The figure as a piece of a page, with names that no other chart has."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for stand_in, variable in _VARIABLES.items():
        svg = svg.replace(stand_in, f"var({variable})")
    svg = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font: \1px var(--letters)", svg)
    global _NAMES  # noqa: PLW0603
    _NAMES += 1
    prefix = f"c{_NAMES}-"
    svg = re.sub(r' id="([^"]+)"', rf' id="{prefix}\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}\1"', svg)
    width, height = (float(n) for n in re.findall(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', svg)[0])
    opening = (
        f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 {width:g} {height:g}" '
        f'style="max-width:{width * 1.34:.0f}px" xmlns="http://www.w3.org/2000/svg" role="img" '
        f'aria-label="{escape(label)}">'
    )
    return opening + svg[svg.index(">") + 1 :]


# ---- the square of starting hands ------------------------------------------------------------


def heat_map(
    values: Mapping[str, float],
    *,
    label: str,
    write: Callable[[float], str],
    middle: float | None = None,
    marked: Mapping[str, str] | None = None,
) -> Svg:
    """The 169 starting hands in their square, coloured by value.

    With a ``middle``, values below it are warm and above it cool; without, they run from pale to
    cool. ``marked`` hands are warm and show a word in place of their value. A hand without a value
    is left blank.
    """
    low = min(values.values(), default=0.0)
    high = max(values.values(), default=1.0)
    marks = marked or {}
    with style():
        from matplotlib.patches import Rectangle

        figure = blank_figure(7.6, 7.6)
        axes = figure.add_subplot()
        for row in range(13):
            for column in range(13):
                name = _name(row, column)
                value = values.get(name)
                red, green, blue = (
                    (0.5, 0.5, 0.5)
                    if value is None
                    else _LOW
                    if name in marks
                    else _colour(value, low, middle, high)
                )
                axes.add_patch(
                    Rectangle(
                        (column, row),
                        0.96,
                        0.96,
                        facecolor=(red, green, blue) if value is not None else "none",
                        edgecolor=GRID if value is None else "none",
                        linewidth=0.6,
                    )
                )
                dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
                ink = MUTED if value is None else "#ffffff" if dark else "#1b1b1b"
                axes.text(
                    column + 0.48,
                    row + (0.40 if value is not None else 0.55),
                    name,
                    ha="center",
                    va="center",
                    fontsize=10.5,
                    fontweight="bold" if value is not None else "normal",
                    color=ink,
                )
                if value is not None:
                    axes.text(
                        column + 0.48,
                        row + 0.72,
                        marks.get(name, write(value)),
                        ha="center",
                        va="center",
                        fontsize=8,
                        color=ink,
                    )
        axes.set_xlim(-0.02, 13)
        axes.set_ylim(13, -0.02)
        axes.set_aspect("equal")
        axes.axis("off")
        return to_svg(figure, label)


def _name(row: int, column: int) -> str:
    high, low = _RANKS[min(row, column)], _RANKS[max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


def _colour(value: float, low: float, middle: float | None, high: float) -> tuple[float, ...]:
    centre = low if middle is None else middle
    if value <= centre:
        span = centre - low
        share, end = (0.0 if span <= 0 else (centre - value) / span), _LOW
    else:
        span = high - centre
        share, end = (0.0 if span <= 0 else (value - centre) / span), _HIGH
    share = min(1.0, share) ** 0.8
    return tuple(m + (e - m) * share for m, e in zip(_MIDDLE, end, strict=True))


# ---- curves and bars -------------------------------------------------------------------------


def value_against_meter(
    meters: Sequence[float],
    values: Sequence[float],
    *,
    break_even: float | None,
    now: tuple[float, float] | None,
    label: str,
) -> Svg:
    """The value of a jackpot stake over the meter, with where it breaks even and where it is."""
    with style():
        figure = blank_figure(8.4, 3.6)
        axes = figure.add_subplot()
        axes.axhline(0, color=MUTED, linewidth=1)
        axes.plot(meters, values, color=FIRST, linewidth=2.2)
        given = np.asarray(values)
        axes.fill_between(meters, given, 0, where=given > 0, color=GOOD, alpha=0.15, linewidth=0)
        axes.fill_between(meters, given, 0, where=given < 0, color=BAD, alpha=0.12, linewidth=0)
        if break_even is not None and meters[0] <= break_even <= meters[-1]:
            axes.plot([break_even], [0], "o", color=GOOD, markersize=7)
            axes.annotate(
                f"breaks even at {break_even:,.0f}",
                (break_even, 0),
                xytext=(-8, 10),
                textcoords="offset points",
                ha="right",
                color=INK,
            )
        if now is not None:
            axes.plot([now[0]], [now[1]], "o", color=SECOND, markersize=7)
            right = now[0] > 0.7 * meters[-1]
            axes.annotate(
                minus(f"at {now[0]:,.0f}: {now[1]:+.1%}"),
                now,
                xytext=(-10, -16) if right else (10, -14),
                textcoords="offset points",
                ha="right" if right else "left",
                color=INK,
            )
        axes.set_xlim(meters[0], meters[-1])
        axes.set_xlabel("meter, in units of the table")
        axes.set_ylabel("of the stake")
        axes.xaxis.set_major_formatter(thousands)
        axes.yaxis.set_major_formatter(lambda y, _: minus(f"{y:+.0%}") if y else "0%")
        axes.grid(axis="x", visible=False)
        return to_svg(figure, label)


def distribution(
    values: Sequence[float] | np.ndarray[Any, Any],
    *,
    label: str,
    unit: str,
    marks: Sequence[tuple[float, str]] = (),
) -> Svg:
    """How results are spread: losses warm, wins cool, with marks at given values.

    What lies far outside is counted in the last bars, so that a jackpot does not squeeze the rest.
    """
    given = np.asarray(values, np.float64)
    with style():
        figure = blank_figure(8.4, 3.8)
        axes = figure.add_subplot()
        if len(given):
            low, quarter, rest, high = np.quantile(given, [0.002, 0.25, 0.75, 0.998])
            reach = 4 * (rest - quarter)
            low = min(max(low, quarter - reach), 0.0)
            high = max(min(high, rest + reach), 0.0)
            step = _nice((high - low) / 48 or 1.0)
            edges = np.arange(math.floor(low / step), math.ceil(high / step) + 1.5) * step
            counts, _ = np.histogram(np.clip(given, edges[0], edges[-1] - step / 2), edges)
            shares = counts / len(given)
            centres = edges[:-1] + step / 2
            axes.bar(
                centres,
                shares,
                width=step * 0.9,
                color=[GOOD if centre > 0 else BAD for centre in centres],
                linewidth=0,
            )
            axes.axvline(0, color=MUTED, linewidth=1)
            top = float(shares.max()) or 1.0
            for level, (value, text) in enumerate(marks):
                height = top * (1.06 + 0.085 * (level % 3))
                axes.plot(
                    [value, value], [0, height], color=INK, linewidth=0.9, linestyle=(0, (3, 2))
                )
                centre = (edges[0] + edges[-1]) / 2
                axes.annotate(
                    text,
                    (value, height),
                    xytext=(4 if value < centre else -4, -1),
                    textcoords="offset points",
                    ha="left" if value < centre else "right",
                    va="center",
                    fontsize=9.5,
                    color=INK,
                )
            axes.set_ylim(0, top * 1.3)
            axes.set_xlim(edges[0], edges[-1])
        axes.set_xlabel(unit)
        axes.set_ylabel("share of sessions")
        axes.xaxis.set_major_formatter(thousands)
        axes.yaxis.set_major_formatter(
            lambda y, _: f"{y:.0%}" if y >= 0.01 or not y else f"{y:.1%}"
        )
        axes.grid(axis="x", visible=False)
        return to_svg(figure, label)


def waiting_times(gaps: Sequence[float], *, mean: float | None, label: str, unit: str) -> Svg:
    """Times between jackpots as bars, and as a curve what pure chance makes of their mean."""
    given = np.asarray(gaps, np.float64)
    with style():
        figure = blank_figure(8.4, 3.4)
        axes = figure.add_subplot()
        typical = mean if mean else float(given.mean()) if len(given) else 1.0
        top = max(float(given.max()) if len(given) else 0.0, 3.5 * typical)
        bars = int(min(40, max(8, len(given) ** 0.5 * 2)))
        step = _nice(top / bars)
        edges = np.arange(0, math.ceil(top / step) + 1) * step
        counts, _ = np.histogram(given, edges)
        axes.bar(edges[:-1] + step / 2, counts / max(1, len(given)), width=step * 0.9, color=FIRST)
        curve = np.linspace(0, edges[-1], 200)
        axes.plot(
            curve,
            np.exp(-curve / typical)
            * (1 - math.exp(-step / typical))
            * math.exp(step / typical / 2),
            color=SECOND,
            linewidth=2,
        )
        axes.axvline(typical, color=INK, linewidth=0.9, linestyle=(0, (3, 2)))
        axes.annotate(
            f"mean {typical:,.0f}",
            (typical, axes.get_ylim()[1] * 0.94),
            xytext=(5, 0),
            textcoords="offset points",
            va="top",
            fontsize=9.5,
        )
        axes.set_xlim(0, edges[-1])
        axes.set_xlabel(unit)
        axes.set_ylabel("share of jackpots")
        axes.xaxis.set_major_formatter(thousands)
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
        axes.grid(axis="x", visible=False)
        return to_svg(figure, label)


def meter_path(
    path: Sequence[tuple[float, float]],
    *,
    reset: float,
    jackpots: Sequence[tuple[float, float]],
    label: str,
    unit: str,
) -> Svg:
    """The meter over time, with the full awards marked."""
    with style():
        figure = blank_figure(8.4, 3.4)
        axes = figure.add_subplot()
        xs, ys = [x for x, _ in path], [y for _, y in path]
        axes.axhline(reset, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
        axes.fill_between(xs, ys, 0, color=FIRST, alpha=0.12, linewidth=0)
        axes.plot(xs, ys, color=FIRST, linewidth=1.4)
        axes.plot(
            [x for x, _ in jackpots],
            [y for _, y in jackpots],
            "o",
            color=SECOND,
            markersize=4.5 if len(jackpots) < 60 else 2.5,
        )
        if xs:
            axes.set_xlim(xs[0], xs[-1] or 1)
            axes.set_ylim(0, max(ys) * 1.08 or 1)
        axes.set_xlabel(unit)
        axes.set_ylabel("meter, in units of the table")
        axes.xaxis.set_major_formatter(thousands)
        axes.yaxis.set_major_formatter(thousands)
        axes.grid(axis="x", visible=False)
        return to_svg(figure, label)


def shares(rows: Sequence[tuple[str, Sequence[float]]], *, label: str) -> Svg:
    """Horizontal bars of shares that add up: won, split, and the rest."""
    with style():
        figure = blank_figure(8.4, 0.55 + 0.52 * len(rows))
        axes = figure.add_subplot()
        colours = (FIRST, SECOND)
        for place, (_, parts) in enumerate(rows):
            left = 0.0
            for part, colour in zip(parts, colours, strict=False):
                axes.barh(place, part, left=left, color=colour, height=0.62, linewidth=0)
                left += part
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.tick_params(axis="y", labelcolor=INK)
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:.0%}")
        axes.grid(axis="y", visible=False)
        axes.spines["bottom"].set_visible(False)
        return to_svg(figure, label)


def thousands(value: float, _: object) -> str:
    """A number on an axis."""
    if abs(value) >= 1e6:
        text = f"{value / 1e6:,.4g} M"
    else:
        text = f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
    return minus(text)


def _nice(step: float) -> float:
    """A round number of about this size."""
    if step <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(step))
    for times in (1, 2, 2.5, 5, 10):
        if step <= times * power:
            return times * power
    return 10 * power


def weighted_distribution(
    values: Sequence[float],
    weights: Sequence[float] | np.ndarray[Any, Any],
    *,
    label: str,
    unit: str,
) -> Svg:
    """How results are spread whose probabilities are known: losses warm, wins cool."""
    given, shares = np.asarray(values, np.float64), np.asarray(weights, np.float64)
    order = np.cumsum(shares)
    low = min(float(given[np.searchsorted(order, 0.0005)]), 0.0)
    high = max(float(given[min(len(given) - 1, int(np.searchsorted(order, 0.9995)))]), 0.0)
    with style():
        figure = blank_figure(8.4, 3.6)
        axes = figure.add_subplot()
        step = _nice((high - low) / 48 or 1.0)
        edges = np.arange(math.floor(low / step), math.ceil(high / step) + 1.5) * step
        inside = np.clip(given, edges[0], edges[-1] - step / 2)
        heights, _ = np.histogram(inside, edges, weights=shares)
        centres = edges[:-1] + step / 2
        colours = [GOOD if centre > 0 else BAD for centre in centres]
        axes.bar(centres, heights, width=step * 0.9, color=colours, linewidth=0)
        axes.axvline(0, color=MUTED, linewidth=1)
        axes.set_xlim(edges[0], edges[-1])
        axes.set_xlabel(unit)
        axes.set_ylabel("share of sessions")
        axes.xaxis.set_major_formatter(thousands)
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:.1%}")
        axes.grid(axis="x", visible=False)
        return to_svg(figure, label)
