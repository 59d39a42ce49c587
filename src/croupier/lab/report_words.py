"""How reports write money, percentages and counts."""

from __future__ import annotations

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
