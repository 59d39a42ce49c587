"""A place that an audit makes again from its log, event by event, with what it moves meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.house.audit.conversations import Instead, conversation_of
from croupier.house.audit.findings import Difference
from croupier.house.audit.withheld import stand_in
from croupier.house.audit.written import is_written
from croupier.house.chain import START
from croupier.house.errors import CorruptDatabase
from croupier.house.hidden import NO_SECRET, is_hidden
from croupier.house.ledger import Ledger
from croupier.house.records import UNREADABLE, Entry, Row
from croupier.pit.telling import cards_in
from croupier.table import Conversation, Event, ShuffleNeeded, Table


class Replay:
    """A place, made again from its log: by applying what is stored, or by what was decided."""

    def __init__(self, place: str, instead: Instead | None = None) -> None:
        self.place = place
        self.instead = instead
        """Another book or policies, under which it is made again."""
        self.conversation: Conversation[Any] | None = None
        self.position = 0
        self.last = START
        self.command_id = ""
        self.event: Event | None = None
        self.proven = START
        """The last digest that follows from the events before it: none after one that is left out
        of an export."""
        self.withheld = 0
        self.unproven = False
        """Whether an event was left out. One whose deck is hidden is there, and in the chain."""
        self.broken = False
        """Whether nothing after this can be trusted."""
        self._ledger = Ledger()
        self._events: list[Event] = []

    def begin(self, first_event: bytes) -> Conversation[Any]:
        """The empty table or link that the log of this place begins."""
        made = conversation_of(self.place, first_event)
        if self.instead is not None:
            made = self.instead.conversation(made)
        self.set(made)
        return made

    def set(self, conversation: Conversation[Any]) -> None:
        """Go on with this conversation, as it stands."""
        self.conversation = conversation
        self._ledger.follow(self.place, conversation)

    def ends_before(self, row: Row) -> bool:
        """Whether the command before this row is complete."""
        return bool(self._events) and row.command_id != self.command_id

    def take(self, row: Row) -> Difference | None:
        """Apply one row; what is wrong with its event, if anything is."""
        wrong = ""
        try:
            conversation = self.conversation or self.begin(row.event)
            event = conversation.read_event(row.event)
            if not (self.withheld and _tells_cards(event)):
                altered = self.instead.event(conversation, event) if self.instead else event
                conversation.apply(altered)
            self._taken(row, event)
            wrong = self.played_with_withheld(event)
            if not wrong:
                if is_written(row.event, event):
                    return None
                wrong = "the event is not written as croupier writes it"
        except (CorruptDatabase, *UNREADABLE) as error:
            self.broken, wrong = True, NO_SECRET if is_hidden(row.event) else str(error)
        except Exception as error:
            self.broken, wrong = True, f"the event cannot have happened here: {error!r}"
        where = f"{row.stream} at {row.position}"
        return Difference(table="log", where=where, column="event", says=wrong)

    def made(self, position: int, digest: bytes, command_id: str, events: Sequence[Event]) -> None:
        """Note events that the conversation has made again itself, and that are the stored ones,
        with the position and digest of the last."""
        self.event = events[-1]
        self.position, self.last, self.command_id = position, digest, command_id
        if not self.unproven:
            self.proven = digest
        self._events.extend(events)

    def go_on_after(self, row: tuple[Any, ...], event: Event) -> None:
        """Go on after a row as it is stored, the last of many that were decided again and whose
        money was looked at already."""
        self.event = event
        _, self.position, self.command_id, *_, self.last, _ = row
        if not self.unproven:
            self.proven = self.last

    def moved_by(self, events: Sequence[Event]) -> dict[str, int]:
        """What these events, which the conversation has just made, have moved, by account."""
        assert self.conversation is not None
        return self._ledger.moved(self.place, self.conversation, events)

    def played_with_withheld(self, event: Event) -> str:
        """What was played with a shuffle that is not in this file cannot be looked at."""
        assert self.conversation is not None
        if self.withheld and (_tells_cards(event) or _is_playing(self.conversation)):
            self.broken = True
            return "it was played with a shuffle that was withheld from this file"
        return ""

    def withhold(self, row: Row) -> Difference | None:
        """Go on past a shuffle that is not in this file."""
        event = stand_in(self.conversation)
        if event is None or self.withheld:
            return self.not_to_be_withheld(row)
        assert self.conversation is not None
        self.conversation.apply(event)
        self.withheld, self.unproven = 1, not row.stored
        self._taken(row, event)
        return None

    def not_to_be_withheld(self, row: Row) -> Difference:
        """What is wrong with a row that was withheld and may not be."""
        self.broken = True
        says = "only the last shuffle of a table, for a round that has not begun, is withheld"
        where = f"{row.stream} at {row.position}"
        return Difference(table="log", where=where, column="event", says=says)

    def skip(self, row: Row) -> None:
        """Go on past a row of which nothing but its place in the chain is looked at."""
        self.position, self.last, self.command_id = row.position, row.digest, row.command_id

    def _taken(self, row: Row, event: Event) -> None:
        self.event = event
        self.position, self.last, self.command_id = row.position, row.digest, row.command_id
        if not self.unproven:
            self.proven = row.digest
        self._events.append(event)

    def moved(self) -> dict[str, int]:
        """What the command that was just completed has moved here, by account."""
        events, self._events = self._events, []
        if self.conversation is None or not events:
            return {}
        return self._ledger.moved(self.place, self.conversation, events)

    def entries(self) -> list[Entry]:
        """The same as entries of the ledger."""
        return [
            Entry(stream=self.place, position=self.position, account=account, amount=amount)
            for account, amount in self.moved().items()
        ]


def _tells_cards(event: Event) -> bool:
    """Whether an event has cards; that a table asks for a shuffle names them in their order."""
    return not isinstance(event, ShuffleNeeded) and any(True for _ in cards_in(event))


def _is_playing(conversation: Conversation[Any]) -> bool:
    return isinstance(conversation, Table) and conversation.playing()
