"""Chips that a ruling moves from one spot of a box to another, or back to the player.

Discretion of the shift manager (5.23). The link is told where that changes the jackpot stake.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.banked.betting import ask_no_more, free_if_bare, put
from croupier.banked.findings import ChipsMoved
from croupier.banked.phases import jackpot_alive, no_bet_to_put_right, no_choice_left, onward
from croupier.banked.state import BETS, BankedState
from croupier.banked.voiding import return_to_link, staked
from croupier.table import Room, StakesAccepted

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

ruled_chips = Room("ruled chips")


def move_chips(
    table: BankedTable, box: int, details: dict[str, Any], cites: tuple[str, ...]
) -> None:
    """Carry chips over, and tell the link where that changes what it knows of the jackpot stake.

    What is left below the prescribed amount is short, and is asked about at settlement (B-23).
    """
    held = table.state.boxes[box]
    told = told_stakes(table.state).get(box, 0)
    table.emit(
        ChipsMoved(
            box=box,
            bet=details["bet"],
            to=details.get("to"),
            amount=details["amount"],
            cites=cites,
        )
    )
    prescribed = table.state.settings.prescribed
    enough = held.progressive >= prescribed
    touched = "progressive" in (details["bet"], details.get("to"))
    if touched and told and not (enough and told == prescribed):
        return_to_link(table, [box], cites)
    if enough and not held.registered and held.ante and table.state.phase != "bets open":
        stakes = {box: prescribed}
        table.emit(StakesAccepted(round=table.state.round, stakes=stakes, cites=cites))


def told_stakes(state: BankedState) -> dict[int, int]:
    """The jackpot stakes that the link knows, by box: what lies there, or lay there before it was
    settled, up to the prescribed amount."""
    prescribed = state.settings.prescribed
    return {
        number: min(staked(box).get("progressive", 0), prescribed)
        for number, box in sorted(state.boxes.items())
        if box.registered
    }


@ruled_chips.applies(ChipsMoved)
def chips_moved(table: BankedTable, event: ChipsMoved) -> None:
    box = table.state.boxes[event.box]
    put(table, event.box, box.player, event.bet, getattr(box, event.bet) - event.amount)
    if event.to is not None:
        put(table, event.box, box.player, event.to, getattr(box, event.to) + event.amount)
    moved = {event.bet, event.to}
    no_bet_to_put_right(table.state, event.box, BETS if "ante" in moved else moved)
    if "progressive" in moved:
        box.short_ruled = ""  # That was about another amount.
        ask_no_more(table.state, event.box)
        if box.standing == "folded" and not jackpot_alive(box):
            no_choice_left(table.state, event.box)
    free_if_bare(table.state, event.box)
    onward(table)
