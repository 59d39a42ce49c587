"""The report of a simulation: what was won and lost, how sessions go, what the meter did."""

from __future__ import annotations

from typing import Any

from croupier.lab import charts
from croupier.lab.answer_types import stamped
from croupier.lab.answers import bonus_answer, jackpot_answer
from croupier.lab.base import solve
from croupier.lab.report import Chart, Facts, Grid, Heading, Note, Part, Report
from croupier.lab.report_words import money, per, percent, signed
from croupier.lab.simulate_result import Mean, Result
from croupier.rulebooks import Rulebook

AWARDS_SHOWN = 25


def simulation_answer(result: Result) -> dict[str, Any]:
    """What `lab simulate --json` prints. Money is in whole units of the table."""
    plan, s = result.plan, result.plan.schedule
    low, quarter, median, three, high = result.quantiles(0.05, 0.25, 0.5, 0.75, 0.95) or [0] * 5
    sessions = result.session_results
    staked = result.main_staked
    bonuses = result.box_rounds * s.stakes.bonus
    jackpots = result.box_rounds * s.stakes.progressive
    answer: dict[str, Any] = {
        "book": plan.book,
        "strategy": plan.strategy.name,
        "seed": plan.seed,
        "complete": result.complete,
        "rounds": result.rounds,
        "rounds_planned": plan.rounds,
        "tables": plan.floor.tables,
        "boxes": plan.floor.boxes,
        "box_rounds": result.box_rounds,
        "stakes": {
            "ante": s.stakes.ante / 100,
            "bonus": s.stakes.bonus / 100,
            "progressive": s.stakes.progressive / 100,
        },
        "main": _bet_answer(result.main, "ante", s.stakes.ante, result.main_result, staked),
        "frequencies": result.frequencies,
        "winning_hands": result.winning_hands,
        "total": _bet_answer(
            result.total, "ante", s.stakes.ante, result.total_result, staked + bonuses + jackpots
        ),
        "sessions": {
            "rounds": plan.session_rounds,
            "count": len(sessions),
            "won": float((sessions > 0).mean()) if len(sessions) else None,
            "quantiles": {
                "5%": low / 100,
                "25%": quarter / 100,
                "50%": median / 100,
                "75%": three / 100,
                "95%": high / 100,
            }
            if len(sessions)
            else None,
        },
    }
    if s.stakes.bonus:
        answer["bonus"] = _bet_answer(
            result.bonus, "bonus", s.stakes.bonus, result.bonus_result, bonuses
        ) | {"lines": result.bonus_counts}
    if s.stakes.progressive:
        story = result.meter
        answer["progressive"] = _bet_answer(
            result.progressive,
            "progressive",
            s.stakes.progressive,
            result.progressive_result,
            jackpots,
        ) | {
            "few_awards": result.awards_are_few,
            "lines": result.progressive_counts,
            "meter": {
                "start": plan.link.start / 100,
                "reset": plan.link.reset / 100,
                "contribution": plan.link.contribution / 100,
                "end": story.end / 100,
                "contributed": story.contributed / 100,
                "paid_by_house_to_reset": story.reset_by_house / 100,
            },
            "jackpots": len(result.jackpots),
            "jackpot_gaps": result.jackpot_gaps,
            "rounds_per_jackpot": result.rounds_per_jackpot,
            "awards": [
                {
                    "round": award.round + 1,
                    "table": award.table + 1,
                    "box": award.box + 1,
                    "lines": list(award.lines),
                    "paid": award.paid / 100,
                    "meter_before": award.before / 100,
                    "meter_after": award.after / 100,
                }
                for award in story.awards[-AWARDS_SHOWN:]
            ],
        }
    return stamped("simulation", answer)


def _bet_answer(mean: Mean, unit: str, stake: int, result: int, staked: int) -> dict[str, Any]:
    """One bet: money for each round of a box, and under ``per_unit`` for each unit staked."""

    def spread(divisor: int) -> dict[str, Any]:
        low, high = mean.interval
        return {
            "mean": mean.mean / divisor,
            "interval_95": [low / divisor, high / divisor],
            "standard_deviation": mean.deviation / divisor,
        }

    return {
        "result": result / 100,
        "staked": staked / 100,
        **spread(100),
        "per_unit": {"unit": unit, **spread(stake)},
    }


def simulation_report(result: Result, book: Rulebook, *, made_by: str = "") -> Report:
    """The report as charts and tables."""
    plan, s, floor = result.plan, result.plan.schedule, result.plan.floor
    boxes = f"{floor.boxes} box" + ("es" if floor.boxes > 1 else "")
    where = (
        f"{floor.tables} tables with {boxes} each" if floor.tables > 1 else f"one table, {boxes}"
    )
    parts: list[Part] = []
    if not result.complete:
        parts.append(
            Note(
                f"Interrupted: these are the first {result.rounds:,} of {plan.rounds:,} rounds at "
                "each table."
            )
        )
    parts += [_facts(result), *_money(result, book), *_sessions(result), *_play(result, book)]
    if result.awards_are_few:
        parts.append(Note(few_awards(result)))
    if s.stakes.bonus:
        parts += _bonus(result, book)
    if s.stakes.progressive:
        parts += _jackpot(result, book)
    return Report(
        title=f"{book.title}: {result.box_rounds:,} rounds simulated",
        subtitle=(
            f"{book.id}, strategy {plan.strategy.name}; {where}; Ante {money(s.stakes.ante)}, "
            f"Bonus {money(s.stakes.bonus)}, jackpot stake {money(s.stakes.progressive)}; "
            f"seed {plan.seed}."
        ),
        parts=tuple(parts),
        made_by=made_by,
    )


