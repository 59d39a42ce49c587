"""A bot's place at a table: sitting down, buying chips, playing by its lights, and going.

A `BotPlayer` is given the view of its own player, time after time, and says what it does next. It
knows nothing of where the view comes from: a live table, a test and a benchmark drive it alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import Struct

from croupier.banked import BankedTable
from croupier.banked import commands as banked
from croupier.banked.view import BankedView
from croupier.live.bots.banked_bot import ANTES_OF_A_ROUND, BankedBot
from croupier.live.bots.bot import Bot, Thought
from croupier.live.bots.poker_bot import PokerBot
from croupier.live.bots.temperaments import Temperament
from croupier.pit.ports.poker_offers import BETWEEN
from croupier.poker import PokerTable
from croupier.poker import commands as poker
from croupier.poker.view import PokerView
from croupier.table import Command, Event, Offer, Table

View = PokerView | BankedView

STAYS = (60, 240)
"""Rounds after which a bot has played enough: at least, at most."""
BUYS_AGAIN = 6
"""How often it buys chips before it has lost enough."""
LOW = 0.4
"""Of what it sat down with: with less it buys more."""


class Terms(Struct, frozen=True, kw_only=True):
    """What the table's sign says about money."""

    unit: int
    """The Big Blind, or the least Ante."""
    least: int
    """The least to sit down with."""
    most: int | None = None
    chip: int = 100


def terms_of(table: Table[Any]) -> Terms:
    """Read the sign of a table."""
    match table:
        case PokerTable():
            settings = table.state.settings
            return Terms(
                unit=settings.big_blind,
                least=settings.minimum_stake,
                most=settings.maximum_stake,
                chip=settings.smallest_chip,
            )
        case BankedTable():
            ante = table.state.settings.ante_minimum
            assert ante is not None, "a banked table does not open without its limits"
            return Terms(unit=ante, least=ante * ANTES_OF_A_ROUND)
        case _:
            raise TypeError(f"bots play poker and the banked games, not at a {type(table)}")


def make_bot(table: Table[Any], name: str, temperament: Temperament) -> PokerBot | BankedBot:
    """A bot for the game of this table."""
    if isinstance(table, PokerTable):
        return PokerBot(name, temperament, terms_of(table).unit)
    return BankedBot(name, temperament, table.book)


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
        if isinstance(view, PokerView):
            return self.bot.think(view, view.offers.get(view.yours[0], ()), self.chance)
        if self.passes(view):
            return None
        return self.bot.think(view, view.boxes[view.yours[0]].may, self.chance)

    def passes(self, view: BankedView) -> bool:
        """Whether it sits this round of a banked table out: it has no bet and wants none."""
        no_bet = not view.boxes[view.yours[0]].stakes
        return no_bet and (self.idle or self.leaving) and view.status == "bets open"

    def is_ready(self, view: View) -> bool:
        """Whether nobody need wait for its opening stakes any more."""
        if not isinstance(view, BankedView) or view.status != "bets open" or not view.yours:
            return False
        has_bet = isinstance(self.bot, BankedBot) and self.bot.has_bet(view)
        return has_bet or self.passes(view)

    def signature(self, view: View) -> tuple[Any, ...]:
        """What its decision rests on: while this stays the same it need not think again."""
        if not view.yours:
            taken = self.seat in (view.seats if isinstance(view, PokerView) else view.boxes)
            return ("not seated", self.seat, taken, bool(view.waiting))
        number = view.yours[0]
        asked = tuple(question.decision for question in view.decisions if question.yours)
        if isinstance(view, PokerView):
            offers: Sequence[Offer] = view.offers.get(number, ())
            mine: Any = view.seats[number]
            status = "between rounds" if view.status in BETWEEN else view.status
            return (view.round, status, view.turn, view.pot, mine, asked, tuple(offers))
        box = view.boxes[number]
        return (view.round, view.status, view.board, box, view.chips, asked)

    # -- coming and going --------------------------------------------------------------------

    def _sit(self, view: View) -> Thought | None:
        taken = view.seats if isinstance(view, PokerView) else view.boxes
        if self.leaving or self.seat in taken:
            return None
        self._bought += 1
        chips = self._buys()
        if isinstance(view, PokerView):
            sits: Command = poker.Sit(seat=self.seat, player=self.name, stake=chips)
        elif view.waiting:
            return None
        else:
            sits = banked.Sit(box=self.seat, player=self.name, chips=chips)
        return Thought(command=sits, hard=0.2)

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
        if isinstance(view, PokerView):
            if view.status not in BETWEEN:
                return None
            seat = view.seats[view.yours[0]]
            more = self._short(seat.stake)
            if more and seat.stake == 0:
                more = max(more, self.terms.least)
            if more and self._may_buy():
                top_up = poker.TopUp(seat=view.yours[0], amount=more)
                return Thought(command=top_up, at_once=True)
            if self.leaving:
                return Thought(command=poker.Leave(seat=view.yours[0]), at_once=True)
            return None
        if view.waiting or view.boxes[view.yours[0]].stakes:
            return None
        more = self._short(view.chips) if view.chips is not None else 0
        if view.status in ("between rounds", "bets open"):
            if more and self._may_buy():
                adds = banked.AddChips(player=self.name, chips=more)
                return Thought(command=adds, at_once=True)
            if self.leaving:
                return Thought(command=banked.Leave(player=self.name), at_once=True)
        return None

    def _short(self, chips: int) -> int:
        """What it lacks, once it is little enough to buy again."""
        wanted = self._buys()
        low = max(LOW * wanted, self.terms.unit * ANTES_OF_A_ROUND)
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
