"""Rooms: where a game registers who decides a command and who changes the table for an event.

A game is made of rooms named after the sections of its rulebook. One function answers each
command, one applies each event; a second one for the same record is an error when the game is
put together.

    room = Room("seating")

    @room.decides(Sit)
    def sit(table: PokerTable, order: Order[Sit]) -> None: ...

    @room.applies(SatDown)
    def sat_down(table: PokerTable, event: SatDown) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from croupier.table.command import Command
from croupier.table.event import Event
from croupier.table.reports import Fields

F = TypeVar("F", bound=Callable[..., None])
C = TypeVar("C", bound=Callable[..., Iterable[Fields]])


class ReportKind(NamedTuple):
    """What a report is about, and what its fields may hold as a table stands."""

    about: tuple[str, ...]
    candidates: Callable[..., Iterable[Fields]]


class Room:
    """The handlers of one section of a game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.commands: dict[type[Command], Callable[..., None]] = {}
        self.events: dict[type[Event], Callable[..., None]] = {}
        self.answers: dict[str, Callable[..., None]] = {}
        self.checks: dict[str, Callable[..., None]] = {}
        self.while_waiting: set[type[Command]] = set()
        self.reports: dict[type[Command], ReportKind] = {}

    def decides(self, *commands: type[Command], while_waiting: bool = False) -> Callable[[F], F]:
        """The function decides these commands; `while_waiting` also while the table waits."""

        def register(function: F) -> F:
            for command in commands:
                _once(self.commands, command, function, self.name)
            if while_waiting:
                self.while_waiting.update(commands)
            return function

        return register

    def applies(self, *events: type[Event]) -> Callable[[F], F]:
        """The function changes the table for these events. Applying cannot fail."""

        def register(function: F) -> F:
            for event in events:
                _once(self.events, event, function, self.name)
            return function

        return register

    def answered(self, *questions: str) -> Callable[[F], F]:
        """Go on once a decision, shuffle or draw with one of these names has been answered."""

        def register(function: F) -> F:
            for question in questions:
                _once(self.answers, question, function, self.name)
            return function

        return register

    def checked(self, *questions: str) -> Callable[[F], F]:
        """Look at an answer before it is taken: refuse one that cannot be carried out."""

        def register(function: F) -> F:
            for question in questions:
                _once(self.checks, question, function, self.name)
            return function

        return register

    def report(self, command: type[Command], *about: str) -> Callable[[C], C]:
        """Say what the fields of a report may hold at all, in one or several alternatives.

        Which of it can be true now is found by trying (`Table.reports`). One that cannot be is
        refused with the first of the topics `about` which it is that the book has.
        """

        def register(function: C) -> C:
            _once(self.reports, command, ReportKind(about, function), self.name)
            return function

        return register


K = TypeVar("K")


def _once(registry: dict[K, Any], key: K, function: Any, room: str) -> None:
    if key in registry:
        raise TypeError(f"{key!r} has two handlers in room {room}")
    registry[key] = function


def join(rooms: Iterable[Room]) -> Room:
    """All rooms as one; the same command, event or question in two rooms is an error."""
    whole = Room("whole game")
    for room in rooms:
        for command, function in room.commands.items():
            _once(whole.commands, command, function, room.name)
        for event, function in room.events.items():
            _once(whole.events, event, function, room.name)
        for question, function in room.answers.items():
            _once(whole.answers, question, function, room.name)
        for question, function in room.checks.items():
            _once(whole.checks, question, function, room.name)
        for report, kind in room.reports.items():
            _once(whole.reports, report, kind, room.name)
        whole.while_waiting |= room.while_waiting
    return whole


def above(shared: Room, game: Room) -> Room:
    """A game's rooms on top of the shared ones.

    For an event that is everybody's, such as `ShuffleGiven`, the game may do more: its function
    runs after the shared one. Commands and questions have one function only.
    """
    whole = join((shared, Room("game")))
    for command, function in game.commands.items():
        _once(whole.commands, command, function, "game")
    for question, function in game.answers.items():
        _once(whole.answers, question, function, "game")
    for question, function in game.checks.items():
        _once(whole.checks, question, function, "game")
    for report, kind in game.reports.items():
        _once(whole.reports, report, kind, "game")
    for event, function in game.events.items():
        first = shared.events.get(event)
        whole.events[event] = function if first is None else _both(first, function)
    whole.while_waiting |= game.while_waiting
    return whole


def _both(first: Callable[..., None], second: Callable[..., None]) -> Callable[..., None]:
    def apply(table: Any, event: Any) -> None:
        first(table, event)
        second(table, event)

    return apply
