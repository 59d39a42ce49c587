"""The records of jackpot links at the pit console: parameters, self-check, awards, slips."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.live.wire import Cited, CommandId
from croupier.table import Money


class PitParameters(Struct, frozen=True, kw_only=True):
    """The parameters of a link that two people may change; null where there is none."""

    reset_value: Money
    contribution: Money | None
    contribution_rate: str | None
    reserve_rate: str
    ceiling: Money | None
    unreasonable: Money | None
    display_pace: Money | None


class PitCheck(Struct, frozen=True, kw_only=True):
    """One thing that a link looks at before it goes live again."""

    says: str
    holds: bool


class PitWitness(Struct, frozen=True, kw_only=True):
    """The second person of a payment."""

    by: str
    post: str
    at: datetime


class PitAward(Struct, frozen=True, kw_only=True):
    """One award that was paid: what stands on its slip."""

    link: str
    award: int
    """The number of the slip."""
    table: str
    round: int
    box: int
    player: str
    """Whose it was; in a list of awards nothing, the slip has it."""
    line: str
    percent: str
    paid: Money
    meter_before: Money
    meter_after: Money
    registered: Money | None
    """The amount registered before a fault, of which it is a share."""
    completed: Money
    """What of it the meter lacked and the House put in."""
    dealt: datetime | None
    """When its hand was full: what the order of payment goes by across tables."""
    since: datetime | None
    """When it was claimed."""
    at: datetime
    paid_by: str
    """Nobody where the link pays at once."""
    post: str
    cites: tuple[Cited, ...]
    witness: PitWitness | None
    taken_back: bool
    """Its round is void or its hand cancelled: it came back, and stands no more."""
    mine: bool
    """Whether whoever asks may witness it now."""
    barred: str = ""
    """Why not, if so."""
    hand: tuple[str, ...] = ()
    board: tuple[str, ...] = ()


class PitLinkWork(Struct, frozen=True, kw_only=True):
    """What staff need of a link beside its meter and claims."""

    link: str
    rulebook: str
    short: str
    house_rank: str
    """The rank that gives orders here, or above."""
    parameters: PitParameters
    parked: Money
    reserve: Money
    overflow: Money
    doubtful: Money
    lines: dict[str, str]
    """What the lines of its pay table are called."""
    counts: dict[str, int]
    """How many jackpot stakes each table has counted itself."""
    checks: tuple[PitCheck, ...]
    """The self-check, as it would come out now."""
    awards: tuple[PitAward, ...]
    """The last ones, the newest first."""


class WitnessBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """You have seen the hand and the payment."""

    id: CommandId
