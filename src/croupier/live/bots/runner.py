"""The bots of a live casino: who sits where, and one thread that lets each act in its own time.

Every bot is a player with an account of the office that is marked as a bot's; it gives its commands
the same way as everybody (`LiveCasino.give`) and hears the public form of what has become
durable. It is shown the view of its own player and nothing else.

    runner = BotRunner(casino)
    runner.open()
    …
    runner.close()
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from concurrent.futures import Future
from random import Random
from typing import Any

from msgspec import Struct

from croupier.house.answers import Answer
from croupier.house.errors import HouseError
from croupier.house.office.standards import NO_NEGATIVE_BALANCE
from croupier.house.world import Turns, Worker
from croupier.live.bots import pacing
from croupier.live.bots.bot import Thought
from croupier.live.bots.seat import BotPlayer, View, make_bot, terms_of
from croupier.live.bots.temperaments import TEMPERAMENTS, Temperament
from croupier.live.casino import LiveCasino
from croupier.live.errors import NotAllowed, Stopping
from croupier.live.identity import GuestIdentityProvider, Visitor
from croupier.pit.registry import GAMES
from croupier.table import BadCommand, Command, Order, Table
from croupier.table.view import player as seen_by

NAMES = (
    "Avocet Bunting Curlew Dunlin Egret Fulmar Gannet Heron Ibis Jacana "
    "Kestrel Lapwing Merlin Nightjar Osprey Petrel Quail Rail Shrike Tern "
    "Umbrette Verdin Whimbrel Xenops Yellowlegs Bittern Crake Dipper Eider Finch "
    "Godwit Hobby Jackdaw Kite Linnet Martin Nuthatch Oriole Plover Redwing "
    "Siskin Teal Wagtail Brambling Chough Dotterel Firecrest"
).split()
"""The House's bots are called after birds."""
LAST_WAIT = 10.0
"""Seconds that a bot in the middle of a thought may keep the casino from closing."""
LOOKS_ROUND = 1.0
"""Seconds after which a table is looked at again though nothing happened: watchers come and go."""
TRIES_AGAIN = 3.0
"""Seconds after which a bot thinks again about what was refused."""
NO_ROOM = 60.0
"""Seconds until a bot tries to come again after there was no room or no name for it."""
COMES_AFTER = (2.0, 9.0)
"""Seconds until somebody takes the seat of a bot that has gone."""


_NEVER = float("inf")


class _Plan(Struct):
    """What a bot is about to do."""

    signature: tuple[Any, ...]
    due: float
    thought: Thought | None


class _BotTable:
    """One table with its bots."""

    def __init__(self, place: str, bots: int, position: int) -> None:
        self.place = place
        self.bots = bots
        self.players: list[BotPlayer] = []
        self.visitors: dict[str, Visitor] = {}
        self.plans: dict[str, _Plan] = {}
        self.heard = position
        self.ready: tuple[int, set[str]] = (0, set())
        self.watched = False
        self.lacks = False
        """Whether seats are free that bots will take."""
        self.seats_from = 0.0
        self.again = _NEVER
        """When to think again about what was refused."""
        self.refused: set[str] = set()


