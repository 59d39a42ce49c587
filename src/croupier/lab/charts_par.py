"""The charts of a PAR sheet: results, the return over the meter, and how it settles down."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.lab.charts import (
    BAD,
    FIRST,
    GOOD,
    INK,
    MUTED,
    PAPER,
    SECOND,
    Svg,
    blank_figure,
    style,
    thousands,
    to_svg,
)
from croupier.lab.report_words import minus


def results(bars: Sequence[tuple[str, float, float]], *, label: str, unit: str) -> Svg:
    """How often each result comes: name, value and share of each; the share stands over its bar."""
    with style():
        figure = blank_figure(8.4, 3.6)
        axes = figure.add_subplot()
        top = max((share for _, _, share in bars), default=1.0)
        for place, (_, value, share) in enumerate(bars):
            colour = GOOD if value > 0 else BAD if value < 0 else MUTED
            axes.bar(place, share, width=0.78, color=colour, linewidth=0)
            axes.text(
                place,
                share + 0.02 * top,
                f"{share:.2%}" if share >= 0.0001 else f"{share:.1e}",
                ha="center",
                va="bottom",
                fontsize=9.5,
                color=INK,
            )
        axes.set_xticks(range(len(bars)), [name for name, _, _ in bars])
        axes.tick_params(axis="x", labelcolor=INK)
        axes.set_ylim(0, 1.14 * top)
        axes.set_xlabel(unit)
        axes.set_yticks([])  # each bar says its share
        axes.grid(visible=False)
        return to_svg(figure, label)


def bands(
    rounds: Sequence[float],
    ticks: Sequence[int],
    middle: float,
    spans: Sequence[tuple[str, Sequence[float], Sequence[float]]],
    *,
    label: str,
) -> Svg:
    """Where the return lies after so many rounds: one span for each level, the widest first."""
    with style():
        figure = blank_figure(8.4, 3.8)
        axes = figure.add_subplot()
        for shade, (_, low, high) in zip((0.14, 0.26), spans, strict=False):
            axes.fill_between(rounds, low, high, color=FIRST, alpha=shade, linewidth=0)
        axes.plot(rounds, [middle] * len(rounds), color=FIRST, linewidth=1.8)
        axes.set_xscale("log")
        axes.set_xlim(rounds[0], rounds[-1])
        least = min(min(span[1]) for span in spans)
        most = max(max(span[2]) for span in spans)
        axes.set_ylim(least - 0.04 * (most - least), most + 0.04 * (most - least))
        # In the corner that a funnel leaves free.
        names = "; ".join(
            f"{'lighter and darker' if n == 0 else 'darker'}: {name} of the time"
            for n, (name, _, _) in enumerate(spans)
        )
        axes.text(
            0.99,
            0.96,
            f"line: return of {middle:.4%}\n{names}",
            transform=axes.transAxes,
            ha="right",
            va="top",
            fontsize=9.5,
            color=INK,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 3},
        )
        axes.set_xlabel("rounds")
        axes.minorticks_off()
        axes.set_xticks(list(ticks), [f"{n:,}" for n in ticks])
        axes.yaxis.set_major_formatter(lambda y, _: minus(f"{y:.1%}"))
        axes.grid(axis="x", visible=False)
        return to_svg(figure, label)


def return_over_meter(
    points: Sequence[tuple[float, float]],
    *,
    without: float,
    marks: Sequence[tuple[float, float, str]],
    label: str,
) -> Svg:
    """What a jackpot stake returns over the meter, with what it returns without it."""
    with style():
        figure = blank_figure(8.4, 3.8)
        axes = figure.add_subplot()
        xs, ys = [x for x, _ in points], [y for _, y in points]
        top = max(*ys, 1.0)
        axes.axhline(1, color=MUTED, linewidth=1, linestyle=(0, (3, 2)))
        axes.axhline(without, color=SECOND, linewidth=1.4)
        axes.plot(xs, ys, color=FIRST, linewidth=2.2)
        axes.set_xlim(0, xs[-1])
        axes.set_ylim(0, 1.16 * top)
        axes.text(xs[-1] * 0.99, without - 0.02 * top, f"without the meter {without:.2%}",
                  ha="right", va="top", fontsize=9.5, color=INK)  # fmt: skip
        axes.text(xs[-1] * 0.01, 1 + 0.02 * top, "all comes back: 100%", ha="left", va="bottom",
                  fontsize=9.5, color=INK)  # fmt: skip
        for x, y, text in marks:
            axes.plot([x], [y], "o", color=GOOD, markersize=6.5)
            # Under the line of the fixed sums where the mark stands close above it.
            near = 0 <= y - without < 0.16 * top
            below = -(y - without) / (1.16 * top) * 230 - 6 if near else -7
            axes.annotate(
                text,
                (x, y),
                xytext=(9, below),
                textcoords="offset points",
                ha="left",
                va="top",
                fontsize=9.5,
                color=INK,
            )
        axes.set_xlabel("meter, in units of the table")
        axes.xaxis.set_major_formatter(thousands)
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:.0%}")
        axes.grid(axis="x", visible=False)
        return to_svg(figure, label)
