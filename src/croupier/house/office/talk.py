"""What players say at private tables, and whom they report to the pit: both on record (22, 34).

A few words, as they were written; what they must not hold is refused. A report waits until somebody
of the pit has looked at it and says what came of it.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from croupier.house.names import visible
from croupier.house.office.authority import HOUSE, a_player, refuse
from croupier.house.office.standards import COMPLAINTS, UNIQUE_ACCOUNTS
from croupier.house.office.state import PersonName, PlaceName, PlayerReport
from croupier.table import BadCommand, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

talk = Room("talk")

Words = Annotated[str, Meta(min_length=1, max_length=140)]
REPORTS_OPEN = 500
"""Reports of players that wait for the pit at most."""
OF_ONE_OPEN = 5
"""Of one player."""

Complaint = Annotated[str, Meta(min_length=1, max_length=500)]


class Say(Command, frozen=True, kw_only=True):
    """A player says a few words to those at a table."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    words: Words


class ReportPlayer(Command, frozen=True, kw_only=True):
    """A player reports another one to the pit."""

    players_may: ClassVar[bool] = False

    table: PlaceName
    player: PersonName
    says: Complaint
    round: int = 0


class AnswerReport(Command, frozen=True, kw_only=True):
    """Somebody of the pit has looked at a report, and says what came of it."""

    players_may: ClassVar[bool] = False

    report: int
    outcome: Complaint


class Said(Event, frozen=True, kw_only=True):
    """A player said it."""

    table: str
    player: str
    words: str

    def tell(self, name: Namer) -> str:
        return f"{self.player} says at {self.table}: {self.words}"


class PlayerReported(Event, frozen=True, kw_only=True):
    """A player was reported to the pit."""

    report: int
    table: str
    round: int
    player: str
    by: str
    says: str
    at: datetime

    def tell(self, name: Namer) -> str:
        return f"{self.by} reports {self.player} at {self.table}: {self.says}"


class ReportAnswered(Event, frozen=True, kw_only=True):
    """The pit has looked at it."""

    report: int
    by: str
    outcome: str

    def tell(self, name: Namer) -> str:
        return f"{self.by} has looked at report {self.report}: {self.outcome}"


def _table(office: Office, name: str) -> None:
    record = office.state.places.get(name)
    if record is None or record.kind != "table":
        raise BadCommand(f"there is no table {name!r}")


def _himself(office: Office, order: Order[Command]) -> None:
    """A player, in his own name."""
    if order.rank is HOUSE:
        refuse(UNIQUE_ACCOUNTS, "Players speak for themselves.")
    a_player(office, order.who)
    disabled = office.state.people[order.who].disabled
    if disabled:
        refuse(UNIQUE_ACCOUNTS, f"{order.who} is disabled: {disabled}.")


def plain(words: str) -> str:
    """Words on one line; what cannot be seen is refused."""
    found = " ".join(words.split())
    if not found:
        raise BadCommand("there is nothing in these words")
    if visible(found) != found:
        refuse(UNIQUE_ACCOUNTS, "There are characters in this that cannot be seen; leave them out.")
    return found


@talk.decides(Say)
def say(office: Office, order: Order[Say]) -> None:
    _himself(office, order)
    _table(office, order.command.table)
    words = plain(order.command.words)
    office.emit(Said(table=order.command.table, player=order.who, words=words))


@talk.applies(Said)
def said(office: Office, event: Said) -> None:
    """It is in the log; nothing else follows from it."""


def _not_too_many(office: Office, who: str, command: ReportPlayer) -> None:
    """A report waits until the pit answers it; the same one again would only be in the way."""
    waiting = office.state.player_reports.values()
    own = [report for report in waiting if report.by == who]
    if any((one.player, one.table) == (command.player, command.table) for one in own):
        refuse(COMPLAINTS, f"You have reported {command.player} here; the pit looks at it.")
    if len(own) >= OF_ONE_OPEN:
        refuse(COMPLAINTS, f"{len(own)} reports of yours wait for the pit; wait for its answers.")
    if len(waiting) >= REPORTS_OPEN:
        refuse(COMPLAINTS, "Too many reports wait for the pit; tell somebody of the pit yourself.")


@talk.decides(ReportPlayer)
def report_player(office: Office, order: Order[ReportPlayer]) -> None:
    command, state = order.command, office.state
    _himself(office, order)
    _table(office, command.table)
    a_player(office, command.player)
    if command.player == order.who:
        raise BadCommand("you cannot report yourself")
    _not_too_many(office, order.who, command)
    office.emit(
        PlayerReported(
            report=state.reported + 1,
            table=command.table,
            round=command.round,
            player=command.player,
            by=order.who,
            says=plain(command.says),
            at=order.when,
            cites=(COMPLAINTS,),
        )
    )


@talk.applies(PlayerReported)
def player_reported(office: Office, event: PlayerReported) -> None:
    state = office.state
    state.reported = event.report
    state.player_reports[event.report] = PlayerReport(
        table=event.table,
        round=event.round,
        player=event.player,
        by=event.by,
        says=event.says,
        at=event.at,
    )


@talk.decides(AnswerReport)
def answer_report(office: Office, order: Order[AnswerReport]) -> None:
    command = order.command
    if command.report not in office.state.player_reports:
        raise BadCommand(f"no report {command.report} waits")
    office.emit(
        ReportAnswered(
            report=command.report,
            by=order.who,
            outcome=plain(command.outcome),
            cites=(COMPLAINTS,),
        )
    )


@talk.applies(ReportAnswered)
def report_answered(office: Office, event: ReportAnswered) -> None:
    office.state.player_reports.pop(event.report, None)
