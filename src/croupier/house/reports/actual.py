"""The rounds of a House as the lab compares them with theory: bets, results, who dealt, which day.

What the House won in a round is what the ledger has on the bank of its table between the first and
the last event of the round, to the cent. A record of each round says on which bets.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from msgspec import Struct

from croupier.formats.banked_record import BankedRecord, BoxPlayed
from croupier.formats.banked_record_log import banked_records
from croupier.formats.rake_log import RakeRecord, rake_records
from croupier.house.audit.conversations import conversation_of
from croupier.house.gaming_day import GamingDay
from croupier.house.replaying import held_rows, read_event
from croupier.house.reports.dealers import Dealers, who_dealt
from croupier.house.shuffle_book import is_shuffle_book
from croupier.house.software import SOFTWARE
from croupier.house.store import Store
from croupier.pit import GAMES
from croupier.table import Event, Table

DayOf = Callable[[datetime], GamingDay]
MAIN = ("ante", "flop", "turn", "river")


class BankedRound(Struct, frozen=True, kw_only=True):
    """A finished round of a banked game, with who dealt it and what the ledger says."""

    record: BankedRecord
    dealer: str
    day: str
    bank: int
    """What the ledger has put on the bank of the table in the course of it, in cents."""


class PokerRake(Struct, frozen=True, kw_only=True):
    """The percentage Rake of a round of poker, with who dealt it."""

    table: str
    book: str
    dealer: str
    day: str
    record: RakeRecord


def rounds_of(store: Store, day_of: DayOf) -> Iterator[BankedRound | PokerRake]:
    """Every finished round of every table of whose game there is a theory, table by table."""
    dealers = who_dealt(store)
    for place in store.streams():
        if is_shuffle_book(place):
            continue
        first = next(store.rows(place), None)
        table = None if first is None else conversation_of(place, first.event)
        if not isinstance(table, Table):
            continue
        if (make := MAKERS.get(GAMES.game_of(table).name)) is not None:
            yield from make(store, place, table, day_of, dealers)


def bank_of(store: Store, table: str) -> int:
    """What the ledger has on the bank of a table now."""
    return store.balance(f"table/{table}/bank")


class _Log:
    """A table's log on its way to be read, with who dealt when."""

    def __init__(self, store: Store, place: str, table: Table[Any], dealers: Dealers) -> None:
        self.store = store
        self.place = place
        self.table = table
        self.dealers = dealers
        self.positions: list[int] = []
        self.dealt: list[str] = []
        """Who deals from each of the positions on; nobody at a table that deals by itself."""
        self.at = ""
        """When the event was stored that was read last."""

    def events(self) -> Iterator[tuple[int, Event]]:
        """The events with their positions."""
        for row in held_rows(self.store, self.place):
            self.at = row.at
            self.follow(row.position, self.dealers.at(self.place, datetime.fromisoformat(row.at)))
            yield row.position, read_event(self.table, row)

    def follow(self, position: int, dealer: str) -> None:
        """Take note of who deals as of a position."""
        if not self.dealt or self.dealt[-1] != dealer:
            self.positions.append(position)
            self.dealt.append(dealer)

    def dealer(self, first: int, last: int) -> str:
        """Who dealt last between two positions: what is ruled of a round later, when its dealer
        has gone, makes it nobody else's."""
        low, high = (bisect_right(self.positions, end) for end in (first, last))
        dealt = self.dealt[max(low - 1, 0) : high]
        return next((name for name in reversed(dealt) if name), "")


def _banked(
    store: Store, place: str, table: Table[Any], day_of: DayOf, dealers: Dealers
) -> Iterator[BankedRound | PokerRake]:
    log = _Log(store, place, table, dealers)
    bank, known = f"table/{place}/bank", dealers.knows(place)
    moved = [(e.position, e.amount) for e in store.entries(place) if e.account == bank]
    positions = [position for position, _ in moved]
    sums = [0]
    for _, amount in moved:
        sums.append(sums[-1] + amount)
    for record in banked_records(log.events(), table.book):
        low = bisect_right(positions, record.first - 1)
        high = bisect_right(positions, record.last)
        yield BankedRound(
            record=record,
            dealer=log.dealer(record.first, record.last) if known else _called_by(record),
            day=day_of(record.at).day.isoformat(),
            bank=sums[high] - sums[low],
        )


def _called_by(record: BankedRecord) -> str:
    """In a record of 0.9, which notes no dealers: who called for bets."""
    return record.dealer_name if record.dealer_name not in SOFTWARE else ""


def _poker(
    store: Store, place: str, table: Table[Any], day_of: DayOf, dealers: Dealers
) -> Iterator[BankedRound | PokerRake]:
    log = _Log(store, place, table, dealers)
    for record in rake_records(log.events(), table.book):
        yield PokerRake(
            table=place,
            book=table.book.id,
            dealer=log.dealer(record.position, record.position),
            day=day_of(datetime.fromisoformat(log.at)).day.isoformat(),
            record=record,
        )


MAKERS = {"banked": _banked, "poker": _poker}
"""Who reads the rounds of a table, by the name of its game; of any other there is no theory."""


def won_on(box: BoxPlayed, bets: tuple[str, ...]) -> int:
    """What the House won on these bets of a box; a meter's own payments are not its loss."""
    won = sum(bet.lost - bet.won for name, bet in box.bets.items() if name in bets)
    if "progressive" in bets:
        won += sum(
            line.paid for line in box.lines if line.source == "meter" and not line.taken_back
        )
    return won
