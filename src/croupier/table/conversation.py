"""How a table, or a jackpot link, handles a command, applies an event and is rebuilt.

`handle` refuses before its first event or not at all; then it emits and applies one by one.
`apply` cannot fail. Whoever replays the same events gets the same state, bit for bit.

It also keeps what the conversation waits for: decisions of people, shuffles and draws.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Generic, NoReturn, TypeVar, Union

import msgspec
from msgspec import Struct, field

from croupier.cards import DECK, Card
from croupier.rulebooks import Rulebook
from croupier.rulebooks.procedures import by_book
from croupier.table.actor import ActorRank
from croupier.table.command import Command, Decide, GiveDraw, GiveShuffle, Order
from croupier.table.decision import Choice, DecisionNeeded, DecisionTaken
from croupier.table.errors import BadCommand, BrokenTable, NotItsCommand
from croupier.table.event import (
    Announced,
    DrawGiven,
    DrawNeeded,
    Event,
    ShuffleGiven,
    ShuffleNeeded,
)
from croupier.table.question import Question
from croupier.table.refusal import Refusal, Refused
from croupier.table.room import Room, above, join

Need = DecisionNeeded | ShuffleNeeded | DrawNeeded


class State(Struct, kw_only=True):
    """What a conversation remembers. Only `apply` changes it; it can be stored and compared."""

    name: str = ""
    waiting: list[Need] = []
    """What it waits for, the oldest first."""
    last_need: int = field(default=0, name="needs")
    """The number of the last decision, shuffle or draw that it asked for; kept as `needs`."""


S = TypeVar("S", bound=State)


class Conversation(Generic[S]):
    """Somebody gives a command; the answer is events, or a refusal. Nothing else changes it."""

    shared_rooms: ClassVar[tuple[Room, ...]] = ()
    rooms: ClassVar[tuple[Room, ...]] = ()
    may_ask: ClassVar[tuple[Question, ...]] = ()
    """Everything that it may ask of anybody, with what may be answered."""
    state_type: ClassVar[type[State]] = State
    whole: ClassVar[Room]

    state: S
    closed: bool = False
    """Whether only the command that opens it is heard."""
    entered_by_dealer: Collection[type[Command]] = frozenset()
    """What players do that the dealer enters for them here."""
    follows: bool = True
    """Whether anything can follow from a command by itself; a game may say that nothing does."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.whole = above(join((answering, *cls.shared_rooms)), join(cls.rooms))

    def __init__(self, book: Rulebook) -> None:
        self.go_under(book)
        self.state = self.state_type()  # type: ignore[assignment]
        self._emitted: list[Event] = []
        # Asked at every command: an instance finds its own attributes faster than its class's.
        self._deciders = self.whole.commands
        self._while_waiting = self.whole.while_waiting

    def go_under(self, book: Rulebook) -> None:
        """Go by this book from now on."""
        self.book = book
        self.by_book = by_book(book)
        """What the book answers to what rules ask of it: ways, figures and citations."""

    # -- commands ----------------------------------------------------------------------------

    def handle(self, order: Order[Command]) -> tuple[Event, ...] | Refused:
        """Answer a command with the events that it caused, or with a refusal.

        A `BadCommand` is raised for what cannot be read or makes no sense; nothing has changed
        then either. A report that cannot be true is refused with the paragraphs it is about. Any
        other exception, or one after the first event, breaks the table.
        """
        kind = type(order.command)
        function = self._deciders.get(kind)
        if function is None or self.closed:
            self._check_heard(kind)
            function = self._deciders[kind]
        emitted: list[Event] = []
        self._emitted = emitted
        try:
            if self.state.waiting and kind not in self._while_waiting:
                self.refuse_while_waiting()
            function(self, order)
            if self.follows and emitted:
                self.follow_up(order)
        except Refusal as refusal:
            if emitted:
                raise BrokenTable(f"refused after an event: {refusal}") from refusal
            return refusal.refused
        except BadCommand as error:
            if emitted:
                raise BrokenTable(f"rejected after an event: {error}") from error
            if kind in self.whole.reports:
                return self._untrue(kind, str(error))
            raise
        return tuple(emitted)

    def _untrue(self, kind: type[Command], says: str) -> Refused:
        """The refusal of a report that cannot be true."""
        about = self.whole.reports[kind].about
        topic = next(topic for topic in about if self.book.has(topic))
        return Refused(self.book.cite(topic), f"{says[:1].upper()}{says[1:].rstrip('.')}.")

    def objection(self, order: Order[Command]) -> Refused | None:
        """The refusal that a command would get now; None if it would be accepted.

        Nothing changes: a command is refused before its first event or not at all, so its fate is
        known when that event would be emitted.
        """
        self.emit = _accept  # type: ignore[method-assign]
        try:
            answer = self.handle(order)
        except _Accepted:
            return None
        finally:
            del self.emit
        return answer if isinstance(answer, Refused) else None

    def emit(self, event: Event) -> None:
        """Say that something has happened: record it and apply it."""
        self._emitted.append(event)
        self.apply(event)

    def apply(self, event: Event) -> None:
        """Change the state as the event says. Replaying a log is nothing but this."""
        function = self.whole.events.get(type(event))
        if function is None:
            raise BrokenTable(f"{type(event).__name__} is no event of this conversation")
        function(self, event)
        self.check()

    def _check_heard(self, kind: type[Command]) -> None:
        """Raise an error for a command that this conversation does not have, or not yet."""
        if kind not in self._deciders:
            known = ", ".join(sorted(str(c.__struct_config__.tag) for c in self._deciders))
            raise NotItsCommand(
                f"{self.book.short} has no command {kind.__struct_config__.tag!r}; it has {known}"
            )
        if self.closed:
            self.check_open(kind)

    def check_open(self, kind: type[Command]) -> None:
        """Raise an error for a command that comes before the opening."""

    def follow_up(self, order: Order[Command]) -> None:
        """What follows from a command by itself, once its own events are out; it cannot refuse."""

    def check(self) -> None:
        """What must hold after every event; a game asserts its money here."""

    def holdings(self) -> dict[str, int]:
        """Where the money that is here lies now, by account: what a ledger follows.

        It changes only by what crosses from or to players' accounts (`Event.crossings`), and at a
        link by what the House puts in and by awards.
        """
        return {}

    @classmethod
    def rebuild(cls, book: Rulebook, events: Iterable[Event]) -> Conversation[S]:
        """Make the conversation again from its log."""
        again = cls(book)
        for event in events:
            again.apply(event)
        return again

    # -- citing and refusing -----------------------------------------------------------------

    def cite(self, *topics: str) -> tuple[str, ...]:
        """The paragraphs of this book that state these topics, operative ones first."""
        return self.by_book.cite(topics)

    def refuse(self, topic: str, says: str) -> NoReturn:
        """Refuse with the paragraphs of a topic and a sentence that the player may read."""
        raise Refusal(Refused(self.cite(topic), says))

    def refuse_while_waiting(self) -> None:
        """Refuse on the strength of what the table waits for, if anything holds it."""
        for need in self.state.waiting:
            match need:
                case DecisionNeeded(holds=holds, says=question):
                    if holds:
                        says = f"The table waits for a decision: {question}"
                        raise Refusal(Refused(need.cites, says))
                case ShuffleNeeded():
                    raise Refusal(Refused(need.cites, "The table waits for the shuffle."))
                case DrawNeeded(pick=pick, among=among):
                    says = f"The table waits for {pick} of {among} cards to be picked."
                    raise Refusal(Refused(need.cites, says))

    # -- asking ------------------------------------------------------------------------------

    def ask(
        self,
        question: str,
        says: str,
        options: Iterable[Choice | str],
        of: int | ActorRank,
        cites: tuple[str, ...],
        *,
        holds: bool = True,
        about: dict[str, Any] | None = None,
        not_by: str = "",
    ) -> None:
        """Ask a seat, a box or a rank to decide; the room that `answered` the question goes on."""
        choices = tuple(Choice(name=o) if isinstance(o, str) else o for o in options)
        self.emit(
            DecisionNeeded(
                decision=self.state.last_need + 1,
                question=question,
                says=says,
                options=choices,
                of=of,
                holds=holds,
                about=about or {},
                not_by=not_by,
                cites=cites,
            )
        )

    def need_shuffle(self, purpose: str, cards: Iterable[Card], cites: tuple[str, ...]) -> None:
        """Ask the House to shuffle these cards; named in deck order, which tells nothing."""
        ordered = tuple(sorted(cards, key=_DECK_ORDER.__getitem__))
        self.emit(
            ShuffleNeeded(
                need=self.state.last_need + 1, purpose=purpose, cards=ordered, cites=cites
            )
        )

    def need_draw(
        self,
        purpose: str,
        *,
        pick: int,
        among: int,
        cites: tuple[str, ...],
        of: ActorRank = ActorRank.PIT_MANAGER,
    ) -> None:
        """Ask for a random pick among scrambled face-down cards."""
        self.emit(
            DrawNeeded(
                need=self.state.last_need + 1,
                purpose=purpose,
                pick=pick,
                among=among,
                of=of,
                cites=cites,
            )
        )

    def asking(self, question: str) -> list[DecisionNeeded]:
        """The decisions of this name that are open."""
        decisions = (need for need in self.state.waiting if isinstance(need, DecisionNeeded))
        return [need for need in decisions if need.question == question]

    def player_at(self, seat: int) -> str | None:
        """Who plays at a seat or box; a link has none."""
        return None

    def check_answer(self, asked: DecisionNeeded, answer: Decide) -> None:
        """Refuse an answer whose details cannot be carried out, before it is taken."""

    def go_on(self, question: str, asked: Need, answer: Event) -> None:
        """Hand an answer to the room that asked."""
        function = self.whole.answers.get(question)
        if function is None:
            raise BrokenTable(f"nobody goes on after {question!r}")
        function(self, asked, answer)

    # -- text form ---------------------------------------------------------------------------

    @classmethod
    def read_command(cls, text: bytes | str) -> Command:
        """Read one command of this game from its JSON."""
        decoder = _of_commands.get(cls) or _decoder(_of_commands, cls, cls.whole.commands)
        try:
            return decoder.decode(text)  # type: ignore[no-any-return]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadCommand(f"unreadable command: {error}") from error

    @classmethod
    def read_given(cls, text: bytes | str) -> Command:
        """Read a command that somebody gives now. A word that it does not have is an error: where
        one is mistyped, the rest is another command. One on record may be of an older version."""
        command = cls.read_command(text)
        known = ("do", *command.__struct_encode_fields__)
        try:
            names = list(msgspec.json.decode(text))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadCommand(f"unreadable command: {error}") from error
        for name in names:
            if name not in known:
                does, said = command.__struct_config__.tag, ", ".join(known[1:]) or "none"
                raise BadCommand(f"{does!r} has no field {name!r}; its fields: {said}")
        return command

    @classmethod
    def read_event(cls, text: bytes | str) -> Event:
        """Read one event of this game from its JSON."""
        return _decoder(_of_events, cls, cls.whole.events).decode(text)  # type: ignore[no-any-return]

    @classmethod
    def check_written(cls, command: Command) -> None:
        """Raise `BadCommand` for a command that was made here and breaks the limits of its fields,
        such as a reason without a word: stored as it is, nobody could read it again."""
        cls.read_command(write(command))

    @classmethod
    def make_readers(cls) -> None:
        """Make what reads commands and events now; else it is made when the first one is read."""
        _decoder(_of_commands, cls, cls.whole.commands)
        _decoder(_of_events, cls, cls.whole.events)

    def snapshot(self) -> bytes:
        """The whole state as JSON, to start from later without replaying the log."""
        return msgspec.json.encode(self.state)

    @classmethod
    def restore(cls, book: Rulebook, snapshot: bytes) -> Conversation[S]:
        """Make the conversation again from a snapshot."""
        again = cls(book)
        again.state = msgspec.json.decode(snapshot, type=cls.state_type)  # type: ignore[assignment]
        return again


