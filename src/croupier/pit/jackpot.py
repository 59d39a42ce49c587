"""How case files set up a jackpot link."""

from __future__ import annotations

from msgspec import Struct

from croupier.jackpot.settings import Payment, Percent
from croupier.table import Money, StaffRank


class LinkSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand under [links.NAME]: the settings of a link, and the value it opens with."""

    reset_value: Money
    contribution: Money | None = None
    contribution_rate: Percent | None = None
    meter: Money | None = None
    """The meter when the case begins; the reset value if not said."""
    reserve_rate: Percent = "0"
    ceiling: Money | None = None
    unreasonable: Money | None = None
    payment: Payment = "confirmed"
    display_pace: Money | None = None
    house_rank: StaffRank = StaffRank.PIT_MANAGER
    tables: tuple[str, ...] | None = None
    """The tables that hang on it when it opens; all that name it if not said."""
