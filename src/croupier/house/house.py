"""The House: gives commands to tables and links, stores what they cause, and only then answers.

A command is answered in memory at once, its events wait for the group that makes them durable, and
the future is done when they are. If they could not be stored, the tables that answered are dropped
and rebuilt from their logs: what was acknowledged is there, what was not never happened.
"""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, Required, TypedDict, Unpack

import msgspec
from msgspec import structs

from croupier.house.alarm_log import ALARM
from croupier.house.answers import Answer, AnsweredCommands, Given, Watcher, taken
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.behalf import Behalf
from croupier.house.copy import LogCopy
from croupier.house.errors import (
    Conflict,
    HouseError,
    IdTaken,
    Malformed,
    OwnedElsewhere,
    Unbalanced,
    UnknownPlace,
)
from croupier.house.hidden import hide_deck
from croupier.house.known_ids import KnownIds
from croupier.house.ledger import Ledger, player_account
from croupier.house.office.standards import NO_NEGATIVE_BALANCE
from croupier.house.ownership import Ownership
from croupier.house.records import (
    NO_AUTHORITY,
    Authority,
    Bundle,
    Entry,
    Opening,
    OrderRecord,
    Row,
    Secret,
    Snapshot,
    written_also,
    written_authority,
    written_time,
)
from croupier.house.refused import refusal
from croupier.house.replaying import replay, restored
from croupier.house.shared_links import SharedLinks
from croupier.house.shuffle_book import ShuffleBook, book_of, is_shuffle_book
from croupier.house.software import SOFTWARE
from croupier.house.store import Store
from croupier.house.times import Times
from croupier.house.world import REAL, World
from croupier.house.writer import Writer
from croupier.pit import Pit, Said
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    Event,
    Order,
    Refused,
    Table,
)
from croupier.table.money import write_money

logger = logging.getLogger("croupier.house")

SNAPSHOT_EVERY = 500
"""Events of a place after which its state is kept, so that a start replays few."""
SNAPSHOT_BYTES = 2_000
"""Of a large state it takes one more event for each so many bytes: keeping it must stay cheap."""

TRIES = 20
"""How often a command is given again because another process was first at the same link."""

_generations = itertools.count(1)
"""Numbers every rebuilding of a place from its log, for all Houses of this process."""


class How(TypedDict, total=False):
    """What may be said with a command; see `House.give`."""

    who: Required[str]
    rank: Required[ActorRank]
    command_id: str | None
    new_id: bool
    session: str
    when: datetime | None
    also: Sequence[tuple[str, Command]]
    secrets: Sequence[Secret]
    openings: Sequence[Opening]
    behalf: Behalf | None
    hidden_by: Opening | None
    tries: int


Companions = tuple[list[tuple[str, Command]], list[Opening]]
"""What other places must hear of what was said, and openings; stored with it."""
Guard = Callable[[str, Order[Command]], Refused | None]
"""Looks at a command for a place and may refuse it in the name of the House."""


