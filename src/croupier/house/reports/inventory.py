"""The trays of tables: what was counted, what the book says must lie there, and the difference.

A tray loses what players buy and win, and gains what they lose and hand in. All of that is in the
ledger, so from the opening count on

    expected = opening + fills - credits
               - chips that players bought there + chips that they handed in as they left
               + what the House won there, Rake included - jackpot awards paid out in chips

Chips that relocated players carry along never pass the tray. Whoever leaves is taken to hand his
chips in at the table, where his account gets them; if he carries them to the cage instead, the tray
is short by so much and the cage is over.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.house.ledger import AWARDS
from croupier.house.office import OFFICE, Office
from croupier.house.office import events as office
from croupier.house.office.inventory import DropCounted, InventoryCounted, SlipSigned
from croupier.house.office.roster_events import CashTaken
from croupier.house.replaying import held_rows, read_event
from croupier.house.store import Store


class InventoryDay(Struct, kw_only=True):
    """One tray from its opening count to its closing count. Amounts are cents."""

    table: str
    opened_by: str
    opened_at: datetime
    opening: int
    fills: int = 0
    credits: int = 0
    expected: int = 0
    """What must lie in the tray at the closing, or now while it is open."""
    closing: int | None = None
    difference: int | None = None
    """Counted less expected: what is missing is negative."""
    closed_by: str = ""
    closed_at: datetime | None = None
    cash_booked: int = 0
    """Cash that dealers took there meanwhile, and that must be in the drop box."""
    drop: int | None = None
    drop_difference: int | None = None


def report_inventory(store: Store, start: datetime, end: datetime) -> list[InventoryDay]:
    """Every tray that was open within a time, by table and opening."""
    trays, relocations = _counted(store, end)
    found = [t for t in trays if t.closed_at is None or t.closed_at >= start]
    for table in {tray.table for tray in found}:
        _book(store, [tray for tray in found if tray.table == table], table, end, relocations)
    for tray in found:
        if tray.closing is not None:
            tray.difference = tray.closing - tray.expected
        if tray.drop is not None:
            tray.drop_difference = tray.drop - tray.cash_booked
    return sorted(found, key=lambda tray: (tray.table, tray.opened_at))


def _counted(store: Store, end: datetime) -> tuple[list[InventoryDay], set[str]]:
    """What the office has of trays until then, and the commands that relocated players."""
    conversation = Office()
    now: dict[str, InventoryDay] = {}
    trays: list[InventoryDay] = []
    relocations: set[str] = set()
    for row in held_rows(store, OFFICE):
        event = read_event(conversation, row)
        if isinstance(event, DropCounted):  # the box is opened after the day, too
            _note_drop(event, trays, now)
        if datetime.fromisoformat(row.at) >= end:
            if isinstance(event, InventoryCounted) and event.which == "opening":
                now.pop(event.table, None)  # boxes that are opened from here on are of later trays
            continue
        match event:
            case InventoryCounted(which="opening"):
                tray = InventoryDay(
                    table=event.table,
                    opened_by=event.by,
                    opened_at=event.at,
                    opening=event.amount,
                )
                now[event.table] = tray
                trays.append(tray)
            case InventoryCounted():
                tray = now[event.table]
                tray.closing, tray.closed_by, tray.closed_at = event.amount, event.by, event.at
            case SlipSigned(kind="fill"):
                now[event.table].fills += event.amount
            case SlipSigned():
                now[event.table].credits += event.amount
            case CashTaken() if event.table in now and now[event.table].closing is None:
                now[event.table].cash_booked += event.amount
            case office.PlayerRelocated():
                relocations.add(row.command_id)
            case _:
                continue
    return trays, relocations


def _note_drop(event: DropCounted, trays: list[InventoryDay], now: dict[str, InventoryDay]) -> None:
    """Of the tray that is there, or of an earlier one that the event names."""
    tray = now.get(event.table)
    if event.opened_at is not None:
        named = (t for t in trays if (t.table, t.opened_at) == (event.table, event.opened_at))
        tray = next(named, None)
    if tray is not None:
        tray.drop = event.amount


def _book(
    store: Store, trays: list[InventoryDay], table: str, end: datetime, relocations: set[str]
) -> None:
    """Put into trays of one table what the entries of its log say."""
    for tray in trays:
        tray.expected = tray.opening + tray.fills - tray.credits
    moved: dict[int, int] = {}
    bank = (f"table/{table}/bank", f"table/{table}/rake", AWARDS)
    for entry in store.entries(table):
        if entry.account.startswith("player/") or entry.account in bank:
            moved[entry.position] = moved.get(entry.position, 0) + entry.amount
    if not moved:
        return
    for row in store.rows(table):
        amount = moved.get(row.position, 0)
        if not amount or row.command_id in relocations:
            continue
        at = datetime.fromisoformat(row.at)
        for tray in trays:
            if tray.opened_at <= at < (tray.closed_at or end):
                tray.expected += amount
