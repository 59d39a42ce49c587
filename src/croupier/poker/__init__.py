"""The poker rulebooks, No Limit Hold'em v8 and Poker v5: players against each other.

The rooms are named after the sections of the rulebook. So far there are the table with its seats
and the draw for the first button.
"""

from croupier.poker.button import (
    ButtonCardDealt,
    ButtonCardsCollected,
    ButtonWon,
    Cut,
    DealForButton,
    DeckCut,
    GameStarted,
    StartGame,
)
from croupier.poker.seating import SatDown, Sit
from croupier.poker.settings import PokerSettings
from croupier.poker.state import PokerState
from croupier.poker.table import PokerFacts, PokerTable, PokerView

__all__ = [
    "ButtonCardDealt",
    "ButtonCardsCollected",
    "ButtonWon",
    "Cut",
    "DealForButton",
    "DeckCut",
    "GameStarted",
    "PokerFacts",
    "PokerSettings",
    "PokerState",
    "PokerTable",
    "PokerView",
    "SatDown",
    "Sit",
    "StartGame",
]
