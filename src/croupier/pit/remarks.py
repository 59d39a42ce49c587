"""What a game has to say with a ruling beside its events, for the desk: nothing, unless it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.pit.inventory import MoneyMove
from croupier.rulebooks import Cites
from croupier.table import Event, Table
from croupier.table.event import Namer


class Remarks:
    """Of a game that has nothing to add; `facts` are those of its tables, after the ruling."""

    def goes_with(self, event: Event, facts: Any, name: Namer) -> str:
        """What must be said with an event in the one sentence of a ruling, if anything."""
        return ""

    def cites_for(self, event: Event) -> Cites:
        """The paragraphs of what goes with an event; where there are none, those of the event."""
        return Cites()

    def is_about(self, option: str, table: Table[Any], name: Namer) -> str:
        """What an option of a ruling is about at this table."""
        return ""

    def also_moved(self, event: Event, facts: Any, name: Namer) -> Iterator[MoneyMove]:
        """Money that no list of a table's chips shows: what stays, and what was never counted."""
        return iter(())

    def comes_next(self, event: Event, facts: Any, name: Namer) -> Iterator[str]:
        """What is as it was, or comes now, beside what the table waits for."""
        return iter(())


NO_REMARKS = Remarks()
