"""The House: gives commands to tables and links, stores what they cause, and only then answers.

A command is answered in memory at once, its events wait for the group that makes them durable, and
the future is done when they are. If they could not be stored, the tables that answered are dropped
and rebuilt from their logs: what was acknowledged is there, what was not never happened.
"""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from croupier.house.errors import HouseError, UnknownPlace
from croupier.house.records import Bundle, Row
from croupier.house.store import Store
from croupier.house.writer import Writer
from croupier.pit import Pit, Said
from croupier.table import Command, Conversation, Event, Order, Refused, StaffRank, Table

REMEMBERED = 10_000
"""Answers kept in memory for commands that are sent twice; older ones are read from the log."""


class Answer(Struct, frozen=True, kw_only=True):
    """What came of a command: a refusal, or what was said, at the positions of their logs."""

    command_id: str
    refused: Refused | None = None
    said: tuple[Said, ...] = ()
    positions: tuple[int, ...] = ()
    again: bool = False
    """True if the command had been carried out before and this is the same answer again."""


class Watcher(Protocol):
    """Whoever must see each table exactly as it stood after a command, such as live viewers.

    What it makes of an answer it keeps back until the answer is stored, and throws away if it is
    lost: nobody hears of what is not durable.
    """

    def made(self, answer: Answer, order: Order[Command]) -> None:
        """A command was answered and is not durable yet; the tables stand as it left them."""

    def stored(self, answer: Answer) -> None:
        """The answer is durable. Called in the order of the answers, in the writer's thread."""

    def lost(self, answer: Answer) -> None:
        """The answer could not be stored; its tables and links were read from their logs again."""


