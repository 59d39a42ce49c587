"""One simulation: a floor, those who come to it, what goes wrong, and what must hold.

First things go wrong as the plan says. Then everything is mended: the process runs, the disk has
room, staff are back at their posts. From then on every table must play again within `PLAYS_WITHIN`
seconds. At last the floor stops as planned, and the whole record is looked at.
"""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random
from typing import Any

from msgspec import Struct

from croupier.house.errors import HouseError, LostConnection
from croupier.house.ledger import player_account
from croupier.house.office import OFFICE
from croupier.house.office.commands import (
    CashIn,
    CashOut,
    DisablePerson,
    EnablePerson,
    GoOffDuty,
    GoOnDuty,
)
from croupier.house.office.commands import Disable as DisablePlace
from croupier.house.office.commands import Enable as EnablePlace
from croupier.house.office.server_moves import MovePlace
from croupier.pit.registry import GAMES
from croupier.simulator.backends import Backend
from croupier.simulator.clients import Client, Player, Staff
from croupier.simulator.database import Fate, ModelDatabase, ModelServer
from croupier.simulator.disk import Disk
from croupier.simulator.errors import Broken, Died, where_of
from croupier.simulator.floor import ADMINISTRATOR, CASHIER, FLOORS, MONEY, STAFF, furnished
from croupier.simulator.oracles import Oracles
from croupier.simulator.plan import CHAOS, Happening, Plan, plan_of
from croupier.simulator.process import Process
from croupier.simulator.servers import SimulatedServers
from croupier.simulator.software import software_read_once
from croupier.simulator.story import Story
from croupier.simulator.timeline import Timeline
from croupier.table import Command, Table

PLAYS_WITHIN = 120.0
"""Seconds within which every table plays again, once everything is mended."""
MENDED = 5.0
"""Seconds within which everything is mended."""
WAKES = 0.001
"""Seconds after which the other threads of a process that slept go on."""
KEPT_ALIVE = 10.0
"""Seconds after which a server has noticed that nobody is at the other end of a connection."""
FLOORS_IN_MEMORY = 20
"""So many floors may be over before their memory is asked back."""
REPORTS = 0.03
"""How likely it is that staff report something at a look."""


class Act(Struct):
    """An order to the office, sent again until it is answered."""

    id: str
    who: str
    command: Command
    positions: tuple[int, ...] = ()
    done: bool = False
    tries: int = 0


class Outcome(Struct, frozen=True, kw_only=True):
    """What came of one simulation."""

    seed: int
    plan: Plan
    failure: str
    """Empty where everything held."""
    story: list[str]
    events: int
    rounds: int
    steps: int


