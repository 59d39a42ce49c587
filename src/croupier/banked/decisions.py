"""The player's decisions: looking, folding, Flop, Turn and River bets, checking (3.7, 3.11, 3.12).

Nobody waits for a turn: every box decides in its window, in any order. A player looks at one hand
and plays any others blind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeVar

from croupier.banked.authority import can_pay, himself, own_box, refuse_hand
from croupier.banked.betting import give, right_size
from croupier.banked.commands import Check, FlopBet, Fold, RiverBet, TurnBet
from croupier.banked.events import (
    Checked,
    FlopBetPlaced,
    Folded,
    LaterBetPlaced,
    RiverBetPlaced,
    TurnBetPlaced,
)
from croupier.banked.phases import jackpot_alive, no_bet_to_put_right, no_choice_left, onward
from croupier.banked.state import BoxState
from croupier.rulebooks import Topic, number_of
from croupier.table import Command, Look, Looked, Order, Room
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

decisions = Room("decisions")

WINDOW_TOPICS = {
    "flop": Topic.FLOP_WINDOW,
    "turn": Topic.TURN_WINDOW,
    "river": Topic.RIVER_WINDOW,
}
_BET_TOPICS = {"flop": Topic.FLOP_BET, "turn": Topic.TURN_BET, "river": Topic.RIVER_BET}
_AFTER = {"flop": 1, "turn": 2, "river": 3}
HANDS_EXAMINED = number_of("hands-examined")
LaterBet = TypeVar("LaterBet", FlopBet, TurnBet, RiverBet)


# -- looking --------------------------------------------------------------------------------------


@decisions.decides(Look)
def look(table: BankedTable, order: Order[Look]) -> None:
    number = order.command.seat
    box = own_box(table, order, number)
    if not box.cards or table.state.is_settled():
        table.refuse(Topic.HOLE_CARDS, f"Box {number} has no Hole Cards to look at.")
    if box.standing not in ("in", "in for the finish"):
        refuse_hand(table, number, box)
    has = "You have" if himself(order, box.player) else f"{box.player} has"
    if box.examined:
        table.refuse(Topic.ONE_HAND_EXAMINED, f"{has} looked at this hand already.")
    if seen := hand_seen(table, box.player):
        table.refuse(
            Topic.ONE_HAND_EXAMINED,
            f"{has} looked at box {seen} and may examine one hand only.",
        )
    table.emit(
        Looked(seat=number, cards=tuple(box.cards), cites=table.cite(Topic.ONE_HAND_EXAMINED))
    )


def hand_seen(table: BankedTable, player: str) -> int | None:
    """The box whose hand this player has looked at, if he may look at no other (3.7)."""
    boxes = table.state.boxes.items()
    seen = [n for n, box in boxes if box.examined and box.player == player]
    return seen[0] if len(seen) >= table.by_book[HANDS_EXAMINED] else None


@decisions.applies(Looked)
def looked(table: BankedTable, event: Looked) -> None:
    table.state.boxes[event.seat].examined = True


# -- deciding -------------------------------------------------------------------------------------


def _deciding(
    table: BankedTable,
    order: Order[Command],
    number: int,
    window: Literal["flop", "turn", "river"],
) -> BoxState:
    """The box, if its player may decide in this window now."""
    box = own_box(table, order, number)
    open_window = table.state.window()
    if box.standing not in ("in", "in for the finish"):
        refuse_hand(table, number, box)
    if open_window != window:
        table.refuse(
            WINDOW_TOPICS[window],
            f"It is not the time for a {window.capitalize()} bet.",
        )
    if box.window >= _AFTER[window]:
        table.refuse(WINDOW_TOPICS[window], f"Box {number} has decided already.")
    return box


@decisions.decides(Fold)
def fold(table: BankedTable, order: Order[Fold]) -> None:
    number = order.command.box
    box = own_box(table, order, number)
    if box.standing == "in for the finish":
        table.refuse(Topic.IN_FOR_THE_FINISH, f"Box {number} is In For The Finish and cannot fold.")
    _deciding(table, order, number, "flop")
    table.emit(Folded(box=number, cites=fold_cites(table)))


def fold_cites(table: BankedTable) -> tuple[str, ...]:
    return table.cite(fold_topic(table), Topic.FOLD_ENDS_THE_HAND)


def fold_topic(table: BankedTable) -> Topic:
    """What a fold costs stands twice, by the device that the table is dealt from."""
    return Topic.SHOE_FOLD if table.state.settings.device == "shoe" else Topic.SHUFFLER_FOLD


@decisions.applies(Folded)
def folded(table: BankedTable, event: Folded) -> None:
    box = table.state.boxes[event.box]
    box.standing = "folded"
    box.deemed = event.deemed
    box.ruled = (
        ""  # Whatever was ruled before of its main bets: they are lost (3.11.2.a, 3.12.3.a).
    )
    if table.state.waiting:
        no_bet_to_put_right(table.state, event.box)
        if not jackpot_alive(box):
            no_choice_left(table.state, event.box)
    if not event.deemed:
        box.window += 1
        box.chosen.append("fold")
    onward(table)


def _exactly(table: BankedTable, order: Order[LaterBet], box: BoxState, bet: str) -> int:
    """The one amount that a later bet may have (1.11, 1.23, 1.29)."""
    given, amount = order.command.amount, right_size(table, box, bet)
    if given is not None and given != amount:
        times = "twice the Ante" if amount > box.ante else "the Ante"
        table.refuse(
            _BET_TOPICS[bet],
            f"The {bet.capitalize()} bet is exactly {times}, {write_money(amount)}, "
            f"not {write_money(given)}.",
        )
    can_pay(table, order, box.player, amount)
    return amount


@decisions.decides(FlopBet)
def flop_bet(table: BankedTable, order: Order[FlopBet]) -> None:
    command = order.command
    box = _deciding(table, order, command.box, "flop")
    amount = _exactly(table, order, box, "flop")
    shoe = table.state.settings.device == "shoe"
    placed = Topic.SHOE_FLOP_BET if shoe else Topic.SHUFFLER_FLOP_BET
    if box.examined:
        cites = table.cite(placed, Topic.FLOP_BET, Topic.IN_FOR_THE_FINISH)
    else:
        cites = table.cite(Topic.BLIND_FLOP_BET, placed, Topic.FLOP_BET, Topic.IN_FOR_THE_FINISH)
    table.emit(FlopBetPlaced(box=command.box, amount=amount, blind=not box.examined, cites=cites))


@decisions.decides(TurnBet)
def turn_bet(table: BankedTable, order: Order[TurnBet]) -> None:
    cites = table.cite(Topic.TURN_BET, Topic.TURN_WINDOW)
    _bet_after_the_flop(table, order, "turn", TurnBetPlaced, cites)


@decisions.decides(RiverBet)
def river_bet(table: BankedTable, order: Order[RiverBet]) -> None:
    cites = table.cite(Topic.RIVER_BET, Topic.RIVER_WINDOW)
    _bet_after_the_flop(table, order, "river", RiverBetPlaced, cites)


def _bet_after_the_flop(
    table: BankedTable,
    order: Order[LaterBet],
    bet: Literal["turn", "river"],
    placed: type[TurnBetPlaced | RiverBetPlaced],
    cites: tuple[str, ...],
) -> None:
    number = order.command.box
    box = _deciding(table, order, number, bet)
    amount = _exactly(table, order, box, bet)
    table.emit(placed(box=number, amount=amount, blind=not box.examined, cites=cites))


_BETS: dict[type, Literal["flop", "turn", "river"]] = {
    FlopBetPlaced: "flop",
    TurnBetPlaced: "turn",
    RiverBetPlaced: "river",
}


@decisions.applies(FlopBetPlaced, TurnBetPlaced, RiverBetPlaced)
def later_bet_placed(table: BankedTable, event: LaterBetPlaced) -> None:
    bet = _BETS[type(event)]
    box = table.state.boxes[event.box]
    give(table.state, box.player, -event.amount)
    if bet == "flop":
        box.flop = event.amount
        box.standing = "in for the finish"
    elif bet == "turn":
        box.turn = event.amount
    else:
        box.river = event.amount
    box.window += 1
    box.chosen.append(f"{bet} bet")
    onward(table)


@decisions.decides(Check)
def check(table: BankedTable, order: Order[Check]) -> None:
    number = order.command.box
    window = table.state.window()
    if window is None or window == "flop":
        own_box(table, order, number)
        table.refuse(
            Topic.BETTING_WINDOWS, "A Check is for the Turn and the River, in their windows."
        )
    _deciding(table, order, number, window)
    table.emit(
        Checked(
            box=number,
            window=window,
            cites=table.cite(Topic.CHECK_ADDS_NOTHING, WINDOW_TOPICS[window]),
        )
    )


@decisions.applies(Checked)
def checked(table: BankedTable, event: Checked) -> None:
    box = table.state.boxes[event.box]
    box.window += 1
    box.chosen.append("check")
    onward(table)
