"""The stored logs, command by command, with who sat where and which round it was.

A log is read from its beginning and replayed, because only so it is known who sat at a seat. Each
row is held to its chain. What is kept in memory is one table for each place and a page of its rows,
however long the logs are; the more places, the smaller the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from heapq import merge
from itertools import groupby, islice
from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.office import Office
from croupier.house.openings import round_of
from croupier.house.records import OrderRecord, RefusedRecord, Row
from croupier.house.replaying import apply_event, held_rows, read_event
from croupier.house.shuffle_book import is_shuffle_book
from croupier.house.store import Store
from croupier.pit.ports.port import GamePort
from croupier.pit.registry import GAMES
from croupier.table import Conversation, Event, Table
from croupier.table.event import Namer

Progress = Callable[[int], None]
Roster = dict[int, str]
"""Who sat at which seat or box."""

ROWS_IN_MEMORY = 20_000
"""Rows of all logs together that are read ahead."""
FEWEST = 50


def quiet(rows: int) -> None:
    """Nobody wants to know how far it is."""


class Given(Struct, frozen=True, kw_only=True):
    """A command at one place, with what came of it there; or one that was refused there."""

    place: str
    at: datetime
    number: int
    """Of its order; -1 where it was stored before orders were; of what was refused, that of the
    order before it here."""
    round: int | None
    """At a table: the round that was under way, or the last one; 0 before the first."""
    roster: Roster
    """Who sat where, before it or after it."""
    conversation: Conversation[Any]
    """The place as the command left it. It goes on: look at it before the next is read."""
    ordered_at: Conversation[Any]
    """What the order was given to: this place, or one of the same kind as the other place."""
    rows: tuple[Row, ...] = ()
    events: tuple[Event, ...] = ()
    order: OrderRecord | None = None
    refused: RefusedRecord | None = None

    @property
    def port(self) -> GamePort[Any] | None:
        """The port of the game, at a table."""
        at = self.conversation
        return GAMES.port_of(at) if isinstance(at, Table) else None

    @property
    def who(self) -> str:
        """Who gave it."""
        return self.rows[0].who if self.refused is None else self.refused.who

    @property
    def rank(self) -> str:
        """In which rank."""
        return self.rows[0].rank if self.refused is None else self.refused.rank

    @property
    def command(self) -> bytes:
        """The command as it was given, as JSON; nothing where it is not stored."""
        if self.refused is not None:
            return self.refused.command
        return self.order.command if self.order is not None else b""

    @property
    def authority(self) -> str:
        """By whose authority, as JSON; nothing where it is not stored."""
        given = self.refused or self.order
        return given.authority if given is not None else ""


def walk(
    store: Store,
    places: list[str],
    *,
    until: datetime | None = None,
    refused: bool = False,
    progress: Progress = quiet,
) -> Iterator[Given]:
    """Everything that was ordered at some places, by time; with what was refused, if it is wanted.

    `progress` is told how many rows were read.
    """
    read = [0]
    at_once = max(FEWEST, ROWS_IN_MEMORY // max(1, len(places)))

    def tell(rows: int) -> None:
        read[0] += rows
        progress(read[0])

    kinds = Kinds(store)
    walks = (_Walk(store, place, at_once, tell, until, refused, kinds).read() for place in places)
    yield from merge(*walks, key=lambda given: (given.at, given.number))


class Kinds:
    """What each place is, known from its log and made once: empty, to read commands and events."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[str, Conversation[Any]] = {}

    def of(self, place: str) -> Conversation[Any]:
        """An empty table, link or office of the kind of this place."""
        if place not in self._made:
            first = next(self._store.rows(place, until=1, at_once=1), None)
            self._made[place] = conversation_of(place, first.event) if first else Office()
        return self._made[place]


class _Walk:
    """One log."""

    def __init__(
        self,
        store: Store,
        place: str,
        at_once: int,
        progress: Progress,
        until: datetime | None,
        refused: bool,
        kinds: Kinds,
    ) -> None:
        self.kinds = kinds
        self.store, self.place, self.at_once, self.progress = store, place, at_once, progress
        self.until = until
        self.refused = store.refused(place=place) if refused else iter(())
        self.next_refused = next(self.refused, None)
        first = next(store.rows(place, until=1, at_once=1), None)
        self.conversation = conversation_of(place, first.event) if first is not None else None
        self.number = -1
        """Of the last order here."""

    def read(self) -> Iterator[Given]:
        if self.conversation is None:
            return
        rows = held_rows(self.store, self.place, at_once=self.at_once)
        commands = groupby(rows, key=lambda row: row.command_id)
        while some := [list(group) for _, group in islice(commands, self.at_once)]:
            found = self.store.orders_of(group[0].command_id for group in some)
            orders = {order.command_id: order for order in found}
            for group in some:
                at = datetime.fromisoformat(group[0].at)
                if self.until is not None and at >= self.until:
                    yield from self._refused_before(self.until)
                    return
                yield from self._refused_before(at)
                yield self._given(group, at, orders.get(group[0].command_id))
            self.progress(sum(map(len, some)))
        yield from self._refused_before(self.until)

    def _given(self, rows: list[Row], at: datetime, order: OrderRecord | None) -> Given:
        conversation = self.conversation
        assert conversation is not None
        here = order is None or order.place == self.place
        before = roster_of(conversation)
        events = tuple(read_event(conversation, row) for row in rows)
        for row, event in zip(rows, events, strict=True):
            apply_event(conversation, row, event)
        self.number = order.number if order is not None else -1
        return Given(
            place=self.place,
            at=at,
            number=self.number,
            round=_round(conversation),
            roster=before | roster_of(conversation),
            conversation=conversation,
            ordered_at=conversation if here else self.kinds.of(order.place if order else ""),
            rows=tuple(rows),
            events=events,
            order=order,
        )

    def _refused_before(self, moment: datetime | None) -> Iterator[Given]:
        """What was refused here meanwhile."""
        conversation = self.conversation
        assert conversation is not None
        while self.next_refused is not None:
            refused = self.next_refused
            at = datetime.fromisoformat(refused.at)
            if moment is not None and at >= moment:
                return
            yield Given(
                place=self.place,
                at=at,
                number=self.number,
                round=_round(conversation),
                roster=roster_of(conversation),
                conversation=conversation,
                ordered_at=conversation,
                refused=refused,
            )
            self.next_refused = next(self.refused, None)


def places_of(store: Store, named: str | None = None) -> list[str]:
    """The logs to be read: one that is named, or all but the shuffle books, in which nobody acts
    but the software."""
    if named is not None:
        return [named]
    return [place for place in store.streams() if not is_shuffle_book(place)]


def length_of(store: Store, places: list[str]) -> int:
    """How many rows these logs have."""
    heads = store.heads()
    return sum(heads[place].position for place in places if place in heads)


def roster_of(conversation: Conversation[Any]) -> Roster:
    """Who sits where now."""
    if not isinstance(conversation, Table) or not conversation.state.opened:
        return {}
    found = {seat: conversation.player_at(seat) for seat in conversation.taken_seats()}
    return {seat: who for seat, who in found.items() if who is not None}


def namer(roster: Roster) -> Namer:
    """Name a seat or box by who sat there, and by its number."""
    return lambda seat: f"{roster[seat]} ({seat})" if seat in roster else f"place {seat}"


def _round(conversation: Conversation[Any]) -> int | None:
    if not isinstance(conversation, Table):
        return None
    return round_of(conversation) if conversation.state.opened else 0
