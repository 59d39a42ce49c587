"""The poker rulebooks, No Limit Hold'em v8 and Poker v5: players against each other.

The rooms are named after the sections of the rulebook. Orders are in `commands`, facts in `events`.
"""

from croupier.poker.facts import PokerFacts, PotFacts
from croupier.poker.settings import PokerSettings, RakeSettings
from croupier.poker.state import PokerState
from croupier.poker.table import PokerTable
from croupier.poker.view import PokerView, SeatView

__all__ = [
    "PokerFacts",
    "PokerSettings",
    "PokerState",
    "PokerTable",
    "PokerView",
    "PotFacts",
    "RakeSettings",
    "SeatView",
]
