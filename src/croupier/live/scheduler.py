"""The scheduler of one table: when the dealer acts, when the House calls, and the players' clocks.

Everything that can happen by itself at a table is decided by `look`, after every command: what
comes next and when. One timer carries it out. A player has his time to act and then his time bank,
which is his for the whole evening and grows a little with every round.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Literal, assert_never

from msgspec import Struct

from croupier.house.answers import Answer
from croupier.house.clocks import Clocks
from croupier.house.errors import OwnedElsewhere, StorageError
from croupier.house.software import HOUSE
from croupier.house.software import STANDING_ORDERS as STANDING
from croupier.live import wire
from croupier.live.waits import (
    Awaited,
    instead,
    questions_of_staff,
    staff_awaited,
    waits_for,
)
from croupier.pit.ports.waits import BetsOpen, Instead, Wait
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Decide,
    DecisionNeeded,
    GiveDraw,
    GiveShuffle,
    Table,
)

if TYPE_CHECKING:
    from croupier.live.casino import LiveCasino

CLOCK = "clock"

# How long a person takes for the dealer's acts, in seconds; others take `USUALLY`.
USUALLY = 0.5
TAKES: dict[str, float] = {
    "give shuffle": 0.2,
    "give draw": 0.2,
    "shuffle": 0.6,
    "cut": 0.3,
    "deal for button": 1.0,
    "post blinds": 0.6,
    "deal hole cards": 0.8,
    "deal community": 0.6,
    "deal dealer": 0.6,
    "deal flop": 0.9,
    "deal turn": 0.9,
    "deal river": 0.9,
    "reveal flop": 0.8,
    "reveal turn": 0.8,
    "reveal river": 0.8,
    "reveal dealer": 1.0,
    "show hands": 1.0,
    "settle": 1.2,
}
SEEDS_WITHIN = 1.0
"""Seconds that a shuffle waits at most for the seeds of players who are here, whatever the pace."""
NEWCOMER = 4.0
"""Seconds at most for a newcomer's answer about the Blinds: everybody else waits for it."""
ORDERS_AT_MOST = 20
"""Answers that follow one report at most: a table that asks for more is broken."""
READY_IN = 0.8
"""Seconds from the last player's being ready until betting closes."""

Kind = Literal["act", "call", "order", "collect", "clock", "bets", "stuck"]


class Next(Struct, frozen=True, kw_only=True):
    """What comes next at a table, and when on the loop's clock."""

    kind: Kind
    at: float
    key: tuple[Any, ...] = ()


