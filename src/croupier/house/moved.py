"""What has moved on the accounts of players who limit themselves, kept as far as it was read.

A limit is asked at every buy-in, while nobody else is answered. To read a month of an account each
time would let one player hold up every table: whoever sits down and leaves all day has more to be
read with each time. So what was read is kept, and only what is new is read: each movement once.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct, field

from croupier.house.ledger import player_account
from croupier.house.office import OFFICE
from croupier.house.records import written_time
from croupier.house.store import Store

if TYPE_CHECKING:
    from croupier.house.house import House

A_DAY = timedelta(days=1)
LOOKED_BACK = 30 * A_DAY
"""How long before a day chips may have been brought to a table that come back on that day."""
KEPT = 1_000
"""Players of whom it is kept."""


class Movement(Struct, frozen=True, kw_only=True):
    """Money that came to a player's account, or went from it, where and when."""

    place: str
    at: str
    amount: int


def movements(store: Store, player: str, since: datetime) -> list[Movement]:
    """What moved on the account of a player since a moment, in its order; also what was moved to
    an archive meanwhile."""
    return [move for move, _ in _moved(store, player, written_time(since))]


def _moved(store: Store, player: str, start: str) -> Iterator[tuple[Movement, int]]:
    """The same, each with its position in the log of its place; 0 where it is archived."""
    account = player_account(player)
    sql = (
        "SELECT e.place, l.at, e.amount, e.position FROM entries e JOIN log l ON "
        "l.place = e.place AND l.position = e.position WHERE e.account = ? AND l.at >= ? "
        "ORDER BY l.at, e.position"
    )
    archived = sorted(store.past.moved_since(account, start), key=lambda moved: moved[1])
    for place, at, amount in archived:
        yield Movement(place=place, at=at, amount=amount), 0
    for place, at, amount, position in store.database.execute(sql, (account, start)):
        yield Movement(place=place, at=at, amount=amount), position


class _AtPlace(Struct, kw_only=True):
    """What a player has brought to a place and taken from it within a day, and what had lain there
    before."""

    before: deque[Movement] = field(default_factory=deque)
    """Brought before the day, since chips came back from there the last time."""
    day: deque[Movement] = field(default_factory=deque)
    lay: int = 0
    brought: int = 0
    taken: int = 0

    def add(self, move: Movement) -> None:
        self.day.append(move)
        self._count(move.amount, 1)

    def until(self, start: str, looked_back: str) -> None:
        """The day begins now: what was before it is no part of it any more."""
        while self.day and self.day[0].at < start:
            move = self.day.popleft()
            self._count(move.amount, -1)
            if move.amount < 0:
                self.before.append(move)
                self.lay -= move.amount
            else:
                self.before.clear()
                self.lay = 0
        while self.before and self.before[0].at < looked_back:
            self.lay += self.before.popleft().amount

    def _count(self, amount: int, sign: int) -> None:
        if amount < 0:
            self.brought -= sign * amount
        else:
            self.taken += sign * amount

    @property
    def lost(self) -> int:
        """Chips that were brought there before the day and come back in it are no win: they were
        the player's all the time."""
        return self.brought - max(0, self.taken - self.lay)


class Moved:
    """The account of one player in the last day, as far as limits ask for it."""

    def __init__(self, moves: Iterable[Movement] = ()) -> None:
        self._places: dict[str, _AtPlace] = {}
        self.positions: dict[str, int] = {}
        """How far the log of each place was read."""
        self.archive = 0
        """The last archive that there was then."""
        self.since = ""
        self._start = ""
        for move in moves:
            self.add(move)

    def add(self, move: Movement) -> None:
        """It moved after everything else at its place."""
        self._places.setdefault(move.place, _AtPlace()).add(move)

    def may_begin(self, start: datetime) -> bool:
        """Whether a day that begins then can be told: not once a later one was."""
        return written_time(start) >= self._start

    def begin(self, start: datetime) -> None:
        """The day begins then."""
        self._start, looked_back = written_time(start), written_time(start - LOOKED_BACK)
        for each in self._places.values():
            each.until(self._start, looked_back)

    @property
    def lost(self) -> int:
        """What the player has lost at tables; what lies there counts as lost until it is back."""
        at_tables = [each.lost for place, each in self._places.items() if place != OFFICE]
        return max(0, sum(at_tables))

    @property
    def paid_in(self) -> int:
        """What the player has paid in at the cage."""
        return self._places[OFFICE].taken if OFFICE in self._places else 0


class MovedLately:
    """The accounts of players who limit themselves. Used under the House's lock."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._kept: OrderedDict[str, Moved] = OrderedDict()

    def of(self, player: str, now: datetime, there: Iterable[str]) -> Moved:
        """What has moved in the day until now, at all places that there are; also what another
        process has written."""
        self._house.writer.flush()
        store, start = self._house.reader, now - A_DAY
        known = store.past.known()
        archive = known[-1].number if known else 0
        kept = self._kept.pop(player, None)
        if kept is None or kept.archive != archive or not kept.may_begin(start):
            kept = self._read(store, player, start, archive)
        else:
            self._read_on(store, player, kept, there)
        kept.begin(start)
        self._kept[player] = kept
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept

    @staticmethod
    def _read(store: Store, player: str, start: datetime, archive: int) -> Moved:
        made = Moved()
        made.archive, made.since = archive, written_time(start - LOOKED_BACK)
        sql = "SELECT place, MAX(position) FROM entries WHERE account = ? GROUP BY place"
        made.positions = dict(store.database.execute(sql, (player_account(player),)))
        for move, position in _moved(store, player, made.since):
            made.add(move)
            made.positions[move.place] = max(position, made.positions.get(move.place, 0))
        return made

    @staticmethod
    def _read_on(store: Store, player: str, kept: Moved, there: Iterable[str]) -> None:
        """Read what is new, wherever it is: at each place from where it was read to."""
        places = sorted({OFFICE, *there, *kept.positions})
        seen = [(place, kept.positions.get(place, 0)) for place in places]
        rows = ", ".join(["(CAST(? AS TEXT), CAST(? AS BIGINT))"] * len(seen))
        sql = (
            f"WITH seen (place, position) AS (VALUES {rows}) "
            "SELECT e.place, l.at, e.amount, e.position FROM seen s CROSS JOIN entries e "
            "CROSS JOIN log l WHERE e.account = ? AND e.place = s.place AND "
            "e.position > s.position AND l.place = e.place AND l.position = e.position "
            "AND l.at >= ? ORDER BY e.place, e.position"
        )
        asked = (*(each for pair in seen for each in pair), player_account(player), kept.since)
        for place, at, amount, position in store.database.execute(sql, asked):
            kept.add(Movement(place=place, at=at, amount=amount))
            kept.positions[place] = position
