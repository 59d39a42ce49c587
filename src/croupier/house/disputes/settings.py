"""What the House says to a patron who disputes something: his rights, how long he has, whom to ask.

The part `[disputes]` of the configuration. What is on record in the office counts, so that a notice
printed at the office says the same as one of the server.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Meta, Struct

from croupier.house.config_words import Fault, Path
from croupier.house.office.state import OfficeState

RIGHTS = (
    "You need not accept this ruling. To dispute it costs you nothing, and you may go on playing.",
    "You may take it to an inspector of the casino regulator until the deadline above. That "
    "decision is final, for you and for the House.",
    "Until it is settled the House keeps the record of this round, and of the cameras at the times "
    "that stand here.",
    "You may have this notice, and a statement of your own account, free of charge.",
)


def _known_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder of zones is no zone
        raise ValueError(f"{name!r} is no time zone; write Asia/Singapore") from None


class DisputeSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is printed on a notice."""

    days: Annotated[int, Meta(ge=1, le=3_650)] = 30
    """How long a patron has to take a dispute further."""
    house: str = ""
    """What the house is called."""
    inspector: str = ""
    """Where an inspector is found: a desk, a telephone number, an address."""
    rights: tuple[str, ...] = RIGHTS
    """What a patron may do, in the words of the law where the House stands."""
    zone: str = "UTC"
    """The time zone of the House's clocks and cameras."""

    def __post_init__(self) -> None:
        _known_zone(self.zone)

    @staticmethod
    def faults_within(told: dict[str, Any], path: Path) -> list[Fault]:
        """What is wrong with the zone, beyond that it is a text."""
        zone = told.get("zone", "UTC")
        if not isinstance(zone, str):
            return []  # that is a fault of its own
        try:
            _known_zone(zone)
        except ValueError as error:
            return [Fault(path=(*path, "zone"), says=str(error))]
        return []

    @property
    def clock(self) -> tzinfo:
        """The zone in which times are printed."""
        return _known_zone(self.zone)


PREFIX = "disputes."


def settings_on_record(state: OfficeState) -> DisputeSettings:
    """The settings as the office has them; others have their default."""
    told = {
        name.removeprefix(PREFIX): msgspec.json.decode(value)
        for name, value in state.settings.items()
        if name.startswith(PREFIX)
    }
    return msgspec.convert(told, DisputeSettings)
