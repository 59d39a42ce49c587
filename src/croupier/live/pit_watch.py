"""Since when each table waits, and who decided what: what the console says beside the tables.

It hears every answer of the House as it is made. Of what happened before this process began it
knows as much as the log is asked for.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from contextlib import suppress
from datetime import datetime

from msgspec import Struct

from croupier.house.answers import Answer
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.house import House
from croupier.live.pit_told import Happened, PitTold, of_rows, told
from croupier.table import Announced, Command, DecisionNeeded, DecisionTaken, Order

TAKEN_KEPT = 1_000
"""Decisions that are remembered with who took them; older ones are in the log."""
ANNOUNCED_KEPT = 8
"""Of each table."""
LOOKED_BACK = 2_000
"""Events of a log that are read to find who took a decision."""
HAPPENED_KEPT = 60
"""The last events of a table that somebody deals at; some of them are told to nobody."""
TOLD = 16
"""Sentences of what happened last."""


class Taken(Struct, frozen=True, kw_only=True):
    """Who was first."""

    who: str
    rank: str
    option: str
    when: datetime

    @property
    def says(self) -> str:
        return f"{self.who} ({self.rank}) has decided that at {self.when:%H:%M:%S}: {self.option}."


class PitWatch:
    """Watches the answers of one House; used under its lock."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._changed: dict[str, datetime] = {}
        self._asked: dict[tuple[str, int], datetime] = {}
        self._taken: OrderedDict[tuple[str, int], Taken] = OrderedDict()
        self._announced: dict[str, deque[tuple[datetime, Announced]]] = {}
        self._happened: dict[str, deque[Happened]] = {}
        """What happened last at the tables where somebody has asked for it."""
        house.watch(self)

    def forget(self, place: str) -> None:
        """A table is run no more."""
        for kept in (self._changed, self._announced, self._happened):
            kept.pop(place, None)
        for key in [key for key in self._asked if key[0] == place]:
            del self._asked[key]

    # -- what the House says (Watcher) -------------------------------------------------------

    def made(self, answer: Answer, order: Order[Command]) -> None:
        """Take note of what was asked and answered."""
        for said in answer.said:
            self._changed[said.place] = order.when
            happened = self._happened.get(said.place)
            if happened is not None:
                id = answer.command_id
                happened.append(Happened(command_id=id, event=said.event, at=order.when))
            match said.event:
                case DecisionNeeded(decision=number):
                    self._asked[said.place, number] = order.when
                case DecisionTaken(decision=number) as event:
                    self._asked.pop((said.place, number), None)
                    self._taken[said.place, number] = Taken(
                        who=event.who,
                        rank=event.rank.value,
                        option=event.option,
                        when=order.when,
                    )
                    if len(self._taken) > TAKEN_KEPT:
                        self._taken.popitem(last=False)
                case Announced() as event:
                    kept = self._announced.setdefault(said.place, deque(maxlen=ANNOUNCED_KEPT))
                    kept.appendleft((order.when, event))
                case _:
                    continue

    def stored(self, answer: Answer) -> None:
        """Nothing is told twice."""

    def lost(self, answer: Answer) -> None:
        """It never happened: times are asked of the log again."""
        for said in answer.said:
            self._changed.pop(said.place, None)
            self._happened.pop(said.place, None)

    # -- what is asked -----------------------------------------------------------------------

    def since(self, place: str) -> datetime:
        """When the last thing happened at a place."""
        known = self._changed.get(place)
        if known is None:
            position = self._house.positions.get(place, 0)
            row = None
            with suppress(ArchiveDamaged):  # told as an alarm
                row = self._house.reader.row(place, position) if position else None
            known = datetime.fromisoformat(row.at) if row is not None else self._house.clock()
            self._changed[place] = known
        return known

    def asked(self, place: str, decision: int) -> datetime:
        """Since when a question waits."""
        return self._asked.get((place, decision)) or self.since(place)

    def announced(self, place: str) -> list[tuple[datetime, Announced]]:
        """What was to be read out at a table, the newest first."""
        return list(self._announced.get(place, ()))

    def told(self, place: str) -> list[PitTold]:
        """What happened last at a table, the newest first: from the log where this process has not
        seen it."""
        asker = self._house.pit.at(place)
        happened = self._happened.get(place)
        if happened is None:
            self._house.writer.flush()
            first = max(0, self._house.positions.get(place, 0) - HAPPENED_KEPT)
            happened = deque[Happened](maxlen=HAPPENED_KEPT)
            with suppress(ArchiveDamaged):  # told as an alarm
                happened.extend(of_rows(asker, self._house.reader.rows(place, after=first)))
            self._happened[place] = happened
        return told(asker, happened)[: -TOLD - 1 : -1]

    def taken(self, place: str, decision: int) -> Taken | None:
        """Who took a decision that is not open any more."""
        known = self._taken.get((place, decision))
        if known is not None:
            return known
        conversation = self._house.pit.at(place)
        first = max(0, self._house.positions.get(place, 0) - LOOKED_BACK)
        for row in self._house.reader.rows(place, after=first):
            event = conversation.read_event(row.event)
            if isinstance(event, DecisionTaken) and event.decision == decision:
                return Taken(
                    who=event.who,
                    rank=event.rank.value,
                    option=event.option,
                    when=datetime.fromisoformat(row.at),
                )
        return None
