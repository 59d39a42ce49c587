"""Limits that a player sets for himself, breaks and exclusion (S-43).

A lower limit counts at once, a higher one or none after a day: nobody raises a limit in the heat of
the game. A break or exclusion can be made longer and never shorter, by nobody. What they forbid is
for the guard to say (`croupier.house.own_limits`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from msgspec import Meta

from croupier.house.office.authority import CAGE, HOUSE, a_player, refuse, staff, why
from croupier.house.office.standards import OWN_LIMITS
from croupier.house.office.state import OwnLimit, PersonName
from croupier.table import Command, Event, Order, Room
from croupier.table.event import Namer
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.house.office.office import Office

own_limits = Room("own limits")

LimitName = Literal["loss", "deposit", "session"]
LIMIT_AT_MOST = 10**12
HIGHER_AFTER = timedelta(days=1)
BREAK_AT_MOST = 42
"""Days."""
EXCLUSION_AT_LEAST = 180
EXCLUSION_AT_MOST = 3_650


class SetOwnLimit(Command, frozen=True, kw_only=True):
    """A player limits himself: cents lost or paid in on a day, or minutes of a session."""

    players_may: ClassVar[bool] = False

    player: PersonName
    limit: LimitName
    to: Annotated[int, Meta(ge=0, le=LIMIT_AT_MOST)] | None
    """None: no limit any more."""
    reason: str = ""


class StayAway(Command, frozen=True, kw_only=True):
    """A player does not want to play for so many days: a break, or exclusion."""

    players_may: ClassVar[bool] = False

    player: PersonName
    days: Annotated[int, Meta(ge=1, le=EXCLUSION_AT_MOST)]
    exclusion: bool = False
    reason: str = ""


class OwnLimitSet(Event, frozen=True, kw_only=True):
    """The limit counts from that moment on."""

    player: str
    limit: LimitName
    to: int | None
    since: datetime
    asked: datetime | None = None
    """When it was wished for: what did not count by then never will."""

    def tell(self, name: Namer) -> str:
        to = "none" if self.to is None else told_limit(self.limit, self.to)
        return f"{self.player} sets a {self.limit} limit: {to}, from {self.since:%d %b %H:%M} on."


class StaysAway(Event, frozen=True, kw_only=True):
    """He does not play until then."""

    player: str
    until: datetime
    exclusion: bool

    def tell(self, name: Namer) -> str:
        what = "is excluded" if self.exclusion else "takes a break"
        return f"{self.player} {what} until {self.until:%d %b %Y %H:%M}, as the player wished."


def told_limit(limit: str, to: int) -> str:
    """A limit in words."""
    return f"{to} minutes" if limit == "session" else f"{write_money(to)} a day"


def _himself(office: Office, order: Order[SetOwnLimit] | Order[StayAway]) -> None:
    command = order.command
    a_player(office, command.player)
    if order.who != command.player and order.rank is not HOUSE:
        staff(office, order, "set a player's own limits", CAGE)
        why(command.reason, "set a player's own limits")


@own_limits.decides(SetOwnLimit)
def set_own_limit(office: Office, order: Order[SetOwnLimit]) -> None:
    command = order.command
    _himself(office, order)
    before = limit_at(office.state.people[command.player].own_limits, command.limit, order.when)
    lower = command.to is not None and (before is None or command.to <= before)
    office.emit(
        OwnLimitSet(
            player=command.player,
            limit=command.limit,
            to=command.to,
            since=order.when if lower else order.when + HIGHER_AFTER,
            asked=order.when,
            cites=(OWN_LIMITS,),
        )
    )


@own_limits.applies(OwnLimitSet)
def own_limit_set(office: Office, event: OwnLimitSet) -> None:
    """What counts until then stays; a later wish takes the place of one that does not count yet,
    and what counted before is past: the log has it."""
    limits = office.state.people[event.player].own_limits
    asked = event.asked or event.since
    counts = [
        each
        for each in limits
        if each.limit == event.limit and each.since < event.since and each.since <= asked
    ]
    kept = [each for each in limits if each.limit != event.limit]
    kept += sorted(counts, key=lambda each: each.since)[-1:]
    kept.append(OwnLimit(limit=event.limit, to=event.to, since=event.since))
    office.state.people[event.player].own_limits = kept


def limit_at(limits: list[OwnLimit], limit: str, when: datetime) -> int | None:
    """What limit counts at a moment, if one does."""
    counts = [each for each in limits if each.limit == limit and each.since <= when]
    return max(counts, key=lambda each: each.since).to if counts else None


@own_limits.decides(StayAway)
def stay_away(office: Office, order: Order[StayAway]) -> None:
    command = order.command
    _himself(office, order)
    if command.exclusion and command.days < EXCLUSION_AT_LEAST:
        refuse(OWN_LIMITS, f"An exclusion is for {EXCLUSION_AT_LEAST} days at least.")
    if not command.exclusion and command.days > BREAK_AT_MOST:
        refuse(OWN_LIMITS, f"A break is for {BREAK_AT_MOST} days at most; longer is an exclusion.")
    until = order.when + timedelta(days=command.days)
    person = office.state.people[command.player]
    if person.away_until is not None and until <= person.away_until:
        refuse(
            OWN_LIMITS, f"You stay away until {person.away_until:%d %b %Y}; it is not shortened."
        )
    still = person.excluded and person.away_until is not None and order.when < person.away_until
    office.emit(
        StaysAway(
            player=command.player,
            until=until,
            exclusion=command.exclusion or still,
            cites=(OWN_LIMITS,),
        )
    )


@own_limits.applies(StaysAway)
def stays_away(office: Office, event: StaysAway) -> None:
    person = office.state.people[event.player]
    person.away_until, person.excluded = event.until, event.exclusion
