"""The benchmarks: what croupier promises about its speed, measured beside its peers.

Each module here is one benchmark with a function `measure() -> list[Row]`; its docstring says what
is measured and how. `python3 run.py bench` runs them all (`benchmarks.__main__`).

A figure is worth something only beside another from the same run on the same machine, so targets
are ratios to a peer wherever there is one. A peer that cannot be imported is a row with no value:
it is shown as missing, and so is its target, which then counts as not met.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A limit on the row's ratio, or on its value where it has no peer."""

    at: Literal["least", "most"]
    limit: float

    def met(self, figure: float) -> bool:
        """Tell whether the figure keeps to the limit; the limit itself does."""
        return figure >= self.limit if self.at == "least" else figure <= self.limit


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the table: who did what, how fast, and how that compares."""

    benchmark: str
    """The module: `ranking`."""
    what: str
    """What was done: `rank one 7-card hand`."""
    who: str = "croupier"
    """croupier, or the peer that did the same."""
    value: float | None = None
    """The measured value; None where the peer is missing."""
    unit: str = ""
    ratio: float | None = None
    """croupier's value over this peer's; None on croupier's own row."""
    target: Target | None = None
    note: str = ""

    @property
    def figure(self) -> float | None:
        """What the target speaks of."""
        return self.value if self.who == "croupier" else self.ratio

    @property
    def outcome(self) -> Literal["pass", "short", "missing", ""]:
        """How the row stands: against its target, or missing, or nothing to say."""
        if self.value is None:
            return "missing"
        if self.target is None or self.figure is None:
            return ""
        return "pass" if self.target.met(self.figure) else "short"
