"""The settings of a banked table: what its sign, its layout and its operator say.

The text gives neither limits nor the prescribed jackpot stake, so they have no default: a table
that does not display them is refused opening (3.3, B-01).
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from croupier.table import ActorRank, Money
from croupier.table.acting import Acting, Dealing

Device = Literal["shoe", "shuffler"]
ShoeKind = Literal["virtual", "reported"]
Controller = Literal["link", "external"]


class BankedSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator states for one table."""

    layout: str | None = None
    """The approved layout that the table shows: A, B, C or D (2.1.1)."""
    layout_boxes: Annotated[int, Meta(ge=1, le=14, description="boxes drawn on the layout")] = 7
    """Boxes drawn on that layout; the pictures are not in the text, so staff enter the number."""
    boxes: Annotated[int, Meta(ge=1, le=14, description="boxes in use")] | None = None
    """Boxes in use, at most those drawn (2.1.1.a); all of them if not said."""
    ante_minimum: Money | None = None
    ante_maximum: Money | None = None
    bonus_minimum: Money | None = None
    bonus_maximum: Money | None = None
    progressive: Money | None = None
    """The prescribed Progressive Jackpot stake (3.3, 3.4)."""
    device: Device = "shoe"
    """A Card Shoe (3.11) or an Electronic Card Shuffler (3.12)."""
    dealing: Dealing = "automatic"
    """Automatic: the House gives the dealer's acts. By hand: a person does, and may err."""
    acting: Acting | None = None
    """Whether players act by their own devices, or are seen and the dealer enters it; both, if not
    said."""
    shoe: ShoeKind = "virtual"
    """Virtual: shuffled by the House. Reported: real, its cards are entered as they appear."""
    controller: Controller = "link"
    """Who runs the jackpot: a link of this house, or a controller whose awards staff enter."""
    effective: datetime | None = None
    """From when the operator states the book to be in force; only where its text gives no time."""
    opened_knowingly: bool = False
    """The operator plays under this book although it is not in force; every round is marked so."""
    house_rank: ActorRank = ActorRank.PIT_MANAGER
    """Which rank, or above, exercises what the book gives to the House."""

    @property
    def prescribed(self) -> Money:
        """The stake of a jackpot bet; a table that displays none does not open (3.4)."""
        assert self.progressive is not None
        return self.progressive

    @property
    def boxes_in_use(self) -> int:
        return self.boxes if self.boxes is not None else self.layout_boxes
