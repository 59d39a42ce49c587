"""Those who come to a simulated floor: each a client of the server, with a luck of its own.

They know nothing of the House but what they are sent. They send what was offered, now and then
twice; when no answer comes they send it again, and when they are cut off they come back.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from croupier.house.errors import HouseError
from croupier.house.office.commands import OpenSession
from croupier.house.passwords import digest_of
from croupier.live.connection import DISMISSED
from croupier.live.errors import LiveError
from croupier.live.identity import AccountIdentityProvider, Visitor
from croupier.simulator.network import Way
from croupier.simulator.process import Process
from croupier.simulator.world import EPOCH
from croupier.table import ActorRank, DecisionNeeded

if TYPE_CHECKING:
    from croupier.simulator.simulation import Simulation

PATIENCE = (4.0, 9.0)
"""Seconds that a client waits for an answer before it sends the command again."""
COMES_BACK = (0.3, 4.0)
PASSED_OVER = tuple(f'{{"is":"{kind}"' for kind in ("hello", "clock", "shuffle"))
"""What no client here acts on."""
UNSURE = 0.3
"""How likely whoever comes back sends the last command again, to be sure."""
IDLE = 12.0
"""Seconds after which a player who has done nothing comes anew."""


class Sent(Struct):
    """A command that a client has sent."""

    id: str
    place: str
    text: str
    times: int = 1
    outcome: str = ""
    """`answer`, `refused` or `error`; empty while there is none."""
    positions: tuple[int, ...] = ()


class Client:
    """One person at one table, by one connection at a time."""

    rank = ActorRank.PLAYER

    def __init__(self, simulation: Simulation, name: str, place: str) -> None:
        self.simulation = simulation
        self.timeline = simulation.timeline
        self.name = name
        self.place = place
        self.chance = Random(f"{simulation.seed}/{name}")
        self.sent: dict[str, Sent] = {}
        self.heard: list[tuple[str, str]] = []
        """Every text that came, and from which table, to be looked at in the end."""
        self.position: int | None = None
        self.way: Way | None = None
        self.pending: Sent | None = None
        self.reads_slowly = 0.0
        self._token = ""
        """What proves who it is: of a session, or a guest's cookie."""
        self._number = 0
        self._acts: Any = None
        self.timeline.after(self.chance.uniform(0.1, 3), self.come)

    # -- coming and going --------------------------------------------------------------------

    def come(self) -> None:
        """Connect, if there is anybody to connect to."""
        if self.way is not None and not self.way.is_cut and self.way.process.alive:
            return
        process = self.simulation.servers.any(self.chance)
        if process is None or self.simulation.is_apart(self.name):
            self._come_later()
            return
        process.within(lambda: self._connect(process))

    def _connect(self, process: Process) -> None:
        try:
            visitor = self._enter(process)
        except (HouseError, LiveError) as error:
            self.simulation.story.tell(f"{self.name} cannot come in: {error}")
            self._come_later()
            return
        server = self.simulation.servers.serves(process, self.place)
        if visitor.name is None or server is None:
            self._come_later()
            return
        if server is not process:  # who the visitor is, is decided there again
            server.within(lambda: self._open_at(server, process, self._enter(server)))
        else:
            self._open_at(server, process, visitor)

    def _open_at(self, server: Process, process: Process, visitor: Visitor) -> None:
        """Come to a table at its server, through the process that was asked for it."""
        if visitor.name is None:
            self._come_later()
            return
        way: Way
        way = self.way = Way(
            server,
            process,
            self.chance,
            lambda text: self._hear(way, text),
            lambda code: self._closed(way, code),
        )
        way.reads_slowly = self.reads_slowly
        way.parted_until = self.simulation.servers.parted_until
        way.open(self.place, visitor, self.position, wants_offers=self.rank is ActorRank.PLAYER)
        self.simulation.story.tell(f"{self.name} connects to {self.place}")
        if self.pending is not None:
            self._transmit(self.pending)
        elif self.sent and self.chance.random() < UNSURE:
            last = next(reversed(self.sent.values()))
            self.timeline.after(self.chance.uniform(0.1, 1), lambda: self._transmit(last))

    def _enter(self, process: Process) -> Visitor:
        """Who the server takes this one for; whoever has no session logs in."""
        identity, casino = process.identity, process.casino
        if not isinstance(identity, AccountIdentityProvider):
            visitor = identity.visitor(self._token) or identity.welcome()[0]
            if visitor.name is None:
                visitor, self._token = identity.enter(visitor, self.name)
            return visitor
        if self._token:
            known = identity.visitor(identity.cookie("visit", self._token))
            if known is not None and known.name is not None:
                return known
        token = f"token of {self.name} {self._number}"
        self._number += 1
        until = EPOCH.replace(year=EPOCH.year + 1)
        opened = OpenSession(name=self.name, token=digest_of(token), until=until)
        if casino.tell(opened).refused is not None:
            return Visitor(visit="")
        self._token = token
        return identity.visitor(identity.cookie("visit", token)) or Visitor(visit="")

    def _come_later(self) -> None:
        self.timeline.after(self.chance.uniform(*COMES_BACK), self.come)

    def _closed(self, way: Way, code: int) -> None:
        if way is self.way:
            if code == DISMISSED:
                self.simulation.story.tell(f"{self.name} is shown out")
            self._come_later()

    def cut(self, noticed: float) -> None:
        """The connection breaks; the server notices after so many seconds."""
        if self.way is not None and not self.way.is_cut:
            self.way.cut(noticed)
            self._come_later()

    # -- hearing -----------------------------------------------------------------------------

    def _hear(self, way: Way, text: str) -> None:
        if way is not self.way:
            return
        self.heard.append((way.place, text))
        if text.startswith(PASSED_OVER):
            return
        message = msgspec.json.decode(text)
        kind = message["is"]
        if kind in ("events", "view"):
            self.simulation.oracles.told(self, way.place, message)
            self.position = message["position"]
            if message.get("jackpot") is not None:
                self.simulation.oracles.meter_told(self, message["jackpot"])
        elif kind == "jackpot":
            self.simulation.oracles.meter_told(self, message)
        elif kind == "offers":
            self._offered(message["offers"])
        elif kind in ("answer", "refused", "error"):
            self._answered(kind, message)

    def _answered(self, kind: str, message: dict[str, Any]) -> None:
        sent = self.sent.get(message["id"] or "")
        if sent is None:
            return
        if kind == "answer":
            positions = tuple(message["positions"])
            self.simulation.oracles.same_answer(self, sent, positions)
            sent.outcome, sent.positions = kind, positions
            self.simulation.oracles.acknowledged(self, sent)
        elif not sent.outcome:
            sent.outcome = kind
        if self.pending is sent:
            self.pending = None
        if kind == "error":
            self.simulation.story.tell(f"{self.name} hears: {message['code']}: {message['says']}")
            if message["code"] == "not stored" and self.chance.random() < 0.5:
                self.timeline.after(self.chance.uniform(0.1, 2), lambda: self._again(sent))

    def _again(self, sent: Sent) -> None:
        if sent.outcome != "answer" and self.pending is None:
            self.pending = sent
            self._transmit(sent)

    def _offered(self, offers: list[dict[str, Any]]) -> None:
        """What may be done now."""

    # -- sending -----------------------------------------------------------------------------

    def give(self, command: dict[str, Any], id: str | None = None, place: str = "") -> None:
        """Send a command, and see to it that it is answered."""
        self._number += 1
        id = id or f"command-{self._number:04}"
        place = place or self.place
        text = msgspec.json.encode({"id": id, "place": place, "command": command}).decode()
        sent = self.sent.setdefault(id, Sent(id=id, place=place, text=text))
        self.pending = sent
        self._transmit(sent)
        if self.chance.random() < 0.08:  # somebody presses twice, or the way brings it twice
            self.timeline.after(self.chance.random() * 2, lambda: self._transmit(sent))

    def _transmit(self, sent: Sent) -> None:
        if self.way is None or self.way.is_cut:
            return
        sent.times += 1
        self.way.to_server(sent.text)
        self.timeline.after(self.chance.uniform(*PATIENCE), lambda: self._lost_patience(sent))

    def _lost_patience(self, sent: Sent) -> None:
        if self.pending is not sent:
            return
        if sent.times > 12:
            self.pending = None
            return
        alive = self.way is not None and not self.way.is_cut and self.way.process.alive
        if not alive or self.chance.random() < 0.5:
            if alive:
                self.cut(self.chance.uniform(0.1, 20))
            else:
                self.come()
            self.timeline.after(2.0, lambda: self._lost_patience(sent))
            return
        self._transmit(sent)


