"""A bot at a poker table: starting hands by position, then equity, pot odds and what others do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from croupier.cards import Card
from croupier.live.bots import action_values, equity
from croupier.live.bots.action_values import Choice
from croupier.live.bots.bot import Thought, answer, own_question
from croupier.live.bots.memory import Act, Memory
from croupier.live.bots.poker_seat import PokerSeat
from croupier.live.bots.quick import live_pairs, mask_of, pair_number
from croupier.live.bots.ranges import STEPS, Habits, Street, weights
from croupier.live.bots.spot import Spot, spot_of
from croupier.live.bots.starting import tops
from croupier.live.bots.temperaments import Temperament
from croupier.poker import commands as do
from croupier.poker.view import PokerView
from croupier.table import Command, Event, Look, Offer

DRAWS = 260
"""Deals that are drawn for one decision: a standard error of 3 in a hundred."""
_OPENS = (1.0, 0.80, 0.50, 0.38, 0.30, 0.24, 0.20, 0.17, 0.15, 0.14)
"""The share of hands with which a sound player opens, by how many have yet to act after him."""
BOARDS = frozenset((0, 3, 4, 5))
"""How many Community Cards a bot can compute with; a dealer who errs may lay others."""
_FREE = 0.38
"""The share with which he raises in the Big Blind when all others have only called."""


class PokerBot(PokerSeat):
    """Plays one seat."""

    def __init__(self, name: str, temperament: Temperament, big_blind: int) -> None:
        super().__init__(name, temperament)
        self.big_blind = big_blind
        self.memory = Memory()
        self._streets: dict[int, Street] = {}
        self._hand: tuple[int, tuple[Card, ...]] = (0, ())

    def hear(self, event: Event) -> None:
        self.memory.hear(event)

    def think(self, view: PokerView, offers: Sequence[Offer], chance: Random) -> Thought | None:
        if not view.yours:
            return None
        seat = view.yours[0]
        me = view.seats[seat]
        self.memory.see({number: other.player for number, other in view.seats.items()})
        question = own_question(view.decisions)
        if question is not None:
            # The button passes him only if the others can play: two alone would wait for ever.
            others = [
                number
                for number, other in view.seats.items()
                if number != seat and other.here and other.stake and not other.entering
            ]
            at_once = self.temperament.loose > 1 or len(others) < 2
            return answer(question, ("both blinds" if at_once else "wait",))
        if me.cards and me.active and not me.looked:
            return Thought(command=Look(seat=seat))
        names = {offer.do: offer for offer in offers}
        if "straddle" in names:
            if chance.random() < self.temperament.straddles:
                return Thought(command=do.Straddle(seat=seat), hard=0.1)
            return Thought(command=do.DeclineStraddle(seat=seat), hard=0.1)
        if "fold" not in names:
            return None
        known = len(me.cards) == 2 and Card.UNKNOWN not in me.cards
        if not known or len(view.board) not in BOARDS:
            return Thought(command=_unseen(seat, names))
        return self._act(spot_of(view, seat, offers), view, chance)

    # -- acting ------------------------------------------------------------------------------

    def _act(self, spot: Spot, view: PokerView, chance: Random) -> Thought:
        if self._hand != (view.round, spot.hole):
            self._hand, self._streets = (view.round, spot.hole), {}
        if spot.street == 1 and not self.memory.raises:
            return self._open(spot, chance)
        samples, folds = self._read(spot, chance)
        error = chance.gauss(0.0, self.temperament.errs) if self.temperament.errs else 0.0
        bets = action_values.totals(spot, self.temperament, self.big_blind, self.memory.raises)
        found = action_values.choices(spot, samples, folds, self.temperament, bets, error)
        chosen = self._choose(found, spot, chance)
        return Thought(command=_command(spot, chosen), hard=_hard(spot))

    def _choose(self, found: Sequence[Choice], spot: Spot, chance: Random) -> Choice:
        """The best, or now and then one that is nearly as good: nobody can tell beforehand."""
        spread = 0.02 * spot.pot
        near = [choice for choice in found if choice.worth > found[0].worth - 3 * spread]
        odds = [math.exp((choice.worth - found[0].worth) / spread) for choice in near]
        return chance.choices(near, odds)[0]

    def _open(self, spot: Spot, chance: Random) -> Thought:
        """Before the flop, while nobody has raised: by the order of starting hands."""
        temper = self.temperament
        top = tops(spot.dealt_in)[pair_number(spot.hole)]
        callers = sum(1 for rival in spot.rivals if self.memory.line(rival.seat))
        share = _FREE if spot.check else _OPENS[min(spot.to_come, len(_OPENS) - 1)]
        share = min(1.0, share * temper.loose * 0.85**callers)
        hard = _hard(spot)
        bets = action_values.totals(spot, temper, self.big_blind, 0)
        limps = chance.random() < temper.limps and top > 0.04
        if top <= share and bets and not limps:
            to = chance.choice(bets[:2]) if temper.likes_to_bet > 0 else bets[0]
            return Thought(command=_command(spot, Choice(do="bet", worth=0.0, to=to)), hard=hard)
        if spot.check:
            return Thought(command=do.Check(seat=spot.seat), hard=hard)
        # A call pays where it is cheap or many are in: half a Big Blind for a pot of several.
        cheap = share + 0.25 * (spot.owed * 4 <= spot.pot) + 0.12 * callers * (temper.limps > 0)
        plays = cheap if callers or temper.limps or spot.owed < self.big_blind else 0.0
        if top <= plays:
            return Thought(command=do.Call(seat=spot.seat), hard=hard)
        return Thought(command=do.Fold(seat=spot.seat), hard=hard)

    # -- reading the others ------------------------------------------------------------------

    def _read(self, spot: Spot, chance: Random) -> tuple[list[equity.Sample], float]:
        """Ways in which the hand may end, and how often the others fold to a bet."""
        order = tops(spot.dealt_in)
        if spot.street > 1 and spot.street not in self._streets:
            self._streets[spot.street] = Street(spot.hole, spot.board)
        street = self._streets.get(spot.street)
        pairs = street.pairs if street is not None else live_pairs(mask_of(spot.hole))
        strength = street.strength if street is not None else _strength(order)
        held, folds = [], []
        for rival in spot.rivals:
            notes = self.memory.of(rival.player)
            habits = Habits(notes, spot.dealt_in, self.temperament.learns)
            line = self.memory.line(rival.seat)
            held.append(weights(line, habits, order, self._streets, pairs))
            done = {act.act for act in line if act.street == spot.street}
            folds.append(habits.folds * _folds_less(done))
        samples = equity.draw(spot.hole, spot.board, pairs, held, strength, DRAWS, chance)
        return samples, sum(folds) / len(folds)


def _folds_less(done: set[Act]) -> float:
    """Who has put chips in of his own will in this Betting Round gives them up less readily."""
    return 0.5 if "raise" in done else 0.75 if "call" in done else 1.0


def _strength(order: Sequence[float]) -> list[int]:
    """By pair, before the flop."""
    return [int((1.0 - top) * (STEPS - 1)) for top in order]


def _unseen(seat: int, names: dict[str, Offer]) -> Command:
    """Without having seen its cards it puts nothing in."""
    return do.Check(seat=seat) if "check" in names else do.Fold(seat=seat)


def _command(spot: Spot, chosen: Choice) -> Command:
    match chosen.do:
        case "check":
            return do.Check(seat=spot.seat)
        case "call":
            return do.Call(seat=spot.seat)
        case "fold":
            return do.Fold(seat=spot.seat)
        case _ if spot.wager is None:
            return do.AllIn(seat=spot.seat)
        case _ if spot.wager.do == "bet":
            return do.Bet(seat=spot.seat, to=chosen.to)
        case _:
            return do.Raise(seat=spot.seat, to=chosen.to)


def _hard(spot: Spot) -> float:
    """Decisions about many chips are hard. Of what everybody sees, and of nothing else: the time
    that a bot takes must not tell of its cards."""
    return min(1.0, spot.owed / max(1, spot.stake) * 2 + 0.15)
