"""The first button: one face-up card to each player, the highest by rank and suit wins it.

No Limit Hold'em v8, 3.8. The cards are then collected, shuffled back with the rest and cut before
the deck goes into the Card Shoe; play starts with the call for Blinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import DECK, Card, Shoe
from croupier.poker.commands import Cut, DealForButton, StartGame
from croupier.poker.deck import FOR_THE_BUTTON, FOR_THE_ROUND
from croupier.poker.events import (
    ButtonCardDealt,
    ButtonCardsCollected,
    ButtonWon,
    DeckCut,
    GameStarted,
)
from croupier.rulebooks import Topic
from croupier.table import (
    Announced,
    Call,
    Command,
    Order,
    Room,
    ShuffleGiven,
    ShuffleNeeded,
    StaffRank,
)
from croupier.table.seat import clockwise

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

button = Room("button")

DEALER = 0
"""The dealer stands before seat 1, so the first seat after him is the one at his left."""


@button.on(StartGame)
def start_game(table: PokerTable, order: Order[StartGame]) -> None:
    state = table.state
    _dealer_only(table, order, "starts a game")
    if table.book.procedure("first-button") != "high-card-draw":
        table.refuse(Topic.FIRST_BUTTON, "In this game the first button is not drawn for.")
    if state.phase != "open":
        table.refuse(Topic.FIRST_BUTTON, "A game is under way.")
    if len(state.seats) < 2:
        table.refuse(Topic.FIRST_BUTTON, "A game needs at least two Seated Players.")
    cites = table.cite(Topic.FIRST_BUTTON)
    table.emit(GameStarted(cites=cites))
    table.need_shuffle(FOR_THE_BUTTON, DECK, cites)


@button.when(GameStarted)
def game_started(table: PokerTable, event: GameStarted) -> None:
    table.state.phase = "shuffling for the button"


@button.answered(FOR_THE_BUTTON)
def shuffled_for_button(table: PokerTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    """The deck lies ready; the dealer may deal for the button."""


@button.on(DealForButton)
def deal_for_button(table: PokerTable, order: Order[DealForButton]) -> None:
    state = table.state
    _dealer_only(table, order, "deals for the button")
    if state.phase != "drawing for the button" or state.shoe is None:
        table.refuse(Topic.FIRST_BUTTON, "The button is not being drawn for.")
    cites = table.cite(Topic.FIRST_BUTTON)
    drawn: dict[int, Card] = {}
    for seat in clockwise(state.seats, after=DEALER):
        drawn[seat] = state.shoe.peek()[0]
        table.emit(ButtonCardDealt(seat=seat, card=drawn[seat], cites=cites))
    winner = max(drawn, key=lambda seat: by_rank_then_suit(drawn[seat]))
    table.emit(ButtonWon(seat=winner, card=drawn[winner], cites=cites))
    table.emit(ButtonCardsCollected(cards=tuple(drawn.values()), cites=cites))
    table.need_shuffle(FOR_THE_ROUND, DECK, cites)


def by_rank_then_suit(card: Card) -> tuple[int, int]:
    """The order of cards in the draw, the only place where suits count: ♠ over ♥ over ♦ over ♣."""
    return card.rank.order, card.suit.order


@button.when(ButtonCardDealt)
def button_card_dealt(table: PokerTable, event: ButtonCardDealt) -> None:
    state = table.state
    assert state.shoe is not None
    state.shoe.take([event.card])
    state.seats[event.seat].button_card = event.card


@button.when(ButtonWon)
def button_won(table: PokerTable, event: ButtonWon) -> None:
    table.state.button = event.seat


@button.when(ButtonCardsCollected)
def button_cards_collected(table: PokerTable, event: ButtonCardsCollected) -> None:
    for sitter in table.state.seats.values():
        sitter.button_card = None
    table.state.phase = "shuffling"


@button.answered(FOR_THE_ROUND)
def shuffled_for_first_round(table: PokerTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    """The deck lies ready to be cut."""


@button.on(Cut)
def cut(table: PokerTable, order: Order[Cut]) -> None:
    _dealer_only(table, order, "cuts the deck")
    if table.state.phase != "cutting":
        table.refuse(Topic.DECK_CUT, "The deck is not ready to be cut.")
    cites = table.cite(Topic.DECK_CUT)
    table.emit(DeckCut(cards=order.command.cards, cites=cites))
    table.emit(
        Announced(
            call=Call.OPENING,
            says="The Blinds are called for.",
            cites=table.cite(Topic.CALL_FOR_BLINDS),
        )
    )


@button.when(DeckCut)
def deck_cut(table: PokerTable, event: DeckCut) -> None:
    state = table.state
    assert state.shoe is not None
    state.shoe.cut(event.cards)
    state.shoe.place_cover()
    state.phase = "ready"


@button.when(ShuffleGiven)
def deck_shuffled(table: PokerTable, event: ShuffleGiven) -> None:
    """A shuffled deck: fresh for the draw, or with the cards of the draw back among the rest."""
    state = table.state
    if event.purpose == FOR_THE_BUTTON:
        state.shoe = Shoe.virtual(event.cards)
        state.phase = "drawing for the button"
    else:
        assert state.shoe is not None
        state.shoe.collect(event.cards)
        state.phase = "cutting"


def _dealer_only(table: PokerTable, order: Order[Command], what: str) -> None:
    if not order.rank.is_at_least(StaffRank.DEALER):
        table.refuse(Topic.PIT_EMPLOYEE, f"Only the dealer {what}.")