class TableScheduler:
    """Decides what happens by itself at one table, and when."""

    def __init__(self, casino: LiveCasino, place: str) -> None:
        self.casino = casino
        self.place = place
        self.port = GAMES.port_of(self.table)
        """Of the table's game: a place is played under one book for ever."""
        self.clocks: Clocks = casino.clocks_of(place)
        """As they are on record whenever the table is looked at, or its clock is."""
        self.banks: dict[str, float] = {}
        self.ready: set[str] = set()
        self._wait: Wait | None = None
        self._began = 0.0
        self._on_bank = False
        self._next: Next | None = None
        self._timer: Any = None
        self._round = -1
        self._ordered: set[int] = set()
        """Decisions that a standing order was tried on: once, then they are for people."""
        self._asked: tuple[int, float] = (0, 0.0)
        """Which shuffle the table waits for, and since when."""
        self._refused_at: tuple[int, str] | None = None
        """Where the log stood when the table refused a call, and what it was closed for: nothing
        has changed since."""
        self.left_to_staff: DecisionNeeded | None = None
        """A question that a standing order would answer, if nobody were there who may."""
        self._held: float | None = None
        """Since when the table is held for a ruling."""
        self.is_put_off = False
        """Whether the database was out of reach when the table was to be looked at, or acted at:
        then it is looked at again in a while (`LiveCasino`)."""

    @property
    def table(self) -> Table[Any]:
        return self.casino.house.pit.tables[self.place]

    # -- looking -----------------------------------------------------------------------------

    def look(self) -> None:
        """The table has changed: find out what comes next. Called under the House's lock."""
        now, table = self.casino.now(), self.table
        self.clocks = self.casino.clocks_of(self.place)
        if self.casino.is_held(self.place):
            self._held = now if self._held is None else self._held
            self._next = None
            return
        if self._held is not None:  # nobody's time ran meanwhile
            self._began, self._held = self._began + now - self._held, None
        self._new_round(table)
        wait = waits_for(table) or self._asked_to_show(table)
        if wait is None or self._wait is None or wait.key != self._wait.key:
            self._used_bank(self._wait, now)
            self._began, self._on_bank = now, False
        elif self._on_bank and wait.seats != self._wait.seats:
            self._used_bank(self._wait, now, still=wait.seats)
        self._wait = wait
        self._next = self._what_next(table, now)

    def _people_to_show(self, table: Table[Any]) -> tuple[int, ...]:
        """Who has still to show his hand and is a person who would be waited for."""
        if self._time_to_show() == 0:
            return ()
        return tuple(
            seat for seat in self.port.to_show(table) if self._is_person(table.player_at(seat))
        )

    def _is_person(self, who: str | None) -> bool:
        casino = self.casino
        return who is not None and not (
            casino.identity.is_bot(who) or casino.is_away(self.place, who)
        )

    def _time_to_show(self) -> float:
        time: float = self.clocks.showdown * min(1.0, self.clocks.pace)
        return time

    def _asked_to_show(self, table: Table[Any]) -> Wait | None:
        """Where the House would show all hands at once, a person is asked who may choose."""
        people = self._people_to_show(table)
        if not people:
            return None
        due = self.casino.dealer.next_act(self.place)
        return self.port.asked_to_show(table, due, people)

    def _new_round(self, table: Table[Any]) -> None:
        number = self.port.round_number(table)
        if number == self._round:
            return
        self._round = number
        self.ready.clear()
        most, more = self.clocks.time_bank, self.clocks.bank_refill
        present = {table.player_at(p) for p in table.taken_seats()}
        self.banks = {
            who: min(most, left + more) for who, left in self.banks.items() if who in present
        }

    def _used_bank(self, wait: Wait | None, now: float, still: tuple[int, ...] = ()) -> None:
        """Take from the time banks of those who have acted what they used of them."""
        if wait is None or not self._on_bank:
            return
        used = now - self._began - self._time(wait)
        staying = {self.table.player_at(seat) for seat in still}
        for seat in wait.seats:
            who = self.table.player_at(seat)
            if who is not None and who not in staying:
                self.banks[who] = max(0.0, self.bank(who) - used)

    def bank(self, who: str | None) -> float:
        """What a player has left in his time bank; nothing while he has no connection."""
        if who is None or self.casino.is_away(self.place, who):
            return 0.0
        left: float = self.banks.setdefault(who, self.clocks.time_bank)
        return left

    def _time(self, wait: Wait) -> float:
        match wait.why:
            case "action":
                return float(self.clocks.to_act)
            case "straddle":
                return float(self.clocks.straddle)
            case "decision":
                return float(self._time_to_decide())
            case "showdown":
                return float(self._time_to_show())
            case _:
                assert_never(wait.why)

    def _time_to_decide(self) -> float:
        """A newcomer who is asked how he comes in does not keep the others waiting."""
        asked = (need for need in self.table.state.waiting if isinstance(need, DecisionNeeded))
        newcomer = any(need.holds and need.question in self.port.asks_newcomers for need in asked)
        time: float = self.clocks.decision
        return min(time, NEWCOMER) if newcomer else time

    def _what_next(self, table: Table[Any], now: float) -> Next | None:
        casino, clocks = self.casino, self.clocks
        if self._wait is not None and self._wait.why == "showdown":
            return self._clock(self._wait, now)
        due = casino.dealer.next_act(self.place)
        if due is not None:
            tag = str(due.__struct_config__.tag)
            takes = TAKES.get(tag, USUALLY) * clocks.pace
            if isinstance(due, GiveShuffle | GiveDraw):
                return Next(kind="act", at=self._shuffled_at(due.need, takes, now))
            return Next(kind="act", at=now + takes)
        if self._standing(table) is not None:
            return Next(kind="order", at=now + USUALLY * clocks.pace)
        if self._wait is not None:
            return self._clock(self._wait, now)
        if self.port.charge_due(table) is not None:
            return Next(kind="collect", at=now + USUALLY * clocks.pace)
        call = self._call(table, now)
        if call is None and self.casino.stand_in.is_stuck(self.place):
            return Next(kind="stuck", at=now + USUALLY * clocks.pace)
        return call

    def _shuffled_at(self, need: int, takes: float, now: float) -> float:
        """When a shuffle is given: at once, or when the seeds are open that it waits for."""
        if self._asked[0] != need:
            self._asked = (need, now)
        since = self._asked[1]
        if any(map(self._is_person, self.casino.dealer.awaited_seeds(self.place))):
            return since + max(takes, SEEDS_WITHIN)
        return max(now, since + takes)

    def _clock(self, wait: Wait, now: float) -> Next:
        over = self._began + self._time(wait)
        if not self._on_bank:
            return Next(kind="clock", at=over, key=wait.key)
        banks = [self._extra(wait, seat) for seat in wait.seats]
        return Next(kind="clock", at=over + min(banks, default=0.0), key=wait.key)

    def _extra(self, wait: Wait, seat: int) -> float:
        """What a player has beyond his time: his time bank, for the decisions of the game alone."""
        return self.bank(self.table.player_at(seat)) if wait.why == "action" else 0.0

    def _call(self, table: Table[Any], now: float) -> Next | None:
        """The House calls when there is somebody to play; betting closes when its time is over."""
        casino, clocks = self.casino, self.clocks
        call = casino.dealer.next_call(self.place)
        if call is None or self._refused_at == self._stands():
            return None
        before = self._next
        bets = self.port.bets_open(table)
        if bets is not None:
            return self._bets(bets, now)
        able = self.port.can_play(table)
        here = [n for n in able if not casino.is_away(self.place, table.player_at(n) or "")]
        if not here or len(able) < self.port.fewest:
            return None
        at = now + clocks.between_rounds * min(1.0, clocks.pace)
        if before is not None and before.kind == "call":
            at = min(at, before.at)  # somebody sat down meanwhile: nobody waits longer for it
        return Next(kind="call", at=at)

    def _bets(self, bets: BetsOpen, now: float) -> Next | None:
        if not bets.betting:
            return None
        before = self._next
        at = now + self.clocks.bets
        if before is not None and before.key == bets.key:
            at = before.at
        if self.everybody_is_ready(bets):
            at = min(at, now + READY_IN * self.clocks.pace)
        return Next(kind="bets", at=at, key=bets.key)

    def everybody_is_ready(self, bets: BetsOpen) -> bool:
        """Whether all who sit here and are not away say that they have bet."""
        waited = {who for who in bets.sitting if not self.casino.is_away(self.place, who)}
        return waited <= self.ready

    # -- the timer ---------------------------------------------------------------------------

    def arm(self) -> None:
        """Set the timer to what comes next. Called in the loop's thread."""
        self._disarm()
        coming = self._next
        if coming is None or self.casino.stopping:
            return
        loop = self.casino.loop
        self._timer = loop.call_at(max(coming.at, loop.time()), self._due, coming)

    def stop(self) -> None:
        """Nothing happens by itself any more, also what was due and waits for its turn: the table
        may be gone by then."""
        self._disarm()
        self._next = None

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self, coming: Next) -> None:
        self._timer = None
        self.casino.house_acts.put(lambda: self._fire(coming))

    def _fire(self, coming: Next) -> None:
        with self.casino.house.lock, self.casino.guarded(self.place):
            if coming is not self._next or self.casino.stopping:
                return  # the table has changed meanwhile, maybe in another thread
            self._disarm()  # a timer may have been set for the same act while this one was queued
            does: dict[Kind, Callable[[], None]] = {
                "act": self._act,
                "call": self._make_call,
                "bets": self._make_call,
                "order": self._order,
                "collect": self._collect,
                "clock": self._time_is_over,
                "stuck": lambda: self.casino.stand_in.end_round(self.place),
            }
            try:
                does[coming.kind]()
            except OwnedElsewhere:  # it goes to another server; or does not after all
                self.is_put_off = True
            except StorageError:
                self.is_put_off = True
                raise

    def _act(self) -> None:
        table = self.table
        if people := self._people_to_show(table):
            due = self.casino.dealer.next_act(self.place)
            step = self.port.shows_next(table, due, people)
            if step is not None:
                self._give(step, HOUSE, ActorRank.HOUSE)
                return
        future = self.casino.dealer.act(self.place)
        if future is None:
            self.again()

    def _make_call(self) -> None:
        future = self.casino.dealer.call(self.place)
        if future is None or (future.done() and future.result().refused is not None):
            self._refused_at = self._stands()
            self.again()

    def _stands(self) -> tuple[int, str]:
        """What a call turns on: the log of the table, and whether it may begin anything new."""
        return self.casino.house.positions[self.place], self.casino.why_closed(self.place)

    def _standing(self, table: Table[Any]) -> tuple[Decide, ActorRank] | None:
        """What the House has decided beforehand of a question, and was not tried yet."""
        self.left_to_staff = None
        for question in questions_of_staff(table):
            decide = self.casino.casino.orders.decide(table, question.need)
            if decide is not None and self.casino.staff_door.decides(self.place, question.need):
                self.left_to_staff = question.need
                continue
            if decide is not None and decide.decision not in self._ordered:
                return decide, question.rank
        return None

    def _order(self) -> None:
        """Carry out what the House has decided beforehand."""
        found = self._standing(self.table)
        if found is None:
            return
        decide, rank = found
        self._ordered.add(decide.decision)
        try:
            self._give(decide, STANDING, rank)
        except BadCommand as error:  # it cannot be carried out as the table stands
            self.casino.log.error(
                "a standing order does not fit", extra={"place": self.place, "says": str(error)}
            )
        if self._next is not None and self._next.kind == "order" and self._timer is None:
            self.again()  # it was refused: somebody must decide after all

    def follow_orders(self, after: int) -> list[Future[Answer]]:
        """Carry out at once what the House has decided beforehand of questions that came after one:
        whoever has reported something reads what was ruled. Called under the House's lock."""
        given: list[Future[Answer]] = []
        while len(given) < ORDERS_AT_MOST:
            found = self._standing(self.table)
            if found is None or found[0].decision <= after:
                break
            decide, rank = found
            self._ordered.add(decide.decision)
            try:
                given.append(self.casino.house.give(self.place, decide, who=STANDING, rank=rank))
            except BadCommand:  # it cannot be carried out as the table stands: it is for people
                break
        return given

    def _collect(self) -> None:
        charge = self.port.charge_due(self.table)
        if charge is not None:
            self._give(charge, CLOCK, ActorRank.HOUSE)

    def _time_is_over(self) -> None:
        """Time to act is over: the time bank runs; that over too, the House acts for him."""
        wait = self._wait
        if wait is None:
            return
        now = self.casino.now()
        self.clocks = self.casino.clocks_of(self.place)
        used = now - self._began - self._time(wait)
        late = [p for p in wait.seats if self._extra(wait, p) <= max(used, 0.0)]
        if not late:
            self._on_bank = True
            self.again()
            return
        if len(late) < len(wait.seats):
            self._on_bank = True
        for seat in late:
            done: Instead | None = instead(self.table, seat)
            if done is not None:
                self.casino.metrics.timed_out.add(1)
                who = self.table.player_at(seat)
                if wait.why == "action" and who is not None:
                    self.casino.wishes.timed_out(self.place, who, self._round)
                self._give(done.command, CLOCK, done.rank)
        if self._next is not None and self._next.kind == "clock" and self._timer is None:
            self.again()

    def _give(self, command: Command, who: str, rank: ActorRank) -> None:
        future = self.casino.house.give(self.place, command, who=who, rank=rank)
        if future.done() and future.exception() is None and future.result().refused is not None:
            self.casino.log.error(
                "the House was refused",
                extra={"place": self.place, "says": str(future.result().refused)},
            )

    def look_at_hold(self) -> None:
        """Look again if the table is held, or held no more, and that was not known here; or if a
        call was refused for what is so no more."""
        refused_before = self._refused_at is not None and self._refused_at != self._stands()
        if self.casino.is_held(self.place) != (self._held is not None) or refused_before:
            self.again()

    def again(self) -> None:
        """Look again although no command was given: somebody came, went or is ready."""
        with self.casino.house.lock:
            try:
                self.casino.house.reread_stale()
                self.look()
                self.is_put_off = False
            except (StorageError, OwnedElsewhere) as error:
                self._next, self.is_put_off = None, True
                self.casino.log.error(
                    "a table cannot be read", extra={"place": self.place, "says": str(error)}
                )
        self.arm()
        self.casino.tell_clock(self.place)

    # -- what is shown -----------------------------------------------------------------------

    def clock(self) -> wire.Clock | None:
        """Who is waited for and how long still, as viewers are told."""
        coming, now = self._next, self.casino.now()
        if coming is None:
            return None
        self.clocks = self.casino.clocks_of(self.place)
        if coming.kind == "call":
            left = coming.at - now
            whole = self.clocks.between_rounds
            return wire.Clock(for_=(), why="next round", left=_ms(left), of=_ms(whole))
        if coming.kind == "bets":
            whole = self.clocks.bets
            return wire.Clock(for_=(), why="bets", left=_ms(coming.at - now), of=_ms(whole))
        if coming.kind != "clock" or self._wait is None:
            return None
        time = self._time(self._wait)
        over = self._began + time
        bank = max((self._extra(self._wait, p) for p in self._wait.seats), default=0.0)
        return wire.Clock(
            for_=self._wait.seats,
            why=self._wait.why,
            left=_ms((over + bank if self._on_bank else over) - now),
            of=_ms(bank if self._on_bank else time),
            bank=_ms(bank),
            on_bank=self._on_bank,
        )

    def staff_awaited(self) -> Awaited | None:
        """Of the House's staff, whom the table waits for: nothing goes on before he has decided."""
        pit = self.casino.house.pit
        link = pit.links.get(pit.linked.get(self.place, ""))
        return staff_awaited(self.table, link, self.is_for_people)

    def is_for_people(self, need: DecisionNeeded) -> bool:
        """Whether no standing order answers a question of the table, or it was tried in vain."""
        decide = self.casino.casino.orders.decide(self.table, need)
        if decide is None or need.decision in self._ordered:
            return True
        return self.casino.staff_door.decides(self.place, need)

    # -- people who are away -----------------------------------------------------------------

    def gone(self, who: str, seconds: float) -> bool:
        """A player has had no connection for so long: act on it. True if nothing is left to do."""
        table = self.table
        seats = [p for p in table.taken_seats() if table.player_at(p) == who]
        if not seats:
            return True
        self.clocks = self.casino.clocks_of(self.place)
        if seconds < self.clocks.grace:
            return False
        with self.casino.guarded(self.place):
            kept = seconds < self.clocks.seat_kept
            for done in self.port.gone(table, who, seat_is_kept=kept):
                self._try(done.command, done.rank)
        return False

    def _try(self, command: Command, rank: ActorRank) -> None:
        """Give what may be refused now and is tried again later."""
        self.casino.house.give(self.place, command, who=CLOCK, rank=rank)


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
