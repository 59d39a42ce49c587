"""Whole banked rounds and jackpot link operations a second, in one process.

A round: six boxes with Ante, Bonus and jackpot bet; everybody looks and bets Flop, Turn and River;
dealt, settled and reported to the link. All commands are given one by one through the pit, with
events, citations and the checks after every event on. The decks are shuffled beforehand, since
chance comes in as data.

Seconds are those of the processor, so that what else the machine is busy with does not count.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks import Row, Target
from croupier.banked import BankedTable
from croupier.banked.commands import (
    CallForBets,
    CloseBets,
    FlopBet,
    PlaceAnte,
    PlaceBonus,
    PlaceProgressive,
    RiverBet,
    Sit,
    TurnBet,
)
from croupier.cards import DECK, Card
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import OpenLink
from croupier.pit import Pit
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    Command,
    GiveShuffle,
    HeldLine,
    Look,
    OpenTable,
    Order,
    Refused,
    ReturnStakes,
    ShuffleNeeded,
    TakeClaims,
    TakeStakes,
)

ROUNDS = 100
OPERATIONS = 2_000
REPEATS = 10
BOXES = 6
BOOKS = ("multi-link-progressive-v3", "progressive-texas-holdem-v6")
EVENING = datetime(2021, 3, 1, 20, tzinfo=UTC)
SETTINGS: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": BOXES,
    "ante_minimum": 2500,
    "ante_maximum": 50000,
    "bonus_minimum": 500,
    "bonus_maximum": 50000,
    "progressive": 500,
    "effective": "2020-01-01T00:00:00+08:00",
}


def measure() -> list[Row]:
    """Measure rounds under two books and both devices, and the operations of a link."""
    rows = []
    for book in BOOKS:
        for device in ("shoe", "shuffler"):
            rows.append(
                Row(
                    benchmark="banked",
                    what=f"round of {BOXES} boxes, {book}, {device}",
                    value=rounds_a_second(book, device),
                    unit="rounds/s",
                    target=Target(at="least", limit=1000),
                )
            )
    rows.append(
        Row(
            benchmark="banked",
            what="jackpot link operations",
            value=operations_a_second(),
            unit="operations/s",
            target=Target(at="least", limit=50_000),
        )
    )
    return rows


# -- rounds ---------------------------------------------------------------------------------------


def rounds_a_second(book: str, device: str, rounds: int = ROUNDS) -> float:
    """The best of some repeats: whatever else the machine does can only make it slower."""
    decks = shuffled(rounds, random.Random(f"{book}/{device}"))
    return max(_repeat(book, device, decks) for _ in range(REPEATS))


def shuffled(count: int, chance: random.Random) -> list[tuple[Card, ...]]:
    decks = []
    for _ in range(count):
        deck = list(DECK)
        chance.shuffle(deck)
        decks.append(tuple(deck))
    return decks


def _repeat(book: str, device: str, decks: list[tuple[Card, ...]]) -> float:
    dealer = Dealer(book, device)
    begin = time.process_time()
    for deck in decks:
        dealer.play(deck)
    taken = time.process_time() - begin
    assert dealer.table.state.round == len(decks)
    return len(decks) / taken


class Dealer:
    """Gives every order of a round to a table on a link."""

    def __init__(self, book: str, device: str) -> None:
        self.pit = Pit()
        loaded = load(book)
        self.pit.add_link("main", JackpotLink(loaded))
        self.table = BankedTable(loaded)
        self.pit.add_table("A", self.table, "main")
        terms = {"reset_value": 5_000_000, "contribution": 100, "payment": "at once"}
        self.give(
            "main", OpenLink(link="main", settings=terms, tables=("A",)), ActorRank.PIT_MANAGER
        )
        self.order(OpenTable(table="A", settings={**SETTINGS, "device": device}))
        self.players = [f"player {box}" for box in range(1, BOXES + 1)]
        for box, who in self.boxes():
            self.order(Sit(box=box, player=who), who)

    def boxes(self) -> Iterator[tuple[int, str]]:
        return enumerate(self.players, 1)

    def give(self, place: str, command: Command, rank: ActorRank, who: str = "staff") -> None:
        answer = self.pit.give(place, Order(command=command, who=who, rank=rank, when=EVENING))
        if isinstance(answer, Refused):
            raise RuntimeError(f"the benchmark plays wrongly: {answer}")

    def order(self, command: Command, player: str | None = None) -> None:
        rank = ActorRank.DEALER if player is None else ActorRank.PLAYER
        self.give("A", command, rank, player or "the dealer")

    def deal(self) -> None:
        """Give what the dealer does by himself, as the House does at an automatic table."""
        while (act := self.table.due()) is not None:
            self.give("A", act, ActorRank.HOUSE, "house")

    def play(self, deck: tuple[Card, ...]) -> None:
        """One whole round with all six bets on every box."""
        self.order(CallForBets())
        for box, who in self.boxes():
            self.order(PlaceAnte(box=box, amount=2500), who)
            self.order(PlaceBonus(box=box, amount=500), who)
            self.order(PlaceProgressive(box=box), who)
        self.order(CloseBets())
        [need] = self.table.state.waiting
        assert isinstance(need, ShuffleNeeded)
        self.give("A", GiveShuffle(need=need.need, cards=deck), ActorRank.HOUSE, "house")
        self.deal()
        for box, who in self.boxes():
            self.order(Look(seat=box), who)
            self.order(FlopBet(box=box), who)
        self.deal()
        for bet in (TurnBet, RiverBet):
            for box, who in self.boxes():
                self.order(bet(box=box), who)
            self.deal()


# -- the link -------------------------------------------------------------------------------------


def operations_a_second(rounds: int = OPERATIONS) -> float:
    """Stakes taken, rounds ended, stakes returned, and every hundredth round a claim that is
    paid at once: all that a link does while tables play."""
    return max(_link_repeat(rounds) for _ in range(REPEATS))


def _link_repeat(rounds: int) -> float:
    link = JackpotLink(load("multi-link-progressive-v3"))
    terms = {"reset_value": 5_000_000, "contribution": 100, "payment": "at once"}
    opening = OpenLink(link="main", settings=terms, tables=("A", "B"))
    link.handle(Order(command=opening, who="Omar", rank=ActorRank.PIT_MANAGER, when=EVENING))
    orders = [
        Order(command=command, who="house", rank=ActorRank.HOUSE, when=EVENING)
        for number in range(1, rounds + 1)
        for command in _link_round(number)
    ]
    begin = time.process_time()
    for order in orders:
        if isinstance(link.handle(order), Refused):
            raise RuntimeError("the benchmark drives the link wrongly")
    return len(orders) / (time.process_time() - begin)


def _link_round(number: int) -> Iterator[Command]:
    stakes = dict.fromkeys(range(1, BOXES + 1), 500)
    lines: tuple[HeldLine, ...] = ()
    if number % 100 == 0:
        dealt = EVENING + timedelta(seconds=number)
        lines = (HeldLine(box=2, line="4.2.major.straight-flush", percent="10", dealt=dealt),)
    yield TakeStakes(table="A", round=number, stakes=stakes)
    yield TakeStakes(table="B", round=number, stakes=stakes)
    yield ReturnStakes(table="B", round=number, boxes=tuple(stakes))
    yield TakeClaims(table="A", round=number, lines=lines)
