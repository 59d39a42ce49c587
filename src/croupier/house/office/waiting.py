"""Waiting lists, as of a poker room: names in order, called to a table, seated, or taken off.

A list is of an area, or of one table. The books say nothing of it, so it is the room's own order,
kept by its staff: whoever has waited longest is called first, unless somebody says why not. To move
players so that games stay full is a relocation (v8 5.7.2, `croupier.house.office.moves`); which
tables are short is said by `croupier.house.waiting_rooms`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from croupier.house.office.authority import on_duty, refuse
from croupier.house.office.standards import UNIQUE_ACCOUNTS, WHO_CHANGED_WHAT
from croupier.house.office.state import (
    PIT,
    OfficeState,
    PersonName,
    PlaceName,
    PlaceRecord,
    WaitingPlayer,
)
from croupier.table import BadCommand, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

waiting = Room("waiting")

LONGEST = 500
"""Names on one list at most."""
KEEPS = "keep a waiting list"


# -- commands -------------------------------------------------------------------------------------


class JoinWaitingList(Command, frozen=True, kw_only=True):
    """Put a name at the end of the list of an area or table; it need not have an account."""

    players_may: ClassVar[bool] = False

    list_of: PlaceName
    player: PersonName
    note: str = ""


class CallPlayer(Command, frozen=True, kw_only=True):
    """Call somebody from a list to a table; out of turn with a reason only."""

    players_may: ClassVar[bool] = False

    list_of: PlaceName
    player: PersonName
    table: PlaceName
    reason: str = ""


class NoteSeated(Command, frozen=True, kw_only=True):
    """Somebody who waited sits at a table now, and is off the list."""

    players_may: ClassVar[bool] = False

    list_of: PlaceName
    player: PersonName
    table: PlaceName


class LeaveWaitingList(Command, frozen=True, kw_only=True):
    """Take a name off a list: did not come, or does not want to wait."""

    players_may: ClassVar[bool] = False

    list_of: PlaceName
    player: PersonName
    reason: str = ""


# -- events ---------------------------------------------------------------------------------------


class WaitingListEvent(Event, frozen=True, kw_only=True):
    """Something about a name on a list."""

    list_of: str
    player: str


class WaitingListJoined(WaitingListEvent, frozen=True, kw_only=True):
    """A name is at the end of a list."""

    number: int
    """Its place: 1 is next."""
    note: str
    at: datetime

    def tell(self, name: Namer) -> str:
        note = f" ({self.note})" if self.note else ""
        return f"{self.player} is number {self.number} on the list of {self.list_of}{note}."


class PlayerCalled(WaitingListEvent, frozen=True, kw_only=True):
    """Somebody was called to a table."""

    table: str
    reason: str
    at: datetime

    def tell(self, name: Namer) -> str:
        why = f", out of turn: {self.reason}" if self.reason else ""
        return f"{self.player} is called to table {self.table} (list of {self.list_of}){why}."


class WaitingSeated(WaitingListEvent, frozen=True, kw_only=True):
    """Somebody who waited has a seat."""

    table: str

    def tell(self, name: Namer) -> str:
        return f"{self.player}, who waited in the list of {self.list_of}, sits at {self.table}."


class WaitingListLeft(WaitingListEvent, frozen=True, kw_only=True):
    """A name is off a list."""

    reason: str

    def tell(self, name: Namer) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"{self.player} is off the list of {self.list_of}{why}."


# -- the room -------------------------------------------------------------------------------------


def open_tables(state: OfficeState) -> dict[str, PlaceRecord]:
    """The tables that somebody may wait for."""
    places = sorted(state.places.items())
    return {name: record for name, record in places if record.kind == "table" and not record.closed}


def tables_of(state: OfficeState, list_of: str) -> list[str]:
    """The tables of a list: of an area, or the one that it is named after."""
    tables = open_tables(state)
    return [name for name, record in tables.items() if list_of in (name, record.area)]


def places_of(state: OfficeState, player: str) -> Iterator[tuple[str, int, WaitingPlayer]]:
    """On which lists somebody stands, and at which number."""
    for list_of, names in state.waiting_lists.items():
        for number, one in enumerate(names, 1):
            if one.player == player:
                yield list_of, number, one


def _list(state: OfficeState, list_of: str) -> list[WaitingPlayer]:
    if not tables_of(state, list_of):
        tables = open_tables(state)
        known = sorted({*tables, *(record.area for record in tables.values())} - {""})
        there = ", ".join(known) or "no table yet"
        raise BadCommand(f"there is no table or area {list_of!r}; there is {there}")
    return state.waiting_lists.get(list_of, [])


def _on(state: OfficeState, list_of: str, player: str) -> tuple[int, WaitingPlayer]:
    for index, one in enumerate(_list(state, list_of)):
        if one.player == player:
            return index, one
    raise BadCommand(f"{player} is not on the list of {list_of}")


def _may(office: Office, order: Order[Command], player: str) -> None:
    """Staff of the pit on duty; or somebody for himself, by an account."""
    person = office.state.people.get(order.who)
    if order.who == player and person is not None and person.kind == "player":
        if person.disabled:
            refuse(UNIQUE_ACCOUNTS, f"{player} is disabled: {person.disabled}.")
        return
    on_duty(office, order, KEEPS, PIT)


@waiting.decides(JoinWaitingList)
def join_waiting_list(office: Office, order: Order[JoinWaitingList]) -> None:
    command, state = order.command, office.state
    _may(office, order, command.player)
    names = _list(state, command.list_of)
    known = state.people.get(command.player)
    if known is not None and known.kind != "player":
        refuse(UNIQUE_ACCOUNTS, f"{command.player} is staff and waits for no seat.")
    if known is not None and known.disabled:
        refuse(UNIQUE_ACCOUNTS, f"{command.player} is disabled: {known.disabled}.")
    if any(one.player == command.player for one in names):
        refuse(WHO_CHANGED_WHAT, f"{command.player} is on the list of {command.list_of} already.")
    if len(names) >= LONGEST:
        raise BadCommand(f"the list of {command.list_of} is full ({LONGEST})")
    office.emit(
        WaitingListJoined(
            list_of=command.list_of,
            player=command.player,
            number=len(names) + 1,
            note=command.note,
            at=order.when,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@waiting.applies(WaitingListJoined)
def waiting_list_joined(office: Office, event: WaitingListJoined) -> None:
    names = office.state.waiting_lists.setdefault(event.list_of, [])
    names.append(WaitingPlayer(player=event.player, since=event.at, note=event.note))


@waiting.decides(CallPlayer)
def call_player(office: Office, order: Order[CallPlayer]) -> None:
    command, state = order.command, office.state
    index, _ = _on(state, command.list_of, command.player)
    tables = tables_of(state, command.list_of)
    if command.table not in tables:
        raise BadCommand(
            f"table {command.table!r} is not on the list of {command.list_of}; there is "
            f"{', '.join(tables)}"
        )
    first = [one for one in state.waiting_lists[command.list_of][:index] if one.called is None]
    if first and not command.reason.strip():
        says = f"{first[0].player} has waited longer; to call {command.player} first, say why."
        refuse(WHO_CHANGED_WHAT, says)
    office.emit(
        PlayerCalled(
            list_of=command.list_of,
            player=command.player,
            table=command.table,
            reason=command.reason if first else "",
            at=order.when,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@waiting.applies(PlayerCalled)
def player_called(office: Office, event: PlayerCalled) -> None:
    for one in office.state.waiting_lists[event.list_of]:
        if one.player == event.player:
            one.called, one.called_to = event.at, event.table


@waiting.decides(NoteSeated)
def note_seated(office: Office, order: Order[NoteSeated]) -> None:
    """That a seat is taken there is looked at before (`croupier.house.guards`)."""
    command, state = order.command, office.state
    _on(state, command.list_of, command.player)
    tables = tables_of(state, command.list_of)
    if command.table not in tables:
        raise BadCommand(
            f"table {command.table!r} is not on the list of {command.list_of}; there is "
            f"{', '.join(tables)}"
        )
    office.emit(
        WaitingSeated(
            list_of=command.list_of,
            player=command.player,
            table=command.table,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@waiting.decides(LeaveWaitingList)
def leave_waiting_list(office: Office, order: Order[LeaveWaitingList]) -> None:
    command = order.command
    _may(office, order, command.player)
    _on(office.state, command.list_of, command.player)
    office.emit(
        WaitingListLeft(
            list_of=command.list_of,
            player=command.player,
            reason=command.reason,
            cites=(WHO_CHANGED_WHAT,),
        )
    )


@waiting.applies(WaitingSeated, WaitingListLeft)
def off_the_list(office: Office, event: WaitingListEvent) -> None:
    lists = office.state.waiting_lists
    left = [one for one in lists.get(event.list_of, ()) if one.player != event.player]
    if left:
        lists[event.list_of] = left
    else:
        lists.pop(event.list_of, None)
