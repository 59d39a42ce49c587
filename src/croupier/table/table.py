"""A table: a conversation with seats, a viewer's view, what is offered, and plain facts.

The games subclass `Table`. What they must provide is small: their rooms, a state, settings, who
sits where, what each may do now, and what a viewer sees.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import Struct

from croupier.table.actor import ActorRank
from croupier.table.command import Command, OpenTable, Order
from croupier.table.conversation import Conversation, State
from croupier.table.decision import DecisionNeeded
from croupier.table.errors import BadCommand
from croupier.table.event import DrawNeeded, Event, ShuffleNeeded, TableOpened
from croupier.table.offer import Offer
from croupier.table.reports import Reportable, possible
from croupier.table.room import Room
from croupier.table.view import Viewer


class TableState(State, kw_only=True):
    """What every table remembers. A game adds its seats, cards and chips."""

    rulebook: str = ""
    opened: bool = False
    policies: dict[str, str] = {}


class PendingDecision(Struct, kw_only=True):
    """A decision that the table waits for, as a case file or a console sees it."""

    question: str
    of: int | ActorRank
    options: list[str]


class Facts(Struct, kw_only=True):
    """What can be said of a table now, in plain values: what cases expect and consoles show.

    A game adds its own. Facts are total: they can be taken between any two events.
    """

    status: str
    turn: int | None = None
    options: list[str] = []
    offered: dict[int, list[str]] = {}
    decisions: list[PendingDecision] = []
    waiting_for: list[str] = []


S = TypeVar("S", bound=TableState)

opening = Room("opening")


class Table(Conversation[S]):
    """One table of one game under one rulebook."""

    shared_rooms: ClassVar[tuple[Room, ...]] = (opening,)
    state_type: ClassVar[type[State]] = TableState
    settings_type: ClassVar[type[Struct]]

    closed = True
    counts_every_chip: ClassVar[bool] = True
    """Whether the table knows of every chip there; a game may leave players' racks uncounted."""

    def check_open(self, kind: type[Command]) -> None:
        self.closed = not self.state.opened
        if self.closed and kind is not OpenTable:
            raise BadCommand("the table is not open; it begins with 'open table'")

    # -- what a game provides ----------------------------------------------------------------

    def check_opening(self, settings: Struct, order: Order[OpenTable]) -> None:
        """Refuse to open where the book asks for something that the settings lack."""

    def begin(self, settings: Struct) -> None:
        """Take the settings into the state; called when `TableOpened` is applied."""
        raise NotImplementedError

    def due(self) -> Command | None:
        """What the dealer does next, where that needs no judgement; the House gives it at an
        automatic table. None while the table waits for somebody."""
        return None

    def next_call(self) -> Command | None:
        """The call that opens a game, a round or bets, or closes bets, if it could be made now.
        When it is made is for whoever runs the table, not for the book."""
        return None

    def turn(self) -> int | None:
        """The seat or box whose turn it is, if it is anybody's."""
        return None

    def offers(self, seat: int) -> list[Offer]:
        """Exactly what the player at a seat or box may do now."""
        return []

    def reports(self, *, when: datetime, rank: ActorRank | None = None) -> list[Reportable]:
        """Exactly what can be reported now: everything else would be refused.

        By the dealer, or in the rank that is usual for a report; `rank` names another.
        """
        found: list[Reportable] = []
        for kind, report in self.whole.reports.items():
            by = rank or kind.usually_by

            def accepted(command: Command, by: ActorRank = by) -> bool:
                order = Order(command=command, who=by.value, rank=by, when=when)
                return self.objection(order) is None

            for fields in report.candidates(self):
                found += possible(kind, fields, accepted)
        return found

    def taken_seats(self) -> list[int]:
        """The seats or boxes that are taken, in order."""
        return []

    def buying(self, command: Command) -> tuple[str, int] | None:
        """The player who brings chips to the table by this command, and how much of his money."""
        return None

    def status(self) -> str:
        """What the table is doing, in a word or two."""
        raise NotImplementedError

    def playing(self) -> bool:
        """True while a round is under way."""
        raise NotImplementedError

    def facts(self) -> Facts:
        """The plain facts of the table; a game returns its own subclass of `Facts`."""
        return Facts(**self.shared_facts())

    def named_facts(self, names: Collection[str]) -> dict[str, Any]:
        """Some of the facts. A game that tells them one by one need not work out the others."""
        facts = self.facts()
        return {name: getattr(facts, name) for name in names}

    def view(self, viewer: Viewer) -> Struct:
        """The table as this viewer may see it."""
        raise NotImplementedError

    # -- what every table has ----------------------------------------------------------------

    def shared_facts(self) -> dict[str, Any]:
        """The values of the fields of `Facts`, for a game to build its own facts upon."""
        return {name: told(self) for name, told in SHARED_FACTS.items()}

    def show(self, event: Event, viewer: Viewer) -> Event | None:
        """An event as this viewer may see it, or None if he may not know of it.

        The auditor reads the log of finished rounds whole; while a round is under way he sees
        what lies face up, as everybody does.
        """
        if viewer.auditor and (viewer.afterwards or not self.playing()):
            return event
        seat = event.private_to()
        if seat is not None and viewer.who is not None and self.player_at(seat) == viewer.who:
            return event
        return event.public()


