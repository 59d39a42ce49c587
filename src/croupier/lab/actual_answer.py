"""Actual against theory as plain data: what `lab actual --json` prints, with its explanations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.lab.actual import Actual, Group, RakedGroup, chance, mark_of
from croupier.lab.actual_theory import BookTheory, deviation
from croupier.lab.answer_types import stamped

Answer = dict[str, Any]
SHOWN = ("95%", "99%")
OTHERWISE = 4.0
"""Deviations from which on decisions are called other than the best play's."""
HALF = 0.5
"""A single round that makes up so much of a deviation is named."""


def actual_answer(
    actual: Actual,
    theories: Mapping[str, BookTheory],
    *,
    source: str,
    left_out: Mapping[str, int],
    ledger: list[Answer],
) -> Answer:
    """The whole comparison. `left_out` counts rounds by why they are not compared; `ledger` names
    tables whose rounds do not come to what the ledger says."""
    groups = actual.groups
    return stamped(
        "actual",
        {
            "source": source,
            "groups": [_group(group, len(groups)) for group in groups],
            "rake": [_rake(group) for group in actual.raked],
            "left_out": dict(left_out),
            "ledger_differs": ledger,
            "ties": {
                book: {
                    "main": theory.ties[0],
                    "bonus": theory.ties[1],
                    "progressive": theory.ties[2],
                    "simulated_rounds": theory.estimated,
                }
                for book, theory in theories.items()
            },
        },
    )


def _group(group: Group, among: int) -> Answer:
    total = group.total
    spread = deviation(total.variance)
    return {
        "by": group.by,
        "name": group.name,
        "games": sorted(group.books),
        "rounds": group.rounds,
        "boxes": group.boxes,
        "staked": total.staked / 100,
        "won": total.won / 100,
        "hold": total.won / total.staked if total.staked else None,
        "expected": total.expected / 100,
        "expected_hold": total.expected / total.staked if total.staked else None,
        "standard_deviation": spread / 100,
        "deviations": total.deviations,
        "chance": chance(total.deviations),
        "mark": group.mark,
        "bands": [
            {"level": level, "low": low / 100, "high": high / 100}
            for level in SHOWN
            for low, high in (group.band(level),)
        ],
        "normal": group.normal,
        "skewness": group.skewness,
        "corrected": group.corrected / 100,
        "bets": [
            {
                "bet": name,
                "staked": bet.staked / 100,
                "won": bet.won / 100,
                "expected": bet.expected / 100,
                "standard_deviation": deviation(bet.variance) / 100,
                "deviations": bet.deviations,
                "mark": mark_of(bet.deviations),
            }
            for name, bet in group.bets.items()
        ],
        "decisions": [
            {
                "decision": name,
                "share": made / group.boxes if group.boxes else 0.0,
                "best_play": group.expected_decisions[name] / group.boxes if group.boxes else 0.0,
            }
            for name, made in group.decided.items()
        ],
        "explained": explanations(group, among),
    }


def explanations(group: Group, among: int) -> list[str]:
    """Why a group may lie where it lies, as far as the figures can say; nothing for one inside."""
    if group.mark == "inside":
        return []
    total = group.total
    off = total.won - total.expected
    spread = deviation(total.variance)
    level = "99%" if group.mark == "outside 99%" else "95%"
    found = [
        f"The House won {abs(off) / 100:,.2f} {'more' if off > 0 else 'less'} than the bets come "
        f"to in theory, {abs(total.deviations):.2f} standard deviations of {spread / 100:,.2f} in "
        f"{group.rounds:,} rounds; by chance one group in "
        f"{1 / max(chance(total.deviations), 1e-300):,.0f} lies so far off."
    ]
    by_chance = among * (0.05 if level == "95%" else 0.01)
    found.append(
        f"{among} groups are compared here: {by_chance:.1f} of them lie outside {level} by chance."
    )
    if not group.normal:
        found.append(
            f"So few rounds are not near enough to normal (skewness {group.skewness:.2f}): rare "
            "large wins weigh more than the band allows for."
        )
    if off < 0 and -group.largest >= HALF * -off:
        found.append(f"One round alone cost the House {-group.largest / 100:,.2f}.")
    found.append(_where(group, off))
    found += _decisions(group, off)
    if not _otherwise(group):
        found.append(
            "Neither chance at this level, nor the way players decided, explains it: look at the "
            "rounds, the payments and the shuffles of this group."
            if level == "99%"
            else "The way players decided does not explain it."
        )
    return found


def _where(group: Group, off: float) -> str:
    """Of which bet most of it is, or of none."""
    beside = (
        f"The ledger has {abs(group.corrected) / 100:,.2f} "
        f"{'less' if group.corrected > 0 else 'more'} than the bets came to: corrections by "
        "ruling, or money that no bet explains."
    )
    if abs(group.corrected) >= HALF * abs(off):
        return beside
    name, bet = max(group.bets.items(), key=lambda item: abs(item[1].won - item[1].expected))
    told = (
        f"Most of it is of the {_BETS[name]}: {bet.won / 100:,.2f} won, {bet.expected / 100:,.2f} "
        f"in theory, {bet.deviations:+.2f} deviations."
    )
    return f"{told} {beside}" if group.corrected else told


_BETS = {"main": "main bets", "bonus": "Bonus", "progressive": "jackpot stakes"}
_WORDS = {"fold": "fold", "turn": "bet the Turn", "river": "bet the River"}


def _otherwise(group: Group) -> list[str]:
    """Which decisions are not those of the best play."""
    return [
        name
        for name, made in group.decided.items()
        if abs(made - group.expected_decisions[name])
        > OTHERWISE * deviation(group.expected_spread[name])
    ]


def _decisions(group: Group, off: float) -> list[str]:
    found = []
    for name in _otherwise(group):
        share = group.decided[name] / group.boxes
        best = group.expected_decisions[name] / group.boxes
        found.append(f"Boxes {_WORDS[name]} in {share:.1%} of cases; the best play in {best:.1%}.")
    if found and off > 0:
        found.append("The theory is of the best play: whoever plays otherwise loses more.")
    elif found:
        found.append("No way to play wins more than the best play: that does not explain a loss.")
    return found


def _rake(group: RakedGroup) -> Answer:
    return {
        "by": group.by,
        "name": group.name,
        "rounds": group.rounds,
        "base": group.base / 100,
        "taken": group.taken / 100,
        "by_rules": group.by_rules / 100,
        "share": group.taken / group.base if group.base else None,
        "differ": [
            {"table": table, "round": number, "taken": taken / 100, "by_rules": asked / 100}
            for table, number, taken, asked in group.differ
        ],
    }