SELDOM = ("leave", "sit out", "top up")


class Player(Client):
    """Somebody who plays: does what is offered, more or less at once, or lets the time run out."""

    def __init__(self, simulation: Simulation, name: str, place: str) -> None:
        super().__init__(simulation, name, place)
        self._idle_since = 0.0
        self.timeline.after(IDLE, self._get_on)

    def _get_on(self) -> None:
        """Whoever has done nothing for a while looks again what may be done, by coming anew."""
        self.timeline.after(IDLE, self._get_on)
        idle = self.timeline.now - self._idle_since
        if idle >= IDLE and self.pending is None:
            self._idle_since = self.timeline.now
            self.cut(0)

    def _offered(self, offers: list[dict[str, Any]]) -> None:
        if self._acts is not None:
            self._acts.cancel()
        often = [each for each in offers if each["do"] not in SELDOM]
        if self.simulation.is_mended:
            often = often or [each for each in offers if each["do"] == "top up"]
            if not often:
                return
        elif not offers or self.chance.random() < (0.04 if often else 0.7):
            return
        offer = self.chance.choice(often or offers)
        takes = self.chance.uniform(0.1, 2.5)
        self._acts = self.timeline.after(takes, lambda: self._take_up(offer))

    def _take_up(self, offer: dict[str, Any]) -> None:
        self._acts = None
        self._idle_since = self.timeline.now
        send = offer["send"]
        if "id" not in send:
            if self.way is not None and not self.way.is_cut:
                self.way.to_server(msgspec.json.encode(send).decode())
            return
        command = dict(send["command"])
        for word in ("to", "amount"):
            if word in command and offer.get("most") is not None and self.chance.random() < 0.2:
                command[word] = offer["most"]
        self.give(command, send["id"])


