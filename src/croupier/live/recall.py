"""Recall: the last rounds of a table, as each viewer was allowed to see them, marked as recall.

Only where a round began and ended is kept, and who sat where; the events are read from the log
when somebody asks.
"""

from __future__ import annotations

import logging
from collections import deque

from msgspec import Struct, structs

from croupier.house.answers import Answer
from croupier.house.archives.file import ArchiveDamaged
from croupier.house.house import House
from croupier.house.software import CLOCK
from croupier.live.audience import (
    Audience,
    Entry,
    Roster,
    TellingEntry,
    namer,
    roster_of,
    told,
)
from croupier.live.own_part import OwnPart, OwnParts, chips_at
from croupier.live.rosters import rosters
from croupier.pit.registry import GAMES
from croupier.table import Event

logger = logging.getLogger("croupier.live")

KEPT = 25
"""Rounds that can be recalled: the last one and at least nine before it."""
LOOKED_BACK = 4_000
"""Events of an old log that are looked through for its last rounds when the casino opens."""


class RoundSummary(Struct, kw_only=True):
    """Where a round stands in the log, and how it ended."""

    round: int
    first: int
    last: int
    began: str
    ended: str | None = None
    told: str = ""
    """What became of it, in words."""
    cites: tuple[str, ...] = ()
    """The first paragraph of each of these sentences."""
    yours: OwnPart | None = None
    """What it was for the player who asks, if he was in it."""
    voided: bool = False
    """Whether it has no result."""


class _Kept(Struct, kw_only=True):
    summary: RoundSummary
    rosters: list[tuple[int, Roster]]
    """Who sat where, from which position on."""
    outcome: list[tuple[str, str]]
    """What it came to, sentence by sentence, each with the paragraph that it rests on."""
    parts: OwnParts


class _Waiting(Struct, frozen=True, kw_only=True):
    """Events that are not durable yet, and the players' chips after them where a round begins or
    ends with them."""

    answer: Answer
    entries: list[Entry]
    chips: dict[str, int] | None


class Recall:
    """The last rounds of one table."""

    def __init__(self, house: House, place: str) -> None:
        self._house = house
        self._place = place
        self._port = GAMES.port_of(house.pit.tables[place])
        self._turns = self._port.round_begins + self._port.round_ends
        self._rounds: deque[_Kept] = deque(maxlen=KEPT)
        self._waiting: dict[int, _Waiting] = {}
        """By the identity of the answer: what was lost may be given again under the same id before
        that is heard of."""
        self._read_until = 0
        """How far the log was read: what is heard of later may be from before."""
        self._look_back()

    def read_again(self) -> None:
        """The log has what was not heard of here. Called under the House's lock, when the table was
        read again; raises StorageError, and then the rounds are what they were."""
        before, self._rounds = self._rounds, deque(maxlen=KEPT)
        try:
            self._look_back()
        except BaseException:
            self._rounds = before
            raise

    def _look_back(self) -> None:
        """Find the last rounds of a log that was there before; what they brought nobody counted."""
        house, place = self._house, self._place
        start = max(0, house.positions[place] - LOOKED_BACK)
        table = house.pit.tables[place]
        try:
            rows = list(house.reader.rows(place, after=start))
        except ArchiveDamaged as error:  # the rounds of closed days are not told until it is back
            told = {"place": place}
            logger.error("the last rounds of %s cannot be told: %s", place, error, extra=told)
            return
        events = [table.read_event(row.event) for row in rows]
        who_sat = rosters(self._port, events, roster_of(table, {}))
        for row, event, roster in zip(rows, events, who_sat, strict=True):
            self._note(Entry(position=row.position, at=row.at, event=event, roster=roster), None)
            self._read_until = row.position

    # -- what happens ------------------------------------------------------------------------

    def made(self, answer: Answer, entries: list[Entry]) -> None:
        """Events that are not durable yet. Called while the table stands as they left it."""
        turns = any(isinstance(entry.event, self._turns) for entry in entries)
        chips = chips_at(self._house.pit.tables[self._place]) if turns else None
        self._waiting[id(answer)] = _Waiting(answer=answer, entries=entries, chips=chips)

    def stored(self, answer: Answer) -> None:
        """They are durable."""
        waiting = self._waiting.pop(id(answer), None)
        if waiting is not None:
            for entry in waiting.entries:
                if entry.position > self._read_until:
                    self._note(entry, waiting.chips)

    def lost(self, answer: Answer) -> None:
        """They never happened."""
        self._waiting.pop(id(answer), None)

    def _note(self, entry: Entry, chips: dict[str, int] | None) -> None:
        event = entry.event
        if isinstance(event, self._port.round_begins):
            number: int = event.round  # type: ignore[attr-defined]
            summary = RoundSummary(
                round=number, first=entry.position, last=entry.position, began=entry.at
            )
            kept = _Kept(summary=summary, rosters=[], outcome=[], parts=OwnParts(self._port))
            kept.parts.began(chips)
            self._rounds.append(kept)
        if not self._rounds or self._rounds[-1].summary.ended is not None:
            return
        kept = self._rounds[-1]
        kept.summary.last = entry.position
        if not kept.rosters or kept.rosters[-1][1] is not entry.roster:
            kept.rosters.append((entry.position, entry.roster))
        kept.parts.note(event, entry.roster)
        if isinstance(event, self._port.voids):
            kept.summary.voided = True
        public = event.public()
        if isinstance(public, self._port.outcomes):
            self._came_to(kept, public, entry.roster)
        if isinstance(event, self._port.round_ends):
            if not kept.outcome and public is not None:
                self._came_to(kept, public, entry.roster)
            kept.parts.ended(chips)
            kept.summary.ended = entry.at
            kept.summary.told = " ".join(sentence for sentence, _ in kept.outcome)
            kept.summary.cites = tuple(dict.fromkeys(cite for _, cite in kept.outcome if cite))

    def _came_to(self, kept: _Kept, event: Event, roster: Roster) -> None:
        before = [sentence for sentence, _ in kept.outcome]
        told = self._port.outcome(event, namer(roster), before)
        cite = event.cites[0] if event.cites else ""
        kept.outcome += [(sentence, cite) for sentence in told]

    # -- what is asked -----------------------------------------------------------------------

    def rounds(self, audience: Audience = None, own_from: int = 0) -> list[RoundSummary]:
        """The last rounds, the newest first, each with what it was for who asks; rounds before
        `own_from` are of somebody else who had the name."""
        return [
            structs.replace(kept.summary, yours=kept.parts.of(audience))
            if kept.summary.round >= own_from
            else kept.summary
            for kept in reversed(self._rounds)
        ]

    def round(self, number: int, audience: Audience) -> list[TellingEntry] | None:
        """The events of one round as this audience may see them; None if it is not kept."""
        kept = next((k for k in self._rounds if k.summary.round == number), None)
        if kept is None:
            return None
        table = self._house.pit.tables[self._place]
        found = []
        order = ""
        for row in self._house.reader.rows(self._place, after=kept.summary.first - 1):
            if row.position > kept.summary.last:
                break
            first_of_order, order = row.command_id != order, row.command_id
            entry = Entry(
                position=row.position,
                at=row.at,
                event=table.read_event(row.event),
                roster=self._roster(kept, row.position),
                timed_out=first_of_order and row.who == CLOCK,
            )
            made = told(entry, audience)
            if made is not None:
                found.append(made)
        return found

    @staticmethod
    def _roster(kept: _Kept, position: int) -> Roster:
        rosters = [roster for first, roster in kept.rosters if first <= position]
        return rosters[-1] if rosters else {}