class Simulation:
    """Runs one plan."""

    def __init__(self, seed: int, plan: Plan | None = None) -> None:
        self.seed = seed
        self.plan = plan or plan_of(seed)
        self.floor = FLOORS[self.plan.floor]
        self.chance = Random(f"the simulation of {seed}")
        self.timeline = Timeline()
        self.story = Story(self.timeline)
        disk = Disk(Random(f"the disk of {seed}"))
        with software_read_once():
            self.server = ModelServer(disk, furnished(self.floor.name))
        self.server.on_step = self._at_step
        self.server.fate_of = self._fate_of
        self.server.on_lost = self._on_lost
        self.server.on_stored = self._on_stored
        self._broken: Broken | None = None
        self.began_at = self._count()
        self.oracles = Oracles(self)
        self.config = self.floor.config()
        self.servers = SimulatedServers(self)
        self.elsewhere: Process | None = None
        """The office in a process of its own, where several share the database."""
        self.acts: list[Act] = []
        self.reports = REPORTS
        self.is_mended = False
        """Whether nothing goes wrong any more."""
        self._played = 0
        self.staff = {*STAFF, CASHIER}
        self._apart: dict[str, float] = {}
        self._fates: list[Fate] = []
        self._at_step_comes: Happening | None = None
        """What is to happen to a server at its next step of a kind."""
        self._unreachable = 0.0
        self._sleep_until: list[float] = []
        """When those wake up who sleep in the middle of something."""
        self.players: list[Client] = []
        self.clients: list[Client] = []

    # -- the whole of it ---------------------------------------------------------------------

    def run(self) -> Outcome:
        """Run it to its end."""
        failure = ""
        logging.disable(logging.CRITICAL)
        try:
            with software_read_once():
                self._run()
            if self._broken is not None:
                raise self._broken
        except (Broken, Exception) as raised:
            error = self._broken or raised
            failure = str(error) if isinstance(error, Broken) else f"{error!r}"
            if not isinstance(error, Broken):
                failure = f"{failure} ({where_of(error)})"
        finally:
            self.servers.bury()
            if self.elsewhere is not None:
                self.elsewhere.die()
                self.elsewhere.loop.bury()
            logging.disable(logging.NOTSET)
        return Outcome(
            seed=self.seed,
            plan=self.plan,
            failure=failure,
            story=self.story.lines,
            events=self._count() - self.began_at,
            rounds=self._played,
            steps=self.timeline.steps,
        )

    def _run(self) -> None:
        self.servers.start_all()
        self._come()
        if self.floor.remote:
            self.timeline.at(1.0, self._start_elsewhere)
        for happening in self.plan.happenings:
            self.timeline.at(happening.at, partial(self._happens, happening))
        self.timeline.run(CHAOS)
        self._mend()
        self.timeline.run(CHAOS + MENDED)
        self._all_play_again()
        self._close_elsewhere()
        for name in self.servers.names:
            self.servers.stop(name)
            self.timeline.run(self.timeline.now + MENDED)
        self.servers.no_trouble()
        self.oracles.look_at_all()

    def _come(self) -> None:
        """Everybody comes."""
        for name, place in self.floor.seats():
            self.players.append(Player(self, name, place))
        self.clients += self.players
        if not self.floor.guests:
            tables = self.floor.tables
            for number, name in enumerate(STAFF):
                self.clients.append(Staff(self, name, tables[number % len(tables)]))

    def _count(self) -> int:
        [(counted,)] = self.server.engine.execute("SELECT events FROM length")
        return int(counted)

    # -- the process -------------------------------------------------------------------------

    def _start_elsewhere(self) -> None:
        office = Process(
            self.timeline, self.server, self.config, Random(self.chance.getrandbits(64))
        )
        try:
            office.start_office()
        except HouseError as error:
            self.story.tell(f"the office elsewhere cannot open: {error}")
        if office.is_open:
            self.elsewhere = office
            self.story.tell("the office elsewhere is open")
        elif not self.is_mended:
            self.timeline.after(2.0, self._start_elsewhere)

    def cut_those_through(self, process: Process) -> None:
        """A server has ended: whoever came to it, wherever the table is, notices."""
        for client in self.clients:
            way = client.way
            if way is not None and way.through is process:
                client.cut(0)

    def _at_step(self, session: ModelDatabase, step: str) -> None:
        """Before each step of a session with the database."""
        process = session.process
        if process is None:
            return
        if not process.alive:
            raise Died
        comes = self._at_step_comes
        if comes is not None and comes.step == step and process.name == comes.server:
            self._comes_at_step(comes, process)
        if self.timeline.now < self._unreachable or self.servers.is_cut_off(process):
            raise LostConnection("the database cannot be reached")

    def _comes_at_step(self, what: Happening, process: Process) -> None:
        if process is not self.servers.processes.get(process.name):
            return  # the office elsewhere
        if what.kind == "sleep at a step":
            if self.server.owner is None:
                self._at_step_comes = None
                self._sleep_within(process, what.seconds)
            return
        self._at_step_comes = None
        self.servers.die(process.name, what.seconds, f"at a {what.step} of the database")
        if what.kind.startswith("power"):
            # Only once nobody holds a transaction open any more.
            self.timeline.after(0, lambda: self.server.restart(power_cut=True))
        raise Died

    def _sleep_within(self, process: Process, seconds: float) -> None:
        """A process sleeps in the middle of what it is at, and the others go on meanwhile."""
        self.story.tell(f"{self.servers.told(process.name)} sleeps at a step of the database")
        # Another one may sleep so already, and goes on only when this one does.
        until = min(self.timeline.now + seconds, CHAOS, *self._sleep_until)
        process.freeze(until + WAKES)
        self._sleep_until.append(until)
        try:
            self.timeline.run(until)
        except Broken as broken:
            self._broken = self._broken or broken  # nothing on the way out may hide it
            raise
        finally:
            self._sleep_until.pop()
        self.story.tell(f"{self.servers.told(process.name)} wakes up")
        if not process.alive:
            raise Died

    def _on_stored(self, session: ModelDatabase) -> None:
        """Something was stored."""
        if session.process is None or len(self.servers.names) == 1:
            return
        try:
            self.oracles.stored(session.process)
        except Broken as broken:  # raised here, it would look like a fault of the database
            self._broken = self._broken or broken

    def _on_lost(self, backend: Backend) -> None:
        """A process has lost a connection: the server finds out later, or is told at once."""
        if self.chance.random() < 0.5:
            self.server.backends.end(backend)
        else:
            late = self.chance.uniform(0.1, KEPT_ALIVE)
            self.timeline.after(late, lambda: self.server.backends.end(backend))

    def _fate_of(self, session: ModelDatabase) -> Fate:
        fate: Fate = self._fates.pop() if self._fates and session.process is not None else "done"
        if fate != "done":
            self.story.tell(f"the connection ends while it commits: {fate}")
            if self.chance.random() < 0.5:
                self._unreachable = self.timeline.now + self.chance.uniform(0.01, 3)
        return fate

    # -- what goes wrong ---------------------------------------------------------------------

    def _happens(self, what: Happening) -> None:
        self.story.tell(f"* {what.told()}")
        servers, name, seconds = self.servers, what.server, what.seconds
        process = servers.processes.get(name)
        match what.kind:
            case "kill":
                servers.die(name, seconds, "killed")
            case "power cut":
                for each in servers.names:
                    servers.die(each, seconds, "the power is cut")
                self.server.restart(power_cut=True)
            case "kill at a step" | "power cut at a step" | "sleep at a step":
                self._at_step_comes = what
            case "stop":
                servers.stop(name)
                servers.start_later(name, max(0.5, seconds))
            case "sleep":
                servers.freeze(name, seconds)
            case "cut off":
                servers.cut_off(name, seconds)
            case "servers parted":
                servers.part(name, what.who, seconds)
            case "move table":
                why = "it was ordered"
                self.order(ADMINISTRATOR, MovePlace(place=what.who, server=name, reason=why))
            case "database restarts":
                self.timeline.after(0, self.server.restart)
            case "disk full":
                self.server.disk.most = len(self.server.disk.read()) + 700
                self.timeline.after(what.seconds, self._make_room)
            case "sync fails":
                self.server.disk.sync_fails = True
            case "slow disk":
                if process is not None:
                    process.world.slow["house-writer"] = what.seconds / 2
                    self.timeline.after(what.seconds, process.world.slow.clear)
            case "clock set":
                if process is not None:
                    process.world.skew += what.seconds
            case "commit is lost":
                self._fates.append("lost")
            case "commit is unknown":
                self._fates.append("unknown")
            case "commit is late":
                self._fates.append("late")
            case "no database":
                self._unreachable = self.timeline.now + what.seconds
            case "cut" | "parted" | "slow reader":
                self._to_client(what)
            case _:
                self._ordered(what)

    def _make_room(self) -> None:
        self.server.disk.most = None

    def _to_client(self, what: Happening) -> None:
        for client in self.clients:
            if client.name != what.who or client.way is None:
                continue
            if what.kind == "cut":
                client.cut(what.seconds * 2)
            elif what.kind == "parted":
                client.way.held_until = self.timeline.now + what.seconds
                self._apart[client.name] = self.timeline.now + what.seconds
            else:
                client.way.reads_slowly = 2.0
                self.timeline.after(what.seconds, client.way.reads_again)

    def is_apart(self, name: str) -> bool:
        """Whether somebody cannot reach the server now."""
        return self.timeline.now < self._apart.get(name, 0.0)

    # -- orders to the office ----------------------------------------------------------------

    def _ordered(self, what: Happening) -> None:
        why = "it was ordered"
        match what.kind:
            case "cash in":
                self.order(CASHIER, CashIn(player=what.who, amount=1234))
            case "cash out":
                self.order(CASHIER, CashOut(player=what.who, amount=1000))
            case "dismiss" | "disable player":
                self.order(ADMINISTRATOR, DisablePerson(name=what.who, reason=why))
            case "off duty":
                self.order(what.who, GoOffDuty(name=what.who))
            case "disable table":
                self.order(ADMINISTRATOR, DisablePlace(place=what.who, reason=why))
            case _:
                raise AssertionError(what)

    def order(self, who: str, command: Command) -> None:
        """Give the office an order, and give it again until it is answered."""
        act = Act(id=f"act-{len(self.acts)}", who=who, command=command)
        self.acts.append(act)
        self._try(act)
        if self.chance.random() < 0.3:
            self.timeline.after(self.chance.uniform(0, 3), lambda: self._try(act))

    def _try(self, act: Act) -> None:
        process = self.servers.any(self.chance)
        if self.elsewhere is not None and self.elsewhere.is_open and self.chance.random() < 0.5:
            process = self.elsewhere
        if act.done and self.is_mended:
            return
        act.tries += 1
        if process is not None and process.is_open:
            process.within(lambda: self._tell(process, act))
        if not act.done and act.tries < 30:
            self.timeline.after(self.chance.uniform(0.5, 3), lambda: self._try(act))

    def _tell(self, process: Process, act: Act) -> None:
        try:
            answer = process.casino.tell(act.command, who=act.who, command_id=act.id)
        except HouseError as error:
            self.story.tell(f"{act.who}: {act.command.tell()}: {error}")
            return
        act.done = True
        if answer.refused is not None:
            self.story.tell(f"{act.who}: {act.command.tell()}: refused: {answer.refused.says}")
            return
        at_office = zip(answer.said, answer.positions, strict=True)
        act.positions = tuple(n for said, n in at_office if said.place == OFFICE)
        self.story.tell(f"{act.who}: {act.command.tell()}: done")
        self.oracles.in_log(act.id, OFFICE, act.positions)

    # -- the end -----------------------------------------------------------------------------

    def _mend(self) -> None:
        """Nothing goes wrong any more."""
        self.story.tell("everything is mended")
        self.is_mended = True
        for act in self.acts:
            act.done = True  # what was not answered by now is ordered no more
        self._make_room()
        self._fates.clear()
        self._at_step_comes = None
        self._unreachable = self.reports = 0.0
        self.server.disk.sync_fails = False
        if self.server.owner is None:  # whoever writes now has waited for what was on its way
            self.server.deliver_commit()  # before orders are given back: a late one would undo them
        self.servers.mend()
        # In the order of the plan: that of a set is another one in each process.
        for kind, who in dict.fromkeys((each.kind, each.who) for each in self.plan.happenings):
            if kind == "disable table":
                self.order(ADMINISTRATOR, EnablePlace(place=who, reason="mended"))
            if kind in ("dismiss", "disable player"):
                self.order(ADMINISTRATOR, EnablePerson(name=who, reason="mended"))
        for name, role in STAFF.items():
            self.timeline.after(4, partial(self.order, name, GoOnDuty(name=name, post=role)))
        if not self.floor.guests:
            for name, _ in self.floor.seats():
                if self._held(name) < MONEY / 4:
                    self.order(CASHIER, CashIn(player=name, amount=MONEY))

    def _held(self, name: str) -> int:
        """What is in the account of a player."""
        sql = "SELECT balance FROM balances WHERE account = ?"
        found = self.server.engine.execute(sql, (player_account(name),)).fetchone()
        return int(found[0]) if found is not None else 0

    def _rounds(self) -> dict[str, int]:
        """The round at which each table is that somebody runs."""
        found: dict[str, int] = {}
        for name in self.floor.tables:
            process = self.servers.runner(name)
            if process is not None:
                table = process.casino.house.pit.tables[name]
                found[name] = self.port_of(table).round_number(table)
        return found

    def _all_play_again(self) -> None:
        """Every table begins a round, soon enough."""
        before = self._rounds()
        end = self.timeline.now + PLAYS_WITHIN
        while self.timeline.now < end:
            self.timeline.run(self.timeline.now + 1)
            now = self._rounds()
            if len(self.servers.open()) < len(self.servers.names):
                continue
            if all(now.get(name, 0) > before.get(name, 0) for name in self.floor.tables):
                break
        self._look_who_plays(before)

    def _look_who_plays(self, before: dict[str, int]) -> None:
        for name in self.servers.names:
            if self.servers.processes[name] not in self.servers.open():
                raise Broken(f"{self.servers.told(name)} does not open again")
        now = self._rounds()
        self._played = sum(now.values())
        for name in self.floor.tables:
            process = self.servers.runner(name)
            if process is None:
                raise Broken(f"{name} is run by nobody {PLAYS_WITHIN:.0f} s after all was mended")
            if now[name] <= before.get(name, 0):
                table = process.casino.house.pit.tables[name]
                waits = [
                    each.says if hasattr(each, "says") else each for each in table.state.waiting
                ]
                raise Broken(
                    f"{name} has not begun a round within {PLAYS_WITHIN:.0f} s after everything "
                    f"was mended; it is at {table.status()!r} and waits for {waits}"
                )

    def _close_elsewhere(self) -> None:
        """The office elsewhere is closed as planned."""
        office, self.elsewhere = self.elsewhere, None
        if office is not None and office.is_open:
            if office.loop.troubles:
                raise Broken(office.loop.troubles[0])
            office.within(office.casino.stop)
            office.die()

    # -- asking ------------------------------------------------------------------------------

    def port_of(self, table: Table[Any]) -> Any:
        """What may be asked of a table's game."""
        return GAMES.port_of(table)

    def is_poker(self, place: str) -> bool:
        """Which family a table is of, for whoever reads its cards."""
        return GAMES.games[self.config.tables[place].rulebook].name == "poker"


def outcomes(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Run one simulation after the other.

    A floor that is over is full of cycles, and Python's collector does not come to look for them by
    itself: the audit at the end of each floor sets its counts back.
    """
    for number, seed in enumerate(seeds, start=1):
        yield Simulation(seed).run()
        if number % FLOORS_IN_MEMORY == 0:
            gc.collect()
