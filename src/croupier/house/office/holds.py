"""A table held from a report to its confirmation (S-22).

Whoever reports something sees the ruling before he confirms it. Until then nobody else acts at the
table and no clock runs there; the log says who held it, what for and how it ended. It begins when
somebody looks for what to report, and a ruling that may be undone is held for a moment too, so that
the table does not go on before anybody could touch it. A hold ends by itself after a while, and
somebody else may take it over: nobody who goes away stops a table.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from croupier.house.office.authority import HOUSE, height, refuse
from croupier.house.office.roster import assignment_at
from croupier.house.office.standards import COMPLAINTS, UNIQUE_ACCOUNTS
from croupier.house.office.state import Hold, OfficeState, PlaceName, Role
from croupier.table import BadCommand, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

holds = Room("holds")

HOLD_FOR = timedelta(minutes=2)
"""How long a table is held unless its owner keeps it."""
READ_OUT = "the ruling is read out; it can still be undone"
"""What a table is held for once the ruling is made."""
Report = Annotated[str, Meta(max_length=4_000)]
Seconds = Annotated[int, Meta(ge=1, le=int(HOLD_FOR.total_seconds()))]


# -- commands -------------------------------------------------------------------------------------


class HoldTable(Command, frozen=True, kw_only=True):
    """Hold a table for a report that is not confirmed yet."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    report: Report
    """What is to be reported, as it will be given to the table; nothing while that is sought."""
    says: str
    """The same in words."""
    position: int
    """How far the log of the table went."""
    seconds: Seconds | None = None
    """For how long at most, where that is less than usual."""


class KeepHold(Command, frozen=True, kw_only=True):
    """Its owner is still there: it is held as long again from now on."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    hold: int


class TakeHold(Command, frozen=True, kw_only=True):
    """Somebody else goes on where its owner has gone away."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    hold: int


class ReleaseHold(Command, frozen=True, kw_only=True):
    """The table is held no more: confirmed, given up, or its time is over."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    hold: int
    reason: str


class ReadOutRuling(Command, frozen=True, kw_only=True):
    """The ruling is confirmed; the table is held for a moment more, so that it can be read out, and
    undone before anything else happens there."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    hold: int
    seconds: Seconds


# -- events ---------------------------------------------------------------------------------------


class HoldEvent(Event, frozen=True, kw_only=True):
    """Something about a hold."""

    table: str
    hold: int


class TableHeld(HoldEvent, frozen=True, kw_only=True):
    """A table is held."""

    by: str
    post: Role
    report: str
    says: str
    position: int
    since: datetime
    until: datetime

    def tell(self, name: Namer) -> str:
        return f"{self.by} holds table {self.table} until {self.until:%H:%M:%S}: {self.says}."


class HoldKept(HoldEvent, frozen=True, kw_only=True):
    """It is held for longer."""

    until: datetime

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} is held until {self.until:%H:%M:%S}."


class HoldTaken(HoldEvent, frozen=True, kw_only=True):
    """Somebody else holds it."""

    by: str
    post: Role
    before: str
    until: datetime

    def tell(self, name: Namer) -> str:
        return f"{self.by} takes over table {self.table}, which {self.before} held."


class RulingReadOut(HoldEvent, frozen=True, kw_only=True):
    """What was held for is ruled, and read out."""

    until: datetime

    def tell(self, name: Namer) -> str:
        return f"The ruling at table {self.table} is read out, until {self.until:%H:%M:%S}."


class HoldReleased(HoldEvent, frozen=True, kw_only=True):
    """It is held no more."""

    by: str
    reason: str

    def tell(self, name: Namer) -> str:
        return f"Table {self.table} is held no more: {self.reason}."


def hold_at(state: OfficeState, table: str, when: datetime) -> Hold | None:
    """The hold at a table, if its time is not over."""
    hold = state.holds.get(table)
    return hold if hold is not None and when < hold.until else None


def told_hold(table: str, hold: Hold) -> str:
    """Who holds a table, in a sentence."""
    return (
        f"{hold.by} ({hold.post}) holds table {table} since {hold.since:%H:%M:%S}, "
        f"until {hold.until:%H:%M:%S} at the latest: {hold.says}."
    )


# -- the room -------------------------------------------------------------------------------------


def _at_his_table(office: Office, order: Order[Command], table: str) -> None:
    state = office.state
    record = state.places.get(table)
    if record is None or record.kind != "table":
        raise BadCommand(f"there is no table {table!r}")
    if not assignment_at(state, order.who, table, order.when):
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is not assigned to table {table}.")