class Staff(Client):
    """Somebody of the pit: answers what is asked of staff, and now and then reports something."""

    rank = ActorRank.PIT_MANAGER

    def __init__(self, simulation: Simulation, name: str, place: str) -> None:
        super().__init__(simulation, name, place)
        self.timeline.after(self.chance.uniform(2, 6), self._look)

    def _look(self) -> None:
        self.timeline.after(self.chance.uniform(1, 4), self._look)
        if self.pending is not None or self._is_wanted_elsewhere():
            return
        process = self.simulation.servers.runner(self.place)
        if process is None or self.way is None:
            return
        table = process.casino.house.pit.tables[self.place]
        for need in table.state.waiting:
            if isinstance(need, DecisionNeeded) and isinstance(need.of, ActorRank):
                options = [each.name for each in need.options if not each.asks]
                if options:
                    option = self.chance.choice(options)
                    why = {"decision": need.decision, "option": option, "reason": "as it looks"}
                    self.give({"do": "decide", **why})
                    return
        if self.chance.random() < self.simulation.reports and table.playing():
            port = self.simulation.port_of(table)
            report = port.interruption("the lights went out")
            self.give(msgspec.json.decode(msgspec.json.encode(report)))

    def _is_wanted_elsewhere(self) -> bool:
        """Whether another table waits for staff and this one does not: then they go there."""
        waiting = [
            name
            for process in self.simulation.servers.awake()
            for name, table in process.casino.house.pit.tables.items()
            if any(isinstance(need, DecisionNeeded) for need in table.state.waiting)
        ]
        if not waiting or self.place in waiting:
            return False
        self.place, self.position = self.chance.choice(waiting), None
        self.cut(0)
        return True
