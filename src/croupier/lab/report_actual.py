"""Actual against theory for people: the same parts on a page and in a terminal."""

from __future__ import annotations

from typing import Any

from croupier.lab import charts_actual
from croupier.lab.report import Chart, Facts, Grid, Heading, Note, Part, Report
from croupier.lab.report_words import minus, percent

Answer = dict[str, Any]
CHARTED = 40
"""The most groups in one chart; the tables have all."""
_TITLES = {
    "house": "The House",
    "game": "By game",
    "table": "By table",
    "dealer": "By dealer",
    "day": "By gaming day",
}
_BETS = {"main": "Main bets", "bonus": "Bonus", "progressive": "Jackpot stakes"}


def actual_report(answer: Answer, *, made_by: str = "") -> Report:
    """The comparison as a page."""
    return Report(
        title="Actual against theory",
        subtitle=f"What the House of {answer['source']} really won, beside what its bets come to.",
        parts=tuple(actual_parts(answer)),
        made_by=made_by,
    )


def actual_parts(answer: Answer, *, drawn: bool = True) -> list[Part]:
    """The comparison from top to bottom; without charts for a terminal."""
    groups = answer["groups"]
    parts: list[Part] = []
    if groups:
        parts += [_facts(groups), Note(_HOW)]
        if drawn:
            parts.append(chart_of(answer))
        for by, title in _TITLES.items():
            rows = [group for group in groups if group["by"] == by]
            parts.append(_grid(title, rows) if drawn else _narrow(title, rows))
        parts += _bets(groups)
        parts += _explained(groups)
        parts.append(_ties(answer))
    parts += _rake(answer["rake"])
    parts += _left_out(answer)
    return parts


_HOW = (
    "Won and staked are exact sums of the ledger. In theory: the exact mean of the bets that were "
    "placed, all deals counted, under the best play of the main bets; whoever plays worse loses "
    "more. Shares that a jackpot's meter paid are the jackpot's money and not in it; what the "
    "House adds to a meter is not taken off. Bands stand on the exact variance of the bets placed "
    "and on the normal distribution; * marks what is too few rounds for that."
)


def _facts(groups: list[Answer]) -> Facts:
    house = groups[0]
    outside = [group for group in groups if group["mark"] != "inside"]
    return Facts(
        (
            ("Won", _money(house["won"]), f"in {house['rounds']:,} rounds"),
            ("In theory", _money(house["expected"]), "for the same bets"),
            ("Off by", minus(f"{house['deviations']:+.2f}"), "standard deviations"),
            ("Outside 95%", f"{len(outside)}", f"of {len(groups)} groups"),
        )
    )


def chart_of(answer: Answer) -> Chart:
    """Every group as a point among the bands; there must be groups."""
    groups = answer["groups"]
    shown = sorted(groups, key=lambda group: -abs(group["deviations"]))[:CHARTED]
    kept = [group for group in groups if group in shown]
    rows = [(_name(group), group["deviations"], group["mark"]) for group in kept]
    label = "How far each group lies off its theory"
    caption = (
        "In standard deviations of what it would win with these bets; 95% of the time a group lies "
        "in the darker band, 99% in the lighter."
    )
    if len(groups) > len(kept):
        caption += f" The {len(kept)} farthest of {len(groups)} groups; the tables have all."
    return Chart(charts_actual.deviations(rows, label=label), label, caption)


def _name(group: Answer) -> str:
    return group["name"] if group["by"] == "house" else f"{group['by']} {group['name']}"


def _grid(title: str, rows: list[Answer]) -> Grid:
    return Grid(
        title=title,
        headings=(
            "Name",
            "Rounds>",
            "Staked>",
            "Won>",
            "Hold>",
            "In theory>",
            "95% of the time>",
            "Off by>",
            "Mark",
        ),
        rows=tuple(_row(group) for group in rows),
    )


def _narrow(title: str, rows: list[Answer]) -> Grid:
    """The same for a terminal of 80 columns: the band as what it spans on each side."""
    return Grid(
        title=title,
        headings=("Name", "Rounds>", "Won>", "In theory>", "± 95%>", "Off by>", "Mark"),
        rows=tuple(
            (
                _short(group),
                f"{group['rounds']:,}",
                _money(group["won"]),
                _money(group["expected"]),
                _money(band["high"] - group["expected"]),
                minus(f"{group['deviations']:+.2f}"),
                group["mark"] + ("" if group["normal"] else " *"),
            )
            for group in rows
            for band in group["bands"]
            if band["level"] == "95%"
        ),
    )


