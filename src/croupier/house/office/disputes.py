"""Disputes: opened for a round or ruling, held until they are settled, and by whom (22).

A patron who does not accept a ruling may take it further, in the end to an inspector of the
regulator, whose word is the last. So a dispute that the House has settled with the patron may be
settled once more by an inspector; what he has decided stands.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta

from croupier.house.office.authority import refuse
from croupier.house.office.standards import COMPLAINTS, WHO_CHANGED_WHAT
from croupier.house.office.state import (
    Digest,
    Dispute,
    For,
    PlaceName,
    Reason,
    Settlement,
    named_dispute,
)
from croupier.table import BadCommand, Command, Event, Order, Room
from croupier.table.event import Namer

if TYPE_CHECKING:
    from croupier.house.office.office import Office

disputes = Room("disputes")

When = Annotated[datetime, Meta(tz=True)]
Name = Annotated[str, Meta(max_length=120)]


class OpenDispute(Command, frozen=True, kw_only=True):
    """Somebody does not accept what became of a round, or a ruling."""

    players_may: ClassVar[bool] = False

    place: PlaceName
    round: Annotated[int, Meta(ge=0)] | None = None
    """Of a table."""
    position: Annotated[int, Meta(ge=1)] | None = None
    """The event of the log that it is about, where it is about one."""
    began: When | None = None
    """When that round, or that ruling, began: from the log."""
    patron: Name = ""
    """Who disputes it; nobody, where the House itself wants it looked at."""
    claim: Reason
    """What he says."""
    days: Annotated[int, Meta(ge=1, le=3_650)]
    """How long he has to take it further."""


class FileDispute(Command, frozen=True, kw_only=True):
    """The sealed file of a dispute was made: its digest is on record from now on."""

    players_may: ClassVar[bool] = False

    dispute: int
    sha256: Digest


class SettleDispute(Command, frozen=True, kw_only=True):
    """What a dispute came to, and who had the last word."""

    players_may: ClassVar[bool] = False

    dispute: int
    outcome: Reason
    """What was decided, and what was paid or put right."""
    in_favour_of: For
    inspector: Name = ""
    """The inspector who decided it; nobody, where the patron and the House agreed."""
    inspector_rank: Name = ""
    """His rank or office."""


class DisputeOpened(Event, frozen=True, kw_only=True):
    """A round or ruling is in dispute; nothing of it is put away."""

    dispute: int
    place: str
    round: int | None
    position: int | None
    began: datetime | None
    patron: str
    claim: str
    by: str
    at: datetime
    deadline: datetime

    def tell(self, name: Namer) -> str:
        who = f"{self.patron} disputes" if self.patron else "The House looks at"
        about = named_dispute(self.place, self.round, self.position)
        told = f"Dispute {self.dispute}: {who} {about}"
        return f"{told}: {self.claim}. It may be taken further until {self.deadline:%Y-%m-%d}."


class DisputeFiled(Event, frozen=True, kw_only=True):
    """The sealed file of a dispute has this digest."""

    dispute: int
    sha256: str
    by: str

    def tell(self, name: Namer) -> str:
        return f"{self.by} makes the file of dispute {self.dispute}; its digest is {self.sha256}."


class DisputeSettled(Event, frozen=True, kw_only=True):
    """A dispute came to its end."""

    dispute: int
    outcome: str
    in_favour_of: For
    inspector: str
    inspector_rank: str
    by: str
    at: datetime

    def tell(self, name: Namer) -> str:
        if self.inspector or self.inspector_rank:
            inspector = ", ".join(filter(None, (self.inspector, self.inspector_rank)))
            who = f"decided by the inspector ({inspector})"
        else:
            who = "agreed with the House"
        whom = {"patron": "for the patron", "house": "for the House", "neither": "for neither"}
        told = f"Dispute {self.dispute} is settled {whom[self.in_favour_of]}, {who}"
        return f"{told}: {self.outcome}."


@disputes.decides(OpenDispute)
def open_dispute(office: Office, order: Order[OpenDispute]) -> None:
    command, state = order.command, office.state
    if command.place not in state.places and command.place != "office":
        raise BadCommand(f"there is no table or link {command.place!r}")
    if command.round is None and command.position is None:
        raise BadCommand("a dispute is about a round of a table, or an event of a log; name it")
    about = (command.place, command.round, command.position, command.patron)
    for number, known in state.disputes.items():
        if about != (known.place, known.round, known.position, known.patron):
            continue
        if known.settled is None:
            refuse(COMPLAINTS, f"That is dispute {number} already, and it is not settled.")
        if command.patron and known.settled.is_last_word:  # the House may look at it again
            refuse(
                COMPLAINTS, f"That is dispute {number}; an inspector has decided it: that stands."
            )
    office.emit(
        DisputeOpened(
            dispute=state.disputed + 1,
            place=command.place,
            round=command.round,
            position=command.position,
            began=command.began,
            patron=command.patron,
            claim=command.claim,
            by=order.who,
            at=order.when,
            deadline=order.when + timedelta(days=command.days),
            cites=(COMPLAINTS, WHO_CHANGED_WHAT),
        )
    )


@disputes.applies(DisputeOpened)
def dispute_opened(office: Office, event: DisputeOpened) -> None:
    state = office.state
    state.disputed = event.dispute
    state.disputes[event.dispute] = Dispute(
        place=event.place,
        round=event.round,
        position=event.position,
        began=event.began,
        patron=event.patron,
        claim=event.claim,
        by=event.by,
        at=event.at,
        deadline=event.deadline,
    )


@disputes.decides(FileDispute)
def file_dispute(office: Office, order: Order[FileDispute]) -> None:
    command = order.command
    _known(office, command.dispute)
    office.emit(
        DisputeFiled(
            dispute=command.dispute, sha256=command.sha256, by=order.who, cites=(COMPLAINTS,)
        )
    )


@disputes.applies(DisputeFiled)
def dispute_filed(office: Office, event: DisputeFiled) -> None:
    office.state.disputes[event.dispute].sha256 = event.sha256


def _known(office: Office, number: int) -> Dispute:
    found = office.state.disputes.get(number)
    if found is None:
        known = ", ".join(map(str, office.state.disputes)) or "none yet"
        raise BadCommand(f"there is no dispute {number}; there is {known}")
    return found


@disputes.decides(SettleDispute)
def settle_dispute(office: Office, order: Order[SettleDispute]) -> None:
    command = order.command
    found = _known(office, command.dispute)
    by_inspector = bool(command.inspector or command.inspector_rank)
    if found.settled is not None and found.settled.is_last_word:
        refuse(COMPLAINTS, f"An inspector has decided dispute {command.dispute}: that stands.")
    if found.settled is not None and not by_inspector:
        says = f"Dispute {command.dispute} is settled; only an inspector can decide it otherwise."
        refuse(COMPLAINTS, says)
    office.emit(
        DisputeSettled(
            dispute=command.dispute,
            outcome=command.outcome,
            in_favour_of=command.in_favour_of,
            inspector=command.inspector,
            inspector_rank=command.inspector_rank,
            by=order.who,
            at=order.when,
            cites=(COMPLAINTS, WHO_CHANGED_WHAT),
        )
    )


@disputes.applies(DisputeSettled)
def dispute_settled(office: Office, event: DisputeSettled) -> None:
    office.state.disputes[event.dispute].settled = Settlement(
        outcome=event.outcome,
        in_favour_of=event.in_favour_of,
        inspector=event.inspector,
        inspector_rank=event.inspector_rank,
        by=event.by,
        at=event.at,
    )
