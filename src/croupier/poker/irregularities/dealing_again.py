"""`deal again`: what a street lacks, because cards of it went back or too few were dealt.

v8 5.11 and 5.12 (A-37, A-38); for too few cards neither book has a paragraph (A-76).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card
from croupier.poker.betting import reopen_after_street
from croupier.poker.commands import STREETS, Street
from croupier.poker.dealing import CARDS_DUE, STREET_DEALT, burn_card
from croupier.poker.in_round import in_round
from croupier.poker.irregularities.commands import DealAgain
from croupier.poker.irregularities.events import StreetCompleted, StreetDealtAgain
from croupier.poker.irregularities.memory import bound_out_of_turn, irregular_of
from croupier.poker.irregularities.streets import (
    DEALT,
    EARLY_TOPIC,
    IS_WON,
    acts_since,
    is_early,
    is_won,
    round_after,
    was_burnt,
)
from croupier.poker.remedies import street_of
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic
from croupier.table import BadCommand, Order, Room

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

dealing_again = Room("dealing again")

WHOLE_BOARD = sum(CARDS_DUE.values())


@dealing_again.decides(DealAgain)
def deal_again(table: PokerTable, order: Order[DealAgain]) -> None:
    """A-37, A-38: only what is missing, without a second burn; one is made if there was none.
    A-76: a street of which the dealer has dealt too few is completed in the same way."""
    topic = Topic.COMMUNITY_CARDS
    table.dealer_only(order, "deals", topic)
    round_ = table.open_round(topic)
    street = street_again(round_)
    if street is None:
        _complete(table, round_, order.command.faces)
        return
    if table.state.phase == "betting":
        table.refuse_with((EARLY_TOPIC[street], topic), "The Betting Round is finished first.")
    if Card.UNKNOWN in street_of(round_, street):  # of a real shoe: nobody could say it later
        raise BadCommand(f"turn up first what lies face down of the {street}, and report it")
    # Where too many were dealt face down, those that stay may be enough, or still too many.
    missing = max(0, CARDS_DUE[street] - len(street_of(round_, street)))
    burnt: Card | None = None
    taken = 0
    if not was_burnt(round_, street):
        burnt = table.burn_for(round_, street)
        if burnt is None:
            [burnt] = table.next_cards(1, (), unseen=True)
            taken = 1
    cards = table.next_cards(missing, order.command.faces, after=taken)
    assert round_.irregular is not None
    why = round_.irregular.deal_again[street]
    own = table.paragraphs(EARLY_TOPIC[street])
    if own and set(own) <= set(why):
        why = own  # of several streets that went back together
    cites = tuple(dict.fromkeys((*why, *table.by_book[STREET_DEALT[street]])))
    table.emit(StreetDealtAgain(street=street, cards=cards, burnt=burnt, cites=cites))
    table.move_on(round_)


def street_again(round_: RoundState) -> Street | None:
    """The first street that is to be dealt again, if one is."""
    again = round_.irregular.deal_again if round_.irregular is not None else {}
    return next((street for street in STREETS if street in again), None)


@in_round(dealing_again, StreetDealtAgain)
def street_dealt_again(table: PokerTable, round_: RoundState, event: StreetDealtAgain) -> None:
    if event.burnt is not None:
        burn_card(table, round_, event.burnt, event.street)
    for card in street_of(round_, event.street):
        if card in round_.down:
            round_.down.remove(card)  # what had stayed face down is turned up with the rest
    if event.cards:
        table.take(event.cards)
    street_of(round_, event.street).extend(event.cards)
    irregular = irregular_of(table)
    irregular.deal_again.pop(event.street, None)
    irregular.taken_back = []
    irregular.scramble = None
    first = street_again(round_)
    if first is not None and STREETS.index(first) < STREETS.index(event.street):
        table.state.phase = table.due_phase(first)  # in a run-out: the street before it comes first
        return
    said = bound_out_of_turn(round_)
    reopen_after_street(table, round_, round_after(event.street))
    round_.betting.bound.update(said)  # on this street, as it lay before


# -- too few cards -----------------------------------------------------------------------------


def street_lacking(table: PokerTable, round_: RoundState) -> Street | None:
    """The first street of which the dealer has dealt some cards, but too few. None once five lie
    there at the Showdown: hands are judged by these, so a sixth needs a ruling."""
    if table.state.phase in ("showdown", "settling") and len(table.board()) >= WHOLE_BOARD:
        return None
    for street in STREETS:
        laid = len(street_of(round_, street))
        waits = round_.irregular is not None and round_.irregular.waits_for(street)
        if 0 < laid < CARDS_DUE[street] and not waits and not is_early(table, round_, street):
            return street
    return None


def _complete(table: PokerTable, round_: RoundState, faces: tuple[Card, ...]) -> None:
    street = street_lacking(table, round_)
    if street is None:
        table.refuse(Topic.COMMUNITY_CARDS, "No street is to be dealt again.")
    if is_won(round_):
        table.refuse_with((Topic.LONE_SURVIVOR, DEALT[street]), IS_WON)
    if acts_since(round_, street, 0):
        table.refuse_with(
            (Topic.DISCRETION_UNCOVERED, DEALT[street]),
            f"Somebody has acted on this {street}: a ruling decides.",
        )
    complete_street(table, round_, street, faces, table.by_book[STREET_DEALT[street]])


def complete_street(
    table: PokerTable,
    round_: RoundState,
    street: Street,
    faces: tuple[Card, ...],
    cites: tuple[str, ...],
) -> None:
    """Deal what a street lacks and go on from where the round stands (A-76)."""
    cards = missing_cards(table, round_, street, faces)
    up = not _lies_down(round_, street)
    table.emit(StreetCompleted(street=street, cards=cards, up=up, cites=cites))


def missing_cards(
    table: PokerTable, round_: RoundState, street: Street, faces: tuple[Card, ...]
) -> tuple[Card, ...]:
    """What a street lacks, from the shoe."""
    missing = CARDS_DUE[street] - len(street_of(round_, street))
    return table.next_cards(missing, faces, unseen=_lies_down(round_, street))


def _lies_down(round_: RoundState, street: Street) -> bool:
    return any(card in round_.down for card in street_of(round_, street))


@in_round(dealing_again, StreetCompleted)
def street_completed(table: PokerTable, round_: RoundState, event: StreetCompleted) -> None:
    table.take(event.cards)
    street = street_of(round_, event.street)
    if not event.up:
        # Those face down are kept in the order of the streets.
        place = sum(card in round_.down for card in street)
        round_.down[place:place] = event.cards
    street += event.cards
    dealt = len(street) - len(event.cards)
    round_.deviations = [
        d for d in round_.deviations if d != f"{dealt} cards on the {event.street}"
    ]
