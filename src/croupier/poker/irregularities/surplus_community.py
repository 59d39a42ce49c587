"""More Community Cards than the street has: v8 5.12 to 5.12.6 (A-38, A-75). v5 has no rule.

Whether a card was exposed makes no difference. Once anybody has acted since, the remedy is closed,
and a Shift Manager rules. In a run-out nobody can, so that it may still be put right later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.poker.commands import Street
from croupier.poker.dealing import CARDS_DUE
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import ReportSurplusCards
from croupier.poker.irregularities.community import (
    NEXT,
    put_back_later,
    scramble,
    shuffle_in,
    take_back_stopped,
)
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.events import SurplusPutBack
from croupier.poker.irregularities.reporting import ask_reconstructible, note, under_way
from croupier.poker.irregularities.state import Scramble
from croupier.poker.irregularities.streets import (
    IS_WON,
    acts_since,
    is_early,
    is_won,
    last_street,
    later_book_on,
    street_with,
    was_burnt,
)
from croupier.poker.remedies import street_of, take_back_street
from croupier.poker.state import RoundState
from croupier.rulebooks import Figure, Topic, number_of
from croupier.table import BadCommand, DecisionNeeded, DecisionTaken, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

surplus_community = Room("surplus community")

RECONSTRUCTIBLE = "surplus cards reconstructible"

TOPIC: dict[tuple[Street, bool], Topic] = {
    ("flop", True): Topic.SURPLUS_FLOP,
    ("turn", True): Topic.SURPLUS_TURN,
    ("river", True): Topic.SURPLUS_RIVER,
    ("flop", False): Topic.SURPLUS_FLOP_NO_BURN,
    ("turn", False): Topic.SURPLUS_TURN_NO_BURN,
    ("river", False): Topic.SURPLUS_RIVER_NO_BURN,
}
BACK_FROM: dict[tuple[Street, bool], Figure[int]] = {
    ("flop", True): number_of("flop-back-from"),
    ("turn", True): number_of("turn-back-from"),
    ("flop", False): number_of("unburnt-flop-back-from"),
    ("turn", False): number_of("unburnt-turn-back-from"),
}
"""From how many cards on all of them go back into the shoe; a surplus river never does."""


@surplus_community.decides(ReportSurplusCards)
def too_many(table: PokerTable, order: Order[ReportSurplusCards]) -> None:
    covered = table.book.has(Topic.SURPLUS_FLOP)
    round_ = under_way(table, order, Topic.SURPLUS_FLOP if covered else Topic.COMMUNITY_CARDS)
    named = order.command.street
    street = street_with(round_, named, lambda one: len(street_of(round_, one)) > CARDS_DUE[one])
    if street is None:
        last = named or last_street(round_)
        raise BadCommand(
            f"the {last} does not have too many cards" if last else "no street has been dealt"
        )
    count = len(street_of(round_, street))
    what = f"{count} cards were dealt as the {street}"
    if not covered:
        says = "5.12: a random pick, or all back into the shoe"
        if acts_since(round_, street, 0):
            says = "nothing either, since somebody has acted; a ruling (5.16)"
        ask_ruling(table, what, later_book=later_book_on(table, round_, street) or says)
        return
    topic = TOPIC[street, was_burnt(round_, street)]
    if is_early(table, round_, street):
        table.refuse_with(
            (Topic.EARLY_COMMUNITY_CARD, topic), f"The {street} was dealt early: report that first."
        )
    acts = acts_since(round_, street, order.command.stopped)
    if is_won(round_, order.command.stopped):
        note(table, what, IS_WON, table.paragraphs(Topic.LONE_SURVIVOR, topic))
        return
    if acts:
        ask_ruling(table, f"{what} and somebody has acted since")
        return
    about = {"street": street, "stopped": order.command.stopped}
    ask_reconstructible(table, RECONSTRUCTIBLE, what.capitalize(), (topic,), about)


@surplus_community.answered(RECONSTRUCTIBLE)
def in_order_or_not(table: PokerTable, asked: DecisionNeeded, taken: DecisionTaken) -> None:
    take_back_stopped(table, asked.about["stopped"])
    round_ = table.current_round()
    street: Street = asked.about["street"]
    burnt = was_burnt(round_, street)
    topic = TOPIC[street, burnt]
    if taken.option == "yes":
        _in_order(table, round_, street, burnt)
        return
    cites = table.paragraphs(topic)
    count = len(street_of(round_, street))
    limit = BACK_FROM.get((street, burnt))
    if limit is not None and count >= table.by_book[limit]:
        take_back_street(table, street, cites)
        shuffle_in(table, (street,), cites)
        return
    due = CARDS_DUE[street]
    left = count - due - (0 if burnt else 1)
    # Found late, in a run-out, the next street may have its burn: then what is left is discarded.
    stored = 0 if limit is None or was_burnt(round_, NEXT[street]) else left
    plan = Scramble(street=street, burn=0 if burnt else 1, board=due, stored=stored)
    # What the Pit Manager picks at random; the rest is then settled by what remains.
    pick = due if burnt else 1 + due if left or limit is None else 1
    scramble(table, plan, pick, cites)


def _in_order(table: PokerTable, round_: RoundState, street: Street, burnt: bool) -> None:
    """A-38: the first cards are burn and street as intended; the later ones go back in front of
    the shoe, where they become the next burn, and so on."""
    cites = table.paragraphs(Topic.HOUSE_JUDGES_RECONSTRUCTION, TOPIC[street, burnt])
    put_back_later(table, street, cites)
    keep = CARDS_DUE[street] + (0 if burnt else 1)
    surplus = tuple(street_of(round_, street)[keep:])
    if surplus:
        table.emit(SurplusPutBack(street=street, cards=surplus, cites=cites))
    plan = Scramble(street=street, burn=0 if burnt else 1, board=CARDS_DUE[street])
    scramble(table, plan, 0, cites)


@in_round(surplus_community, SurplusPutBack)
def surplus_put_back(table: PokerTable, round_: RoundState, event: SurplusPutBack) -> None:
    state = table.state
    assert state.shoe is not None
    laid = street_of(round_, event.street)
    for card in event.cards:
        laid.remove(card)
        if card in round_.down:
            round_.down.remove(card)
    state.shoe.put_back(event.cards)
    table.cards_moved = True
