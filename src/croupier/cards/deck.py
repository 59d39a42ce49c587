"""The deck of 52 cards: its order, what is wrong with one, and what is left of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from croupier.cards.card import Card
from croupier.cards.errors import NotACardError, WrongDeckError
from croupier.cards.text import write_cards

DECK: tuple[Card, ...] = tuple(card for card in Card if card.is_known)
"""The 52 cards by ``index``: Clubs, Diamonds, Hearts, Spades, each from Two to Ace."""


def deck_faults(cards: Iterable[Card], of: Iterable[Card] = DECK) -> list[str]:
    """What is wrong with these cards if they should be exactly the cards ``of``, in any order.

    One phrase for each kind of fault: missing, doubled, foreign. Nothing is wrong if the list is
    empty.
    """
    found = Counter(_checked(cards))
    wanted = Counter(_checked(of))
    faults = []
    if missing := [card for card in wanted if not found[card]]:
        faults.append(f"missing {write_cards(missing)}")
    if doubled := [card for card in wanted if found[card] > wanted[card]]:
        faults.append(f"doubled {write_cards(doubled)}")
    if short := [card for card in wanted if 0 < found[card] < wanted[card]]:
        faults.append(f"too few of {write_cards(short)}")
    if foreign := [card for card in found if card not in wanted]:
        faults.append(f"foreign {write_cards(foreign)}")
    return faults


def check_deck(cards: Iterable[Card]) -> None:
    """Raise ``WrongDeckError`` unless these are the 52 cards, each once, in any order."""
    cards = tuple(cards)
    if faults := deck_faults(cards):
        raise WrongDeckError(
            f"this is no complete deck: {'; '.join(faults)} "
            f"({len(cards)} cards counted, a deck has each of the 52 once)"
        )


def rest_of_deck(out: Iterable[Card], of: Iterable[Card] = DECK) -> tuple[Card, ...]:
    """The cards of the deck that are not among those that are out, in the order of the deck."""
    gone = frozenset(_checked(out))
    return tuple(card for card in of if card not in gone)


def _checked(cards: Iterable[Card]) -> tuple[Card, ...]:
    cards = tuple(cards)
    for place, card in enumerate(cards, 1):
        if not isinstance(card, Card):
            raise NotACardError(f"{card!r} in place {place} is no Card: read text with read_cards")
    return cards
