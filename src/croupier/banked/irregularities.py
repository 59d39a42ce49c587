"""What went wrong, as reported, and what section 5 makes of it.

Here: what makes a round void at once (5.8.1 and 5.8.3 to 5.8.5), missed burns (5.9) and every other
dealing error (5.10). Exposed cards are in `exposing`, cards in wrong places in `misdeals`, wrong
numbers of them in `counting`; what the House finds about restoring them in `restoring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.banked.choices import affected_boxes, can_choose
from croupier.banked.figures import DECK_CARDS
from croupier.banked.reporting import cards_out, known_to_be_untrue, of_this_round, report
from croupier.banked.reports import (
    Report,
    ReportDealingError,
    ReportDeckCount,
    ReportForeignCard,
    ReportMissedBurn,
    ReportNotEnoughCards,
    ReportNotShuffled,
)
from croupier.banked.restoring import DEALING_ERROR, MISSED_BURN, judge
from croupier.banked.voiding import void
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room
from croupier.table.reports import DECK_AT_MOST
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.banked.table import BankedTable

irregularities = Room("irregularities")


# -- void at once ---------------------------------------------------------------------------------


@irregularities.decides(ReportForeignCard, while_waiting=True)
def report_foreign_card(table: BankedTable, order: Order[ReportForeignCard]) -> None:
    says = order.command.says
    _void_at_once(table, order, "foreign card", Topic.FOREIGN_CARD, says)


@irregularities.decides(ReportDeckCount, while_waiting=True)
def report_deck_count(table: BankedTable, order: Order[ReportDeckCount]) -> None:
    count, right = order.command.count, table.by_book[DECK_CARDS]
    if count == right:
        raise BadCommand(f"a deck of {right} cards is neither short nor over")
    if count > DECK_AT_MOST:
        raise BadCommand(f"{count} cards are no deck: {DECK_AT_MOST} would be two")
    _void_at_once(
        table, order, f"deck of {counted(count, 'card', 'cards')}", Topic.DECK_SHORT_OR_OVER
    )


@irregularities.decides(ReportNotEnoughCards, while_waiting=True)
def report_not_enough_cards(table: BankedTable, order: Order[ReportNotEnoughCards]) -> None:
    _void_at_once(table, order, "not enough cards", Topic.NOT_ENOUGH_CARDS)


@irregularities.decides(ReportNotShuffled, while_waiting=True)
def report_not_shuffled(table: BankedTable, order: Order[ReportNotShuffled]) -> None:
    _void_at_once(table, order, "cards not shuffled", Topic.CARDS_NOT_SHUFFLED)


def _void_at_once(
    table: BankedTable, order: Order[Report], kind: str, topic: str, says: str = ""
) -> None:
    if of_this_round(table, order, kind, says=says):
        cites = table.cite(topic, Topic.VOID_EVENTS)
        report(table, order, kind, "the round is void", cites, says=says)
        void(table, cites, kind, reporter=order.who)


# -- burns and other dealing errors ---------------------------------------------------------------


@irregularities.decides(ReportMissedBurn)
def report_missed_burn(table: BankedTable, order: Order[ReportMissedBurn]) -> None:
    """5.9, by the letter: once anybody has looked the round is void (B-52)."""
    before, state = order.command.before, table.state
    kind = f"no burn before {'the ' if before != 'hole cards' else ''}{before}"
    if state.settings.device == "shuffler":
        table.refuse(Topic.SHUFFLER_PROCEDURE, "A table with a shuffler burns no cards.")
    if not of_this_round(table, order, kind):
        return
    cards_out(table)
    if _DEALS.index(before) > len(state.laid):
        raise BadCommand(f"the {before} has not been dealt")
    if before not in state.missed:
        known_to_be_untrue(table, f"this table knows that it burnt a card before the {before}")
    cites = table.cite(Topic.MISSING_BURN)
    if state.looked():
        report(table, order, kind, "the round is void", cites)
        void(table, cites, kind, reporter=order.who)
    else:
        report(table, order, kind, "the House judges", cites)
        judge(table, order, MISSED_BURN, can_choose(table))


_DEALS = ("hole cards", "flop", "turn", "river")


@irregularities.decides(ReportDealingError)
def report_dealing_error(table: BankedTable, order: Order[ReportDealingError]) -> None:
    command = order.command
    boxes = tuple(sorted(set(command.affected)))
    if not of_this_round(table, order, "dealing error", boxes=boxes, says=command.says):
        return
    cards_out(table)
    hit = affected_boxes(table, boxes) if boxes else can_choose(table)
    cites = table.cite(Topic.DEALING_ERROR_CHOICES)
    effect = "the affected players choose"
    report(table, order, "dealing error", effect, cites, boxes=boxes, says=command.says)
    judge(table, order, DEALING_ERROR, hit)
