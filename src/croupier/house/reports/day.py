"""The report of a gaming day: drop, rake, win, jackpots, voids and rulings.

Every log is replayed from its beginning and what happened within the day is counted; so a report
needs nothing but the events, can be made for any day, and agrees with the ledger. Tables are taken
one after another: memory does not grow with the log.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from datetime import date, datetime
from itertools import groupby
from typing import Any

from msgspec import Struct

from croupier.house.audit.conversations import conversation_of
from croupier.house.gaming_day import GamingDay
from croupier.house.ledger import holdings
from croupier.house.office import OFFICE, Office
from croupier.house.office import events as office
from croupier.house.office import record_events as record
from croupier.house.office.dealing import OFF_DUTY
from croupier.house.office.inventory import DayClosed
from croupier.house.office.roster_events import CashTaken
from croupier.house.openings import round_of
from croupier.house.records import Row
from croupier.house.replaying import apply_event, held_rows, read_event
from croupier.house.reports.dealers import Dealers, Dealing, Dealt
from croupier.house.reports.for_players import ForPlayer, acts_for_players
from croupier.house.reports.inventory import InventoryDay, report_inventory
from croupier.house.shuffle_book import is_shuffle_book
from croupier.house.software import HOUSE
from croupier.house.store import Store
from croupier.jackpot import JackpotLink
from croupier.jackpot.events import AwardPaidAgain, AwardTakenBack
from croupier.pit.ports.port import GamePort
from croupier.pit.registry import GAMES
from croupier.table import (
    ActorRank,
    AwardMade,
    Conversation,
    DecisionNeeded,
    DecisionTaken,
    Event,
    Table,
)

Progress = Callable[[int], None]
EachCommand = Callable[["TableDay", datetime, int], None]
"""Told after every command of a table: what is counted there so far, when, and its rounds."""


RULING = "ruling"
"""The question by which a table leaves something to somebody's discretion."""


class PositionDay(Struct, kw_only=True):
    """One seat or box: what its players brought, staked, got and took away."""

    buy_in: int = 0
    relocated: int = 0
    """Chips that came with players from other tables, less what went with them to others."""
    wagered: int = 0
    won: int = 0
    """What came back from pots and bets, stakes included."""
    cash_out: int = 0
    cash: int = 0
    """What of the buy-ins was paid in cash at the table."""


class TableDay(Struct, kw_only=True):
    """One table."""

    table: str
    rulebook: str
    area: str = ""
    rounds: int = 0
    """Those in which cards were dealt."""
    voids: int = 0
    misdeals: int = 0
    irregularities: int = 0
    by_the_book: int = 0
    """What was reported and ruled as the book says it."""
    rulings: int = 0
    """What somebody has ruled by discretion."""
    buy_in: int = 0
    cash_out: int = 0
    relocated: int = 0
    """Chips that came with players from other tables, less what went with them to others: no new
    money of theirs. Over all tables it is nothing."""
    rake: int = 0
    win: int = 0
    """What the House won at a banked table, or lost if negative; jackpot stakes are in it."""
    from_jackpot: int = 0
    """What links paid to players here."""
    unclaimed: int = 0
    """Kept safe at the end of the day for players who walked away."""
    cash: int = 0
    """What of the buy-ins was paid in cash at the table: it is in the drop box."""
    positions: dict[int, PositionDay] = {}


class JackpotDay(Struct, kw_only=True):
    """One jackpot link."""

    link: str
    rulebook: str
    meter_start: int = 0
    meter_end: int = 0
    put_in: int = 0
    """What the House put into the meter and the pools beside it."""
    awarded: int = 0
    hits: int = 0


class StaffDay(Struct, kw_only=True):
    """One member of staff in one area: what he ruled and reported there."""

    name: str
    rank: str = ""
    area: str = ""
    """Where he was on duty when he did; nothing while he was not."""
    decisions: int = 0
    rulings: int = 0
    voids: int = 0
    irregularities: int = 0
    by_the_book: int = 0


class CageDay(Struct, kw_only=True):
    """The cage, and what came in as cash at tables."""

    cash_in: int = 0
    cash_out: int = 0
    bank: int = 0
    """Cash put into the House's bank, less what was taken out."""
    transfers: int = 0
    corrections: int = 0
    at_tables: int = 0
    """Cash that dealers took for chips."""


class AlarmDay(Struct, kw_only=True):
    """What happened to the record itself: an alarm about its copy, and what was done about it."""

    at: datetime
    who: str
    says: str


