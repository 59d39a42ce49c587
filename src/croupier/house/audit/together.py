"""Many orders decided again at once, one step after the other for all of them.

Nearly every order of a night is as it should be. So a batch of them is looked at as it is stored,
without a record of each: first every digest, then every command is read, every order given to its
place, every event written and compared with what is stored, at last the entries. One step for many
orders takes less time than many steps for one.

Whatever is wrong with any of them, nothing is said about it here: the places are made again as they
stood before the batch, and `croupier.house.audit.redecide` goes through it order by order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from croupier.house.audit.findings import Damaged, Difference, reading
from croupier.house.audit.reading import Values, read_decision
from croupier.house.audit.walk import Moved, PlaceWalk
from croupier.house.hidden import SHUFFLES
from croupier.house.ledger import moves_nothing
from croupier.house.records import Decided, Row
from croupier.house.store import Store
from croupier.house.store_reader import RawDecision
from croupier.table import ActorRank, BadCommand, Command, Event, Order, Refused
from croupier.table.link import ToLink, ToTables

if TYPE_CHECKING:
    from croupier.house.audit.redecide import Redecision

TRIES = 5
"""Batches that may have to be done again one by one; then it is not tried any more."""
RANKS = {rank.value: rank for rank in ActorRank}
_encode = msgspec.json.Encoder().encode

COMMANDS_KEPT = 10_000
"""Commands that are kept as they were read: most are given again and again, such as a Check."""

MONEY, CHANCE, ADDRESSED = 1, 2, 4
"""What is to be looked at in events of a kind: whether money crossed or moved, what chance has
brought, whether others must hear it."""

RowsByPlace = defaultdict[str, list[Values]]


class _Kinds(dict[type[Event], int]):
    """The kinds of events that there have been at a place, each with what is to be looked at."""

    def __init__(self, walk: PlaceWalk, *, hangs: bool) -> None:
        self._walk = walk
        self._hangs = hangs

    def __missing__(self, kind: type[Event]) -> int:
        found = 0 if moves_nothing(kind) else MONEY
        if self._walk.secrets.concerned(self._walk.conversation, kind):
            found |= CHANCE
        if self._hangs and issubclass(kind, (ToLink, ToTables)):
            found |= ADDRESSED
        self[kind] = found
        return found


class _Place(Struct):
    """A place at which orders are given again."""

    walk: PlaceWalk
    handle: Callable[[Order[Command]], tuple[Event, ...] | Refused]
    read: Callable[[bytes], Command]
    commands: dict[bytes, Command]
    kinds: _Kinds


Here = tuple[_Place, Order[Command], list[Values]]
"""An order of which nobody hears but the place to which it was given, and its rows."""


class _Amiss(Exception):
    """Something is not as it should be: what, is found one by one."""


class _Made(Struct):
    """What a batch comes to, and what is stored of it."""

    last: dict[str, Event] = field(default_factory=dict)
    """The last event of each place."""
    moved: defaultdict[str, list[Moved]] = field(default_factory=lambda: defaultdict(list))
    """What it moved at each place."""
    chance: list[tuple[PlaceWalk, Sequence[Any], Sequence[Event], Sequence[Row]]] = field(
        default_factory=list
    )
    """Where chance had a part: the rows of an order at a place, its events, its rows anywhere."""

    def move(self, place: str, position: int, moved: dict[str, int]) -> None:
        """What an order has moved at one place; `position` is its last event there."""
        if sum(moved.values()):
            raise _Amiss
        entries = self.moved[place]
        for account, amount in moved.items():
            entries.append((place, position, account, amount))


class Together:
    """Decides the orders of one walk, many at once."""

    def __init__(self, redecision: Redecision, store: Store) -> None:
        self._redecision = redecision
        self._store = store
        self._walks = redecision.walks
        self._tries = TRIES if redecision.as_stored else 0
        self._kinds: dict[str, _Kinds] = {}
        self._commands: defaultdict[type, dict[bytes, Command]] = defaultdict(dict)
        """By the kind of place, as they are stored."""

    def fitting(self, some: Sequence[RawDecision], start: int) -> tuple[int, RowsByPlace]:
        """The end of those, from one on, that can be decided together: each at places that have
        begun, with events to which it is bound, and none after a state that is kept. With it, the
        rows of each place."""
        by_place: RowsByPlace = defaultdict(list)
        if not self._tries:
            return start, by_place
        walks = self._walks
        ends: dict[str, float] = {}
        for index in range(start, len(some)):
            values, rows = some[index]
            if not rows or values[11] or values[2] not in walks:
                return index, by_place
            kept = False
            for row in rows:
                place = row[0]
                end = ends.get(place)
                if end is None:
                    end = ends[place] = self._end(place)
                if end < 0:
                    return index, by_place
                if row[1] >= end:
                    kept = True
            for row in rows:
                by_place[row[0]].append(row)
            if kept:
                return index + 1, by_place
        return len(some), by_place

    def _end(self, place: str) -> float:
        """The position up to which orders at a place can be decided together: that of the state
        that is kept of it. A negative one if none can: it has not begun, or is spoiled."""
        walk = self._walks.get(place)
        if walk is None or walk.conversation is None or self._redecision.is_spoiled(place):
            return -1
        return walk.snapshot.position if walk.snapshot is not None else inf

    def decide(self, some: Sequence[RawDecision], by_place: RowsByPlace) -> list[Difference] | None:
        """Decide these again; None if something is wrong, and they must be decided one by one."""
        begun = False
        try:
            places = {place: self._place(place) for place in by_place}
            given = [self._order(places, values, rows) for values, rows in some]
            for place, rows in by_place.items():
                self._check_chain(place, rows)
            begun = True
            made = self._made(given)
            for place, rows in by_place.items():
                self._compare_entries(place, rows[-1][1], made.moved[place])
        except (_Amiss, BadCommand, Damaged, KeyError, ValueError):
            self._tries -= 1
            if begun:
                self._redecision.make_again(by_place)
            return None
        self._redecision.walked.decided += len(some)
        for place, rows in by_place.items():
            self._redecision.walked.timely &= _is_timely(self._walks[place].at, rows)
            self._walks[place].take_many(rows, made.last[place], made.moved[place])
        return list(self._differences(made, by_place))

    def _place(self, place: str) -> _Place:
        """A place as it stands before a batch."""
        walk = self._walks[place]
        conversation = walk.conversation
        assert conversation is not None
        kinds = self._kinds.get(place)
        if kinds is None:
            hangs = place in self._redecision.hanging
            kinds = self._kinds[place] = _Kinds(walk, hangs=hangs)
        return _Place(
            walk=walk,
            handle=conversation.handle,
            read=conversation.read_command,
            commands=self._commands[type(conversation)],
            kinds=kinds,
        )

    def _order(
        self, places: dict[str, _Place], values: Values, rows: list[Values]
    ) -> Here | Decided:
        """An order as it is given again, bound to the first of its rows."""
        number, command_id, place, who, rank, at, authority, software, also, command, _, _ = values
        head = f"{number}\n{command_id}\n{place}\n{who}\n{rank}\n{at}\n{authority}\n{software}\n"
        bound = sha256(head.encode() + also + b"\n" + command).digest()
        elsewhere = False
        for row in rows:
            if row[2] != command_id or row[3] != who or row[4] != rank or row[5] != at:
                raise _Amiss
            if row[0] != place:
                elsewhere = True
                if row[8]:
                    raise _Amiss
            elif (row[8] or b"") != bound:
                raise _Amiss
            else:
                bound = b""  # to which the first of its rows here is bound, and no other
        if bound:
            raise _Amiss
        if elsewhere or also or command.startswith(SHUFFLES):
            return read_decision(self._store, values, rows)
        here = places[place]
        given = here.commands.get(command)
        if given is None:
            given = here.read(command)
            if len(here.commands) < COMMANDS_KEPT and _is_constant(given):
                here.commands[command] = given
        when = datetime.fromisoformat(at)
        return here, Order(command=given, who=who, rank=RANKS[rank], when=when), rows

    def _check_chain(self, place: str, rows: Sequence[Values]) -> None:
        """These rows must come next at a place, each chained to the one before it; see
        `croupier.house.chain`."""
        replay = self._walks[place].replay
        last, position = replay.last, replay.position
        for _, where, command_id, who, rank, at, event, digest, order in rows:
            position += 1
            bound = order.hex() if order else ""
            head = f"{place}\n{where}\n{command_id}\n{who}\n{rank}\n{at}\n{bound}\n"
            last = sha256(last + head.encode() + event).digest()
            if last != digest or where != position:
                raise _Amiss

    def _made(self, given: Sequence[Here | Decided]) -> _Made:
        """Give them to their places."""
        made = _Made()
        last, carried, encode = made.last, self._redecision.carried, _encode
        try:
            for each in given:
                if isinstance(each, Decided):
                    self._give_everywhere(each, made)
                    continue
                here, order, rows = each
                answer = here.handle(order)
                if isinstance(answer, Refused):
                    raise _Amiss
                events: Sequence[Event] = answer
                kinds, found = here.kinds, 0
                for event in events:
                    found |= kinds[type(event)]
                walk = here.walk
                if found & ADDRESSED:
                    events = carried(walk.place, order, answer)
                if len(events) != len(rows):
                    raise _Amiss
                for event, row in zip(events, rows, strict=True):
                    if encode(event) != row[6]:
                        raise _Amiss
                last[walk.place] = event
                moved = walk.replay.moved_by(events if found & MONEY else ())
                if moved:
                    made.move(walk.place, row[1], moved)
                if found & CHANCE or row[2] in walk.secrets.committed_with:
                    made.chance.append((walk, rows, events, ()))
        except _Amiss:
            raise
        except Exception as error:  # whatever it is, it is said when the order comes up again
            raise _Amiss from error
        return made

    def _give_everywhere(self, decided: Decided, made: _Made) -> None:
        """Give an order that other places had to hear."""
        stored: dict[str, list[Row]] = {}
        for row in decided.rows:
            stored.setdefault(row.stream, []).append(row)
        said = self._redecision.said(decided.order, stored)
        if said.keys() != stored.keys():
            raise _Amiss
        for place, rows in stored.items():
            events = said[place]
            if len(events) != len(rows):
                raise _Amiss
            for event, row in zip(events, rows, strict=True):
                if _encode(event) != row.event:
                    raise _Amiss
            made.last[place] = events[-1]
            walk, last = self._walks[place], rows[-1]
            moved = walk.replay.moved_by(events)
            if moved:
                made.move(place, last.position, moved)
            if walk.is_by_chance(last.command_id, events):
                walk.secrets.decided(walk.conversation, last.command_id)
                made.chance.append((walk, rows, events, decided.rows))

    def _compare_entries(self, place: str, until: int, moved: list[Moved]) -> None:
        """What was moved at a place must be the stored entries, no more and no less."""
        with reading("entries", place):
            kept = self._store.raw_entries(place, self._walks[place].replay.position, until)
        if len(kept) != len(moved) or set(kept) != set(moved):
            raise _Amiss

    def _differences(self, made: _Made, by_place: dict[str, list[Values]]) -> Iterator[Difference]:
        """What is wrong with chance and with states that are kept, where all else is as it is."""
        for walk, rows, events, everywhere in made.chance:
            read = rows if everywhere else self._store.read_rows(rows)
            yield from walk.by_chance(read, events, everywhere)
        for place in by_place:
            yield from self._walks[place].check_kept_state()


def _is_constant(command: Command) -> bool:
    """Whether nothing in a command can change, so that it can be given more than once."""
    try:
        hash(command)
    except TypeError:  # something in it is a list or a dictionary
        return False
    return True


def _is_timely(before: str, rows: Sequence[Values]) -> bool:
    """Whether no time of these rows is earlier than the one before it, as far as their texts tell;
    `before` is the time of the row before them."""
    times = [row[5] for row in rows]
    return [before, *times] == sorted([before, *times]) and all(at[-1:] == "Z" for at in times)
