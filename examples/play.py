"""A hand of poker, an irregularity and a banked round: every line with its paragraphs.

    .venv/bin/python examples/play.py

Whoever runs a table gives it orders: what is to be done, who wants it, in which rank, and when. The
table answers with events, or refuses. It neither shuffles nor reads a clock: a deck is an answer
that it is given, so the same orders always make the same round.
"""

import random
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from croupier.banked import BankedTable
from croupier.banked import commands as banked
from croupier.poker import PokerTable
from croupier.poker import commands as poker
from croupier.poker.irregularities.commands import ReportExposed
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    Command,
    GiveShuffle,
    Look,
    OpenTable,
    Order,
    Refused,
    ShuffleNeeded,
    Table,
)

WHEN = datetime.fromisoformat("2026-11-17T20:00:00+08:00")


class Floor:
    """One table, and whoever deals there: gives orders, and tells what comes of them."""

    def __init__(self, table: Table[Any], settings: dict[str, Any], seed: str) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.quietly(OpenTable(table="Raffles", settings=settings))

    def quietly(self, *commands: Command) -> None:
        """Give orders of which nobody wants to hear."""
        for command in commands:
            for _ in self.give(command):
                pass

    def give(self, command: Command) -> Iterator[str]:
        """Give an order by whoever gives it usually, then shuffle if the table asks for it."""
        order = Order(command=command, who=self.who(command), rank=command.usually_by, when=WHEN)
        answer = self.table.handle(order)
        if isinstance(answer, Refused):
            yield str(answer)
            return
        for event in answer:
            yield f"{event.tell(self.name)} ({', '.join(event.cites)})"
        for need in list(self.table.state.waiting):
            if isinstance(need, ShuffleNeeded):
                deck = self.chance.sample(need.cards, len(need.cards))
                yield from self.give(GiveShuffle(need=need.need, cards=tuple(deck)))

    def deal(self) -> Iterator[str]:
        """Do what a dealer does without being asked, until somebody else must act."""
        while self.table.playing() and (command := self.table.due()) is not None:
            yield from self.give(command)

    def who(self, command: Command) -> str:
        """The player whose own order it is, or else the dealer."""
        if command.usually_by is not ActorRank.PLAYER:
            return "Dee"
        place = getattr(command, "seat", None) or getattr(command, "box", None)
        return getattr(command, "player", None) or self.name(place)

    def name(self, place: int) -> str:
        return self.table.player_at(place) or f"place {place}"


POKER = {
    "layout": "A",
    "sign": True,
    "blinds": [500, 1000],
    "minimum_stake": 20_000,
    "maximum_stake": 100_000,
    "rake": {"percent": 5, "cap": 3000},
    "dealing": "by-hand",
}


def hand_of_poker() -> Iterator[str]:
    """No Limit Hold'em: a card is flashed in the deal, a raise too small, a call, a showdown."""
    floor = Floor(PokerTable(load("no-limit-holdem-v8")), POKER, "a hand of poker")
    for seat, player in enumerate(("Ann", "Ben", "Cho"), start=1):
        floor.quietly(poker.Sit(seat=seat, player=player, stake=50_000))
    floor.quietly(poker.StartGame(), poker.DealForButton(), poker.Shuffle(), poker.Cut())
    yield from floor.give(poker.CallForBlinds())
    yield from floor.give(poker.PostBlinds())
    yield from floor.give(poker.DealHoleCards(exposed=(2,)))
    yield from floor.give(ReportExposed())
    button, small, big = (floor.table.facts().to_act * 2)[:3]
    yield from floor.give(poker.Raise(seat=button, to=1500))
    yield from floor.give(poker.Raise(seat=button, to=2500))
    yield from floor.give(poker.Fold(seat=small))
    yield from floor.give(poker.Call(seat=big))
    yield from floor.deal()
    yield from floor.give(poker.Check(seat=big))
    yield from floor.give(poker.Bet(seat=button, to=4000))
    yield from floor.give(poker.Call(seat=big))
    yield from floor.deal()
    for _ in range(2):
        yield from floor.give(poker.Check(seat=big))
        yield from floor.give(poker.Check(seat=button))
        yield from floor.deal()


BANKED = {
    "layout": "A",
    "layout_boxes": 6,
    "ante_minimum": 2500,
    "ante_maximum": 50_000,
    "bonus_minimum": 500,
    "bonus_maximum": 50_000,
    "progressive": 500,
}


def banked_round() -> Iterator[str]:
    """Multi-Link Progressive Texas Hold'em: an Ante, a look, a Flop bet, and the dealer's hand."""
    floor = Floor(BankedTable(load("multi-link-progressive-v3")), BANKED, "a banked round")
    floor.quietly(banked.Sit(box=1, player="Ann", chips=50_000))
    yield from floor.give(banked.CallForBets())
    yield from floor.give(banked.PlaceAnte(box=1, amount=2500))
    yield from floor.give(banked.PlaceBonus(box=1, amount=500))
    yield from floor.give(banked.CloseBets())
    yield from floor.deal()
    yield from floor.give(Look(seat=1))
    yield from floor.give(banked.FlopBet(box=1, amount=4000))
    yield from floor.give(banked.FlopBet(box=1))
    yield from floor.deal()
    yield from floor.give(banked.Check(box=1))
    yield from floor.deal()
    yield from floor.give(banked.Check(box=1))
    yield from floor.deal()


if __name__ == "__main__":
    for title, lines in (("Poker", hand_of_poker()), ("A banked round", banked_round())):
        sys.stdout.write(f"{title}\n")
        sys.stdout.writelines(f"  {line}\n" for line in lines)
