"""What tables must do of an order of the office, in one act and one transaction with it.

Before the office notes such an order, each table is asked by a copy of itself whether it would do
its part. So an order is carried out whole or refused whole, and whoever refuses says why.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from croupier.house.guards import OfficeGuard
from croupier.house.house import House
from croupier.house.office.commands import PayUnclaimed, RelocatePlayer
from croupier.house.office.moves import MAY
from croupier.house.office.office import OFFICE, Office
from croupier.house.office.standards import HELD_FUNDS
from croupier.house.software import HOUSE
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, BadCommand, Command, Order, Refused, Table
from croupier.table.money import write_money
from croupier.table.refusal import Refusal


class TableOrder(Struct, frozen=True, kw_only=True):
    """What one table must do of an order of the office."""

    place: str
    command: Command


class TableOrders:
    """Tells the tables their parts, and objects where one of them would refuse.

    Whoever gives an order of this kind holds the House's lock, asks for `orders_for` it, and gives
    it with them.
    """

    def __init__(self, house: House, guard: OfficeGuard) -> None:
        self._house = house
        self._guard = guard
        self._sent: Command | None = None
        """The order whose parts were made last: no other one is let through."""

    def orders_for(self, command: Command) -> list[tuple[str, Command]]:
        """What tables must hear of an order of the office, in order; of most orders nothing.

        Also nothing where it cannot be carried out: then `__call__` says why.
        """
        self._house.reread_stale()
        self._sent = command
        try:
            parts = self._of(command)
        except (BadCommand, Refusal):
            return []
        return [(part.place, part.command) for part in parts]

    def __call__(self, place: str, order: Order[Command]) -> Refused | None:
        """Object to an order that a table would not carry out."""
        command = order.command
        check = MAY.get(type(command))
        if place != OFFICE or check is None:
            return None
        if command is not self._sent:
            raise BadCommand(f"{command.tell()!r} is for `Casino.tell`, which tells the tables too")
        office = self._house.pit.links[OFFICE]
        assert isinstance(office, Office)
        try:
            check(office, order)
            for part in self._of(command):
                refused = self._would_refuse(part, order)
                if refused is not None:
                    return refused
        except Refusal as refusal:
            return refusal.refused
        return None

    def _would_refuse(self, part: TableOrder, cause: Order[Command]) -> Refused | None:
        """Whether the House or the table says no to its part; asked of a copy of the table."""
        # The log of the office has who gave the order.
        order = Order(command=part.command, who=HOUSE, rank=ActorRank.HOUSE, when=cause.when)
        refused = self._guard(part.place, order)
        if refused is not None:
            return refused
        table = self._here(part.place)
        copy = type(table).restore(table.book, table.snapshot())
        answer = copy.handle(order)
        if isinstance(answer, Refused):
            return Refused(answer.cites, f"Table {part.place}: {answer.says}")
        return None

    # -- orders that tables have a part in --------------------------------------------------

    def _of(self, command: Command) -> list[TableOrder]:
        match command:
            case RelocatePlayer():
                return self._relocation(command)
            case PayUnclaimed():
                return self._payment(command)
            case _:
                return []

    def _relocation(self, command: RelocatePlayer) -> list[TableOrder]:
        """He leaves with all his chips, and comes with them."""
        player = command.player
        table, _ = self._relocating(command.table), self._relocating(command.to)
        moved = GAMES.port_of(table).relocation(table, player, command.seat)
        if moved is None:
            says = f"{player} does not sit at table {command.table}."
            raise Refusal(Refused((HELD_FUNDS,), says))
        leaves, comes = moved
        return [
            TableOrder(place=command.table, command=leaves),
            TableOrder(place=command.to, command=comes),
        ]

    def _payment(self, command: PayUnclaimed) -> list[TableOrder]:
        """What is paid is what is kept, neither more nor less."""
        player, name = command.player, command.table
        table = self._here(name)
        port = GAMES.port_of(table)
        kept = port.kept_safe(table, player)
        if command.amount != kept:
            says = f"Table {name} keeps {write_money(kept)} safe for {player}."
            raise Refusal(Refused((HELD_FUNDS,), says))
        if not kept:
            raise BadCommand("an amount that is paid is more than nothing")
        return [TableOrder(place=name, command=port.hand_over(player))]

    def _relocating(self, name: str) -> Table[Any]:
        table = self._here(name)
        if not GAMES.port_of(table).relocates:
            raise BadCommand(
                f"the book of table {name!r} knows no relocation: "
                "the player leaves, and sits down elsewhere"
            )
        return table

    def _here(self, name: str) -> Table[Any]:
        """A table, also one that another server runs: then it is fetched for this order, stored
        under the length that its log has, and read again by its owner."""
        pit = self._house.pit
        if not pit.hears(name):
            raise BadCommand(
                f"table {name!r} is closed, or run by another process: give the order where "
                "every table that it is about is run"
            )
        return pit.tables.get(name) or pit.guests[name]
