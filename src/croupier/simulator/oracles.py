"""What must hold whatever fails.

Some of it is looked at as it happens, by the state of the database at that moment; the rest in the
end, when the floor has stopped: the whole record is walked and decided again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.house.audit.verify import verify
from croupier.house.office import OFFICE
from croupier.house.ownership import lock_key
from croupier.house.software import SOFTWARE
from croupier.house.store import Store
from croupier.jackpot import JackpotLink
from croupier.pit.registry import GAMES
from croupier.simulator.cards import Leak, Oracle, Reader
from croupier.simulator.errors import Broken
from croupier.simulator.floor import ADMINISTRATOR

if TYPE_CHECKING:
    from croupier.simulator.clients import Client, Sent
    from croupier.simulator.process import Process
    from croupier.simulator.simulation import Simulation

ORDERS = "SELECT number, place, command_id FROM orders WHERE number > ? ORDER BY number"
EVENTS = "SELECT position, event FROM log WHERE place = ? AND position > ? ORDER BY position"
ROW = "SELECT command_id, event FROM log WHERE place = ? AND position = ?"


class Meters:
    """The meter of a link, by its log."""

    def __init__(self, link: JackpotLink) -> None:
        self.link = link
        self.position = 0
        self.stood: set[int] = set()

    def read(self, rows: Iterable[tuple[int, bytes]]) -> None:
        """Go on with what is new in the log."""
        for position, event in rows:
            self.link.apply(self.link.read_event(event))
            self.position = position
            self.stood.add(self.link.state.meter)


class Oracles:
    """Watches one simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.events_told = self.answers = 0

        self._orders_seen = 0
        self._meters: dict[str, Meters] = {}

    def _row(self, place: str, position: int) -> tuple[str, bytes] | None:
        found = self._simulation.server.engine.execute(ROW, (place, position)).fetchone()
        return found if found is None else (found[0], found[1])

    # -- as it happens -----------------------------------------------------------------------

    def acknowledged(self, client: Client, sent: Sent) -> None:
        """Somebody was told that a command was carried out: it is in the log."""
        self.answers += 1
        self.in_log(f"{client.name}/{sent.id}", sent.place, sent.positions)

    def same_answer(self, client: Client, sent: Sent, positions: tuple[int, ...]) -> None:
        """A command that is sent again has the answer that it had."""
        if sent.outcome == "answer" and sent.positions != positions:
            raise Broken(
                f"{client.name} was told that {sent.id} is {sent.positions} of {sent.place}, and "
                f"then {positions}"
            )

    def in_log(self, command_id: str, place: str, positions: tuple[int, ...]) -> None:
        """What was acknowledged stands where it was said to stand."""
        for position in positions:
            row = self._row(place, position)
            if row is None or row[0] != command_id:
                found = "nothing" if row is None else row[0]
                raise Broken(
                    f"{command_id} was acknowledged as event {position} of {place}, and the log "
                    f"has {found} there"
                )

    def told(self, client: Client, place: str, message: dict[str, Any]) -> None:
        """Somebody was told what happened: it is in the log."""
        position = message["position"]
        if position and self._row(place, position) is None:
            raise Broken(f"{client.name} was told of event {position} of {place}: not in the log")
        for event in message.get("events", ()):
            self.events_told += 1
            row = self._row(place, event["position"])
            kind = event["event"]["event"]
            if row is None or msgspec.json.decode(row[1])["event"] != kind:
                raise Broken(
                    f"{client.name} was told {kind!r} as event {event['position']} of {place}, "
                    "and the log has something else there"
                )

    def meter_told(self, client: Client, told: dict[str, Any]) -> None:
        """Somebody was told how a meter stands: so it stood at some time, by the log."""
        link = told["link"]
        if link not in self._meters:
            book = GAMES.load(self._simulation.config.links[link].rulebook)
            self._meters[link] = Meters(JackpotLink(book))
        meters = self._meters[link]
        if told["meter"] not in meters.stood:
            engine = self._simulation.server.engine
            meters.read(engine.execute(EVENTS, (link, meters.position)).fetchall())
        if told["meter"] not in meters.stood:
            raise Broken(
                f"{client.name} was told that the meter of {link} is at {told['meter']}; by the "
                f"log it is at {meters.link.state.meter}, and never stood so"
            )

    def stored(self, process: Process) -> None:
        """A server has written: nothing at a table that another one runs by now. What a link does
        at a table, whoever runs it, is an order at the link."""
        simulation = self._simulation
        engine = simulation.server.engine
        for number, place, command_id in engine.execute(ORDERS, (self._orders_seen,)).fetchall():
            self._orders_seen = number
            holder = simulation.server.backends.holder(lock_key(place))
            if holder is None or place not in simulation.floor.tables:
                continue
            if holder.process is not process:
                raise Broken(
                    f"{process.name} has stored {command_id} at {place}, which "
                    f"{holder.process.name} runs"
                )

    # -- in the end --------------------------------------------------------------------------

    def look_at_all(self) -> None:
        """The floor has stopped: look at everything that is stored."""
        store = Store(self._simulation.server.connect(), migrated=True)
        self._acknowledged_once(store)
        self._nobody_after_dismissal(store)
        self._cards(store)
        self._decided_again(store)

    def _acknowledged_once(self, store: Store) -> None:
        """Every order of a client is one that it has sent, and what was acknowledged is there."""
        simulation = self._simulation
        known: set[str] = set()
        for client in simulation.clients:
            for sent in client.sent.values():
                known.add(f"{client.name}/{sent.id}")
                if sent.outcome == "answer":
                    self.in_log(f"{client.name}/{sent.id}", sent.place, sent.positions)
        for act in simulation.acts:
            known.add(act.id)
            if act.positions:
                self.in_log(act.id, OFFICE, act.positions)
        people = {client.name for client in simulation.clients}
        seen: set[str] = set()
        for order in store.orders():
            if order.number <= simulation.began_at or order.who in SOFTWARE:
                continue
            if order.command_id in seen:
                raise Broken(f"{order.command_id} is in the log twice")
            seen.add(order.command_id)
            if order.who in people and order.command_id not in known:
                raise Broken(
                    f"{order.who} is on record with {order.command.decode()} at {order.place} "
                    f"({order.command_id}), and has sent no such command"
                )

    def _nobody_after_dismissal(self, store: Store) -> None:
        """Whoever was dismissed gives no order from then on, until taken back."""
        out: dict[str, int] = {}
        for order in store.orders():
            if order.place == OFFICE and order.who == ADMINISTRATOR:
                command = msgspec.json.decode(order.command)
                if command["do"] == "disable person":
                    out[command["name"]] = order.number
                elif command["do"] == "enable person":
                    out.pop(command["name"], None)
            elif order.who in out and order.who in self._simulation.staff:
                raise Broken(
                    f"{order.who} was dismissed by order {out[order.who]}, and gives order "
                    f"{order.number} at {order.place}: {order.command.decode()}"
                )

    def _cards(self, store: Store) -> None:
        """No card was sent to anybody who may not see it."""
        simulation = self._simulation
        for place in simulation.floor.tables:
            game = "poker" if simulation.is_poker(place) else "banked"
            oracle = Oracle(game, lambda after, place=place: store.rows(place, after))
            oracle.allowed(store.head(place).position, None)
            for client in simulation.clients:
                reader = Reader(oracle, client.name if client in simulation.players else None)
                try:
                    for text in (text for where, text in client.heard if where == place):
                        reader.read(text)
                except Leak as leak:
                    raise Broken(str(leak)) from leak

    def _decided_again(self, store: Store) -> None:
        """The record holds together: chains, ledger, meters; and every order is decided again."""
        found = verify(store)
        if found.difference is not None:
            raise Broken(f"the audit finds: {found.difference}")
