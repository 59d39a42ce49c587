"""Hole Cards that went to the wrong places: to other boxes, to the dealer, to an empty box.

5.8.6 while nobody has looked: void, unless moving complete hands puts it right. Later it is an
ordinary dealing error (5.10). A Hand is the Player's or the Dealer's (1.14), so the dealer's own
may be among those that are moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.choices import affected_boxes, ask_choices, can_choose
from croupier.banked.fell import DEALER
from croupier.banked.reconstruction import check_moves, find_moves, whole_hands_moved
from croupier.banked.reporting import cards_out, known_to_be_untrue, of_this_round, report
from croupier.banked.reports import ReportWrongDeal
from croupier.banked.restoring import DEALING_ERROR, judge
from croupier.banked.voiding import void
from croupier.rulebooks import Topic
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

misdeals = Room("misdeals")

BY_MOVING_WHOLE_HANDS = "by moving whole hands"


@misdeals.decides(ReportWrongDeal)
def report_wrong_deal(table: BankedTable, order: Order[ReportWrongDeal]) -> None:
    command, state = order.command, table.state
    boxes = tuple(sorted(set(command.affected)))
    if not of_this_round(table, order, "wrong deal", boxes=boxes):
        return
    cards_out(table)
    known_to_be_untrue(table, "this table knows that every card went where it should")
    if not boxes:
        raise BadCommand("name the boxes whose cards are not those of a correct deal")
    moves = _moves(command)
    check_moves(table, moves)
    if not moves and not state.looked():
        moves = find_moves(table)
    hit = _affected(table, boxes, moves)
    if state.looked():
        cites = table.cite(Topic.DEALING_ERROR_CHOICES)
        report(table, order, "wrong deal", "the affected players choose", cites, boxes=boxes)
        judge(table, order, DEALING_ERROR, hit, moves=moves)
        return
    cites = table.cite(Topic.WRONG_DEAL_UNSEEN)
    # Once bets are settled no card changes its hand any more.
    if not moves or state.is_settled():
        report(table, order, "wrong deal", "the round is void", cites, boxes=boxes)
        void(table, cites, "cards dealt incorrectly", reporter=order.who)
        return
    report(table, order, "wrong deal", "the House judges", cites, boxes=boxes)
    table.ask(
        BY_MOVING_WHOLE_HANDS,
        "Can the deal be put right by moving complete hands from one place to another?",
        ("yes", "no"),
        state.settings.house_rank,
        table.cite(Topic.WRONG_DEAL_UNSEEN, Topic.RECONSTRUCTION, Topic.HOUSE),
        about={"moves": {str(a): b for a, b in moves.items()}, "boxes": hit},
    )


def _affected(table: BankedTable, boxes: tuple[int, ...], moves: dict[int, int]) -> list[int]:
    """B-54: whose hand is not what it should be; an error in the dealer's hand affects all."""
    named = affected_boxes(table, (*boxes, *(home for home in moves.values() if home != DEALER)))
    return can_choose(table) if DEALER in (*moves, *moves.values()) else named


def _moves(command: ReportWrongDeal) -> dict[int, int]:
    """All the moves that are named, the dealer's own hand among them."""
    moves = dict(command.moves)
    if command.dealer_gets is not None:
        if command.dealer_gets in moves:
            raise BadCommand(f"the hand of box {command.dealer_gets} cannot go to two places")
        moves[command.dealer_gets] = DEALER
    if command.dealer_gives is not None:
        moves[DEALER] = command.dealer_gives
    return moves


@misdeals.answered(BY_MOVING_WHOLE_HANDS)
def whole_hands(table: BankedTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    if taken.option == "no":
        void(table, table.cite(Topic.WRONG_DEAL_UNSEEN), "cards dealt incorrectly")
        return
    moves = {int(a): b for a, b in asked.about["moves"].items()}
    cites = table.cite(Topic.WRONG_DEAL_UNSEEN, Topic.RECONSTRUCTION)
    table.emit(whole_hands_moved(table, moves, cites))
    topics = (Topic.WRONG_DEAL_UNSEEN,)
    ask_choices(table, asked.about["boxes"], restored=True, topics=topics)
