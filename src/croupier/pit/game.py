"""How the pit knows a game: its table, its port, and how a case file puts one on the stage.

A game that wants to be in case files provides a `Stage`: what stands at the top of its cases
(settings, seats, cards), the commands that set the table up, and a deck stacked so that the
cards that matter come out where the case wants them. The rest is filled in reproducibly.
"""

from __future__ import annotations

import hashlib
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from croupier.cards import DECK, Card, CardAlreadyOutError, CardTwiceError, TooFewCardsError
from croupier.pit.inventory import (
    Bars,
    Inventory,
    Picture,
    nobody_barred,
    nothing_counted,
    nothing_drawn,
)
from croupier.pit.ports.port import GamePort
from croupier.pit.remarks import NO_REMARKS, Remarks
from croupier.rulebooks import Rulebook, resolve
from croupier.rulebooks.procedures import check_carried_out
from croupier.table import (
    Command,
    Conversation,
    DrawNeeded,
    Event,
    Facts,
    Question,
    ShuffleNeeded,
    Table,
)

P = TypeVar("P", bound=Struct)

Phrase = Callable[[Any, Mapping[str, Any]], Iterator[Command]]
"""A phrase such as `deal to flop`: the commands that it stands for, one by one."""


class Stage(ABC, Generic[P]):
    """One table in one case: how it is set up and how its deck is stacked."""

    phrases: ClassVar[Mapping[str, Phrase]] = {}
    """Words that stand for several commands. Each gets the stage and the step's other keys."""

    def __init__(self, table: Table[Any], name: str, setup: P, seed: str) -> None:
        self.table = table
        self.name = name
        self.setup = setup
        self.seed = seed

    @abstractmethod
    def opening(self, policies: dict[str, str]) -> Iterator[Command]:
        """The commands that bring the table to where the case's steps begin."""

    @abstractmethod
    def shuffle(self, need: ShuffleNeeded) -> tuple[Card, ...]:
        """The answer to a shuffle: a deck in which the cards that matter come as the case asks."""

    def asked(self, need: ShuffleNeeded) -> None:
        """Take note of a shuffle that is asked for, also of one that a step gives by hand."""

    def order_given(self) -> None:
        """Take note of how the table stands after an order that a case has given."""

    def orders_dealt(self) -> dict[int, tuple[int, ...]]:
        """In which order the seats were dealt to in each deal; a game that stacks its decks before
        it can know that is told it when the case is played again (`knows_orders`)."""
        return {}

    def knows_orders(self, orders: Mapping[int, tuple[int, ...]]) -> None:
        """Learn from an earlier play of the case in which order each deal goes."""

    def cards_went_astray(self) -> str:
        """What the case puts where no card came; nothing if every card lay where it was put."""
        return ""

    def draw(self, need: DrawNeeded) -> tuple[int, ...]:
        """The answer to a draw that no step gives by hand: the first cards, as they lie."""
        return tuple(range(need.pick))

    def leaves_to(self, command: Command, next_step: str) -> bool:
        """True if a dealer's act that is due is left to the next step, which does it by hand."""
        return str(command.__struct_config__.tag) == next_step

    def deals_itself(self) -> bool:
        """True if the dealer's acts are given by themselves, as at an automatic table."""
        return True


class Game:
    """One game: the table that plays it and the stage that case files set it on."""

    def __init__(
        self,
        name: str,
        table_type: type[Table[Any]],
        stage_type: type[Stage[Any]],
        setup_type: type[Struct],
        facts_type: type[Facts],
        port: GamePort[Any],
        inventory: Callable[[Any], Inventory] = nothing_counted,
        picture: Callable[[Any], Picture] = nothing_drawn,
        bars: Callable[[Any], Bars] = nobody_barred,
        seat_word: str = "seat",
        remarks: Remarks = NO_REMARKS,
    ) -> None:
        self.name = name
        self.seat_word = seat_word
        self.table_type = table_type
        self.stage_type = stage_type
        self.setup_type = setup_type
        self.facts_type = facts_type
        self.port = port
        """What House and server ask of the game."""
        self.inventory = inventory
        """Where every card and chip lies, from the facts of a table."""
        self.picture = picture
        self.bars = bars
        self.remarks = remarks
        """What the desk says with a ruling beside what happens."""

    @cached_property
    def words(self) -> dict[str, type[Command]]:
        """The commands of the game by their text form."""
        return words_of(self.table_type)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Everything that a table of the game may ask, with what may be answered."""
        return self.table_type.may_ask

    @cached_property
    def known_words(self) -> dict[str, type[Command] | None]:
        """Everything that a step may say at such a table; a phrase stands for no one command."""
        return {**self.words, **dict.fromkeys(self.stage_type.phrases)}

    @cached_property
    def event_types(self) -> dict[str, type[Event]]:
        """The events of the game by their text form."""
        return events_of(self.table_type)


def events_of(kind: type[Conversation[Any]]) -> dict[str, type[Event]]:
    """The events of a table or link, by their text form."""
    return {str(event.__struct_config__.tag): event for event in kind.whole.events}


def words_of(kind: type[Conversation[Any]]) -> dict[str, type[Command]]:
    """The commands that a table or link understands, by their text form."""
    return {str(command.__struct_config__.tag): command for command in kind.whole.commands}


class LinkKit(ABC):
    """How the pit makes a jackpot link and how a case file describes one."""

    link_type: type[Conversation[Any]]
    setup_type: type[Struct]
    facts_type: type[Struct]

    @cached_property
    def words(self) -> dict[str, type[Command]]:
        """The commands of a link by their text form."""
        return words_of(self.link_type)

    @cached_property
    def event_types(self) -> dict[str, type[Event]]:
        """The events of a link by their text form."""
        return events_of(self.link_type)

    @abstractmethod
    def opening(self, name: str, setup: Any, tables: Sequence[str]) -> Iterator[Command]:
        """The commands that bring the link to where the case's steps begin."""

    def opening_under(
        self, name: str, setup: Any, tables: Sequence[str], policies: dict[str, str]
    ) -> Iterator[Command]:
        """The same under the policies of the case; a link that has none leaves them aside."""
        return self.opening(name, setup, tables)

    @abstractmethod
    def facts(self, link: Conversation[Any]) -> Struct:
        """The plain facts of a link, for expectations."""


