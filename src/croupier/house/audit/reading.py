"""Orders with what came of them, read along the logs.

Every log is read from its beginning to its end, and so are the orders: what came of an order is
what its places have next. Only where that does not add up is it looked up by the order's id, which
takes five times as long: where a row was changed, or where it lies in somebody else's share.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from croupier.house.audit.findings import Damaged, damaged
from croupier.house.errors import CorruptDatabase
from croupier.house.records import Decided, OrderRecord, Row, read_also
from croupier.house.store import Store

AT_ONCE = 250
"""Rows of one log that are read together; there may be hundreds of logs."""


class _Log:
    """The log of one place, as far as it was not taken yet."""

    def __init__(self, store: Store, place: str, after: int) -> None:
        self._store = store
        self._place = place
        self._rows: list[Row] = []
        """Rows that were read and not taken, the next one last."""
        self._read = after
        self._ended = False
        self._damaged: Damaged | None = None
        """What is wrong with the row after those."""

    def take(self, command_id: str, rows: list[Row]) -> None:
        """Take what comes next of an order, and add it to these rows."""
        while self._rows or self._more():
            if self._rows[-1].command_id != command_id:
                return
            rows.append(self._rows.pop())

    def skip(self, position: int) -> None:
        """Pass everything up to a position."""
        while (self._rows or self._more()) and self._rows[-1].position <= position:
            self._rows.pop()

    def _more(self) -> bool:
        """Read on; whether there was anything left."""
        if self._damaged is not None:
            raise self._damaged
        if self._ended:
            return False
        found = self._store.raw_rows(self._place, self._read, AT_ONCE)
        self._ended = len(found) < AT_ONCE
        rows: list[Row] = []
        read = self._store.read_row
        try:
            for values in found:
                rows.append(read(values))
        except CorruptDatabase as error:
            self._damaged = damaged("log", self._place, error)
            if not rows:
                raise self._damaged from error
        if rows:
            self._read = rows[-1].position
            rows.reverse()
            self._rows = rows
        return bool(rows)


class Decisions:
    """The orders that were given at some places, each with everything that came of it."""

    def __init__(
        self,
        store: Store,
        after: Mapping[str, int],
        together: Mapping[str, Collection[str]],
        until: int | None = None,
    ) -> None:
        """`after`: how far each log was read already. `together`: of each place that hangs on a
        link, or has one hanging on it, the places that may answer an order at it."""
        self._store = store
        self._together = together
        self._until = until
        self._logs = {place: _Log(store, place, read) for place, read in after.items()}

    def __iter__(self) -> Iterator[Decided]:
        for order, events, digest in self._store.orders_with(self._logs.keys(), self._until):
            rows: list[Row] = []
            self._logs[order.place].take(order.command_id, rows)
            if len(rows) != events:
                rows = self._elsewhere(order, rows, events)
            yield Decided(order=order, rows=rows, events=events, digest=digest)

    def _elsewhere(self, order: OrderRecord, rows: list[Row], events: int) -> list[Row]:
        """With what came of it at other places."""
        places = list(self._together.get(order.place, ()))
        for heard in read_also(order.also):
            places += (heard.place, *self._together.get(heard.place, ()))
        for place in dict.fromkeys(places):
            log = self._logs.get(place)
            if log is not None and place != order.place:
                log.take(order.command_id, rows)
        if len(rows) == events:
            rows.sort(key=_by_place)
            return rows
        rows = self._store.answer_of(order.command_id)
        for row in rows:
            log = self._logs.get(row.stream)
            if log is not None:
                log.skip(row.position)
        return rows


def _by_place(row: Row) -> tuple[str, int]:
    return row.stream, row.position