class DayReport(Struct, kw_only=True):
    """A gaming day. All amounts are cents."""

    day: str
    start: datetime
    end: datetime
    cage: CageDay
    tables: list[TableDay]
    jackpots: list[JackpotDay]
    staff: list[StaffDay]
    dealers: list[Dealt]
    for_players: list[ForPlayer]
    alarms: list[AlarmDay] = []
    inventory: list[InventoryDay] = []
    """The trays that were counted, each with what the book says must lie there."""
    closed_by: str = ""
    """Who has closed the gaming day; nobody yet, if nothing."""

    @property
    def rake(self) -> int:
        """Over all tables."""
        return sum(table.rake for table in self.tables)

    @property
    def win(self) -> int:
        """Over all banked tables."""
        return sum(table.win for table in self.tables)

    @property
    def drop(self) -> int:
        """What players brought to the tables."""
        return sum(table.buy_in for table in self.tables)


def report_day(
    store: Store,
    day: GamingDay,
    progress: Progress = lambda n: None,
    each: EachCommand = lambda table, at, rounds: None,
) -> DayReport:
    """Make the report of a day; `each` is told how it grows."""
    made = _Making(store, day, progress, each)
    for place in store.streams():
        if not is_shuffle_book(place):
            made.place(place)
    trays = report_inventory(store, day.start, day.end)
    return DayReport(
        day=day.day.isoformat(),
        start=day.start,
        end=day.end,
        cage=made.cage,
        tables=sorted(made.tables, key=lambda t: t.table),
        jackpots=sorted(made.jackpots, key=lambda j: j.link),
        staff=sorted(made.staff.values(), key=lambda s: (s.name, s.area, s.rank)),
        dealers=sorted(made.dealers, key=lambda d: (d.table, d.since)),
        for_players=acts_for_players(store, day.start, day.end),
        alarms=made.alarms,
        inventory=trays,
        closed_by=made.closed_by.get(day.day, ""),
    )


class _Rounds:
    """The rounds of a table in which cards were dealt, since the day began."""

    def __init__(self, port: GamePort[Any]) -> None:
        self._port = port
        self._before: int | None = None
        self._last = 0
        self.count = 0

    def begin(self, table: Table[Any]) -> None:
        """Before the first command of the day."""
        if self._before is None:
            self._before = self._last = round_of(table) if table.state.opened else 0

    def follow(self, table: Table[Any], events: list[Event]) -> None:
        """After a command; a round that is dealt again after a Misdeal is one."""
        if not table.state.opened or self._before is None:
            return
        number = round_of(table)
        if not self._port.cards_dealt:
            self.count = number - self._before
        elif number > self._last and any(isinstance(e, self._port.cards_dealt) for e in events):
            self._last = number
            self.count += 1

    def has_cards(self, table: Table[Any]) -> bool:
        """Whether cards were dealt in the round that is under way."""
        return not self._port.cards_dealt or round_of(table) <= self._last


