"""`croupier office inventory` and `croupier office day`: trays of tables, the day closed."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import click

from croupier.cli.gaming_day import DAY, begins, zone
from croupier.cli.groups import CommandGroup
from croupier.cli.office_report import print_sheets
from croupier.cli.office_session import (
    AMOUNT,
    as_json,
    at,
    by,
    draw,
    office_session,
    order,
    write_json,
)
from croupier.house.gaming_day import GamingDay
from croupier.house.office.inventory import (
    CancelSlip,
    CloseDay,
    CountDrop,
    CountInventory,
    OrderCredit,
    OrderFill,
    SignSlip,
)
from croupier.house.office_lists import Trays
from croupier.house.reports.sheets import inventory_sheets
from croupier.table import UnreadableMoney, read_money
from croupier.table.money import write_money

table_of = click.argument("table")
slip_of = click.argument("slip", type=click.IntRange(min=1))


class ChipsOf(click.ParamType[tuple[int, int]]):
    """Chips of one value: how many."""

    name = "value=count"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        chip, mark, count = str(value).partition("=")
        if not mark or not (count.isascii() and count.isdecimal()):
            self.fail(f"{value!r}: write the value of a chip and how many, as 25=40", param, ctx)
        try:
            return read_money(chip), int(count)
        except UnreadableMoney as error:
            self.fail(str(error), param, ctx)


chips_of = click.argument("chips", type=ChipsOf(), nargs=-1)


def _chips(given: tuple[tuple[int, int], ...]) -> dict[int, int]:
    found: dict[int, int] = {}
    for value, count in given:
        if value in found:
            raise click.UsageError(f"{write_money(value)} stands there twice; write each chip once")
        found[value] = count
    return found


@click.group(cls=CommandGroup)
def inventory() -> None:
    """The trays of tables: counts, fills and credits by two people, the drop.

    \b
    Example:
      croupier office inventory list sqlite:///house.db --as Sue
    """


@inventory.command("count")
@at
@table_of
@click.argument("which", type=click.Choice(["opening", "closing"]))
@chips_of
@by
@as_json
def count(
    url: str, table: str, which: str, chips: tuple[tuple[int, int], ...], who: str, as_json: bool
) -> None:
    """Count the tray of TABLE, WHICH is opening or closing: CHIPS, each as VALUE=COUNT.

    URL is the database or the server. Somebody of the pit on duty counts, where assigned.

    \b
    Example:
      croupier office inventory count sqlite:///h.db P1 opening 1=100 5=80 25=40 --as Dan
    """
    with office_session(url, who, as_json) as here:
        here.give(CountInventory(table=table, which=which, chips=_chips(chips)))  # type: ignore[arg-type]


@inventory.command("fill")
@order
@table_of
@chips_of
def fill(
    url: str, table: str, chips: tuple[tuple[int, int], ...], who: str, reason: str, as_json: bool
) -> None:
    """Order CHIPS from the cage to TABLE, each as VALUE=COUNT; a second person signs the slip.

    URL is the database or the server. It takes a pit supervisor or above, on duty there.

    \b
    Example:
      croupier office inventory fill sqlite:///h.db P1 5=100 --as Sue --reason 'low on fives'
    """
    with office_session(url, who, as_json) as here:
        here.give(OrderFill(table=table, chips=_chips(chips), reason=reason))


@inventory.command("credit")
@order
@table_of
@chips_of
def credit(
    url: str, table: str, chips: tuple[tuple[int, int], ...], who: str, reason: str, as_json: bool
) -> None:
    """Order CHIPS from TABLE to the cage, each as VALUE=COUNT; a second person signs the slip.

    URL is the database or the server. It takes a pit supervisor or above, on duty there.

    \b
    Example:
      croupier office inventory credit sqlite:///h.db P1 25=40 --as Sue --reason 'too many'
    """
    with office_session(url, who, as_json) as here:
        here.give(OrderCredit(table=table, chips=_chips(chips), reason=reason))


@inventory.command("sign")
@at
@slip_of
@by
@as_json
def sign(url: str, slip: int, who: str, as_json: bool) -> None:
    """Sign the SLIP of this number, which somebody else has ordered. URL is the database or server.

    \b
    Example:
      croupier office inventory sign sqlite:///house.db 7 --as Cal
    """
    with office_session(url, who, as_json) as here:
        here.give(SignSlip(slip=slip))


@inventory.command("cancel")
@order
@slip_of
def cancel(url: str, slip: int, who: str, reason: str, as_json: bool) -> None:
    """Cancel the SLIP of this number, which nobody has signed. URL is the database or the server.

    \b
    Example:
      croupier office inventory cancel sqlite:///house.db 7 --as Sue --reason 'a wrong table'
    """
    with office_session(url, who, as_json) as here:
        here.give(CancelSlip(slip=slip, reason=reason))


@inventory.command("drop")
@at
@table_of
@click.argument("amount", type=AMOUNT)
@click.option("--note", default="", help="What else is to be said of it, for the record.")
@click.option("--box", type=int, help="An earlier box, by its number in the list.")
@by
@as_json
def drop(
    url: str, table: str, amount: int, note: str, box: int | None, who: str, as_json: bool
) -> None:
    """Put on record that the drop box of TABLE held an AMOUNT. URL is the database or the server.

    Its tray is counted at the closing first. A cashier, shift manager or auditor counts. A box
    that was not counted when its day was closed is on the list with its number.

    \b
    Example:
      croupier office inventory drop sqlite:///house.db P1 4,250 --as Cal
      croupier office inventory drop sqlite:///house.db P1 3,900 --box 2 --as Cal
    """
    with office_session(url, who, as_json) as here:
        here.give(CountDrop(table=table, amount=amount, note=note, box=box))


@inventory.command("list")
@at
@by
@as_json
def list_inventory(url: str, who: str, as_json: bool) -> None:
    """List the trays that are open or counted, with what differs, and the slips that wait.

    URL is the database or the server.

    \b
    Example:
      croupier office inventory list sqlite:///house.db --as Sue
    """
    with office_session(url, who, as_json) as here:
        found = here.listed("inventory")
        if as_json:
            write_json(found)
        else:
            _show(found)


def _show(found: Trays) -> None:
    print_sheets(found, inventory_sheets(found.trays), False, False)
    rows = [
        (
            str(line.slip),
            line.record.kind,
            line.record.table,
            write_money(line.record.amount),
            line.record.by,
            line.record.reason,
        )
        for line in found.slips
    ]
    title = "Slips that wait for a second signature"
    draw(title, ("slip", "kind", "table", "amount", "ordered_by", "reason"), rows, {"amount"})
    boxes = [
        (str(line.box), line.record.table, f"{line.record.opened_at:%Y-%m-%d %H:%M}")
        for line in found.boxes
    ]
    draw("Drop boxes of earlier trays, not counted yet", ("box", "table", "opened"), boxes, set())
    closed = found.day_closed
    click.echo(f"The last gaming day that was closed: {closed or 'none yet'}.")


@click.group(cls=CommandGroup)
def day() -> None:
    """Close a gaming day by name, with its differences.

    \b
    Example:
      croupier office day close sqlite:///house.db --as Sam
    """


@day.command("close")
@at
@click.option(
    "--day",
    "which",
    type=DAY,
    help="The day; the one that goes on if not said.",
)
@begins
@zone
@click.option("--note", default="", help="What differs and why, for the record.")
@by
@as_json
def close_day(
    url: str,
    which: datetime | None,
    begins: time,
    zone: ZoneInfo,
    note: str,
    who: str,
    as_json: bool,
) -> None:
    """Close a gaming day: every tray that was opened is counted. URL is the database or the server.

    A shift manager closes it, and what differs is shown first; `croupier office report day` has it
    for good.

    \b
    Example:
      croupier office day close sqlite:///house.db --day 2026-11-16 --as Sam --note 'P1 5 short'
    """
    now = GamingDay.of(datetime.now(UTC), begins=begins, zone=zone)  # at 4 a.m. it is yesterday's
    closes = date(which.year, which.month, which.day) if which else now.day
    with office_session(url, who, as_json) as here:
        if not as_json:
            _show(here.listed("inventory"))
        here.give(CloseDay(day=closes, note=note))
