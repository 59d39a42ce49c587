"""What is in dispute is not put away: rounds and rulings that are held until they are settled."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.house.office.state import OfficeState


class Hold(Struct, frozen=True, kw_only=True):
    """A round or an event that must stay where it is."""

    dispute: int
    place: str
    round: int | None
    position: int | None
    began: datetime | None
    """From when on it must stay; unknown, where nobody said it: then nothing of the place goes."""


def holds(state: OfficeState) -> list[Hold]:
    """Everything that is in dispute and not settled."""
    return [
        Hold(
            dispute=number,
            place=dispute.place,
            round=dispute.round,
            position=dispute.position,
            began=dispute.began,
        )
        for number, dispute in sorted(state.disputes.items())
        if dispute.settled is None
    ]


def held_before(state: OfficeState, moment: datetime) -> list[Hold]:
    """What keeps everything up to a moment from being put away: whatever began before it."""
    return [hold for hold in holds(state) if hold.began is None or hold.began < moment]