class House:
    """The tables and links of one process, and their memory."""

    def __init__(
        self,
        store: Store,
        *,
        reader: Store | None = None,
        copy: LogCopy | None = None,
        ownership: Ownership | None = None,
        clock: Callable[[], datetime] | None = None,
        world: World = REAL,
    ) -> None:
        """`clock` is the time of day, where it is not the world's."""
        self.store = store
        self.reader = reader or store
        self.world = world
        self.writer = Writer(store, copy, world=world)
        self.ownership = ownership
        self.pit = Pit()
        self.clock = clock or world.now
        self.times = Times()
        """The times of the logs, which never run backwards unsaid."""
        self.positions: dict[str, int] = {}
        self.lock = threading.RLock()
        """Whoever holds it is alone with the tables: look and give without anybody in between."""
        self.ledger = Ledger()
        self._balances: dict[str, int] = {}
        self._snapshot_due: dict[str, int] = {}
        self._generations: dict[str, int] = {}
        """Which rebuilding of each place runs now; answers of an older one are turned away."""
        self._shared: list[str] = []
        self.shared_links = SharedLinks(self)
        """Links at which several processes write, where they share a server."""
        self.lease: Callable[[], None] | None = None
        """Where several servers share a House: raises where this one may have lost its tables."""
        self._elsewhere: set[str] = set()
        """Places that another process has taken over."""
        self._stale: set[str] = set()
        """Places whose memory is ahead of their log, and must be read again before they act."""
        self.software = ""
        """What decides here: `croupier.house.critical_files.reference`."""
        self.on_duty: Callable[[str, Order[Command]], Authority] = lambda place, order: NO_AUTHORITY
        """At which post somebody is on duty who gives an order at a place, by which assignment,
        and for whom; the office knows."""
        self.behalf: Behalf | None = None
        """What is said with the order that is being given, for whom and on which word: guards look
        at it, under the lock."""
        self.guards: list[Guard] = [self._enough_money]
        """Who may object to a command before its table hears it."""
        self.companions: list[Callable[[Sequence[Said]], Companions]] = []
        """Asked after every command what must be stored in the same transaction."""
        self.on_reread: list[Callable[[], None]] = []
        """Called when a shared place was read again, as others may have written there: in the
        thread that read it, with the House's lock."""
        # Ids for commands that came without one. They count up, so that the index of ids grows at
        # its end; random ids would touch it all over.
        self._name, self._number = world.unique(), itertools.count(1)
        self._makers: dict[str, Callable[[], Conversation[Any]]] = {}
        if ownership is not None and not ownership.whole:
            store.concerns_others = self._concerns_others
        self._answered = AnsweredCommands()
        self.known_ids: KnownIds | None = None
        """Spares a question to the database, where that is one process's as a whole."""
        self._listeners: list[Callable[[Answer], None]] = []
        self._watchers: list[Watcher] = []

    # -- tables and links --------------------------------------------------------------------

    def add_table(self, name: str, make: Callable[[], Table[Any]], link: str | None = None) -> None:
        """Put a table into the House, as its log has it."""
        with self.lock:
            self._own(name)
            self._elsewhere.discard(name)  # it may have been another process's meanwhile
            self._makers[name] = make
            self.pit.add_table(name, self._rebuilt(name), link)  # type: ignore[arg-type]

    def tables(self) -> dict[str, Table[Any]]:
        """The tables by name, as they are now: a copy, for others may be set up meanwhile."""
        with self.lock:
            return dict(self.pit.tables)

    def remove(self, name: str) -> None:
        """Run a place here no more: it is closed for good, or another process runs it. Its log
        stays."""
        with self.lock:
            self.pit.remove(name)
            self.ledger.forget(name)
            self._stale.discard(name)
            self._elsewhere.discard(name)
            self.shared_links.names.discard(name)
            for kept in (self._makers, self.positions, self._snapshot_due, self._generations):
                kept.pop(name, None)

    def add_link(
        self, name: str, make: Callable[[], Conversation[Any]], *, shared: bool = False
    ) -> None:
        """Put a jackpot link into the House, as its log has it. At a shared one other processes
        write too, for the tables that they run."""
        with self.lock:
            if shared:
                self.shared_links.names.add(name)
            else:
                self._own(name)
            self._makers[name] = make
            self.pit.add_link(name, self._rebuilt(name))

    def add_shared(self, name: str, make: Callable[[], Conversation[Any]]) -> None:
        """Put in a place that several processes may write, such as the office: whoever comes
        second is turned away, reads what the first one wrote, and may try again."""
        with self.lock:
            self._makers[name] = make
            self.pit.add_link(name, self._rebuilt(name))
            self._shared.append(name)

    def read_again(self, name: str) -> None:
        """Read a place from its log again, as another process may have written to it."""
        with self.lock:
            self.writer.flush()
            self._drop({name: self._generations[name]})

    def _read_news(self, name: str) -> None:
        """Apply what others have written at a shared place; where something of ours was turned
        away there, the place is read again from its state."""
        with self.lock:
            self.writer.flush()
            if self.store.turned_away(self.generations_of([name])) or name in self._stale:
                self._drop(self.generations_of([name]))
                return
            self.advance(name)
            for hear in self.on_reread:
                hear()

    def advance(self, name: str) -> None:
        """Apply what others have written at a place of which nothing of ours is under way, and
        which stands as its log did: under the lock, after a flush."""
        place = self.pit.at(name)
        self.positions[name] = replay(place, self.reader, name, after=self.positions[name])
        self._see_time(name)
        self.ledger.follow(name, place)

    def generations_of(self, places: Iterable[str]) -> dict[str, int]:
        """Which rebuilding of each place runs now."""
        return {place: self._generations[place] for place in places if place in self._generations}

    def fetched(self, name: str, make: Callable[[], Table[Any]]) -> Table[Any]:
        """A table that another process runs, as its log has it, for one command."""
        self._makers[name] = make
        return self._rebuilt(name)  # type: ignore[return-value]

    def catch_up(self) -> bool:
        """Read what other processes have written at the shared places; whether there was any.

        Balances are forgotten: others may have moved money.
        """
        news = False
        for name in self._shared:
            if self.reader.head(name).position > self.positions[name]:
                self._read_news(name)
                news = True
        with self.lock:
            self._balances.clear()
        return news

    def check_ownership(self) -> None:
        """Find out which places another process has taken over; they are not run here any more."""
        if self.ownership is None:
            return
        lost = set(self.ownership.check())
        with self.lock:
            alone = lost - self.shared_links.names  # of a shared link others may do what is due
            lost |= {table for table, link in self.pit.linked.items() if link in alone}
            lost -= self.shared_links.names
            if not lost <= self._elsewhere:
                self._elsewhere |= lost
                told = ", ".join(sorted(lost))
                logger.error("another process has taken over %s", told, extra=ALARM)

    def stop_running(self, places: Iterable[str]) -> None:
        """Give no more commands at places that another process is to run, or runs already."""
        with self.lock:
            self._elsewhere |= set(places)

    def run_again(self, places: Iterable[str]) -> None:
        """Take commands again at places that were to go to another process and did not."""
        with self.lock:
            self._elsewhere -= set(places)

    def runs(self, place: str) -> bool:
        """Whether commands are taken at a place that is here."""
        return place not in self._elsewhere

    def _own(self, name: str) -> None:
        # A shuffle book has no lock of its own: whoever runs its table writes it. With two locks
        # one process could be left with the book and another with the table.
        if self.ownership is None or is_shuffle_book(name) or self.ownership.has(name):
            return
        self.ownership.take(name)

    def _rebuilt(self, name: str) -> Conversation[Any]:
        """A table or link from its newest snapshot and the events since."""
        made, kept = restored(self._makers[name](), self.reader, name)
        self._snapshot_due[name] = kept + SNAPSHOT_EVERY
        position = replay(made, self.reader, name, after=kept)
        self.positions[name] = position
        self._see_time(name)
        self._generations[name] = next(_generations)
        self.ledger.follow(name, made)
        return made

    def _see_time(self, name: str) -> None:
        """The time at which a log ends: what comes next is not earlier."""
        position = self.positions[name]
        with suppress(ArchiveDamaged):  # told as an alarm; its state is whole all the same
            last = self.reader.row(name, position) if position else None
            if last is not None:
                self.times.seen(last.at, self.clock())

    def _drop(self, generations: dict[str, int]) -> None:
        """Something could not be stored: forget the tables' memory and read it again.

        A place that was read again since is left alone: what came after the same failure fails
        with it, and must not throw away what has been given since. A guest is there for one
        command, and forgotten with it.

        With a table its shuffle book is read, and after it: a commit of which nobody was told may
        be carried out at any moment. A table that is behind its log is turned away with whatever
        comes next; a book that is behind its table is not, and would be taken at its word.
        """
        with self.lock:
            dropped = [
                place
                for place, generation in generations.items()
                if self._generations.get(place) == generation and place not in self.pit.guests
            ]
            books = [book_of(place) for place in dropped if place in self.pit.tables]
            books = [book for book in books if book in self.pit.links]
            self._stale.update(dropped, books)  # what cannot be read now is read before it acts
            for place in (*(each for each in dropped if each not in books), *books):
                again = self._rebuilt(place)
                if place in self.pit.tables:
                    self.pit.tables[place] = again  # type: ignore[assignment]
                else:
                    self.pit.links[place] = again
                self._stale.discard(place)
            self._balances.clear()
            if not generations.keys().isdisjoint(self._shared):
                for hear in self.on_reread:
                    hear()

    def _concerns_others(self, streams: Collection[str]) -> bool:
        """Whether other processes follow any of some streams: the office, links and their tables.
        Balances they look up when they need them."""
        links = self.shared_links
        return any(stream in self._shared or links.concern(stream) for stream in streams)

    # -- commands ----------------------------------------------------------------------------

    def give(
        self,
        place: str,
        command: Command,
        *,
        who: str,
        rank: ActorRank,
        command_id: str | None = None,
        new_id: bool = False,
        session: str = "",
        when: datetime | None = None,
        also: Sequence[tuple[str, Command]] = (),
        secrets: Sequence[Secret] = (),
        openings: Sequence[Opening] = (),
        behalf: Behalf | None = None,
        hidden_by: Opening | None = None,
        tries: int = 0,
        wake: bool = True,
    ) -> Future[Answer]:
        """Give a command. The future is done when its events are durable, or it was refused.

        `also` is what other places must hear if it is accepted; what they say is stored with it,
        and so are `secrets` and `openings`. Sent twice with the same id, a command has one effect
        and the same answer: the id is looked up before its table hears it, unless it is a
        `new_id`, which was made for this command just now. A refused command is not remembered: it
        may be tried again under the same id. An id under which something else was carried out is
        an error (`IdTaken`). `session` is the one by which its giver is logged in; `hidden_by` the
        secret by which the deck that it gives is hidden in the record; `behalf` says for whom he
        acts, where it is not himself. Whoever has the writer not woken (`wake`) must `settle`.
        """
        if place not in self._makers:
            raise UnknownPlace(f"there is no table or link {place!r}")
        if place in self._elsewhere:
            raise OwnedElsewhere(f"another process has taken over {place}; go on there")
        if self.lease is not None:
            self.lease()
        known_id = command_id
        command_id = command_id or f"{self._name}-{next(self._number)}"

        def give_again(*, new_id: bool = False, wake: bool = True) -> Future[Answer]:
            return self.give(
                place,
                command,
                who=who,
                rank=rank,
                command_id=command_id,
                new_id=new_id,
                session=session,
                when=when,
                also=also,
                secrets=secrets,
                openings=openings,
                behalf=behalf,
                hidden_by=hidden_by,
                tries=tries + 1,
                wake=wake,
            )

        may_again = tries < TRIES
        shares_a_link = may_again and self.shared_links.concern(place)
        promise: Future[Answer] = self.world.promise()
        with self.lock:  # the clock is read inside: what comes later is stored later
            guests = (*self.pit.guests,)
            order = Order(
                command=command, who=who, rank=rank, when=when or self.times.of(self.clock())
            )
            given = Given(
                place=place,
                order=order,
                promise=promise,
                again=give_again if shares_a_link else None,
            )
            if known_id is not None:
                again = self._answered.again(known_id, given)
                if again is not None:
                    return again
                kept = None if new_id else self._from_log(known_id, given)
                if kept is not None:
                    promise.set_result(kept)
                    return promise
            self.reread_stale()
            if when is None and self.times.is_later_than(order.when):  # others have written there
                order = structs.replace(order, when=self.times.of(self.clock()))
                given = structs.replace(given, order=order)
            before, self.behalf = self.behalf, behalf
            authority = self._authority(place, order, session)
            told_too, opened = [*also], [*openings]
            try:
                said = self._ask(place, order, told_too, opened)
            except BadCommand as error:
                self._note_refused(place, order, command_id, authority, Refused((), str(error)))
                raise
            except BaseException:
                self.shared_links.forget_guests(guests)
                raise
            finally:
                self.behalf = before
            if isinstance(said, Refused):
                self._note_refused(place, order, command_id, authority, said)
                promise.set_result(Answer(command_id=command_id, refused=said))
                return promise
            if when is None and self.times.is_later_than(order.when):
                self._forget({place, *(each.place for each in said)})
                self.shared_links.forget_guests(guests)
                if may_again and not shares_a_link:  # the time is known now, and said
                    return give_again(new_id=new_id or known_id is None, wake=wake)
                self._comes_too_early(given)
                return promise
            bundle, answer = self._bundled(place, command_id, order, said, authority, told_too)
            self.shared_links.forget_guests(guests)
            if hidden_by is not None:
                hide_deck(bundle, hidden_by)
            if secrets or opened:
                bundle.secrets, bundle.openings = secrets, opened
            if self.known_ids is not None:
                self.known_ids.add(command_id)
            self._answered.wait(command_id, given)
            for watcher in self._watchers:
                self._tell_safely(watcher.made, answer, order)
            tell = partial(self._tell_outcome, bundle.generations, answer, given)
            self.writer.put(bundle, tell, wake=wake)
        return promise

    def carry_out(self, place: str, command: Command, **how: Unpack[How]) -> Answer:
        """Give a command as `give` does, and wait for its answer: it is stored in this thread
        where the writer has nothing else to do.

        Not for whoever holds the House's lock or listens to it, and not for a thread that must not
        wait for the disk.
        """
        promise = self.give(place, command, wake=False, **how)
        if not promise.done():
            self.writer.settle()
        return promise.result()

    def _ask(
        self,
        place: str,
        order: Order[Command],
        also: list[tuple[str, Command]],
        openings: list[Opening],
    ) -> list[Said] | Refused:
        """Let the guards, the table and whoever else must hear it answer.

        What companions add to it is put before what others must hear anyway.
        """
        refused = self._objection(place, order)
        if refused is not None:
            return refused
        added: list[tuple[str, Command]] = []
        try:
            said = self.pit.give(place, order)
            if isinstance(said, Refused):
                return said
            heard: list[Said] = []
            for companions in self.companions:
                told, opened = companions(said)
                added += told
                openings += opened
                heard += self._tell(told, order)
            heard += self._tell(also, order)
            also[:0] = added
            return said + heard
        except BadCommand:
            raise
        except Exception as error:
            # Part of it may have happened in memory; nothing of it was stored.
            self._forget([place, *(each for each, _ in (*also, *added))])
            raise HouseError(
                f"{place} could not answer {order.command.tell()!r}: {error}"
            ) from error

    def _objection(self, place: str, order: Order[Command]) -> Refused | None:
        """What the first guard says that has something against a command."""
        for guard in self.guards:
            refused = guard(place, order)
            if refused is not None:
                return refused
        return None

    def _tell(self, also: Sequence[tuple[str, Command]], cause: Order[Command]) -> list[Said]:
        """What other places say to what they must hear; they cannot refuse it."""
        said: list[Said] = []
        for place, command in also:
            order = Order(command=command, who="house", rank=ActorRank.HOUSE, when=cause.when)
            try:
                heard = self.pit.give(place, order)
            except BadCommand as error:
                # Another place has acted on the same command already, so this is an error of ours
                # and not a bad command.
                raise HouseError(f"{place!r} rejects what it must hear: {error}") from error
            if isinstance(heard, Refused):
                raise HouseError(f"{place!r} refused what it must hear: {heard}")
            said += heard
        return said

    def _forget(self, places: Iterable[str]) -> None:
        """Read places again from their logs, and whatever hangs on the same links with them."""
        affected = set(places)
        links = {self.pit.linked[p] for p in affected if p in self.pit.linked} | affected
        affected |= links | {t for t, link in self.pit.linked.items() if link in links}
        self.writer.flush()  # first store what is in memory only, or it would be lost
        self._drop({place: self._generations[place] for place in affected})

    def _comes_too_early(self, given: Given) -> None:
        """A table that was fetched for a command has a log that ends later than the time of the
        command: the clock of the server that runs it is ahead. It is given again, with a time of
        now, as if the other had been first."""
        if given.again is not None:
            self.shared_links.try_again(given)
        else:
            says = f"{given.place} was told something before {given.order.when}; try again"
            given.promise.set_exception(Conflict(says))

    def _authority(self, place: str, order: Order[Command], session: str) -> str:
        """By whose authority somebody speaks now, as it is stored."""
        authority = self.on_duty(place, order)
        if session:
            authority = msgspec.structs.replace(authority, session=session)
        return "" if authority is NO_AUTHORITY else written_authority(authority)

    def _note_refused(
        self,
        place: str,
        order: Order[Command],
        command_id: str,
        authority: str,
        refused: Refused,
    ) -> None:
        """Keep what somebody was refused, for disputes; what the software tries is no dispute."""
        if order.who not in SOFTWARE:
            said = refusal(place, order, command_id, authority, self.software, refused)
            self.writer.put_refused(said)

    def _bundled(
        self,
        place: str,
        command_id: str,
        order: Order[Command],
        said: list[Said],
        authority: str,
        also: Sequence[tuple[str, Command]],
    ) -> tuple[Bundle, Answer]:
        """What is to be stored; if it cannot be written at all, it never happened."""
        try:
            record = OrderRecord(
                command_id=command_id,
                place=place,
                who=order.who,
                rank=order.rank._value_,  # `value` is a function of Python's, for each command
                at=written_time(order.when),
                authority=authority,
                software=self.software,
                also=written_also(also),
                command=msgspec.json.encode(order.command),
            )
            return self._bundle(record, said)
        except Exception as error:
            self._forget({place, *(each.place for each in said)})
            raise Malformed(f"{order.command.tell()!r} cannot be written: {error}") from error

    def _bundle(self, order: OrderRecord, said: list[Said]) -> tuple[Bundle, Answer]:
        """What is to be stored: the rows, the entries that follow from them, and states to keep."""
        expected: dict[str, int] = {}
        events: dict[str, list[Event]] = {}
        rows, positions = [], []
        command_id, who, rank, at = order.command_id, order.who, order.rank, order.at
        for each in said:
            place = each.place
            position = self.positions[place] + 1
            if place not in expected:
                expected[place] = position - 1
                events[place] = []
            events[place].append(each.event)
            self.positions[place] = position
            positions.append(position)
            rows.append(
                Row(
                    stream=place,
                    position=position,
                    command_id=command_id,
                    who=who,
                    rank=rank,
                    at=at,
                    event=msgspec.json.encode(each.event),
                )
            )
        entries: list[Entry] = []
        snapshots: tuple[Snapshot, ...] = ()
        for place, happened in events.items():
            position = self.positions[place]
            conversation = self.pit.at(place)
            entries += self.ledger.post(place, conversation, happened, position)
            if position >= self._snapshot_due[place]:
                state = conversation.snapshot()
                snapshots += (Snapshot(stream=place, position=position, state=state),)
                wait = SNAPSHOT_EVERY + len(state) // SNAPSHOT_BYTES
                self._snapshot_due[place] = position + wait
        balances = self._balances
        for entry in entries:
            if entry.account in balances:
                balances[entry.account] += entry.amount
        answer = Answer(command_id=command_id, said=tuple(said), positions=tuple(positions))
        bundle = Bundle(
            command_id=command_id,
            expected=expected,
            rows=rows,
            order=order,
            entries=entries,
            snapshots=snapshots,
            generations={place: self._generations[place] for place in expected},
        )
        return bundle, answer

    def _tell_outcome(
        self,
        generations: dict[str, int],
        answer: Answer,
        given: Given,
        error: HouseError | None,
    ) -> None:
        """Tell that an answer is durable, or undo it; nobody is left waiting."""
        if error is None:
            self._answered.done(answer.command_id, given, answer)
            for listener in self._listeners:
                self._tell_safely(listener, answer)
            for watcher in self._watchers:
                self._tell_safely(watcher.stored, answer)
            given.promise.set_result(answer)
            return
        instead: Answer | None = None
        with self.lock:
            self._answered.forget(answer.command_id)
            try:
                self._drop(generations)
                instead = self._instead(answer.command_id, given, error)
            except IdTaken as taken:
                error = taken
            except Exception as trouble:
                # The database is out of reach: they are read again before anybody uses them.
                logger.error("%s", trouble)
        for watcher in self._watchers:
            self._tell_safely(watcher.lost, answer)
        if instead is not None:
            given.promise.set_result(instead)
        elif isinstance(error, Conflict) and given.again is not None:
            self.shared_links.try_again(given)
        else:
            given.promise.set_exception(error)

    def _instead(self, command_id: str, given: Given, error: HouseError) -> Answer | None:
        """The answer to a command that was turned away, where there is a better one than an error:
        it was carried out before, or another process was first to take the money."""
        match error:
            case Conflict():
                self.check_ownership()
                return self._from_log(command_id, given)
            case Unbalanced():
                refused = self._objection(given.place, given.order)
                return Answer(command_id=command_id, refused=refused) if refused else None
            case _:
                return None

    def _tell_safely(
        self, tell: Callable[..., None], answer: Answer, *more: Order[Command]
    ) -> None:
        try:
            tell(answer, *more)
        except Exception:  # a listener that fails keeps nothing from the others
            logger.exception("somebody who listens could not be told of %s", answer.command_id)

    def reread_stale(self) -> None:
        """Read again what could not be read when it should have been: look at no table before."""
        if self._stale:
            self._drop(self.generations_of(sorted(self._stale)))

    # -- at most once ------------------------------------------------------------------------

    def command_of(self, command_id: str, place: str) -> Command | None:
        """What was given under an id at a place, if anything was: whoever fills something in finds
        what was filled in the first time. Asked under the lock."""
        lately = self._answered.command_of(command_id)
        if lately is not None:
            return lately
        stored = self.reader.recall(command_id)[1]
        if stored is None or stored.place != place:
            return None
        return self.pit.at(place).read_command(stored.command)

    def _from_log(self, command_id: str | None, given: Given) -> Answer | None:
        """The answer to a command that was carried out before, maybe by another process.

        Of what was stored before orders were, the log knows who said something where.
        """
        if command_id is not None and self.known_ids and self.known_ids.is_new(command_id):
            return None
        known, stored = self.reader.recall(command_id) if command_id else (False, None)
        if command_id is None or not known:
            return None
        rows = self.reader.answer_of(command_id)
        if stored is not None:
            same = self._is_same(stored, given)
        else:
            mine = (given.place, given.order.who)
            same = not rows or any((row.stream, row.who) == mine for row in rows)
        if not same:
            raise taken(command_id)
        # A table that was closed since is not run any more, nor told of again.
        here = self.pit.tables.keys() | self.pit.links.keys()
        rows = [row for row in rows if row.stream in here]
        said = tuple(Said(place=row.stream, event=self._event(row)) for row in rows)
        positions = tuple(row.position for row in rows)
        return Answer(command_id=command_id, said=said, positions=positions, again=True)

    def _is_same(self, stored: OrderRecord, given: Given) -> bool:
        """Whether what was carried out under an id is what is given now."""
        command = given.order.command
        if (stored.place, stored.who) != (given.place, given.order.who):
            return False
        if stored.command == msgspec.json.encode(command):
            return True
        try:  # another version may write it otherwise
            return self.pit.at(given.place).read_command(stored.command) == command
        except BadCommand:
            return False

    def _event(self, row: Row) -> Event:
        if is_shuffle_book(row.stream):  # it may not have been opened in this process yet
            return ShuffleBook.read_event(row.event)
        return self.pit.at(row.stream).read_event(row.event)

    # -- money -------------------------------------------------------------------------------

    def balance(self, account: str, *, at_least: int | None = None) -> int:
        """What an account holds, with everything that was given so far.

        If it seems to hold less than `at_least`, it is looked up: another process may have paid in.
        """
        with self.lock:
            if self.store.beside_others:
                self.writer.flush()
                return self.reader.balance(account)
            known = self._balances.get(account)
            if known is None or (at_least is not None and known < at_least):
                self.writer.flush()
                self._balances[account] = self.reader.balance(account)
            return self._balances[account]

    def write_beside_others(self, others: bool) -> None:
        """Whether other servers move money meanwhile: then no balance is known by heart."""
        with self.lock:
            if others != self.store.beside_others:
                self._balances.clear()
                self.store.beside_others = others

    def _enough_money(self, place: str, order: Order[Command]) -> Refused | None:
        """A player brings no more to a table than is in his account (standard 27)."""
        table = self.pit.tables.get(place)
        buying = table.buying(order.command) if table is not None else None
        if buying is None:
            return None
        player, amount = buying
        if self.behalf is not None and self.behalf.word == "cash":
            return None  # it comes with the order
        held = self.balance(player_account(player), at_least=amount)
        if amount <= held:
            return None
        says = (
            f"The account of {player} holds {write_money(held)}; {write_money(amount)} is needed."
        )
        return Refused((NO_NEGATIVE_BALANCE,), says)

    # -- the rest ----------------------------------------------------------------------------

    def listen(self, listener: Callable[[Answer], None]) -> None:
        """Be told of every answer once it is durable, and not before."""
        self._listeners.append(listener)

    def watch(self, watcher: Watcher) -> None:
        """Be told of every answer as it is made, and again when it is stored or lost."""
        self._watchers.append(watcher)

    def keep_states(self, places: Collection[str] | None = None) -> None:
        """Keep the state of every place, or of some, so that the next start replays nothing."""
        with self.lock:
            self.reread_stale()
            self.writer.flush()
            # What `flush` turned away is not undone yet: its places would keep what never happened.
            self._drop(self.store.turned_away(self._generations))
            kept = [
                Snapshot(stream=place, position=position, state=self.pit.at(place).snapshot())
                for place, position in self.positions.items()
                if position and (places is None or place in places)
            ]
            self.store.save_snapshots(kept)

    def close(self) -> None:
        """Store everything that was given, then stop."""
        if self.known_ids is not None:
            self.known_ids.close()
        self.writer.close()
        if self.ownership is not None:
            self.ownership.close()
