"""The chips of a table: counted when it opens and when it closes, brought and taken by slips that
two people sign, and the drop (S-23); the gaming day is closed by name.

It is a count beside the ledger and moves no entry: the chips in a tray are the House's wherever
they lie, and the ledger has what players own and what the House has won. What must lie in the tray
follows from both, and a report shows where the count differs from the book
(`croupier.house.reports.inventory`).
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from msgspec import Meta

from croupier.house.office.authority import on_duty, refuse
from croupier.house.office.drop_boxes import box_to_count, keep_box
from croupier.house.office.roster import assignment_at
from croupier.house.office.standards import (
    TWO_PEOPLE,
    UNIQUE_ACCOUNTS,
    WHO_CHANGED_WHAT,
    WIN_REPORT,
)
from croupier.house.office.state import (
    PIT,
    OfficeState,
    PlaceName,
    PlaceRecord,
    Reason,
    Slip,
    TableInventory,
)
from croupier.table import BadCommand, Command, Event, Money, Order, Room
from croupier.table.event import Namer
from croupier.table.money import write_money

if TYPE_CHECKING:
    from croupier.house.office.office import Office

inventory = Room("inventory")

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Chips = dict[Money, Count]
"""How many chips of each value, in cents."""
Which = Literal["opening", "closing"]
SlipKind = Literal["fill", "credit"]


# -- commands -------------------------------------------------------------------------------------


class CountInventory(Command, frozen=True, kw_only=True):
    """The chips in the tray of a table are counted, when it opens or when it closes."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    which: Which
    chips: Chips


class OrderFill(Command, frozen=True, kw_only=True):
    """Chips are to be brought to a table from the cage; a second person signs when they arrive."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    chips: Chips
    reason: Reason


class OrderCredit(Command, frozen=True, kw_only=True):
    """Chips are to be taken from a table to the cage; a second person signs."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    chips: Chips
    reason: Reason


class SignSlip(Command, frozen=True, kw_only=True):
    """A second person signs a fill or credit: the chips are where they belong."""

    players_may: ClassVar[bool] = False

    slip: int


class CancelSlip(Command, frozen=True, kw_only=True):
    """A fill or credit that nobody has signed yet is not carried out."""

    players_may: ClassVar[bool] = False

    slip: int
    reason: Reason


