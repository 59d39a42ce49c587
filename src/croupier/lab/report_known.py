"""What known cards are worth, as data and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.lab import charts_advantage
from croupier.lab.answer_types import stamped
from croupier.lab.known_gain import Gain
from croupier.lab.report import Chart, Grid, Note, Report
from croupier.lab.report_words import minus
from croupier.rulebooks import Rulebook


def known_answer(book: Rulebook, gains: Sequence[Gain], *, seed: int) -> dict[str, Any]:
    """What `lab known --json` prints."""
    return stamped(
        "known",
        {
            "book": book.id,
            "samples": gains[0].samples,
            "hands": max(gain.hands for gain in gains),
            "seed": seed,
            "without": gains[0].without,
            "rows": [
                {
                    "dead": gain.dead,
                    "dealer": gain.dealer,
                    "hands": gain.hands,
                    "fold": gain.fold.mean,
                    "turn": gain.turn.mean,
                    "river": gain.river.mean,
                    "gain": gain.gain,
                    "interval_95_of_gain": list(gain.interval),
                    "value": gain.value,
                    "boxes": 1 + gain.dead // 2,
                    "gain_of_all_boxes": gain.gain * (1 + gain.dead // 2),
                }
                for gain in gains
            ],
        },
    )


def known_report(answer: dict[str, Any], *, made_by: str = "") -> Report:
    """The same as a page."""
    rows = answer["rows"]

    def name(row: dict[str, Any]) -> str:
        if row["dealer"]:
            cards = "one card" if row["dealer"] == 1 else "both cards"
            return f"{cards} of the dealer's"
        others = "es" if row["boxes"] > 2 else ""
        return f"{row['dead']} cards of {row['boxes'] - 1} other box{others}"

    most = max((row for row in rows if row["dead"]), key=lambda row: row["dead"], default=None)
    told = ""
    if most is not None:
        low, high = most["interval_95_of_gain"]
        worth, usual = (minus(f"{value:+.4f}") for value in (most["value"], answer["without"]))
        told = (
            f"{most['boxes']} boxes that show each other their cards gain "
            f"{most['gain']:.4f} Antes a round each ({low:.4f} to {high:.4f}, 95%), "
            f"{most['gain_of_all_boxes']:.3f} together; a round is then worth "
            f"{worth} Antes to each, against {usual} without."
        )
    return Report(
        title=f"{answer['book']}: what known cards are worth",
        subtitle=f"Sampled: {answer['samples']:,} deals, {answer['hands']:,} hands played out, "
        f"seed {answer['seed']}.",
        parts=(
            Note(told or "One box alone knows nothing of others."),
            Chart(
                charts_advantage.stacked(
                    [
                        (
                            name(row),
                            [max(0.0, row[part]) for part in ("fold", "turn", "river")],
                            f"{row['gain']:.4f} Antes",
                        )
                        for row in rows
                    ],
                    ("first decision", "Turn bet", "River bet"),
                    label="Gain of a box by number of known cards",
                    unit="gain of one box, in Antes a round",
                ),
                "What a box gains by knowing more",
                "Against the best play that knows its own hand and the board alone.",
            ),
            Grid(
                title="By known cards, in Antes a round of one box",
                headings=(
                    "Known",
                    "Played out>",
                    "Fold>",
                    "Turn>",
                    "River>",
                    "Gain>",
                    "95%>",
                    "Worth>",
                ),
                rows=tuple(
                    (
                        name(row),
                        f"{row['hands']:,}",
                        f"{row['fold']:.4f}",
                        f"{row['turn']:.4f}",
                        f"{row['river']:.4f}",
                        f"{row['gain']:.4f}",
                        minus(" to ".join(f"{end:.4f}" for end in row["interval_95_of_gain"])),
                        minus(f"{row['value']:+.4f}"),
                    )
                    for row in rows
                ),
                caption="Worth: what a round is worth to that box, main bets only. Played out: "
                "hands on which the gain of the first decision stands; with a handful, the "
                "interval says little about that part.",
            ),
        ),
        made_by=made_by,
    )
