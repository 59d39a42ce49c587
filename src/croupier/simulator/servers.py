"""The servers of a simulated floor: one, or several that share a database.

Each is a process that dies, sleeps, is cut off from the database or from the others, and is started
again. Where there are several, each is a real `Cluster` member, with the locks, the beats and the
lease of one; only what is passed from one to another goes by the simulated network.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.house.errors import HouseError
from croupier.live.errors import LiveError
from croupier.simulator.errors import Broken, Died
from croupier.simulator.process import Process

if TYPE_CHECKING:
    from croupier.simulator.simulation import Simulation

AT_LEAST = 0.5
"""Seconds until a process that has ended is started again, at least."""
TRIES_AGAIN = 2.0
"""Seconds until one that could not open tries again."""


class SimulatedServers:
    """The processes that run the tables, by name."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.names = simulation.floor.servers
        """One without a name is alone."""
        self.processes: dict[str, Process] = {}
        """The last life of each."""
        self._coming: set[str] = set()
        self._cut_off: dict[str, float] = {}
        """Until when each cannot reach the database."""
        self._parted: dict[frozenset[str], float] = {}
        """Until when two cannot reach each other."""

    # -- who is there ------------------------------------------------------------------------

    def open(self) -> list[Process]:
        """The processes that serve somebody."""
        return [each for each in self.processes.values() if each.is_open]

    def awake(self) -> list[Process]:
        """Those of them that answer."""
        return [each for each in self.open() if not each.is_frozen]

    def any(self, chance: Random) -> Process | None:
        """One that answers."""
        found = self.awake()
        return chance.choice(found) if len(found) > 1 else next(iter(found), None)

    def runner(self, place: str) -> Process | None:
        """The one that runs a table now, by what it says itself."""
        for each in self.awake():
            if place in each.live.hubs and place in each.casino.house.pit.tables:
                return each
        return None

    def serves(self, process: Process, place: str) -> Process | None:
        """Who serves a table to somebody who has come to this process: it or another one; None if
        nobody does, or nothing gets there."""
        if process.live.cluster is None or place in process.live.hubs:
            return process
        other = self.processes.get(process.live.cluster.address_of(place) or "")
        if other is None or other not in self.awake() or self.parted_until(process, other):
            return None
        return other if place in other.live.hubs else None

    # -- living and dying --------------------------------------------------------------------

    def start_all(self) -> None:
        """Everybody begins."""
        for name in self.names:
            self.start(name)

    def start(self, name: str) -> None:
        """Start a server."""
        simulation = self._simulation
        self._coming.discard(name)
        process = Process(
            simulation.timeline,
            simulation.server,
            simulation.config,
            Random(simulation.chance.getrandbits(64)),
            name,
        )
        self.processes[name] = process
        floor = simulation.floor
        try:
            process.start_within(remote=floor.remote, guests=floor.guests)
        except (HouseError, LiveError) as error:
            simulation.story.tell(f"{self.told(name)} cannot open: {error}")
        if process.alive:
            simulation.story.tell(f"{self.told(name)} is open")
        else:
            self.start_later(name, TRIES_AGAIN)

    def start_later(self, name: str, seconds: float) -> None:
        """Start a server after a while."""
        if name not in self._coming:
            self._coming.add(name)
            self._simulation.timeline.after(seconds, partial(self.start, name))

    def told(self, name: str) -> str:
        """What a story calls it."""
        return f"the server {name}" if name else "the House"

    def die(self, name: str, seconds: float, why: str) -> None:
        """A process ends, and is started again after so many seconds."""
        process = self.processes.get(name)
        self._simulation.story.tell(f"{self.told(name)} ends: {why}")
        self.no_trouble()
        if process is not None:
            process.die()
            self._simulation.cut_those_through(process)
        self.start_later(name, max(AT_LEAST, seconds))

    def stop(self, name: str) -> None:
        """A planned stop."""
        process = self.processes.get(name)
        if process is None or not process.is_open:
            return
        process.is_open = False
        stopping = process.loop.create_task(process.live.stop())
        stopping.add_done_callback(lambda done: self._stopped(process, done))

    def _stopped(self, process: Process, done: Any) -> None:
        error = done.exception()
        if error is not None and not isinstance(error, HouseError | Died):
            raise Broken(f"a planned stop fails: {error!r}")
        told = "has stopped as planned" if error is None else f"stops: {error}"
        self._simulation.story.tell(f"{self.told(process.name)} {told}")
        process.die()
        self._simulation.cut_those_through(process)

    def freeze(self, name: str, seconds: float) -> None:
        """A process sleeps, and does not know it: it goes on as if no time had passed."""
        process = self.processes.get(name)
        if process is not None:
            until = self._simulation.timeline.now + seconds
            process.freeze(max(until, process.loop.frozen_until))

    def no_trouble(self) -> None:
        """No error came to the event loop of any that nobody has caught."""
        for process in self.processes.values():
            if process.loop.troubles:
                raise Broken(process.loop.troubles[0])

    def bury(self) -> None:
        """It is over."""
        for process in self.processes.values():
            process.die()
            process.loop.bury()

    # -- what does not get through -----------------------------------------------------------

    def cut_off(self, name: str, seconds: float) -> None:
        """A server cannot reach the database for a while; the others can."""
        self._cut_off[name] = self._simulation.timeline.now + seconds

    def is_cut_off(self, process: Process) -> bool:
        """Whether a process cannot reach the database now."""
        return self._simulation.timeline.now < self._cut_off.get(process.name, 0.0)

    def part(self, one: str, other: str, seconds: float) -> None:
        """Two servers cannot reach each other for a while."""
        self._parted[frozenset((one, other))] = self._simulation.timeline.now + seconds

    def parted_until(self, one: Process, other: Process) -> float:
        """Until when nothing gets from one to the other; 0 if it does."""
        until = self._parted.get(frozenset((one.name, other.name)), 0.0)
        return until if until > self._simulation.timeline.now else 0.0

    def mend(self) -> None:
        """Everything gets through, and nobody sleeps."""
        self._cut_off.clear()
        self._parted.clear()
        for process in self.processes.values():
            process.freeze(0.0)
            process.world.slow.clear()
            process.world.skew = 0.0
