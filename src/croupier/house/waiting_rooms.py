"""The waiting lists at a glance: who waits where, which seats are free, and who could be moved so
that games stay full.

Read from the office and the tables that this process runs. To move somebody is the floor's to
decide; a suggestion names the two tables and says why.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.house.casino import Casino
from croupier.house.office.waiting import open_tables, tables_of
from croupier.pit.registry import GAMES


class WaitingName(Struct, frozen=True, kw_only=True):
    """A name on a list, with its number."""

    number: int
    player: str
    since: datetime
    called: datetime | None
    called_to: str
    note: str
    seated: bool
    """Whether he sits at a table of the list already, and can be taken off it."""


class RoomTable(Struct, frozen=True, kw_only=True):
    """A table: how many sit there, and which seats are free."""

    table: str
    area: str
    seated: int
    seats: int
    free: tuple[int, ...]
    players: tuple[str, ...]
    relocates: bool
    """Whether its book knows relocation (v8 5.7.2)."""


class WaitingList(Struct, frozen=True, kw_only=True):
    """The list of an area or table."""

    list_of: str
    tables: tuple[str, ...]
    names: tuple[WaitingName, ...]


class Suggestion(Struct, frozen=True, kw_only=True):
    """Somebody could be moved."""

    table: str
    to: str
    says: str


class WaitingRooms(Struct, frozen=True, kw_only=True):
    """Every list, every table, and what could be done."""

    lists: tuple[WaitingList, ...]
    tables: tuple[RoomTable, ...]
    suggestions: tuple[Suggestion, ...]


def waiting_rooms(casino: Casino) -> WaitingRooms:
    """The waiting lists, with free seats and who could be moved to keep games full."""
    state = casino.office.state
    tables = tuple(_table(casino, name) for name in open_tables(state))
    there = {one.table: one for one in tables}
    rooms = sorted({one.area for one in tables} - {""} | state.waiting_lists.keys())
    lists = []
    for list_of in rooms:
        of_list = tables_of(state, list_of)
        seated = {player for name in of_list for player in there[name].players}
        names = tuple(
            WaitingName(
                number=number,
                player=one.player,
                since=one.since,
                called=one.called,
                called_to=one.called_to,
                note=one.note,
                seated=one.player in seated,
            )
            for number, one in enumerate(state.waiting_lists.get(list_of, ()), 1)
        )
        lists.append(WaitingList(list_of=list_of, tables=tuple(of_list), names=names))
    return WaitingRooms(lists=tuple(lists), tables=tables, suggestions=tuple(_suggest(tables)))


def _table(casino: Casino, name: str) -> RoomTable:
    record = casino.office.state.places[name]
    table = casino.house.pit.tables.get(name)
    if table is None or not table.state.opened:  # run by another process, or not open yet
        return RoomTable(
            table=name, area=record.area, seated=0, seats=0, free=(), players=(), relocates=False
        )
    port = GAMES.port_of(table)
    seats = port.seats(table)
    taken = {seat: who for seat in table.taken_seats() if (who := table.player_at(seat))}
    return RoomTable(
        table=name,
        area=record.area,
        seated=len(taken),
        seats=seats,
        free=tuple(seat for seat in range(1, seats + 1) if seat not in taken),
        players=tuple(taken.values()),
        relocates=port.relocates,
    )


def _suggest(tables: tuple[RoomTable, ...]) -> list[Suggestion]:
    """Where one table of an area has two players more than another, one could go over; where the
    players of a short game all find seats elsewhere in it, that game can be broken up."""
    found = []
    areas = {one.area for one in tables}
    for area in sorted(areas):
        games = [t for t in tables if t.area == area and t.relocates and t.seated]
        if len(games) < 2:
            continue
        short = min(games, key=lambda t: t.seated)
        others = [t for t in games if t is not short]
        full = max(others, key=lambda t: t.seated)
        room = sum(len(t.free) for t in others)
        if short.seated <= 3 and room >= short.seated:
            to = max((t for t in others if t.free), key=lambda t: len(t.free))
            says = (
                f"{short.table} has {short.seated} and there are {room} seats at the other tables "
                "here: its players could be moved, and the game broken up."
            )
            found.append(Suggestion(table=short.table, to=to.table, says=says))
        elif full.seated - short.seated >= 2 and short.free:
            says = (
                f"{full.table} has {full.seated}, {short.table} has {short.seated}: one player "
                f"could be moved from {full.table} to {short.table}."
            )
            found.append(Suggestion(table=full.table, to=short.table, says=says))
    return found