class _Accepted(Exception):
    """A command that is only tried has come to its first event."""


def _accept(event: Event) -> NoReturn:
    raise _Accepted


_DECK_ORDER = {card: place for place, card in enumerate((*DECK, Card.UNKNOWN))}


def _same_cards(given: tuple[Card, ...], asked: tuple[Card, ...]) -> bool:
    """Whether these are the same cards in any order; several may be unknown."""
    found = set(given)
    if len(found) == len(given) == len(asked):
        # As many different cards as a deck has, all of them known, are the deck.
        return Card.UNKNOWN not in found if asked is DECK else found == set(asked)
    return sorted(map(_DECK_ORDER.__getitem__, given)) == sorted(
        map(_DECK_ORDER.__getitem__, asked)
    )


_of_commands: dict[type, Any] = {}
_of_events: dict[type, Any] = {}
"""What reads the commands and the events of each game."""


def _decoder(made: dict[type, Any], game: type, kinds: Iterable[type]) -> Any:
    decoder = made.get(game)
    if decoder is None:
        decoder = made[game] = msgspec.json.Decoder(Union[tuple(kinds)])  # noqa: UP007
    return decoder


def write(record: Command | Event | Refused) -> bytes:
    """Write a command, an event or a refusal as JSON."""
    return msgspec.json.encode(record)


