"""The parameters of a jackpot link.

The text gives neither the reset value nor what a bet adds to the meter, so both must be stated
(1.20, B-01). What casino practice knows beyond the book (a rate, pools, a ceiling, a paced
display) is off unless it is set: the book wants a meter that grows with each accepted bet.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.table import ActorRank, Money

Percent = Annotated[str, Meta(pattern=r"^\d{1,3}(\.\d{1,4})?$", description="such as 12.5")]
Payment = Literal["confirmed", "at once"]


class LinkSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator states for one link."""

    reset_value: Money
    """The meter after the whole jackpot was won (1.20)."""
    contribution: Money | None = None
    """What each accepted jackpot stake adds to the meter, as an amount."""
    contribution_rate: Percent | None = None
    """Or as a percentage of the stake; parts of a cent are carried, never dropped."""
    start: Money | None = None
    """The meter when the link opens; the reset value if not said."""
    reserve_rate: Percent = "0"
    """The hidden part of each contribution, kept in reserve for the next reset."""
    ceiling: Money | None = None
    """The most that the meter shows; beyond it, contributions go into the overflow pool."""
    unreasonable: Money | None = None
    """A contribution of one table in one round above this is set aside and the link fails."""
    payment: Payment = "confirmed"
    """Confirmed: claims wait until the House pays them, so that those of other tables can join the
    queue. At once: a claim is paid as it is raised; there is never a queue of two tables."""
    display_pace: Money | None = None
    """The display climbs by at most this much a second; none: it always shows the meter."""
    house_rank: ActorRank = ActorRank.PIT_MANAGER
    """Which rank, or above, exercises what the book gives to the House."""
