"""The records of what staff do over HTTP: orders for players, the roster, orders of the office."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from msgspec import Meta, Raw, Struct

from croupier.house.behalf import Word
from croupier.live.staff_door import Post
from croupier.live.wire import CommandId


class ForPlayerBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command at a table that a member of staff gives for a player: for whom and why."""

    id: CommandId
    command: Raw
    player: Annotated[str, Meta(min_length=1, max_length=40)]
    word: Word
    """What it rests on: `seen`, the player's `pin`, or `cash` that he pays at the table."""
    why: Annotated[str, Meta(min_length=1, max_length=500)]
    pin: Annotated[str, Meta(max_length=12)] = ""
    """What the player typed, with the word `pin`."""


class StaffDoorBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The post that a visitor of the demonstration wants to try, and under which name."""

    name: Annotated[str, Meta(min_length=1, max_length=24)]
    post: Post


class AssignmentLine(Struct, frozen=True, kw_only=True):
    """Where somebody is to work, and when."""

    assignment: int
    table: str
    area: str
    """With neither a table nor an area it is the floor."""
    says: str
    """The same in words."""
    since: datetime
    until: datetime | None
    by: str


class RosterLine(Struct, frozen=True, kw_only=True):
    """A member of staff: his role and post, his licence, and where he is assigned."""

    name: str
    role: str
    post: str = ""
    """At which he is on duty; nothing if he is not."""
    acting: bool = False
    since: datetime | None = None
    licence: str = ""
    licence_until: date | None = None
    unlicensed: str = ""
    """Why he may conduct no game, if so."""
    assignments: tuple[AssignmentLine, ...] = ()
    deals_at: tuple[str, ...] = ()
    disabled: str = ""


class RosterPage(Struct, frozen=True, kw_only=True):
    """Who works here, where and until when; areas and tables that somebody can be assigned to."""

    staff: tuple[RosterLine, ...]
    areas: tuple[str, ...]
    tables: tuple[str, ...]


class OfficeOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An order of the office."""

    id: CommandId
    command: Raw
    secret: Annotated[str, Meta(max_length=256)] | None = None
    """The password or PIN that comes with it; the log has the digest of its hash alone."""
    old: Annotated[str, Meta(max_length=256)] | None = None
    """The password until now, for whoever sets their own, or their own second factor."""
    code: Annotated[str, Meta(max_length=64)] | None = None
    """The code of a new second factor, with the key that comes as `secret`."""


class OfficeAnswer(Struct, frozen=True, kw_only=True):
    """What the office said to an order: in sentences, and as its log has it."""

    id: str
    told: tuple[str, ...]
    said: tuple[Raw, ...] = ()