# -- the room that every conversation has: answers to what it waits for ------------------------

answering = Room("answers")


@answering.decides(Decide, while_waiting=True)
def decide(table: Conversation[Any], order: Order[Decide]) -> None:
    """Only whom the question is for may answer; a dealer may enter a player's answer."""
    command = order.command
    asked = _find(table, command.decision, DecisionNeeded)
    entered_for = _who_answers(table, asked, order)
    option = next((o for o in asked.options if o.name == command.option), None)
    if option is None:
        offered = ", ".join(o.name for o in asked.options)
        raise Refusal(
            Refused(asked.cites, f"{command.option!r} is not offered; choose: {offered}.")
        )
    if set(command.details) != set(option.asks):
        wanted = ", ".join(f"{k} ({v})" for k, v in option.asks.items()) or "no details"
        raise BadCommand(f"option {option.name!r} asks for {wanted}; got {dict(command.details)}")
    fits = table.whole.checks.get(asked.question)
    if fits is not None:
        fits(table, asked, command)
    table.check_answer(asked, command)
    taken = DecisionTaken(
        decision=asked.decision,
        question=asked.question,
        option=option.name,
        details=command.details,
        reason=command.reason,
        who=order.who,
        rank=order.rank,
        entered_for=entered_for,
        cards=tuple(name for name, kind in option.asks.items() if kind in ("card", "cards")),
        cites=asked.cites,
    )
    table.emit(taken)
    table.go_on(asked.question, asked, taken)


