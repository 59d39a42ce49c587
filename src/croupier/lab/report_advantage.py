"""Sensitivity and risk of ruin, as data and as pages."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from croupier.lab import charts, charts_advantage
from croupier.lab.answer_types import stamped
from croupier.lab.report import Chart, Facts, Grid, Heading, Note, Part, Report
from croupier.lab.report_words import minus, percent
from croupier.lab.ruin import Session
from croupier.lab.sensitivity import Effect
from croupier.rulebooks import Rulebook

_BETS = {
    "main": ("Main bets", "of the Ante"),
    "bonus": ("Bonus", "of the Bonus stake"),
    "progressive": ("Progressive Jackpot", "of the jackpot stake"),
}
_SHARES = {"5%": 0.05, "25%": 0.25, "50%": 0.5, "75%": 0.75, "95%": 0.95}


def sensitivity_answer(
    book: Rulebook,
    found: Sequence[Effect],
    *,
    by: Fraction,
    bonus_stake: int,
    stake: int,
    meter: int,
) -> dict[str, Any]:
    """What `lab sensitivity --json` prints."""
    return stamped(
        "sensitivity",
        {
            "book": book.id,
            "by": float(by),
            "bonus": bonus_stake / 100,
            "stake": stake / 100,
            "meter": meter / 100,
            "lines": [
                {
                    "id": one.id,
                    "bet": one.bet,
                    "pays": one.pays,
                    "instead": one.instead,
                    "edge": float(one.edge),
                    "edge_then": float(one.edge_then),
                    "change": float(one.change),
                    "change_exact": str(one.change),
                }
                for one in found
            ],
        },
    )


def sensitivity_report(answer: dict[str, Any], *, made_by: str = "") -> Report:
    """The same as a page, with a chart for each bet."""
    parts: list[Part] = []
    more = minus(f"{answer['by']:+.0%}")
    for bet, (name, unit) in _BETS.items():
        lines = [line for line in answer["lines"] if line["bet"] == bet]
        ranked = sorted(lines, key=lambda line: line["change"])
        parts += [
            Heading(name),
            Chart(
                charts_advantage.tornado(
                    [
                        (line["id"], line["change"], minus(f"{100 * line['change']:+.4f} points"))
                        for line in ranked
                    ],
                    label=f"Change of the House edge by line: {name}",
                    unit=f"change of the House edge, in percentage points {unit}",
                ),
                f"If one line alone paid {more}",
                "To the left the House wins less.",
            ),
            Grid(
                title="",
                headings=("Line", "Pays", "Would pay", "Edge>", "Would be>", "Change, points>"),
                rows=tuple(
                    (
                        line["id"],
                        line["pays"],
                        line["instead"],
                        percent(line["edge"], 4),
                        percent(line["edge_then"], 4),
                        minus(f"{100 * line['change']:+.5f}"),
                    )
                    for line in ranked
                ),
                caption=f"House edge {unit}; a percentage point is one hundredth of it.",
            ),
        ]
    return Report(
        title=f"{answer['book']}: what each pay line is worth",
        subtitle=f"Each line alone changed by {more}. Exact; main bets are played best after each "
        f"change. Bonus at {answer['bonus']:,.2f}, jackpot stake of {answer['stake']:,.2f} at a "
        f"meter of {answer['meter']:,.2f}.",
        parts=tuple(parts),
        made_by=made_by,
    )


def ruin_answer(
    book: Rulebook, sessions: Sequence[Session], needs: dict[str, int], *, ante: int
) -> dict[str, Any]:
    """What `lab ruin --json` prints; ``needs`` by risk: the bankroll in Antes."""

    def money(antes: float) -> float:
        return antes * ante / 100

    return stamped(
        "ruin",
        {
            "book": book.id,
            "strategy": "optimal",
            "ante": ante / 100,
            "rounds": sessions[0].rounds,
            "needed": money(sessions[0].needed),
            "rows": [
                {
                    "bankroll": money(one.bankroll),
                    "ruin": one.ruin,
                    "ahead": one.ahead,
                    "mean_end": money(one.mean),
                    "quantiles": {
                        name: money(one.quantile(share)) for name, share in _SHARES.items()
                    },
                }
                for one in sessions
            ],
            "bankroll_for": {risk: money(antes) for risk, antes in needs.items()},
        },
    )


def ruin_report(answer: dict[str, Any], main: Session, *, made_by: str = "") -> Report:
    """The same as a page."""
    ante = answer["ante"]
    needs = answer["bankroll_for"]
    first = answer["rows"][0]
    values = [(antes - main.bankroll) * ante for antes in range(len(main.ends))]
    return Report(
        title=f"{answer['book']}: risk of ruin",
        subtitle=f"A session of {answer['rounds']:,} rounds at an Ante of {ante:,.2f}, main bets "
        "only, best play. Exact: every round is followed, none is drawn.",
        parts=(
            Facts(
                (
                    (
                        "Risk of ruin",
                        percent(first["ruin"], 3),
                        f"with {first['bankroll']:,.2f} at first",
                    ),
                    *(
                        (f"For a risk of {risk}", f"{needs[risk]:,.2f}", "is the least bankroll")
                        for risk in needs
                    ),
                )
            ),
            Note(
                f"Ruined is who has less than {answer['needed']:,.2f} left when a round begins: it "
                "may take Ante, Flop, Turn and River."
            ),
            Chart(
                charts.weighted_distribution(
                    values,
                    main.ends,
                    label="How a session ends",
                    unit="won or lost in the session, in units of the table",
                ),
                "How a session ends",
                f"From {first['bankroll']:,.2f}. The bar at the left end: ruined.",
            ),
            Grid(
                title="By bankroll",
                headings=(
                    "Bankroll>",
                    "Ruined>",
                    "Ends ahead>",
                    "Left on average>",
                    *(f"{name}>" for name in _SHARES),
                ),
                rows=tuple(
                    (
                        f"{row['bankroll']:,.2f}",
                        percent(row["ruin"], 3),
                        percent(row["ahead"], 2),
                        f"{row['mean_end']:,.2f}",
                        *(f"{row['quantiles'][name]:,.2f}" for name in _SHARES),
                    )
                    for row in answer["rows"]
                ),
                caption="The last columns: so many sessions end with at most so much.",
            ),
        ),
        made_by=made_by,
    )
