"""A finished round of the House, from its log, to be played again as somebody saw it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.errors import UnknownPlace
from croupier.house.openings import NotOver, UnknownRound, round_of
from croupier.house.records import Row
from croupier.house.replaying import apply_event, held_rows, read_event, restored
from croupier.house.store import Store
from croupier.jackpot import JackpotLink
from croupier.pit.registry import GAMES
from croupier.pit.replay import Recorder, Replay
from croupier.table import Event, Table

Happened = tuple[Row, Event]


class _Command(Struct, frozen=True, kw_only=True):
    """All that one command caused at a table."""

    happened: list[Happened]

    @property
    def row(self) -> Row:
        return self.happened[0][0]

    def begins(self, kinds: tuple[type[Event], ...]) -> int | None:
        """The number of the round that begins with it, if one does."""
        numbers = (e.round for _, e in self.happened if isinstance(e, kinds))  # type: ignore[attr-defined]
        return next(numbers, None)


def replay_round(store: Store, place: str, number: int, seen_as: str) -> Replay:
    """A finished round as somebody saw it. Whether he may see it so is for others to say.

    Raises UnknownPlace, UnknownRound, and NotOver while it is played: until then nothing of it is
    shown, whoever asks. It ends where the table last stopped playing, since a ruling that is taken
    back opens a round again.
    """
    table, after = _table_before(store, place, number)
    begins = GAMES.port_of(table).round_begins
    link = _LinkLog(store, table, place)
    recorder: Recorder | None = None
    began, ended, went_on = "", 0, False
    for command in _commands(store, table, place, after):
        beginning = command.begins(begins)
        if recorder is None and beginning != number:
            _apply(table, command.happened)
            continue
        if recorder is not None and beginning is not None:
            went_on = True
            break
        if recorder is None:
            link.begin(command.row)
        playing = table.playing()
        _apply(table, command.happened)
        if recorder is None:
            # The call clears the table: until then it shows how the round before came out.
            began = command.row.at
            recorder = Recorder(table, seen_as, link.link, link.name)
        events = [(event, "") for _, event in command.happened]
        events += [(event, link.name) for event in link.after(command.row.command_id)]
        recorder.step(events, at=command.row.at, who=_who(command.row))
        if playing and not table.playing():
            ended = len(recorder.steps)
    if recorder is None:
        raise UnknownRound(f"{place} has no round {number}; its last one is {round_of(table)}")
    if not ended or (not went_on and table.playing()):
        raise NotOver(f"round {number} of {place} is not over; its cards stay closed")
    return recorder.replay(
        "round",
        f"Round {number} of {place}",
        datetime.fromisoformat(began),
        steps=ended,
        place=place,
        round=number,
        final=went_on,
    )


def round_log(store: Store, place: str, number: int) -> Iterator[tuple[int, bytes]]:
    """The log of a table from its opening to the end of a round, as formats read it."""
    first = next(store.rows(place, until=1), None)
    table = conversation_of(place, first.event) if first is not None else None
    if not isinstance(table, Table):
        raise UnknownPlace(f"there is no table {place!r}")
    begins = GAMES.port_of(table).round_begins
    for row in held_rows(store, place):
        event = read_event(table, row)
        if isinstance(event, begins) and event.round > number:  # type: ignore[attr-defined]
            return
        yield row.position, row.event


def _who(row: Row) -> str:
    return row.who if row.rank == row.who else f"{row.who} ({row.rank})"


def _table_before(store: Store, place: str, number: int) -> tuple[Table[Any], int]:
    """A table from the state that is kept of it, if that lies before the round, else empty; and how
    far its log is read."""
    first = next(store.rows(place, until=1), None)
    empty = conversation_of(place, first.event) if first is not None else None
    if not isinstance(empty, Table):
        raise UnknownPlace(f"there is no table {place!r}")
    made, position = restored(empty, store, place, quietly=True)
    assert isinstance(made, Table)
    if position and round_of(made) < number:
        return made, position
    return type(empty)(empty.book), 0


def _commands(store: Store, table: Table[Any], place: str, after: int) -> Iterator[_Command]:
    rows = held_rows(store, place, after=after)
    for _, group in groupby(rows, key=lambda row: row.command_id):
        yield _Command(happened=[(row, read_event(table, row)) for row in group])


def _apply(here: Any, happened: list[Happened]) -> None:
    for row, event in happened:
        apply_event(here, row, event)


class _LinkLog:
    """The jackpot link of a table, moved by this table and by others."""

    def __init__(self, store: Store, table: Table[Any], place: str) -> None:
        self._store, self._place = store, place
        self._has_one = GAMES.port_of(table).has_jackpot
        self.name = ""
        self.link: JackpotLink | None = None
        self._read = 0

    def begin(self, row: Row) -> None:
        """Bring the link to where it stood when a round began; it is found by the first command
        which moved it, in this round or soon after."""
        seen: set[str] = set()
        for later in self._store.rows(self._place, after=row.position - 1) if self._has_one else ():
            if later.position - row.position > LOOKS_AHEAD:
                break
            if later.command_id in seen:
                continue
            seen.add(later.command_id)
            for other in self._store.answer_of(later.command_id):
                link = self._link_of(other.stream)
                if link is not None:
                    self.name, self.link = other.stream, link
                    self._go_to(other.position - 1, "")
                    break
            if self.link is not None:
                break

    def after(self, command_id: str) -> list[Event]:
        """Bring the link to where a command at the table left it; what the command caused there."""
        if self.link is None:
            return []
        mine = [row for row in self._store.answer_of(command_id) if row.stream == self.name]
        return self._go_to(mine[-1].position, command_id) if mine else []

    def _link_of(self, stream: str) -> JackpotLink | None:
        if stream == self._place:
            return None
        first = next(self._store.rows(stream, until=1), None)
        made = conversation_of(stream, first.event) if first is not None else None
        return made if isinstance(made, JackpotLink) else None

    def _go_to(self, position: int, command_id: str) -> list[Event]:
        """Read on to a position; the events of one command."""
        assert self.link is not None
        found = []
        for row in held_rows(self._store, self.name, after=self._read):
            if row.position > position:
                break
            event = read_event(self.link, row)
            apply_event(self.link, row, event)
            self._read = row.position
            if row.command_id == command_id:
                found.append(event)
        return found


LOOKS_AHEAD = 200
"""Events of a table after the beginning of a round among which its link is looked for."""
