"""A conversation that an audit makes again from its log, event by event, and what it moves."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.house.audit.conversations import conversation_of
from croupier.house.audit.findings import Difference
from croupier.house.audit.withheld import stand_in
from croupier.house.chain import START
from croupier.house.errors import CorruptDatabase
from croupier.house.ledger import Ledger
from croupier.house.openings import cards_in
from croupier.house.records import Entry, Row
from croupier.table import Conversation, Event, ShuffleNeeded, Table
from croupier.table.conversation import write


class Replay:
    """A conversation, made again from its log."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.conversation: Conversation[Any] | None = None
        self.position = 0
        self.last = START
        self.command_id = ""
        self.event: Event | None = None
        self.proven = START
        """The last digest that follows from the events before it: none after what was withheld."""
        self.withheld = 0
        self.broken = False
        """Whether nothing after this can be trusted."""
        self._ledger = Ledger()
        self._events: list[Event] = []

    def ends_before(self, row: Row) -> bool:
        """Whether the command before this row is complete."""
        return bool(self._events) and row.command_id != self.command_id

    def take(self, row: Row) -> Difference | None:
        """Apply one row; what is wrong with its event, if anything is."""
        wrong = ""
        try:
            if self.conversation is None:
                self.conversation = conversation_of(row.stream, row.event)
                self._ledger.follow(self.stream, self.conversation)
            event = self.conversation.read_event(row.event)
            if not (self.withheld and _tells_cards(event)):
                self.conversation.apply(event)
            self._taken(row, event)
            if self.withheld and (_tells_cards(event) or _is_playing(self.conversation)):
                self.broken = True
                wrong = "it was played with a shuffle that was withheld from this file"
            elif write(event) == row.event:
                return None
            else:
                wrong = "the event is not written as croupier writes it"
        except (CorruptDatabase, msgspec.MsgspecError) as error:
            self.broken, wrong = True, str(error)
        except Exception as error:
            self.broken, wrong = True, f"the event cannot have happened here: {error!r}"
        where = f"{row.stream} at {row.position}"
        return Difference(table="log", where=where, column="event", says=wrong)

    def withhold(self, row: Row) -> Difference | None:
        """Go on past a shuffle that is not in this file."""
        event = stand_in(self.conversation)
        if event is None or self.withheld:
            self.broken = True
            says = "only the last shuffle of a table, for a round that has not begun, is withheld"
            where = f"{row.stream} at {row.position}"
            return Difference(table="log", where=where, column="event", says=says)
        assert self.conversation is not None
        self.conversation.apply(event)
        self.withheld = 1
        self._taken(row, event)
        return None

    def _taken(self, row: Row, event: Event) -> None:
        self.event = event
        self.position, self.last, self.command_id = row.position, row.digest, row.command_id
        if not self.withheld:
            self.proven = row.digest
        self._events.append(event)

    def entries(self) -> list[Entry]:
        """What the command that was just completed has moved here."""
        events, self._events = self._events, []
        if self.conversation is None or not events:
            return []
        return self._ledger.post(self.stream, self.conversation, events, self.position)


def _tells_cards(event: Event) -> bool:
    """Whether an event has cards; that a table asks for a shuffle names them in their order."""
    return not isinstance(event, ShuffleNeeded) and any(True for _ in cards_in(event))


def _is_playing(conversation: Conversation[Any]) -> bool:
    return isinstance(conversation, Table) and conversation.playing()
