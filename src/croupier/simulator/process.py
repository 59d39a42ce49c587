"""A process of a simulated House: started on the model of a database, killed, started again.

Whatever a dead process still had in mind is never done: its timers are passed over, its sessions
with the database end with an error that nothing catches, and nobody hears from it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from croupier.house.casino import Casino
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


class Process:
    """One life of a process."""

    def __init__(
        self, timeline: Timeline, server: ModelServer, config: Config, chance: Random
    ) -> None:
        self.timeline = timeline
        self.server = server
        self.config = config
        self.loop = ProcessLoop(timeline)
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
        try:
            self.loop.within(lambda: self._start(remote=remote, guests=guests, bots=bots))
        except Died:
            pass
        except BaseException:
            self.die()
            raise

    def _start(self, *, remote: bool, guests: bool, bots: bool) -> None:
        session = self.server.connect(remote=remote)
        session.process = self
        self.casino = Casino.open(
            session,
            ownership=AllOfIt(),
            orders=StandingOrders(self.config.standing_orders),
            world=self.world,
        )
        lock: Any = self.casino.house.lock
        self.world.lock_is_held = lock._is_owned
        if guests:
            self.identity = GuestIdentityProvider(self.casino, KEY)
        else:
            self.identity = AccountIdentityProvider(self.casino, KEY)
        self.live = LiveCasino(self.config, self.casino, self.identity)
        if bots and guests and any(table.bots for table in self.config.tables.values()):
            BotRunner(self.live, Random(self.world.chance.getrandbits(64))).open()
        self.live.start()
        self.is_open = True

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
