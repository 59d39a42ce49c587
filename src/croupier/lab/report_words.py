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


def best_play_words(best: dict[str, Any]) -> list[str]:
    """What to fold with a jackpot stake down, and whether to make that bet."""
    folds = " ".join(best["fold_hands"]) or "nothing"
    base = " ".join(best["base_fold_hands"]) or "nothing"
    same = " as without the jackpot bet" if folds == base else f"; without the jackpot bet {base}"
    worth = best["stake_is_worth"]
    advice = "make the jackpot bet" if worth > 0 else "leave the jackpot bet"
    return [
        f"Best play at an Ante of {best['ante']:,.2f}, a stake of {best['stake']:,.2f} and a meter "
        f"of {best['meter']:,.2f}: fold {folds}{same}.",
        minus(
            f"A round is then worth {best['value']:+,.4f} (with the base game's folds "
            f"{best['value_with_base_folds']:+,.4f}), and {best['value_without_stake']:+,.4f} "
            f"without the jackpot bet, which adds {worth:+,.4f}: {advice}."
        ),
    ]
