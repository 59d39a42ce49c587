"""What affected players may choose after a dealing error: to continue or to withdraw (5.10).

There are always two choices (B-53): to continue, as dealt if the cards could not be reconstructed
and as reconstructed if they could, or to have all bets back. A folded box is affected only through
its jackpot bet, and may withdraw only that (B-54).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from croupier.banked.events import BetReturned
from croupier.banked.findings import ContinueChosen
from croupier.banked.phases import jackpot_alive
from croupier.banked.voiding import cancel, return_to_link
from croupier.rulebooks import Topic
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

choices = Room("choices")

AFTER_A_DEALING_ERROR = "after a dealing error"
AS_DEALT = "continue as dealt"
AS_RECONSTRUCTED = "continue as reconstructed"
TAKE_BETS_BACK = "take bets back"


def can_choose(table: BankedTable) -> list[int]:
    """Boxes that have something in the round to withdraw."""
    return [
        number
        for number, box in sorted(table.state.boxes.items())
        if box.standing in ("in", "in for the finish")
        or (box.standing == "folded" and jackpot_alive(box))
    ]


def affected_boxes(table: BankedTable, named: Iterable[int]) -> list[int]:
    """The named boxes, of which each must have a bet in the round."""
    boxes = sorted(set(named))
    for number in boxes:
        if number not in table.state.boxes:
            raise BadCommand(f"box {number} has no bet in this round")
    open_to = can_choose(table)
    return [number for number in boxes if number in open_to]


def ask_choices(
    table: BankedTable, boxes: Iterable[int], *, restored: bool, topics: tuple[str, ...]
) -> None:
    """Ask each affected box; play goes on when all have answered."""
    going_on = Topic.PLAY_RECONSTRUCTED if restored else Topic.PLAY_ON_AS_DEALT
    cites = table.cite(*topics, Topic.DEALING_ERROR_CHOICES, going_on, Topic.TAKE_BETS_BACK)
    for number in boxes:
        box = table.state.boxes[number]
        back = "the jackpot bet" if box.standing == "folded" else "all bets"
        table.ask(
            AFTER_A_DEALING_ERROR,
            f"Box {number}: continue with the hand, or take {back} back?",
            (AS_RECONSTRUCTED if restored else AS_DEALT, TAKE_BETS_BACK),
            number,
            cites,
            about={"restored": restored},
        )


@choices.answered(AFTER_A_DEALING_ERROR)
def chosen(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    number = asked.of
    assert isinstance(number, int)
    box = table.state.boxes[number]
    restored: bool = asked.about["restored"]
    if taken.option != TAKE_BETS_BACK:
        going_on = Topic.PLAY_RECONSTRUCTED if restored else Topic.PLAY_ON_AS_DEALT
        table.emit(
            ContinueChosen(
                box=number,
                restored=restored,
                cites=table.cite(going_on, Topic.ACCEPTS_LATER_CARDS),
            )
        )
        return
    cites = table.cite(Topic.TAKE_BETS_BACK)
    if box.standing == "folded":
        told = box.registered
        table.emit(BetReturned(box=number, bet="progressive", amount=box.progressive, cites=cites))
        if told:
            return_to_link(table, [number], cites)
    else:
        cancel(table, number, cites, "its player took the bets back")


@choices.when(ContinueChosen)
def continue_chosen(table: BankedTable, event: ContinueChosen) -> None:
    table.state.boxes[event.box].accepts = True