def _options(table: Table[Any]) -> list[str]:
    turn = table.turn()
    if turn is None or turn not in table.taken_seats():
        return []
    return [str(offer) for offer in table.offers(turn)]


def _offered(table: Table[Any]) -> dict[int, list[str]]:
    return {
        seat: [str(offer) for offer in offers]
        for seat in table.taken_seats()
        if (offers := table.offers(seat))
    }


def _decisions(table: Table[Any]) -> list[PendingDecision]:
    return [
        PendingDecision(
            question=need.question, of=need.of, options=[option.name for option in need.options]
        )
        for need in table.state.waiting
        if isinstance(need, DecisionNeeded)
    ]


def _waiting_for(table: Table[Any]) -> list[str]:
    waiting = []
    for need in table.state.waiting:
        if isinstance(need, ShuffleNeeded):
            waiting.append(f"shuffle {len(need.cards)}")
        elif isinstance(need, DrawNeeded):
            waiting.append(f"draw {need.pick} of {need.among}")
    return waiting


SHARED_FACTS: Mapping[str, Callable[[Table[Any]], Any]] = {
    "status": lambda table: table.status(),
    "turn": lambda table: table.turn(),
    "options": _options,
    "offered": _offered,
    "decisions": _decisions,
    "waiting_for": _waiting_for,
}
"""How the facts of every table are told."""


@opening.decides(OpenTable)
def open_table(table: Table[Any], order: Order[OpenTable]) -> None:
    """A table opens once, with settings that can be read and policies that the book has."""
    command = order.command
    if table.state.opened:
        raise BadCommand(f"table {table.state.name!r} is open already")
    if not order.rank.is_at_least(ActorRank.DEALER):
        raise BadCommand("a player cannot open a table")
    try:
        settings = msgspec.convert(command.settings, table.settings_type)
    except msgspec.ValidationError as error:
        raise BadCommand(f"settings of table {command.table!r}: {error}") from error
    policies = table.book.policies_with(command.policies)
    table.check_opening(settings, order)
    table.emit(
        TableOpened(
            table=command.table,
            rulebook=table.book.id,
            settings=msgspec.to_builtins(settings),
            policies=dict(policies),
        )
    )


@opening.applies(TableOpened)
def table_opened(table: Table[Any], event: TableOpened) -> None:
    state = table.state
    state.name = event.table
    state.rulebook = event.rulebook
    state.policies = dict(event.policies)
    state.opened = True
    table.begin(msgspec.convert(event.settings, table.settings_type))
