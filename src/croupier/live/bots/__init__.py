"""Bots that are fun to play with, at poker tables and at the banked games.

A bot is given the view of its own seat and says what it does (`Bot.decide`); a `BotPlayer` also
sits down, buys chips and goes; `runner.BotRunner` lets the bots of a live casino act in human time.
docs/bots.md says how they compute.
"""

from croupier.live.bots.banked_bot import BankedBot
from croupier.live.bots.bot import Bot, Thought
from croupier.live.bots.poker_bot import PokerBot
from croupier.live.bots.seat import BotPlayer, make_bot, terms_of
from croupier.live.bots.temperaments import BEST, TEMPERAMENTS, Temperament

__all__ = [
    "BEST",
    "TEMPERAMENTS",
    "BankedBot",
    "Bot",
    "BotPlayer",
    "PokerBot",
    "Temperament",
    "Thought",
    "make_bot",
    "terms_of",
]
