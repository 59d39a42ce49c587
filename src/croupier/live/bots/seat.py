"""A bot's place at a table: sitting down, buying chips, playing by its lights, and going.

A `BotPlayer` is given the view of its own player, time after time, and says what it does next. It
knows nothing of where the view comes from: a live table, a test and a benchmark drive it alike.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from croupier.live.bots.banked_bot import BankedBot
from croupier.live.bots.bot import Bot, Thought
from croupier.live.bots.poker_bot import PokerBot
from croupier.live.bots.temperaments import Temperament
from croupier.pit.ports.port import Terms
from croupier.pit.registry import GAMES
from croupier.table import Event, Table

View = Any
"""The view of a bot's own player: a `PokerView`, a `BankedView`, as its game has it."""

STAYS = (60, 240)
"""Rounds after which a bot has played enough: at least, at most."""
BUYS_AGAIN = 6
"""How often it buys chips before it has lost enough."""
LOW = 0.4
"""Of what it sat down with: with less it buys more."""
UNITS_OF_A_ROUND = 5
"""What a round may take in Big Blinds or Antes: with less it buys more."""


def _poker(table: Table[Any], name: str, temperament: Temperament) -> Bot[Any]:
    return PokerBot(name, temperament, terms_of(table).unit)


def _banked(table: Table[Any], name: str, temperament: Temperament) -> Bot[Any]:
    return BankedBot(name, temperament, table.book)


BOTS: dict[str, Callable[[Table[Any], str, Temperament], Bot[Any]]] = {
    "poker": _poker,
    "banked": _banked,
}
"""The bots of each game that has some (`GamePort.has_bots`), by its name."""


def terms_of(table: Table[Any]) -> Terms:
    """What a table asks of money."""
    return GAMES.port_of(table).terms(table)


def make_bot(table: Table[Any], name: str, temperament: Temperament) -> Bot[Any]:
    """A bot for the game of this table."""
    return BOTS[GAMES.game_of(table).name](table, name, temperament)


class BotPlayer:
    """A bot with a seat or box."""

    def __init__(
        self, bot: Bot[Any], seat: int, terms: Terms, chance: Random | None = None
    ) -> None:
        self.bot = bot
        self.seat = seat
        self.terms = terms
        self.chance = chance or Random()
        self.stays = self.chance.randint(*STAYS)
        self.leaving = False
        """Whether it goes as soon as it may."""
        self.idle = False
        """Whether it lets rounds of a banked table pass without a bet."""
        self._since: int | None = None
        self._bought = 0

    @property
    def name(self) -> str:
        """The name of its player."""
        return self.bot.name

    def hear(self, event: Event) -> None:
        """What everybody at the table has been told."""
        self.bot.hear(event)

    def step(self, view: View) -> Thought | None:
        """What it does next; None to wait. The view is its own player's."""
        if not view.yours:
            return self._sit(view)
        self._count(view)
        thought = self._before_it_plays(view)
        if thought is not None:
            return thought
        if self.passes(view):
            return None
        return self.bot.think(view, self.bot.offers(view), self.chance)

    def passes(self, view: View) -> bool:
        """Whether it sits this round out where bets are open: it has no bet and wants none."""
        bot = self.bot
        return (self.idle or self.leaving) and bot.is_betting(view) and not bot.has_stake(view)

    def is_ready(self, view: View) -> bool:
        """Whether nobody need wait for its opening stakes any more."""
        if not view.yours or not self.bot.is_betting(view):
            return False
        return self.bot.has_bet(view) or self.passes(view)

    def signature(self, view: View) -> tuple[Any, ...]:
        """What its decision rests on: while this stays the same it need not think again."""
        if not view.yours:
            return ("not seated", self.seat, self.seat in self.bot.taken(view), bool(view.waiting))
        asked = tuple(question.decision for question in view.decisions if question.yours)
        return (*self.bot.rests_on(view), asked)

    # -- coming and going --------------------------------------------------------------------

    def _sit(self, view: View) -> Thought | None:
        if self.leaving or self.seat in self.bot.taken(view):
            return None
        self._bought += 1
        sits = self.bot.sits(view, self.seat, self._buys())
        return None if sits is None else Thought(command=sits, hard=0.2)

    def _buys(self) -> int:
        terms = self.terms
        wanted = max(self.bot.temperament.buys * terms.unit, terms.least)
        if terms.most is not None:
            wanted = min(wanted, terms.most)
        return max(terms.least, wanted // terms.chip * terms.chip)

    def _count(self, view: View) -> None:
        if self._since is None:
            self._since = view.round
        if view.round - self._since >= self.stays:
            self.leaving = True

    def _before_it_plays(self, view: View) -> Thought | None:
        """Between rounds: buy chips, or go."""
        if not self.bot.is_free(view):
            return None
        chips = self.bot.chips(view)
        more = self._short(chips) if chips is not None else 0
        if more and chips == 0:
            more = max(more, self.terms.least)
        if more and self._may_buy():
            return Thought(command=self.bot.buys(view, more), at_once=True)
        return Thought(command=self.bot.goes(view), at_once=True) if self.leaving else None

    def _short(self, chips: int) -> int:
        """What it lacks, once it is little enough to buy again."""
        wanted = self._buys()
        low = max(LOW * wanted, self.terms.unit * UNITS_OF_A_ROUND)
        lacks = wanted - chips
        return lacks // self.terms.chip * self.terms.chip if chips < low else 0

    def _may_buy(self) -> bool:
        """Buy again, unless it has bought often enough: then it goes."""
        if self.leaving:
            return False
        if self._bought > BUYS_AGAIN:
            self.leaving = True
            return False
        self._bought += 1
        return True
