"""Cards, the deck, the shoe, and the ranking of hands.

>>> from croupier.cards import rank_hand, read_cards
>>> str(rank_hand(read_cards("Kc Kh Kd Js Jh")))
'Full House, Kings over Jacks'
"""

from croupier.cards.card import Card, Rank, Suit
from croupier.cards.category import Category
from croupier.cards.deck import DECK, check_deck, deck_faults, rest_of_deck
from croupier.cards.errors import (
    CardAlreadyOutError,
    CardCountError,
    CardError,
    CardNotOutError,
    CardTwiceError,
    CoverCardError,
    CutError,
    ForeignCardError,
    NotACardError,
    OrderMismatchError,
    ShoeError,
    ShuffleError,
    TooFewCardsError,
    UnknownCardError,
    UnreadableCardError,
    UnseenOrderError,
    WrongDeckError,
)
from croupier.cards.ranking import best_five, rank_hand
from croupier.cards.shoe import Pile, Shoe
from croupier.cards.text import pretty_cards, read_cards, write_cards
from croupier.cards.value import HandValue

__all__ = [
    "DECK",
    "Card",
    "CardAlreadyOutError",
    "CardCountError",
    "CardError",
    "CardNotOutError",
    "CardTwiceError",
    "Category",
    "CoverCardError",
    "CutError",
    "ForeignCardError",
    "HandValue",
    "NotACardError",
    "OrderMismatchError",
    "Pile",
    "Rank",
    "Shoe",
    "ShoeError",
    "ShuffleError",
    "Suit",
    "TooFewCardsError",
    "UnknownCardError",
    "UnreadableCardError",
    "UnseenOrderError",
    "WrongDeckError",
    "best_five",
    "check_deck",
    "deck_faults",
    "pretty_cards",
    "rank_hand",
    "read_cards",
    "rest_of_deck",
    "write_cards",
]
