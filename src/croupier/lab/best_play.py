"""The best play with a jackpot stake down: which hands to fold, by Ante, stake and meter.

Turn and River bets never touch the jackpot bet: a box that made its Flop bet is in for the finish.
Only the fold does, and only where a folded box keeps less than a played one (v6: the community
lines, 3.11.2.a). There a hand is folded exactly if playing it costs more Antes than it adds to the
jackpot bet, so each hand has a line of its own: the Ante below which it is played. The hands that
the base game folds hold no card of a Royal Flush, so in the book as it is that line is the same at
every meter; where a share of the meter is paid for another hand it is not.

    >>> from croupier.lab import progressive, solve
    >>> from croupier.rulebooks import load
    >>> book = load("progressive-texas-holdem-v6")
    >>> bet, solution = progressive(book), solve(book)
    >>> best_folds(bet, solution, ante=1000, stake=500, meter=10_000_000)
    ('32o', '42o')
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from croupier.lab.base import FOLD, Solution
from croupier.lab.errors import BadAmount, UnsolvableGame
from croupier.lab.hands import COMBINATIONS, LISTED
from croupier.lab.jackpot_bet import Progressive, lowest_meter


class BestPlay(Struct, frozen=True, kw_only=True):
    """The best play of a round with a jackpot stake down. Money in cents."""

    ante: int
    stake: int
    meter: Fraction
    fold_hands: tuple[str, ...]
    base_fold_hands: tuple[str, ...]
    """What the base game alone would fold."""
    value: Fraction
    """What a round is worth, main bets and jackpot bet together."""
    value_with_base_folds: Fraction
    """The same for a player who folds as if he had no jackpot stake."""
    value_without_stake: Fraction
    """What a round is worth without the jackpot bet."""

    @property
    def stake_is_worth(self) -> Fraction:
        """What making the jackpot bet adds to a round: below 0 it is better left."""
        return self.value - self.value_without_stake


def best_play(
    bet: Progressive, solution: Solution, *, ante: int, stake: int, meter: Fraction | int
) -> BestPlay:
    """The best play for an Ante, a stake and a meter, all in cents."""
    check_ante(ante)
    base = [n for n, hand in enumerate(solution.hands) if hand.folded]
    best = _folds(bet, solution, ante, stake, Fraction(meter))
    alone = ante * solution.ev

    def value(folded: list[int]) -> Fraction:
        jackpot = bet.expected_with_folds(folded, stake=stake, meter=meter) - stake
        return ante * _base_value(solution, folded) + jackpot

    return BestPlay(
        ante=ante,
        stake=stake,
        meter=Fraction(meter),
        fold_hands=_names(solution, best),
        base_fold_hands=solution.fold_hands,
        value=value(best),
        value_with_base_folds=value(base),
        value_without_stake=alone,
    )


def best_folds(
    bet: Progressive, solution: Solution, *, ante: int, stake: int, meter: Fraction | int
) -> tuple[str, ...]:
    """The hands to fold, from low to high."""
    check_ante(ante)
    return _names(solution, _folds(bet, solution, ante, stake, Fraction(meter)))


def joint_break_even(
    bet: Progressive, solution: Solution, *, ante: int, stake: int
) -> Fraction | None:
    """The lowest meter from which the jackpot bet adds to the round, with the best folds at each.

    In cents; None if there is none.
    """
    check_ante(ante)
    base = [n for n, hand in enumerate(solution.hands) if hand.folded]
    turns = bet.overtakings(stake)
    if bet.by_street:
        # What is folded changes where a hand's jackpot lines make up for what playing it costs.
        for number in base:
            cost = ante * (FOLD - solution.hands[number].play)

            def short(meter: Fraction, number: int = number, cost: Fraction = cost) -> Fraction:
                return cost - _gain(bet, number, stake, meter)

            found = lowest_meter(short, bet.overtakings(stake))
            if found is not None:
                turns.add(found)

    def lacking(meter: Fraction) -> Fraction:
        found = best_play(bet, solution, ante=ante, stake=stake, meter=meter)
        return -found.stake_is_worth

    meter = lowest_meter(lacking, turns)
    if meter is not None and meter > 0 and lacking(meter) != 0:
        raise UnsolvableGame(
            bet.book, "progressive", "what a fold gives up does not grow with the meter"
        )
    return meter


def ante_lines(
    bet: Progressive, solution: Solution, *, stake: int, meters: list[int]
) -> dict[str, list[Fraction]]:
    """By hand that the base game folds: at each meter, the Ante from which on it is folded.

    In cents. Below its line a hand is played; above it, folded as in the base game.
    """
    found = {}
    for number in reversed(LISTED):
        hand = solution.hands[number]
        if hand.play < FOLD:
            cost = FOLD - hand.play
            found[hand.name] = [
                _gain(bet, number, stake, Fraction(meter)) / cost for meter in meters
            ]
    return found


def _gain(bet: Progressive, number: int, stake: int, meter: Fraction) -> Fraction:
    """What playing a hand adds to its jackpot stake, in cents."""
    if not bet.by_street:
        return Fraction(0)
    live = bet.live(number, stake=stake, meter=meter)
    return live - bet.after_fold(number, stake=stake, meter=meter)


def _folds(
    bet: Progressive, solution: Solution, ante: int, stake: int, meter: Fraction
) -> list[int]:
    """Where both are worth the same, the fold puts down less."""
    folded = []
    for number, hand in enumerate(solution.hands):
        if hand.play <= FOLD:
            cost = ante * (FOLD - hand.play)
            if _gain(bet, number, stake, meter) <= cost:
                folded.append(number)
    return folded


def _base_value(solution: Solution, folded: list[int]) -> Fraction:
    pairs = sum(COMBINATIONS)
    gone = set(folded)
    total = Fraction(0)
    for number, hand in enumerate(solution.hands):
        total += hand.combinations * (FOLD if number in gone else hand.play)
    return total / pairs


def _names(solution: Solution, folded: list[int]) -> tuple[str, ...]:
    gone = set(folded)
    return tuple(solution.hands[n].name for n in reversed(LISTED) if n in gone)


def check_ante(ante: int) -> None:
    """Raise ``BadAmount`` for an Ante that is none."""
    if ante <= 0:
        raise BadAmount(f"ante: {ante / 100:,.2f}; no box plays without an Ante (3.6)")