def _who_answers(
    table: Conversation[Any], asked: DecisionNeeded, order: Order[Decide]
) -> int | None:
    """Check that this person may answer; return the seat for which a dealer enters it."""
    if isinstance(asked.of, ActorRank):
        if order.rank is ActorRank.HOUSE or not order.rank.is_at_least(asked.of):
            says = f"This is for a {asked.of.title} or above to decide."
            raise Refusal(Refused(asked.cites, says))
        if asked.not_by and order.who == asked.not_by:
            says = "You made the report; somebody else must confirm it."
            raise Refusal(Refused(asked.cites, says))
        return None
    if order.rank is ActorRank.PLAYER:
        if table.player_at(asked.of) != order.who:
            raise Refusal(Refused(asked.cites, f"This is for the player at {asked.of} to decide."))
        return None
    if order.rank is ActorRank.HOUSE:
        raise Refusal(Refused(asked.cites, "The software decides nothing for a player."))
    return asked.of


@answering.decides(GiveShuffle, while_waiting=True)
def give_shuffle(table: Conversation[Any], order: Order[GiveShuffle]) -> None:
    """Only the House shuffles, and it gives back exactly the cards that it was given."""
    command = order.command
    asked = _find(table, command.need, ShuffleNeeded)
    if order.rank is not ActorRank.HOUSE:
        raise Refusal(Refused(asked.cites, "The House shuffles these cards."))
    if not _same_cards(command.cards, asked.cards):
        raise BadCommand(
            f"the shuffle must give back the {len(asked.cards)} cards that were asked for, "
            f"each once; got {len(command.cards)} cards that are not the same"
        )
    given = ShuffleGiven(
        need=asked.need, purpose=asked.purpose, cards=command.cards, cites=asked.cites
    )
    table.emit(given)
    table.go_on(asked.purpose, asked, given)


