"""Many orders decided again at once, one step after the other for all of them.

Nearly every order of a night is as it should be. So a batch of them is looked at as it is stored,
without a record of each: first every digest, then every command is read, every order given to its
place, every event written, and all of it compared at once with what is stored. One step for many
orders takes less time than many steps for one.

Whatever is amiss with any of them, nothing is said about it here: the places are made again as they
stood before the batch, and `croupier.house.audit.redecide` goes through it order by order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, field

from croupier.house.audit.findings import Damaged, Difference, reading
from croupier.house.audit.reading import Values, read_decision
from croupier.house.audit.walk import Moved, PlaceWalk
from croupier.house.hidden import SHUFFLES
from croupier.house.records import Decided, Row
from croupier.house.store import Store
from croupier.house.store_reader import RawDecision
from croupier.table import ActorRank, BadCommand, Command, Event, Order, Refused

if TYPE_CHECKING:
    from croupier.house.audit.redecide import Redecision

TRIES = 5
"""Batches that may have to be done again one by one; then it is not tried any more."""
RANKS = {rank.value: rank for rank in ActorRank}
_encode_lines = msgspec.json.Encoder().encode_lines
"""Each on a line of its own. No event has a line feed in it as it is written, so lines are the same
only if every event is."""

Here = tuple[PlaceWalk, Order[Command], list[Values]]
"""An order of which nobody hears but the place to which it was given, and its rows."""


class _Amiss(Exception):
    """Something is not as it should be: what, is found one by one."""


class _Made(Struct):
    """What a batch comes to, and what is stored of it."""

    said: list[Event] = field(default_factory=list)
    stored: list[bytes] = field(default_factory=list)
    """The event that is stored in place of each."""
    last: dict[str, Event] = field(default_factory=dict)
    """The last event of each place."""
    moved: defaultdict[str, list[Moved]] = field(default_factory=lambda: defaultdict(list))
    """What it moved at each place."""
    chance: list[tuple[PlaceWalk, Sequence[Any], Sequence[Event], Sequence[Row]]] = field(
        default_factory=list
    )
    """Where chance had a part: the rows of an order at a place, its events, its rows anywhere."""

    def add(
        self,
        walk: PlaceWalk,
        rows: Sequence[Any],
        events: Sequence[Event],
        at: tuple[int, str],
        everywhere: Sequence[Row] = (),
    ) -> None:
        """What an order has come to at one place; `at` is the position of its last event there,
        and its id."""
        place = walk.place
        self.said += events
        self.last[place] = events[-1]
        position, command_id = at
        moved = walk.replay.moved_by(events)
        if moved:
            if sum(moved.values()):
                raise _Amiss
            entries = self.moved[place]
            for account, amount in moved.items():
                entries.append((place, position, account, amount))
        if walk.is_by_chance(command_id, events):
            self.chance.append((walk, rows, events, everywhere))


class Together:
    """Decides the orders of one walk, many at once."""

    def __init__(self, redecision: Redecision, store: Store) -> None:
        self._redecision = redecision
        self._store = store
        self._walks = redecision.walks
        self._tries = TRIES if redecision.as_stored else 0

    def fitting(self, some: Sequence[RawDecision], start: int) -> int:
        """The end of those, from one on, that can be decided together: each at places that have
        begun, with events to which it is bound, and none after a state that is kept."""
        if not self._tries:
            return start
        walks, spoiled = self._walks, self._redecision.is_spoiled
        for index in range(start, len(some)):
            values, rows = some[index]
            place = values[2]
            walk = walks.get(place)
            if walk is None or not rows or values[11] or spoiled(place):
                return index
            if values[8] or rows[0][0] != place or rows[-1][0] != place:
                touched = {row[0]: row[1] for row in rows}
            else:
                touched = {place: rows[-1][1]}
            kept = False
            for each, position in touched.items():
                found = walks.get(each)
                if found is None or found.replay.conversation is None:
                    return index
                snapshot = found.snapshot
                kept = kept or (snapshot is not None and snapshot.position <= position)
            if kept:
                return index + 1
        return len(some)

    def decide(self, some: Sequence[RawDecision]) -> list[Difference] | None:
        """Decide these again; None if something is amiss, and they must be decided one by one."""
        by_place: defaultdict[str, list[Values]] = defaultdict(list)
        for _, rows in some:
            for row in rows:
                by_place[row[0]].append(row)
        begun = False
        try:
            given = [self._order(values, rows) for values, rows in some]
            for place, rows in by_place.items():
                self._check_chain(place, rows)
            begun = True
            made = self._made(given)
            if _encode_lines(made.said) != b"\n".join([*made.stored, b""]):
                raise _Amiss
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

    def _order(self, values: Values, rows: list[Values]) -> Here | Decided:
        """An order as it is given again, bound to the first of its rows."""
        number, command_id, place, who, rank, at, authority, software, also, command, _, _ = values
        head = f"{number}\n{command_id}\n{place}\n{who}\n{rank}\n{at}\n{authority}\n{software}\n"
        bound = sha256(b"%b%b\n%b" % (head.encode(), also, command)).digest()
        by = (command_id, who, rank, at)
        elsewhere = False
        for row in rows:
            if row[2:6] != by:
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
        walk = self._walks[place]
        conversation = walk.replay.conversation
        assert conversation is not None
        order = Order(
            command=conversation.read_command(command),
            who=who,
            rank=RANKS[rank],
            when=datetime.fromisoformat(at),
        )
        return walk, order, rows

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
        stored, hanging, redecision = made.stored, self._redecision.hanging, self._redecision
        try:
            for each in given:
                if isinstance(each, Decided):
                    self._give_everywhere(each, made)
                    continue
                walk, order, rows = each
                conversation = walk.replay.conversation
                assert conversation is not None
                answer = conversation.handle(order)
                if isinstance(answer, Refused):
                    raise _Amiss
                events: Sequence[Event] | None = answer
                if walk.place in hanging:
                    events = redecision.carried(walk.place, order, answer)
                if events is None or len(events) != len(rows):
                    raise _Amiss
                for row in rows:
                    stored.append(row[6])
                made.add(walk, rows, events, rows[-1][1:3])
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
            made.stored += [row.event for row in rows]
            last = rows[-1]
            at = last.position, last.command_id
            made.add(self._walks[place], rows, events, at, decided.rows)

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


def _is_timely(before: str, rows: Sequence[Values]) -> bool:
    """Whether no time of these rows is earlier than the one before it, as far as their texts tell;
    `before` is the time of the row before them."""
    times = [row[5] for row in rows]
    return [before, *times] == sorted([before, *times]) and all(at[-1:] == "Z" for at in times)