def _short(group: Answer) -> str:
    """A book by its version, as every command takes it: `v6`."""
    name: str = group["name"]
    return name.rpartition("-")[2] if group["by"] == "game" else name


def _row(group: Answer) -> tuple[str, ...]:
    band = next(each for each in group["bands"] if each["level"] == "95%")
    hold = "" if group["hold"] is None else percent(group["hold"], 2)
    return (
        group["name"],
        f"{group['rounds']:,}",
        _money(group["staked"]),
        _money(group["won"]),
        hold,
        _money(group["expected"]),
        f"{_money(band['low'])} to {_money(band['high'])}",
        minus(f"{group['deviations']:+.2f}"),
        group["mark"] + ("" if group["normal"] else " *"),
    )


def _bets(groups: list[Answer]) -> list[Part]:
    house = groups[0]
    rows = tuple(
        (
            _BETS[bet["bet"]],
            _money(bet["staked"]),
            _money(bet["won"]),
            _money(bet["expected"]),
            _money(bet["standard_deviation"]),
            minus(f"{bet['deviations']:+.2f}"),
        )
        for bet in house["bets"]
    )
    shares = "; ".join(
        f"{each['decision']} {each['share']:.1%} (best play {each['best_play']:.1%})"
        for each in house["decisions"]
    )
    return [
        Grid(
            title="The House by bet",
            headings=("Bet", "Staked>", "Won>", "In theory>", "Deviation>", "Off by>"),
            rows=rows,
            caption=f"Decisions of all boxes: {shares}.",
        )
    ]


def _explained(groups: list[Answer]) -> list[Part]:
    outside = [group for group in groups if group["mark"] != "inside"]
    if not outside:
        return [Note("Nothing lies outside 95%.")]
    parts: list[Part] = [Heading("What lies outside, and why it may")]
    for group in outside:
        told = " ".join(group["explained"])
        parts.append(Note(f"{_name(group)}, {group['mark']}: {told}"))
    return parts


def _ties(answer: Answer) -> Note:
    told = "; ".join(
        f"{book}: main {tie['main']:.3f}, Bonus {tie['bonus']:.3f}, jackpot "
        f"{tie['progressive']:.3f}"
        for book, tie in answer["ties"].items()
    )
    return Note(
        "Boxes of one round share board and dealer, so their results hang together. By how much is "
        f"estimated from simulated rounds with two boxes, as correlations: {told}. Everything else "
        "is exact."
    )


def _rake(groups: list[Answer]) -> list[Part]:
    if not groups:
        return []
    parts: list[Part] = [Heading("Rake")]
    for by, title in _TITLES.items():
        rows = tuple(
            (
                group["name"],
                f"{group['rounds']:,}",
                _money(group["base"]),
                _money(group["taken"]),
                _money(group["by_rules"]),
                f"{len(group['differ'])}",
            )
            for group in groups
            if group["by"] == by
        )
        headings = ("Name", "Rounds>", "Raked>", "Taken>", "By the rules>", "Rounds that differ>")
        parts.append(Grid(title=title, headings=headings, rows=rows))
    differ = groups[0]["differ"]
    if not differ:
        parts.append(Note("In every round the Rake taken is the Rake that the rules ask for."))
    parts += [
        Note(
            f"{each['table']}, round {each['round']}: {_money(each['taken'])} taken, "
            f"{_money(each['by_rules'])} by the rules."
        )
        for each in differ
    ]
    return parts


def _left_out(answer: Answer) -> list[Part]:
    parts: list[Part] = [
        Note(f"Not compared: {count:,} {'round' if count == 1 else 'rounds'}, {why}.")
        for why, count in answer["left_out"].items()
    ]
    for each in answer["ledger_differs"]:
        parts.append(
            Note(
                f"{each['table']}: its rounds come to {_money(each['rounds'])}, and the ledger has "
                f"{_money(each['ledger'])}: `croupier audit verify` says more."
            )
        )
    return parts


def _money(value: float) -> str:
    return minus(f"{value:,.2f}")
