"""A process of a simulated House: started on the model of a database, killed, started again.

Whatever a dead process still had in mind is never done: its timers are passed over, its sessions
with the database end with an error that nothing catches, and nobody hears from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from random import Random
from typing import Any

from croupier.house.casino import Casino
from croupier.house.ownership import Ownership, ownership_of
from croupier.house.standing import StandingOrders
from croupier.live.bots.runner import BotRunner
from croupier.live.casino import LiveCasino
from croupier.live.cluster.cluster import Cluster
from croupier.live.config import Config, ServersConfig
from croupier.live.identity import AccountIdentityProvider, GuestIdentityProvider, IdentityProvider
from croupier.simulator.database import ModelDatabase, ModelServer
from croupier.simulator.errors import Died
from croupier.simulator.timeline import ProcessLoop, Timeline
from croupier.simulator.world import SimulatedWorld

WRITER = "house-writer"
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
        self,
        timeline: Timeline,
        server: ModelServer,
        config: Config,
        chance: Random,
        name: str = "",
    ) -> None:
        """`name` is what it is called among several servers."""
        self.name = name
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

    @property
    def is_frozen(self) -> bool:
        """Whether it sleeps."""
        return self.loop.frozen_until > self.timeline.now

    def freeze(self, until: float) -> None:
        """It does nothing until then, and nobody in it knows."""
        self.loop.frozen_until = self.world.frozen_until = until

    def start_within(self, *, remote: bool, guests: bool, bots: bool = True) -> None:
        """Open the House as a server does. It may die of it; `HouseError` if it cannot open."""
        self._begin(lambda: self._start(remote=remote, guests=guests, bots=bots))

    def start_office(self) -> None:
        """Open the House without its tables, as `croupier office` does where several share it."""
        self._begin(lambda: self._open(remote=True, tables=lambda casino: ()))

    def _begin(self, start: Callable[[], None]) -> None:
        try:
            self.loop.within(start)
            self.is_open = self.alive
        except Died:
            pass
        except BaseException:
            self.die()
            raise

    def _open(
        self, *, remote: bool, tables: Callable[[Casino], Sequence[str]] | None = None
    ) -> None:
        session = self.server.connect(remote=remote)
        session.process = self
        self.casino = Casino.open(
            session,
            ownership=ownership_of(session) if remote else AllOfIt(),
            orders=StandingOrders(self.config.standing_orders),
            tables=tables,
            world=self.world,
        )
        lock: Any = self.casino.house.lock
        self.world.lock_is_held = lock._is_owned

    def _start(self, *, remote: bool, guests: bool, bots: bool) -> None:
        cluster = None
        if self.name:
            cluster = Cluster(ServersConfig(name=self.name), self.name, self.world)
        self._open(remote=remote, tables=cluster.choose if cluster is not None else None)
        self.casino.office_turn = self._alone_at(self.casino.office_turn)
        if guests:
            self.identity = GuestIdentityProvider(self.casino, KEY)
        else:
            self.identity = AccountIdentityProvider(self.casino, KEY)
        self.live = LiveCasino(self.config, self.casino, self.identity, cluster)
        if bots and guests and any(table.bots for table in self.config.tables.values()):
            BotRunner(self.live, Random(self.world.chance.getrandbits(64))).open()
        self.live.start()

    def _alone_at(
        self, turn: Callable[[], AbstractContextManager[Any]]
    ) -> Callable[[], AbstractContextManager[Any]]:
        """Whoever has the turn at the office waits for the writer alone: another thread that wants
        the turn would wait for it, and cannot here."""

        @contextmanager
        def taken() -> Iterator[Any]:
            with self.world.waiting_for(WRITER), turn() as has:
                yield has

        return taken

    def die(self) -> None:
        """It ends here and now."""
        self.server.backends.end_of_process(self)
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
