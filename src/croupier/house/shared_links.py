"""Jackpot links at which several processes write, each for the tables that it runs.

Every process that runs a table of a link has the link in memory. What a command causes at the table
and at the link is stored in one transaction, as ever, under the length that the link's log had when
the command was answered. Whoever comes second is turned away, reads what the first one wrote, and
gives the command again: so claims stand in the link's log in the order in which they were stored,
and the meter is exact.

What the link tells a table that another process runs is stored in the same transaction too: the
table is fetched from its log for that one command, as a guest. Its owner reads it again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from croupier.house.answers import Answer, Given
from croupier.table import Table

if TYPE_CHECKING:
    from croupier.house.house import House

MakeGuest = Callable[[str], Callable[[], Table[Any]] | None]


class SharedLinks:
    """The shared links of one process."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.names: set[str] = set()
        self.make_guest: MakeGuest | None = None
        """How to make a table that another process runs; None of a name that is no such table."""
        self.on_reread: list[Callable[[list[str]], None]] = []
        """Called with the links and tables that others have written to, once they are read again:
        in the thread that read them, with the House's lock."""
        self.run_later: Callable[[Callable[[], None]], None] = lambda call: call()
        """How a command is given again: after everybody has heard that it was not stored. It reads
        what the other process wrote, so not in a thread that must not wait for the database."""

    def concern(self, place: str) -> bool:
        """Whether what is given at a place may be stored at a shared link."""
        return bool(self.names) and (
            place in self.names or self._house.pit.linked.get(place) in self.names
        )

    # -- what others have written --------------------------------------------------------------

    def catch_up(self, *, all_tables: bool = False) -> None:
        """Read what other processes have written at the links, and at tables of ours on them; at
        all tables of ours where the office may have told them something elsewhere."""
        house = self._house
        with house.lock:
            linked = house.pit.linked.items()
            watched = [*self.names, *(table for table, link in linked if link in self.names)]
            if all_tables:
                watched = [*self.names, *house.pit.tables]
        if not watched or not self._behind(watched):
            return
        with house.lock:
            house.writer.flush()
            behind = [name for name in self._behind(watched) if name in house.positions]
            turned_away = house.store.turned_away(house.generations_of(behind))
            for name in behind:
                if name in self.names and name not in turned_away:
                    house.advance(name)
                else:
                    house.read_again(name)
            if behind:
                for hear in self.on_reread:
                    hear(behind)

    def _behind(self, names: list[str]) -> list[str]:
        """The places whose logs are longer than is known here."""
        house = self._house
        heads = house.reader.positions_of(names)
        return [name for name, position in heads if position > house.positions.get(name, position)]

    # -- tables that stand elsewhere -----------------------------------------------------------

    def fetch_guest(self, name: str) -> Table[Any] | None:
        """A table that another process runs, as its log has it now."""
        make = self.make_guest(name) if self.make_guest is not None else None
        return self._house.fetched(name, make) if make is not None else None

    def forget_guests(self, but: Collection[str] = ()) -> None:
        """Guests are there for one command, and `but` for another one that is to come."""
        guests = self._house.pit.guests
        for name in [name for name in guests if name not in but]:
            del guests[name]
            self._house.remove(name)

    # -- another process was first -------------------------------------------------------------

    def try_again(self, given: Given) -> None:
        """Give a command again that was turned away because another process was first."""

        def now() -> None:
            assert given.again is not None
            try:
                self.catch_up()
                given.again().add_done_callback(told)
            except Exception as error:  # whoever waits must hear of it
                given.promise.set_exception(error)

        def told(done: Future[Answer]) -> None:
            error = done.exception()
            if error is not None:
                given.promise.set_exception(error)
            else:
                given.promise.set_result(done.result())

        self.run_later(now)
