"""Reports of the exact answers: edge, strategy, a hand, the jackpot bet.

They take what ``croupier.lab.answers`` gives, as it is printed as JSON, so that a report and the
data of a question cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from croupier.lab import charts, charts_advantage
from croupier.lab.errors import LabError
from croupier.lab.report import Chart, Facts, Grid, Heading, Note, Part, Report
from croupier.lab.report_words import (
    MINUS,
    after_words,
    best_play_words,
    bonus_words,
    minus,
    per,
    percent,
)
from croupier.rulebooks import Rulebook

Answer = dict[str, Any]
_POINTS = 160


def answer_report(
    kind: str,
    answer: Answer,
    before: Answer | None,
    *,
    book: Rulebook,
    made_by: str = "",
) -> Report:
    """The report of one of the commands edge, strategy, hand and progressive.

    ``before`` is the answer for the book as it is, where ``answer`` is that of a changed one.
    """
    makers: dict[str, Callable[[Answer, Answer | None, Rulebook], tuple[str, list[Part]]]] = {
        "edge": _edge,
        "strategy": _strategy,
        "hand": _hand,
        "progressive": _progressive,
    }
    if kind not in makers:
        raise LabError(f"there is no report of {kind!r}; there are {', '.join(makers)}")
    title, parts = makers[kind](answer, before, book)
    changes = answer.get("changes") or []
    if changes:
        rows = tuple((change["part"], change["old"], change["new"]) for change in changes)
        parts.insert(
            0, Grid(title="What if", headings=("Part", "As it is", "Changed to"), rows=rows)
        )
    return Report(
        title=f"{book.title}: {title}",
        subtitle=f"{book.id}. Exact: every deal is counted, none is sampled.",
        parts=tuple(parts),
        made_by=made_by,
    )


def _with(new: str, old: str | None) -> str:
    return new if old is None or old == new else f"{new} (was {old})"


def _edge(answer: Answer, before: Answer | None, book: Rulebook) -> tuple[str, list[Part]]:
    base = answer["base"]
    was = None if before is None else before["base"]

    def fact(name: str, key: str, write: Callable[[float], str], what: str) -> tuple[str, str, str]:
        told = what if was is None else f"was {write(was[key])}"
        return name, write(base[key]), told

    facts = Facts(
        (
            fact("House edge", "house_edge", lambda x: percent(x, 4), "of the Ante, optimal play"),
            fact(
                "Element of risk", "element_of_risk", lambda x: percent(x, 4), "of all that is bet"
            ),
            fact("Average bet", "average_bet", lambda x: f"{x:.4f}", "Antes"),
            fact("Standard deviation", "standard_deviation", lambda x: f"{x:.4f}", "Antes a round"),
            fact("Turn bet", "turn_bet_frequency", percent, "of rounds dealt"),
            fact("River bet", "river_bet_frequency", percent, "of rounds dealt"),
        )
    )
    parts: list[Part] = [
        facts,
        Note(
            f"Value of a round: {base['ev']} Antes, over {base['deals']:,} deals. Folded: "
            f"{', '.join(base['fold_hands']) or 'nothing'} ({percent(base['fold_frequency'])} of "
            "rounds)."
        ),
        Heading("Bonus"),
        _lines(answer["bonus"], None if before is None else before["bonus"]),
        Note(
            f"House edge of the Bonus: {percent(answer['bonus']['house_edge'], 4)}; value "
            f"{answer['bonus']['ev']} for each unit. {bonus_words(answer['bonus'])}"
        ),
        Heading("Progressive Jackpot"),
        *_jackpot_parts(answer["progressive"], None if before is None else before["progressive"]),
    ]
    return "house edge", parts


def _lines(given: Answer, before: Answer | None) -> Grid:
    earlier = {} if before is None else {line["id"]: line for line in before["lines"]}
    rows = []
    for line in given["lines"]:
        old = earlier.get(line["id"])
        rows.append(
            (
                line["id"],
                _with(line["pays"], None if old is None else old["pays"]),
                f"{line['count']:,}",
                per(1 / line["probability"]) if line["probability"] else "",
                *([f"{line['return']:.2%}"] if "return" in line else []),
            )
        )
    more = ("Returns>",) if any("return" in line for line in given["lines"]) else ()
    return Grid(
        title="Lines",
        headings=("Line", "Pays", f"Of {given['universe']:,}>", "Chance>", *more),
        rows=tuple(rows),
    )


def _jackpot_parts(given: Answer, before: Answer | None) -> list[Part]:
    parts: list[Part] = [_lines(given, before)]
    was = {} if before is None else {one["folds"]: one for one in before["break_even"]}
    parts.append(
        Grid(
            title=f"From which meter on a stake of {given['stake']:,.2f} does not lose",
            headings=("Taken for granted", "Folded", "Meter>", *(["As it is>"] if was else [])),
            rows=tuple(
                (
                    one["meaning"],
                    " ".join(one["hands"]) or "nothing",
                    _meter(one["meter"]),
                    *([_meter(was[one["folds"]]["meter"])] if one["folds"] in was else []),
                )
                for one in given["break_even"]
            ),
        )
    )
    curve = _curve(given)
    if curve is not None:
        parts.append(curve)
    return parts


def _meter(value: float | None) -> str:
    return "never" if value is None else f"{value:,.2f}"


def _curve(given: Answer) -> Chart | None:
    """The value of the bet over the meter, from the lines themselves."""
    stake, universe = given["stake"], given["universe"]
    lines = [(line["pays"], line["count"]) for line in given["lines"]]
    if not any(pays.endswith("%") for pays, _ in lines):
        return None

    # Where a line is paid may itself depend on the meter (B-19); only the meter at which these
    # lines were counted has its exact value, so the curve holds where the counts do.
    fixed = sum(_fixed(pays, stake) * count for pays, count in lines)
    shares = sum(int(pays[:-1]) * count for pays, count in lines if pays.endswith("%"))

    def value(meter: float) -> float:
        return float((fixed + shares * meter / 100) / universe / stake - 1)

    even, now = given["break_even_meter"], given.get("meter")
    top = 1.35 * max(even or 0.0, now or 0.0, 1000.0)
    meters = [top * point / _POINTS for point in range(_POINTS + 1)]
    return Chart(
        charts.value_against_meter(
            meters,
            [value(meter) for meter in meters],
            break_even=even,
            now=None if now is None else (now, float(Fraction(given["ev"]))),
            label="Value of the jackpot bet over the meter",
        ),
        "What a jackpot stake is worth, over the meter",
        "As a share of the stake: below 0% the House wins, above it the player.",
    )


def _fixed(pays: str, stake: float) -> float:
    if pays.startswith("$"):
        return float(pays[1:].replace(",", ""))
    if pays.endswith(" for 1"):
        return int(pays.removesuffix(" for 1")) * stake
    return 0.0


def _strategy(answer: Answer, before: Answer | None, book: Rulebook) -> tuple[str, list[Part]]:
    hands = {one["hand"]: one for one in answer["hands"]}
    folded = dict.fromkeys(answer["fold_hands"], "fold")
    parts: list[Part] = [
        Chart(
            charts.heat_map(
                {name: one["play"] for name, one in hands.items()},
                label="Value of each starting hand if it is played",
                write=lambda value: minus(f"{value:+.2f}"),
                middle=0.0,
                marked=folded,
            ),
            "What each starting hand is worth, in Antes",
            "If it is played; a fold is worth "
            + MINUS
            + "1. Suited hands above the diagonal, mixed below. "
            f"To fold: {', '.join(answer['fold_hands']) or 'nothing'}.",
        ),
        Chart(
            charts.heat_map(
                {name: one["turn_bet_frequency"] for name, one in hands.items()},
                label="How often the Turn bet is made with each starting hand",
                write=lambda value: f"{value:.0%}",
                marked=folded,
            ),
            "How often to bet the Turn",
            "Of the flops that may come with this hand.",
        ),
        Chart(
            charts.heat_map(
                {name: one["river_bet_frequency"] for name, one in hands.items()},
                label="How often the River bet is made with each starting hand",
                write=lambda value: f"{value:.0%}",
                marked=folded,
            ),
            "How often to bet the River",
            "Of the boards of four that may come with this hand.",
        ),
        Grid(
            title="If the Ante paid from another hand on",
            headings=("Ante pays from", "House edge>", "Fold"),
            rows=tuple(
                (
                    row["category"].replace("-", " "),
                    percent(row["house_edge"], 4),
                    ", ".join(row["fold_hands"]) or "nothing",
                )
                for row in answer["ante_pays_from"]
            ),
        ),
        Note(
            f"Unseen hand (a second box): {answer['blind']['decision']}, worth "
            f"{answer['blind']['value']:.4f} Antes. Tie rule: {answer['tie_rule']}."
        ),
        Grid(
            title="All 169",
            headings=("Hand", "Do", "Value>", "Wins>", "Ties>", "Turn bet>", "River bet>"),
            rows=tuple(
                (
                    one["hand"],
                    "fold" if one["decision"] == "fold" else "play",
                    minus(f"{one['value']:+.4f}"),
                    percent(one["wins"]),
                    percent(one["ties"]),
                    percent(one["turn_bet_frequency"], 1),
                    percent(one["river_bet_frequency"], 1),
                )
                for one in answer["hands"]
            ),
        ),
    ]
    if before is not None:
        gone = set(before["fold_hands"]) ^ set(answer["fold_hands"])
        parts.insert(
            0,
            Note(
                "The change moves these hands in or out of the fold: "
                f"{', '.join(sorted(gone)) or 'none'}."
            ),
        )
    return "optimal strategy", parts


def _hand(answer: Answer, before: Answer | None, book: Rulebook) -> tuple[str, list[Part]]:
    parts: list[Part] = []
    for which, given in (("", answer), ("As it is", before)):
        if given is None:
            continue
        rows = []
        for one in given["decisions"]:
            values = one["values"]
            other = next(name for name in values if name != "bet")
            rows.append(
                (
                    one["window"],
                    " ".join(one["hole"] + one["board"]),
                    one["best"] if not one["indifferent"] else f"either: {other}",
                    minus(f"{values[other]:+.4f}"),
                    minus(f"{values['bet']:+.4f}"),
                    f"{one['mistake_costs']:.4f}",
                )
            )
        parts.append(
            Grid(
                title=which or "What to do",
                headings=(
                    "Bet",
                    "Cards",
                    "Do",
                    "Value if not>",
                    "Value if bet>",
                    "The other costs>",
                ),
                rows=tuple(rows),
                caption="Values in Antes.",
            )
        )
        parts += [Note(after_words(one)) for one in given["decisions"] if "after" in one]
        for name, what in (("dead", "gone"), ("dealer", "the dealer's")):
            if given[name]:
                parts.append(Note(f"With {' '.join(given[name])} known to be {what}."))
    return "one hand", parts


def _progressive(answer: Answer, before: Answer | None, book: Rulebook) -> tuple[str, list[Part]]:
    given = answer["progressive"]
    was = None if before is None else before["progressive"]
    rows = [
        (
            "Value of a stake",
            percent(float(Fraction(given["ev"])), 3),
            f"at a meter of {given['meter']:,.2f}",
        ),
        (
            "Breaks even at",
            "never" if given["break_even_meter"] is None else f"{given['break_even_meter']:,.2f}",
            "every hand played"
            + (f"; was {was['break_even_meter']:,.2f}" if was and was["break_even_meter"] else ""),
        ),
    ]
    players = answer.get("players")
    if players and "rounds_between_jackpots" in players:
        rows += [
            ("Meter on average", f"{players['displayed_on_average']:,.0f}", "in the long run"),
            (
                "Rounds between jackpots",
                f"{players['rounds_between_jackpots']:,.0f}",
                f"with {players['players']} stakes a round",
            ),
        ]
    parts: list[Part] = [Facts(tuple(rows)), *_jackpot_parts(given, was)]
    best = answer["best_play"]
    parts += [Heading("The best play with a jackpot stake down")]
    parts += [Note(line) for line in best_play_words(best)]
    if best["lines"]:
        parts.append(
            Chart(
                charts_advantage.ante_lines(
                    [(one["hand"], one["meters"], one["antes"]) for one in best["lines"]],
                    now=(best["meter"], best["ante"]),
                    label="From which Ante on a hand is folded, over the meter",
                ),
                "Where folding changes",
                "Above its line a hand is folded as in the base game; below it, it is played for "
                "the chance of a jackpot line. The dot: this Ante and meter. Every other hand is "
                "played.",
            )
        )
    else:
        parts.append(Note("A fold keeps every line in this book, so folding never changes."))
    if answer.get("fold_from"):
        parts.append(
            Grid(
                title="From which Ante on to fold, with a jackpot stake down",
                headings=("Hand", "Ante>", "Jackpot lost by folding>"),
                rows=tuple(
                    (one["hand"], f"{one['ante']:,.2f}", f"{one['jackpot']:,.4f}")
                    for one in answer["fold_from"]
                ),
                caption="Below that Ante the chance of a jackpot line is worth more than the fold "
                "saves.",
            )
        )
    return "Progressive Jackpot bet", parts
