"""The servers of one House, as one of them lives with the others: it takes its share of the tables,
lets go of what another one is to run, and knows where every table is.

All of it happens in threads of its own, twice a second. Which server runs what is decided by the
same rule everywhere (`spread`); that no two run the same table, by the locks of PostgreSQL alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from croupier.house.casino import Casino
from croupier.house.errors import HouseError, LostConnection, OwnedElsewhere
from croupier.house.office_turn import OfficeTurn
from croupier.house.servers import Servers
from croupier.house.shared_database import Session, SharedDatabase
from croupier.house.world import REAL, Turns, Worker, World
from croupier.jackpot import JackpotLink
from croupier.live import wire
from croupier.live.cluster.internal import Door, address_of, open_socket, secret_of
from croupier.live.cluster.membership import BEAT, Membership
from croupier.live.cluster.spread import spread
from croupier.live.config import Config, ServersConfig
from croupier.live.logs import NAME

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

WAITS_FOR_OWNER = 10.0
"""Seconds for which somebody who comes to a table waits for a server to run it."""
LOOKS_FOR_OWNER = 0.05
LETS_GO_WITHIN = 10.0
"""Seconds that the loop has to let go of tables."""
AT_ONCE = 25
"""Tables that are taken or let go of together: the first of many are open again before the last are
read."""
NOT_AGAIN_FOR = 15.0
"""Seconds for which a table is not tried again that could not be opened here."""
MOVED = "moved"
SAYS = "The table is being moved to another server; you are connected again in a moment."

log = logging.getLogger(NAME)


class Cluster:
    """One server among several. Made before the House is opened."""

    def __init__(
        self,
        config: ServersConfig,
        address: str,
        world: World = REAL,
        door: Door | None = None,
    ) -> None:
        """`address` is where the others reach it, `door` where they come in."""
        self.door = door
        self.membership = Membership(config, address, world)
        self._world = world
        self._monotonic = world.monotonic
        self._casino: Casino
        self._live: LiveCasino
        self._servers: Servers
        self._thread: Worker | None = None
        self._beats: Worker | None = None
        self._counts = True
        """Whether the others count on this server."""
        self._over = False
        self._moving = False
        """Whether tables are being taken or let go of."""
        self._stays = False
        """Whether nothing is taken or let go of any more: the server stops."""
        self.running: dict[str, str] = {}
        """Which server runs each place, as it was known last."""
        self._mine: set[str] = set()
        """What this server runs: tables, and the links that it acts for."""
        self._not_before: dict[str, float] = {}
        self.lost: tuple[str, ...] = ()
        """What others have taken over and this server has not got back."""
        self._trouble = ""

    @classmethod
    def listening(cls, config: Config, key: bytes) -> Cluster:
        """One that the others reach by a socket."""
        made = open_socket(config.servers.listen)
        address = config.servers.address or address_of(made)
        door = Door(made, config.limits, secret_of(key), address)
        return cls(config.servers, address, door=door)

    @property
    def name(self) -> str:
        """What this server is called."""
        return self.membership.name

    # -- opening -------------------------------------------------------------------------------

    def choose(self, casino: Casino) -> list[str]:
        """Join the other servers, and choose what this one runs from the start."""
        self._casino = casino
        house = casino.house
        assert house.ownership is not None
        session = Session(self.membership.session)
        database = house.store.database
        assert isinstance(database, SharedDatabase)
        for each in (database, house.reader.database, *house.ownership.databases):
            each.belong_to(session)
        says = database.again()
        says.belong_to(Session(self.membership.session, says_only=True))
        self._servers = Servers(says, self.membership.session, self._world)
        self._turn_at_office = OfficeTurn(database.again())
        casino.office_turn = self._turn_at_office.taken
        self.membership.join(self._servers, house.ownership)
        session.registered = True
        self._beats = house.world.start("server-beat", self._beat())
        self.membership.look()
        self._read_places()
        places = casino.office.state.places
        found = self._locked([place for place in self._share() if not places[place].closed])
        self._mine |= set(found)
        house.lease = self.membership.check_lease
        return found

    def start(self, live: LiveCasino) -> None:
        """Live with the others; called in the loop once the casino is open."""
        self._live = live
        pit = self._casino.house.pit
        new = {name for name, link in pit.links.items() if isinstance(link, JackpotLink)}
        new -= self.running.keys()
        self._mine |= {*pit.tables, *filter(self._lock, sorted(new))}
        self._note()
        self._thread = self._casino.house.world.start("servers", self._turns())

    def acts_for(self, link: str) -> bool:
        """Whether this server does what a link does by itself."""
        return link in self._mine

    # -- the threads ---------------------------------------------------------------------------

    def _beat(self) -> Turns:
        """Say that this server is there, however long the other thread is at work."""
        while not self._over:
            yield BEAT
            with suppress(HouseError):  # the other thread says what is wrong
                if not self.membership.beat():
                    self._counts = False  # until the other thread has joined again

    def _turns(self) -> Turns:
        while not self._over:
            yield BEAT
            if self._over:
                return
            try:
                yield from self._turn()
                self._trouble = ""
            except HouseError as error:
                if not self._trouble:  # said once, not twice a second
                    log.error("the servers cannot be looked at: %s", error)
                self._trouble = str(error)
            except Exception:
                log.exception("living with the other servers failed")
            finally:
                self._moving = False

    def _turn(self) -> Turns:
        self._moving = True
        if self._stays:  # asked after it is said that something moves: `stay` waits for that
            return
        if not self._counts:
            yield from self._was_given_up()
            self._counts = True
            return
        self.membership.look()
        self._read_places()
        self._adopt()
        yield from self._let_go_of_lost()
        share = set(self._share())
        yield from self._release(self._mine - share)
        yield from self._take(share - self._mine)

    def _adopt(self) -> None:
        """What was set up here since is this server's; what was closed for good is nobody's."""
        pit, places = self._casino.house.pit, self._casino.office.state.places
        new = {name for name in tuple(pit.tables) if name not in self._mine}
        closed = {name for name in self._mine if name not in places or places[name].closed}
        gone = closed - pit.tables.keys()
        gone = {name for name in gone if not isinstance(pit.links.get(name), JackpotLink)}
        if new:
            self._mine |= new
            self._note()
        for name in gone:
            self._mine.discard(name)
            self._give_up(name)

    def _read_places(self) -> None:
        known = self.membership.others
        self._turn_at_office.needed = bool(known)
        self._casino.house.write_beside_others(bool(known))
        self.running = {
            place: server
            for place, server in self._servers.places().items()
            if server == self.name or server in known
        }

    def _share(self) -> list[str]:
        """What this server is to run, of what nobody else runs now."""
        places = self._casino.office.state.places
        names = [name for name, record in tuple(places.items()) if not record.closed]
        running = {name: self.running[name] for name in names if name in self.running}
        running |= dict.fromkeys(self._mine, self.name)
        ordered = {name: places[name].server for name in names if places[name].server}
        now, found = self._monotonic(), []
        for kind in ("link", "table"):
            of_kind = [name for name in names if places[name].kind == kind]
            found += [
                name
                for name, server in spread(
                    of_kind, self.membership.candidates(), running, ordered
                ).items()
                if server == self.name
                and running.get(name, self.name) == self.name
                and self._not_before.get(name, 0.0) <= now
            ]
        return found

    # -- taking --------------------------------------------------------------------------------

    def _lock(self, place: str) -> bool:
        """Get the lock of a place; whether it was to be had."""
        ownership = self._casino.house.ownership
        assert ownership is not None
        try:
            ownership.take(place)
        except OwnedElsewhere:
            return False
        return True

    def _locked(self, places: list[str]) -> list[str]:
        """Get the locks that are to be had; of which places."""
        ownership = self._casino.house.ownership
        assert ownership is not None
        return ownership.take_free(places)

    def _give_up(self, place: str) -> None:
        ownership = self._casino.house.ownership
        assert ownership is not None
        ownership.give_up(place)

    def _take(self, places: Collection[str]) -> Turns:
        wanted = sorted(places)
        for start in range(0, len(wanted), AT_ONCE):
            yield from self._take_some(self._locked(wanted[start : start + AT_ONCE]))

    def _take_some(self, free: list[str]) -> Turns:
        if not free:
            return
        try:
            taken = self._taken_on(free)
        except Exception:
            log.exception("tables cannot be run here together", extra={"places": free})
            self._undo(free)
            taken = [place for place in free if self._lock(place) and self._taken_alone(place)]
        self._mine |= set(taken)
        self.lost = tuple(place for place in self.lost if place not in self._mine)
        self._note()
        yield from self._in_the_loop(self._live.open_new_places)
        yield from self._in_the_loop(lambda: self._tell_taken(taken))

    def _taken_on(self, places: list[str]) -> list[str]:
        self._casino.recovered = self._casino.take_on(places)
        return places

    def _taken_alone(self, place: str) -> bool:
        try:
            self._taken_on([place])
        except Exception:  # whatever is wrong with one table, the others are run
            log.exception("a table cannot be run here", extra={"place": place})
            self._undo([place])
            self._not_before[place] = self._monotonic() + NOT_AGAIN_FOR
            return False
        return True

    def _undo(self, places: list[str]) -> None:
        """Run none of them after all. A link stays: tables of this server may hang on it."""
        for place in places:
            if place in self._casino.house.pit.tables:
                self._casino.dealer.binding.forget(place)
                self._casino.house.remove(place)
        ownership = self._casino.house.ownership
        assert ownership is not None
        with suppress(LostConnection):  # the locks go with the connection
            ownership.give_up_all(places)

    def _tell_taken(self, places: list[str]) -> None:
        self._live.tell_recovered()
        log.info("tables are run here from now on", extra={"places": sorted(places)})
        for place in places:
            self._live.link_orders.look(place)

    def _note(self) -> None:
        new = self._mine - self._noted()
        if new:
            self._servers.note_running(self.name, new)
        self.running |= dict.fromkeys(self._mine, self.name)

    def _noted(self) -> set[str]:
        return {place for place, server in self.running.items() if server == self.name}

    # -- letting go ----------------------------------------------------------------------------

    def _release(self, places: Collection[str]) -> Turns:
        """Let another server run places; their rounds go on there."""
        wanted = sorted(places)
        for start in range(0, len(wanted), AT_ONCE):
            yield from self._release_some(wanted[start : start + AT_ONCE])

    def _release_some(self, places: list[str]) -> Turns:
        tables = {place for place in places if place in self._casino.house.pit.tables}
        if tables:
            self._casino.release(tables)
            yield from self._let_go(tables)
        self._note_let_go(places)
        log.info("places go to another server", extra={"places": places})

    def _note_let_go(self, places: list[str]) -> None:
        ownership = self._casino.house.ownership
        assert ownership is not None
        ownership.give_up_all(places)
        self._mine -= set(places)
        self._servers.note_released(self.name, places)
        for place in places:
            self.running.pop(place, None)

    def _let_go_of_lost(self) -> Turns:
        """A table at which the House takes no commands is not run here: another process has had its
        lock, or it was to go to another server and stayed. It is let go of, and whoever is to run
        it takes it as any other: nobody waits for it for ever."""
        house = self._casino.house
        lost = sorted(
            place for place in self._mine & house.pit.tables.keys() if not house.runs(place)
        )
        if not lost:
            return
        log.error("tables are not run here any more", extra={"places": lost})
        house.writer.flush()
        yield from self._let_go(lost)
        self._note_let_go(lost)

    def _let_go(self, tables: Collection[str]) -> Turns:
        farewell = wire.write(wire.ByeMessage(code=MOVED, says=SAYS))
        yield from self._in_the_loop(lambda: self._live.let_go(tables, farewell))

    def _was_given_up(self) -> Turns:
        """The others have not heard of this server for too long: nothing here counts any more."""
        house = self._casino.house
        assert house.ownership is not None
        lost = set(house.pit.tables)
        log.error("the other servers run the tables of this one", extra={"places": sorted(lost)})
        self.lost = tuple(sorted({*self.lost, *lost}))
        house.stop_running(lost)
        for database in (house.store.database, house.reader.database, *house.ownership.databases):
            database.drop()
        house.writer.flush()  # nothing of it is stored: no connection is let in
        yield from self._let_go(lost)
        house.ownership.forget()
        self._mine.clear()
        self.running.clear()
        self.membership.rejoin(house.ownership)

    def _in_the_loop(self, call: Callable[[], None]) -> Turns:
        """Have something done in the loop, and wait for it."""
        done, deadline = False, self._monotonic() + LETS_GO_WITHIN

        def doing() -> None:
            nonlocal done
            try:
                call()
            finally:
                done = True
                if self._thread is not None:
                    self._thread.wake()

        self._live.post(doing)
        while not done and (left := deadline - self._monotonic()) > 0:
            yield left

    # -- stopping ------------------------------------------------------------------------------

    async def stay(self) -> None:
        """Take nothing and let go of nothing any more, but go on saying that this one is there.
        Waits for what is under way, which needs the loop."""
        self._stays = True
        while self._moving:
            await asyncio.sleep(LOOKS_FOR_OWNER)

    def close(self) -> None:
        """The casino is closed: the others may run its tables."""
        self._over = True
        for thread in (self._thread, self._beats):
            if thread is not None:
                thread.wake()
                thread.join(LETS_GO_WITHIN)
        try:
            self._servers.note_released(self.name, self._mine)
            self.membership.end()
        except HouseError as error:
            log.error("the others find out by themselves that this server stops: %s", error)
        self._servers.close()
        self._turn_at_office.close()

    @property
    def is_unsure(self) -> bool:
        """Whether another server may run the tables of this one by now."""
        return bool(self.membership.others) and self.membership.lease_is_over

    says = SAYS

    def told(self) -> dict[str, Any]:
        """What this server says of itself and the others."""
        return {
            "server": self.name,
            "servers": tuple(sorted(self.membership.others)),
            "runs": tuple(sorted(self._live.hubs)),
            "lost": self.lost,
        }

    # -- where a table is ----------------------------------------------------------------------

    def knows(self, place: str) -> bool:
        """Whether there is such a table or link, here or elsewhere."""
        record = self._casino.office.state.places.get(place)
        return record is not None and not record.closed

    def address_of(self, place: str) -> str | None:
        """Where the server is reached that runs a place; None if it is here, or nobody does."""
        found = self.membership.others.get(self.running.get(place, ""))
        return found.address if found is not None else None

    def addresses(self) -> list[str]:
        """Where the other servers are reached."""
        return [each.address for each in self.membership.others.values()]

    def is_here(self, place: str) -> bool:
        """Whether a place is served here."""
        live = self._live
        return place in live.hubs or (live.is_link(place) and self.address_of(place) is None)

    async def settled(self, place: str) -> str | None:
        """Wait until a place is run somewhere; where, or None if it is here or stays away."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + WAITS_FOR_OWNER
        while not self.is_here(place) and self.knows(place) and loop.time() < deadline:
            address = self.address_of(place)
            if address is not None:
                return address
            await asyncio.sleep(LOOKS_FOR_OWNER)
        return None
