"""The orders themselves: numbered without a gap, and each bound by the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.house.audit.findings import Difference, contrast, shown
from croupier.house.chain import order_digest
from croupier.house.records import Decided, OrderRecord, Row
from croupier.house.store import Store


def is_bound(decided: Decided) -> bool:
    """Whether nothing is wrong with how an order is bound: asked of every one, and quickly.

    Of those with more than one place, and of those that came to nothing, `bound` says.
    """
    order, rows = decided.order, decided.rows
    if not rows or decided.digest or rows[0].order != order_digest(order):
        return False
    place, who, rank, at = order.place, order.who, order.rank, order.at
    for index, row in enumerate(rows):
        if row.stream != place or row.who != who or row.rank != rank or row.at != at:
            return False
        if index and row.order:
            return False
    return True


def bound(decided: Decided, *, exported: bool) -> Iterator[Difference]:
    """Whether an order is the one that its first event was stored with."""
    order = decided.order
    mine = [row for row in decided.rows if row.stream == order.place]
    named = [row for row in decided.rows if row.order]
    where = f"{shown(order.command_id)} (order {order.number}, at {shown(order.place)})"
    for row in named:
        if row is not mine[0] if mine else True:
            says = f"event {row.position} of {row.stream} is not the first of this order there"
            yield Difference(table="orders", where=where, column="place", says=says)
            return
    found = mine[0].order if mine else decided.digest
    if mine and decided.digest:
        says = "an order to which an event is bound has no digest beside it"
        yield Difference(table="orders", where=where, column="digest", says=says)
    withheld = exported and not order.command and not order.stored
    if not mine and not found and decided.events:
        there = f"{len(decided.rows)} of its {decided.events} events are there"
        says = f"{there}, and the one that it is bound to is gone"
        yield Difference(table="orders", where=where, column="events", says=says)
        return
    if not withheld and found != order_digest(order):
        yield _changed(order, mine, where)
        return
    for row in decided.rows:
        for column in ("who", "rank", "at"):
            one, other = getattr(order, column), getattr(row, column)
            if one != other:
                both = contrast(one, other)
                yield Difference(table="orders", where=where, column=column, **both)
                return


def _changed(order: OrderRecord, rows: Sequence[Row], where: str) -> Difference:
    """An order that is not the one to which its row is bound: which part of it, if that shows."""
    for column in ("who", "rank", "at") if rows else ():
        one, other = getattr(order, column), getattr(rows[0], column)
        if one != other:
            return Difference(table="orders", where=where, column=column, **contrast(one, other))
    if rows and not rows[0].order:
        says = f"event {rows[0].position} of {order.place} was stored without this order"
    else:
        says = (
            "the order is not the one that its event was stored with: its number, authority, "
            "software, command or what others heard was changed"
        )
    return Difference(table="orders", where=where, column="digest", says=says)


def check_numbers(store: Store, until: int | None = None) -> Iterator[Difference]:
    """Each order has the number of the one before it, and as many more as that one had events."""
    execute = store.database.execute
    [(before,)] = execute(
        "SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT) FROM orders WHERE number IS NULL"
    )
    before += sum(events for _, events, _ in store.past.commands())
    expected, last = before, None
    for number, events, command_id in store.order_numbers():
        if until is not None and number >= until:
            return
        if number != expected:
            where = f"{shown(command_id)} (order {number})"
            follows = "the events that were stored before orders were"
            if last is not None:
                follows = f"order {last[0]} ({shown(last[1])})"
            says = f"it should follow {follows}: an order is missing, or two were changed"
            both = contrast(number, expected)
            yield Difference(table="orders", where=where, column="number", **both, says=says)
        expected, last = number + events, (number, command_id)
