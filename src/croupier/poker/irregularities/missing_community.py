"""Fewer Community Cards than the street has: no paragraph of either book (A-76).

Before anybody has acted on them the street is not yet dealt as the book says, and the dealer
completes it (`deal again`). Afterwards it is for whoever rules on what the book leaves open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.irregularities.commands import ReportMissingCards
from croupier.poker.irregularities.community import take_back_stopped
from croupier.poker.irregularities.dealing_again import street_lacking
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.reporting import note, under_way
from croupier.poker.irregularities.streets import DEALT, IS_WON, acts_since, is_won
from croupier.poker.remedies import street_of
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

missing_community = Room("missing community")


@missing_community.decides(ReportMissingCards)
def too_few(table: PokerTable, order: Order[ReportMissingCards]) -> None:
    round_ = under_way(table, order, Topic.COMMUNITY_CARDS)
    street = street_lacking(table, round_)
    if street is None:
        raise BadCommand("no street that was dealt lacks a card")
    count = len(street_of(round_, street))
    what = f"{count} card{' was' if count == 1 else 's were'} dealt as the {street}"
    acts = acts_since(round_, street, order.command.stopped)
    if is_won(round_, order.command.stopped):
        note(table, what, IS_WON, table.paragraphs(Topic.LONE_SURVIVOR, DEALT[street]))
        return
    if acts:
        first = "deal missing cards"
        ask_ruling(table, f"{what} and somebody has acted since", first=first)
        return
    take_back_stopped(table, order.command.stopped)
    says = "Nobody has acted on it: the dealer completes it."
    note(table, what, says, table.paragraphs(DEALT[street]))
