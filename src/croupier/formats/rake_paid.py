"""Who paid the Rake of recorded hands: by seat, out of what was won, and by what was put in.

The Rake comes out of pots, so whoever wins pays it; that is what a seat *paid*. Rooms that give
something back often count it otherwise, by what each put into the pot; that is told beside it. A
hand counts if its record says what was won: pots with their Rake, winnings, or all stacks before
and after. Where it does not say the Rake itself, that is what was put in and nobody won; a room
keeps only so much of a pot (``Tolerance``), so a record that misses more contradicts itself. Such
hands are counted as without a result, like those that say nothing, and none is guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from croupier.formats.export_sums import paid_of, put_in, stated_wins, uncalled_of
from croupier.formats.hand import Hand
from croupier.formats.outcome import Tolerance

_MOST = Tolerance().percent


class Seat(Struct, kw_only=True):
    """A seat, or a player where the records name one. Amounts in cents."""

    name: str
    hands: int = 0
    put_in: int = 0
    """Into pots: what nobody called is not in it."""
    won: int = 0
    """Out of pots, after the Rake."""
    paid: Fraction = Fraction(0)
    """Of the Rake, by what was won."""
    contributed: Fraction = Fraction(0)
    """Of the Rake, by what was put in."""
    big_blinds: Fraction = Fraction(0)
    """What was paid, in Big Blinds of the tables that it was paid at."""


class RakePaid(Struct, kw_only=True):
    """The Rake of a collection."""

    seats: dict[str, Seat] = {}
    hands: int = 0
    """With a result."""
    raked: int = 0
    """Of these, with a Rake."""
    rake: int = 0
    without_result: int = 0

    def add(self, hand: Hand) -> None:
        """Count one hand."""
        placed, back = put_in(hand), dict[int, int]()
        for uncalled in uncalled_of(hand):
            back[uncalled.seat] = back.get(uncalled.seat, 0) + uncalled.amount
            placed[uncalled.seat] -= uncalled.amount
        everything = sum(placed.values())
        won = _won(hand, back, everything)
        if won is None or min(placed.values(), default=0) < 0:
            self.without_result += 1
            return
        whole = sum(won.values())
        rake = everything - whole
        self.hands += 1
        self.raked += rake > 0
        self.rake += rake
        for player in hand.players:
            key = player.name or f"seat {player.seat}"
            seat = self.seats.setdefault(key, Seat(name=key))
            seat.hands += 1
            seat.put_in += placed.get(player.seat, 0)
            seat.won += won.get(player.seat, 0)
            if rake:
                paid = Fraction(rake * won.get(player.seat, 0), whole) if whole else Fraction(0)
                seat.paid += paid
                seat.contributed += Fraction(rake * placed.get(player.seat, 0), everything)
                if hand.big_blind:
                    seat.big_blinds += paid / hand.big_blind


def rake_paid(hands: Iterable[Hand]) -> RakePaid:
    """Count these hands."""
    total = RakePaid()
    for hand in hands:
        total.add(hand)
    return total


def _won(hand: Hand, back: dict[int, int], pot: int) -> dict[int, int] | None:
    """What each took out of the pots; None where the record does not say, or contradicts itself."""
    ways = [paid_of(hand)] if hand.pots else list(stated_wins(hand, back))
    fitting = [won for won in ways if _may_be_rake(pot - sum(won.values()), pot, hand)]
    if not fitting or any(won != fitting[0] for won in fitting):
        return None
    return fitting[0]


def _may_be_rake(missing: int, pot: int, hand: Hand) -> bool:
    """Whether what nobody won can be the Rake: what the record says, or what a room may keep."""
    stated = sum(pot.rake for pot in hand.pots) if hand.pots else hand.rake
    if stated is not None and missing == stated:
        return True
    return 0 <= missing * 100 <= pot * _MOST
