"""A box at a banked table, for a bot: sitting down, buying chips and going."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from croupier.banked import commands as do
from croupier.banked.view import BankedView
from croupier.live.bots.bot import Bot
from croupier.table import Command, Offer


class BankedSeat(Bot[BankedView]):
    """A bot that plays a banked game; how it plays is for its subclass."""

    def offers(self, view: BankedView) -> Sequence[Offer]:
        return view.boxes[view.yours[0]].may

    def taken(self, view: BankedView) -> Collection[int]:
        return view.boxes

    def sits(self, view: BankedView, seat: int, chips: int) -> Command | None:
        return None if view.waiting else do.Sit(box=seat, player=self.name, chips=chips)

    def is_free(self, view: BankedView) -> bool:
        may = view.status in ("between rounds", "bets open")
        return may and not view.waiting and not self.has_stake(view)

    def chips(self, view: BankedView) -> int | None:
        return view.chips

    def buys(self, view: BankedView, chips: int) -> Command:
        return do.AddChips(player=self.name, chips=chips)

    def goes(self, view: BankedView) -> Command:
        return do.Leave(player=self.name)

    def rests_on(self, view: BankedView) -> tuple[Any, ...]:
        return (view.round, view.status, view.board, view.boxes[view.yours[0]], view.chips)

    def is_betting(self, view: BankedView) -> bool:
        return view.status == "bets open"

    def has_stake(self, view: BankedView) -> bool:
        return bool(view.boxes[view.yours[0]].stakes)
