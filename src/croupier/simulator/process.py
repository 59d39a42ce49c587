"""A process of a simulated House: started on the model of a database, killed, started again.

Whatever a dead process still had in mind is never done: its timers are passed over, its sessions
with the database end with an error that nothing catches, and nobody hears from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from croupier.house.casino import Casino
from croupier.house.errors import OwnedElsewhere
from croupier.house.ownership import Ownership
from croupier.house.standing import StandingOrders
from croupier.live.bots.runner import BotRunner
from croupier.live.casino import LiveCasino
from croupier.live.config import Config
from croupier.live.identity import AccountIdentityProvider, GuestIdentityProvider, IdentityProvider
from croupier.simulator.database import ModelDatabase, ModelServer
from croupier.simulator.errors import Died
from croupier.simulator.timeline import ProcessLoop, Timeline
from croupier.simulator.world import SimulatedWorld

KEY = b"the key of a simulated casino...."
"""Signs cookies: the same after a restart."""


class AllOfIt(Ownership):
    """A database that one process has as a whole."""

    whole = True

    def take(self, place: str) -> None:
        """It is ours."""

    def give_up(self, place: str) -> None:
        """Nobody else asks."""

    def check(self) -> list[str]:
        return []

    def close(self) -> None:
        """There is nothing to be given back."""


class Shared(Ownership):
    """A server that several processes use: each place is run by one of them."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._owners: dict[str, Process] = process.server.owners

    def take(self, place: str) -> None:
        if self._is_anothers(place):
            raise OwnedElsewhere(f"{place} is run by another process")
        self._owners[place] = self._process

    def _is_anothers(self, place: str) -> bool:
        owner = self._owners.get(place)
        return owner is not None and owner is not self._process and owner.alive

    def give_up(self, place: str) -> None:
        if self._owners.get(place) is self._process:
            del self._owners[place]

    def check(self) -> list[str]:
        return [place for place in self._owners if self._is_anothers(place)]

    def close(self) -> None:
        for place in tuple(self._owners):
            self.give_up(place)


class Process:
    """One life of a process."""

    def __init__(
        self, timeline: Timeline, server: ModelServer, config: Config, chance: Random
    ) -> None:
        self.timeline = timeline
        self.server = server
        self.config = config
        self.loop = ProcessLoop(timeline)  # type: ignore[abstract]  # what a casino uses is there
        self.world = SimulatedWorld(timeline, chance)
        self.world.within = self.within
        self.is_open = False
        self.sessions: list[ModelDatabase] = []
        self.identity: IdentityProvider
        self.casino: Casino
        self.live: LiveCasino

    @property
    def alive(self) -> bool:
        return not self.world.died

    def start_within(self, *, remote: bool, guests: bool, bots: bool = True) -> None:
        """Open the House as a server does. It may die of it; `HouseError` if it cannot open."""
        self._begin(lambda: self._start(remote=remote, guests=guests, bots=bots))

    def start_office(self) -> None:
        """Open the House without its tables, as `croupier office` does where several share it."""
        self._begin(lambda: self._open(remote=True, tables=()))

    def _begin(self, start: Callable[[], None]) -> None:
        try:
            self.loop.within(start)
            self.is_open = self.alive
        except Died:
            pass
        except BaseException:
            self.die()
            raise

    def _open(self, *, remote: bool, tables: Sequence[str] | None = None) -> None:
        session = self.server.connect(remote=remote)
        session.process = self
        self.casino = Casino.open(
            session,
            ownership=Shared(self) if remote else AllOfIt(),
            orders=StandingOrders(self.config.standing_orders),
            tables=tables,
            world=self.world,
        )
        lock: Any = self.casino.house.lock
        self.world.lock_is_held = lock._is_owned

    def _start(self, *, remote: bool, guests: bool, bots: bool) -> None:
        self._open(remote=remote)
        if guests:
            self.identity = GuestIdentityProvider(self.casino, KEY)
        else:
            self.identity = AccountIdentityProvider(self.casino, KEY)
        self.live = LiveCasino(self.config, self.casino, self.identity)
        if bots and guests and any(table.bots for table in self.config.tables.values()):
            BotRunner(self.live, Random(self.world.chance.getrandbits(64))).open()
        self.live.start()

    def die(self) -> None:
        """It ends here and now."""
        self.world.died = True
        self.loop.is_over = True
        self.is_open = False
        self.timeline.after(0, self.loop.bury)

    def within(self, call: Callable[[], Any]) -> Any:
        """Have something done in this process, if it lives."""
        if not self.alive:
            return None
        try:
            return self.loop.within(call)
        except Died:
            return None
