"""A poker table for tests: gives orders, answers shuffles, and keeps a shadow that only replays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from croupier.cards import DECK, Card, read_cards
from croupier.poker import PokerTable
from croupier.poker.commands import (
    CUT_IN_THE_MIDDLE,
    Call,
    CallForBlinds,
    Check,
    Sit,
    StartGame,
)
from croupier.poker.deck import DECK_IS_CUT, FOR_THE_BUTTON, FOR_THE_ROUND
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    Command,
    Event,
    GiveShuffle,
    OpenTable,
    Order,
    Refused,
    ShuffleNeeded,
)

V8, V5 = "no-limit-holdem-v8", "poker-v5"
SINGAPORE = timezone(timedelta(hours=8))
EVENING = {
    V8: datetime(2024, 8, 1, 20, tzinfo=SINGAPORE),
    V5: datetime(2018, 8, 1, 20, tzinfo=SINGAPORE),
}

Shuffler = Callable[[ShuffleNeeded], Sequence[Card]]


class Felt:
    """A table with its shadow. Whatever is given to the one is replayed on the other."""

    def __init__(self, book: str = V8, policies: dict[str, str] | None = None, **settings: Any):
        self.book = load(book)
        self.table = PokerTable(self.book)
        self.shadow = PokerTable(self.book)
        self.now = EVENING[book]
        self.log: list[Event] = []
        self.shuffler: Shuffler = lambda need: need.cards
        whole: dict[str, Any] = {
            "layout": "A",
            "sign": True,
            "rake": {"percent": 0, "cap": 0},
            "minimum_stake": 100,
            "maximum_stake": 100_000_000 if book == V8 else None,
            **settings,
        }
        opening = OpenTable(table="felt", settings=whole, policies=policies or {})
        self.opened = self.give(opening, rank=ActorRank.PIT_MANAGER)

    @property
    def state(self) -> Any:
        return self.table.state

    def give(
        self, command: Command, who: str | None = None, rank: ActorRank | None = None
    ) -> tuple[Event, ...] | Refused:
        """Give one command, by default as whoever usually gives it."""
        if rank is None:
            rank = command.usually_by if who is None else ActorRank.PLAYER
        if who is None:
            seat = getattr(command, "seat", None)
            who = getattr(command, "player", None) or (
                self.table.player_at(seat) if seat is not None else None
            )
        self.now += timedelta(milliseconds=10)
        order = Order(command=command, who=who or "somebody", rank=rank, when=self.now)
        answer = self.table.handle(order)
        if isinstance(answer, tuple):
            for event in answer:
                self.shadow.apply(event)
            self.log += answer
            assert self.shadow.state == self.table.state
        return answer

    def must(self, command: Command, **kwargs: Any) -> tuple[Event, ...]:
        """Give a command that must be accepted, and shuffle if that is asked for."""
        answer = self.give(command, **kwargs)
        assert isinstance(answer, tuple), f"{command}: {answer}"
        while needs := [need for need in self.state.waiting if isinstance(need, ShuffleNeeded)]:
            need = needs[0]
            cards = tuple(self.shuffler(need))
            given = GiveShuffle(need=need.need, cards=cards)
            answer += self.must(given, who="house", rank=ActorRank.HOUSE)
        return answer

    def deal(self) -> None:
        """Give the dealer's acts for as long as one is due."""
        while (command := self.table.due()) is not None:
            self.must(command, who="house", rank=ActorRank.HOUSE)

    def sit(self, **stakes: int) -> Felt:
        """Seat players: `sit(s1=500, s3=200)`, in whole units."""
        for name, stake in stakes.items():
            seat = int(name[1:])
            self.must(Sit(seat=seat, player=f"player {seat}", stake=stake * 100))
        return self

    def start(self, button: int | None = None) -> Felt:
        """Start the game; in v8 this seat wins the draw."""
        chosen = self.shuffler

        def draw(need: ShuffleNeeded) -> Sequence[Card]:
            if need.purpose != FOR_THE_BUTTON or button is None:
                return chosen(need)
            place = self.table.taken_seats().index(button)
            others = [card for card in DECK if card is not Card("As")]
            return [*others[:place], Card("As"), *others[place:]]

        self.shuffler = draw
        self.must(StartGame())
        self.deal()
        self.shuffler = chosen
        return self

    def stack(self, cards: str) -> None:
        """Let every shuffle for a round bring these cards out first, as they will be dealt."""
        wanted = list(read_cards(cards))

        def shuffler(need: ShuffleNeeded) -> Sequence[Card]:
            rest = [card for card in need.cards if card not in wanted]
            deck = wanted + rest
            if need.purpose == FOR_THE_ROUND and self.table.by_book[DECK_IS_CUT]:
                place = len(deck) - CUT_IN_THE_MIDDLE
                deck = deck[place:] + deck[:place]
            return deck

        self.shuffler = shuffler

    def call(self) -> Felt:
        """Call for the Blinds and deal until somebody must decide."""
        self.deal()
        self.must(CallForBlinds(), who="house", rank=ActorRank.HOUSE)
        self.deal()
        return self

    def check_down(self) -> Felt:
        """Everybody checks or calls until the round is over."""
        while self.table.playing():
            seat = self.table.turn()
            assert seat is not None
            may = {offer.do for offer in self.table.offers(seat)}
            self.must(Check(seat=seat) if "check" in may else Call(seat=seat))
            self.deal()
        return self

    def options(self, seat: int) -> list[str]:
        return [str(offer) for offer in self.table.offers(seat)]


@pytest.fixture
def felt() -> type[Felt]:
    """The class of a table for tests."""
    return Felt
