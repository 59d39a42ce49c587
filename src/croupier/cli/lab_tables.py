"""The lab's answers as tables for people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rich.table import Table
from rich.text import Text

from croupier.lab.report_words import after_words, best_play_words, bonus_words

Answer = dict[str, Any]
_RANKS = "AKQJT98765432"


def edge_tables(answer: Answer, before: Answer | None) -> Iterator[Table | Text]:
    """`lab edge`."""
    yield from _changes(answer)
    base = answer["base"]
    rows = [
        ("House edge, of the Ante", "house_edge", _percent),
        ("Element of risk, of all that is bet", "element_of_risk", _percent),
        ("Average bet, in Antes", "average_bet", _number),
        ("Standard deviation of a round, in Antes", "standard_deviation", _number),
        ("Turn bet, of rounds dealt", "turn_bet_frequency", _percent),
        ("River bet, of rounds dealt", "river_bet_frequency", _percent),
        ("Folded, of rounds dealt", "fold_frequency", _percent),
    ]
    table = _table(f"{answer['book']}: base game, optimal play", before)
    for title, key, write in rows:
        _row(table, title, write(base[key]), None if before is None else write(before["base"][key]))
    _row(
        table,
        "Hands to fold",
        _listed(base["fold_hands"]),
        None if before is None else _listed(before["base"]["fold_hands"]),
    )
    _row(table, "Value, exactly", base["ev"], None if before is None else before["base"]["ev"])
    yield table
    yield Text()
    side = answer["bonus"]
    yield _lines("Bonus", side, None if before is None else before["bonus"])
    yield Text(bonus_words(side))
    yield Text()
    yield from _jackpot(answer["progressive"], None if before is None else before["progressive"])


def hand_tables(answer: Answer, before: Answer | None) -> Iterator[Table | Text]:
    """`lab hand`."""
    yield from _changes(answer)
    for which, given in (("", answer), ("as it is: ", before)):
        if given is None:
            continue
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in ("Bet", "Cards", "Do", "Value if not", "Value if bet", "The other costs"):
            numeric = heading.startswith(("Value", "The"))
            table.add_column(heading, justify="right" if numeric else "left")
        for one in given["decisions"]:
            values = one["values"]
            without = next(name for name in values if name != "bet")
            do = "either: " + without if one["indifferent"] else one["best"]
            table.add_row(
                which + one["window"].title(),
                " ".join(one["hole"] + one["board"]),
                Text(do, style="bold green" if one["best"] == "bet" else "bold yellow"),
                f"{without} {values[without]:+.6f}",
                f"{values['bet']:+.6f}",
                f"{one['mistake_costs']:.6f}",
            )
        yield table
        for one in given["decisions"]:
            if "after" in one:
                yield Text(after_words(one))
        for name in ("dead", "dealer"):
            if given[name]:
                what = "known to be gone" if name == "dead" else "known to be the dealer's"
                yield Text(f"With {' '.join(given[name])} {what}.")
    yield Text("Values are results of the round in Antes, with optimal play afterwards.", "dim")


def strategy_tables(answer: Answer, before: Answer | None) -> Iterator[Table | Text]:
    """`lab strategy`."""
    yield from _changes(answer)
    was = {} if before is None else {one["hand"]: one for one in before["hands"]}
    hands = {one["hand"]: one for one in answer["hands"]}
    yield Text("Value of each starting hand in Antes; suited above the diagonal", style="bold")
    square = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 1, 0, 0))
    square.add_column("")
    for rank in _RANKS:
        square.add_column(rank, justify="right", no_wrap=True)
    for row, first in enumerate(_RANKS):
        cells = []
        for column, second in enumerate(_RANKS):
            name = first + second
            if row != column:
                name = name + "s" if row < column else second + first + "o"
            one = hands[name]
            changed = name in was and was[name]["decision"] != one["decision"]
            style = "red" if one["decision"] == "fold" else "green" if one["play"] > 0 else ""
            cells.append(Text(f"{one['play']:.2f}", style=f"{style} {'reverse' * changed}".strip()))
        square.add_row(first, *cells)
    yield square
    yield Text()
    fold = Text(f"Fold {_listed(answer['fold_hands'])}; bet the Flop with every other hand.")
    yield fold
    even = answer["indifferent"]
    yield Text(
        f"Indifferent decisions: {even['turn']:,} on the Turn bet, {even['river']:,} on the River "
        f"bet. Rule: {answer['tie_rule']}.",
        style="dim",
    )
    blind = answer["blind"]
    yield Text(f"A hand that may not be looked at: {blind['decision']}, {blind['value']:+.6f}.")
    yield Text()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Ante pays from")
    table.add_column("House edge", justify="right")
    table.add_column("Fold")
    for one in answer["ante_pays_from"]:
        table.add_row(one["category"], _percent(one["house_edge"]), _listed(one["fold_hands"]))
    yield table


def progressive_tables(answer: Answer, before: Answer | None) -> Iterator[Table | Text]:
    """`lab progressive`."""
    yield from _changes(answer)
    yield from _jackpot(answer["progressive"], None if before is None else before["progressive"])
    if players := answer.get("players"):
        yield Text()
        table = _table(f"{players['players']} jackpot stakes in a round", None)
        titles = {
            "last_box_loses": "Boxes dealt before cost the last one, a stake",
            "displayed_on_average": "Meter when betting opens, on average",
            "meter_at_award": "Meter that an award is taken from, on average",
            "paid_from_meter": "Paid from the meter for each stake",
            "rounds_between_jackpots": "Rounds from one whole meter to the next",
        }
        for key, title in titles.items():
            if key in players:
                _row(table, title, f"{players[key]:,.6f}", None)
        yield table
    yield Text()
    for line in best_play_words(answer["best_play"]):
        yield Text(line)
    if folds := answer.get("fold_from"):
        yield Text()
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("Hand that the base game folds")
        table.add_column("Fold from an Ante of", justify="right")
        table.add_column("Playing it adds to the jackpot bet", justify="right")
        for one in folds:
            table.add_row(one["hand"], f"{one['ante']:,.2f}", f"{one['jackpot']:,.6f}")
        yield table


TABLES = {
    "edge": edge_tables,
    "hand": hand_tables,
    "strategy": strategy_tables,
    "progressive": progressive_tables,
}
"""What shows each kind of answer."""


def _jackpot(bet: Answer, before: Answer | None) -> Iterator[Table | Text]:
    yield _lines(f"Progressive, at a stake of {bet['stake']:.12g}", bet, before)
    was = {} if before is None else {one["folds"]: one for one in before["break_even"]}
    for one in bet["break_even"]:
        told = f"Break-even meter {_money(one['meter'])} {one['meaning']}"
        if one["hands"]:
            told += f" ({_listed(one['hands'])})"
        if one["folds"] in was:
            told += f"; as it is: {_money(was[one['folds']]['meter'])}"
        yield Text(told)
    if "ev" in bet:
        told = f"House edge at a meter of {_money(bet['meter'])}, every hand played: {_edge(bet)}"
        if before is not None:
            told += f" (as it is: {_edge(before)})"
        yield Text(told)


def _lines(title: str, bet: Answer, before: Answer | None) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
    table.add_column(title, no_wrap=True)
    table.add_column("Pays", justify="right")
    if before is not None:
        table.add_column("as it is", justify="right")
    table.add_column(f"Count of {bet['universe']:,}", justify="right")
    table.add_column("One in", justify="right")
    was = {} if before is None else {line["id"]: line for line in before["lines"]}
    now = {line["id"]: line for line in bet["lines"]}
    for id in [*now, *(id for id in was if id not in now)]:
        line = now.get(id) or {**was[id], "pays": "nothing", "count": 0}
        cells = [id, line["pays"]]
        if before is not None:
            cells.append(was[id]["pays"] if id in was else "nothing")
        count = line["count"]
        one_in = f"{bet['universe'] / count:,.1f}" if count else "never"
        table.add_row(*cells, f"{count:,}", one_in)
    if "house_edge" in bet and "ev" in bet and "meter" not in bet:
        edge = _percent(bet["house_edge"])
        cells = ["House edge", edge]
        if before is not None:
            cells.append(_percent(before["house_edge"]))
        table.add_row(*cells, style="bold")
    return table


def _changes(answer: Answer) -> Iterator[Text]:
    for change in answer.get("changes", ()):
        yield Text(f"What if {change['part']} were {change['new']}, not {change['old']}")


def _table(title: str, before: Answer | None) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(title)
    now = "" if before is None else "as it would be"
    table.add_column(now, justify="right", overflow="fold")
    if before is not None:
        table.add_column("as it is", justify="right", overflow="fold")
    return table


def _row(table: Table, title: str, now: str, was: str | None) -> None:
    table.add_row(title, now, *([] if was is None else [was]))


def _listed(names: list[str]) -> str:
    return " ".join(names) or "none"


def _percent(value: float) -> str:
    return f"{100 * value:.6f}%"


def _number(value: float) -> str:
    return f"{value:.6f}"


def _money(value: float | None) -> str:
    return "none" if value is None else f"{value:,.2f}"


def _edge(bet: Answer) -> str:
    return _percent(float(-Fraction(bet["ev"])))
