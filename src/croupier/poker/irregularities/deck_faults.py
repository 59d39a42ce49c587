"""A foreign card, a deck that is not 52 cards, a shoe that cannot finish the round.

v8 5.2 (A-57), v5 5.1.1 and 5.1.2 (P-18). The current Round of play is void, earlier ones stand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card
from croupier.poker.commands import Street
from croupier.poker.figures import DECK_CARDS, FLOP_CARDS, HOLE_CARDS
from croupier.poker.irregularities.commands import ReportDeck, ReportForeignCard, ReportShoe
from croupier.poker.irregularities.discretion import ask_ruling
from croupier.poker.irregularities.reporting import (
    COMPLETE_DECK,
    NEW_CARDS,
    ask_for_deck,
    note,
    propose_void,
    staff_report,
    under_way,
)
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic, Ways
from croupier.table import BadCommand, Order, Room
from croupier.table.reports import DECK_AT_MOST
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

deck_faults = Room("deck faults")

DECK_AFTER_FOREIGN_CARD = Ways(
    "deck-after-foreign-card", {"confirm-complete": COMPLETE_DECK, "replace": NEW_CARDS}
)


@deck_faults.decides(ReportForeignCard)
def foreign_card(table: PokerTable, order: Order[ReportForeignCard]) -> None:
    staff_report(table, order, Topic.FOREIGN_CARD)
    card = order.command.card
    reason = f"a foreign card was found ({card})" if card else "a foreign card was found"
    _void_or_stands(table, reason, Topic.FOREIGN_CARD, table.by_book[DECK_AFTER_FOREIGN_CARD])


@deck_faults.decides(ReportDeck)
def deck_counted(table: PokerTable, order: Order[ReportDeck]) -> None:
    staff_report(table, order, Topic.DECK_SHORT_OR_OVER)
    count, twice = order.command.count, order.command.twice
    whole = table.by_book[DECK_CARDS]
    if (count is None) == (twice is None) or twice is Card.UNKNOWN:
        raise BadCommand("say how many cards were counted, or which card was seen twice")
    if twice is not None:
        reason = f"{twice.pretty} was seen twice"
    elif count == whole:
        raise BadCommand(f"{whole} cards are a whole deck; nothing is wrong with it")
    elif count is not None and count > DECK_AT_MOST:
        raise BadCommand(f"{count} cards are no deck: {DECK_AT_MOST} would be two")
    else:
        reason = f"the deck has {count} card{'' if count == 1 else 's'}"
    _void_or_stands(table, reason, Topic.DECK_SHORT_OR_OVER, COMPLETE_DECK)


@deck_faults.decides(ReportShoe)
def shoe_too_short(table: PokerTable, order: Order[ReportShoe]) -> None:
    """5.2.3 is tested against the cards still required, burns included (A-57)."""
    topic = Topic.NOT_ENOUGH_CARDS
    if not table.book.has(topic):
        round_ = under_way(table, order, Topic.DECK_SHORT_OR_OVER)
        _check_short(table, round_, order.command.left)
        ask_ruling(table, "the shoe cannot finish the game", later_book="void (5.2.3)")
        return
    round_ = under_way(table, order, topic)
    left, needed = _check_short(table, round_, order.command.left)
    reason = (
        f"{counted(left, 'card is', 'cards are')} left in the shoe and "
        f"{counted(needed, 'is', 'are')} needed"
    )
    _void_or_stands(table, reason, topic, COMPLETE_DECK)


def _check_short(table: PokerTable, round_: RoundState, said: int | None) -> tuple[int, int]:
    shoe = table.state.shoe
    assert shoe is not None
    if not shoe.real and said is not None and said != shoe.left:
        here = counted(shoe.left, "card is", "cards are")
        raise BadCommand(f"the House knows this shoe: {here} left, not {said}")
    left = shoe.left if said is None else said
    needed = cards_needed(table, round_)
    if left >= needed:
        here = counted(left, "card is", "cards are")
        raise BadCommand(f"{here} left and {counted(needed, 'is', 'are')} needed; that is enough")
    return left, needed


def cards_needed(table: PokerTable, round_: RoundState) -> int:
    """The cards that the Round of play still requires, burns included; none once one hand is left
    and has won the Pot (v8 3.18.1)."""
    if round_.won_by_folds:
        return 0
    cards = 0
    if not table.cards_are_out():
        cards += len(round_.order) * table.by_book[HOLE_CARDS]
    irregular = round_.irregular
    set_aside = (round_.first_burn is not None) + (round_.stored_burn is not None)
    streets: tuple[tuple[Street, list[Card], int], ...] = (
        ("flop", round_.flop, table.by_book[FLOP_CARDS]),
        ("turn", round_.turn, 1),
        ("river", round_.river, 1),
    )
    for street, laid, due in streets:
        cards += max(0, due - len(laid))
        # a street of which cards went back is burnt for now, if it was not before.
        comes = not laid or (irregular is not None and street in irregular.deal_again)
        if comes and not any(burnt.street == street for burnt in round_.burns):
            cards += 1
    return cards - set_aside


def _void_or_stands(table: PokerTable, reason: str, topic: Topic, deck: str) -> None:
    """Until settlement is finished the round is void; a round that was settled stands."""
    if table.playing():
        propose_void(table, reason, table.paragraphs(topic, Topic.EARLIER_ROUNDS_STAND), deck=deck)
        return
    cites = table.paragraphs(topic, Topic.EARLIER_ROUNDS_STAND)
    note(table, reason, "No round is under way; settled rounds stand.", cites)
    ask_for_deck(table, deck, reason, cites)
