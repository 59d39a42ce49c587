"""What affected players may choose after a dealing error: to continue or to withdraw (5.10).

There are always two choices (B-53): to continue, as dealt if the cards could not be reconstructed
and as reconstructed if they could, or to have all bets back. A folded box is affected only through
its jackpot bet, and may withdraw only that (B-54).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from croupier.banked.betting import is_gone
from croupier.banked.findings import ContinueChosen
from croupier.banked.phases import jackpot_alive
from croupier.banked.state import BoxState
from croupier.banked.voiding import cancel, withdraw_jackpot_bet
from croupier.rulebooks import Topic
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Room
from croupier.table.money import write_money

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
        or (box.standing == "folded" and _jackpot_bet_counts(box))
    ]


def _jackpot_bet_counts(box: BoxState) -> bool:
    """Whether a folded box has a jackpot bet in the round that did not go back, settled or not."""
    if box.result is None:
        return jackpot_alive(box)
    payout = box.payouts.get("progressive")
    return payout is not None and payout.returned < payout.staked


def affected_boxes(table: BankedTable, named: Iterable[int]) -> list[int]:
    """The named boxes, of which each must have a bet in the round."""
    boxes = sorted(set(named))
    for number in boxes:
        if number not in table.state.boxes and number not in table.state.stray:
            raise BadCommand(f"box {number} has no bet in this round")
    open_to = can_choose(table)
    return [number for number in boxes if number in open_to]


def ask_choices(
    table: BankedTable, boxes: Iterable[int], *, restored: bool, topics: tuple[str, ...]
) -> None:
    """Ask each affected box; play goes on when all have answered.

    `topics` rule on the error itself and are cited first. Of a settled box to continue means that
    its settlement stands.
    """
    going_on = Topic.PLAY_RECONSTRUCTED if restored else Topic.PLAY_ON_AS_DEALT
    cites = table.cite(*topics, Topic.DEALING_ERROR_CHOICES, going_on, Topic.TAKE_BETS_BACK)
    open_to = can_choose(table)  # A stake may have gone back since the report.
    for number in boxes:
        box = table.state.boxes[number]
        if number not in open_to or is_gone(table.state, box.player):
            continue  # nobody is there to choose: it goes on as it lies (5.5, 5.6)
        table.ask(
            AFTER_A_DEALING_ERROR,
            _asked(number, box),
            (AS_RECONSTRUCTED if restored else AS_DEALT, TAKE_BETS_BACK),
            number,
            cites,
            about={"restored": restored},
        )


def _asked(number: int, box: BoxState) -> str:
    bets = "the Progressive Jackpot bet" if box.standing == "folded" else "all bets"
    if box.result is None:
        return f"Box {number}: continue with the hand, or take {bets} back?"
    won = sum(payout.won for payout in box.payouts.values())
    gives = f" and give {write_money(won)} back" if won else ""
    return f"Box {number}: let the settlement stand, or take {bets} back{gives}?"


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
                settled=box.result is not None,
                cites=table.cite(going_on, Topic.ACCEPTS_LATER_CARDS),
            )
        )
        return
    cites = table.cite(Topic.TAKE_BETS_BACK)
    if box.standing == "folded":
        withdraw_jackpot_bet(table, number, cites)
    else:
        cancel(table, number, cites, "its player took the bets back")


@choices.applies(ContinueChosen)
def continue_chosen(table: BankedTable, event: ContinueChosen) -> None:
    table.state.boxes[event.box].accepts = True