class CountDrop(Command, frozen=True, kw_only=True):
    """The drop box of a table was opened and counted."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    amount: Money
    note: str = ""
    box: int | None = None
    """The number of an earlier box, where several wait; else it is that of the tray closed last."""


class CloseDay(Command, frozen=True, kw_only=True):
    """Somebody closes a gaming day, and answers for it by name."""

    players_may: ClassVar[bool] = False

    day: date
    note: str = ""


# -- events ---------------------------------------------------------------------------------------


class InventoryCounted(Event, frozen=True, kw_only=True):
    """The tray of a table was counted."""

    table: str
    which: Which
    chips: Chips
    amount: Money
    by: str
    at: datetime

    def tell(self, name: Namer) -> str:
        return (
            f"{self.by} counts {write_money(self.amount)} in the tray of table {self.table} "
            f"({self.which})."
        )


class SlipOrdered(Event, frozen=True, kw_only=True):
    """A fill or credit waits for a second signature."""

    slip: int
    kind: SlipKind
    table: str
    chips: Chips
    amount: Money
    reason: str
    by: str
    at: datetime

    def tell(self, name: Namer) -> str:
        where = f"{'to' if self.kind == 'fill' else 'from'} table {self.table}"
        return (
            f"{self.by} orders a {self.kind} of {write_money(self.amount)} {where} "
            f"(slip {self.slip}): {self.reason}. A second person signs it."
        )


class SlipSigned(Event, frozen=True, kw_only=True):
    """A fill or credit was carried out, by two people."""

    slip: int
    kind: SlipKind
    table: str
    chips: Chips
    amount: Money
    ordered_by: str
    signed_by: str
    at: datetime

    def tell(self, name: Namer) -> str:
        where = "brought to" if self.kind == "fill" else "taken from"
        return (
            f"{write_money(self.amount)} in chips {where} table {self.table}: slip {self.slip}, "
            f"signed by {self.ordered_by} and {self.signed_by}."
        )


class SlipCancelled(Event, frozen=True, kw_only=True):
    """A fill or credit was not carried out."""

    slip: int
    table: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"Slip {self.slip} of table {self.table} is cancelled: {self.reason}."


class DropCounted(Event, frozen=True, kw_only=True):
    """What the drop box of a table held."""

    table: str
    amount: Money
    note: str
    by: str
    at: datetime
    box: int | None = None
    """Its number, where its tray was gone already: its day closed, or another one opened."""
    opened_at: datetime | None = None
    """When the tray of such a box was opened."""

    def tell(self, name: Namer) -> str:
        note = f" ({self.note})" if self.note else ""
        of = f"{self.table}, box {self.box}" if self.box is not None else self.table
        return f"{self.by} counts a drop of {write_money(self.amount)} of {of}{note}."


class DayClosed(Event, frozen=True, kw_only=True):
    """A gaming day is closed; the report of the day has what differs."""

    day: date
    by: str
    tables: tuple[str, ...]
    """Whose trays were counted since the day before was closed."""
    note: str
    at: datetime
    uncounted: tuple[str, ...] = ()
    """Of which of them nobody has counted the drop yet; it is counted later."""

    def tell(self, name: Namer) -> str:
        counted = ", ".join(self.tables) or "no tray was counted"
        note = f" ({self.note})" if self.note else ""
        lacks = (
            f" Drops still to be counted: {', '.join(self.uncounted)}." if self.uncounted else ""
        )
        return f"{self.by} closes the gaming day {self.day}: {counted}{note}.{lacks}"


# -- the room -------------------------------------------------------------------------------------


def amount_of(chips: Chips) -> int:
    """What chips are worth."""
    return sum(value * count for value, count in chips.items())


def _table(state: OfficeState, name: str) -> PlaceRecord:
    record = state.places.get(name)
    if record is None or record.kind != "table":
        tables = sorted(n for n, r in state.places.items() if r.kind == "table")
        raise BadCommand(f"there is no table {name!r}; there is {', '.join(tables) or 'none yet'}")
    return record


def _check_chips(name: str, record: PlaceRecord, chips: Chips, *, some: bool) -> None:
    """Chips of a value that the table does not have were mistyped."""
    known = sorted(record.settings.get("chips", ()))
    for value, count in chips.items():
        if value <= 0 or (known and value not in known):
            there = ", ".join(map(write_money, known)) or "chips worth more than nothing"
            raise BadCommand(f"table {name} has no chip of {write_money(value)}; there is {there}")
        if count < 0:
            raise BadCommand("nobody counts fewer chips than none")
    if some and not amount_of(chips):
        raise BadCommand("say which chips, and how many of each")


def _at_the_table(office: Office, order: Order[Command], what: str, table: str) -> None:
    """Somebody of the pit on duty, with a licence that is good, who is assigned there."""
    state = office.state
    on_duty(office, order, what, PIT)
    if not assignment_at(state, order.who, table, order.when):
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is not assigned to table {table}.")


@inventory.decides(CountInventory)
def count_inventory(office: Office, order: Order[CountInventory]) -> None:
    command, state = order.command, office.state
    record = _table(state, command.table)
    _at_the_table(office, order, "count the tray of a table", command.table)
    _check_chips(command.table, record, command.chips, some=False)
    now = state.inventory.get(command.table)
    is_open = now is not None and now.closing is None
    if command.which == "opening" and is_open:
        refuse(WIN_REPORT, f"The tray of table {command.table} is counted already; close it first.")
    if command.which == "closing":
        if not is_open:
            refuse(WIN_REPORT, f"The tray of table {command.table} was not counted at its opening.")
        waiting = [n for n, slip in state.slips.items() if slip.table == command.table]
        if waiting:
            says = f"Slip {waiting[0]} of table {command.table} waits for a second signature."
            refuse(TWO_PEOPLE, says)
    office.emit(
        InventoryCounted(
            table=command.table,
            which=command.which,
            chips=command.chips,
            amount=amount_of(command.chips),
            by=order.who,
            at=order.when,
            cites=(WIN_REPORT,),
        )
    )


@inventory.applies(InventoryCounted)
def inventory_counted(office: Office, event: InventoryCounted) -> None:
    held = office.state.inventory
    if event.which == "opening":
        keep_box(office.state, event.table)
        held[event.table] = TableInventory(
            opening=event.amount, chips=event.chips, opened_by=event.by, opened_at=event.at
        )
        return
    now = held[event.table]
    now.closing, now.chips = event.amount, event.chips
    now.closed_by, now.closed_at = event.by, event.at


@inventory.decides(OrderFill, OrderCredit)
def order_slip(office: Office, order: Order[OrderFill] | Order[OrderCredit]) -> None:
    command, state = order.command, office.state
    record = _table(state, command.table)
    kind: SlipKind = "fill" if isinstance(command, OrderFill) else "credit"
    _at_the_table(office, order, f"order a {kind}", command.table)
    _check_chips(command.table, record, command.chips, some=True)
    now = state.inventory.get(command.table)
    if now is None or now.closing is not None:
        refuse(WIN_REPORT, f"Count the tray of table {command.table} first: it is not open.")
    office.emit(
        SlipOrdered(
            slip=state.slipped + 1,
            kind=kind,
            table=command.table,
            chips=command.chips,
            amount=amount_of(command.chips),
            reason=command.reason,
            by=order.who,
            at=order.when,
            cites=(TWO_PEOPLE, WIN_REPORT),
        )
    )


@inventory.applies(SlipOrdered)
def slip_ordered(office: Office, event: SlipOrdered) -> None:
    office.state.slipped = event.slip
    office.state.slips[event.slip] = Slip(
        kind=event.kind,
        table=event.table,
        chips=event.chips,
        amount=event.amount,
        reason=event.reason,
        by=event.by,
        at=event.at,
    )


def _slip(state: OfficeState, number: int) -> Slip:
    slip = state.slips.get(number)
    if slip is None:
        raise BadCommand(f"no slip {number} waits for a signature")
    return slip


@inventory.decides(SignSlip)
def sign_slip(office: Office, order: Order[SignSlip]) -> None:
    """By the dealer who takes the chips, a cashier who brings them, or another supervisor."""
    number, state = order.command.slip, office.state
    slip = _slip(state, number)
    if slip.by == order.who:
        refuse(TWO_PEOPLE, f"{order.who} has ordered it; a second person signs.")
    if state.people[order.who].role in PIT:
        _at_the_table(office, order, f"sign a {slip.kind}", slip.table)
    office.emit(
        SlipSigned(
            slip=number,
            kind=slip.kind,
            table=slip.table,
            chips=slip.chips,
            amount=slip.amount,
            ordered_by=slip.by,
            signed_by=order.who,
            at=order.when,
            cites=(TWO_PEOPLE, WIN_REPORT),
        )
    )


@inventory.applies(SlipSigned)
def slip_signed(office: Office, event: SlipSigned) -> None:
    office.state.slips.pop(event.slip, None)
    now = office.state.inventory[event.table]
    if event.kind == "fill":
        now.fills += event.amount
    else:
        now.credits += event.amount


@inventory.decides(CancelSlip)
def cancel_slip(office: Office, order: Order[CancelSlip]) -> None:
    command = order.command
    slip = _slip(office.state, command.slip)
    office.emit(
        SlipCancelled(
            slip=command.slip, table=slip.table, reason=command.reason, cites=(WHO_CHANGED_WHAT,)
        )
    )


@inventory.applies(SlipCancelled)
def slip_cancelled(office: Office, event: SlipCancelled) -> None:
    office.state.slips.pop(event.slip, None)


@inventory.decides(CountDrop)
def count_drop(office: Office, order: Order[CountDrop]) -> None:
    """Not by whoever stood at the table: the box is opened in the count room."""
    command, state = order.command, office.state
    _table(state, command.table)
    if command.amount < 0:
        raise BadCommand("a drop is nothing or more")
    box = box_to_count(state, command.table, command.box)
    office.emit(
        DropCounted(
            table=command.table,
            amount=command.amount,
            note=command.note,
            by=order.who,
            at=order.when,
            box=box,
            opened_at=state.drop_boxes[box].opened_at if box is not None else None,
            cites=(WIN_REPORT,),
        )
    )


@inventory.applies(DropCounted)
def drop_counted(office: Office, event: DropCounted) -> None:
    if event.box is not None:
        office.state.drop_boxes.pop(event.box, None)
    else:
        office.state.inventory[event.table].drop = event.amount


@inventory.decides(CloseDay)
def close_day(office: Office, order: Order[CloseDay]) -> None:
    command, state = order.command, office.state
    if command.day > order.when.date():
        raise BadCommand(f"{command.day} has not come yet; it is {order.when.date()}")
    if state.day_closed is not None and command.day <= state.day_closed:
        refuse(WIN_REPORT, f"The gaming days up to {state.day_closed} are closed already.")
    still = sorted(name for name, now in state.inventory.items() if now.closing is None)
    if still:
        refuse(WIN_REPORT, f"Still open: {', '.join(still)}. Count these trays first.")
    office.emit(
        DayClosed(
            day=command.day,
            by=order.who,
            tables=tuple(sorted(state.inventory)),
            note=command.note,
            at=order.when,
            uncounted=tuple(sorted(n for n, t in state.inventory.items() if t.drop is None)),
            cites=(WIN_REPORT, WHO_CHANGED_WHAT),
        )
    )


@inventory.applies(DayClosed)
def day_closed(office: Office, event: DayClosed) -> None:
    """The next day begins with new counts; the log and the reports have the old ones."""
    office.state.day_closed = event.day
    for table in office.state.inventory:
        keep_box(office.state, table)
    office.state.inventory = {}
