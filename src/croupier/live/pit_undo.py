"""Whether the last ruling at a table can be undone, and if not, why: the table is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.live.pit_records import PitUndo
from croupier.table import ActorRank, Command, DecisionNeeded, Order, Refused, Table

UNDO = "undo ruling"
TOP = ActorRank.SHIFT_MANAGER
"""Whoever may undo anything that can be undone."""

Ordered = Callable[[Command, ActorRank], Order[Command]]
"""An order of whoever asks, in a rank."""


def undo_now(table: Table[Any], ordered: Ordered, rank: ActorRank) -> PitUndo:
    """Whether whoever asks may undo the last ruling; else who may, if anybody."""
    own = _objection(table, ordered, rank)
    if own is None:
        return PitUndo(may=True)
    if own.says and _objection(table, ordered, TOP) is None:
        return PitUndo(says=own.says)
    return PitUndo()


def undo_after(table: Table[Any], ordered: Ordered, rank: ActorRank) -> PitUndo:
    """The same just after something was ruled: if nobody may undo it, that is said too."""
    found = undo_now(table, ordered, rank)
    asks = any(isinstance(need, DecisionNeeded) for need in table.state.waiting)
    if found.may or found.says or asks:  # for whom it waits is said elsewhere
        return found
    stands = _objection(table, ordered, TOP)
    if stands is None or not stands.says:
        return PitUndo()
    chance = bool(table.state.waiting)  # nothing but a shuffle or a draw
    return PitUndo(says=f"It cannot be undone. {stands.says}" if chance else stands.says)


def _objection(table: Table[Any], ordered: Ordered, rank: ActorRank) -> Refused | None:
    kinds = {str(kind.__struct_config__.tag): kind for kind in table.whole.commands}
    undo = kinds.get(UNDO)
    if undo is None:
        return Refused((), "")
    return table.objection(ordered(undo(reason="tried"), rank))
