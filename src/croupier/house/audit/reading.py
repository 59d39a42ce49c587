"""Orders with what came of them, read along the logs.

Every log is read from its beginning to its end, and so are the orders: what came of an order is
what its places have next. Only where that does not add up is it looked up by the order's id, which
takes five times as long: where a row was changed, or where it lies in somebody else's share.

They are handed on as they are stored, as tuples of columns: most need no record of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile
from typing import Any

from croupier.house.audit.findings import Damaged, damaged, reading, shown
from croupier.house.errors import CorruptDatabase
from croupier.house.records import Decided, OrderRecord, Row, read_also
from croupier.house.rows import is_order, is_row
from croupier.house.store import Store
from croupier.house.store_reader import RawDecision

AT_ONCE = 1_000
"""Rows of one log that are read together."""
AT_LEAST, OF_ALL = 100, 25_000
"""The same where there are hundreds of logs, and as many of all of them are in memory."""
Values = tuple[Any, ...]


class _Log:
    """The log of one place, as far as it was not taken yet."""

    def __init__(self, store: Store, place: str, after: int, at_once: int) -> None:
        self._store = store
        self._at_once = at_once
        self._place = place
        self._rows: list[Values] = []
        """Rows that were read and not taken, the next one last."""
        self._read = after
        self._ended = False
        self._damaged: Damaged | None = None
        """What is wrong with the row after those."""

    def next(self, command_id: str, count: int) -> list[Values]:
        """Take what comes next of an order that says how much that is."""
        left = self._rows
        if count == 1 and len(left) > 1 and left[-1][2] == command_id != left[-2][2]:
            return [left.pop()]  # as most have it
        rows: list[Values] = []
        self.take(command_id, rows)
        return rows

    def take(self, command_id: str, rows: list[Values]) -> None:
        """Take what comes next of an order, and add it to these rows."""
        left = self._rows
        while left or (left := self._more()):
            if left[-1][2] != command_id:
                return
            rows.append(left.pop())

    def skip(self, position: int) -> None:
        """Pass everything up to a position."""
        while (self._rows or self._more()) and self._rows[-1][1] <= position:
            self._rows.pop()

    def _more(self) -> list[Values]:
        """Read on; nothing if there is nothing left."""
        if self._damaged is not None:
            raise self._damaged
        if self._ended:
            return []
        found = self._store.raw_rows(self._place, self._read, self._at_once)
        self._ended = len(found) < self._at_once
        rows = list(takewhile(is_row, found))
        if len(rows) < len(found):
            try:
                self._store.read_row(found[len(rows)])
            except CorruptDatabase as error:
                self._damaged = damaged("log", self._place, error)
                if not rows:
                    raise self._damaged from error
        if rows:
            self._read = rows[-1][1]
            rows.reverse()
            self._rows = rows
        return rows


class Decisions:
    """The orders that were given at some places, each with everything that came of it."""

    def __init__(
        self,
        store: Store,
        after: Mapping[str, int],
        together: Mapping[str, Collection[str]],
        until: int | None = None,
        since: int = -1,
    ) -> None:
        """`after`: how far each log was read already. `together`: of each place that hangs on a
        link, or has one hanging on it, the places that may answer an order at it. `since` and
        `until`: the numbers of the orders, where they are not all."""
        self._store = store
        self._together = together
        self._until = until
        self._since = since
        at_once = max(AT_LEAST, min(AT_ONCE, OF_ALL // max(1, len(after))))
        self._logs = {place: _Log(store, place, read, at_once) for place, read in after.items()}

    def __iter__(self) -> Iterator[RawDecision]:
        logs = self._logs
        for some in self._store.raw_orders(logs.keys(), self._until, self._since):
            for order in some:
                if not is_order(order):
                    self._store.read_order(order[:-2])  # which says what is wrong with it
                rows = logs[order[2]].next(order[1], order[-2])
                if len(rows) != order[-2]:
                    rows = self._elsewhere(order, rows)
                yield order, rows

    def _elsewhere(self, values: Values, rows: list[Values]) -> list[Values]:
        """With what came of it at other places."""
        number, command_id, here, also = values[0], values[1], values[2], values[8]
        places = list(self._together.get(here, ()))
        with reading("orders", f"{shown(command_id)} (order {number})"):
            for heard in read_also(also):
                places += (heard.place, *self._together.get(heard.place, ()))
        for place in dict.fromkeys(places):
            log = self._logs.get(place)
            if log is not None and place != here:
                log.take(command_id, rows)
        if len(rows) == values[-2]:
            rows.sort(key=_by_place)
            return rows
        rows = self._store.raw_answer_of(command_id)
        for row in rows:
            if not is_row(row):
                self._store.read_row(row)  # which says what is wrong with it
            log = self._logs.get(row[0])
            if log is not None:
                log.skip(row[1])
        return rows


def decisions_of(store: Store, ids: Collection[str]) -> Iterator[RawDecision]:
    """The orders of these ids, each with everything that came of it."""
    for order, rows in store.raw_decisions_of(ids):
        if not is_order(order):
            store.read_order(order[:-2])
        yield order, rows


def read_decision(store: Store, values: Values, rows: list[Values]) -> Decided:
    """An order and what came of it, as records."""
    order = _read_order(store, values)
    came: list[Row] = []
    for row in rows:
        try:
            came.append(store.read_row(row))
        except CorruptDatabase as error:
            table = "openings" if is_row(row) else "log"
            raise damaged(table, row[0], error) from error
    return Decided(order=order, rows=came, events=values[-2], digest=values[-1] or b"")


def _read_order(store: Store, values: Values) -> OrderRecord:
    """An order as a record. One that is stored as orders are can only fail to be read where its
    deck cannot be opened."""
    try:
        return store.read_order(values[:-2])
    except CorruptDatabase as error:
        if not is_order(values):
            raise
        raise damaged("openings", values[2], error) from error


def _by_place(row: Values) -> tuple[str, int]:
    return row[0], row[1]
