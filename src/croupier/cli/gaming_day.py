"""Options that several commands have: a day or a moment, when a gaming day begins, and in which
time zone."""

from __future__ import annotations

from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click


class Written(click.DateTime):
    """A day or a moment. What is written otherwise is answered with how it is written."""

    def __init__(self, name: str, says: str, *formats: str) -> None:
        super().__init__(formats)
        self.name, self._says = name, says

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return self.name

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            given: datetime = super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is no {self._says}", param, ctx)
        return given


DAY = Written("DATE", "day; write 2026-11-16", "%Y-%m-%d")


class _Begins(click.ParamType[time]):
    """The hour at which a gaming day begins."""

    name = "HH:MM"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> time:
        if isinstance(value, time):
            return value
        try:
            return time.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no hour; write 06:00", param, ctx)


class _Zone(click.ParamType[ZoneInfo]):
    """A time zone by its name."""

    name = "ZONE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> ZoneInfo:
        if isinstance(value, ZoneInfo):
            return value
        try:
            return ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self.fail(f"{value!r} is no time zone; write Asia/Singapore", param, ctx)


begins = click.option(
    "--begins",
    type=_Begins(),
    default="06:00",
    show_default=True,
    help="The hour at which a gaming day begins.",
)
zone = click.option(
    "--zone",
    type=_Zone(),
    default="UTC",
    show_default=True,
    help="The time zone of the House, such as Asia/Singapore.",
)
