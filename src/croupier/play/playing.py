"""What playing any game has in common: orders, chance, the dealer's acts, copies of the state."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import index
from typing import Any, SupportsIndex, TypeVar

import msgspec

from croupier.cards import Card, read_cards
from croupier.pit import GAMES, Pit
from croupier.pit.game import stacked
from croupier.pit.situation import usual_time
from croupier.play.errors import NotOpen, PlayError
from croupier.rulebooks import Rulebook
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Decide,
    DecisionNeeded,
    DrawNeeded,
    Event,
    GiveDraw,
    GiveShuffle,
    Offer,
    Order,
    Refused,
    ShuffleNeeded,
    Table,
    Viewer,
)

PLACE, LINK = "table", "link"
ACTS_AT_MOST = 1_000
"""A limit on everything: a hand whose dealer has more to do than this is broken."""
Cards = str | Sequence[Card]
P = TypeVar("P", bound="Playing")


class Playing(ABC):
    """One table, its players and its dealer. `deal` begins a hand; the chips are the same again."""

    family: str

    def __init__(self, book: Rulebook | str, *, policies: Mapping[str, str] | None, seed: int):
        self.book = GAMES.load(GAMES.resolve(book)) if isinstance(book, str) else book
        if self.book.family != self.family:
            raise PlayError(f"{self.book.id} is a {self.book.family} game, not {self.family}")
        self.policies = dict(policies or {})
        self.when: datetime = usual_time(self.book)
        self.chance = random.Random(seed)
        self.table: Any = None
        self.pit = Pit()
        self.events: list[Event] = []
        """What has happened in this hand, each event with the paragraphs that it cites."""

    # -- what a player decides ---------------------------------------------------------------

    @property
    @abstractmethod
    def seat(self) -> int | None:
        """Whose decision is waited for, a seat or a box; None when the hand is over."""

    @property
    def options(self) -> dict[str, Offer]:
        """What is open to that player now, each with its least and most."""
        seat = self.seat
        return {} if seat is None else self.options_of(seat)

    def options_of(self, seat: int) -> dict[str, Offer]:
        """What is open to the player at a seat now."""
        return {offer.do: offer for offer in self.table.offers(seat)}

    def act(self, do: str, amount: int | None = None, *, seat: int | None = None) -> list[Event]:
        """Do one of the options; `amount` in cents where it has one. Gives what came of it.

        Raises ``NotOpen`` with the table's own words and paragraphs, and nothing has changed then.
        """
        acting = self.seat if seat is None else seat
        if acting is None:
            raise NotOpen("the hand is over; `deal` begins another")
        if amount is not None:
            amount = whole_cents(do, amount)
        before = len(self.events)
        self.give(self._command(do, acting, amount), self._name(acting), ActorRank.PLAYER)
        self._deal_on()
        return self.events[before:]

    @abstractmethod
    def _command(self, do: str, seat: int, amount: int | None) -> Command:
        """The command of an option."""

    # -- what is seen ------------------------------------------------------------------------

    def view(self, seat: int | None = None) -> Any:
        """The table as the player at a seat sees it, by default whoever is to act."""
        looking = self.seat if seat is None else seat
        return self.table.view(Viewer(who=None if looking is None else self._name(looking)))

    @property
    @abstractmethod
    def result(self) -> dict[int, int]:
        """What each seat or box has won or lost in this hand, in cents."""

    def told(self, cites: int | None = None) -> list[str]:
        """The hand so far in sentences, each with the paragraphs that it rests on, or the first of
        them."""
        return [
            f"{event.tell(self.table.player_at)} ({', '.join(event.cites[:cites])})"
            for event in self.events
        ]

    def __repr__(self) -> str:
        waits = "over" if self.seat is None else f"{self._name(self.seat)} to act"
        return f"<{type(self).__name__}: {self.book.id}, {self.table.status()}, {waits}>"

    def _repr_html_(self) -> str:
        from html import escape

        lines = "".join(f"<li>{escape(line)}</li>" for line in self.told())
        return f"<p><strong>{escape(repr(self))}</strong></p><ol>{lines}</ol>"

    # -- states ------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The whole state, chance included, as bytes: `restore` goes on from there."""
        return msgspec.msgpack.encode(
            {
                "book": self.book.id,
                "table": self.table.snapshot(),
                "links": {name: link.snapshot() for name, link in self.pit.links.items()},
                "chance": self.chance.getstate(),
                "events": len(self.events),
                "kept": self._kept(),
            }
        )

    def restore(self, saved: bytes) -> None:
        """Take over a state that was saved of the same game; the events before it are not kept."""
        try:
            kept = msgspec.msgpack.decode(saved)
            book = kept["book"]
        except (msgspec.DecodeError, KeyError, TypeError) as error:
            raise PlayError(f"these bytes are no saved game: {error}") from error
        if book != self.book.id:
            raise PlayError(f"the saved game is of {book}, this one of {self.book.id}")
        version, numbers, gauss = kept["chance"]
        self.chance.setstate((version, tuple(numbers), gauss))
        table = type(self.table).restore(self.book, kept["table"])
        links = {
            name: type(self.pit.links[name]).restore(self.book, link)
            for name, link in kept["links"].items()
        }
        self._seat_pit(table, links)
        self._take_kept(kept["kept"])
        self.events = []

    def clone(self: P) -> P:
        """The same game once more, to play on from here without it."""
        again = object.__new__(type(self))
        again.__dict__.update(self.__dict__)
        again.chance = random.Random()
        again.restore(self.save())
        again.events = list(self.events)
        return again

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Playing):
            return NotImplemented
        return self.book.id == other.book.id and self.table.snapshot() == other.table.snapshot()

    __hash__ = None  # type: ignore[assignment]

    @abstractmethod
    def _kept(self) -> Any:
        """What a game remembers of a hand beside its table."""

    @abstractmethod
    def _take_kept(self, kept: Any) -> None:
        """Remember it again."""

    # -- the dealer --------------------------------------------------------------------------

    def give(self, command: Command, who: str, rank: ActorRank, place: str = PLACE) -> None:
        """Give one command, and answer what chance is asked for."""
        order = Order(command=command, who=who, rank=rank, when=self.when)
        try:
            answer = self.pit.give(place, order)
        except BadCommand as error:
            raise PlayError(str(error)) from error
        if isinstance(answer, Refused):
            raise NotOpen.of(answer)
        self.events += [said.event for said in answer if said.place == PLACE]
        for need in list(self.table.state.waiting):
            if isinstance(need, ShuffleNeeded):
                deck = tuple(self._shuffled(need))
                self.house(GiveShuffle(need=need.need, cards=deck))
            elif isinstance(need, DrawNeeded):
                drawn = tuple(self.chance.sample(range(need.among), need.pick))
                self.house(GiveDraw(need=need.need, picks=drawn))

    def house(self, command: Command) -> None:
        """Give a command of the House."""
        self.give(command, "house", ActorRank.HOUSE)

    def _begin(self, table: Table[Any], links: Mapping[str, Any]) -> None:
        self.events = []
        self._seat_pit(table, links)

    def _seat_pit(self, table: Table[Any], links: Mapping[str, Any]) -> None:
        self.table = table
        self.pit = Pit()
        for name, link in links.items():
            self.pit.add_link(name, link)
        self.pit.add_table(PLACE, table, LINK if links else None)

    def _deal_on(self) -> None:
        """What a dealer does without being asked, until a player must decide."""
        for _ in range(ACTS_AT_MOST):
            self._rule()
            if not self.table.playing():
                return
            due = self.table.due()
            if due is None:
                return
            self.house(due)
        raise PlayError("the dealer of this hand is never done")

    def _rule(self) -> None:
        """Answer what staff are asked before the hand can go on, by the first answer offered."""
        for need in list(self.table.state.waiting):
            if isinstance(need, DecisionNeeded) and need.holds:
                rank = need.of if isinstance(need.of, ActorRank) else ActorRank.SHIFT_MANAGER
                option = need.options[0].name
                answer = Decide(decision=need.decision, option=option, reason="croupier.play")
                self.give(answer, "staff", rank)

    def _shuffled(self, need: ShuffleNeeded) -> Sequence[Card]:
        """Any deck; a game puts fixed cards into it."""
        return self.chance.sample(need.cards, len(need.cards))

    def _stacked(self, wanted: Sequence[Card | None], need: ShuffleNeeded) -> tuple[Card, ...]:
        """A deck in which the wanted cards come first, the rest at random."""
        return stacked(wanted, need.cards, str(self.chance.getrandbits(64)))

    def _name(self, seat: int) -> str:
        name = self.table.player_at(seat)
        if name is None:
            raise PlayError(f"nobody sits at seat {seat}")
        return str(name)


def cards_of(cards: Cards, most: int, what: str) -> list[Card | None]:
    """Cards as they are given, with open places to the full number; `??` leaves one open."""
    read = read_cards(cards) if isinstance(cards, str) else tuple(cards)
    if len(read) > most:
        raise PlayError(f"{what}: {len(read)} cards, at most {most}")
    found: list[Card | None] = [card if card.is_known else None for card in read]
    return found + [None] * (most - len(found))


def whole_cents(what: str, amount: SupportsIndex) -> int:
    """An amount as the table counts it, of whatever library's whole number."""
    try:
        return index(amount)
    except TypeError:
        raise PlayError(f"{what}: {amount!r} is no whole number of cents") from None


def names(players: int | Sequence[str], least: int, most: int) -> tuple[str, ...]:
    """The players by name: as given, or so many that nobody has named."""
    if isinstance(players, int):
        found: Iterator[str] = (f"player {number}" for number in range(1, players + 1))
        players = tuple(found)
    if not least <= len(players) <= most:
        raise PlayError(f"players: {len(players)}; {least} to {most} can play")
    if len(set(players)) < len(players):
        raise PlayError("players: two have the same name")
    return tuple(players)
