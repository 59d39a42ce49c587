"""What a jackpot link remembers: the meter and its accounts, claims, awards, what tables gave."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import Struct

from croupier.jackpot.settings import LinkSettings
from croupier.table import HeldLine, Money
from croupier.table.conversation import State

LAST_AWARDS = 25
"""How many awards a controller must be able to show."""


class Posting(Struct, kw_only=True):
    """What one stake gave, and where it is now."""

    meter: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    parked: Money = 0
    doubtful: Money = 0
    reset: int = 0
    """How often the meter had been reset when it got its part."""
    kept: bool = False
    """The stake went back, what it gave did not (policy `void-contribution`)."""
    borne: Money = 0
    """The stake went back after the meter was reset: the House bears what it gave (B-12)."""


class TableRound(Struct, kw_only=True):
    """The stakes of the last round that a table told the link of."""

    round: int
    boxes: dict[int, Posting] = {}
    returned: dict[int, Posting] = {}
    """Stakes that went back, and where they had been; a ruling taken back lays them there again."""
    over: bool = False


class Claim(Struct, frozen=True, kw_only=True):
    """A percentage line that waits to be paid."""

    table: str
    round: int
    held: HeldLine
    since: datetime | None = None
    """When it was raised; not known in logs of earlier versions."""

    @property
    def name(self) -> str:
        return f"{self.table}/{self.held.box}"


class Award(Struct, frozen=True, kw_only=True):
    """One award that was paid."""

    table: str
    round: int
    box: int
    line: str
    paid: Money
    meter_before: Money
    meter_after: Money


class Proposal(Struct, frozen=True, kw_only=True):
    """A change that somebody proposed and a second person has not approved yet."""

    kind: str
    change: dict[str, Any]
    reason: str
    who: str


class LinkState(State, kw_only=True):
    """The controller: since its last reset
    meter = value then + contributions - partial awards - reversals + corrections + top-ups."""

    opened: bool = False
    rulebook: str = ""
    policies: dict[str, str] = {}
    settings: LinkSettings = LinkSettings(reset_value=0)
    tables: list[str] = []
    closed: bool = False
    failed: bool = False
    terminated: bool = False
    """Whether it has ended for good."""
    registered: Money | None = None
    meter: Money = 0
    at_last_reset: Money = 0
    contributions: Money = 0
    partial_awards: Money = 0
    reversals: Money = 0
    corrections: Money = 0
    topped_up: Money = 0
    resets: int = 0
    parked: Money = 0
    reserve: Money = 0
    overflow: Money = 0
    doubtful: Money = 0
    carry: int = 0
    """What is left over of a cent by the contribution rate, in millionths."""
    reserve_carry: int = 0
    borne: Money = 0
    put_in: Money = 0
    """All money that came into the link's accounts less what went back, awards not counted."""
    contributed: Money = 0
    hits: int = 0
    awarded: Money = 0
    rounds: dict[str, TableRound] = {}
    counts: dict[str, int] = {}
    claims: list[Claim] = []
    awards: list[Award] = []
    proposals: dict[int, Proposal] = {}
    proposed: int = 0
    display: Money = 0
    display_at: datetime | None = None

    def held(self) -> Money:
        """All money of the link: the meter and the pools beside it."""
        return self.meter + self.parked + self.reserve + self.overflow + self.doubtful
