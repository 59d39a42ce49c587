"""One decision at a poker table as a player sees it: pot, price, stakes, position, the others."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from croupier.cards import Card
from croupier.poker.view import PokerView
from croupier.table import Offer
from croupier.table.seat import clockwise


class Rival(Struct, frozen=True, kw_only=True):
    """Another player who is still in the round."""

    seat: int
    player: str
    bet: int
    """In this Betting Round."""
    stake: int
    put_in: int
    """In the whole Round of play."""
    all_in: bool

    @property
    def total(self) -> int:
        """The most that he can have bet in this Betting Round."""
        return self.bet + self.stake


class Spot(Struct, frozen=True, kw_only=True):
    """What a decision is made from."""

    seat: int
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    street: int
    pot: int
    """All that is in it, what lies before the players included."""
    price: int
    bet: int
    stake: int
    put_in: int
    rivals: tuple[Rival, ...]
    dealt_in: int
    """Players of this round, those who have folded included."""
    last: bool
    """Whether nobody who can still bet acts after it in later Betting Rounds."""
    to_come: int
    """Rivals who have yet to act in this Betting Round after it."""
    check: bool
    call: Offer | None
    wager: Offer | None
    """Bet or Raise."""
    all_in: Offer | None
    step: int

    @property
    def owed(self) -> int:
        """What a call takes."""
        return min(max(0, self.price - self.bet), self.stake)

    @property
    def total(self) -> int:
        """The most that it can have bet in this Betting Round."""
        return self.bet + self.stake

    @property
    def reach(self) -> int:
        """The total beyond which nobody could call."""
        return min(self.total, max((rival.total for rival in self.rivals), default=0))

    @property
    def can_be_bet_into(self) -> bool:
        """Whether any of the others has chips left to call with."""
        return any(not rival.all_in and rival.stake > 0 for rival in self.rivals)

    def winnable(self, more: int) -> int:
        """What of the pot it can win with so many more chips in: no more than it matched."""
        mine = self.put_in + more
        matched = sum(min(rival.put_in, mine) for rival in self.rivals)
        dead = self.pot - self.put_in - sum(rival.put_in for rival in self.rivals)
        return matched + max(0, dead) + mine


def spot_of(view: PokerView, seat: int, offers: Sequence[Offer]) -> Spot:
    """Read a decision from the view of the player whose turn it is."""
    me = view.seats[seat]
    by_name = {offer.do: offer for offer in offers}
    rivals = tuple(
        Rival(
            seat=number,
            player=other.player,
            bet=other.bet,
            stake=other.stake,
            put_in=other.put_in,
            all_in=other.all_in,
        )
        for number, other in view.seats.items()
        if number != seat and other.active
    )
    wager = by_name.get("raise") or by_name.get("bet")
    order = clockwise([seat, *(r.seat for r in rivals if not r.all_in)], after=view.button or 0)
    first = view.straddle or view.big_blind or 0
    acting = clockwise(order, after=first) if view.betting_round == 1 else order
    after_me = acting[acting.index(seat) + 1 :]
    return Spot(
        seat=seat,
        hole=me.cards,
        board=view.board,
        street=view.betting_round or 1,
        pot=view.pot,
        price=view.price,
        bet=me.bet,
        stake=me.stake,
        put_in=me.put_in,
        rivals=rivals,
        dealt_in=sum(1 for other in view.seats.values() if other.cards or other.folded),
        last=order[-1] == seat,
        to_come=len(after_me),
        check="check" in by_name,
        call=by_name.get("call"),
        wager=wager,
        all_in=by_name.get("all in"),
        step=wager.step if wager is not None else 1,
    )
