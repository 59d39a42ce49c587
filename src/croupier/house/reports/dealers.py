"""Who dealt which rounds at the tables that are dealt by hand, with the reliefs.

The office has on record who takes the dealer's side of a table and who leaves it
(`croupier.house.office.dealing`); a round is dealt by whoever deals there at the time.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime

from msgspec import Struct

from croupier.house.office import OFFICE, Office
from croupier.house.office.dealing import follow
from croupier.house.office.roster_events import DealerChanged
from croupier.house.records import Row
from croupier.house.replaying import held_rows, read_event
from croupier.house.store import Store
from croupier.table import Event


class Dealt(Struct, kw_only=True):
    """One dealer at one table, from coming there until going."""

    table: str
    dealer: str
    since: datetime
    until: datetime
    """The last order at the table while this dealer was there."""
    first: int
    """The rounds that were dealt, from the first to the last; 0 if none was under way."""
    last: int
    rounds: int
    relieved: str
    """Who dealt there until then; nobody who had left the table before."""


class Turn(Struct, frozen=True, kw_only=True):
    """From when on somebody deals at a table, or nobody."""

    since: datetime
    dealer: str
    relieved: str = ""


class Dealers:
    """Who dealt when, at every table, as the office has it on record."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}
        self._turns: dict[str, list[Turn]] = {}

    def follow(self, event: Event, at: datetime) -> None:
        """Take note of an event of the office."""
        before = dict(self._now)
        follow(self._now, event)
        relieved = event.relieved if isinstance(event, DealerChanged) else ""
        for table in before.keys() | self._now.keys():
            dealer = self._now.get(table, "")
            if dealer != before.get(table, ""):
                turn = Turn(since=at, dealer=dealer, relieved=relieved if dealer else "")
                self._turns.setdefault(table, []).append(turn)

    def knows(self, table: str) -> bool:
        """Whether anybody was ever noted there: in a record of 0.9 nobody was."""
        return table in self._turns

    def turn(self, table: str, when: datetime) -> Turn | None:
        """Whose turn it was at a table at a time; None if nobody had dealt there yet."""
        turns = self._turns.get(table, [])
        found = bisect_right(turns, when, key=lambda turn: turn.since)
        return turns[found - 1] if found else None

    def at(self, table: str, when: datetime) -> str:
        """Who dealt at a table at a time; nobody where the House did."""
        turn = self.turn(table, when)
        return turn.dealer if turn is not None else ""


def who_dealt(store: Store) -> Dealers:
    """Who dealt when, by the log of the office."""
    found, office = Dealers(), Office()
    for row in held_rows(store, OFFICE):
        found.follow(read_event(office, row), datetime.fromisoformat(row.at))
    return found


class Dealing:
    """The rounds of one table, by dealer."""

    def __init__(self, table: str, dealers: Dealers) -> None:
        self.table = table
        self.dealt: list[Dealt] = []
        self._dealers = dealers
        self._turn: Turn | None = None

    def follow(self, row: Row, number: int, *, playing: bool) -> None:
        """Take note of the first row of a command, with the round that it belongs to."""
        at = datetime.fromisoformat(row.at)
        turn = self._dealers.turn(self.table, at)
        if turn is not self._turn:
            self._turn = turn
            if turn is not None and turn.dealer:
                self.dealt.append(_begun(self.table, turn))
        if turn is None or not turn.dealer:
            return
        dealt = self.dealt[-1]
        dealt.until = at
        if playing and number != dealt.last:
            dealt.first = dealt.first or number
            dealt.last = number
            dealt.rounds += 1


def _begun(table: str, turn: Turn) -> Dealt:
    return Dealt(
        table=table,
        dealer=turn.dealer,
        since=turn.since,
        until=turn.since,
        first=0,
        last=0,
        rounds=0,
        relieved=turn.relieved,
    )
