"""The banked games, Progressive Texas Hold'em v6 and Multi-Link Progressive v2 and v3: every
player against the dealer, with a progressive jackpot.

The rooms are named after the sections of the rulebook.
"""

from croupier.banked.facts import BankedFacts, BetFacts, JackpotFacts, RoundRecord
from croupier.banked.settings import BankedSettings
from croupier.banked.state import BankedState, BoxState
from croupier.banked.table import BankedTable
from croupier.banked.view import BankedView, BoxView

__all__ = [
    "BankedFacts",
    "BankedSettings",
    "BankedState",
    "BankedTable",
    "BankedView",
    "BetFacts",
    "BoxState",
    "BoxView",
    "JackpotFacts",
    "RoundRecord",
]
