"""Reports that name a card which lies face down, and name a wrong one: few are heard in a round.

A table that knows its cards refuses such a report, and thereby says where the card does not lie.
Tried often enough, that would tell what nobody may see. So after a few at one table no report that
names such a card is heard there before the next round, from whomever. Each that was refused is on
record with the name of whoever made it, as everything is that is refused. What is only tried before
it is confirmed says nothing at all (`croupier.pit.face_down`).
"""

from __future__ import annotations

from typing import Any

from croupier.house.house import House
from croupier.house.office.standards import UNIQUE_ACCOUNTS
from croupier.pit.face_down import hidden_cards_named, without_hidden
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, BadCommand, Command, Decide, Order, Refused, Table

AT_MOST = 3
"""Untrue reports of hidden cards that are heard at one table in one round: enough for slips of the
tongue, and fewer than could tell anything."""


class UntrueReports:
    """Counts them for one House; a guard (`House.guards`), used under its lock.

    The count is kept in memory: to begin it again takes a restart, which is on record.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._heard: dict[str, tuple[int, int]] = {}
        """Of each table: in which round, and how many."""

    def __call__(self, place: str, order: Order[Command]) -> Refused | None:
        table = self._house.pit.tables.get(place)
        if table is None or order.rank is ActorRank.PLAYER:
            return None
        command = order.command
        if not _is_ruled_on(table, command) or not hidden_cards_named(table, command):
            return None
        objection = self.objection(place)
        if objection is None and _is_untrue(table, order):
            self._heard[place] = (_round(table), self._count(place, table) + 1)
        return objection

    def objection(self, place: str) -> Refused | None:
        """What is said to a further report that names a hidden card, if no more are heard."""
        table = self._house.pit.tables[place]
        if self._count(place, table) < AT_MOST:
            return None
        says = (
            f"{AT_MOST} reports at table {place} have named cards in this round that do not lie "
            "there; no other is heard that names a card lying face down, until the next round. "
            "Report it without a card, under what the book does not say."
        )
        return Refused((UNIQUE_ACCOUNTS,), says)

    def _count(self, place: str, table: Table[Any]) -> int:
        number, count = self._heard.get(place, (0, 0))
        return count if number == _round(table) else 0


def _round(table: Table[Any]) -> int:
    return GAMES.port_of(table).round_number(table)


def _is_ruled_on(table: Table[Any], command: Command) -> bool:
    return type(command) in table.whole.reports or isinstance(command, Decide)


def _is_untrue(table: Table[Any], order: Order[Command]) -> bool:
    """Whether it is refused for nothing but the card: if that lay there, it would be heard."""
    if _is_heard(table, order):
        return False
    if isinstance(order.command, Decide):
        return True
    return _is_heard(without_hidden(table, order.command), order)


def _is_heard(table: Table[Any], order: Order[Command]) -> bool:
    try:
        return table.objection(order) is None
    except BadCommand:
        return False
