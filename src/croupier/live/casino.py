"""The live casino: the tables of the House, each with a hub for viewers and a scheduler of its own.

Commands come in by `give`; the House answers and stores; the casino hears of every answer twice:
when it is made, to mask and encode what each viewer will get, and when it is durable, to send it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw
from starlette.requests import HTTPConnection

from croupier.house.answers import Answer
from croupier.house.calls import Calls
from croupier.house.casino import Casino
from croupier.house.clocks import Clocks, with_own
from croupier.house.errors import OwnedElsewhere, StorageError
from croupier.house.link_orders import order_at
from croupier.house.office import OFFICE
from croupier.house.office.commands import GoOffDuty
from croupier.house.office.events import PlaceEnabled
from croupier.house.office.holds import HoldEvent, ReleaseHold, hold_at
from croupier.house.office.last_rounds import LastRoundAnnounced, is_over, notice
from croupier.house.office.roster import whose_licence_ended, why_unlicensed
from croupier.house.office.state import PIT
from croupier.house.permissions import act_by_device, players_own
from croupier.house.records import written_time
from croupier.house.software import HOUSE
from croupier.house.table_staff import order_at_table
from croupier.jackpot import JackpotLink
from croupier.live import gauges, logs, wire
from croupier.live.audience import Roster
from croupier.live.authority import Authority
from croupier.live.cluster.cluster import Cluster
from croupier.live.config import Config
from croupier.live.errors import NotAllowed, Stopping
from croupier.live.guest_codes import GuestCodes
from croupier.live.health import Code, DatabaseLook
from croupier.live.house_acts import HouseActs
from croupier.live.hub import Hub, Viewing
from croupier.live.identity import IdentityProvider, Visitor
from croupier.live.keys import metrics_key
from croupier.live.limits import Buckets
from croupier.live.link_orders import LinkOrders
from croupier.live.log_in_limits import LogInLimits
from croupier.live.meters import Meters
from croupier.live.metrics import Metrics
from croupier.live.name_past import WHOLE
from croupier.live.opening import set_up_places
from croupier.live.password_pool import PasswordPool
from croupier.live.private_tables import PrivateTables
from croupier.live.recall import Recall
from croupier.live.scheduler import CLOCK, TableScheduler
from croupier.live.senders import sender
from croupier.live.shuffles import Shuffles
from croupier.live.staff_door import StaffDoor
from croupier.live.stand_in import StandIn
from croupier.live.watchers import Watchers
from croupier.live.wishes import Wishes
from croupier.pit import Said
from croupier.pit.ports.table_info import TableInfo
from croupier.pit.registry import GAMES
from croupier.table import ActorRank, Command, Conversation, Order, Table

SWEEP = 1.0
"""Seconds between two looks at who is away."""
STEPS_ASIDE = 0.002
"""Seconds that the loop leaves to the writer at most, after commands were given."""
GIVES_WAY = 0.001
"""The same where another process stores: it has not to wait for the disk."""


def full_id(visitor: Visitor, command_id: str) -> str:
    """An id belongs to whoever gave it: nobody reads another's answer or takes their id."""
    return f"{visitor.name}/{command_id}"


class _UnderWay(NamedTuple):
    """An answer that is not durable yet, as it is told."""

    answer: Answer
    began: float
    by_table: dict[str, list[tuple[int, Any]]]
    elsewhere: list[Said]
    """What was said at no table: by the office, a link or a shuffle book."""


def _held_in(elsewhere: list[Said]) -> set[str]:
    """The tables of which the office says that they are held, or no more, or that they close."""
    return {
        each.event.table
        for each in elsewhere
        if isinstance(each.event, HoldEvent | LastRoundAnnounced)
    }