class _Making:
    """A report under way."""

    def __init__(self, store: Store, day: GamingDay, progress: Progress, each: EachCommand) -> None:
        self.store = store
        self.each = each
        self.start, self.end = day.start, day.end
        self.progress = progress
        self.read = 0
        self.cage = CageDay()
        self.tables: list[TableDay] = []
        self.jackpots: list[JackpotDay] = []
        self.staff: dict[tuple[str, str, str], StaffDay] = {}
        """By name, area, and the rank in which somebody reported or ruled."""
        self.alarms: list[AlarmDay] = []
        self.areas: dict[str, str] = {}
        self.duty: dict[str, list[tuple[datetime, str]]] = {}
        """From when on each member of staff was on duty where, or nowhere."""
        self.relocations: set[str] = set()
        """Commands by which players were taken from table to table with their chips."""
        self.cash: dict[str, int] = {}
        """What was paid in cash at tables, by the command that brought the chips."""
        self.dealers: list[Dealt] = []
        self.who_dealt = Dealers()
        self.closed_by: dict[date, str] = {}
        """Who has closed which gaming day, whenever that was."""
        self._areas_and_posts()

    def _areas_and_posts(self) -> None:
        """Which table belongs to which area, where staff were on duty, and which commands took
        players from table to table, from the office."""
        conversation = Office()
        for row in held_rows(self.store, OFFICE):
            at = datetime.fromisoformat(row.at)
            event = read_event(conversation, row)
            if isinstance(event, DayClosed):  # as a rule on the next morning
                self.closed_by[event.day] = event.by
            if at >= self.end:
                continue
            self.who_dealt.follow(event, at)
            if isinstance(event, office.TableAdded):
                self.areas[event.table] = event.area
            elif isinstance(event, office.WentOnDuty):
                self.duty.setdefault(event.name, []).append((at, event.area))
            elif isinstance(event, OFF_DUTY):
                self.duty.setdefault(event.name, []).append((at, ""))
            elif isinstance(event, office.PlayerRelocated):
                self.relocations.add(row.command_id)
            elif isinstance(event, CashTaken) and at >= self.start:
                self.cash[row.command_id] = event.amount

    def place(self, place: str) -> None:
        """Read one log."""
        first = next(self.store.rows(place), None)
        if first is None:
            return
        conversation = conversation_of(place, first.event)
        match conversation:
            case Table():
                self._table(place, conversation)
            case JackpotLink():
                self._link(place, conversation)
            case Office():
                self._cage(conversation)
            case _:
                return

    def _commands(
        self, place: str, conversation: Conversation[Any]
    ) -> Iterator[tuple[list[Row], list[Event]]]:
        """The commands of the day, read and not yet applied; those before it are applied here."""
        rows = held_rows(self.store, place)
        for _, group in groupby(rows, key=lambda row: row.command_id):
            taken = list(group)
            self.read += len(taken)
            self.progress(self.read)
            at = datetime.fromisoformat(taken[0].at)
            if at >= self.end:
                return
            events = [read_event(conversation, row) for row in taken]
            if at < self.start:
                for row, event in zip(taken, events, strict=True):
                    apply_event(conversation, row, event)
            else:
                yield taken, events

    # -- tables ------------------------------------------------------------------------------

    def _table(self, place: str, table: Table[Any]) -> None:
        counted = TableDay(table=place, rulebook=table.book.id, area=self.areas.get(place, ""))
        port = GAMES.port_of(table)
        dealing = Dealing(place, self.who_dealt)
        rounds = _Rounds(port)
        void_by: list[StaffDay | None] = []
        for rows, events in self._commands(place, table):
            opened = table.state.opened
            was_void = opened and port.was_void(table)
            rounds.begin(table)
            before = holdings(place, table) if opened else {}
            seats = _seats(table)
            for row, event in zip(rows, events, strict=True):
                apply_event(table, row, event)
                self._event(port, counted, row, event)
                if isinstance(event, port.voids):
                    void_by.append(self._person(row))
            undone = any(isinstance(event, port.undone) for event in events)
            if undone and was_void and not port.was_void(table) and void_by:
                self._not_void(counted, void_by.pop())
            if port.is_irregularity(events):
                self._irregularity(counted, rows[0], events)
            rounds.follow(table, events)
            if table.state.opened and not port.deals_itself(table):
                playing = table.playing() and rounds.has_cards(table)
                dealing.follow(rows[0], port.round_number(table), playing=playing)
            relocated = rows[0].command_id in self.relocations
            counted.cash += self.cash.get(rows[0].command_id, 0)
            self._money(counted, place, before, table, seats, events, relocated)
            for player, paid in self._paid_in_cash(rows[0], events):
                seated = (seats | _seats(table)).get(player)
                self._position(counted, seated).cash += paid
            self.each(counted, datetime.fromisoformat(rows[0].at), rounds.count)
        counted.rounds = rounds.count
        held = table.holdings() if table.state.opened else {}
        counted.unclaimed = sum(v for k, v in held.items() if k.startswith("safekeeping/"))
        self.dealers += dealing.dealt
        self.tables.append(counted)

    def _money(
        self,
        counted: TableDay,
        place: str,
        before: dict[str, int],
        table: Table[Any],
        seats: dict[str, int],
        events: list[Event],
        relocated: bool,
    ) -> None:
        """What a command moved, by position."""
        after = holdings(place, table)
        seats = seats | _seats(table)
        crossed: dict[str, int] = {}
        for event in events:
            for player, amount in event.crossings():
                crossed[player] = crossed.get(player, 0) + amount
                position = self._position(counted, seats.get(player))
                if relocated:
                    counted.relocated += amount
                    position.relocated += amount
                elif amount > 0:
                    counted.buy_in += amount
                    position.buy_in += amount
                else:
                    counted.cash_out -= amount
                    position.cash_out -= amount
        root = f"table/{place}/"
        counted.rake += after.get(f"{root}rake", 0) - before.get(f"{root}rake", 0)
        counted.win += after.get(f"{root}bank", 0) - before.get(f"{root}bank", 0)
        counted.from_jackpot -= after.get("awards", 0) - before.get("awards", 0)
        chips = f"{root}chips/"
        racks = {k.removeprefix(chips) for k in before.keys() | after.keys() if k.startswith(chips)}
        # What was kept safe for somebody who has left is handed to him without passing his chips.
        for player in sorted(racks | crossed.keys()):
            account = f"{chips}{player}"
            gained = after.get(account, 0) - before.get(account, 0) - crossed.get(player, 0)
            position = self._position(counted, seats.get(player))
            if gained < 0:
                position.wagered -= gained
            elif gained:
                position.won += gained

    def _paid_in_cash(self, row: Row, events: list[Event]) -> Iterator[tuple[str, int]]:
        """Who brought chips for cash by a command, and how much."""
        cash = self.cash.get(row.command_id, 0)
        for event in events if cash else ():
            for player, amount in event.crossings():
                if amount > 0:
                    yield player, cash

    def _position(self, counted: TableDay, number: int | None) -> PositionDay:
        return counted.positions.setdefault(number or 0, PositionDay())

    def _event(self, port: GamePort[Any], counted: TableDay, row: Row, event: Event) -> None:
        """Voids, misdeals and rulings, of the table and of whoever made them."""
        person = self._person(row)
        if isinstance(event, port.voids):
            counted.voids += 1
            if person is not None:
                person.voids += 1
        elif isinstance(event, port.misdeals):
            counted.misdeals += 1
        elif isinstance(event, port.rulings):
            counted.rulings += 1
            if person is not None:
                person.rulings += 1
        elif isinstance(event, DecisionTaken) and person is not None:
            person.decisions += 1

    def _irregularity(self, counted: TableDay, row: Row, events: list[Event]) -> None:
        """Something was reported; unless somebody has to rule, the book has ruled on it."""
        by_book = not any(isinstance(e, DecisionNeeded) and e.question == RULING for e in events)
        for one in (counted, self._person(row)):
            if one is not None:
                one.irregularities += 1
                one.by_the_book += by_book

    def _not_void(self, counted: TableDay, person: StaffDay | None) -> None:
        """A ruling that had made the round void was taken back: the round was none."""
        counted.voids -= 1
        if person is not None:
            person.voids -= 1

    def _person(self, row: Row) -> StaffDay | None:
        if row.rank in (ActorRank.PLAYER.value, ActorRank.HOUSE.value) or row.who == HOUSE:
            return None  # the software speaks in a rank where it opens or recovers a table
        area = self._area(row)
        key = (row.who, area, row.rank)
        found = self.staff.get(key)
        if found is None:
            found = self.staff[key] = StaffDay(name=row.who, area=area, rank=row.rank)
        return found

    def _area(self, row: Row) -> str:
        """Where somebody was on duty at the time."""
        turns = self.duty.get(row.who, [])
        last = bisect_right(turns, datetime.fromisoformat(row.at), key=lambda turn: turn[0])
        return turns[last - 1][1] if last else ""

    # -- links and the cage ------------------------------------------------------------------

    def _link(self, place: str, link: JackpotLink) -> None:
        counted: JackpotDay | None = None
        put_in = 0
        for rows, events in self._commands(place, link):
            if counted is None:
                put_in = link.state.put_in
                counted = JackpotDay(
                    link=place, rulebook=link.book.id, meter_start=link.state.meter
                )
            for row, event in zip(rows, events, strict=True):
                apply_event(link, row, event)
                match event:
                    case AwardMade(paid=paid) | AwardPaidAgain(paid=paid):
                        counted.hits += 1
                        counted.awarded += paid
                    case AwardTakenBack(paid=paid):
                        counted.hits -= 1
                        counted.awarded -= paid
                    case _:
                        pass
            self._person(rows[0])
        if counted is None:
            meter = link.state.meter
            counted = JackpotDay(
                link=place, rulebook=link.book.id, meter_start=meter, meter_end=meter
            )
        else:
            counted.meter_end = link.state.meter
            counted.put_in = link.state.put_in - put_in
        counted.rulebook = link.state.rulebook or link.book.id
        self.jackpots.append(counted)

    def _cage(self, conversation: Office) -> None:
        cage = self.cage
        for rows, events in self._commands(OFFICE, conversation):
            for row, event in zip(rows, events, strict=True):
                apply_event(conversation, row, event)
                match event:
                    case office.CashedIn(amount=amount):
                        cage.cash_in += amount
                    case office.CashedOut(amount=amount):
                        cage.cash_out += amount
                    case office.BankFunded(amount=amount):
                        cage.bank += amount
                    case office.Transferred(amount=amount):
                        cage.transfers += amount
                    case office.Corrected():
                        cage.corrections += 1
                    case CashTaken(amount=amount):
                        cage.at_tables += amount
                    case (
                        record.CopyAlarmed()
                        | record.CopyRenewed()
                        | record.DatabaseRestored()
                        | record.ClockSetBack()
                    ):
                        at = datetime.fromisoformat(row.at)
                        self.alarms.append(AlarmDay(at=at, who=row.who, says=event.tell(str)))
                    case _:
                        continue


def _seats(table: Table[Any]) -> dict[str, int]:
    """The first seat or box of each player."""
    if not table.state.opened:
        return {}
    found: dict[str, int] = {}
    for number in table.taken_seats():
        player = table.player_at(number)
        if player is not None:
            found.setdefault(player, number)
    return found
