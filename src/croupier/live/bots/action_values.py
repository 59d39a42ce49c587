"""What each action is worth in a spot, in chips: fold, check, call, and bets of several sizes.

The value of a bet is what it wins at once where the others fold, and its share of the greater pot
where the stronger part of their hands goes on. What later Betting Rounds bring is computed by one
factor: who acts last gets more out of his share than who acts first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from croupier.live.bots.equity import Sample, mean_share
from croupier.live.bots.spot import Spot
from croupier.live.bots.temperaments import Temperament

_LAST, _FIRST = 0.97, 0.86
"""What of its share a hand gets that is played on: acting last, and not."""
_LONG_WAY = 0.13
"""What of it is lost besides where three Betting Rounds are still to come."""
_USUAL_PRICE = 0.3
"""The share of the pot that a call of three quarters of it must win."""
_GOES_ON_AT_LEAST = 0.08
_RAISED = {1: 0.22, 2: 0.14, 3: 0.12, 4: 0.12}
"""By Betting Round: the part of those hands that go on against a bet with which it is raised."""
_ALL_IN_WITHIN = 1.4
"""Pots: with no more than that to bet, all of it may be bet."""
_MOSTLY_IN = 0.6
"""Of its chips: who bets more than that bets all."""


class Choice(Struct, frozen=True, kw_only=True):
    """An action with its worth; `to` is the total of a bet or raise, 0 of the others."""

    do: str
    worth: float
    to: int = 0


def choices(
    spot: Spot,
    samples: Sequence[Sample],
    folds: float,
    temperament: Temperament,
    totals: Sequence[int],
    error: float,
) -> list[Choice]:
    """Every action that is open, best first. `folds` is how often the others fold to a bet."""
    share = min(1.0, max(0.0, mean_share(samples) + error))
    pot = spot.pot
    found = []
    if spot.check:
        found.append(Choice(do="check", worth=share * pot * _realised(spot, share, 0)))
    else:
        found.append(Choice(do="fold", worth=0.0))
        owed = spot.owed
        wins = spot.winnable(owed) * share * _realised(spot, share, owed)
        liked = temperament.likes_to_call * pot * (share > 0.2)
        found.append(Choice(do="call", worth=wins - owed + liked))
    split = _Split(samples, error)
    for to in totals:
        worth = _bet(spot, split, to, folds, temperament)
        found.append(Choice(do="bet", to=to, worth=worth + temperament.likes_to_bet * pot))
    return sorted(found, key=lambda choice: -choice.worth)


def _realised(spot: Spot, share: float, more: int) -> float:
    """What of its share a hand gets that checks or calls now."""
    if not spot.can_be_bet_into or more >= spot.stake:
        return 1.0  # nothing is bet any more
    if spot.street == 4 and (spot.last or more):
        return 1.0
    base = _LAST if spot.last else _FIRST
    if spot.street == 1:
        base -= _LONG_WAY
    return min(1.05, base + 0.2 * max(0.0, share - 0.5))


class _Split:
    """The samples by strength of the others, to be cut in two anywhere."""

    def __init__(self, samples: Sequence[Sample], error: float) -> None:
        ordered = sorted(samples, key=lambda sample: -sample.strength)
        self.error = error
        self.weight = [0.0]
        self.won = [0.0]
        for sample in ordered:
            self.weight.append(self.weight[-1] + sample.weight)
            self.won.append(self.won[-1] + sample.weight * sample.share)

    def strongest(self, part: float) -> float:
        """The share of the pot against the strongest part of what the others may hold."""
        total = self.weight[-1]
        if not total:
            return 0.5
        low, high = 1, len(self.weight) - 1
        while low < high:
            middle = (low + high) // 2
            if self.weight[middle] >= part * total:
                high = middle
            else:
                low = middle + 1
        return min(1.0, max(0.0, self.won[low] / self.weight[low] + self.error))


def _bet(spot: Spot, split: _Split, to: int, folds: float, temperament: Temperament) -> float:
    adds = to - spot.bet
    callers = [r for r in spot.rivals if not r.all_in]
    calls = max((min(to, rival.total) - rival.bet for rival in callers), default=0)
    price = calls / (spot.pot + adds + calls) if calls else 0.0
    goes_on = max(_GOES_ON_AT_LEAST, min(1.0, 1.0 - folds * (price / _USUAL_PRICE)))
    all_fold = (1.0 - goes_on) ** len(callers)
    if any(rival.all_in for rival in spot.rivals):
        all_fold = 0.0  # one of them cannot fold any more
    risked = min(adds, max((r.total for r in spot.rivals), default=0) - spot.bet)
    won = spot.pot + risked + calls
    all_in = to >= spot.reach
    realised = 1.0 if all_in or spot.street == 4 else _LAST if spot.last else 0.93
    if spot.street == 1 and not all_in:
        realised -= _LONG_WAY
    played = split.strongest(1.0 - all_fold) * realised * won - risked
    if not all_in:
        # Some of those who go on raise: a hand that is not good enough for that gives the bet up.
        raised = _RAISED[spot.street]
        best = split.strongest((1.0 - all_fold) * raised) * won - risked
        played = (1.0 - raised) * played + raised * (best if best > 0 else -risked)
    return _trust(temperament, split) * all_fold * spot.pot + (1.0 - all_fold) * played


def _trust(temperament: Temperament, split: _Split) -> float:
    """What a fold of the others counts for: in full where the hand is good, else by temperament."""
    good = min(1.0, 1.6 * split.strongest(1.0))
    return temperament.bluffs + max(0.0, 1.0 - temperament.bluffs) * good


def totals(spot: Spot, temperament: Temperament, big_blind: int, raises: int) -> list[int]:
    """The bets that make sense here, as totals: some parts of the pot, or all its chips."""
    if not spot.can_be_bet_into:
        return []
    if spot.wager is None:
        # Less than a raise is left, or none is allowed: only all of it may go in.
        return [spot.total] if spot.all_in is not None and spot.total > spot.price else []
    least, most = spot.wager.least, spot.wager.most
    assert least is not None
    assert most is not None
    reach = max(least, spot.reach)
    found = set()
    for wanted in _wanted(spot, temperament, big_blind, raises):
        to = _whole(min(max(wanted, least), reach), spot, big_blind)
        if to - spot.bet >= _MOSTLY_IN * spot.stake and most <= reach:
            to = most
        found.add(max(least, min(most, to)))
    after_call = spot.pot + spot.owed
    if reach - spot.price <= _ALL_IN_WITHIN * after_call:
        found.add(min(most, reach))
    return sorted(found)


def _wanted(spot: Spot, temperament: Temperament, big_blind: int, raises: int) -> Iterator[int]:
    if spot.street > 1:
        for part in temperament.sizes:
            yield int(spot.price + part * (spot.pot + spot.owed))
        return
    if raises == 0:
        limped = max(0, spot.pot - spot.price * 3 // 2) // max(1, spot.price)
        yield int(spot.price * 2.5) + limped * big_blind
        if temperament.likes_to_bet > 0:
            yield spot.price * 3 + limped * big_blind
    else:
        times = (3.0 if spot.last else 3.6) if raises == 1 else 2.3
        yield int(spot.price * times)


def _whole(to: int, spot: Spot, big_blind: int) -> int:
    """A round number: whole Big Blinds, or halves of them while the bets are small."""
    unit = big_blind if to >= 8 * big_blind else max(spot.step, big_blind // 2)
    unit = max(spot.step, unit // spot.step * spot.step)
    return max(unit, (to + unit // 2) // unit * unit)
