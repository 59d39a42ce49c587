"""Several players on one meter: what they take from each other at a table, and in the long run.

**At one table** (v2, v3) all boxes share the flop, so two may hold a share of the meter at once;
4.5.1 then pays clockwise from a running meter. ``others_ahead`` tells exactly what that costs a box
with so many jackpot stakes dealt before it. Never do three coincide (B-06), so the cost is so many
times that of one. Where the rulebook says that it cannot happen (v6), the cost is nothing.

**In the long run** each stake adds the contribution, and the awards take away. Let ``h`` be the
sum over the lines of probability times share, and ``p`` the probability of the whole meter. A stake
then leaves on average ``(1 - h)`` of the meter and ``p`` times the reset value, whatever came
before. With ``n`` boxes a round, whose contributions are posted together when betting closes
(B-04), this has one steady state, and in it every stake gets back on average exactly what it
contributed and ``p`` times the reset value: *however many play*. More players make the meter move
quicker, and the meter that is displayed when betting opens lower by what they are about to add; no
more and no less is paid for a stake. The model takes boxes as independent of each other, which at
one table they are not quite (see above), and partial awards as deducted (B-02).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

from msgspec import Struct

from croupier.cards import Category
from croupier.lab.errors import BadAmount, UnsolvableGame
from croupier.lab.jackpot_bet import Progressive
from croupier.rulebooks import JackpotHand, ShareOfMeter

_ROYAL = 0b1111100000000


class LongRun(Struct, frozen=True, kw_only=True):
    """A meter in its steady state. Amounts in cents, averages over all rounds."""

    players: int
    displayed: Fraction
    """The meter when betting opens."""
    at_award: Fraction
    """The meter that a stake's award would be taken from, averaged over the boxes."""
    paid: Fraction
    """What a stake is paid from the meter: contribution, and reset value times its chance."""
    rounds_between: Fraction
    """Rounds from one award of the whole meter to the next."""


def long_run(
    bet: Progressive, *, contribution: int, reset: int, players: int = 1, stake: int
) -> LongRun:
    """The steady state of a meter; the amounts are the operator's (B-01), in cents."""
    for name, cents, least in (("contribution", contribution, 0), ("reset value", reset, 0)):
        if cents < least:
            raise BadAmount(f"{name}: {cents / 100:,.2f} is less than nothing")
    if players < 1:
        raise BadAmount(f"players: {players} players move no meter; give 1 or more")
    whole = taken = Fraction(0)
    for line in bet.counted(stake=stake):
        pays = next(x.pays for x in bet.lines if x.id == line.id)
        if isinstance(pays, ShareOfMeter):
            probability = Fraction(line.count, bet.universe)
            taken += probability * pays.share
            whole += probability if pays.percent == 100 else 0
    if whole == 0:
        raise UnsolvableGame(bet.book, "progressive", "no line pays the whole meter")
    left = (1 - taken) ** players
    posted = whole * reset / taken + players * contribution / (1 - left)
    return LongRun(
        players=players,
        displayed=posted - players * contribution,
        at_award=(contribution + whole * reset) / taken,
        paid=contribution + whole * reset,
        rounds_between=1 / (1 - (1 - whole) ** players),
    )


def others_ahead(bet: Progressive, *, ahead: int, meter: int, reset: int) -> Fraction:
    """What a stake loses on average, in cents, to ``ahead`` jackpot stakes dealt before it."""
    if ahead < 0 or meter < 0 or reset < 0:
        raise BadAmount("boxes ahead, meter and reset value are not less than nothing")
    if ahead > 21:
        raise BadAmount(f"boxes ahead: {ahead} more hands cannot be dealt from one deck")
    if bet.by_street:
        return Fraction(0)
    lost = Fraction(0)
    for (mine, theirs), probability in coinciding(bet).items():
        share, taken = Fraction(mine, 100), Fraction(theirs, 100)
        after = Fraction(reset) if theirs == 100 else (1 - taken) * meter
        lost += ahead * probability * share * (meter - after)
    return lost


def coinciding(bet: Progressive) -> dict[tuple[int, int], Fraction]:
    """By the percentages of two given boxes: how often both hold a share on the same flop.

    Only five cards of one suit hold a share, so both have two cards of the flop's one suit.
    """
    percent = {Category.STRAIGHT_FLUSH: 0, Category.ROYAL_FLUSH: 0}
    for line in bet.lines:
        if isinstance(line.pays, ShareOfMeter):
            assert isinstance(line.when, JackpotHand)
            if line.when.category not in percent:
                raise UnsolvableGame(
                    bet.book, line.id, f"a share of the meter for a {line.when.category}"
                )
            percent[line.when.category] = line.pays.percent
    counts: dict[tuple[int, int], int] = {}
    for flop in combinations(range(13), 3):
        table = sum(1 << rank for rank in flop)
        shares = {}
        for pair in combinations([rank for rank in range(13) if rank not in flop], 2):
            five = table | 1 << pair[0] | 1 << pair[1]
            if category := _in_sequence(five):
                shares[pair] = percent[category]
        for one, mine in shares.items():
            for other, theirs in shares.items():
                if not set(one) & set(other) and mine and theirs:
                    counts[mine, theirs] = counts.get((mine, theirs), 0) + 4
    universe = comb(52, 3) * comb(49, 2) * comb(47, 2)
    return {both: Fraction(count, universe) for both, count in counts.items()}


def _in_sequence(five: int) -> Category | None:
    if five == _ROYAL:
        return Category.ROYAL_FLUSH
    runs = [0b11111 << low for low in range(9)] + [1 << 12 | 0b1111]
    return Category.STRAIGHT_FLUSH if five in runs else None
