"""A small casino for tests: a table of each of the five games, their links, and random guests."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, ClassVar

from croupier.banked import commands as banked
from croupier.house.answers import Answer
from croupier.house.dealer import Dealer
from croupier.house.house import House
from croupier.house.ledger import CASH, MoneyMoved, player_account
from croupier.house.shuffle_book import NO_GAME
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import OpenLink
from croupier.pit import GAMES
from croupier.poker import commands as poker
from croupier.poker.irregularities.commands import ReportSurplusCards
from croupier.rulebooks import load
from croupier.table import (
    ActorRank,
    Command,
    Conversation,
    Decide,
    DecisionNeeded,
    Look,
    Money,
    Offer,
    OpenTable,
    Order,
    Room,
    Table,
)
from croupier.table.conversation import State

TABLES = {
    "P8": "no-limit-holdem-v8",
    "P5": "poker-v5",
    "V6": "progressive-texas-holdem-v6",
    "M2": "multi-link-progressive-v2",
    "M3": "multi-link-progressive-v3",
}
LINKS = {"V6": "L6", "M2": "L2", "M3": "L3"}
GUESTS = ("Ann", "Ben", "Cho")
STAKE = 50_000
MUCH = 1_000_000_00
CAGE = "cage"
REFUSE = "refuse to show"
"""What no guest here does: a shift manager would have to be asked (4.3)."""

POKER: dict[str, Any] = {
    "layout": "A",
    "sign": True,
    "rake": {"percent": 5, "cap": 3000},
    "minimum_stake": 10_000,
    "opened_knowingly": True,
}
BANKED: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": 6,
    "ante_minimum": 2500,
    "ante_maximum": 50_000,
    "bonus_minimum": 500,
    "bonus_maximum": 500_000,
    "progressive": 500,
    "opened_knowingly": True,
}


class BringCash(Command, frozen=True, kw_only=True):
    """A player pays cash into his account."""

    players_may: ClassVar[bool] = False

    player: str
    amount: Money


class CashBrought(MoneyMoved, frozen=True, kw_only=True):
    player: str
    amount: Money

    def moves(self) -> tuple[tuple[str, int], ...]:
        return ((CASH, -self.amount), (player_account(self.player), self.amount))


class CageState(State, kw_only=True):
    brought: dict[str, int] = {}


cage = Room("cage")


@cage.decides(BringCash)
def bring_cash(here: Cage, order: Order[BringCash]) -> None:
    here.emit(CashBrought(player=order.command.player, amount=order.command.amount))


@cage.applies(CashBrought)
def cash_brought(here: Cage, event: CashBrought) -> None:
    brought = here.state.brought
    brought[event.player] = brought.get(event.player, 0) + event.amount


class Cage(Conversation[CageState]):
    """Where guests pay in: as much of a back office as these tests need."""

    rooms: ClassVar[tuple[Room, ...]] = (cage,)
    state_type: ClassVar[type[State]] = CageState


def is_poker(place: str) -> bool:
    return place in ("P8", "P5")


def add_places(house: House, tables: tuple[str, ...] = tuple(TABLES)) -> None:
    """Put links and tables into the House, as its log has them."""
    house.add_link(CAGE, lambda: Cage(NO_GAME))
    for name in tables:
        book = load(TABLES[name])
        link = LINKS.get(name)
        if link is not None:
            house.add_link(link, lambda book=book: JackpotLink(book))
        make = GAMES.games[book.id].table_type
        house.add_table(name, lambda make=make, book=book: make(book), link)


def settings_of(place: str) -> dict[str, Any]:
    """What the sign of a table of this casino shows."""
    if not is_poker(place):
        return BANKED
    return POKER | ({"maximum_stake": 1_000_000} if place == "P8" else {})


def open_places(house: House, tables: tuple[str, ...] = tuple(TABLES), **settings: Any) -> None:
    """Let the guests pay in, open what is not open yet, and seat them."""
    for who in GUESTS:
        if who not in house.pit.links[CAGE].state.brought:
            must(house, CAGE, BringCash(player=who, amount=MUCH), ActorRank.DEALER)
    for name in tables:
        link = LINKS.get(name)
        if link is not None and not house.pit.links[link].state.name:
            terms = {"reset_value": 5_000_000, "contribution": 100}
            opening = OpenLink(link=link, settings=terms, tables=(name,))
            must(house, link, opening, ActorRank.SHIFT_MANAGER)
        if not house.pit.tables[name].state.opened:
            given = settings_of(name) | settings
            must(house, name, OpenTable(table=name, settings=given), ActorRank.DEALER)
        for number, who in zip((1, 3, 5), GUESTS, strict=True):
            if house.pit.tables[name].player_at(number) is None:
                must(house, name, sitting(name, number, who), ActorRank.PLAYER, who)


def sitting(place: str, number: int, who: str) -> Command:
    if is_poker(place):
        return poker.Sit(seat=number, player=who, stake=STAKE)
    return banked.Sit(box=number, player=who, chips=40 * STAKE)


def must(
    house: House,
    place: str,
    command: Command,
    rank: ActorRank,
    who: str | None = None,
    command_id: str | None = None,
) -> Answer:
    """Give a command that must be accepted, and wait until it is durable."""
    who = who or f"the {rank.value}"
    answer = house.give(place, command, who=who, rank=rank, command_id=command_id).result()
    assert answer.refused is None, f"{place}: {command} was refused: {answer.refused}"
    return answer


def deal_by_hand(house: House, dealer: Dealer, place: str = "P8") -> None:
    """A person deals the Hole Cards of the first round at a poker table that is dealt by hand."""
    for act in (
        poker.StartGame(),
        poker.DealForButton(),
        poker.Shuffle(),
        poker.Cut(),
        poker.CallForBlinds(),
        poker.PostBlinds(),
        poker.DealHoleCards(),
    ):
        must(house, place, act, ActorRank.DEALER)
        for given in dealer.deal(place):
            given.result()


def call_or_check(house: House, place: str = "P8") -> None:
    """Whoever's turn it is checks, or calls."""
    table = house.pit.tables[place]
    seat = table.turn()
    assert seat is not None
    may = {offer.do for offer in table.offers(seat)}
    act = poker.Check(seat=seat) if "check" in may else poker.Call(seat=seat)
    must(house, place, act, ActorRank.PLAYER, table.player_at(seat))


