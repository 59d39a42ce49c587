"""How reports write money, percentages and counts."""

from __future__ import annotations

from typing import Any

MINUS = "\N{MINUS SIGN}"


def minus(text: str) -> str:
    """The text with a real minus sign."""
    return text.replace("-", MINUS)


def money(cents: float) -> str:
    """Cents as on the table: ``1,234.50``, and ``60`` where there are none."""
    sign = MINUS if round(cents) < 0 else ""
    whole, rest = divmod(abs(round(cents)), 100)
    return f"{sign}{whole:,}" + (f".{rest:02d}" if rest else "")


def signed(cents: float) -> str:
    """Money that is won or lost, always with cents and a sign."""
    sign = MINUS if cents < 0 else "+"
    return f"{sign}{abs(cents) / 100:,.2f}"


def percent(share: float, digits: int = 2) -> str:
    """A share as a percentage."""
    return minus(f"{share * 100:.{digits}f}%")


def per(count: float) -> str:
    """One in so many."""
    return f"1 in {count:,.0f}" if count >= 10 else f"1 in {count:,.1f}"


def bonus_words(bet: dict[str, Any]) -> str:
    """At which stake the Bonus was worked out, and what the cap does to it."""
    cap = f"the winnings of a box are capped at {bet['cap']:,.2f} (4.1.1)"
    if bet["stake"] is None:
        return f"For each unit of a stake that stays under the cap: {cap}."
    cut = [f"{x['id']} to {x['winnings']:,.2f} to 1" for x in bet["lines"] if x["capped"]]
    told = f"which cuts {', '.join(cut)}" if cut else "which cuts no line"
    return f"At a stake of {bet['stake']:,.2f}: {cap}, {told}."


def after_words(decision: dict[str, Any]) -> str:
    """What the values of a River decision take the Turn to have been, and what they are else."""
    other = "a check" if decision["after"] == "turn bet" else "a bet"
    values = ", ".join(
        f"{choice} {minus(f'{value:+.6f}')}" for choice, value in decision["otherwise"].items()
    )
    said = decision["after"].removeprefix("turn ")
    return f"The River values count the {said} on the Turn that was best; after {other}: {values}."
