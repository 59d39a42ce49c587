"""The settings of a poker table: what its sign and its layout say, and how it is dealt."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.table import ActorRank, Money
from croupier.table.acting import Acting, Dealing


class RakeSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The charge of the House: a percentage of each pot with a cap, or a timed amount.

    A table has one form and not both (v8 4.1); Poker v5 knows the percentage alone, up to 5%.
    """

    percent: Annotated[int, Meta(ge=0, le=100)] | str | None = None
    """The percentage of each pot, as written on the sign: `5` or `2.5`."""
    cap: Money | None = None
    """The overall cap of one Round of play."""
    chip: Money = 100
    """The smallest chip used for the Rake: each pot's charge is rounded down to it."""
    timed: Money | None = None
    """The timed charge of each seat for one period."""
    minutes: Annotated[int, Meta(ge=1)] = 60
    """The period of the timed charge."""


class PokerSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator states for one table."""

    seats: Annotated[int, Meta(ge=2, le=10, description="seats of the layout")] = 9
    blinds: Annotated[tuple[Money, ...], Meta(min_length=2, max_length=2)] = (500, 1000)
    """Small Blind and Big Blind; the Big Blind is twice the Small Blind (v8 1.8)."""
    minimum_stake: Money = 20000
    """The least Table Stake with which a Player may sit down (v8 3.7, v5 3.4)."""
    maximum_stake: Money | None = None
    """The most that he may bring (v8 3.7); Poker v5 has no maximum."""
    chips: Annotated[tuple[Money, ...], Meta(min_length=1)] = (100, 500, 2500, 10000, 50000, 100000)
    """The denominations in play; wagers and stakes are whole numbers of the smallest."""
    rake: RakeSettings | None = None
    """The form, rate and cap of the charge; a table without one does not open."""
    straddle: bool = False
    """Whether a Straddle Bet is taken here (v8 only)."""
    betting_limit: Money | None = None
    """A highest bet. Both books are No Limit, so a table that states one does not open."""
    layout: str = ""
    """The approved layout in use: A, B or C (v8), A (v5)."""
    sign: bool = False
    """Whether the sign at the table shows stakes, the form of the charge, its rate and its cap."""
    opened_knowingly: bool = False
    """Whether the operator opens the table knowing that a later version has superseded its book."""
    effective: datetime | None = None
    """From when the book is in force, where its text gives no time."""
    house_rank: ActorRank = ActorRank.PIT_MANAGER
    """Who decides where the book says House."""
    dealing: Dealing = "automatic"
    """Whether the House gives the dealer's acts, or a person does and may err."""
    acting: Acting | None = None
    """Whether players act by their own devices, or are seen and the dealer enters it; both, if not
    said."""
    shoe: Literal["virtual", "reported"] = "virtual"
    """Whether the House shuffles, or a real shoe is used and its cards are reported."""

    @property
    def small_blind(self) -> int:
        """The Small Blind in cents."""
        return self.blinds[0]

    @property
    def big_blind(self) -> int:
        """The Big Blind in cents."""
        return self.blinds[1]

    @property
    def smallest_chip(self) -> int:
        """The smallest chip of the table in cents."""
        return min(self.chips)


def rate_of(rake: RakeSettings) -> Fraction:
    """The percentage as a fraction; 0 where the charge is timed."""
    return Fraction(str(rake.percent)) / 100 if rake.percent else Fraction()