def _this(office: Office, order: Order[Command], table: str, number: int) -> Hold:
    hold = hold_at(office.state, table, order.when)
    if hold is None or hold.number != number:
        now = told_hold(table, hold) if hold is not None else f"Nobody holds table {table} now."
        refuse(COMPLAINTS, f"Hold {number} is over. {now}")
    return hold


@holds.decides(HoldTable)
def hold_table(office: Office, order: Order[HoldTable]) -> None:
    command, state = order.command, office.state
    _at_his_table(office, order, command.table)
    hold = hold_at(state, command.table, order.when)
    if hold is not None and hold.by != order.who:
        refuse(COMPLAINTS, told_hold(command.table, hold))
    office.emit(
        TableHeld(
            table=command.table,
            hold=state.held + 1,
            by=order.who,
            post=state.duty[order.who].post,
            report=command.report,
            says=command.says,
            position=command.position,
            since=order.when,
            until=order.when + _length(command),
            cites=(COMPLAINTS,),
        )
    )


def _length(command: HoldTable) -> timedelta:
    return HOLD_FOR if command.seconds is None else timedelta(seconds=command.seconds)


@holds.applies(TableHeld)
def table_held(office: Office, event: TableHeld) -> None:
    office.state.held = event.hold
    office.state.holds[event.table] = Hold(
        number=event.hold,
        by=event.by,
        post=event.post,
        report=event.report,
        says=event.says,
        position=event.position,
        since=event.since,
        until=event.until,
    )


@holds.decides(KeepHold)
def keep_hold(office: Office, order: Order[KeepHold]) -> None:
    command = order.command
    hold = _this(office, order, command.table, command.hold)
    if hold.by != order.who:
        refuse(COMPLAINTS, told_hold(command.table, hold))
    until = order.when + HOLD_FOR
    office.emit(HoldKept(table=command.table, hold=hold.number, until=until, cites=(COMPLAINTS,)))


@holds.applies(HoldKept)
def hold_kept(office: Office, event: HoldKept) -> None:
    office.state.holds[event.table].until = event.until


@holds.decides(TakeHold)
def take_hold(office: Office, order: Order[TakeHold]) -> None:
    """By somebody of that rank or above; by anybody once its owner has left his post."""
    command, state = order.command, office.state
    _at_his_table(office, order, command.table)
    hold = _this(office, order, command.table, command.hold)
    post = state.duty[order.who].post
    if hold.by == order.who:
        refuse(COMPLAINTS, "You hold it already.")
    if hold.by in state.duty and height(post) < height(hold.post):
        says = f"{told_hold(command.table, hold)} To take over takes a {hold.post} or above."
        refuse(COMPLAINTS, says)
    office.emit(
        HoldTaken(
            table=command.table,
            hold=hold.number,
            by=order.who,
            post=post,
            before=hold.by,
            until=order.when + HOLD_FOR,
            cites=(COMPLAINTS,),
        )
    )


@holds.applies(HoldTaken)
def hold_taken(office: Office, event: HoldTaken) -> None:
    hold = office.state.holds[event.table]
    hold.by, hold.post, hold.until = event.by, event.post, event.until


def _owned(office: Office, order: Order[ReleaseHold] | Order[ReadOutRuling]) -> Hold:
    """A hold that its owner, or the House with what it was for, brings to its end."""
    command = order.command
    hold = office.state.holds.get(command.table)
    if hold is None or hold.number != command.hold:
        refuse(COMPLAINTS, f"Hold {command.hold} of table {command.table} is over.")
    if hold.by != order.who and order.rank is not HOUSE:
        refuse(COMPLAINTS, told_hold(command.table, hold))
    return hold


@holds.decides(ReadOutRuling)
def read_out_ruling(office: Office, order: Order[ReadOutRuling]) -> None:
    command = order.command
    hold = _owned(office, order)
    until = order.when + timedelta(seconds=command.seconds)
    office.emit(
        RulingReadOut(table=command.table, hold=hold.number, until=until, cites=(COMPLAINTS,))
    )


@holds.applies(RulingReadOut)
def ruling_read_out(office: Office, event: RulingReadOut) -> None:
    hold = office.state.holds[event.table]
    hold.report, hold.says, hold.until = "", READ_OUT, event.until


@holds.decides(ReleaseHold)
def release_hold(office: Office, order: Order[ReleaseHold]) -> None:
    command = order.command
    hold = _owned(office, order)
    office.emit(
        HoldReleased(
            table=command.table,
            hold=hold.number,
            by=order.who,
            reason=command.reason,
            cites=(COMPLAINTS,),
        )
    )


@holds.applies(HoldReleased)
def hold_released(office: Office, event: HoldReleased) -> None:
    office.state.holds.pop(event.table, None)