class BotRunner:
    """The bots of one process. `open` seats them; `close` ends their thread."""

    def __init__(self, casino: LiveCasino, chance: Random | None = None) -> None:
        self.casino = casino
        self.chance = chance or Random()
        self.refused = 0
        """Commands of bots that were refused: somebody else was faster."""
        self.gave = 0
        self._tables: dict[str, _BotTable] = {}
        self._news: deque[tuple[Answer, bool]] = deque()
        """Answers, and whether each is durable or lost."""
        self._joining: deque[tuple[str, int | None]] = deque()
        """Tables at which so many bots are to sit from now on; None: that are run no more."""
        self._due: list[tuple[float, int, str, str, _Plan]] = []
        self._numbers = itertools.count()
        self._world = casino.house.world
        self._now = self._world.monotonic
        self._thread: Worker | None = None
        self._closed = False

    # -- opening and closing -----------------------------------------------------------------

    def open(self) -> None:
        """Seat the bots of all tables, private ones of before too, and let them play."""
        identity = self.casino.identity
        if not isinstance(identity, GuestIdentityProvider):
            raise NotAllowed("no bots", "A casino that plays for money has no bots.")
        house = self.casino.house
        with house.lock:
            configured = self.casino.config.tables
            others = [place for place in house.pit.tables if place not in configured]
            for place in (*configured, *others):
                bots = self.casino.bots_wanted(place)
                if bots and place in house.pit.tables:
                    self._tables[place] = _BotTable(place, bots, house.positions[place])
            house.watch(self)
        for bot_table in self._tables.values():
            self._come_back(bot_table)
        self._thread = self._world.start("bots", self._turns())

    def join(self, place: str, bots: int) -> None:
        """Let so many bots sit at a table from now on; 0 lets all of them leave."""
        self._joining.append((place, bots))
        if self._thread is not None:
            self._thread.wake()

    def forget(self, place: str) -> None:
        """A table is run no more."""
        self._joining.append((place, None))
        if self._thread is not None:
            self._thread.wake()

    def spare(self) -> int:
        """How many bots have a name and are wanted at no table."""
        wanted = {place: bot_table.bots for place, bot_table in tuple(self._tables.items())}
        wanted |= {place: bots or 0 for place, bots in tuple(self._joining)}
        people = self.casino.casino.office.state.people
        names = sum(name not in people or people[name].bot for name in NAMES)
        return max(0, names - sum(wanted.values()))

    def close(self) -> None:
        """Let the bots act no more; they keep their seats."""
        self._closed = True
        if self._thread is not None:
            self._thread.wake()
            self._thread.join(LAST_WAIT)

    def players(self, place: str) -> list[BotPlayer]:
        """The bots of a table."""
        return list(self._tables[place].players)

    # -- what the House says (Watcher) -------------------------------------------------------

    def made(self, answer: Answer, order: Order[Command]) -> None:
        """Nothing is durable yet, so no bot hears of it."""

    def stored(self, answer: Answer) -> None:
        """It is durable. Called in the writer's thread."""
        self._tell((answer, True))

    def lost(self, answer: Answer) -> None:
        """It never happened."""
        self._tell((answer, False))

    def _tell(self, news: tuple[Answer, bool]) -> None:
        self._news.append(news)
        if self._thread is not None:
            self._thread.wake()

    # -- the thread --------------------------------------------------------------------------

    def _turns(self) -> Turns:
        yield from self._wait_for_the_opening()
        for bot_table in self._tables.values():
            self._guarded(bot_table)
        while not self._stopped():
            if not self._news:
                yield self._until_next()
            self._listen()
            self._carry_out(self._now())
        self._closed = True

    def _wait_for_the_opening(self) -> Turns:
        """Nobody acts before the casino has opened: its viewers must see everything."""
        opened: list[bool] = []
        while not self._stopped() and getattr(self.casino, "loop", None) is None:
            yield LOOKS_ROUND / 20
        if not self._stopped():
            # Done once the loop is through with the opening.
            self.casino.post(lambda: opened.append(True))
        while not self._stopped() and not opened:
            yield LOOKS_ROUND / 20

    def _stopped(self) -> bool:
        return self._closed or self.casino.stopping

    def _until_next(self) -> float:
        if not self._due:
            return LOOKS_ROUND
        return min(LOOKS_ROUND, max(0.0, self._due[0][0] - self._now()))

    def _listen(self) -> None:
        """Take all the news there is, and think about the tables that it came from."""
        changed: set[str] = set()
        while self._news:
            changed |= self._hear(*self._news.popleft())
        changed |= self._join()
        now = self._now()
        for bot_table in self._tables.values():
            watched = bool(self.casino.hubs) and self.casino.watchers.is_watched(bot_table.place)
            lacks = bot_table.lacks and now >= bot_table.seats_from
            again = now >= bot_table.again
            if again:
                bot_table.again = _NEVER
                while bot_table.refused:
                    bot_table.plans.pop(bot_table.refused.pop(), None)
            if bot_table.place in changed or watched != bot_table.watched or lacks or again:
                bot_table.watched = watched
                self._guarded(bot_table)

    def _join(self) -> set[str]:
        """The tables that bots were sent to, or from."""
        found: set[str] = set()
        house = self.casino.house
        while self._joining:
            place, bots = self._joining.popleft()
            if bots is None:
                self._tables.pop(place, None)
                continue
            found.add(place)
            if place in self._tables:
                self._tables[place].bots = bots
                continue
            with house.lock:
                self._tables[place] = _BotTable(place, bots, house.positions[place])
            self._come_back(self._tables[place])  # who sat there when the casino was closed
        return found

    def _hear(self, answer: Answer, durable: bool) -> set[str]:
        found: set[str] = set()
        for said, position in zip(answer.said, answer.positions, strict=True):
            bot_table = self._tables.get(said.place)
            if bot_table is None:
                continue
            found.add(said.place)
            if not durable:  # the table was read from its log again
                bot_table.heard = self.casino.house.positions[said.place]
                continue
            bot_table.heard = max(bot_table.heard, position)
            event = said.event.public()
            if event is not None:
                for each in bot_table.players:
                    each.hear(event)
        return found

    def _guarded(self, bot_table: _BotTable) -> None:
        """What goes wrong at one table is logged and stops no other."""
        try:
            self._consider(bot_table)
        except (Stopping, HouseError):
            if not self.casino.stopping:
                self.casino.log.exception("bots cannot play", extra={"place": bot_table.place})
        except Exception:
            self.casino.metrics.faults.add(1)
            self.casino.log.exception("a bot could not think", extra={"place": bot_table.place})

    # -- thinking ----------------------------------------------------------------------------

    def _consider(self, bot_table: _BotTable) -> None:
        self._fill(bot_table)
        house = self.casino.house
        with house.lock:
            table, position = house.pit.tables[bot_table.place], house.positions[bot_table.place]
            views = {each.name: table.view(seen_by(each.name)) for each in bot_table.players}
        if bot_table.heard < position:
            return  # more has been said than is durable: that comes first
        now = self._now()
        for each in list(bot_table.players):
            view = views[each.name]
            each.idle = not bot_table.watched
            signature = (*each.signature(view), each.leaving, each.idle)
            plan = bot_table.plans.get(each.name)
            if plan is None or plan.signature != signature:
                thought = each.step(view)
                self._plan(bot_table, each, signature, thought, now)
            self._tell_ready(bot_table, each, view)

    def _plan(
        self,
        bot_table: _BotTable,
        each: BotPlayer,
        signature: tuple[Any, ...],
        thought: Thought | None,
        now: float,
    ) -> None:
        plan = bot_table.plans[each.name] = _Plan(signature, now, thought)
        if thought is not None:
            temperament = each.bot.temperament
            clocks = self.casino.clocks_of(bot_table.place)
            plan.due += pacing.takes(
                thought, temperament, clocks, self.chance, watched=bot_table.watched
            )
            number = next(self._numbers)
            heapq.heappush(self._due, (plan.due, number, bot_table.place, each.name, plan))

    def _tell_ready(self, bot_table: _BotTable, each: BotPlayer, view: View) -> None:
        number, told = bot_table.ready
        if number != view.round:
            told = set()
            bot_table.ready = (view.round, told)
        plan = bot_table.plans.get(each.name)
        waits = plan is None or plan.thought is None
        if waits and each.name not in told and each.is_ready(view) and self.casino.hubs:
            told.add(each.name)
            visitor = bot_table.visitors[each.name]
            self.casino.post(lambda: self.casino.set_ready(visitor, bot_table.place))

    # -- acting ------------------------------------------------------------------------------

    def _carry_out(self, now: float) -> None:
        while self._due and self._due[0][0] <= now and not self._stopped():
            _, _, place, name, plan = heapq.heappop(self._due)
            bot_table = self._tables.get(place)
            if bot_table is None:
                continue
            if bot_table.plans.get(name) is plan and plan.thought is not None:
                self._give(bot_table, name, plan.thought.command)

    def _give(self, bot_table: _BotTable, name: str, command: Command) -> None:
        visitor = bot_table.visitors[name]
        try:
            future = self.casino.give(visitor, bot_table.place, command, self._world.unique())
        except (Stopping, HouseError, BadCommand, NotAllowed) as error:
            if not self.casino.stopping:
                self._was_refused(bot_table, name, str(error))
            return
        self.gave += 1
        future.add_done_callback(lambda done: self._answered(bot_table, name, done))

    def _answered(self, bot_table: _BotTable, name: str, done: Future[Answer]) -> None:
        """Once it is durable, refused or lost; in whichever thread that happens."""
        error = done.exception()
        if error is not None:
            if not self.casino.stopping:
                self._was_refused(bot_table, name, str(error))
            return
        refused = done.result().refused
        if refused is not None:
            self._was_refused(bot_table, name, str(refused))
            if NO_NEGATIVE_BALANCE in refused.cites:
                self._leaves(bot_table, name)

    def _was_refused(self, bot_table: _BotTable, name: str, says: str) -> None:
        """Somebody was faster, or the account is empty: it thinks again a little later."""
        self.refused += 1
        bot_table.refused.add(name)
        bot_table.again = self._now() + TRIES_AGAIN
        self.casino.log.warning(
            "a bot was refused", extra={"place": bot_table.place, "player": name, "says": says}
        )

    def _leaves(self, bot_table: _BotTable, name: str) -> None:
        for each in bot_table.players:
            if each.name == name:
                each.leaving = True

    # -- who sits where ----------------------------------------------------------------------

    def _come_back(self, bot_table: _BotTable) -> None:
        """Bots that sat here when the casino closed sit here still."""
        table = self.casino.house.pit.tables[bot_table.place]
        for seat in table.taken_seats():
            name = table.player_at(seat)
            if name in NAMES and self.casino.identity.is_bot(name):
                self._seat(bot_table, table, name, seat)

    def _fill(self, bot_table: _BotTable) -> None:
        """Keep as many bots as the configuration says, and one seat free for people."""
        now = self._now()
        with self.casino.house.lock:
            table = self.casino.house.pit.tables[bot_table.place]
            seats = GAMES.port_of(table).seats(table)
            seated = {n: table.player_at(n) for n in table.taken_seats()}
        names = set(seated.values())
        for each in [p for p in bot_table.players if p.leaving and p.name not in names]:
            bot_table.players.remove(each)
            bot_table.plans.pop(each.name, None)
            bot_table.seats_from = now + self.chance.uniform(*COMES_AFTER)
        ours = {each.name for each in bot_table.players}
        people = sum(1 for name in seated.values() if name not in ours)
        room = max(0, min(bot_table.bots, seats - people - 1))
        for each in bot_table.players[room:]:
            each.leaving = True
        held = {each.seat for each in bot_table.players}
        free = [n for n in range(1, seats + 1) if n not in seated and n not in held]
        self.chance.shuffle(free)
        for each in bot_table.players:  # somebody was faster at the seat that it had in mind
            if each.name not in names and each.seat in seated and free:
                each.seat = free.pop()
        bot_table.lacks = len(bot_table.players) < room
        if bot_table.lacks and now >= bot_table.seats_from:
            while len(bot_table.players) < room and free:
                name = self._new_name()
                if name is None or not self._seat(bot_table, table, name, free.pop()):
                    bot_table.seats_from = now + NO_ROOM
                    return
            bot_table.lacks = False

    def _new_name(self) -> str | None:
        """A bird that sits nowhere, and whose name nobody else has taken."""
        used = {each.name for bot_table in self._tables.values() for each in bot_table.players}
        people = self.casino.casino.office.state.people
        free = [n for n in NAMES if n not in used and (n not in people or people[n].bot)]
        return self.chance.choice(free) if free else None

    def _seat(self, bot_table: _BotTable, table: Table[Any], name: str, seat: int) -> bool:
        """Give a bot its account and its place; False where the house is full."""
        identity = self.casino.identity
        assert isinstance(identity, GuestIdentityProvider)
        try:
            bot_table.visitors[name] = identity.reserve(name)
        except NotAllowed as error:
            self.casino.log.warning("no bot can come", extra={"says": str(error)})
            return False
        bot = make_bot(table, name, temperament_of(name))
        bot_table.players.append(
            BotPlayer(bot, seat, terms_of(table), Random(self.chance.random()))
        )
        return True


def temperament_of(name: str) -> Temperament:
    """Each bird has its own temperament, always the same."""
    return TEMPERAMENTS[NAMES.index(name) % len(TEMPERAMENTS)]


def seat_bots(casino: LiveCasino) -> BotRunner:
    """Seat the bots of a casino's configuration; what `serve` may be given as `joined`."""
    runner = BotRunner(casino)
    if casino.config.demonstration and any(t.bots for t in casino.config.tables.values()):
        runner.open()
        casino.private.bots = runner
    return runner
