"""A seat at a poker table, for a bot: sitting down, buying chips and going."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from croupier.live.bots.bot import Bot
from croupier.pit.ports.poker_offers import no_round
from croupier.poker import commands as do
from croupier.poker.view import PokerView
from croupier.table import Command, Offer


class PokerSeat(Bot[PokerView]):
    """A bot that plays poker; how it plays is for its subclass."""

    def offers(self, view: PokerView) -> Sequence[Offer]:
        return view.offers.get(view.yours[0], ())

    def taken(self, view: PokerView) -> Collection[int]:
        return view.seats

    def sits(self, view: PokerView, seat: int, chips: int) -> Command | None:
        return do.Sit(seat=seat, player=self.name, stake=chips)

    def is_free(self, view: PokerView) -> bool:
        return no_round(view)

    def chips(self, view: PokerView) -> int | None:
        return view.seats[view.yours[0]].stake

    def buys(self, view: PokerView, chips: int) -> Command:
        return do.TopUp(seat=view.yours[0], amount=chips)

    def goes(self, view: PokerView) -> Command:
        return do.Leave(seat=view.yours[0])

    def rests_on(self, view: PokerView) -> tuple[Any, ...]:
        mine = view.seats[view.yours[0]]
        status = "between rounds" if no_round(view) else view.status
        return (view.round, status, view.turn, view.pot, mine, tuple(self.offers(view)))
