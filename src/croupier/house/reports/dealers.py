"""Who dealt which rounds at the tables that are dealt by hand, with the reliefs.

It follows from the log of each table: every act of a dealer stands there in his name.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.house.records import Row
from croupier.house.software import SOFTWARE
from croupier.table import ActorRank


class Dealt(Struct, kw_only=True):
    """One dealer at one table, from when he came until he was relieved."""

    table: str
    dealer: str
    since: datetime
    until: datetime
    """His last act there."""
    first: int
    """The rounds that he dealt, from the first to the last; 0 if none was under way."""
    last: int
    rounds: int
    relieved: str
    """Whom he relieved."""


class Dealing:
    """Follows who deals at one table."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.dealt: list[Dealt] = []

    def follow(self, row: Row, number: int, *, playing: bool) -> None:
        """Take note of the first row of a command, with the round that it belongs to."""
        if row.rank != ActorRank.DEALER.value or row.who in SOFTWARE:
            return
        at = datetime.fromisoformat(row.at)
        before = self.dealt[-1] if self.dealt else None
        if before is None or before.dealer != row.who:
            relieved = before.dealer if before is not None else ""
            before = Dealt(
                table=self.table,
                dealer=row.who,
                since=at,
                until=at,
                first=0,
                last=0,
                rounds=0,
                relieved=relieved,
            )
            self.dealt.append(before)
        before.until = at
        if playing and number != before.last:
            before.first = before.first or number
            before.last = number
            before.rounds += 1
