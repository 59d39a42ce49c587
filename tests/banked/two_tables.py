"""A pit of two tables on one jackpot link, with a shadow beside each that only hears events."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
from msgspec import Struct

from croupier.banked import BankedTable
from croupier.banked.commands import Sit
from croupier.cards import DECK, Card, CardError
from croupier.jackpot import JackpotLink
from croupier.jackpot.commands import OpenLink
from croupier.pit import Pit, Said
from croupier.rulebooks import Rulebook, load
from croupier.table import (
    PUBLIC,
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    GiveShuffle,
    OpenTable,
    Order,
    Refused,
    ShuffleNeeded,
    player,
)

EVENING = datetime(2021, 3, 1, 20, tzinfo=timezone(timedelta(hours=8)))
SETTINGS: dict[str, Any] = {
    "layout": "A",
    "layout_boxes": 6,
    "ante_minimum": 2500,
    "ante_maximum": 50000,
    "bonus_minimum": 500,
    "bonus_maximum": 500000,
    "progressive": 500,
    "effective": "2020-01-01T00:00:00+08:00",
}
PEOPLE = ("Ann", "Ben", "Cho")


def an_evening_of(book: Rulebook) -> datetime:
    """One on which rounds are played under it, also where another book has followed since."""
    if book.effective is None or book.in_force(EVENING):
        return EVENING
    return book.effective + timedelta(days=1)


class TwoTables:
    """Gives orders, and checks after each what must hold whatever happened."""

    def __init__(
        self,
        book: str,
        seed: int,
        policies: dict[str, str] | None = None,
        link: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.book = load(book)
        self.chance = random.Random(seed)
        self.now = an_evening_of(self.book)
        self.pit = Pit()
        self.shadows: dict[str, Conversation[Any]] = {}
        self.link = JackpotLink(self.book)
        self.pit.add_link("main", self.link)
        self.shadows["main"] = JackpotLink(self.book)
        self.tables = {name: BankedTable(self.book) for name in ("A", "B")}
        for name, table in self.tables.items():
            self.pit.add_table(name, table, "main")
            self.shadows[name] = BankedTable(self.book)
        terms = {"reset_value": 5_000_000, "contribution": 100, **(link or {})}
        policies = policies or {}
        self.give(
            "main", OpenLink(link="main", settings=terms, tables=("A", "B"), policies=policies)
        )
        for name in self.tables:
            given = {**SETTINGS, **settings}
            self.give(name, OpenTable(table=name, settings=given, policies=policies))
            for box, who in zip((1, 3, 5), PEOPLE, strict=True):
                self.give(name, Sit(box=box, player=who), who=who)

    # -- orders ------------------------------------------------------------------------------

    def give(
        self,
        place: str,
        command: Command,
        rank: ActorRank | None = None,
        who: str | None = None,
    ) -> list[Said] | Refused | None:
        """Give one order; None where it was an error. Shuffles are answered by themselves."""
        rank = rank or (command.usually_by if who is None else ActorRank.PLAYER)
        self.now += timedelta(milliseconds=100)
        order = Order(command=command, who=who or f"the {rank.value}", rank=rank, when=self.now)
        before = {name: self.state_of(name) for name in self.shadows}
        seen = {name: lying_open(table) for name, table in self.tables.items()}
        try:
            answer = self.pit.give(place, order)
        except (BadCommand, CardError):
            answer = None
        if not isinstance(answer, list):
            after = {name: self.state_of(name) for name in self.shadows}
            assert before == after, f"{command} changed something although it was not accepted"
            if isinstance(answer, Refused):
                assert answer.cites, f"{command} was refused without a citation"
                assert answer.says.endswith((".", "?")), answer.says
            return answer
        for said in answer:
            self.shadows[said.place].apply(said.event)
        for name, shadow in self.shadows.items():
            assert shadow.state == self.pit.at(name).state, f"{name} does not replay"
        self.check_money()
        self.check_views(answer, seen)
        self.shuffle()
        return answer

    def state_of(self, name: str) -> bytes:
        return msgspec.json.encode(self.pit.at(name).state)

    def shuffle(self) -> None:
        for name, table in self.tables.items():
            for need in table.state.waiting:
                if isinstance(need, ShuffleNeeded):
                    give = GiveShuffle(need=need.need, cards=self.deck(table))
                    assert self.give(name, give, ActorRank.HOUSE), "the deck is not accepted"
                    return

    def deck(self, table: BankedTable) -> tuple[Card, ...]:
        """A random deck; every other one gives suited runs, so that shares of the meter are won."""
        cards = list(DECK)
        self.chance.shuffle(cards)
        if self.chance.random() < 0.5:
            return tuple(cards)
        suit = self.chance.choice("cdhs")
        run = [Card(f"{rank}{suit}") for rank in "AKQJT98"]
        flop, hands = run[2:5], [run[0:2], run[5:7]]
        others = [card for card in cards if card not in run][:2]
        board = [*flop, *others]
        if self.chance.random() < 0.5:  # it may be complete on the turn or the river only
            self.chance.shuffle(board)
        self.chance.shuffle(hands)
        boxes = [n for n, box in sorted(table.state.boxes.items()) if box.ante]
        held = dict(zip(boxes, hands, strict=False))
        return stacked_for(table, held, board, cards)

    # -- what must hold ----------------------------------------------------------------------

    def check_money(self) -> None:
        """Money is conserved between players, House and meter; table and link agree."""
        link = self.link.state
        for name, table in self.tables.items():
            assert table.state.stakes_told == link.counts.get(name, 0)
        assert sum(t.state.from_meter for t in self.tables.values()) == link.awarded

    def check_views(self, said: list[Said], seen: dict[str, set[Card]]) -> None:
        """Nobody sees a card that he may not: neither in his view nor in what he is told.

        `seen` lay open before; telling of such a card again, when it is taken away, is no leak.
        """
        for table in self.tables.values():
            face_up = lying_open(table)
            assert known_cards(table.view(PUBLIC)) <= face_up
            for who in PEOPLE:
                own = {
                    card
                    for box in table.state.boxes.values()
                    if box.player == who and box.examined
                    for card in box.cards
                }
                assert known_cards(table.view(player(who))) <= face_up | own
        for each in said:
            if each.place in self.tables:
                table = self.tables[each.place]
                shown = table.show(each.event, PUBLIC)
                leaked = known_cards(shown) - lying_open(table) - seen[each.place]
                assert not leaked, f"{each.event} shows {leaked} to everybody"

    def check_offers(self) -> None:
        """Everything that is offered is accepted, tried on copies of the tables."""
        for table in self.tables.values():
            for place in table.taken_seats():
                for command in offered_commands(table, place):
                    copy = BankedTable.restore(self.book, table.snapshot())
                    who = table.player_at(place) or ""
                    order = Order(command=command, who=who, rank=ActorRank.PLAYER, when=self.now)
                    answer = copy.handle(order)
                    assert not isinstance(answer, Refused), f"{command} was offered: {answer}"


def stacked_for(
    table: BankedTable, held: dict[int, list[Card]], board: list[Card], cards: list[Card]
) -> tuple[Card, ...]:
    """A deck from which a correct deal gives these hands and this board."""
    named = {*board, *(card for hand in held.values() for card in hand)}
    rest = iter([card for card in cards if card not in named])
    boxes = [n for n, box in sorted(table.state.boxes.items()) if box.ante]
    hands = {n: held.get(n) or [next(rest), next(rest)] for n in boxes}
    if table.state.settings.device == "shuffler":
        return (*board, *(card for n in boxes for card in hands[n]), *rest)
    top = [next(rest), *(hands[n][0] for n in boxes), *(hands[n][1] for n in boxes)]
    top += [next(rest), *board[:3], next(rest), board[3], next(rest), board[4]]
    return (*top, *rest)


def offered_commands(table: BankedTable, place: int) -> Iterator[Command]:
    """The commands that the offers of a box stand for, at their least and their most."""
    words = {str(c.__struct_config__.tag): c for c in table.whole.commands}
    for offer in table.offers(place):
        if offer.do == "look":
            yield words["look"](seat=place)
        elif offer.do == "accept notice":
            yield words[offer.do](player=table.player_at(place))
        elif offer.do.startswith("withdraw "):
            yield words["withdraw bet"](box=place, bet=offer.do.removeprefix("withdraw "))
        elif offer.least is None:
            yield words[offer.do](box=place)
        else:
            for amount in {offer.least, offer.most}:
                yield words[offer.do](box=place, amount=amount)


def lying_open(table: BankedTable) -> set[Card]:
    """The cards that everybody may see, by the state of the table."""
    state = table.state
    cards = {*state.board[: state.shown], *state.exposed_board, *state.exposed_dealer}
    cards |= set(state.dealer) if state.dealer_shown else set()
    for box in state.boxes.values():
        cards |= set(box.face_up)
    return cards


def known_cards(value: object) -> set[Card]:
    """Every known card inside a record."""
    if isinstance(value, Card):
        return {value} if value.is_known else set()
    if isinstance(value, Struct):
        value = [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set):
        return {card for each in value for card in known_cards(each)}
    return set()
