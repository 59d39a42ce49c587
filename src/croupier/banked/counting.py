"""A wrong number of cards: at a box (5.15), on the board or before the dealer (5.8.7).

Both count until the next opening call, also of a round that is settled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.choices import affected_boxes, can_choose
from croupier.banked.figures import DEALER_CARDS, DECK_CARDS, HOLE_CARDS
from croupier.banked.reconstruction import community_due, dealer_has_had_his, streets_due
from croupier.banked.reporting import cards_out, knows_the_deal, of_this_round, report
from croupier.banked.reports import ReportWrongCount
from croupier.banked.restoring import (
    WRONG_COMMUNITY,
    WRONG_DEALER,
    WRONG_HAND,
    judge,
    voids_unseen,
)
from croupier.banked.state import BoxState
from croupier.banked.voiding import void
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room
from croupier.table.words import counted, listed

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

counting = Room("counting")


@counting.decides(ReportWrongCount)
def report_wrong_count(table: BankedTable, order: Order[ReportWrongCount]) -> None:
    command = order.command
    given = [x for x in (command.box, command.community, command.dealer) if x is not None]
    if len(given) != 1 or (command.box is None) != (command.cards is None):
        raise BadCommand("name a box with its cards, or community, or dealer, and one of them only")
    if command.box is not None:
        _at_a_box(table, order, command.box)
        return
    if command.affected:
        raise BadCommand("a wrong board or dealer's hand affects everybody; name no boxes")
    if command.community is not None:
        _beside_the_boxes(table, order, WRONG_COMMUNITY, command.community)
    else:
        assert command.dealer is not None
        _beside_the_boxes(table, order, WRONG_DEALER, command.dealer)


def _beside_the_boxes(
    table: BankedTable, order: Order[ReportWrongCount], error: str, count: int
) -> None:
    """5.8.7: the board or the dealer's hand."""
    state = table.state
    if not of_this_round(table, order, error, until_next=True):
        return
    cards_out(table)
    board = error == WRONG_COMMUNITY
    lying, where = (state.board, "on the board") if board else (state.dealer, "before the dealer")
    topic = Topic.WRONG_COMMUNITY_OR_DEALER_COUNT
    if not (state.laid if board else dealer_has_had_his(state)):
        table.refuse(topic, "Those cards have not been dealt yet.")
    right = community_due(table) if board else table.by_book[DEALER_CARDS]
    says = f"{count} {where} instead of {right}"
    if board and count == len(lying) == right and state.laid != streets_due(table):
        # One deal has too many for what another has too few.
        dealt, due = listed(state.laid), listed(streets_due(table))
        says = f"{dealt} {where} instead of {due}"
    else:
        _check_count(table, topic, count, right, len(lying), where)
    cites = table.cite(topic)
    report(table, order, error, "the House judges", cites, says=says)
    judge(table, order, error, can_choose(table))


def _at_a_box(table: BankedTable, order: Order[ReportWrongCount], number: int) -> None:
    """5.15: the hand of a player."""
    command, state = order.command, table.state
    if not of_this_round(table, order, WRONG_HAND, until_next=True, boxes=(number,)):
        return
    cards_out(table)
    box = state.boxes.get(number)
    others = [n for n in affected_boxes(table, command.affected) if n != number]
    if box is None or not _counts(box, others):
        raise BadCommand(f"box {number} has no hand in this round")
    if not state.holes_out():
        raise BadCommand("the Hole Cards have not been dealt yet")
    right, count = table.by_book[HOLE_CARDS], command.cards
    assert count is not None
    _check_count(table, Topic.WRONG_COUNT, count, right, len(box.cards), f"before box {number}")
    says = f"{count} instead of {right}"
    if voids_unseen(table) and not state.is_settled():
        cites = table.cite(Topic.WRONG_DEAL_UNSEEN, Topic.WRONG_COUNT)
        report(table, order, WRONG_HAND, "the round is void", cites, boxes=(number,), says=says)
        void(table, cites, WRONG_HAND)
        return
    cites = table.cite(Topic.WRONG_COUNT)
    report(table, order, WRONG_HAND, "the House judges", cites, boxes=(number,), says=says)
    judge(table, order, WRONG_HAND, others, number=number)


def _counts(box: BoxState, others: list[int]) -> bool:
    """Whether the number of its cards matters: of a hand that is out already only to `others`, who
    have their cards by it."""
    if box.standing == "cancelled":
        return box.dealt is not None and bool(others)
    return box.standing != "no hand"


def _check_count(
    table: BankedTable, topic: Topic, said: int, right: int, lying: int, where: str
) -> None:
    """A count that is right is no error, and one that the record contradicts is not true (B-69)."""
    if said > table.by_book[DECK_CARDS]:
        table.refuse(topic, f"{said} cards are more than the deck has.")
    if said == right:
        table.refuse(topic, f"{right} cards {where} are as many as there should be.")
    if said != lying and knows_the_deal(table):
        lie = counted(lying, "card lies", "cards lie")
        table.refuse(topic, f"This table knows that {lie} {where}.")
    if lying not in (right, said):
        told = counted(lying, "card was", "cards were")
        table.refuse(topic, f"{told} entered as lying {where}, not {said}.")
