"""Who sits at which box, with or without a counted rack of chips (1.26)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.authority import HOUSE, PLAYER, check_box, chips_of, himself, staff_only
from croupier.banked.betting import comes_back
from croupier.banked.commands import AddChips, HandOver, Leave, Sit
from croupier.banked.events import ChipsAdded, HandedOver, Left, SatDown
from croupier.banked.state import BETS, BankedState
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Command, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

seating = Room("seating")


def _himself(table: BankedTable, order: Order[Command], player: str) -> None:
    """A player speaks for himself; staff may enter it; the House seats nobody by itself."""
    if order.rank is PLAYER and order.who != player:
        table.refuse(Topic.SEATED_PLAYER, f"You cannot do that for {player}.")
    if order.rank is HOUSE:
        table.refuse(Topic.SEATED_PLAYER, "The software decides nothing for a player.")


@seating.decides(Sit)
def sit(table: BankedTable, order: Order[Sit]) -> None:
    command, state = order.command, table.state
    check_box(table, command.box)
    _himself(table, order, command.player)
    if command.chips is not None and command.chips <= 0:
        raise BadCommand("a rack of chips is more than nothing; leave it out if it is not counted")
    holder = table.player_at(command.box)
    if holder is not None and (holder != command.player or command.box in state.sitting):
        table.refuse(Topic.SEATED_PLAYER, f"Box {command.box} is taken by {holder}.")
    for box, sitter in state.sitting.items():
        if sitter == command.player:
            sits = "You sit" if himself(order, sitter) else f"{sitter} sits"
            table.refuse(Topic.SEATED_PLAYER, f"{sits} at box {box} already.")
    if command.player in state.away:
        comes_back(table, command.player)
    table.emit(
        SatDown(
            box=command.box,
            player=command.player,
            chips=command.chips,
            cites=table.cite(Topic.SEATED_PLAYER),
        )
    )


@seating.applies(SatDown)
def sat_down(table: BankedTable, event: SatDown) -> None:
    state = table.state
    state.sitting[event.box] = event.player
    state.left = [player for player in state.left if player != event.player]
    state.absent = [player for player in state.absent if player != event.player]
    if event.chips is not None:
        # The rack counts from here, whatever he has won or lost without one.
        bought = event.chips - state.net.get(event.player, 0)
        state.racks[event.player] = state.racks.get(event.player, 0) + bought


@seating.decides(AddChips)
def add_chips(table: BankedTable, order: Order[AddChips]) -> None:
    command = order.command
    _himself(table, order, command.player)
    if command.player not in table.state.racks:
        raise BadCommand(f"the chips of {command.player} are not counted at this table")
    if command.chips <= 0:
        raise BadCommand("chips that are bought are more than nothing")
    table.emit(ChipsAdded(player=command.player, chips=command.chips))


@seating.applies(ChipsAdded)
def chips_added(table: BankedTable, event: ChipsAdded) -> None:
    table.state.racks[event.player] += event.chips


@seating.decides(Leave)
def leave(table: BankedTable, order: Order[Leave]) -> None:
    player, state = order.command.player, table.state
    _himself(table, order, player)
    if player not in state.sitting.values():
        raise BadCommand(f"{player} does not sit at this table")
    if not may_leave(table, player):
        table.refuse(
            Topic.ROUND_OF_PLAY,
            f"{'You have' if himself(order, player) else f'{player} has'} a bet in this round; "
            "leaving it behind is reported as walking away.",
        )
    table.emit(
        Left(player=player, chips=chips_of(table, player), cites=table.cite(Topic.SEATED_PLAYER))
    )


def may_leave(table: BankedTable, player: str) -> bool:
    """Whether a player has no stake in a round that is played."""
    return not (table.playing() and on_the_layout(table.state, player))


def on_the_layout(state: BankedState, player: str) -> bool:
    """Whether a stake of his still lies there. Once settled he may go, also while a claim waits:
    what he wins is then kept for him (1.25, 5.6, B-66)."""
    boxes = [box for box in state.boxes.values() if box.player == player]
    return any(getattr(box, bet) for box in boxes for bet in BETS)


@seating.applies(Left)
def left(table: BankedTable, event: Left) -> None:
    state = table.state
    state.sitting = {b: p for b, p in state.sitting.items() if p != event.player}
    if state.racks.pop(event.player, None) is not None:
        state.gone += state.net.pop(event.player, 0)
        state.left.append(event.player)
    elif any(box.player == event.player for box in state.boxes.values()):
        # The round that he played may still be found void, and give him something back.
        state.absent.append(event.player)


@seating.decides(HandOver)
def hand_over(table: BankedTable, order: Order[HandOver]) -> None:
    player = order.command.player
    staff_only(table, order, "hands over what was kept safe")
    amount = table.state.safekeeping.get(player, 0)
    if not amount:
        raise BadCommand(f"nothing is kept safe for {player}")
    table.emit(
        HandedOver(
            player=player,
            amount=amount,
            paid_out=player not in table.state.racks,
            cites=table.cite(Topic.WALK_AWAY_WITH_NONE_LEFT),
        )
    )


@seating.applies(HandedOver)
def handed_over(table: BankedTable, event: HandedOver) -> None:
    state = table.state
    del state.safekeeping[event.player]
    if event.player in state.left:
        state.gone += event.amount
    else:
        state.net[event.player] = state.net.get(event.player, 0) + event.amount
