"""Charts of advantage and protection: where play changes, what a line or a known card is worth."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.lab.charts import (
    BAD,
    FIRST,
    GOOD,
    INK,
    MUTED,
    SECOND,
    Svg,
    blank_figure,
    style,
    thousands,
    to_svg,
)
from croupier.lab.report_words import minus


def ante_lines(
    lines: Sequence[tuple[str, Sequence[float], Sequence[float]]],
    *,
    now: tuple[float, float],
    label: str,
) -> Svg:
    """By hand: the Ante from which on it is folded, over the meter, with where we are."""
    with style():
        figure = blank_figure(8.4, 3.9)
        axes = figure.add_subplot()
        top = max(1.15 * max((max(antes) for _, _, antes in lines), default=1.0), 1.15 * now[1])
        for _, meters, antes in lines:
            axes.plot(meters, antes, color=FIRST, linewidth=1.8)
        right = max(meters[-1] for _, meters, _ in lines)
        for hand, _, antes in lines:
            # Beside the end of its line, outside the axes.
            axes.annotate(
                f"{hand}: {antes[-1]:,.2f}",
                (right, antes[-1]),
                xytext=(6, 0),
                textcoords="offset points",
                ha="left",
                va="center",
                fontsize=9.5,
                color=INK,
                annotation_clip=False,
            )
        axes.plot([now[0]], [now[1]], "o", color=SECOND, markersize=7)
        axes.set_xlim(0, right)
        axes.set_ylim(0, top)
        axes.set_xlabel("meter, in units of the table")
        axes.set_ylabel("Ante, in units of the table")
        axes.xaxis.set_major_formatter(thousands)
        axes.yaxis.set_major_formatter(thousands)
        axes.grid(visible=False)
        return to_svg(figure, label)


def tornado(rows: Sequence[tuple[str, float, str]], *, label: str, unit: str) -> Svg:
    """What each of several changes does: name, effect, and the effect in words beside its bar."""
    with style():
        figure = blank_figure(8.4, 0.9 + 0.34 * len(rows))
        axes = figure.add_subplot()
        reach = max((abs(value) for _, value, _ in rows), default=1.0) or 1.0
        for place, (_, value, told) in enumerate(rows):
            axes.barh(place, value, height=0.62, color=GOOD if value > 0 else BAD, linewidth=0)
            side = 1 if value >= 0 else -1
            axes.text(
                value + side * 0.015 * reach,
                place,
                told,
                ha="left" if side > 0 else "right",
                va="center",
                fontsize=9.5,
                color=INK,
            )
        axes.axvline(0, color=MUTED, linewidth=1)
        axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
        axes.tick_params(axis="y", labelcolor=INK)
        axes.invert_yaxis()
        low = min((value for _, value, _ in rows), default=0.0)
        high = max((value for _, value, _ in rows), default=1.0)
        room = 0.24 * reach
        axes.set_xlim(low - room if low < 0 else -0.02 * reach, high + room if high > 0 else 0)
        axes.set_xlabel(unit)
        axes.set_xticks([])
        axes.grid(visible=False)
        axes.spines["bottom"].set_visible(False)
        return to_svg(figure, label)


def stacked(
    rows: Sequence[tuple[str, Sequence[float], str]],
    parts: Sequence[str],
    *,
    label: str,
    unit: str,
) -> Svg:
    """Bars of parts that add up, with their sum in words behind each."""
    with style():
        figure = blank_figure(8.4, 1.3 + 0.42 * len(rows))
        axes = figure.add_subplot()
        colours = (FIRST, SECOND, MUTED)
        reach = max((sum(values) for _, values, _ in rows), default=1.0) or 1.0
        for place, (_, values, told) in enumerate(rows):
            left = 0.0
            for value, colour in zip(values, colours, strict=True):
                axes.barh(place, value, left=left, height=0.62, color=colour, linewidth=0)
                left += value
            axes.text(left + 0.012 * reach, place, told, ha="left", va="center", fontsize=9.5,
                      color=INK)  # fmt: skip
        for name, colour in zip(parts, colours, strict=True):
            axes.barh(0, 0, color=colour, label=name)
        axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.12 - 0.5 / len(rows)), ncols=3,
                    frameon=False, fontsize=9.5)  # fmt: skip
        axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
        axes.tick_params(axis="y", labelcolor=INK)
        axes.invert_yaxis()
        axes.set_xlim(0, 1.3 * reach)
        axes.set_xlabel(unit)
        axes.xaxis.set_major_formatter(lambda x, _: minus(f"{x:.3g}"))
        axes.grid(axis="y", visible=False)
        return to_svg(figure, label)