class Registry:
    """Which game plays which rulebook, and what their links are."""

    def __init__(
        self,
        games: Mapping[str, Game],
        load: Callable[[str], Rulebook],
        link: LinkKit | None = None,
    ) -> None:
        self.games = dict(games)
        self.link = link
        self._load = load
        self._added: dict[str, Rulebook] = {}

    def register(self, book: Rulebook, game: Game) -> None:
        """Add a book that is not one of croupier's own, with the game that plays it: from now on
        House and server play it as any other."""
        if book.id in self.games:
            raise ValueError(f"there is a rulebook {book.id!r} already")
        check_carried_out(book)
        self.games[book.id] = game
        self._added[book.id] = book
        self.__dict__.pop("questions", None)

    def forget(self, book: str) -> None:
        """Take out a book that was registered."""
        del self._added[book], self.games[book]
        self.__dict__.pop("questions", None)

    def load(self, book: str) -> Rulebook:
        """The rulebook of this id."""
        return self._added.get(book) or self._load(book)

    def resolve(self, word: str) -> str:
        """The id of the book that somebody means by it or by a part of it."""
        return resolve(word, self.games)

    def game_of(self, asker: Conversation[Any]) -> Game:
        """The game of a table, by its book."""
        return self.games[asker.book.id]

    def port_of(self, table: Table[Any]) -> GamePort[Any]:
        """The port of a table's game: what House and server ask instead of what it is."""
        return self.games[table.book.id].port

    @cached_property
    def questions(self) -> dict[str, tuple[Question, ...]]:
        """What each game may ask, and under `jackpot` what a link may, by name of the game."""
        asked = {game.name: game.questions for game in self.games.values()}
        return asked | ({"jackpot": self.link.link_type.may_ask} if self.link is not None else {})


_KEYS = struct.Struct(f">{len(DECK)}Q")
"""A number for each card, of so many bits that no two are equal: their order is the deck's."""


@lru_cache(maxsize=16)
def _in_order(seed: str) -> tuple[Card, ...]:
    """The whole deck in an order of this seed. A case asks for it again in each of its books."""
    drawn = hashlib.shake_256(seed.encode()).digest(_KEYS.size)
    return tuple(card for _, card in sorted(zip(_KEYS.unpack(drawn), DECK, strict=True)))


def stacked(wanted: Sequence[Card | None], cards: Sequence[Card], seed: str) -> tuple[Card, ...]:
    """A deck of these cards that begins with the wanted ones.

    None or `??` leaves a place open. Open places and the rest are filled from the cards that are
    left, in an order that depends on the seed alone, so a case always plays the same cards.
    """
    asked = [card if card is not Card.UNKNOWN else None for card in wanted]
    there, taken = set(cards), set[Card]()
    for card in asked:
        if card is None:
            continue
        if card in taken:
            raise CardTwiceError(f"the case places {card.pretty} twice")
        if card not in there:
            raise CardAlreadyOutError(f"the case places {card.pretty}, which is out already")
        taken.add(card)
    if len(asked) > len(cards):
        raise TooFewCardsError(f"the case places {len(asked)} cards; there are {len(cards)}")
    left = there - taken
    rest = iter([card for card in _in_order(seed) if card in left])
    top = [card if card is not None else next(rest) for card in asked]
    return (*top, *rest)
