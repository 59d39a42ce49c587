"""The casino: a House with its office, its shuffle book and its dealer, opened from a database.

    casino = Casino.open("sqlite:///house.db")
    casino.open_account("Ann")
    casino.cash_in("Ann", 50_000)
    …
    casino.stop()

Opening reads every log, notes the start, and lets the rulebooks decide about rounds that were cut
off. Stopping as planned saves every round where it stands.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from msgspec import structs

from croupier import __version__
from croupier.house import copy_alarms, passwords
from croupier.house.alarm_log import ALARM
from croupier.house.alarms import Alarms
from croupier.house.answers import Answer
from croupier.house.approval import running_manifest
from croupier.house.awards import Awards, SomebodyElse
from croupier.house.behalf import Behalf
from croupier.house.copies import folder_here
from croupier.house.copy import LogCopy
from croupier.house.critical_files import changed, digests, reference
from croupier.house.daily import Daily
from croupier.house.database import Database
from croupier.house.dealer import Dealer
from croupier.house.errors import Conflict, UnknownPlace
from croupier.house.follower import Follower
from croupier.house.guards import OfficeGuard
from croupier.house.house import House
from croupier.house.known_ids import KnownIds
from croupier.house.log_in import Login as Login
from croupier.house.log_in import NotAllowedIn as NotAllowedIn
from croupier.house.log_in import log_in
from croupier.house.manifest import Manifest, differences
from croupier.house.office import OFFICE, Office
from croupier.house.office import commands as orders
from croupier.house.office.record_commands import NoteClockSetBack
from croupier.house.office.roster import assignment_at, why_unlicensed
from croupier.house.office.roster_commands import SetPin
from croupier.house.office.state import PIT, Role
from croupier.house.ownership import Ownership, ownership_of
from croupier.house.permissions import for_whom
from croupier.house.places import Places
from croupier.house.quick_check import check_quickly
from croupier.house.records import NO_AUTHORITY, Authority, Secret
from croupier.house.recovery import Recovered, recover
from croupier.house.seals.sealer import Sealer, Sealing
from croupier.house.shuffling import Source
from croupier.house.software import HOUSE
from croupier.house.standing import StandingOrders
from croupier.house.storage_process import StorageProcess
from croupier.house.store import Store
from croupier.house.table_orders import TableOrders
from croupier.house.untrue_reports import UntrueReports
from croupier.house.urls import copy_folder, open_database
from croupier.house.vault import HINT
from croupier.house.world import REAL, World
from croupier.table import (
    ActorRank,
    BadCommand,
    Command,
    Conversation,
    Order,
    Refused,
    Table,
)

logger = logging.getLogger("croupier.house")

TRIES = 5
"""How often a command of the office is tried again when another process was first."""

RANKS = {rank.value: rank for rank in ActorRank}


class Casino:
    """Everything that runs in one process of the House."""

    def __init__(
        self, house: House, *, source: Source | None = None, orders: StandingOrders | None = None
    ) -> None:
        self.house = house
        self.orders = orders or StandingOrders()
        """What the House has decided beforehand."""
        house.add_shared(OFFICE, Office)
        self.digests = digests()
        """What this process is made of (32): its orders refer to it, and its start notes it."""
        house.software = reference(self.digests)
        house.on_duty = self._on_duty
        guard = OfficeGuard(house)
        self.table_orders = TableOrders(house, guard)
        self.untrue_reports = UntrueReports(house)
        self.awards = Awards(house)
        witnessed = SomebodyElse(self.awards, house)
        house.guards += [guard, self.table_orders, self.untrue_reports, witnessed]
        self.dealer = Dealer(house, source or house.world.source)
        self.recovered: list[Recovered] = []
        """What became at the start of the rounds that were under way."""
        self.follower: Follower | None = None
        """Where several processes share a server: what the others do."""
        self.daily: Daily | None = None
        """What is checked every day, where tables are run."""
        self.sealer: Sealer | None = None
        """Signs what is stored, where there is a key."""
        self.approved: Manifest | None = None
        """What the regulator has approved, where he has: every day is held to it."""
        self.second_factor_required = False
        """Whether staff log in with a second factor only."""
        self.setting_up = False
        """Whether tables and links are put on the floor only to be set up, not to be played at."""
        self.places = Places(self)
        """Puts tables and links on the floor."""
        self.office_turn: Callable[[], AbstractContextManager[bool | None]] = nullcontext
        """Waits for this server's turn at the office, where there are several: whether there may be
        others who had their turn before."""
        self.alarms = Alarms(self)
        """What is wrong with the record, if anything is."""

    @classmethod
    def open(
        cls,
        url: str | Database,
        *,
        administrator: str = "administrator",
        password: str | None = None,
        real_money: bool = False,
        copy: Path | str | None = None,
        clock: Callable[[], datetime] | None = None,
        source: Source | None = None,
        tables: Sequence[str] | Callable[[Casino], Sequence[str]] | None = None,
        orders: StandingOrders | None = None,
        sealing: Sealing | None = None,
        approved: Manifest | None = None,
        setting_up: bool = False,
        ownership: Ownership | None = None,
        storage_process: bool = False,
        world: World = REAL,
    ) -> Casino:
        """Open the House of a database, given by its address or open already; a new one is founded
        with its administrator.

        `tables` are those that this process runs, where several share a server, with the links
        they hang on; all if not said, none if empty, or whoever chooses them. `orders` are the
        House's standing orders, `sealing` how it seals, if it does. `copy` is the folder of the
        copy of the log, if it is not where it is by itself.

        Where money is real, tables are run only with what is approved (`croupier.house.approval`):
        `approved` says what that is, where somebody has looked; else the record is asked.
        `setting_up`: they are only set up, which needs no approval. `clock` and `source` stand in
        for those of its `world`; `ownership` says who may run what, where the database does not.
        `storage_process`: what is stored is stored by a process of its own.
        """
        with ExitStack() as opened:
            database = open_database(url) if isinstance(url, str) else url
            opened.callback(database.close)
            ownership = ownership or ownership_of(database)
            opened.callback(ownership.close)
            if ownership.whole:
                ownership.take(OFFICE)  # as a SQLite file, which is one process's
            database.wait_for_standby()  # nothing is shown that one lacks which must confirm
            reading = database.again()
            opened.callback(reading.close)
            store = StorageProcess(database) if storage_process else Store(database)
            opened.callback(store.close)
            usual = copy_folder(url) if isinstance(url, str) else None
            folder = Path(copy) if copy is not None else usual or folder_here(store)
            if tables is None or tables:
                check_quickly(database)
            has_key = store.check_key()
            house = House(
                store,
                reader=Store(reading),
                copy=LogCopy(folder) if folder is not None else None,
                ownership=ownership,
                clock=clock,
                world=world,
            )
            opened.callback(house.writer.close)
            if ownership.whole and tables is None:  # not for the few commands of an office order
                house.known_ids = KnownIds(house.reader, house.lock, world=world)
                opened.callback(house.known_ids.close)
            casino = cls(house, source=source, orders=orders)
            casino.approved, casino.setting_up = approved, setting_up
            house.times.on_set_back = casino._note_set_back
            if not casino.office.state.founded:
                casino.found(administrator, password, real_money=real_money)
            if casino.office.state.real_money and not has_key:
                logger.warning("secrets of %s are not encrypted: %s", database.name, HINT)
            copy_alarms.put_on_record(casino, runs_tables=tables is None or bool(tables))
            casino.start(tables(casino) if callable(tables) else tables)
            if not ownership.whole:
                casino.follower = Follower(house)
            if tables is None or tables:
                casino.daily = Daily(casino.check_files, world=world)
                casino.alarms.look_at_archives()
            if sealing is not None:
                casino.sealer = Sealer(store, sealing, house.clock, world=world)
                casino.sealer.next_key = lambda: casino.office.state.seal_key
            opened.pop_all()  # from here on `close` closes them
        return casino

    # -- starting and stopping ---------------------------------------------------------------

    @property
    def office(self) -> Office:
        """The office as it stands."""
        return cast(Office, self.house.pit.links[OFFICE])  # asked a dozen times for a command

    def found(self, administrator: str, password: str | None, *, real_money: bool = False) -> None:
        """Found the House with its first administrator."""
        digest, secrets = _filed(administrator, password)
        command = orders.FoundHouse(
            administrator=administrator, digest=digest, real_money=real_money
        )
        self.tell(command, secrets=secrets)

    def start(self, tables: Sequence[str] | None = None) -> None:
        """Put every table and link where its log has it, note the start, and recover."""
        places = self.office.state.places
        wanted = places.keys() if tables is None else set(tables)
        unknown = sorted(wanted - places.keys())
        if unknown:
            there = ", ".join(sorted(places)) or "nothing yet"
            raise UnknownPlace(f"there is no table or link {unknown[0]!r} to run; there is {there}")
        self.recovered = self.take_on(wanted)

    def take_on(self, wanted: Collection[str]) -> list[Recovered]:
        """Run places from now on that this process does not run yet, with the links that they hang
        on: note the start, and recover what was under way there."""
        mine = self.places.put_all(wanted)
        cut_off = set(self.office.state.running)
        noted = orders.NoteStart(version=__version__, places=tuple(mine), digests=self.digests)
        self.tell(noted)
        return recover(
            self.house,
            planned=set(mine) - cut_off,
            dealer=self.dealer,
            orders=self.orders,
            places=mine,
        )

    def release(self, places: Collection[str]) -> None:
        """Let another process run places, as a planned stop does: every round is saved where it
        stands, and goes on there. Their memory is still here, for whoever must be told."""
        house = self.house
        house.stop_running(places)
        try:
            with house.lock:
                house.writer.flush()
                house.reread_stale()
                positions = {n: house.positions[n] for n in places if n in house.positions}
            self.tell(orders.NoteStop(positions=positions))
        except BaseException:
            house.run_again(places)
            raise
        house.keep_states(places)

    def stop(self) -> None:
        """A planned stop: every round is saved where it stands and goes on at the next start."""
        with self.house.lock:
            positions = {
                place: position
                for place, position in self.house.positions.items()
                if place in self.house.pit.tables or place in self.office.state.places
            }
        if self.daily is not None:
            self.daily.close()
        self.tell(orders.NoteStop(positions=positions))
        self.house.keep_states()
        if self.sealer is not None:
            self.sealer.close()
        self.close()

    def close(self) -> None:
        """Stop without a word: for the next start this was no planned stop."""
        if self.daily is not None:
            self.daily.close()
        if self.sealer is not None:
            self.sealer.close(seal=False)
        if self.follower is not None:
            self.follower.close()
        self.house.close()
        for store in {id(s): s for s in (self.house.store, self.house.reader)}.values():
            store.close()

    def check_files(self) -> list[str]:
        """Compare what runs with what is approved, or the critical files with the start where
        nothing is; note it, and return what was changed."""
        if self.approved is not None:
            found = differences(self.approved, running_manifest(self.office.state))
        else:
            found = changed(self.office.state.digests)
        self.tell(orders.NoteFilesChecked(changed=tuple(found)))
        return found

    def note_settings(
        self, changes: Sequence[orders.ChangeSetting], *, who: str = HOUSE
    ) -> Refused | None:
        """Put changed settings on record, in somebody's name; why not, if that is refused."""
        for change in changes:
            refused = self.tell(change, who=who).refused
            if refused is not None:
                return refused
        return None

    # -- the office --------------------------------------------------------------------------

    def tell(
        self,
        command: Command,
        *,
        who: str = HOUSE,
        rank: ActorRank | None = None,
        command_id: str | None = None,
        session: str = "",
        secrets: Sequence[Secret] = (),
        complete: Callable[[Command], Command] | None = None,
    ) -> Answer:
        """Give the office a command and wait for the answer; tables carry out their part of it.

        If another process was first, what it wrote is read and the command is tried again; so it is
        if the office said no before it had read that. `complete` fills in what the tables say at
        the moment at which it is given.
        """
        if rank is None:
            rank = ActorRank.HOUSE if who == HOUSE else self.rank_of(who)
        with self.office_turn() as beside_others:
            if beside_others:
                self.refresh_office()
            return self._told(command, who, rank, command_id, session, secrets, complete)

    def _told(
        self,
        command: Command,
        who: str,
        rank: ActorRank,
        command_id: str | None,
        session: str,
        secrets: Sequence[Secret],
        complete: Callable[[Command], Command] | None,
    ) -> Answer:
        """Give the office a command, again where another process was first."""
        answer: Answer | None = None
        for _ in range(TRIES):
            read = self.house.positions[OFFICE]
            try:
                with self.house.lock:  # the tables stand still between the asking and the doing
                    whole = complete(command) if complete is not None else command
                    Office.check_written(whole)
                    try:
                        given = self.house.give(
                            OFFICE,
                            whole,
                            who=who,
                            rank=rank,
                            command_id=command_id,
                            session=session,
                            also=self.table_orders.orders_for(whole),
                            secrets=secrets,
                        )
                    finally:
                        self.house.shared_links.forget_guests()
                answer = given.result()
            except Conflict:
                continue
            except BadCommand:
                if self._has_changed_since(read):
                    continue
                raise
            if answer.refused is None or not self._has_changed_since(read):
                return answer
        if answer is not None:
            return answer  # refused every time
        raise Conflict(f"the office is too busy for {command.tell()!r}; try again")

    def rank_of(self, name: str) -> ActorRank:
        """In which rank somebody speaks: his post while on duty, else a player's or none's."""
        state = self.office.state
        person = state.people.get(name)
        if person is None or person.kind == "player":
            return ActorRank.PLAYER
        duty = state.duty.get(name)
        post = duty.post if duty is not None and not person.disabled else None
        if why_unlicensed(state, person, name, self.house.clock()):
            return ActorRank.PLAYER
        # Cashiers, administrators and auditors have no rank at a table.
        return RANKS[post] if post in PIT else ActorRank.PLAYER

    def _note_set_back(self, before: datetime, to: datetime, now: datetime) -> None:
        """Put on record that the clock was set back, before what is about to be stored."""
        logger.warning("the clock was set back from %s to %s", before, to, extra=ALARM)
        if self.office.state.founded:
            noted = NoteClockSetBack(before=before, now=to)
            given = self.house.give(OFFICE, noted, who=HOUSE, rank=ActorRank.HOUSE, when=now)
            given.add_done_callback(lambda done: self._say_again(before, to, done))

    def _say_again(self, before: datetime, to: datetime, noted: Future[Answer]) -> None:
        """If it could not be stored that the clock was set back, the next order says so again."""
        if noted.exception() is not None:
            with self.house.lock:
                self.house.times.not_noted(before, to)

    def _on_duty(self, place: str, order: Order[Command]) -> Authority:
        """By whose authority an order is given: at which post its giver is on duty, by which
        assignment he acts there, and for whom."""
        state, who = self.office.state, order.who
        duty = state.duty.get(who)
        if duty is None:
            return NO_AUTHORITY
        authority = Authority(duty=duty.post, area=duty.area, acting=duty.acting)
        table = self.house.pit.tables.get(place)
        if table is None or not table.state.opened:
            return authority
        told = self.house.behalf
        if told is None and (whom := ", ".join(for_whom(table, order.command))):
            told = Behalf(player=whom)
        return structs.replace(
            authority,
            assignment=assignment_at(state, who, place, order.when),
            on_behalf=told.player if told is not None else "",
            word=told.word if told is not None else "",
            why=told.why if told is not None else "",
        )

    # -- people ------------------------------------------------------------------------------

    def hire(self, name: str, role: Role, password: str | None, *, who: str, reason: str) -> Answer:
        """Take somebody on."""
        digest, secrets = _filed(name, password)
        command = orders.HireStaff(name=name, role=role, digest=digest, reason=reason)
        return self.tell(command, who=who, secrets=secrets)

    def open_account(
        self, player: str, password: str | None = None, *, bot: bool = False, who: str = HOUSE
    ) -> Answer:
        """Open the account of a player; without a password he cannot log in by himself."""
        digest, secrets = _filed(player, password)
        command = orders.OpenAccount(player=player, digest=digest, bot=bot)
        return self.tell(command, who=who, secrets=secrets)

    def set_password(self, name: str, password: str, *, who: str, reason: str = "") -> Answer:
        """Set a password; whoever was logged in under that name is logged out."""
        digest, secrets = _filed(name, password)
        assert digest is not None
        command = orders.SetPassword(name=name, digest=digest, reason=reason)
        return self.tell(command, who=who, secrets=secrets)

    def set_pin(self, player: str, pin: str, *, who: str, reason: str = "") -> Answer:
        """Set the PIN by which a player gives his word at a table."""
        kept = passwords.hashed_pin(pin)
        secret = Secret(name=player, kind=passwords.PIN, secret=kept)
        command = SetPin(player=player, digest=passwords.digest_of(kept), reason=reason)
        return self.tell(command, who=who, secrets=[secret])

    def cash_in(self, player: str, amount: int, *, who: str = HOUSE, note: str = "") -> Answer:
        """Money comes in at the cage."""
        return self.tell(orders.CashIn(player=player, amount=amount, note=note), who=who)

    def cash_out(self, player: str, amount: int, *, who: str = HOUSE, note: str = "") -> Answer:
        """Money goes out at the cage."""
        return self.tell(orders.CashOut(player=player, amount=amount, note=note), who=who)

    # -- logging in --------------------------------------------------------------------------

    def log_in(
        self, name: str, password: str, *, code: str = "", origin: str = "", new_key: str = ""
    ) -> Login:
        """Check a password, and a second factor where there is one, and open a session
        (`croupier.house.log_in`)."""
        return log_in(self, name, password, code=code, origin=origin, new_key=new_key)

    def catch_up_office(self) -> None:
        """Read what other processes have written."""
        self._catch_up()

    def who_is(self, token: str) -> str:
        """Whose session a token is; an error for a forged or old one."""
        digest = passwords.digest_of(token)
        if digest not in self.office.state.sessions:
            self._catch_up()  # he may have logged in elsewhere a moment ago
        session = self.office.state.sessions.get(digest)
        if session is None or session.until <= self.house.clock():
            raise NotAllowedIn("this session is over; log in again")
        return session.name

    def has_session(self, name: str, session: str) -> bool:
        """Whether somebody is still logged in by this session, named by the digest of its token."""
        state = self.office.state
        found = state.sessions.get(session)
        if found is None or found.name != name or found.until <= self.house.clock():
            return False
        person = state.people[name]
        return person.kind == "player" or not person.disabled

    def refresh_office(self) -> None:
        """Make sure of what other processes have written at the office, where there may be any:
        whoever was dismissed there gives no command here."""
        if self.follower is None:
            return
        if self.house.reader.head(OFFICE).position > self.house.positions[OFFICE]:
            self.house.catch_up()

    def _catch_up(self) -> bool:
        """Read what other processes have written; whether there was anything."""
        return self.follower is not None and self.house.catch_up()

    def _has_changed_since(self, read: int) -> bool:
        """Whether the office knows more than it did at this position of its log: that may have
        been read meanwhile, by the follower."""
        return self._catch_up() or self.house.positions[OFFICE] != read

    def log_out(self, token: str) -> None:
        """End a session."""
        name = self.who_is(token)
        self.tell(orders.CloseSession(token=passwords.digest_of(token)), who=name)

    # -- tables and links --------------------------------------------------------------------

    def add_link(
        self,
        command: orders.AddLink,
        *,
        who: str = HOUSE,
        command_id: str | None = None,
        session: str = "",
    ) -> Answer:
        """Set up a jackpot link and open it."""
        return self._added(command.link, command, who, command_id, session)

    def add_table(
        self,
        command: orders.AddTable,
        *,
        who: str = HOUSE,
        command_id: str | None = None,
        session: str = "",
    ) -> Answer:
        """Set up a table, open it, and hang it on its link."""
        return self._added(command.table, command, who, command_id, session)

    def _added(
        self,
        name: str,
        command: orders.AddLink | orders.AddTable,
        who: str,
        command_id: str | None,
        session: str,
    ) -> Answer:
        self.places.check_approved()
        refused = self.places.would_refuse(command)
        if refused is not None:
            return Answer(command_id=command_id or "", refused=refused)
        answer = self.tell(command, who=who, command_id=command_id, session=session)
        if answer.refused is None:
            self.places.put_new(name)
        return answer

    def table(self, name: str) -> Table[Any]:
        """The table of this name."""
        found = self.house.pit.tables.get(name)
        if found is None:
            raise UnknownPlace(f"there is no table {name!r}")
        return found

    def conversation(self, place: str) -> Conversation[Any]:
        """The table, link or other place of this name."""
        return self.house.pit.at(place)


def _filed(name: str, password: str | None) -> tuple[str | None, list[Secret]]:
    """The digest for the log and the secret for the file, of a password or none."""
    if password is None:
        return None, []
    kept = passwords.hashed(password)
    secret = Secret(name=name, kind=passwords.KIND, secret=kept)
    return passwords.digest_of(kept), [secret]
