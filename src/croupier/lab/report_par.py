"""The PAR sheet for people: the same parts on a page that prints and in a terminal.

They take what ``par_answer`` gives, so that sheet and data cannot differ. With a changed book every
table has what is as it is in a second column, and the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from croupier.lab import charts_par
from croupier.lab.distribution import LEVELS
from croupier.lab.report import Chart, Facts, Grid, Heading, Note, Part, Report
from croupier.lab.report_words import minus, per, percent

Answer = dict[str, Any]
Write = Callable[[Any], str]
NAMES = {
    "ante": "Ante",
    "flop": "Flop",
    "turn": "Turn",
    "river": "River",
    "main": "Main bets together",
    "bonus": "Bonus",
    "progressive": "Progressive Jackpot",
    "round": "Whole round, all bets",
}


def par_report(answer: Answer, before: Answer | None = None, *, made_by: str = "") -> Report:
    """The sheet as a page."""
    return Report(
        title=f"PAR sheet: {answer['title']}",
        subtitle=f"{answer['book']}. Exact: all {answer['deals']:,} deals are counted, none is "
        "sampled.",
        parts=tuple(par_parts(answer, before)),
        made_by=made_by,
    )


def par_parts(answer: Answer, before: Answer | None = None, *, drawn: bool = True) -> list[Part]:
    """The sheet from top to bottom; without charts for a terminal."""
    parts: list[Part] = [*_identity(answer), *_changes(answer)]
    parts += [Heading("Return of every bet"), _returns(answer, before), Note(_HOW)]
    main = _bet(answer, "main")
    if drawn:
        parts.append(_results_chart(main))
        parts.append(_bands_chart(main))
    parts.append(Heading("How far the return of so many rounds may be off"))
    for bet in answer["bets"]:
        parts.append(_bands(bet, None if before is None else _bet(before, bet["bet"])))
    parts += [Heading("Every pay line"), *_lines(answer, before)]
    parts += [Heading("The jackpot"), *_jackpot(answer, before, drawn)]
    parts += [Heading("The best play and others"), *_strategies(answer, before)]
    parts.append(Heading("Exact distributions"))
    for bet in answer["bets"]:
        was = None if before is None else _bet(before, bet["bet"])
        parts.append(_distribution(bet, was))
    return parts


_HOW = (
    "Return: what comes back of all that is staked, stakes included; hold: the rest. Hit: more "
    "comes back than was staked. Deviation: the standard deviation of the result of one round, in "
    "the unit of the bet. Volatility index: 1.645 standard deviations of one round's return, that "
    "is half the width of its 90% band; divide by the root of the rounds. A main bet that is not "
    "made in a round stakes nothing in it. Side bets are those of a box that folds as the best "
    "play does."
)


def _bet(answer: Answer, name: str) -> Answer:
    found: Answer = next(bet for bet in answer["bets"] if bet["bet"] == name)
    return found


def _identity(answer: Answer) -> list[Part]:
    terms = answer["terms"]
    main, whole = _bet(answer, "main"), _bet(answer, "round")
    digests = answer["software_sha256"]
    rows = [("Rulebook", f"{answer['book']}.toml", answer["rulebook_sha256"])]
    rows += [
        (f"Software: {floor}", f"croupier {answer['croupier']}", digest)
        for floor, digest in digests.items()
    ]
    return [
        Facts(
            (
                ("House edge", percent(-main["mean_result"], 4), "of the Ante, best play"),
                ("Return of the main bets", percent(main["return"], 4), "of all that is staked"),
                ("Standard deviation", f"{main['standard_deviation']:.4f}", "Antes a round"),
                ("Return of all bets", percent(whole["return"], 4), _at(terms)),
            )
        ),
        Grid(
            title="What this sheet takes for granted",
            headings=("Term", "Amount>"),
            rows=(
                ("Ante", f"{terms['ante']:,.2f}"),
                ("Bonus stake", f"{terms['bonus']:,.2f}"),
                ("Jackpot stake", f"{terms['stake']:,.2f}"),
                ("Reset value of the jackpot", f"{terms['reset']:,.2f}"),
                ("Contribution of a stake to the meter", f"{terms['contribution']:,.2f}"),
                ("Meter of this sheet", f"{terms['meter']:,.2f}"),
                ("Jackpot stakes in a round", f"{terms['stakes_per_round']:,}"),
                ("Rounds an hour", f"{terms['rounds_per_hour']:,}"),
            ),
            caption="No rulebook says these (B-01): they are the operator's, and given with the "
            "command.",
        ),
        Grid(
            title="What was computed, and by what",
            headings=("Part", "Of", "SHA-256"),
            rows=tuple(rows),
        ),
    ]


def _at(terms: Answer) -> str:
    return f"at a meter of {terms['meter']:,.0f}"


def _changes(answer: Answer) -> list[Part]:
    rows = tuple((c["part"], c["old"], c["new"]) for c in answer.get("changes") or ())
    if not rows:
        return []
    return [Grid(title="What if", headings=("Part", "As it is", "Changed to"), rows=rows)]


# ---- tables with a second column -------------------------------------------------------------


def _compared(
    title: str,
    first: str,
    columns: Sequence[tuple[str, str, Write]],
    rows: Sequence[tuple[str, Answer, Answer | None]],
    caption: str = "",
) -> Grid:
    """One row for each; with a second answer two more, as it is and the difference."""
    written = []
    for name, now, was in rows:
        written.append((name, *(_cell(now.get(key), write) for _, key, write in columns)))
        if was is not None:
            written.append(
                ("… as it is", *(_cell(was.get(key), write) for _, key, write in columns))
            )
            written.append(
                ("… difference", *(_change(now, was, key, write) for _, key, write in columns))
            )
    headings = (first, *(f"{heading}>" for heading, _, _ in columns))
    return Grid(title=title, headings=headings, rows=tuple(written), caption=caption)


def _cell(value: Any, write: Write) -> str:
    return "" if value is None else write(value)


def _change(now: Answer, was: Answer, key: str, write: Write) -> str:
    one, other = now.get(key), was.get(key)
    if not isinstance(one, int | float) or not isinstance(other, int | float):
        return "" if one == other else "changed"
    return "0" if one == other else ("+" if one > other else "") + write(one - other)


def _share(digits: int) -> Write:
    return lambda value: percent(value, digits)


def _number(digits: int) -> Write:
    return lambda value: minus(f"{value:,.{digits}f}")


def _whole(value: float) -> str:
    return minus(f"{value:,}")


def _returns(answer: Answer, before: Answer | None) -> Grid:
    columns: list[tuple[str, str, Write]] = [
        ("In", "unit", lambda unit: "money" if unit == "money" else f"{unit}s"),
        ("Staked", "staked", _number(4)),
        ("Return", "return", _share(4)),
        ("Hold", "hold", _share(4)),
        ("Hit", "hit_frequency", _share(3)),
        ("Push", "push_frequency", _share(3)),
        ("Deviation", "standard_deviation", _number(4)),
        ("Volatility", "volatility_index", _number(3)),
    ]
    rows = [
        (
            NAMES[bet["bet"]],
            bet,
            None if before is None else _bet(before, bet["bet"]),
        )
        for bet in answer["bets"]
    ]
    terms = answer["terms"]
    return _compared(
        "Under the best play of the main bets",
        "Bet",
        columns,
        rows,
        f"Bonus at {terms['bonus']:,.2f}, jackpot stake of {terms['stake']:,.2f} at a meter of "
        f"{terms['meter']:,.2f}.",
    )


def _unit(bet: Answer) -> str:
    return {"Ante": "Antes", "money": "money"}.get(bet["unit"], f"{bet['unit']}s")


def _bands(bet: Answer, before: Answer | None) -> Grid:
    def by_rounds(given: Answer) -> dict[int, Answer]:
        found: dict[int, Answer] = {}
        for band in given["bands"]:
            row = found.setdefault(band["rounds"], {})
            row |= {f"{band['level']} low": band["low"], f"{band['level']} high": band["high"]}
            row["normal"] = band["normal"]
        return found

    now = by_rounds(bet)
    was = {} if before is None else by_rounds(before)
    columns: list[tuple[str, str, Write]] = [
        (f"{level} {'from' if side == 'low' else 'to'}", f"{level} {side}", _share(3))
        for level in ("90%", "95%", "99%")
        for side in ("low", "high")
    ]
    rows = [
        (f"{rounds:,}{'' if row['normal'] else ' *'}", row, was.get(rounds))
        for rounds, row in now.items()
    ]
    few = any(not row["normal"] for row in now.values())
    return _compared(
        f"{NAMES[bet['bet']]}: bounds of the return",
        "Rounds",
        columns,
        rows,
        f"* Too few rounds for a normal distribution, on which the bounds stand: large wins are "
        f"so rare that it takes {bet['normal_from_rounds']:,} rounds."
        if few
        else "",
    )


def _lines(answer: Answer, before: Answer | None) -> list[Part]:
    was = {} if before is None else {line["id"]: line for line in before["lines"]}
    parts: list[Part] = []
    for bet in ("main", "bonus", "progressive"):
        lines = [line for line in answer["lines"] if line["bet"] == bet]
        columns: list[tuple[str, str, Write]] = [
            ("Pays", "pays", str),
            ("Count", "count", _whole),
            ("One in", "one_in", lambda value: f"{value:,.4f}"),
        ]
        if bet != "main":
            columns.append(("Return", "return", _share(5)))
        if bet == "progressive":
            columns.insert(2, ("With folds", "count_with_folds", _whole))
        caption = {
            "main": "Under the best play, of all deals.",
            "bonus": "Of the pairs of the player's and the dealer's Hole Cards. Return: stake "
            "included; the lines and nothing else make up the return.",
            "progressive": "Count: for a box that is played to the end. With folds: for one that "
            "folds as the best play of the main bets does. Return: of the stake, at the meter of "
            "this sheet, played to the end.",
        }[bet]
        universe = lines[0]["universe"] if lines else 0
        parts.append(
            _compared(
                f"{NAMES[bet]}: lines, of {universe:,}",
                "Line",
                columns,
                [(line["id"], line, was.get(line["id"])) for line in lines],
                caption,
            )
        )
    return parts


def _jackpot(answer: Answer, before: Answer | None, drawn: bool) -> list[Part]:
    jackpot = answer["jackpot"]
    was = None if before is None else before["jackpot"]
    facts: list[tuple[str, str, Write]] = [
        ("Reset value", "reset", _number(2)),
        ("Contribution of a stake", "contribution", _number(2)),
        ("Increment: of each stake goes into the meter", "increment", _share(2)),
        ("Return of the fixed lines, without the meter", "return_without_meter", _share(5)),
        ("Return in the long run, contributions and resets", "long_run_return", _share(5)),
        ("Meter at an award, in the long run", "long_run_meter_at_award", _number(2)),
        ("Meter when betting opens, in the long run", "long_run_meter_displayed", _number(2)),
    ]
    rows = []
    for name, key, write in facts:
        told = [name, _cell(jackpot[key], write)]
        if was is not None:
            told += [_cell(was[key], write), _change(jackpot, was, key, write)]
        rows.append(tuple(told))
    second = () if was is None else ("As it is>", "Difference>")
    parts: list[Part] = [
        Grid(title="Meter", headings=("", "Amount>", *second), rows=tuple(rows)),
        _break_evens(jackpot, was),
        _compared(
            "Time between awards, by chance alone",
            "Line",
            [
                ("Pays", "pays", str),
                ("Count with folds", "count", _whole),
                ("Stakes", "stakes", _number(1)),
                ("Rounds", "rounds", _number(1)),
                ("Hours", "hours", _number(1)),
                ("Half by, stakes", "median_stakes", _number(0)),
            ],
            [
                (
                    one["id"],
                    one,
                    None
                    if was is None
                    else next((x for x in was["awards"] if x["id"] == one["id"]), None),
                )
                for one in jackpot["awards"]
            ],
            f"Of {jackpot['awards'][0]['universe']:,} deals. On average; half of the awards come "
            "sooner than the last column says."
            if jackpot["awards"]
            else "",
        ),
        _returns_over_meter(jackpot, was),
    ]
    if drawn:
        parts.append(_meter_chart(answer))
    return parts


def _break_evens(jackpot: Answer, was: Answer | None) -> Grid:
    earlier = {} if was is None else {one["folds"]: one for one in was["break_even"]}
    return _compared(
        "From which meter on a jackpot stake does not lose",
        "Taken for granted",
        [("Meter", "meter", _number(2))],
        [
            (
                one["meaning"] + (f": {' '.join(one['hands'])}" if one["hands"] else ""),
                one,
                earlier.get(one["folds"]),
            )
            for one in jackpot["break_even"]
        ],
    )


def _returns_over_meter(jackpot: Answer, was: Answer | None) -> Grid:
    earlier = {} if was is None else {one["meter"]: one for one in was["returns"]}
    return _compared(
        "Return of a jackpot stake by the meter, and of the meter alone",
        "Meter",
        [("Return", "return", _share(5)), ("Of it the meter's", "from_meter", _share(5))],
        [
            (
                f"{one['meter']:,.2f}",
                one,
                earlier.get(one["meter"]),
            )
            for one in jackpot["returns"]
        ],
        "With the folds of the best play of the main bets. The rest is paid in fixed sums.",
    )


def _strategies(answer: Answer, before: Answer | None) -> list[Part]:
    def flat(one: Answer) -> Answer:
        return one | {
            "return": one["main"]["return"],
            "deviation": one["main"]["standard_deviation"],
            "hit": one["main"]["hit_frequency"],
            "average": one["main"]["staked"],
        }

    was = {} if before is None else {one["name"]: flat(one) for one in before["strategies"]}
    rows = [(one["name"], flat(one), was.get(one["name"])) for one in answer["strategies"]]
    columns: list[tuple[str, str, Write]] = [
        ("House edge", "house_edge", _share(4)),
        ("Costs, Antes", "costs", _number(6)),
        ("Return", "return", _share(4)),
        ("Average bet", "average", _number(4)),
        ("Hit", "hit", _share(3)),
        ("Deviation", "deviation", _number(4)),
    ]
    often: list[tuple[str, str, Write]] = [
        ("Folds", "fold_frequency", _share(3)),
        ("Turn bet", "turn_bet_frequency", _share(3)),
        ("River bet", "river_bet_frequency", _share(3)),
    ]
    told = ". ".join(f"{one['name']}: {one['meaning']}" for one in answer["strategies"])
    parts: list[Part] = [
        _compared("Main bets under each strategy", "Strategy", columns, rows),
        _compared("How often each folds and bets, of rounds dealt", "Strategy", often, rows),
        Note(f"{told}."),
    ]
    results = sorted(
        {row["exact"] for one in answer["strategies"] for row in one["main"]["distribution"]},
        key=Fraction,
    )
    by_name = [
        {row["exact"]: row["count"] for row in one["main"]["distribution"]}
        for one in answer["strategies"]
    ]
    parts.append(
        Grid(
            title="Deals by result, in Antes",
            headings=("Result>", *(f"{one['name']}>" for one in answer["strategies"])),
            rows=tuple(
                (_signed(result), *(f"{counts.get(result, 0):,}" for counts in by_name))
                for result in results
            ),
            caption=f"Of {answer['deals']:,} deals each.",
        )
    )
    return parts


def _signed(exact: str) -> str:
    value = Fraction(exact)
    return minus(f"{float(value):+,.6g}") if value else "0"


def _distribution(bet: Answer, before: Answer | None) -> Grid:
    money = bet["unit"] == "money"

    def name(exact: str) -> str:
        value = Fraction(exact)
        return minus(f"{float(value):+,.2f}") if money else _signed(exact)

    was = {} if before is None else {row["exact"]: row for row in before["distribution"]}
    now = {row["exact"]: row for row in bet["distribution"]}
    rows = []
    for exact in sorted({*now, *was}, key=Fraction):
        count = now[exact]["count"] if exact in now else 0
        told = [name(exact), f"{count:,}", _probability(count / bet["deals"])]
        if before is not None:
            earlier = was[exact]["count"] if exact in was else 0
            told += [f"{earlier:,}", minus(f"{count - earlier:+,}") if count != earlier else "0"]
        rows.append(tuple(told))
    second = () if before is None else ("As it is>", "Difference>")
    return Grid(
        title=f"{NAMES[bet['bet']]}, in {_unit(bet)}",
        headings=("Result>", "Deals>", "Of all>", *second),
        rows=tuple(rows),
        caption=f"Of {bet['deals']:,} deals"
        + (
            f"; nothing is staked in {percent(1 - bet['placed'], 3)}." if bet["placed"] < 1 else "."
        ),
    )


def _probability(share: float) -> str:
    if share >= 0.0001 or not share:
        return percent(share, 6)
    return per(1 / share)


# ---- charts ----------------------------------------------------------------------------------


def _results_chart(main: Answer) -> Chart:
    bars = [(_signed(x["exact"]), x["result"], x["probability"]) for x in main["distribution"]]
    return Chart(
        charts_par.results(
            bars, label="How often each result of the main bets comes", unit="result of a round, "
            "in Antes",
        ),
        "What a round of the main bets comes to",
        "Under the best play. Over each bar: of all deals. A fold costs 1 Ante; 0 is a Stand Off.",
    )  # fmt: skip


def _bands_chart(main: Answer) -> Chart:
    ends = sorted({band["rounds"] for band in main["bands"]})
    steps = [ends[0] * (ends[-1] / ends[0]) ** (step / 120) for step in range(121)]
    middle, spread = main["return"], main["standard_deviation_of_return"]
    spans = []
    for level in ("99%", "95%"):
        half = [LEVELS[level] * spread / n**0.5 for n in steps]
        spans.append((level, [middle - x for x in half], [middle + x for x in half]))
    return Chart(
        charts_par.bands(
            steps, ends, middle, spans, label="Bounds of the return of the main bets by rounds"
        ),
        "How the return of the main bets settles down",
        "Of all that is staked, under the best play.",
    )


def _meter_chart(answer: Answer) -> Chart:
    jackpot = answer["jackpot"]
    points = [(one["meter"], one["return"]) for one in jackpot["returns"]]
    at = {one["meter"]: one["return"] for one in jackpot["returns"]}
    marks = [(jackpot["reset"], at[jackpot["reset"]], f"reset value {jackpot['reset']:,.0f}")]
    evens = {one["folds"]: one["meter"] for one in jackpot["break_even"]}
    even = evens.get("base", evens.get("none"))
    if even is not None and even <= points[-1][0]:
        marks.append((even, 1.0, f"breaks even at {even:,.0f}"))
    return Chart(
        charts_par.return_over_meter(
            points,
            without=jackpot["return_without_meter"],
            marks=marks,
            label="Return of a jackpot stake over the meter",
        ),
        "What a jackpot stake returns, over the meter",
        "With the folds of the best play of the main bets. Between two meters it is a straight "
        "line, but where a share overtakes a fixed sum.",
    )
