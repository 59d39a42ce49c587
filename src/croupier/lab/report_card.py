"""The strategy card as data, and as a page to print and take along."""

from __future__ import annotations

from typing import Any

from croupier.lab.answer_types import stamped
from croupier.lab.report import Facts, Grid, Heading, Note, Part, Report
from croupier.lab.report_words import minus, percent
from croupier.lab.strategy_card import Card, Rule


def card_answer(card: Card) -> dict[str, Any]:
    """What `lab card --json` prints."""

    def rules(given: tuple[Rule, ...]) -> list[dict[str, Any]]:
        return [
            {
                "rule": rule.text,
                "gain": float(rule.gain),
                "gain_exact": str(rule.gain),
                "still_costs": float(rule.still_costs),
            }
            for rule in given
        ]

    return stamped(
        "card",
        {
            "book": card.book,
            "fold_hands": list(card.fold_hands),
            "turn": rules(card.turn),
            "river": rules(card.river),
            "value": float(card.value),
            "value_exact": str(card.value),
            "best": float(card.best),
            "costs": float(card.costs),
            "costs_exact": str(card.costs),
        },
    )


def card_report(answer: dict[str, Any], *, made_by: str = "") -> Report:
    """The card as a page."""
    folds = " ".join(answer["fold_hands"])
    parts: list[Part] = [
        Facts(
            (
                ("House edge by this card", percent(-answer["value"], 4), "of the Ante"),
                ("By the best play", percent(-answer["best"], 4), "of the Ante"),
                ("The card costs", f"{answer['costs']:.4f}", "Antes a round"),
            )
        ),
        Heading("1. Your two cards"),
        Note(
            f"Fold {folds} (o: of different suits). Bet the Flop with every other hand."
            if folds
            else "Bet the Flop with every hand."
        ),
    ]
    for number, name in ((2, "turn"), (3, "river")):
        parts += [
            Heading(f"{number}. The {name.title()} bet: bet if you have"),
            Grid(
                title="",
                headings=("Any of these", "Gains>", "Still costs>"),
                rows=tuple(
                    (
                        f"{place}. {rule['rule']}",
                        minus(f"{rule['gain']:.4f}"),
                        f"{rule['still_costs']:.4f}",
                    )
                    for place, rule in enumerate(answer[name], 1)
                ),
                caption="Otherwise check. In Antes a round: what a rule adds to those above it, "
                "and what this bet still costs against the best play if the card ended there.",
            ),
        ]
    return Report(
        title=f"Strategy card: {answer['book']}",
        subtitle="Found by machine among short rules; every figure is exact, over all deals.",
        parts=tuple(parts),
        made_by=made_by,
    )