def four_flop_cards(house: House, place: str = "P8") -> None:
    """The dealer deals a card too many, nobody can say which: three of the four are picked."""
    while house.pit.tables[place].turn() is not None:
        call_or_check(house)
    must(house, place, poker.DealFlop(count=4), ActorRank.DEALER)
    must(house, place, ReportSurplusCards(), ActorRank.DEALER)
    [asked] = house.pit.tables[place].state.waiting
    answer = Decide(decision=asked.decision, option="no", reason="nobody watched")
    must(house, place, answer, ActorRank.PIT_MANAGER)


class Guests:
    """Everybody at one table: whoever may do something does something that is offered."""

    def __init__(self, house: House, dealer: Dealer, place: str, seed: int) -> None:
        self.house = house
        self.dealer = dealer
        self.place = place
        self.chance = random.Random(seed)
        self.words = GAMES.games[TABLES[place]].words
        self.said: Callable[[str, Command, str, ActorRank], str] | None = None
        """Hears what is about to be given, and names it by the id of the command."""

    @property
    def table(self) -> Table[Any]:
        return self.house.pit.tables[self.place]

    def step(self) -> Answer | None:
        """One more act at the table: the House's, a guest's, or the next call; None at a stop."""
        future = self.dealer.act(self.place)
        if future is not None:
            return future.result()
        chosen = self.decide() or self.choose()
        if chosen is not None:
            command, who = chosen
            rank = ActorRank.PLAYER if who in GUESTS else ActorRank.SHIFT_MANAGER
            known = self.said(self.place, command, who, rank) if self.said else None
            return must(self.house, self.place, command, rank, who, known)
        future = self.dealer.call(self.place)
        return future.result() if future is not None else None

    def decide(self) -> tuple[Command, str] | None:
        """The answer to what the table asks: the first that needs no more to be said."""
        for need in self.table.state.waiting:
            if isinstance(need, DecisionNeeded) and need.holds:
                option = next(each for each in need.options if not each.asks)
                who = "Sam" if isinstance(need.of, ActorRank) else self.table.player_at(need.of)
                assert who is not None
                reason = "" if who in GUESTS else "the House was started again"
                return Decide(decision=need.decision, option=option.name, reason=reason), who
        return None

    def choose(self) -> tuple[Command, str] | None:
        """What some guest does now, if any can do anything."""
        table, chance = self.table, self.chance
        if any(getattr(need, "holds", True) for need in table.state.waiting):
            return None
        if not is_poker(self.place) and table.status() == "bets open" and chance.random() < 0.3:
            return None  # no more bets
        first = self.broke() or self.looks()
        if first is not None:
            return first
        places = table.taken_seats()
        turn = table.turn()
        numbers = [turn] if turn is not None else chance.sample(places, len(places))
        for number in numbers:
            offers = [o for o in table.offers(number) if o.do in self.words and o.do != REFUSE]
            who = table.player_at(number)
            if offers and who is not None:
                return self.command(number, chance.choice(offers)), who
        return None

    def broke(self) -> tuple[Command, str] | None:
        """At poker a guest who has lost everything brings a new stake."""
        if is_poker(self.place) and not self.table.playing():
            for number, seat in self.table.state.seats.items():
                if seat.stake < POKER["minimum_stake"]:
                    return poker.TopUp(seat=number, amount=STAKE), seat.player
        return None

    def looks(self) -> tuple[Command, str] | None:
        """At poker most look at their cards when they have them."""
        played = self.table.state.round if is_poker(self.place) else None
        if played is not None and self.table.status() == "betting" and self.chance.random() < 0.7:
            for number, hand in played.players.items():
                who = self.table.player_at(number)
                if hand.cards and hand.active and not hand.looked and who is not None:
                    return Look(seat=number), who
        return None

    def command(self, number: int, offer: Offer) -> Command:
        kind = self.words[offer.do]
        values: dict[str, Any] = {}
        fields = kind.__struct_fields__
        values["seat" if "seat" in fields else "box"] = number
        if offer.least is not None and offer.most is not None:
            amount = self.chance.choice((offer.least, offer.least, offer.most))
            for name in ("to", "amount"):
                if name in fields:
                    values[name] = amount
        if "player" in fields:
            values["player"] = self.table.player_at(number)
        return kind(**values)

    def play(self, rounds: int, at_most: int = 5_000) -> None:
        """Play so many rounds to their end."""
        finished = 0
        for _ in range(at_most):
            before = self.table.playing()
            if self.step() is None:
                raise AssertionError(f"{self.place} stands still: {self.table.facts()}")
            finished += before and not self.table.playing()
            if finished >= rounds:
                return
        raise AssertionError(f"{self.place} does not finish: {self.table.status()}")


def stands_as_its_log(house: House) -> None:
    """What is in memory is what a new process would read."""
    for place in house.positions:
        here = house.pit.at(place)
        again = type(here)(here.book)
        for row in house.reader.rows(place):
            again.apply(again.read_event(row.event))
        assert here.snapshot() == again.snapshot(), place
        assert house.positions[place] == house.reader.head(place).position
