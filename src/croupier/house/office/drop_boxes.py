"""Drop boxes that nobody has counted yet: they outlive the tray of their day (S-23).

A gaming day may be closed, or a tray opened anew, before the count room has opened the box. So it
stays on a list under a number until somebody counts it.
"""

from __future__ import annotations

from croupier.house.office.authority import refuse
from croupier.house.office.standards import WIN_REPORT
from croupier.house.office.state import DropBox, OfficeState
from croupier.table import BadCommand
from croupier.table.money import write_money


def keep_box(state: OfficeState, table: str) -> None:
    """The tray of a table goes; a box that nobody has counted is still there."""
    now = state.inventory.get(table)
    if now is None or now.closing is None or now.drop is not None:
        return
    state.boxed += 1
    state.drop_boxes[state.boxed] = DropBox(
        table=table, opened_at=now.opened_at, closed_at=now.closed_at, closed_by=now.closed_by
    )


def box_to_count(state: OfficeState, table: str, box: int | None) -> int | None:
    """The number of an earlier box, or nothing for that of the tray which was closed last. Which is
    meant must be said where several wait."""
    earlier = [n for n, each in state.drop_boxes.items() if each.table == table]
    if box is not None and box not in earlier:
        raise BadCommand(f"no box {box} of table {table} waits to be counted")
    if box is not None or _waits(state, table):
        return box
    if not earlier:
        _refuse_current(state, table)
    if len(earlier) > 1:
        which = ", ".join(f"{n} ({state.drop_boxes[n].opened_at:%Y-%m-%d %H:%M})" for n in earlier)
        refuse(WIN_REPORT, f"Say which box of table {table} was counted: {which}.")
    return earlier[0]


def _waits(state: OfficeState, table: str) -> bool:
    """Whether the box of the tray that was closed last is still to be counted."""
    now = state.inventory.get(table)
    return now is not None and now.closing is not None and now.drop is None


def _refuse_current(state: OfficeState, table: str) -> None:
    now = state.inventory.get(table)
    if now is not None and now.drop is not None:
        refuse(WIN_REPORT, f"The drop of table {table} is counted: {write_money(now.drop)}.")
    refuse(WIN_REPORT, f"Close the tray of table {table} before its drop is counted.")