def few_awards(result: Result) -> str:
    """What to say where the interval of the jackpot bet stands on a handful of awards."""
    return (
        f"Only {len(result.meter.awards):,} awards of the meter fell: the 95% interval of the "
        "jackpot bet, and of all bets together, says little before there are a few dozen."
    )


def _facts(result: Result) -> Facts:
    s = result.plan.schedule
    main, sessions = result.main, result.session_results
    rows = [
        (
            "Main bets, for each Ante",
            percent(main.mean / s.stakes.ante),
            f"± {percent(1.96 * main.error / s.stakes.ante)} (95%)",
        ),
        (
            "All bets, for each round",
            signed(result.total.mean),
            f"± {1.96 * result.total.error / 100:,.2f} (95%)",
        ),
    ]
    if len(sessions):
        low, median, high = result.quantiles(0.05, 0.5, 0.95)
        rows += [
            (
                "Sessions won",
                percent(float((sessions > 0).mean()), 1),
                f"of {len(sessions):,} with {result.plan.session_rounds:,} rounds",
            ),
            (
                "Median session",
                signed(median),
                f"9 in 10 end between {signed(low)} and {signed(high)}",
            ),
        ]
    if s.stakes.progressive:
        rows.append(("Jackpots won", f"{len(result.jackpots):,}", "awards of the whole meter"))
        rows.append(
            ("Meter at the end", money(result.meter.end), f"from {money(result.plan.link.start)}")
        )
    return Facts(tuple(rows))


def _money(result: Result, book: Rulebook) -> list[Part]:
    s = result.plan.schedule
    n = max(1, result.box_rounds)
    exact_main = ""
    if result.plan.strategy.name == "optimal":
        exact_main = percent(-float(solve(book).ev), 4)

    def row(name: str, staked: int, won: int, mean: Mean, exact: str) -> tuple[str, ...]:
        edge = -won / staked if staked else 0.0
        half = 1.96 * mean.error * n / staked if staked else 0.0
        each = staked / n
        return (name, money(each), signed(mean.mean), f"{percent(edge)} ± {percent(half)}", exact)

    rows = [row("Main bets", result.main_staked, result.main_result, result.main, "")]
    ante = n * s.stakes.ante
    rows.append(row("… for each Ante", ante, result.main_result, result.main, exact_main))
    if s.stakes.bonus:
        exact = percent(bonus_answer(book, stake=s.stakes.bonus)["house_edge"], 4)
        rows.append(row("Bonus", n * s.stakes.bonus, result.bonus_result, result.bonus, exact))
    if s.stakes.progressive:
        rows.append(
            row(
                "Jackpot",
                n * s.stakes.progressive,
                result.progressive_result,
                result.progressive,
                "",
            )
        )
    return [
        Heading("Money"),
        Grid(
            title="What each round cost",
            headings=("Bet", "Staked>", "Won or lost>", "House edge (95%)>", "Exact>"),
            rows=tuple(rows),
            caption="Means over all rounds of all boxes. Where the lab has the exact figure for "
            "this strategy, it stands beside.",
        ),
    ]


def _sessions(result: Result) -> list[Part]:
    values = result.session_results
    if not len(values):
        return []
    low, median, high = result.quantiles(0.05, 0.5, 0.95)
    span = result.plan.session_rounds
    hours = span / result.plan.floor.rounds_per_hour
    parts: list[Part] = [
        Heading("Sessions"),
        Chart(
            charts.distribution(
                values / 100,
                label=f"Distribution of the result of a session of {span} rounds",
                unit="won or lost in a session, in units of the table",
                marks=[
                    (low / 100, f"5%: {signed(low)}"),
                    (median / 100, f"median {signed(median)}"),
                    (high / 100, f"95%: {signed(high)}"),
                ],
            ),
            f"How a session of {span:,} rounds ends",
            f"{len(values):,} sessions of one box, about {hours:,.1f} hours each; what lies "
            "further out is in the last bars.",
        ),
    ]
    house = result.house_results
    if result.plan.floor.stakes_per_round > 1 and len(house) > 1:
        parts.append(
            Chart(
                charts.distribution(
                    house / 100,
                    label="Distribution of what the House wins in the same time",
                    unit="won or lost by the House, in units of the table",
                    marks=[(float(house.mean()) / 100, f"mean {signed(float(house.mean()))}")],
                ),
                f"What the House wins on the whole floor in {span:,} rounds of every table",
                f"{len(house):,} such stretches; awards by the meter are paid out of it too.",
            )
        )
    return parts


