"""Who paid the Rake of recorded hands: by seat, out of what was won, and by what was put in.

The Rake comes out of pots, so whoever wins pays it; that is what a seat *paid*. Rooms that give
something back often count it otherwise, by what each put into the pot; that is told beside it. A
hand counts if its record says what was won: pots with their Rake, winnings, or all stacks before
and after. Others are counted as without a result, and none is guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from croupier.formats.export_sums import put_in, uncalled_of
from croupier.formats.hand import Hand


class Seat(Struct, kw_only=True):
    """A seat, or a player where the records name him. Amounts in cents."""

    name: str
    hands: int = 0
    put_in: int = 0
    """Into pots: what nobody called is not in it."""
    won: int = 0
    """Out of pots, after the Rake."""
    paid: Fraction = Fraction(0)
    """Of the Rake, by what he won."""
    contributed: Fraction = Fraction(0)
    """Of the Rake, by what he put in."""
    big_blinds: Fraction = Fraction(0)
    """What he paid, in Big Blinds of the tables that he paid it at."""


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
        won = _won(hand)
        if won is None:
            self.without_result += 1
            return
        placed = put_in(hand)
        for back in uncalled_of(hand):
            placed[back.seat] -= back.amount
        rake = sum(placed.values()) - sum(won.values())
        if rake < 0 or min(placed.values(), default=0) < 0:
            self.without_result += 1  # the record contradicts itself
            return
        self.hands += 1
        self.raked += rake > 0
        self.rake += rake
        everything, whole = sum(placed.values()), sum(won.values())
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


def _won(hand: Hand) -> dict[int, int] | None:
    """What each took out of the pots; None where the record does not say."""
    if hand.pots:
        found: dict[int, int] = {}
        for pot in hand.pots:
            for seat, amount in pot.wins.items():
                found[seat] = found.get(seat, 0) + amount
        return found
    back = {uncalled.seat: 0 for uncalled in uncalled_of(hand)}
    for uncalled in uncalled_of(hand):
        back[uncalled.seat] += uncalled.amount
    placed = put_in(hand)
    stacks = [(p.seat, p.stack, p.finishing) for p in hand.players]
    if all(before is not None and after is not None for _, before, after in stacks):
        return {
            seat: (after or 0) - (before or 0) + placed.get(seat, 0) - back.get(seat, 0)
            for seat, before, after in stacks
        }
    if any(player.winnings is not None for player in hand.players):
        holds = hand.winnings_hold_uncalled
        if holds is None and back:
            return None
        return {
            p.seat: (p.winnings or 0) - (back.get(p.seat, 0) if holds else 0) for p in hand.players
        }
    return None
