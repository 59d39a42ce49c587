"""The deck: one deck of 52 cards, shuffled, cut and put into the Card Shoe for a Round of play.

v8 1.14, 2.2.1 and 3.8 ask for a shuffle and a cut; Poker v5 for one deck and nothing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cards import DECK, Shoe
from croupier.poker.commands import Cut, Shuffle
from croupier.poker.events import DeckCut, DeckShuffled
from croupier.rulebooks import Cites, Topic, Ways
from croupier.table import ActorRank, Order, Room, ShuffleGiven, ShuffleNeeded

if TYPE_CHECKING:
    from croupier.poker.table import PokerTable

deck = Room("deck")

SHUFFLED = Cites(Topic.ONE_DECK, Topic.CARDS_IN_USE)
CUT = Cites(Topic.DECK_CUT)
DECK_IS_CUT = Ways("deck-preparation", {"shuffle-cut-and-cover": True, "not-stated": False})

PLAYER = ActorRank.PLAYER

FOR_THE_BUTTON = "draw for the button"
FOR_THE_ROUND = "for the round"
WHOLE_DECK = (FOR_THE_BUTTON, FOR_THE_ROUND)
"""What the whole deck is shuffled for. A part of it, for an irregularity, has other purposes."""


def shuffle_deck(table: PokerTable, purpose: str, cites: tuple[str, ...]) -> None:
    """Have the whole deck shuffled: by the House, or by the dealer if the shoe is a real one."""
    if table.state.settings.shoe == "reported":
        table.emit(DeckShuffled(cites=cites))
    else:
        table.emit(
            ShuffleNeeded(need=table.state.last_need + 1, purpose=purpose, cards=DECK, cites=cites)
        )


@deck.decides(Shuffle)
def shuffle(table: PokerTable, order: Order[Shuffle]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("shuffles the deck", Topic.ONE_DECK)
    if table.state.phase not in ("between rounds", "cutting", "ready"):
        table.refuse(Topic.ONE_DECK, "The deck is shuffled between rounds.")
    shuffle_deck(table, FOR_THE_ROUND, table.by_book[SHUFFLED])


@deck.answered(FOR_THE_ROUND)
def shuffled_for_round(table: PokerTable, asked: ShuffleNeeded, given: ShuffleGiven) -> None:
    """The deck lies ready to be cut."""


@deck.applies(ShuffleGiven)
def deck_shuffled(table: PokerTable, event: ShuffleGiven) -> None:
    """A shuffled deck. A shuffle for another purpose is for the room that asked for it."""
    state = table.state
    if event.purpose not in WHOLE_DECK:
        return
    if state.shoe is None:
        state.shoe = Shoe.virtual(event.cards)
    else:
        state.shoe.collect(event.cards)
    _fresh_deck(table)


@deck.applies(DeckShuffled)
def real_deck_shuffled(table: PokerTable, event: DeckShuffled) -> None:
    state = table.state
    if state.shoe is None:
        state.shoe = Shoe.reported()
    else:
        state.shoe.collect()
    _fresh_deck(table)


def _fresh_deck(table: PokerTable) -> None:
    state = table.state
    if state.phase == "shuffling for the button":
        state.phase = "drawing for the button"
        return
    state.shuffled = True
    state.phase = "cutting" if table.by_book[DECK_IS_CUT] else table.after_shuffle()


@deck.decides(Cut)
def cut(table: PokerTable, order: Order[Cut]) -> None:
    if order.rank is PLAYER:
        table.only_the_dealer("cuts the deck", Topic.DECK_CUT)
    if table.state.phase != "cutting":
        if not table.by_book[DECK_IS_CUT]:
            table.refuse(Topic.ONE_DECK, "In this game the deck is shuffled and not cut.")
        table.refuse(Topic.DECK_CUT, "The deck is not ready to be cut.")
    table.emit(DeckCut(cards=order.command.cards, cites=table.by_book[CUT]))


@deck.applies(DeckCut)
def deck_cut(table: PokerTable, event: DeckCut) -> None:
    state = table.state
    shoe = state.shoe
    assert shoe is not None
    if shoe.real:
        shoe.cut()
    else:
        shoe.cut(event.cards)
    shoe.place_cover()
    state.phase = table.after_shuffle()
