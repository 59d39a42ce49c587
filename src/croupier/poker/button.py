"""The first button: drawn for (v8 3.8), or at the dealer's left (v5 3.1); and a forgotten one.

In the draw each player gets one card face up and the highest by rank and suit wins. The cards are
then collected and shuffled back with the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import Card
from croupier.poker.commands import DealForButton, PlaceButton, StartGame
from croupier.poker.deck import FOR_THE_BUTTON, shuffle_deck
from croupier.poker.events import (
    ButtonCardDealt,
    ButtonCardsCollected,
    ButtonGiven,
    ButtonPlaced,
    ButtonWon,
    GameStarted,
)
from croupier.poker.in_round import in_round
from croupier.poker.positions import can_play
from croupier.poker.state import RoundState
from croupier.rulebooks import Topic, Ways
from croupier.table import ActorRank, BadCommand, Order, Room, ShuffleGiven, ShuffleNeeded
from croupier.table.seat import clockwise

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

button = Room("button")

PLAYER = ActorRank.PLAYER

DEALER = 0
"""The dealer stands before seat 1, so the first seat after him is the one at his left."""


@button.decides(StartGame)
def start_game(table: PokerTable, order: Order[StartGame]) -> None:
    state = table.state
    if order.rank is PLAYER:
        table.only_the_dealer("starts a game", Topic.FIRST_BUTTON)
    if state.phase != "open":
        table.refuse(Topic.FIRST_BUTTON, "A game is under way.")
    ready = [seat for seat, sitter in state.seats.items() if can_play(sitter)]
    if len(ready) < 2:
        table.refuse(Topic.FIRST_BUTTON, "A game needs at least two Seated Players.")
    cites = table.paragraphs(Topic.FIRST_BUTTON)
    table.emit(GameStarted(cites=cites))
    table.by_book[FIRST_BUTTON](table, ready, cites)


def _draw(table: PokerTable, ready: list[int], cites: tuple[str, ...]) -> None:
    shuffle_deck(table, FOR_THE_BUTTON, cites)


def at_the_dealers_left(table: PokerTable, ready: list[int], cites: tuple[str, ...]) -> None:
    """P-11: the dealer's immediate left, for the first game of a session."""
    first = clockwise(ready, after=DEALER)[0]
    table.emit(ButtonGiven(seat=first, cites=cites))


FIRST_BUTTON = Ways("first-button", {"high-card-draw": _draw, "dealers-left": at_the_dealers_left})


@button.applies(GameStarted)
def game_started(table: PokerTable, event: GameStarted) -> None:
    state = table.state
    state.phase = "shuffling for the button"
    for sitter in state.seats.values():
        sitter.entry, sitter.rotates = "in", True


@button.answered(FOR_THE_BUTTON)
def shuffled_for_button(table: PokerTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    """The deck lies ready; the dealer may deal for the button."""


@button.decides(DealForButton)
def deal_for_button(table: PokerTable, order: Order[DealForButton]) -> None:
    state = table.state
    if order.rank is PLAYER:
        table.only_the_dealer("deals for the button", Topic.FIRST_BUTTON)
    if state.phase != "drawing for the button" or state.shoe is None:
        table.refuse(Topic.FIRST_BUTTON, "The button is not being drawn for.")
    seats = drawing(table)
    if len(seats) < 2:
        table.refuse(Topic.FIRST_BUTTON, "The draw needs at least two Seated Players.")
    cards = order.command.cards
    if state.shoe.real:
        known = [card for card in cards if card.is_known]
        if len(cards) != len(seats) or len(set(known)) != len(seats):
            raise BadCommand(f"report {len(seats)} different cards, one for each player")
        table.check_reported(cards)
    elif cards:
        raise BadCommand("the House knows the cards of this shoe; report none")
    else:
        cards = state.shoe.peek(len(seats))
    cites = table.paragraphs(Topic.FIRST_BUTTON)
    drawn: dict[int, Card] = dict(zip(seats, cards, strict=True))
    for seat, card in drawn.items():
        table.emit(ButtonCardDealt(seat=seat, card=card, cites=cites))
    winner = max(drawn, key=lambda seat: by_rank_then_suit(drawn[seat]))
    table.emit(ButtonWon(seat=winner, card=drawn[winner], cites=cites))
    table.emit(ButtonCardsCollected(cards=tuple(drawn.values()), cites=cites))


def drawing(table: PokerTable) -> list[int]:
    """Who gets a card in the draw for the button, from the dealer's left."""
    seats = table.state.seats
    return [seat for seat in clockwise(seats, after=DEALER) if can_play(seats[seat])]


def by_rank_then_suit(card: Card) -> tuple[int, int]:
    """The order of cards in the draw, the only place where suits count: ♠ over ♥ over ♦ over ♣."""
    return card.rank.order, card.suit.order


@button.applies(ButtonCardDealt)
def button_card_dealt(table: PokerTable, event: ButtonCardDealt) -> None:
    state = table.state
    assert state.shoe is not None
    state.shoe.take([event.card])
    state.seats[event.seat].button_card = event.card


@button.applies(ButtonWon, ButtonGiven)
def button_won(table: PokerTable, event: ButtonWon | ButtonGiven) -> None:
    """A-46: the first Orbit lasts until the button is back at, or past, where it began."""
    state = table.state
    state.button = state.orbit_start = event.seat
    state.orbit = 1
    state.phase = "between rounds"


@button.applies(ButtonCardsCollected)
def button_cards_collected(table: PokerTable, event: ButtonCardsCollected) -> None:
    for sitter in table.state.seats.values():
        sitter.button_card = None


@button.decides(PlaceButton)
def place_button(table: PokerTable, order: Order[PlaceButton]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("puts the button out", Topic.LATE_BUTTON)
    seat, round_ = table.state.button, table.state.round
    if not table.book.has(Topic.LATE_BUTTON):
        table.refuse(Topic.FIRST_BUTTON, "In this game the button is out from the start.")
    if round_ is None or round_.button_out:
        table.refuse(Topic.LATE_BUTTON, "The button is out.")
    assert seat is not None
    # It goes where it is now: when the round is over it has moved.
    table.emit(ButtonPlaced(seat=seat, cites=table.paragraphs(Topic.LATE_BUTTON)))


@in_round(button, ButtonPlaced)
def button_placed(table: PokerTable, round_: RoundState, event: ButtonPlaced) -> None:
    round_.button_out = True