class House:
    """The tables and links of one process, and their memory."""

    def __init__(
        self,
        store: Store,
        *,
        reader: Store | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.store = store
        self.reader = reader or store
        self.writer = Writer(store)
        self.pit = Pit()
        self.clock = clock
        self.positions: dict[str, int] = {}
        self.lock = threading.RLock()
        """Whoever holds it is alone with the tables: look and give without anybody in between."""
        self._makers: dict[str, Callable[[], Conversation[Any]]] = {}
        self._answers: OrderedDict[str, Future[Answer]] = OrderedDict()
        self._listeners: list[Callable[[Answer], None]] = []
        self._watchers: list[Watcher] = []

    # -- tables and links --------------------------------------------------------------------

    def add_table(self, name: str, make: Callable[[], Table[Any]], link: str | None = None) -> None:
        """Put a table into the House, as its log has it."""
        with self.lock:
            self._makers[name] = make
            self.pit.add_table(name, self._rebuilt(name), link)  # type: ignore[arg-type]

    def add_link(self, name: str, make: Callable[[], Conversation[Any]]) -> None:
        """Put a jackpot link into the House, as its log has it."""
        with self.lock:
            self._makers[name] = make
            self.pit.add_link(name, self._rebuilt(name))

    def _rebuilt(self, name: str) -> Conversation[Any]:
        """A table or link from its newest snapshot and the events since."""
        made = self._makers[name]()
        kept = self.reader.snapshot(name)
        position = 0
        if kept is not None:
            made = type(made).restore(made.book, kept.state)
            position = kept.position
        for row in self.reader.rows(name, after=position):
            made.apply(made.read_event(row.event))
            position = row.position
        self.positions[name] = position
        return made

    def _drop(self, places: set[str]) -> None:
        """Something could not be stored: forget the tables' memory and read it again."""
        with self.lock:
            for place in places:
                again = self._rebuilt(place)
                if place in self.pit.tables:
                    self.pit.tables[place] = again  # type: ignore[assignment]
                else:
                    self.pit.links[place] = again

    # -- commands ----------------------------------------------------------------------------

    def give(
        self,
        place: str,
        command: Command,
        *,
        who: str,
        rank: StaffRank,
        command_id: str | None = None,
        when: datetime | None = None,
        also: Sequence[tuple[str, Command]] = (),
    ) -> Future[Answer]:
        """Give a command. The future is done when its events are durable, or it was refused.

        `also` is what other places must hear if it is accepted; what they say is stored with it.
        Sent twice with the same id, a command has one effect and the same answer. A refused
        command is not remembered: it may be tried again under the same id.
        """
        if place not in self._makers:
            raise UnknownPlace(f"there is no table or link {place!r}")
        command_id = command_id or uuid.uuid4().hex
        with self.lock:
            before = self._answered(command_id)
            if before is not None:
                return before
            order = Order(command=command, who=who, rank=rank, when=when or self.clock())
            said = self.pit.give(place, order)
            future: Future[Answer] = Future()
            if isinstance(said, Refused):
                future.set_result(Answer(command_id=command_id, refused=said))
                return future
            said = said + self._tell(also, order, {each.place for each in said})
            bundle, answer = self._bundle(command_id, order, said)
            self._remember(command_id, future)
            for watcher in self._watchers:
                watcher.made(answer, order)
            stored = self.writer.store(bundle)
        stored.add_done_callback(lambda done: self._stored(done, bundle, answer, future))
        return future

    def _tell(
        self, also: Sequence[tuple[str, Command]], cause: Order[Command], acted: set[str]
    ) -> list[Said]:
        """What other places say to what they must hear; they cannot refuse it."""
        said: list[Said] = []
        for place, command in also:
            order = Order(command=command, who="house", rank=StaffRank.HOUSE, when=cause.when)
            try:
                heard = self.pit.give(place, order)
                if isinstance(heard, Refused):
                    raise HouseError(f"{place!r} refused what it must hear: {heard}")
            except Exception:
                self._drop(acted | {place, *(each.place for each in said)})
                raise
            said += heard
        return said

    def _bundle(
        self, command_id: str, order: Order[Command], said: list[Said]
    ) -> tuple[Bundle, Answer]:
        expected: dict[str, int] = {}
        rows, positions = [], []
        for each in said:
            at = self.positions[each.place]
            expected.setdefault(each.place, at)
            self.positions[each.place] = at + 1
            positions.append(at + 1)
            rows.append(
                Row(
                    place=each.place,
                    position=at + 1,
                    command_id=command_id,
                    who=order.who,
                    rank=order.rank.value,
                    at=order.when.isoformat(),
                    event=msgspec.json.encode(each.event),
                )
            )
        answer = Answer(command_id=command_id, said=tuple(said), positions=tuple(positions))
        return Bundle(command_id=command_id, expected=expected, rows=rows), answer

    def _stored(
        self, done: Future[None], bundle: Bundle, answer: Answer, future: Future[Answer]
    ) -> None:
        error = done.exception()
        if error is None:
            for listener in self._listeners:
                listener(answer)
            for watcher in self._watchers:
                watcher.stored(answer)
            future.set_result(answer)
            return
        with self.lock:
            self._answers.pop(bundle.command_id, None)
        self._drop(set(bundle.expected))
        for watcher in self._watchers:
            watcher.lost(answer)
        future.set_exception(error if isinstance(error, HouseError) else HouseError(str(error)))

    # -- at most once ------------------------------------------------------------------------

    def _answered(self, command_id: str) -> Future[Answer] | None:
        """The answer to a command that was given before, from memory or from the log."""
        kept = self._answers.get(command_id)
        if kept is not None or not self.reader.remembers(command_id):
            return kept
        rows = self.reader.answer_of(command_id)
        said = tuple(Said(place=row.place, event=self._event(row)) for row in rows)
        positions = tuple(row.position for row in rows)
        future: Future[Answer] = Future()
        future.set_result(Answer(command_id=command_id, said=said, positions=positions, again=True))
        return future

    def _event(self, row: Row) -> Event:
        return self.pit.at(row.place).read_event(row.event)

    def _remember(self, command_id: str, future: Future[Answer]) -> None:
        self._answers[command_id] = future
        if len(self._answers) > REMEMBERED:
            self._answers.popitem(last=False)

    # -- the rest ----------------------------------------------------------------------------

    def listen(self, listener: Callable[[Answer], None]) -> None:
        """Be told of every answer once it is durable, and not before."""
        self._listeners.append(listener)

    def watch(self, watcher: Watcher) -> None:
        """Be told of every answer as it is made, and again when it is stored or lost."""
        self._watchers.append(watcher)

    def close(self) -> None:
        """A planned stop: everything that was given is stored first."""
        self.writer.close()
