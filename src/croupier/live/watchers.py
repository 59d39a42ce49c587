"""Who watches a table without sitting there, and how much later they are told than players.

The House sets the delay (`[watchers]`). Players of a table and staff on duty see it as it is;
everybody else through `croupier.live.delayed`, and so the lobby, the past rounds and the replayer
tell them nothing that is younger. Without a delay everybody sees a table as it is.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from croupier.house.openings import NotOver, UnknownRound
from croupier.live.delayed import Delayed
from croupier.live.hub import Viewing
from croupier.live.ready_made import standing_of
from croupier.pit.registry import GAMES
from croupier.pit.replay import Replay

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

MARGIN = timedelta(seconds=1)
"""Longer than it takes from an order until watchers' delay begins: what is stored by then."""


class Watchers:
    """The watchers of a live casino."""

    def __init__(self, casino: LiveCasino) -> None:
        self._casino = casino
        self._delayed: dict[str, Delayed] = {}
        casino.forgets.append(self._forget)

    def delay_of(self, place: str) -> float:
        """Seconds by which those who only watch this table are told later."""
        config = self._casino.config.watchers
        return config.tables.get(place, config.delay)

    def set_up(self, place: str) -> None:
        """Begin with a table that is watched with a delay."""
        casino, delay = self._casino, self.delay_of(place)
        if not delay:
            return
        table = casino.house.pit.tables

        made = self._delayed[place] = Delayed(
            delay,
            casino.loop,
            hello=lambda who, position: casino.hello(place, who, position),
            standing=lambda who: standing_of(table[place], who, 0, ()),
            first=max(0.0, delay - self._quiet_for(place)),
        )
        with casino.house.lock:
            casino.hubs[place].join(made, None)

    def _quiet_for(self, place: str) -> float:
        """Seconds since anything happened at a table; where no round was ever played, for ever."""
        house = self._casino.house
        table = house.pit.tables[place]
        if not GAMES.port_of(table).round_number(table):
            return float("inf")
        row = house.reader.row(place, house.positions[place])
        if row is None:
            return 0.0
        return (house.clock() - datetime.fromisoformat(row.at)).total_seconds()

    # -- who sees what -------------------------------------------------------------------------

    def sees_now(self, place: str, who: str | None) -> bool:
        """Whether somebody sees a table as it is: players there, and staff on duty."""
        if not self.delay_of(place):
            return True
        table = self._casino.house.pit.tables[place]
        seated = who is not None and who in map(table.player_at, table.taken_seats())
        return seated or self._casino.post_of(who)[1]

    def held_back(self, place: str, who: str | None) -> Delayed | None:
        """What somebody sees of a table instead, if he does not see it as it is."""
        return None if self.sees_now(place, who) else self._delayed.get(place)

    def told_until(self, place: str, who: str | None) -> int | None:
        """The last position of a table that somebody may know of; None where that is the last."""
        held_back = self.held_back(place, who)
        return held_back.position if held_back is not None else None

    def check_begun(self, place: str, who: str | None, number: int) -> None:
        """Of a round that watchers have not seen begin there is none; raises UnknownRound."""
        held_back = self.held_back(place, who)
        if held_back is not None and number > held_back.round:
            raise UnknownRound(f"{place} has no round {number}.")

    def check_over(self, place: str, who: str | None, replay: Replay) -> None:
        """A round is over for watchers once its last event is as old as the delay; raises
        NotOver."""
        if self.sees_now(place, who):
            return
        ended = max((step.at for step in replay.steps if step.at), default="")
        age = self._casino.house.clock() - datetime.fromisoformat(ended) if ended else timedelta(0)
        if age < timedelta(seconds=self.delay_of(place)) + MARGIN:
            raise NotOver(f"Round {replay.round} of {place} is not over.")

    # -- coming and going ----------------------------------------------------------------------

    def join(self, place: str, viewing: Viewing, after: int | None) -> None:
        """Let somebody watch a table, as it is or later. Called under the House's lock."""
        held_back = self.held_back(place, viewing.who)
        if held_back is None:
            self._casino.hubs[place].join(viewing, after)
        else:
            live = self._casino.house.positions[place]
            held_back.join(viewing, after if after is not None and after <= live else None)

    def show(self, place: str, viewing: Viewing) -> None:
        """Send somebody who watches a table the whole view. Called under the House's lock."""
        delayed = self._delayed.get(place)
        if delayed is not None and viewing in delayed.viewings:
            delayed.show(viewing)
        elif viewing in self._casino.hubs[place].viewings:
            self._casino.hubs[place].show(viewing)

    def leave(self, place: str, viewing: Viewing) -> None:
        """He watches no more."""
        self._casino.hubs[place].leave(viewing)
        if place in self._delayed:
            self._delayed[place].leave(viewing)

    def look(self, place: str) -> None:
        """Somebody may have sat down or left: who plays sees the table as it is from then on, who
        plays no more does not."""
        delayed = self._delayed.get(place)
        if delayed is None:
            return
        hub = self._casino.hubs[place]
        for viewing in tuple(delayed.viewings):
            if self.sees_now(place, viewing.who):
                seen = delayed.leave(viewing)
                with self._casino.house.lock:
                    hub.join(viewing, seen if seen is not None and seen >= 0 else None)
        for viewing in tuple(hub.viewings):
            if viewing is not delayed and not self.sees_now(place, viewing.who):
                hub.leave(viewing)
                delayed.join(viewing, hub.told)

    def count(self, place: str) -> int:
        """How many connections watch a table that nobody plays with."""
        table = self._casino.house.pit.tables[place]
        seated = set(map(table.player_at, table.taken_seats()))
        delayed = self._delayed.get(place)
        watching = [v for v in self._casino.hubs[place].viewings if v is not delayed]
        later = len(delayed.viewings) if delayed is not None else 0
        return later + sum(v.who is None or v.who not in seated for v in watching)

    def _forget(self, place: str) -> None:
        """A table that is run no more; nobody watches it."""
        delayed = self._delayed.pop(place, None)
        if delayed is not None:
            delayed.close(0)

    def is_watched(self, place: str) -> bool:
        """Whether any connection to a table is open."""
        hub = self._casino.hubs.get(place)
        if hub is None:  # it is run no more
            return False
        delayed = self._delayed.get(place)
        later = len(delayed.viewings) - 1 if delayed is not None else 0
        return len(hub.viewings) + later > 0

    def connections(self) -> int:
        """How many connections to tables are open."""
        later = sum(len(delayed.viewings) for delayed in self._delayed.values())
        now = sum(len(hub.viewings) for hub in self._casino.hubs.values())
        return later + now - len(self._delayed)