class LiveCasino:
    """One process's tables, live. Made and used in one event loop."""

    def __init__(
        self,
        config: Config,
        casino: Casino,
        identity: IdentityProvider,
        cluster: Cluster | None = None,
    ) -> None:
        self.config = config
        self.casino = casino
        self.house = casino.house
        self.dealer = casino.dealer
        self.identity = identity
        self.metrics = Metrics()
        self.log = logging.getLogger(logs.NAME)
        self.stopping = False
        self.started = time.time()
        self.code: Code = ""
        """Why it could not do its work when that was last looked at."""
        self.hubs: dict[str, Hub] = {}
        self.schedulers: dict[str, TableScheduler] = {}
        self.recalls: dict[str, Recall] = {}
        self.table_infos: dict[str, TableInfo] = {}
        self.authority = Authority(identity)
        self.changed: list[Callable[[str], None]] = []
        """Called in the loop with the name of a table after something durable happened there."""
        self.forgets: list[Callable[[str], None]] = []
        """Called in the loop with the name of a table that is run here no more."""
        self.loop: asyncio.AbstractEventLoop
        self.house_acts: HouseActs
        self.meters: Meters
        self.link_orders = LinkOrders(self)
        self.staff_door = StaffDoor(self)
        self.stand_in = StandIn(self)
        self.dealer.stands_in = self.stand_in.deals
        self.dealer.picks = self.stand_in.picks
        self.shuffles = Shuffles(self)
        self.wishes = Wishes(self)
        self.guest_codes = GuestCodes(self)
        self.watchers = Watchers(self)
        self.private = PrivateTables(self)
        self.metrics_key = metrics_key(config.server)
        self._stop_thread = ThreadPoolExecutor(1, "stop")
        """Waits for nothing that visitors ask."""
        self.database_look = DatabaseLook(
            lambda: self.house.reader.head(OFFICE), casino.alarms.told
        )
        self.passwords = PasswordPool()
        self.log_in_limits = LogInLimits()
        limits = config.limits
        self._guests = Buckets(limits.requests_per_second / 50, limits.requests_at_once)
        self.changed.append(self.wishes.look)
        self._encoded_infos: dict[str, Raw] = {}
        self._away: dict[tuple[str, str], float] = {}
        self._present: dict[tuple[str, str], int] = {}
        self._posted: deque[Callable[[], None]] = deque()
        self._scheduled = threading.Lock()
        self._sweeper: asyncio.Task[None] | None = None
        self._ids: dict[str, _UnderWay] = {}
        self._lost_unread: list[Answer] = []
        """What was lost while the database was out of reach: its tables could not be read again,
        and nobody is shown them before they are."""
        self._not_recalled: set[str] = set()
        """Tables that were read again while their last rounds could not be."""
        self._rosters: dict[str, tuple[Roster, list[str], tuple[str, ...]]] = {}
        """Who sits at each table: the roster, the names in order, and those of bots."""
        self._clocks: dict[str, tuple[dict[str, float], Clocks]] = {}
        """Of each table, with what it has of its own."""
        self._thread = 0
        self._steps_aside = False
        self.cluster = cluster
        """This server among several, where they share a House."""
        set_up_places(config, casino)

    # -- starting and stopping ---------------------------------------------------------------

    def start(self) -> None:
        """Start the schedulers of the tables; called in the event loop."""
        self.loop = asyncio.get_running_loop()
        self.house_acts = HouseActs(self.loop, self._is_awaited)
        self._thread = threading.get_ident()
        self.meters = Meters(self.house)
        for place in self.house.tables():
            self._set_up(place)
        self.house.watch(self)
        self.house.on_reread.append(lambda: self._post(self._look_again))
        links = self.house.shared_links
        links.on_reread.append(self.meters.read_again)
        links.on_reread.append(lambda places: self._post(lambda: self._read_again(places)))
        again = Calls(self.house.world)
        links.run_later = lambda call: self._post(lambda: again.put(call))
        gauges.set_up(self)
        for scheduler in self.schedulers.values():
            scheduler.look()
            scheduler.arm()
        for link in tuple(self.house.pit.links):
            self.link_orders.look(link)
        self._sweeper = self.loop.create_task(self._sweep())
        self.tell_recovered()
        if self.cluster is not None:
            self.cluster.start(self)
        self.log.info("the casino is open", extra={"tables": len(self.schedulers)})

    def tell_recovered(self) -> None:
        """What became of the rounds that were under way when the House last stopped."""
        for each in self.casino.recovered:
            what = {
                "table": each.place,
                "round": each.round,
                "outcome": each.outcome,
                "why": each.says,
                "cites": each.cites,
            }
            planned = each.outcome == "goes on" and not each.cites
            tell = self.log.info if planned else self.log.warning
            tell("a round was under way at the start", extra=what)

    def _set_up(self, place: str) -> None:
        house, pit = self.house, self.house.pit
        self._inform(place)
        self.schedulers[place] = TableScheduler(self, place)
        self.recalls[place] = Recall(house, place)
        self.hubs[place] = Hub(
            place,
            table=lambda: pit.tables[place],
            position=lambda: house.positions[place],
            around=lambda: self.around(place),
            hello=lambda who, position: self.hello(place, who, position),
            keep=self.config.limits.caught_up,
        )
        self.watchers.set_up(place)
        self._seats_changed(place)

    def open_new_places(self) -> None:
        """Tables that were set up while the casino is open; called in the loop."""
        with self.house.lock:
            self.meters.look(self.house.pit.links)
        for place in self.house.tables():
            if place not in self.hubs:
                self._set_up(place)
                self.schedulers[place].look()
                self.schedulers[place].arm()
                self._send_bots(place)

    def _send_bots(self, place: str) -> None:
        """Bots come to a table that is new here, or go on where another server has run it."""
        bots = self.bots_wanted(place)
        if bots and self.private.bots is not None:
            self.private.bots.join(place, bots)

    def bots_wanted(self, place: str) -> int:
        """How many bots sit at a table: as configured, or as who set it up has chosen."""
        table = self.config.tables.get(place)
        if table is not None:
            return table.bots
        record = self.casino.office.state.places.get(place)
        return record.bots if record is not None and not record.closed else 0

    def let_go(self, places: Collection[str], farewell: bytes) -> None:
        """Show tables no more that another server runs; called in the loop. Who was there comes
        back, and finds them."""
        for place in places:
            if place not in self.hubs:
                continue
            self.hubs[place].dismiss(farewell)
            if self.private.bots is not None:
                self.private.bots.forget(place)
            self.forget(place)
            for kept in (self._away, self._present):
                for key in [key for key in kept if key[0] == place]:
                    del kept[key]

    def forget(self, place: str) -> None:
        """Keep nothing in memory of a table that is closed for good; called in the loop."""
        with self.house.lock:
            self.schedulers[place].stop()
            for kept in (
                self.hubs,
                self.schedulers,
                self.recalls,
                self.table_infos,
                self._encoded_infos,
                self._clocks,
                self._rosters,
            ):
                kept.pop(place, None)
            self._not_recalled.discard(place)
            self.dealer.binding.forget(place)
            self.house.remove(place)
            for listener in self.forgets:
                listener(place)

    async def stop(self) -> None:
        """A planned stop: no command is taken any more, and every round is saved as it stands."""
        if self.stopping:
            return
        self.stopping = True
        if self.cluster is not None:
            await self.cluster.stay()
        for scheduler in self.schedulers.values():
            scheduler.stop()
        if self._sweeper is not None:
            self._sweeper.cancel()
        bye = wire.write(wire.ByeMessage(code="stopping", says=str(Stopping())))
        await self.loop.run_in_executor(self._stop_thread, self.casino.stop)
        if self.cluster is not None:
            await self.loop.run_in_executor(self._stop_thread, self.cluster.close)
        self._deliver()
        for hub in self.hubs.values():
            hub.dismiss(bye)
        self.passwords.close()
        self.database_look.close()
        self.log.info("the casino is closed")

    # -- commands ----------------------------------------------------------------------------

    def give(
        self,
        visitor: Visitor,
        place: str,
        command: Command,
        command_id: str,
        *,
        warned: bool = False,
    ) -> Future[Answer]:
        """Give a command in a visitor's name. Raises NotAllowed, BadCommand or HouseError.

        `warned`: they know that the table waits for staff, and sit down there nonetheless.
        """
        if self.stopping:
            raise Stopping
        if visitor.name is None:
            raise NotAllowed("not entered", "Enter under a name first; then you may sit down.")
        visitor = self.authority.of(visitor)
        assert visitor.name is not None
        self.house_acts.let_players_go_first()
        id = full_id(visitor, command_id)
        if self.is_link(place):
            return order_at(
                self.casino,
                place,
                command,
                who=visitor.name,
                command_id=id,
                session=visitor.session,
            )
        if visitor.rank is ActorRank.PLAYER:
            self._check_post(visitor.name)
            objection = players_own(visitor.name, command)
            if objection is not None:
                raise NotAllowed(objection.code, objection.says)
            if not (warned or visitor.bot):
                self._warn(visitor.name, place, command)
            self.wishes.gave(place, visitor.name, command)
            return self.house.give(
                place,
                command,
                who=visitor.name,
                rank=visitor.rank,
                command_id=id,
                session=visitor.session,
            )
        return order_at_table(
            self.casino,
            place,
            command,
            who=visitor.name,
            rank=visitor.rank,
            command_id=id,
            session=visitor.session,
        )

    def _check_post(self, name: str) -> None:
        """Staff without a rank at a table are told why."""
        state = self.casino.office.state
        person = state.people.get(name)
        if person is None or person.kind != "staff":
            return
        says = why_unlicensed(state, person, name, self.house.clock())
        if person.role in PIT and says:
            raise NotAllowed("no licence", says)
        on_duty = "has no rank at a table" if name in state.duty else "is not on duty"
        raise NotAllowed("off duty", f"{name} ({person.role}) {on_duty}.")

    def is_under_way(self, visitor: Visitor, command_id: str) -> bool:
        """Whether a command was answered by its table and is not told yet; asked in the loop. One
        that was given just now and is not under way was carried out before, or refused."""
        return full_id(visitor, command_id) in self._ids

    def is_link(self, place: str) -> bool:
        """Whether a place is a jackpot link that this process runs."""
        return isinstance(self.house.pit.links.get(place), JackpotLink)

    def _warn(self, name: str, place: str, command: Command) -> None:
        """Nobody sits down unwarned where nothing goes on without staff; who sits there knows."""
        table = self.house.pit.tables[place]
        sits = isinstance(command, GAMES.port_of(table).sits)
        if not sits or name in map(table.player_at, table.taken_seats()):
            return
        with self.house.lock:
            awaited = self.schedulers[place].staff_awaited()
        if awaited is not None:
            says = awaited.says_to(sees_now=self.watchers.sees_now(place, name))
            raise NotAllowed("waits for staff", says)

    def set_ready(self, visitor: Visitor, place: str) -> None:
        """A player says that their bets stand, so that nobody need wait for them."""
        if visitor.name is not None:
            visitor = self.authority.of(visitor)
        scheduler = self.schedulers[place]
        table = scheduler.table
        if visitor.name is None or visitor.name not in map(table.player_at, table.taken_seats()):
            raise NotAllowed("not entered", "You do not sit at this table; sit down first.")
        if scheduler.port.bets_are_closed and visitor.name not in scheduler.ready:
            scheduler.ready.add(visitor.name)
            scheduler.again()

    # -- what the House says (Watcher) -------------------------------------------------------

    def made(self, answer: Answer, order: Order[Command]) -> None:
        """Mask and encode what viewers will get, while the tables stand as it left them."""
        told = self._ids[answer.command_id] = self._told(answer)
        if self._lost_unread:
            self._post(self._forget_lost)
        at = written_time(order.when)
        if told.elsewhere:
            self.meters.made(answer)
        for place, events in told.by_table.items():
            hub = self.hubs.get(place)
            if hub is None:
                continue
            before = hub.roster
            entries = hub.entries(events, at, timed_out=order.who == CLOCK)
            if hub.roster is not before or not self.house.pit.tables[place].playing():
                self._seats_changed(place)
            self.schedulers[place].look()
            self.recalls[place].made(answer, entries)
            hub.made(answer, entries, self.shuffles.news(place, answer))
        for place in _held_in(told.elsewhere) & self.schedulers.keys():
            self.schedulers[place].look()
        if not (self._steps_aside or threading.get_ident() != self._thread):
            self._steps_aside = True
            self.loop.call_soon(self._step_aside)

    def stored(self, answer: Answer) -> None:
        """It is durable: send it. Called in the writer's thread."""
        self._post(lambda: self._tell_stored(answer))

    def _tell_stored(self, answer: Answer) -> None:
        told = self._no_longer_under_way(answer)
        if told is not None:
            self.metrics.durable.saw(time.perf_counter() - told.began)
        else:
            told = self._told(answer)
        self.meters.stored(answer)
        for place, events in told.by_table.items():
            hub = self.hubs.get(place)
            if hub is None:
                continue
            self.metrics.events.add(len(events), self.private.label(place))
            self.recalls[place].stored(answer)
            hub.stored(answer)
            self.watchers.look(place)
            self.schedulers[place].arm()
            for listener in self.changed:
                listener(place)
        if told.elsewhere:
            self._tell_elsewhere(told)

    def _tell_elsewhere(self, told: _UnderWay) -> None:
        """What was said at no table is durable."""
        said = told.elsewhere
        for link in {each.place for each in said} & self.house.pit.links.keys():
            self._tell_meter(link, except_for=told.by_table.keys())
            self.link_orders.look(link)
        for place in _held_in(said) & self.schedulers.keys():
            self.schedulers[place].again()
        names = {getattr(each.event, "name", "") for each in said if each.place == OFFICE}
        if names:
            self.authority.look(names)
        if any(isinstance(each.event, PlaceEnabled) for each in said):
            for scheduler in self.schedulers.values():
                scheduler.look_at_hold()

    def lost(self, answer: Answer) -> None:
        """It could not be stored and never happened. Called in the writer's thread."""
        self._post(lambda: self._lost(answer))

    def _lost(self, answer: Answer) -> None:
        self._no_longer_under_way(answer)
        self.metrics.faults.add(1)
        self.log.error("an answer could not be stored", extra={"command": answer.command_id})
        self._lost_unread.append(answer)
        self._forget_lost()

    def _forget_lost(self) -> None:
        """Viewers are told nothing of what was lost; whoever has come meanwhile is shown the table
        as the log has it, once it can be read, and everybody where it has more than was told."""
        try:
            with self.house.lock:
                self.house.reread_stale()
        except StorageError:
            return  # the sweep tries again
        lost, self._lost_unread = self._lost_unread, []
        for answer in lost:
            self._forget(answer)

    def _forget(self, answer: Answer) -> None:
        with self.house.lock:
            self.meters.lost(answer)
        for place in self._told(answer).by_table:
            if place in self.hubs:
                with self.house.lock:
                    self._seats_changed(place)  # whoever had sat down or left has not, or has
                    self.recalls[place].lost(answer)
                    if self.hubs[place].lost(answer):
                        self._recall_again(place)
                self.schedulers[place].again()

    def _recall_again(self, place: str) -> None:
        """The log of a table has what was not heard of here: read its last rounds from there. The
        table does not wait for it. Called under the House's lock."""
        try:
            self.recalls[place].read_again()
            self._not_recalled.discard(place)
        except StorageError as error:
            self._not_recalled.add(place)  # the sweep tries again
            told = {"place": place, "says": str(error)}
            self.log.error("the last rounds of a table cannot be read", extra=told)

    def _told(self, answer: Answer) -> _UnderWay:
        """An answer by where its events were said."""
        tables = self.house.pit.tables
        by_table: dict[str, list[tuple[int, Any]]] = {}
        elsewhere: list[Said] = []
        for said, position in zip(answer.said, answer.positions, strict=True):
            if said.place in tables:
                by_table.setdefault(said.place, []).append((position, said.event))
            else:
                elsewhere.append(said)
        return _UnderWay(answer, time.perf_counter(), by_table, elsewhere)

    def _no_longer_under_way(self, answer: Answer) -> _UnderWay | None:
        """It is stored or lost: what was noted as it was made. What was lost may have been given
        again meanwhile, and then it is the new answer that is under way."""
        told = self._ids.get(answer.command_id)
        if told is None or told.answer is not answer:
            return None
        return self._ids.pop(answer.command_id)

    def post(self, done: Callable[[], None]) -> None:
        """Have something done in the loop, after everything posted before it."""
        self._post(done)

    def _post(self, done: Callable[[], None]) -> None:
        self._posted.append(done)
        if self._scheduled.acquire(blocking=False):
            try:
                self.loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the loop is closed: nobody is left to be told
                self._scheduled.release()

    def _step_aside(self) -> None:
        """Wait until what was given is stored, for a moment at most, and tell it at once; where
        another process stores it, only until that has it, and tell what it has answered.

        The writer needs the interpreter in many short turns. While the loop is busy it would have
        to wait for each of them, and everybody for their answers. The time is so short that a slow
        disk holds nobody up.
        """
        self._steps_aside = False
        if self.house.store.is_apart:
            self.house.writer.give_way(GIVES_WAY)
            self._deliver()
            return
        self._scheduled.acquire(blocking=False)  # nobody need wake the loop: it delivers below
        try:
            self.house.writer.wait(STEPS_ASIDE)
        finally:
            self._deliver()

    def _is_awaited(self) -> bool:
        """Whether somebody waits for an answer that is stored, and comes before the next act."""
        return bool(self._posted) or self.house.store.has_answered()

    def _deliver(self) -> None:
        if self._scheduled.locked():
            self._scheduled.release()
        while self._posted:
            done = self._posted.popleft()
            try:
                done()
            except Exception:
                self.metrics.faults.add(1)
                self.log.exception("telling viewers failed")

    @contextmanager
    def guarded(self, place: str) -> Iterator[None]:
        """What goes wrong by itself at one table is logged and stops no other."""
        try:
            yield
        except Exception:
            self.metrics.faults.add(1)
            self.log.exception("a table could not go on by itself", extra={"place": place})

    # -- who is here -------------------------------------------------------------------------

    def join(self, place: str, viewing: Viewing, after: int | None) -> None:
        """Somebody watches a table from now on."""
        if place not in self.hubs:
            raise OwnedElsewhere(f"{place} is not run here any more")
        if self.house.lease is not None:
            self.house.lease()
        with self.house.lock:
            self.house.reread_stale()  # nobody is shown what is in memory and not in the log
            key = (place, viewing.who or "")
            away_since = self._away.pop(key, None)
            try:
                after = self.caught_up_from(viewing.who, place, after)
                self.watchers.join(place, viewing, after)
            except BaseException:  # the log could not be read: whoever was away is so still
                if away_since is not None:
                    self._away[key] = away_since
                raise
            if viewing.who is not None:
                self._present[key] = self._present.get(key, 0) + 1
        if away_since is not None:
            self.schedulers[place].again()

    def show(self, place: str, viewing: Viewing) -> None:
        """Somebody who watches a table wants the whole view."""
        with self.house.lock:
            self.house.reread_stale()
            self.watchers.show(place, viewing)

    def leave(self, place: str, viewing: Viewing) -> None:
        """Somebody watches no more; who sits there is away from now on."""
        if place not in self.hubs:
            return  # another server runs it
        self.watchers.leave(place, viewing)
        if viewing.who is None:
            return
        key = (place, viewing.who)
        left = self._present.get(key, 0) - 1
        if left > 0:
            self._present[key] = left
            return
        self._present.pop(key, None)
        table = self.house.pit.tables[place]
        seated = viewing.who in map(table.player_at, table.taken_seats())
        if seated and act_by_device(table) and not self.stopping:
            self._away[key] = self.now()
            self.schedulers[place].again()

    def away(self) -> int:
        """How many seated players have no connection."""
        return len(self._away)

    def is_away(self, place: str, who: str) -> bool:
        """Whether a player of a table has no connection to it."""
        return (place, who) in self._away

    def _seats_changed(self, place: str) -> None:
        """Who sat down without a connection is away; who left is nobody's care any more, nor is
        anybody who needs none, for the dealer sees them."""
        table = self.house.pit.tables[place]
        seated = {who for p in table.taken_seats() if (who := table.player_at(p)) is not None}
        if not act_by_device(table):
            seated.clear()
        for key in [key for key in self._away if key[0] == place and key[1] not in seated]:
            del self._away[key]
        for who in seated:
            key = (place, who)
            if key not in self._present and key not in self._away and not self.identity.is_bot(who):
                self._away[key] = self.now()

    def _look_again(self) -> None:
        """The office was read again: others may have ended somebody's authority, or a hold."""
        self.authority.look()
        for scheduler in self.schedulers.values():
            scheduler.look_at_hold()

    def _read_again(self, places: list[str]) -> None:
        """Other servers have written at links that tables here hang on, or at those tables."""
        for place in places:
            if place in self.hubs:
                with self.house.lock:
                    self._seats_changed(place)
                    self.hubs[place].read_again()
                    self._recall_again(place)
                self.schedulers[place].again()
            elif self.is_link(place):
                self._tell_meter(place, except_for=())
                self.link_orders.look(place)

    def _end_holds(self) -> None:
        """A table that nobody confirms anything at goes on."""
        state, now = self.casino.office.state, self.house.clock()
        for table, hold in tuple(state.holds.items()):
            if now >= hold.until and table in self.schedulers:
                over = ReleaseHold(table=table, hold=hold.number, reason="its time is over")
                with self.guarded(OFFICE):
                    self.house.give(OFFICE, over, who=HOUSE, rank=ActorRank.HOUSE)

    def _look_who_decides(self) -> None:
        """What was left to somebody who came by the staff door is left to them no more, once they
        have gone."""
        for place, scheduler in self.schedulers.items():
            left = scheduler.left_to_staff
            if left is not None and not self.staff_door.decides(place, left):
                scheduler.again()
        for place, left in tuple(self.link_orders.left_to_staff.items()):
            if not self.staff_door.decides(place, left):
                self.link_orders.look(place)

    def _end_duties(self) -> None:
        """Whose licence has ended goes off duty (S-41)."""
        state = self.casino.office.state
        for name, says in whose_licence_ended(state, self.house.clock()).items():
            self.log.warning("off duty without a licence", extra={"person": name, "says": says})
            off = GoOffDuty(name=name, reason=says.rstrip("."))
            with self.guarded(OFFICE):
                self.house.give(OFFICE, off, who=HOUSE, rank=ActorRank.HOUSE)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self._try_again()
            self._stop_showing()
            with self.guarded(OFFICE):
                self._end_duties()
                self._end_holds()
                self._look_who_decides()
                self.staff_door.look()
                self.stand_in.look()
                self.private.look(self.now())
                self.authority.look_at_times(self.now())
            for (place, who), since in list(self._away.items()):
                with self.house.lock, self.guarded(place):
                    if self.schedulers[place].gone(who, self.now() - since):
                        self._away.pop((place, who), None)

    def _stop_showing(self) -> None:
        """While this server cannot tell whether it runs its tables still, it shows none."""
        cluster = self.cluster
        if cluster is None or not cluster.is_unsure:
            return
        farewell = wire.write(wire.ByeMessage(code="moved", says=cluster.says))
        for hub in self.hubs.values():
            hub.dismiss(farewell)

    def _try_again(self) -> None:
        """Go on with what had to wait until the database is within reach."""
        if self._lost_unread:
            self._forget_lost()
        for place in sorted(self._not_recalled & self.recalls.keys()):
            with self.house.lock:
                self._recall_again(place)
        for scheduler in self.schedulers.values():
            if scheduler.is_put_off:
                scheduler.again()

    # -- what is shown -----------------------------------------------------------------------

    def now(self) -> float:
        """The loop's clock, by which everything is paced."""
        return self.loop.time()

    def is_held(self, place: str) -> bool:
        """Whether somebody holds a table for a ruling."""
        state = self.casino.office.state
        return bool(state.holds) and hold_at(state, place, self.house.clock()) is not None

    def clocks_of(self, place: str) -> Clocks:
        """The clocks of a table: those of the casino, and what it has of its own."""
        record = self.casino.office.state.places.get(place)
        own = record.clocks if record is not None else {}
        kept = self._clocks.get(place)
        if kept is None or kept[0] != own:
            kept = self._clocks[place] = (own, with_own(self.config.clocks, own))
        return kept[1]

    def around(self, place: str) -> wire.Around:
        """What stands around the view of a table, the same for everybody."""
        roster, names, bots = self._rosters.get(place) or ({}, [], ())
        if roster is not self.hubs[place].roster:  # somebody has come or gone
            roster = self.hubs[place].roster
            names = sorted(set(roster.values()))
            bots = tuple(filter(self.identity.is_bot, names))
            self._rosters[place] = (roster, names, bots)
        scheduler = self.schedulers[place]
        return wire.Around(
            clock=scheduler.clock(),
            jackpot=self.meters.told(self.house.pit.linked.get(place), place),
            bots=bots,
            away=tuple(who for who in names if (place, who) in self._away) if self._away else (),
            ready=tuple(sorted(scheduler.ready)),
            held=self.is_held(place),
        )

    def _tell_meter(self, link: str, except_for: Any) -> None:
        message = self.meters.told(link)
        if message is None:
            return
        encoded = wire.write(message)
        for place, hung in self.house.pit.linked.items():
            if hung == link and place not in except_for and place in self.hubs:
                self.hubs[place].tell_all(encoded)

    def why_closed(self, place: str) -> str:
        """Why nothing new begins at a table, in a sentence; empty where it is open."""
        state = self.casino.office.state
        if state.disabled:
            return f"The casino is disabled: {state.disabled}."
        record = state.places.get(place)
        if record is None:
            return ""
        if record.closed:
            return "This table is closed."
        if record.disabled:
            return f"This table is disabled: {record.disabled}."
        link = state.places.get(record.link)
        if link is not None and link.disabled:
            return f"Jackpot {record.link} is disabled: {link.disabled}."
        table = self.house.pit.tables[place]
        if is_over(record, GAMES.port_of(table).round_number(table)) and not table.playing():
            return f"This table has closed: {record.closing}."
        return ""

    def new_guest(self, request: HTTPConnection, visitor: Visitor) -> None:
        """Somebody enters: of one address not too many, for each name is on record for good."""
        if visitor.name is None and self._guests.take(sender(request)):
            raise NotAllowed("too fast", "Too many guests have come from your address; wait a bit.")

    def own_from(self, name: str | None, place: str) -> int:
        """The first round of a table that may be of whoever has this name now; what was before is
        somebody else's who had it."""
        person = self.casino.office.state.people.get(name or "")
        past = person.past if person is not None else None
        if past is None:
            return 0
        return past.rounds.get(place, 0 if past.all_tables else WHOLE) + 1

    def own_at(self, name: str | None, place: str, number: int) -> str | None:
        """The name as which a visitor sees a round; None where it was somebody else's."""
        return name if number >= self.own_from(name, place) else None

    def caught_up_from(self, name: str | None, place: str, after: int | None) -> int | None:
        """From where on somebody may be told what was missed: nothing that another one saw."""
        person = self.casino.office.state.people.get(name or "")
        past = person.past if person is not None else None
        if past is None or after is None or after >= past.positions.get(place, 0):
            return after
        return None

    def notice(self, place: str) -> str:
        """What players are told of a table that closes, before its last round and in it (S-40)."""
        record = self.casino.office.state.places.get(place)
        if record is None or self.why_closed(place):
            return ""
        table = self.house.pit.tables[place]
        return notice(record, GAMES.port_of(table).round_number(table))

    def post_of(self, name: str | None) -> tuple[str | None, bool]:
        """What somebody is employed as, or stands in for, and whether they are on duty."""
        state = self.casino.office.state
        person = state.people.get(name) if name is not None else None
        if name is None or person is None or person.kind != "staff":
            return None, False
        duty = state.duty.get(name)
        return (duty.post if duty is not None else person.role), duty is not None

    def is_staff(self, visitor: Visitor) -> bool:
        """Whether a visitor is one of the House's people, who is not disabled."""
        person = self.casino.office.state.people.get(visitor.name or "")
        return person is not None and person.kind == "staff" and not person.disabled

    def tell_clock(self, place: str) -> None:
        """Tell everybody at a table that its clock has changed, or who is away or ready."""
        hub = self.hubs.get(place)
        if hub is None or not hub.viewings:
            return
        with self.house.lock:  # no command is answered between the look and its place in the line
            around = self.around(place)
            hub.tell_clock(
                wire.write(
                    wire.ClockMessage(
                        clock=around.clock,
                        away=around.away,
                        ready=around.ready,
                        held=around.held,
                        notice=self.notice(place),
                    )
                )
            )

    def _inform(self, place: str) -> None:
        """Work out what may be read of a table."""
        pit = self.house.pit
        link, table = pit.linked.get(place), pit.tables[place]
        jackpot = pit.links[link] if link is not None else None
        assert jackpot is None or isinstance(jackpot, JackpotLink)
        info = GAMES.port_of(table).table_info(table, jackpot, self.house.clock())
        self.table_infos[place] = info
        self._encoded_infos[place] = Raw(msgspec.json.encode(info))

    def table_info(self, place: str) -> TableInfo:
        """What may be read of a table now: how it reads the rules, a ruling may have changed."""
        if self.table_infos[place].policies != self.house.pit.tables[place].state.policies:
            self._inform(place)
        return self.table_infos[place]

    def hello(self, place: str, who: str | None, position: int) -> wire.HelloMessage:
        """The first message to whoever comes to a table."""
        table = self.house.pit.tables[place]
        self.table_info(place)
        return wire.HelloMessage(
            protocol=wire.PROTOCOL,
            place=place,
            game=GAMES.game_of(table).name,
            rulebook=table.book.id,
            you=who,
            position=position,
            sign=self._encoded_infos[place],
            link=self.house.pit.linked.get(place),
            mode=self.config.mode,
            closed=self.why_closed(place),
            notice=self.notice(place),
            shuffle=self.shuffles.told(place),
            private=self.private.is_private(place),
        )

    def knows(self, place: str) -> bool:
        """Whether visitors may come to a table or link of this name, wherever it is run."""
        if place in self.hubs or place in self.house.pit.links:
            return True
        return self.cluster is not None and self.cluster.knows(place)

    def tables(self) -> dict[str, Table[Any]]:
        """The tables that visitors may come to, by name: one that is set up at this moment is not
        among them before it has its hub."""
        found = self.house.tables()
        return {place: found[place] for place in tuple(self.hubs) if place in found}

    def table(self, place: str) -> Table[Any]:
        """The table of this name; KeyError if there is none."""
        return self.house.pit.tables[place]

    def conversation(self, place: str) -> Conversation[Any]:
        """The table or link of this name, which is there."""
        return self.house.pit.at(place)
