"""Seats: who sits where with which Table Stake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.commands import Sit
from croupier.poker.events import SatDown
from croupier.poker.state import SeatState
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room, StaffRank
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

seating = Room("seating")


@seating.on(Sit)
def sit(table: PokerTable, order: Order[Sit]) -> None:
    command, state = order.command, table.state
    if command.seat > state.settings.seats:
        raise BadCommand(f"there is no seat {command.seat}; the table has {state.settings.seats}")
    if command.stake <= 0:
        raise BadCommand(f"a Table Stake is more than nothing, not {write_money(command.stake)}")
    if order.rank is StaffRank.PLAYER and order.who != command.player:
        table.refuse(Topic.SEATED_PLAYER, f"{order.who} cannot sit down for {command.player}.")
    if command.seat in state.seats:
        sitting = state.seats[command.seat].player
        table.refuse(Topic.SEATED_PLAYER, f"Seat {command.seat} is taken by {sitting}.")
    for seat, sitter in state.seats.items():
        if sitter.player == command.player:
            table.refuse(Topic.SEATED_PLAYER, f"{command.player} sits at seat {seat} already.")
    table.emit(
        SatDown(
            seat=command.seat,
            player=command.player,
            stake=command.stake,
            cites=table.cite(Topic.TABLE_STAKE_ON_ENTRY),
        )
    )


@seating.when(SatDown)
def sat_down(table: PokerTable, event: SatDown) -> None:
    table.state.seats[event.seat] = SeatState(player=event.player, stake=event.stake)
