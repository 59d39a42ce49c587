"""The gaming day: from the hour at which the House's day begins until the same hour of the next."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from msgspec import Struct

from croupier.house.errors import HouseError


class NoSuchDay(HouseError):
    """A day that no House was open on."""


class GamingDay(Struct, frozen=True, kw_only=True):
    """From the hour at which the House's day begins until the same hour of the next."""

    day: date
    begins: time = time(6)
    zone: tzinfo = UTC

    def __post_init__(self) -> None:
        """No House was open before there were any, and the last day of the calendar has no end."""
        if not 1900 <= self.day.year < 9999:
            raise NoSuchDay(
                f"{self.day} is no gaming day of any House; write one such as 2026-11-16"
            )

    @classmethod
    def of(cls, moment: datetime, *, begins: time = time(6), zone: tzinfo = UTC) -> GamingDay:
        """The day in which a moment lies: before the hour it begins, that is yesterday's."""
        local = moment.astimezone(zone)
        day = local.date() - timedelta(days=local.time() < begins)
        return cls(day=day, begins=begins, zone=zone)

    @property
    def start(self) -> datetime:
        """The first moment of the day."""
        return datetime.combine(self.day, self.begins, self.zone)

    @property
    def end(self) -> datetime:
        """The first moment of the next."""
        return datetime.combine(self.day + timedelta(days=1), self.begins, self.zone)
