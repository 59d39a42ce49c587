"""The plain facts of a jackpot link: what cases expect and back offices show."""

from __future__ import annotations

from msgspec import Struct

from croupier.table import Money


class ClaimFacts(Struct, kw_only=True):
    """One claim in the queue."""

    table: str
    box: int
    line: str
    percent: str


class AwardFacts(Struct, kw_only=True):
    """One award that was paid."""

    table: str
    round: int
    box: int
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money
    taken_back: bool = False
    """It came back, because its round is void or its hand cancelled."""


class PendingQuestion(Struct, kw_only=True):
    """A decision that the link waits for."""

    question: str
    options: list[str]


class LinkFacts(Struct, kw_only=True):
    """What can be said of a link now."""

    status: str
    """open, claims, failed, closed or terminated."""
    rulebook: str = ""
    tables: list[str] = []
    meter: Money = 0
    display: Money = 0
    """What the display shows; it ends on the meter."""
    parked: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    doubtful: Money = 0
    reset_value: Money = 0
    ceiling: Money | None = None
    at_last_reset: Money = 0
    contributions: Money = 0
    """Since the last reset, as are the next five."""
    partial_awards: Money = 0
    reversals: Money = 0
    corrections: Money = 0
    topped_up: Money = 0
    taken_back: Money = 0
    """What awards that were taken back have put back, less the seeds that had replaced them."""
    returning: Money = 0
    """Awards that were taken back and wait until the claims are paid."""
    borne: Money = 0
    """Reversals that the House bore because the meter had been reset meanwhile."""
    contributed: Money = 0
    """All contributions since the link opened."""
    hits: int = 0
    awarded: Money = 0
    claims: list[ClaimFacts] = []
    """In the order in which they are paid."""
    awards: list[AwardFacts] = []
    """The last 25, the newest last."""
    registered: Money | None = None
    """The last registered value, while the link has failed."""
    registered_for: dict[str, Money] = {}
    """The amount registered before a fault, by table, while the round is to be paid on it."""
    proposals: list[int] = []
    decisions: list[PendingQuestion] = []
    counts: dict[str, int] = {}
    """Jackpot stakes of each table, less those returned."""
    policies: dict[str, str] = {}
