"""The floors that are simulated: a few tables each, with those who play and work there.

A floor is set up once, without faults and from a seed of its own, and every simulation begins with
a copy of it.
"""

from __future__ import annotations

from functools import cache
from random import Random

from msgspec import Struct, structs

from croupier.house.clocks import Clocks
from croupier.house.office.commands import GoOnDuty
from croupier.house.office.roster_commands import AssignStaff
from croupier.house.office.state import Role
from croupier.live.config import Config
from croupier.live.demonstration import demonstration
from croupier.simulator.database import ModelServer
from croupier.simulator.process import Process
from croupier.simulator.timeline import Timeline

CLOCKS = Clocks(
    to_act=6, time_bank=4, straddle=2, decision=6, showdown=2, bets=6, grace=20, between_rounds=1
)
MONEY = 20_000_00
"""What a player has at the beginning."""
NAMES = ("Ann", "Ben", "Cho", "Dev", "Eli", "Fay", "Gus", "Hal")
STAFF: dict[str, Role] = {"Max": "pit manager", "Sam": "shift manager"}
CASHIER = "Cal"
ADMINISTRATOR = "administrator"


class Floor(Struct, frozen=True, kw_only=True):
    """What is simulated, before anything goes wrong."""

    name: str
    tables: tuple[str, ...]
    """Of the demonstration."""
    players: int = 3
    """At each table, by accounts of their own; where there are guests, bots play too."""
    guests: bool = False
    remote: bool = False
    """Whether the database is a server far away."""
    ordered: bool = True
    """Whether standing orders answer for staff."""
    servers: tuple[str, ...] = ("",)
    """The servers that share the database; one without a name is alone."""

    @property
    def often(self) -> int:
        """How often it is simulated, one against the other: several servers take longer."""
        return 2 if len(self.servers) == 1 else 1

    def config(self) -> Config:
        """The configuration of its casino."""
        whole = demonstration()
        tables = {name: whole.tables[name] for name in self.tables}
        if not self.guests:
            tables = {name: structs.replace(table, bots=0) for name, table in tables.items()}
        links = {table.link for table in tables.values()} - {""}
        return structs.replace(
            whole,
            tables=tables,
            links={name: link for name, link in whole.links.items() if name in links},
            clocks=CLOCKS,
            standing_orders=whole.standing_orders if self.ordered else {},
        )

    def seats(self) -> list[tuple[str, str]]:
        """Who plays where."""
        found, names = [], iter(NAMES)
        for table in self.tables:
            found += [(next(names), table) for _ in range(self.players)]
        return found


FLOORS = {
    floor.name: floor
    for floor in (
        Floor(name="hold'em", tables=("Raffles",)),
        Floor(name="hold'em far", tables=("Raffles",), remote=True),
        Floor(name="two books", tables=("Raffles", "Clarke"), players=2, ordered=False),
        Floor(name="a link", tables=("Marina-1", "Marina-2"), players=2),
        Floor(
            name="a link far",
            tables=("Marina-1", "Marina-2"),
            players=2,
            remote=True,
            ordered=False,
        ),
        Floor(name="one of each", tables=("Clarke", "Orchard"), players=2, remote=True),
        Floor(
            name="two servers",
            tables=("Marina-1", "Marina-2"),
            players=2,
            remote=True,
            servers=("left", "right"),
        ),
        Floor(
            name="three servers",
            tables=("Raffles", "Marina-1", "Marina-2"),
            players=2,
            remote=True,
            servers=("left", "middle", "right"),
        ),
        Floor(name="guests", tables=("Raffles", "Sentosa-1"), players=1, guests=True),
    )
}


@cache
def furnished(name: str) -> bytes:
    """The database of a floor on its first evening."""
    floor = FLOORS[name]
    timeline, server = Timeline(), ModelServer()
    process = Process(timeline, server, floor.config(), Random(f"the floor {name}"))
    process.start_within(remote=floor.remote, guests=floor.guests, bots=False)
    process.within(lambda: _furnish(process, floor))
    timeline.run(timeline.now + 2)
    process.within(process.casino.stop)
    timeline.run(timeline.now + 2)
    server.restart()
    return server.image


def _furnish(process: Process, floor: Floor) -> None:
    casino = process.casino
    casino.hire(CASHIER, "cashier", None, who=ADMINISTRATOR, reason="opening")
    for name, role in STAFF.items():
        casino.hire(name, role, None, who=ADMINISTRATOR, reason="opening")
        casino.tell(GoOnDuty(name=name, post=role), who=name)
        casino.tell(AssignStaff(name=name, reason="opening"), who=ADMINISTRATOR)
    for name, _ in () if floor.guests else floor.seats():
        casino.open_account(name)
        casino.cash_in(name, MONEY)