def _play(result: Result, book: Rulebook) -> list[Part]:
    found = result.frequencies
    exact: dict[str, str] = {}
    if result.plan.strategy.name == "optimal":
        solution = solve(book)
        exact = {
            "turn_bet": percent(float(solution.turn_bet_frequency), 3),
            "river_bet": percent(float(solution.river_bet_frequency), 3),
            "folded": percent(float(solution.fold_frequency), 3),
        }
    names = {
        "folded": "Folded",
        "turn_bet": "Turn bet",
        "river_bet": "River bet",
        "won": "Won",
        "tied": "Stand Off",
        "lost": "Lost (not folded)",
    }
    wins = result.winning_hands
    total = max(1, sum(wins.values()))
    return [
        Heading("Play"),
        Grid(
            title="How often",
            headings=("", "Of rounds>", "Exact>"),
            rows=tuple((names[key], percent(found[key], 3), exact.get(key, "")) for key in names),
        ),
        Grid(
            title="What rounds were won with",
            headings=("Hand", "Rounds>", "Of wins>"),
            rows=tuple(
                (name, f"{times:,}", percent(times / total, 3)) for name, times in wins.items()
            ),
        ),
    ]


def _bonus(result: Result, book: Rulebook) -> list[Part]:
    answer = bonus_answer(book, stake=result.plan.schedule.stakes.bonus)
    counts = result.bonus_counts
    rows = []
    for line in answer["lines"]:
        expected = line["probability"] * result.box_rounds
        rows.append((line["id"], line["pays"], f"{counts[line['id']]:,}", f"{expected:,.1f}"))
    return [
        Heading("Bonus"),
        Grid(
            title="Bonus lines",
            headings=("Line", "Pays", "Times>", "Expected>"),
            rows=tuple(rows),
            caption="Expected: exact probability times rounds, if no such hand is folded.",
        ),
    ]


def _jackpot(result: Result, book: Rulebook) -> list[Part]:
    plan, story = result.plan, result.meter
    answer = jackpot_answer(book, stake=plan.schedule.stakes.progressive, meter=None)
    counts = result.progressive_counts
    rows = []
    for line in answer["lines"]:
        expected = line["probability"] * result.box_rounds
        chance = per(1 / line["probability"]) if line["probability"] else ""
        rows.append(
            (line["id"], line["pays"], f"{counts.get(line['id'], 0):,}", f"{expected:,.1f}", chance)
        )
    table_rounds = plan.floor.tables
    jackpots = [(a.round, a.before / 100) for a in story.awards if a.full]
    parts: list[Part] = [
        Heading("Jackpot"),
        Grid(
            title="Progressive lines",
            headings=("Line", "Pays", "Times>", "Expected>", "Exact chance>"),
            rows=tuple(rows),
            caption="Expected: exact probability times rounds, if no such hand is folded.",
        ),
        Chart(
            charts.meter_path(
                [(at, cents / 100) for at, cents in story.path],
                reset=plan.link.reset / 100,
                jackpots=jackpots,
                label="The meter over time",
                unit="rounds at each table",
            ),
            "The meter",
            f"Begins at {money(plan.link.start)}, grows by {money(plan.link.contribution)} for "
            f"each jackpot stake, is reset to {money(plan.link.reset)} (dashed). Dots: the "
            "whole meter was won.",
        ),
    ]
    gaps, mean = result.jackpot_gaps, result.rounds_per_jackpot
    if mean is not None:
        hours = [gap * result.hours_per_round for gap in gaps]
        parts.append(
            Chart(
                charts.waiting_times(
                    hours,
                    mean=mean * result.hours_per_round,
                    label="Hours from one jackpot to the next",
                    unit="hours of play",
                ),
                "Time between jackpots",
                f"{len(gaps):,} jackpots, at {plan.floor.rounds_per_hour} rounds an hour at each "
                f"of {table_rounds:,} table{'s' if table_rounds > 1 else ''}: on average one in "
                f"{mean:,.0f} rounds. The curve is what pure chance makes of the "
                "mean.",
            )
        )
    if story.awards:
        shown = story.awards[-AWARDS_SHOWN:]
        parts.append(
            Grid(
                title="Awards out of the meter"
                + (
                    f", the last {AWARDS_SHOWN} of {len(story.awards):,}"
                    if len(story.awards) > AWARDS_SHOWN
                    else ""
                ),
                headings=("Round>", "Table>", "Box>", "Line", "Paid>", "Meter before>", "after>"),
                rows=tuple(
                    (
                        f"{a.round + 1:,}",
                        str(a.table + 1),
                        str(a.box + 1),
                        ", ".join(a.lines),
                        money(a.paid),
                        money(a.before),
                        money(a.after),
                    )
                    for a in shown
                ),
            )
        )
    return parts