@answering.decides(GiveDraw, while_waiting=True)
def give_draw(table: Conversation[Any], order: Order[GiveDraw]) -> None:
    """The House's source of chance picks, or somebody of the named rank does so by hand."""
    command = order.command
    asked = _find(table, command.need, DrawNeeded)
    if order.rank is not ActorRank.HOUSE and not order.rank.is_at_least(asked.of):
        raise Refusal(Refused(asked.cites, f"A {asked.of.title} or above picks the cards."))
    picks = command.picks
    if len(set(picks)) != asked.pick or len(picks) != asked.pick:
        raise BadCommand(f"pick {asked.pick} different cards; got {list(picks)}")
    if not all(0 <= p < asked.among for p in picks):
        raise BadCommand(f"picks are counted from 0 to {asked.among - 1}; got {list(picks)}")
    given = DrawGiven(
        need=asked.need, purpose=asked.purpose, picks=picks, who=order.who, cites=asked.cites
    )
    table.emit(given)
    table.go_on(asked.purpose, asked, given)


N = TypeVar("N", DecisionNeeded, ShuffleNeeded, DrawNeeded)


def _number(need: Need) -> int:
    return need.decision if isinstance(need, DecisionNeeded) else need.need


def _find(table: Conversation[Any], number: int, kind: type[N]) -> N:
    for need in table.state.waiting:
        if isinstance(need, kind) and _number(need) == number:
            return need
    open_ones = ", ".join(f"{_number(n)} ({type(n).__name__})" for n in table.state.waiting)
    raise BadCommand(
        f"the table waits for no {kind.__name__} {number}; open: {open_ones or 'none'}"
    )


@answering.applies(DecisionNeeded)
def decision_needed(table: Conversation[Any], event: DecisionNeeded) -> None:
    table.state.last_need = event.decision
    table.state.waiting.append(event)


@answering.applies(ShuffleNeeded, DrawNeeded)
def chance_needed(table: Conversation[Any], event: ShuffleNeeded | DrawNeeded) -> None:
    table.state.last_need = event.need
    table.state.waiting.append(event)


@answering.applies(DecisionTaken)
def taken(table: Conversation[Any], event: DecisionTaken) -> None:
    _forget(table, event.decision)


@answering.applies(ShuffleGiven, DrawGiven)
def given(table: Conversation[Any], event: ShuffleGiven | DrawGiven) -> None:
    _forget(table, event.need)


def _forget(table: Conversation[Any], number: int) -> None:
    table.state.waiting = [need for need in table.state.waiting if _number(need) != number]


@answering.applies(Announced)
def announced(table: Conversation[Any], event: Announced) -> None:
    """Saying something changes nothing."""
